"""GCC as plain data, registered when it is imported. It starts no compiler, so it works on any platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from optarena import register
from optarena.gcc import pinned
from optarena.gcc.options import CHOICES, DEFAULT, UNSAFE_CHOICES, UNSAFE_DEFAULT, ChoiceTable
from optarena.gcc.units import MAGIC, MEDIA_TYPE, SUFFIX
from optarena.machine_code.metrics import (
    REFERENCE,
    RUNTIME,
    RUNTIME_REWARD,
    TIMES,
    TIMING_VERSION,
    load_size,
    text_size,
)
from optarena.specs import (
    BoardSpec,
    EnvironmentSpec,
    PreviewSpec,
    Probe,
    ProgramFormat,
    RewardSpec,
    Scale,
    cost_rewards,
)
from optarena.specs.environment import LiveEnv, with_metadata

if TYPE_CHECKING:
    from optarena.gcc.env import GccEnv
    from optarena.specs.benchmark import Workload
    from optarena.specs.results import Execution, Measurement, MeasurementPlan

LOAD_SIZE: Final = load_size("load_size_bytes")
TEXT_SIZE: Final = text_size("text_size_bytes")
METRICS: Final = (LOAD_SIZE, TEXT_SIZE)


def rewards(smallest: str = "Oz", *, is_recorded: bool = True) -> dict[str, RewardSpec]:
    # Baselines are recorded for the pinned GCC only.
    levels = ("O3", smallest)
    made: dict[str, RewardSpec] = {}
    for prefix, metric in (("LoadSize", LOAD_SIZE), ("TextSize", TEXT_SIZE)):
        recorded = metric.name if is_recorded else ""
        made |= cost_rewards(prefix, cost=metric.observation, metric=recorded, levels=levels)
    for name, cost in (("LoadSize", LOAD_SIZE.observation), ("asm_size", ""), ("obj_size", "")):
        recorded = LOAD_SIZE.name if cost and is_recorded else ""
        made[name] = RewardSpec(name=name, cost=cost or name, metric=recorded, scale=Scale.DIFFERENCE)
    return made


def version(table: ChoiceTable = CHOICES) -> dict[str, Any]:
    return {
        **pinned.version_spec(),
        "table": table.version_spec(),
        "metrics": [[metric.name, metric.observation, metric.version] for metric in METRICS],
    }


# Labels that GCC numbers in each compilation anew.
LABEL_NUMBERS: Final = r"\.L[A-Z]*\d+"
FUNCTION_TEXT: Final = r"(?ms)^\t\.type\t(?P<name>[\w.$]+), @function$.*?^\t\.size\t(?P=name), [^\n]*$"
DATASET: Final = "gcc-kernels-v0"
BOARD_DATASET: Final = "gcc-programs-v0"
VARIABLES: Final = ("OPTARENA_GCC", "OPTARENA_LIBLLVM", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG")
PROBE: Final = Probe(
    benchmark=f"benchmark://{DATASET}/sudoku",
    actions=(),
    commandline="gcc -Os -fno-tree-vrp -c program.c -o program.o",
    observed={"load_size_bytes": 2836, "obj_hash": "72dae5c46d003f61d5a7a0fd82fe12d5"},
)


@with_metadata
def make(**arguments: Any) -> GccEnv:  # noqa: ANN401 # whatever gymnasium.make was given
    if arguments.get("service") is None and arguments.get("gcc_bin") is None:
        from optarena.gcc.toolchain import find  # noqa: PLC0415 # looks at files

        find()
    from optarena.gcc.env import GccEnv  # noqa: PLC0415 - brings numpy and gymnasium

    return GccEnv(**arguments)


def run_workload(env: LiveEnv, workload: Workload, sandbox: bool) -> Execution:  # noqa: FBT001 # as EnvironmentSpec.run_workload
    # Imported late: running needs Linux, and listing the environments does not.
    from optarena.machine_code.execution import run_object  # noqa: PLC0415 # needs Linux

    code: bytes = env.observe("obj")
    return run_object(
        lambda: code, args=workload.args, stdin=workload.stdin, files=workload.files, sandbox=sandbox
    )


def measure(env: LiveEnv, actions: Sequence[Any], plan: MeasurementPlan) -> Measurement:
    from optarena.gcc.derived import measure_program  # noqa: PLC0415 # needs Linux

    return measure_program(env, actions, plan)


def timed_version() -> dict[str, Any]:  # a lambda could not be pickled with its environment
    return {**version(), "times": [metric.name for metric in TIMES], "timing": TIMING_VERSION}


GCC: Final = EnvironmentSpec(
    slug="gcc-v0",
    title="GCC options",
    description="Choose GCC's options: its level, its flags and its parameters. The state is a command line. "
    "The default reward is the reduction of the loaded bytes of code and data; 1.0 is the reduction by -Oz.",
    entry_point=f"{__name__}:make",
    service="optarena.gcc.session:GccSession",
    compiler=pinned.COMPILER,
    action_table=CHOICES,
    further_tables=(DEFAULT,),
    metrics=METRICS,
    rewards={**rewards(), RUNTIME_REWARD.name: RUNTIME_REWARD},
    observation_space="choices",
    reward_space="LoadSizeOz",
    dataset=DATASET,
    further_datasets=(BOARD_DATASET,),
    digest_observation="digest",
    version=version,
    derived="optarena.gcc.derived:OBSERVATIONS",
    run_workload=run_workload,
    variables=VARIABLES,
    state_text="asm",
    state_numbers=LABEL_NUMBERS,
    state_parts=FUNCTION_TEXT,
    state_language="gas",
    traces_costs=False,
    requires="optarena.gcc.toolchain:find",
    probe=PROBE,
)
UNSAFE: Final = replace(
    GCC,
    slug="gcc-unsafe-v0",
    title="GCC options, with unsafe ones",
    description="Like gcc-v0, with all options of GCC: those, too, that change floating-point arithmetic or "
    "the binary interface, or assume something of the program. No board takes its results, since workloads "
    "do not notice most of these.",
    service="optarena.gcc.session:UnsafeGccSession",
    action_table=UNSAFE_CHOICES,
    further_tables=(UNSAFE_DEFAULT,),
    boardable=False,
    version=partial(version, UNSAFE_CHOICES),
    probe=None,
)
GCC_RUNTIME: Final = replace(
    GCC,
    slug="gcc-runtime-v0",
    title="GCC options for running time",
    description="Choose GCC's options so that the program runs its workloads fast. The reward is the number "
    "of seconds of CPU time saved: it is measured, so it is never the same twice.",
    metrics=METRICS + TIMES,
    reward_space=RUNTIME_REWARD.name,
    further_datasets=(),
    version=timed_version,
    measure=measure,
)
CODESIZE: Final = BoardSpec(
    slug="gcc-codesize",
    title="GCC code size",
    description="Find the options of one exact GCC that leave each program of the dataset the fewest loaded "
    "bytes of code and data, without changing what it prints. Compared with GCC's own -Oz.",
    dataset=BOARD_DATASET,
    environment=GCC.slug,
    metric=LOAD_SIZE.name,
    baseline_level="Oz",
)
FASTEST: Final = BoardSpec(
    slug="gcc-runtime",
    title="GCC running time",
    description="Find the options of one exact GCC that make each program of the dataset run fastest, "
    "without changing what it prints. Scored by the CPU time of its workloads on one processor, compared "
    "with GCC's own -O3, timed in turns with it.",
    dataset=DATASET,
    environment=GCC_RUNTIME.slug,
    metric=RUNTIME.name,
    reference_metric=REFERENCE.name,
    plausible_ratio=2.0,
)
BOARDS: Final = (CODESIZE, FASTEST)
FORMATS: Final = (
    ProgramFormat(
        suffix=SUFFIX,
        title="C translation units",
        media_type=MEDIA_TYPE,
        magics=(MAGIC,),
        preview=PreviewSpec(environment=GCC.slug, text="source", language="c"),
    ),
)

register(
    [GCC, GCC_RUNTIME, UNSAFE], boards=BOARDS, formats=FORMATS, commands={"gcc": "optarena.gcc.commands:gcc"}
)
