"""The calibration set of the LLVM environments: what programs on the board of running times are made of.

It uses what that board uses: programs of ``kernels-runtime-v0`` at LLVM's own ``-O3``, run and timed by the
code that times entries. These programs fit into a processor's caches, so two programs of this folder add
memory, and one that does nothing times the start of a process. A change of anything here is another version
of the set (``CALIBRATION`` in ``optarena.llvm.description``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Final

from optarena.datasets import Benchmark, Workload, datasets
from optarena.errors import InfrastructureFault
from optarena.llvm.execution import optimise, run_program
from optarena.llvm.timing import read
from optarena.machine_code.timing import REFERENCE_LEVEL

if TYPE_CHECKING:
    from optarena.specs.environment import Reading

_DATASET: Final = "benchmark://kernels-runtime-v0"
_SHIPPED: Final = {
    "integer_work": ("chacha", "large"),
    "floating_point": ("matrix", "solvers"),
    "branches": ("sudoku", "hard"),
}
# The exit code depends on all that the program read.
_OWN: Final = {"memory_latency": 64, "memory_bandwidth": 4}
_START: Final = "process_start"


def prepare() -> Mapping[str, Reading]:
    # Each reading is a CPU time: times on the clock would tell how busy the machine is.
    readings: dict[str, Reading] = {}
    for name, (kernel, workload) in _SHIPPED.items():
        given = datasets().benchmark(f"{_DATASET}/{kernel}")
        chosen = replace(given, workloads=tuple(one for one in given.workloads if one.name == workload))
        readings[name] = partial(_cpu_seconds, optimise(given.program(), REFERENCE_LEVEL), chosen)
    for name, exit_code in _OWN.items():
        program = _program(name)
        readings[name] = partial(_cpu_seconds, program, _benchmark(name, program, exit_code))
    readings[_START] = partial(_start_seconds, _program(_START))
    for name in (*_OWN, _START):
        run_program(_program(name))  # from now on it is compiled
    return readings


def _program(name: str) -> bytes:
    return resources.files(__name__).joinpath(f"{name}.ll").read_bytes()


def _benchmark(name: str, program: bytes, exit_code: int) -> Benchmark:
    workload = Workload(name="calibration", exit_code=exit_code)
    return replace(Benchmark.from_bytes(f"benchmark://calibration-v0/{name}", program), workloads=(workload,))


def _cpu_seconds(program: bytes, benchmark: Benchmark, cpu: int) -> float:
    return read(program, benchmark, cpu=cpu, sandbox=True).cpu_seconds


def _start_seconds(program: bytes, cpu: int) -> float:
    execution = run_program(program, cpu=cpu)
    if execution.exit_code != 0 or execution.cpu_seconds is None:
        raise InfrastructureFault(
            f"A program that does nothing ended with {execution.exit_code}: {execution.stderr}"
        )
    return execution.cpu_seconds
