"""Times a kernel on a GPU in blocks, each in a fresh process, with the code of nvcc and its -O3 version.

Since the code of nvcc is the reference, no GPU has run such a block.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.gpu_kernels import device_jobs, programs
from optarena.measuring.blocks import MeasuredBlock, Metrics, measure

if TYPE_CHECKING:
    from optarena.specs.environment import LiveEnv
    from optarena.specs.results import Measurement, MeasurementPlan

METRICS: Final = Metrics(
    value="runtime_seconds", reference="nvcc_seconds", ratio="speedup", others=("reference_seconds",)
)
# Of readings in one block, each of the kernel and of the reference; an even number favours none.
PAIRS: Final = 2


def prepare_job(env: LiveEnv) -> dict[str, Any]:
    # All that a GPU needs of the kernel of an episode's present state.
    program = programs.parse(env.benchmark.program())
    return device_jobs.job(
        program.kernel,
        program.case(programs.TIMED),
        bytes(env.observe("cubin")),
        reference=bytes(env.observe("nvcc_cubin")),
        own=bytes(env.observe("reference_cubin")),
        pairs=PAIRS,
    )


def measure_job(job: Mapping[str, Any], plan: MeasurementPlan) -> Measurement:
    return measure(lambda: _block(job), plan, METRICS)


def _block(job: Mapping[str, Any]) -> MeasuredBlock:
    answer = device_jobs.run(job, seconds=limits.BLOCK_SECONDS)
    machine, level = {**answer["machine"], **answer["state"]}, answer["reference"][METRICS.value]
    return MeasuredBlock.of({**answer, "machine": machine, "level": level})
