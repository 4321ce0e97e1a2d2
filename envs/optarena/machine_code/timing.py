"""Times programs on their workloads: on one processor, each run in a fresh process, every output checked.

A reading is one run of each workload, one after the other, without compilation. What counts is its CPU time,
of the program and of the kernel for it: unlike the time on the clock, it hardly depends on what else runs on
the processor. Both are recorded, and the retired instructions where they can be counted.

A compiler says how one of its programs is run (``Run``); a candidate and its reference take turns in blocks.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from optarena.env.confined import judge
from optarena.errors import InfrastructureFault, InvalidInput, ProgramFailed
from optarena.measuring import machine
from optarena.measuring.blocks import MeasuredBlock, Metrics, measure, read_in_turns
from optarena.measuring.machine import reserved_core
from optarena.specs.benchmark import Benchmark, Workload
from optarena.specs.results import BROKEN, Execution, Measurement, MeasurementPlan

Run: TypeAlias = Callable[[Workload, int], Execution]
METRICS: Final = Metrics(value="runtime_seconds", reference="reference_seconds", ratio="speedup")
REFERENCE_LEVEL: Final = "O3"
# An even number favours neither, and more blocks tell more than pairs.
PAIRS: Final = 2
# The system tells CPU time in microseconds.
_RESOLUTION: Final = 1e-6
# How long a reading or a block waits for a processor that no other measurement uses.
QUEUE_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class RunTimes:
    # One run of each workload. CPU time counts user mode and the kernel, instructions only user mode; None
    # where they cannot be counted.
    cpu_seconds: float
    wall_seconds: float
    instructions: int | None


def measure_beside(
    candidate: Run, reference: Run, benchmark: Benchmark, plan: MeasurementPlan
) -> Measurement:
    # The reference is the same program at REFERENCE_LEVEL of the same compiler.
    check_workloads(benchmark)
    return measure(partial(_block, candidate, reference, benchmark), plan, METRICS)


def check_workloads(benchmark: Benchmark) -> None:
    if not benchmark.workloads:
        raise InvalidInput(
            f"The benchmark {benchmark.uri} has no workloads, so its running time cannot be observed.",
            field="benchmark",
            value=benchmark.uri,
            remedy="Choose a benchmark with IsRunnable 1, or make one with workloads.",
        )


def read(run: Run, benchmark: Benchmark, *, cpu: int) -> RunTimes:
    used, wall, counted = 0.0, 0.0, 0
    known = True
    for workload in benchmark.workloads:
        execution = run(workload, cpu)
        verdict = judge(workload, execution)
        if verdict.reason is not None:
            raise ProgramFailed(
                f"The program of {benchmark.uri} fails its workload {workload.name!r} "
                f"({verdict.reason}): {verdict.detail}",
                reason=verdict.reason,
            )
        if execution.run_cpu_seconds is None:
            raise InfrastructureFault("The system does not say how much CPU time the program used.")
        used += execution.run_cpu_seconds
        wall += execution.seconds
        known = known and execution.instructions is not None
        counted += execution.instructions or 0
    return RunTimes(max(used, _RESOLUTION), wall, counted if known else None)


def _block(candidate: Run, reference: Run, benchmark: Benchmark) -> MeasuredBlock:
    with reserved_core(seconds=QUEUE_SECONDS) as cpu:
        own = partial(read, candidate, benchmark, cpu=cpu)
        other = partial(_read_reference, reference, benchmark, cpu=cpu)
        read_in_turns(own, other, pairs=1)  # the first runs find no page and no code in a cache
        pairs = read_in_turns(own, other, pairs=PAIRS)
        load = machine.load_average()
    figures = _figures([one for _, one in pairs])
    return MeasuredBlock(
        candidate=_figures([one for one, _ in pairs]),
        reference=figures,
        pairs=tuple(two.cpu_seconds / one.cpu_seconds for one, two in pairs),
        level=figures[METRICS.value],
        machine={**machine.fixed_facts(), "processor": cpu, "load_average": load},
    )


def _read_reference(run: Run, benchmark: Benchmark, *, cpu: int) -> RunTimes:
    try:
        return read(run, benchmark, cpu=cpu)
    except ProgramFailed as error:
        raise ProgramFailed(f"At -{REFERENCE_LEVEL}: {error}", reason=BROKEN) from error


def _figures(readings: Sequence[RunTimes]) -> dict[str, Any]:
    counted = [one.instructions for one in readings if one.instructions is not None]
    return {
        METRICS.value: statistics.median(one.cpu_seconds for one in readings),
        "wall_seconds": statistics.median(one.wall_seconds for one in readings),
        "instructions": statistics.median(counted) if len(counted) == len(readings) else None,
        "samples": len(readings),
        "readings": [one.cpu_seconds for one in readings],
    }
