"""Times GCC's programs beside the same program at ``-O3``; see ``optarena.machine_code.timing``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.machine_code.execution import run_object
from optarena.machine_code.timing import Run, check_workloads, measure_beside

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.specs.benchmark import Workload
    from optarena.specs.live import LiveEnv
    from optarena.specs.results import Execution, Measurement, MeasurementPlan

REFERENCE: Final = "objO3"
"""The observation of the reference's object file."""


def measure_program(env: LiveEnv, actions: Sequence[Any], plan: MeasurementPlan) -> Measurement:
    """Time the program of an episode's present state; see ``EnvironmentSpec.measure``.

    The reference is what the same GCC makes of the benchmark at ``-O3``. See ``measure_beside`` for errors.
    """
    del actions  # the program has their effects
    check_workloads(env.benchmark)
    own, other = (
        runs(env.observe(name, cpu_seconds=limits.seconds(limits.CODE_CPU_SECONDS)), sandbox=env.is_sandboxed)
        for name in ("obj", REFERENCE)
    )
    return measure_beside(own, other, env.benchmark, plan)


def runs(code: bytes, *, sandbox: bool) -> Run:
    """How an object file is run."""

    def run(workload: Workload, cpu: int) -> Execution:
        return run_object(lambda: code, args=workload.args, stdin=workload.stdin, sandbox=sandbox, cpu=cpu)

    return run
