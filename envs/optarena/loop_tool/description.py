"""loop_tool as plain data: its environment, datasets, boards and device. Registered when it is imported."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from optarena import register
from optarena.cuda import variables
from optarena.datasets.parametric import ParametricDataset
from optarena.loop_tool.nest import ACTIONS, BOARD_SIZES, DATASETS, MAX_ELEMENTS, MIN_ELEMENTS, VERSION
from optarena.specs import (
    BoardSpec,
    DeviceSpec,
    EnvironmentSpec,
    Metric,
    NamedActions,
    Probe,
    RewardSpec,
    Scale,
)
from optarena.specs.environment import LiveEnv, with_metadata

if TYPE_CHECKING:
    from optarena.loop_tool.env import LoopToolEnv
    from optarena.specs.results import Measurement, MeasurementPlan

GFLOPS: Final = Metric(
    name="gflops",
    title="Achieved performance",
    unit="GFLOP/s",
    observation="flops",
    exact=False,
    lower_is_better=False,
)
REFERENCE_GFLOPS: Final = replace(GFLOPS, name="reference_gflops", title="Performance of the reference")
SPEEDUP: Final = replace(GFLOPS, name="speedup", title="Performance relative to the reference", unit="times")
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


@with_metadata
def make(**arguments: Any) -> LoopToolEnv:  # noqa: ANN401 # whatever gymnasium.make was given
    from optarena.loop_tool.env import LoopToolEnv  # noqa: PLC0415 - brings numpy and gymnasium

    return LoopToolEnv(**arguments)


def measure(env: LiveEnv, actions: Sequence[Any], plan: MeasurementPlan) -> Measurement:
    # Imported late: measuring starts processes, and listing the environments does not.
    from optarena.loop_tool.blocks import measure_blocks  # noqa: PLC0415 - starts processes

    return measure_blocks(env.benchmark.program().decode(errors="replace"), actions, plan)


LOOP_TOOL: Final = EnvironmentSpec(
    slug="loop_tool-v0",
    title="Loop nest of a point-wise addition",
    description="Resize and thread the loops of a point-wise addition so that it reaches many flops, on the "
    "CPU or on an NVIDIA GPU. The reward is the gain in GFLOP/s: it is measured, so it is "
    "never the same twice.",
    entry_point=f"{__name__}:make",
    service="optarena.loop_tool.session:LoopToolSession",
    compiler=VERSION,
    action_table=ACTION_TABLE,
    metrics=(GFLOPS, REFERENCE_GFLOPS, SPEEDUP),
    rewards={
        "flops": RewardSpec(name="flops", cost="flops", metric="", scale=Scale.INCREASE, deterministic=False)
    },
    observation_space="action_state",
    reward_space="flops",
    dataset="loop_tool-cpu-v0",
    benchmark="benchmark://loop_tool-cpu-v0/1024",
    digest_observation="digest",
    state_text="loop_tree",
    state_summary="summary",
    measure=measure,
    packages=("llvmlite",),
    probe=Probe(
        benchmark="benchmark://loop_tool-cpu-v0/1024",
        actions=("toggle_mode", "up"),
        observed={"digest": "62be317be9645bfe62d0e83df8e765094e91d79c82641ab47a4e872e68f435df"},
    ),
)


# With every number of elements, computed and never stored.
RANGES: Final = tuple(
    ParametricDataset(
        name=name,
        title=f"Point-wise additions on {where}",
        description="Add two vectors of n numbers (float32) element by element. The number of elements alone "
        f"tells the benchmark; its loop nest is compiled for {where} and measured there.",
        licence="MIT",
        domain="linear-algebra",
        language="loop nest",
        low=MIN_ELEMENTS,
        high=MAX_ELEMENTS,
        environment=LOOP_TOOL.slug,
    )
    for name, where in zip(DATASETS, ("the CPU", "an NVIDIA GPU"), strict=True)
)

CUDA: Final = DeviceSpec(
    name="cuda",
    title="GPU",
    check="optarena.cuda.device:require_device",
    packages=("cupy-cuda13x", "cupy-cuda12x", "cupy"),
    stand_in_variable=variables.STAND_IN,
    variables=variables.INHERITED,
)


def _board(device: str, title: str, reference: str, plausible_ratio: float) -> BoardSpec:
    slug = f"loop_tool-{device}"
    return BoardSpec(
        slug=slug,
        title=title,
        description=(
            "Find the loop nest, its blocks and its threads, that adds two vectors fastest, at each size. "
            f"Compared with {reference}, timed in the same processes."
        ),
        dataset=f"{slug}-v0",
        environment=LOOP_TOOL.slug,
        metric=GFLOPS.name,
        reference_metric=REFERENCE_GFLOPS.name,
        benchmarks=tuple(f"benchmark://{slug}-v0/{size}" for size in BOARD_SIZES),
        device=device,
        plausible_ratio=plausible_ratio,
    )


BOARDS: Final = (
    # The reference has one thread. The 32 cores of a usual server are 32 times as fast if each core reads its
    # own cache, and three times more if the share of a core fits a faster cache.
    _board("cpu", "loop_tool on CPUs", "a compiled plain loop over as many elements, with one thread", 100.0),
    # The addition and the copy move the same bytes: if memory is the limit, they can hardly differ.
    # At small sizes both are mostly launch overhead, which may differ by several times.
    _board("cuda", "loop_tool on NVIDIA GPUs", "the device's own copy of as many bytes", 4.0),
)

register([LOOP_TOOL], datasets=RANGES, boards=BOARDS, devices=[CUDA])
