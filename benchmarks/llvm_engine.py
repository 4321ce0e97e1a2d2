"""Times the LLVM engine: ``python benchmarks/llvm_engine.py [program.bc ...]``.

Prints medians of CPU time in milliseconds. Without arguments it measures the test suite's mixed program
and its largest benchmark of kernels-v0.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from typing import TYPE_CHECKING

from optarena.llvm import features
from optarena.llvm.helpers import compile_helpers
from optarena.llvm.module import Module
from tests.kit.llvm.autophase_reference import reference

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
KERNELS = ROOT / "envs/optarena/datasets/builtin/kernels-v0"
REPEATS = 25


def milliseconds(work: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """Median CPU time of ``work``; ``before`` runs each time and is not counted."""
    times = []
    for _ in range(REPEATS):
        before()
        start = time.process_time_ns()
        work()
        times.append((time.process_time_ns() - start) / 1e6)
    return statistics.median(times)


def pass_milliseconds(program: bytes, pipeline: str) -> float:
    """Median CPU time of a pass on the original program."""
    module = Module.parse(program)

    def fresh() -> None:
        nonlocal module
        module.close()
        module = Module.parse(program)

    median = milliseconds(lambda: module.run(pipeline), fresh)
    module.close()
    return median


def measure(name: str, program: bytes) -> None:
    """Prints a line for each operation."""
    with Module.parse(program) as module:
        helper, python = (
            milliseconds(lambda: features.autophase(module)),
            milliseconds(lambda: reference(module)),
        )
        rows = {
            "parse": milliseconds(lambda: Module.parse(program).close()),
            "count": milliseconds(module.instruction_count),
            "mem2reg": pass_milliseconds(program, "function(mem2reg)"),
            "instcombine": pass_milliseconds(program, "function(instcombine<no-verify-fixpoint>)"),
            "gvn": pass_milliseconds(program, "function(gvn)"),
            "inline": pass_milliseconds(program, "cgscc(inline)"),
            "bitcode (no-effect check)": milliseconds(module.bitcode),
            "digest": milliseconds(module.digest),
            "verify": milliseconds(module.verify),
            "text size": milliseconds(module.text_size),
            "autophase, helper": helper,
            "autophase, Python reference": python,
        }
        print(f"{name}: {module.instruction_count()} instructions")
    for operation, value in rows.items():
        print(f"  {operation:28} {value:9.3f} ms")
    print(f"  helper is {python / helper:.0f} times faster than Python")


def default_programs() -> dict[str, bytes]:
    """The mixed program, and the largest kernel if the dataset is built."""
    clang = Path(sys.prefix, "bin", "clang-22")
    source = ROOT / "tests/envs/llvm/data/mixed.c"
    command = [
        str(clang),
        "-Oz",
        "-Xclang",
        "-disable-llvm-passes",
        "-emit-llvm",
        "-c",
        str(source),
        "-o",
        "-",
    ]
    programs = {"mixed.c": subprocess.run(command, check=True, capture_output=True).stdout}  # noqa: S603 - ours
    kernels = sorted(KERNELS.glob("*.bc"), key=lambda path: path.stat().st_size)
    return programs | {path.name: path.read_bytes() for path in kernels[-1:]}


def main() -> None:
    """Measures the given programs, or the default ones."""
    start = time.process_time()
    compile_helpers()
    print(f"load and compile the helper: {(time.process_time() - start) * 1e3:.1f} ms")
    given = {path: Path(path).read_bytes() for path in sys.argv[1:]}
    for name, program in (given or default_programs()).items():
        measure(name, program)


if __name__ == "__main__":
    main()
