"""Times LLVM's programs, which are compiled just in time; see ``optarena.machine_code.timing``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from optarena.llvm.execution import optimise, run_program
from optarena.machine_code import timing
from optarena.machine_code.timing import REFERENCE_LEVEL, Run, RunTimes, check_workloads

if TYPE_CHECKING:
    from optarena.specs.benchmark import Benchmark, Workload
    from optarena.specs.environment import LiveEnv
    from optarena.specs.results import Execution, Measurement, MeasurementPlan


def measure_program(env: LiveEnv, actions: Sequence[Any], plan: MeasurementPlan) -> Measurement:
    # The reference is the benchmark's own program after -O3 of the same LLVM.
    del actions  # the program has their effects
    check_workloads(env.benchmark)
    reference = optimise(env.benchmark.program(), REFERENCE_LEVEL, sandbox=env.is_sandboxed)
    own, other = (_runs(program, sandbox=env.is_sandboxed) for program in (env.observe("Bitcode"), reference))
    return timing.measure_beside(own, other, env.benchmark, plan)


def read(program: bytes, benchmark: Benchmark, *, cpu: int, sandbox: bool) -> RunTimes:
    return timing.read(_runs(program, sandbox=sandbox), benchmark, cpu=cpu)


def _runs(program: bytes, *, sandbox: bool) -> Run:
    def run(workload: Workload, cpu: int) -> Execution:
        return run_program(
            program, args=workload.args, stdin=workload.stdin, files=workload.files, sandbox=sandbox, cpu=cpu
        )

    return run
