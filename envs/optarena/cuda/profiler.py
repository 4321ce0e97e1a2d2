"""Reads a GPU's hardware counters while one kernel runs, by NVIDIA's profiler ``ncu``.

ncu comes with CUDA and not as a package of Python. It runs a whole process, repeats the kernel until it has
read all counters, and restores memory before each repetition. Clocks are left as they are.
"""

from __future__ import annotations

import csv
import math
import re
import shutil
from pathlib import Path
from typing import Final

from optarena.errors import CountersUnavailable

PROGRAM: Final = "ncu"
INSTALLED: Final = Path("/usr/local/cuda/bin/ncu")
# The counters by our name: NVIDIA's name, and the factor from ncu's base unit to ours. `instructions` are
# those of warps; the `float_` ones are those of threads.
COUNTERS: Final = {
    "seconds": ("gpu__time_duration.sum", 1e-9),
    "dram_read_bytes": ("dram__bytes_read.sum", 1),
    "dram_written_bytes": ("dram__bytes_write.sum", 1),
    "l2_bytes": ("lts__t_bytes.sum", 1),
    "achieved_occupancy": ("sm__warps_active.avg.pct_of_peak_sustained_active", 0.01),
    "instructions": ("smsp__inst_executed.sum", 1),
    "float_multiply_adds": ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1),
    "float_additions": ("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1),
    "float_multiplications": ("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1),
    "global_load_requests": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 1),
    "global_load_sectors": ("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 1),
}
# What ncu says where it may not or cannot read counters, and the reason in a word. The second one was seen in
# gVisor, which has the device but not all of the driver's interfaces.
_REFUSALS: Final = (
    ("ERR_NVGPUCTRPERM", "no-privilege"),
    ("LibraryNotLoaded", "virtualised"),
    ("not supported", "not-supported"),
)
_REMEDIES: Final = {
    "no-privilege": " Grant CAP_SYS_ADMIN, or give NVIDIA's driver NVreg_RestrictProfilingToAdminUsers=0."
}
_LAST_WORDS: Final = 500


def command(kernel: str, log: Path) -> list[str]:
    # What to put before a command, so that the counters of its first launch of a kernel are read.
    program = shutil.which(PROGRAM) or (str(INSTALLED) if INSTALLED.is_file() else None)
    if program is None:
        raise CountersUnavailable.because(
            "no-profiler",
            f"{PROGRAM} is not installed. Install NVIDIA's Nsight Compute, which is part of CUDA.",
        )
    metrics = ",".join(name for name, _ in COUNTERS.values())
    wanted = ["--kernel-name", f"regex:^{re.escape(kernel)}$", "--launch-count", "1", "--metrics", metrics]
    untouched = ["--clock-control", "none", "--cache-control", "all"]
    shown = ["--csv", "--page", "raw", "--print-units", "base"]
    return [program, *shown, *untouched, *wanted, "--log-file", str(log)]


def read(log: str) -> dict[str, float]:
    rows = list(csv.reader(log.splitlines()))
    start = next((number for number, row in enumerate(rows) if row[:1] == ["ID"]), len(rows))
    if len(rows) < start + 3:  # names, units, and the launch
        raise _refusal(log)
    values = dict(zip(rows[start], rows[start + 2], strict=False))
    try:
        found = {
            own: float(values[name].replace(",", "")) * factor for own, (name, factor) in COUNTERS.items()
        }
    except (KeyError, ValueError) as error:
        raise _incomplete(str(error)) from error
    if unread := [own for own, value in found.items() if not math.isfinite(value)]:
        raise _incomplete(", ".join(unread))
    return found


def _incomplete(which: str) -> CountersUnavailable:
    return CountersUnavailable.because("not-supported", f"{PROGRAM} does not read all counters: {which}.")


def _refusal(log: str) -> CountersUnavailable:
    reason = next((reason for words, reason in _REFUSALS if words in log), "refused")
    told = " ".join(log.split())[-_LAST_WORDS:]
    return CountersUnavailable.because(
        reason, f"{PROGRAM} reads no counters: {told}{_REMEDIES.get(reason, '')}"
    )
