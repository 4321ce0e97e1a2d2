"""The running time of a program as an observation of the client: it runs in processes of its own, checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena import limits
from optarena.env.derived import DerivedObservation
from optarena.isolation.sandbox import confines_programs
from optarena.machine_code.execution import run_object
from optarena.machine_code.timing import QUEUE_SECONDS, Run, check_workloads, measure_beside, read
from optarena.measuring.machine import reserved_core

if TYPE_CHECKING:
    from optarena.specs.benchmark import Workload
    from optarena.specs.environment import LiveEnv
    from optarena.specs.results import Execution, Measurement, MeasurementPlan


def _running_time(env: LiveEnv, given: Mapping[str, Any]) -> float:  # timed as for boards
    check_workloads(env.benchmark)
    with reserved_core(seconds=QUEUE_SECONDS) as cpu:
        run = runner_of(bytes(given["obj"]), sandbox=confines_programs(env.is_sandboxed))
        return read(run, env.benchmark, cpu=cpu).cpu_seconds


OBSERVATIONS: Final = (
    DerivedObservation(
        name="RuntimePointEstimate",
        needs=("obj",),
        make_space=lambda: gymnasium.spaces.Box(0.0, np.inf, (), np.float64),
        compute=_running_time,
        deterministic=False,
        platform_dependent=True,
    ),
)


REFERENCE: Final = "objO3"


def measure_program(env: LiveEnv, actions: Sequence[Any], plan: MeasurementPlan) -> Measurement:
    # The reference is what the same GCC makes of the benchmark at -O3.
    del actions  # the program has their effects
    check_workloads(env.benchmark)
    own, other = (
        runner_of(
            env.observe(name, cpu_seconds=limits.seconds(limits.CODE_CPU_SECONDS)), sandbox=env.is_sandboxed
        )
        for name in ("obj", REFERENCE)
    )
    return measure_beside(own, other, env.benchmark, plan)


def runner_of(code: bytes, *, sandbox: bool) -> Run:
    def run(workload: Workload, cpu: int) -> Execution:
        return run_object(
            lambda: code,
            args=workload.args,
            stdin=workload.stdin,
            files=workload.files,
            sandbox=sandbox,
            cpu=cpu,
        )

    return run
