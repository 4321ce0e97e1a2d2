"""The environment ``optarena/llvm-loops-v0`` as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import pinned
from optarena.llvm.loops.decisions import LOOPS
from optarena.specs import EnvironmentSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.specs import Metric
    from optarena.specs.environment import RunWorkload
    from optarena.specs.rewards import RewardSpec

_DESCRIPTION: Final = (
    "Decide loop by loop and call by call: unroll, vectorize or interleave a loop, inline a call; and run "
    "passes that prepare for it. Observes the table of loops. The default reward is exact: the number of IR "
    "instructions relative to -Oz, which most loop transformations increase. The reward for running time, "
    "RuntimePointEstimate, is measured and thus noisy."
)


def loops_environment(
    *,
    entry_point: str,
    metrics: tuple[Metric, ...],
    rewards: Mapping[str, RewardSpec],
    run_workload: RunWorkload,
) -> EnvironmentSpec:
    """The environment, built from the parts that all LLVM environments share."""
    return EnvironmentSpec(
        slug="llvm-loops-v0",
        title="LLVM decisions on loops and calls",
        description=_DESCRIPTION,
        entry_point=entry_point,
        service="optarena.llvm.loops_session:LlvmLoopsSession",
        action_table=LOOPS,
        metrics=metrics,
        rewards=rewards,
        observation_space="Loops",
        reward_space="IrInstructionCountOz",
        dataset="kernels-v0",
        boardable=False,
        digest_observation="IrSha1",
        compiler=f"{pinned.ENGINE} {pinned.ENGINE_VERSION}",
        version=_version,
        run_workload=run_workload,
        derived="optarena.llvm.derived:OBSERVATIONS",
    )


def _version() -> dict[str, Any]:
    return {
        "decisions": LOOPS.version_spec(),
        "engine": pinned.ENGINE,
        "engine_version": pinned.ENGINE_VERSION,
        "target_machine": pinned.target_machine(),
        "semantics": dict(pinned.SEMANTICS),
    }
