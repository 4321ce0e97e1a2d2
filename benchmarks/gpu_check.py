"""Checks and times GPU kernels on a GPU: ``python benchmarks/gpu_check.py [--quick]``.

The report has the device; counters of each kernel as given, or why there are none; for each kernel as given,
at -O3, as nvcc and NVRTC compile it, after the best sequence in the results of former searches, after a
candidate that no GPU has timed, and after random ones, whether its output is right, its cold and warm time
with the interval of 95 %, and the shares of the speeds of a copy of as many bytes and of as many operations
in registers; what a search finds beyond -O3; and a block as the board measures it. The exit code is 1 if an
output is wrong or no GPU is usable. No GPU has run it since nvcc, NVRTC and the best sequences are among the
forms.

``--prepare FILE`` compiles only, without a GPU, and ``--prepared FILE`` runs what it wrote on a machine that
needs neither LLVM nor ptxas; such a run has no search.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import json
import os
import random
import re
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from statistics import geometric_mean
from typing import TYPE_CHECKING, Any

import optarena
from optarena.cuda.device import Target, compile_kernel, supported_capabilities
from optarena.cuda.kernels import Kernel
from optarena.cuda.missing import DeviceFailed
from optarena.cuda.variables import STAND_IN
from optarena.datasets import datasets
from optarena.errors import (
    CountersUnavailable,
    DeviceUnavailable,
    InfrastructureFault,
    OptArenaError,
    ServiceError,
)
from optarena.gpu_kernels import build_dataset, device_jobs, pinned, programs
from optarena.gpu_kernels.actions import PASSES, PIPELINES

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

DATASET = "gpu-kernels-v1"
SEED = 23
MOST_PASSES = 40
GIVEN, BEST_LEVEL, NVCC, BEST_KNOWN, CANDIDATE = "as given", "-O3", "nvcc", "best known", "candidate"
# Not measured yet: their machine code lacks what makes -O3 slower than nvcc, and the CPU finds it right.
CANDIDATES = {
    "filter": "gpu-passes sroa function-attrs loop-unroll<O3>",
    "matrix-product": "gpu-passes mem2reg function-attrs simplifycfg loop-unroll<O3>",
    "small-inverses": "gpu-passes mem2reg function-attrs loop-rotate loop-unroll<O3>",
    "small-products": "gpu-passes sroa gvn function-attrs",
    "transpose": "gpu-passes mem2reg instcombine function-attrs flatten-cfg",
}
SEQUENCES = 10
RESULTS = Path(__file__).parent / "results"
# A row of `Search.result`: kernel, gain when it was measured anew, and command line.
FOUND = re.compile(r"^  (\S+) +\d+ codes tried, .*, again +([\d.]+): (gpu-passes .*)$", re.MULTILINE)
# On a stand-in, small cases and IR take the place of large ones and of machine code: to test the check.
IS_EMULATED = bool(os.environ.get(STAND_IN, "").strip())
CASE = "odd" if IS_EMULATED else programs.TIMED
SEARCH_SECONDS = 600.0
PAIRS = 2
PAIRS_OF_SEARCH = 1
# Of the best sequence that a search found: its gain is measured anew, since the best of many is lucky.
PAIRS_AT_THE_END = 10
BATCH = 16  # different codes that the search tries together
MOST_DRAWN = 64  # sequences drawn for a batch: many give a code that was tried before
REASONS = 5  # of stalls, the most frequent ones, that are printed
# How CUPTI's names of reasons begin, and how those end that count a part of the same samples once more.
STALLED, NOT_ISSUED = "smsp__pcsamp_warps_issue_stalled_", "_not_issued"


@dataclass(frozen=True)
class Forms:
    name: str
    launch: dict[str, Any]  # a job of its launch without code
    codes: dict[str, bytes]  # what the device loads, by the form's name

    def job(self, form: str, *, pairs: int = 0) -> dict[str, Any]:
        told = {"cubin": _text(self.codes[form]), "pairs": pairs}
        if pairs:
            given = self.codes[GIVEN]  # on a stand-in it stands for both
            told["reference"], told["own"] = (_text(self.codes.get(one, given)) for one in (NVCC, BEST_LEVEL))
        return {**self.launch, **told}


def compiled(name: str, count: int) -> Forms:
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None) as env:
        env.reset()
        program = programs.parse(env.benchmark.program())
        codes = dict(_variants(env, count))
    return Forms(name, device_jobs.job(program.kernel, program.case(CASE), b""), codes)


def code(env: CompilerEnv) -> bytes:
    if IS_EMULATED:
        return programs.parse(env.observation["ir"].encode()).ir.encode()
    return bytes(env.observation["cubin"])


def _variants(env: CompilerEnv, count: int) -> Iterator[tuple[str, bytes]]:
    uri = env.benchmark.uri
    yield GIVEN, code(env)
    if not IS_EMULATED:
        yield BEST_LEVEL, bytes(env.observation["reference_cubin"])
        yield NVCC, bytes(env.observation["nvcc_cubin"])
        try:
            yield nvrtc_code(env.benchmark.name)
        except (ImportError, DeviceFailed, DeviceUnavailable) as error:
            print(f"{env.benchmark.name}: no code of NVRTC. {error}", file=sys.stderr)
    sequences: dict[str, Sequence[int]] = {}
    for form, known in ((BEST_KNOWN, best_known()), (CANDIDATE, CANDIDATES)):
        if env.benchmark.name in known:
            sequences[form] = PASSES.parse(known[env.benchmark.name])
    drawn = random.Random(f"{SEED} {uri}")  # noqa: S311 # nothing secret
    for number in range(count):
        passes = [drawn.randrange(len(PIPELINES)) for _ in range(drawn.randint(3, MOST_PASSES))]
        sequences[f"random {number}"] = passes
    for form, actions in sequences.items():
        made = code_after(env, actions)
        if made is not None:
            yield form, made


def nvrtc_code(name: str) -> tuple[str, bytes]:
    from cupy.cuda import nvrtc  # noqa: PLC0415 # may be missing

    supported_capabilities()  # which says how to install NVRTC
    source = (build_dataset.HERE / f"kernels/{name}.cu").read_text().replace('#include "cuda.h"', "")
    kernel = Kernel(
        source=source,
        name=build_dataset.kernel_name(name),
        **dict.fromkeys(("grid", "block", "threads", "vector"), 1),  # the launch is the program's
        index_bits=32,
    )
    version = ".".join(map(str, nvrtc.getVersion()))
    return f"NVRTC {version}", compile_kernel(kernel, Target(pinned.ARCHITECTURE))


@cache
def best_known() -> dict[str, str]:  # the command line with the largest gain over -O3, by kernel
    rows = [row for path in RESULTS.glob("gpu_*.txt") for row in FOUND.findall(path.read_text())]
    return {name: found for name, _, found in sorted(rows, key=lambda row: float(row[1]))}


def code_after(env: CompilerEnv, actions: Sequence[int]) -> bytes | None:
    env.reset()
    env.multistep(actions)
    if env.error is not None:
        return None
    try:
        return code(env)
    except ServiceError:
        return None


def write(path: Path, kernels: Sequence[Forms]) -> None:
    told = [
        {**asdict(one), "codes": {form: _text(made) for form, made in one.codes.items()}} for one in kernels
    ]
    path.write_bytes(gzip.compress(json.dumps(told).encode()))


def read(path: Path) -> list[Forms]:
    try:
        told = json.loads(gzip.decompress(path.read_bytes()))
        return [
            Forms(one["name"], one["launch"], {k: base64.b64decode(v) for k, v in one["codes"].items()})
            for one in told
        ]
    except (OSError, EOFError, ValueError, TypeError, KeyError) as error:
        raise SystemExit(f"{path} cannot be read: {error}. Write it with --prepare {path}.") from error


def _text(code: bytes) -> str:
    return base64.b64encode(code).decode()


def names(only: Sequence[str]) -> list[str]:
    known = [one.name for one in datasets()[DATASET]]
    if unknown := sorted(set(only) - set(known)):
        raise SystemExit(f"There is no kernel {', '.join(unknown)}. Choose from: {', '.join(known)}.")
    return [one for one in known if not only or one in only]


def line(name: str, answer: dict[str, Any]) -> str:
    # Microseconds with the half interval in per cent, and the shares of the references' speeds.
    cells = []
    for temperature in ("cold", "warm"):
        reading = answer[temperature]
        median, span = reading["median_seconds"], reading["interval_seconds"]
        spread = "  ?  " if span is None else f"{100 * (span[1] - span[0]) / (2 * median):4.1f}%"
        mark = "!" if reading["throttled"] else " "
        shares = " ".join(
            "     -" if reference is None else f"{reference[temperature] / median:6.3f}"
            for reference in (answer["copy"], answer["computing"])
        )
        cells.append(
            f"{1e6 * median:11.2f} us ±{spread}{mark} {shares} {reading['flops_per_second'] / 1e9:9.1f}"
        )
    return f"  {name:14}{' '.join(cells)}  right"


def report_kernel(kernel: Forms) -> tuple[str, int]:  # the rows, and the number of wrong ones
    answers = device_jobs.run_all([kernel.job(form) for form in kernel.codes])
    told = [
        f"{kernel.name}: form, then cold and warm: time, interval, shares of copy and of computing, GFLOP/s"
    ]
    wrong = 0
    for form, answer in zip(kernel.codes, answers, strict=True):
        if isinstance(answer, InfrastructureFault):  # such as readings that do not repeat themselves
            told.append(f"  {form:14}not measured: {answer}")
        elif isinstance(answer, OptArenaError):
            wrong += 1
            told.append(f"  {form:14}WRONG: {type(answer).__name__}: {answer}")
        else:
            told.append(line(form, answer))
    return "\n".join(told), wrong


class Search:
    """Changes a kernel's sequence again and again, and keeps what is faster beside -O3 on the device."""

    def __init__(self, name: str, env: CompilerEnv) -> None:
        self._name, self._env = name, env
        self._drawn = random.Random(f"{SEED} search {name}")  # noqa: S311 # nothing secret
        env.reset()
        self._program = programs.parse(env.benchmark.program())
        self._reference = code(env) if IS_EMULATED else bytes(env.observation["reference_cubin"])
        self._best, self._best_code, self._failed = 0.0, self._reference, 0
        self._kept: list[int] = []
        self._known: set[bytes] = set()

    def result(self, seconds: float) -> str:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            batch = self._batch()
            try:
                found = self._gains(list(batch), PAIRS_OF_SEARCH)
            except DeviceUnavailable:
                self._known -= set(batch)  # other searches measured for too long: they may be drawn again
                continue
            self._failed += found.count(0.0)
            if max(found, default=0.0) > self._best:
                self._best, self._best_code = max(zip(found, batch, strict=True))
                self._kept = batch[self._best_code]
        (gain,) = self._gains([self._best_code], PAIRS_AT_THE_END)
        again = f"{gain:6.3f}" if gain else "not measured"
        told = f"{len(self._known):5} codes tried, {self._failed} failed, best {self._best:6.3f} of -O3"
        return f"  {self._name:18}{told}, again {again}: {PASSES.commandline(self._kept)}"

    def _batch(self) -> dict[bytes, list[int]]:
        found: dict[bytes, list[int]] = {}
        for _ in range(MOST_DRAWN):
            actions = changed(self._kept, self._drawn)
            made = code_after(self._env, actions)
            if made is not None and made not in self._known:
                found[made] = actions
                self._known.add(made)
            if len(found) == BATCH:
                break
        return found

    def _gains(self, codes: Sequence[bytes], pairs: int) -> list[float]:
        # The speed of codes over that at -O3; 0 of those that failed, or whose readings did not repeat.
        kernel, case = self._program.kernel, self._program.case(CASE)
        jobs = [device_jobs.job(kernel, case, one, reference=self._reference, pairs=pairs) for one in codes]
        return [
            0.0 if isinstance(one, OptArenaError) else geometric_mean(one["pairs"])
            for one in device_jobs.run_all(jobs)
        ]


def report_search(name: str, seconds: float) -> str:
    with closing(optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None)) as env:
        return Search(name, env).result(seconds)


def changed(actions: Sequence[int], drawn: random.Random) -> list[int]:
    # A sequence beside another one, or a new one.
    found = list(actions)
    if not found or drawn.random() < 1 / 4:
        return [drawn.randrange(len(PASSES.names)) for _ in range(drawn.randint(3, MOST_PASSES))]
    for _ in range(drawn.randint(1, 3)):
        if drawn.random() < 1 / 3 and len(found) > 1:
            del found[drawn.randrange(len(found))]
        else:
            found.insert(drawn.randint(0, len(found)), drawn.randrange(len(PASSES.names)))
    return found


def all_compiled(options: argparse.Namespace) -> list[Forms]:
    with ThreadPoolExecutor(options.at_once) as pool:
        return list(pool.map(partial(compiled, count=options.sequences), names(options.kernels)))


def counted(kernel: Forms) -> str:
    told = []
    for one in (sampled, profiled):
        try:
            told.append(one(kernel))
        except CountersUnavailable as error:
            told.append(f"no {one.__name__} counters, reason {error.reason}. {error}")
        except DeviceUnavailable:
            raise
        except OptArenaError as error:
            told.append(f"no {one.__name__} counters: {type(error).__name__}: {error}")
    return "\n".join(f"  {name:18}{what}" for name, what in zip((kernel.name, ""), told, strict=True))


def sampled(kernel: Forms) -> str:
    found = device_jobs.counters(kernel.job(GIVEN))
    reasons = {name: count for name, count in found["reasons"].items() if not name.endswith(NOT_ISSUED)}
    shares = sorted(reasons.items(), key=lambda one: -one[1])[:REASONS]
    total = max(1, sum(reasons.values()))
    told = ", ".join(f"{name.removeprefix(STALLED)} {count / total:.0%}" for name, count in shares)
    return f"{found['samples']} samples, {found['dropped']} dropped: {told}"


def profiled(kernel: Forms) -> str:
    found = device_jobs.hardware_counters(kernel.job(GIVEN))
    dram = found["dram_read_bytes"] + found["dram_written_bytes"]
    moved = dram / kernel.launch["case"]["moved_bytes"]
    sectors = found["global_load_sectors"] / max(1.0, found["global_load_requests"])
    return (
        f"{1e6 * found['seconds']:.1f} us, moved {moved:.3f} of what it must, "
        f"{sectors:.1f} sectors a load, occupancy {found['achieved_occupancy']:.2f}, "
        f"{found['instructions']:.3g} instructions of warps"
    )


def report(options: argparse.Namespace) -> int:
    if options.prepared:
        kernels = [one for one in read(options.prepared) if one.name in names(options.kernels)]
        if not kernels:
            raise SystemExit(f"{options.prepared} has none of these kernels.")
    else:
        kernels = all_compiled(options)
    machine = device_jobs.run(kernels[0].job(GIVEN))["machine"]
    print("machine")
    for key, value in machine.items():
        print(f"  {key:24}{value}")
    print("samples of the program counter, and hardware counters")
    wrong = 0
    with ThreadPoolExecutor(options.at_once) as pool:
        for counters in pool.map(counted, kernels):
            print(counters, flush=True)
        for told, number in pool.map(report_kernel, kernels):
            print(told, flush=True)
            wrong += number
        if not options.prepared:
            print("search beyond -O3")
            searches = [pool.submit(report_search, one, options.search) for one in names(options.kernels)]
            for search in searches:
                print(search.result(), flush=True)
    start = time.perf_counter()
    answer = device_jobs.run(kernels[-1].job(GIVEN, pairs=PAIRS))
    seconds = time.perf_counter() - start
    print(f"a block of the board, of {kernels[-1].name}: {seconds:.1f} s, pairs {answer['pairs']}")
    return wrong


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="3 random sequences, 20 s of search")
    parser.add_argument("--kernels", nargs="*", default=(), help="only these kernels")
    parser.add_argument(
        "--sequences", type=int, help=f"random sequences of each kernel; {SEQUENCES} by default"
    )
    parser.add_argument("--search", type=float, help="seconds of search for each kernel; 600 by default")
    parser.add_argument(
        "--at-once", type=int, default=1, help="jobs that are started together; only one measures at a time"
    )
    parser.add_argument("--prepare", type=Path, metavar="FILE", help="only compile, into this file")
    parser.add_argument("--prepared", type=Path, metavar="FILE", help="run what --prepare wrote")
    options = parser.parse_args()
    if options.sequences is None:
        options.sequences = 3 if options.quick else SEQUENCES
    if options.search is None:
        options.search = 20.0 if options.quick else SEARCH_SECONDS
    return options


def main() -> None:
    options = arguments()
    if options.prepare:
        write(options.prepare, all_compiled(options))
        return
    try:
        wrong = report(options)
    except DeviceUnavailable as error:
        raise SystemExit(str(error)) from error
    print(f"{wrong} wrong outputs")
    if IS_EMULATED:
        raise SystemExit(f"EMULATED by {STAND_IN}: the times above mean nothing.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
