"""The loop_tool environment as plain data, and what gymnasium makes of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from optarena.loop_tool.nest import ACTIONS
from optarena.loop_tool.plan import VERSION
from optarena.specs import EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import RewardSpec, Scale

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.loop_tool.env import LoopToolEnv
    from optarena.specs.benchmark import Benchmark
    from optarena.specs.results import Measurement

GFLOPS: Final = Metric(
    name="gflops",
    title="Achieved flops",
    unit="GFLOP/s",
    observation="flops",
    exact=False,
    lower_is_better=False,
)
REFERENCE_GFLOPS: Final = replace(GFLOPS, name="reference_gflops", title="Flops of the reference")
ACTION_TABLE: Final = NamedActions(
    "loop_tool-simple-v0",
    ACTIONS,
    program="loop_tool",
    descriptions=(
        "Switch between resizing the loop at the cursor and moving the cursor.",
        "Make the loop one larger, at the expense of its parent; or move the cursor inwards.",
        "Make the loop one smaller, in favour of its parent; or move the cursor outwards.",
        "Share the iterations of the loop out to threads, or no longer.",
    ),
)


def make(**arguments: Any) -> LoopToolEnv:  # noqa: ANN401 # whatever gymnasium.make was given
    """Make a loop_tool environment; see ``CompilerEnv`` for the arguments."""
    from optarena.loop_tool.env import LoopToolEnv  # noqa: PLC0415 - brings numpy and gymnasium

    return LoopToolEnv(**arguments)


def measure(benchmark: Benchmark, actions: Sequence[Any], between: Callable[[int, int], None]) -> Measurement:
    """Measure the nest that some actions make; see ``EnvironmentSpec.measure``."""
    # Imported late: it starts processes, and a list of the environments does not.
    from optarena.loop_tool.blocks import measure_blocks  # noqa: PLC0415 - as said above

    return measure_blocks(benchmark.program().decode(errors="replace"), actions, between)


LOOP_TOOL: Final = EnvironmentSpec(
    slug="loop_tool-v0",
    title="Loop nest of a point-wise addition",
    description="Resize and thread the loops of a point-wise addition so that it reaches many flops, on the "
    "CPU or on an NVIDIA GPU. The reward is the gain in thousand million flops: it is measured, so it is "
    "never the same twice.",
    entry_point=f"{__name__}:make",
    service="optarena.loop_tool.session:LoopToolSession",
    compiler=VERSION,
    action_table=ACTION_TABLE,
    metrics=(GFLOPS, REFERENCE_GFLOPS),
    rewards={
        "flops": RewardSpec(name="flops", cost="flops", metric="", scale=Scale.INCREASE, deterministic=False)
    },
    observation_space="action_state",
    reward_space="flops",
    dataset="loop_tool-cpu-v0",
    benchmark="benchmark://loop_tool-cpu-v0/1024",
    digest_observation="digest",
    measure=measure,
)
