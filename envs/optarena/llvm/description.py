"""LLVM as plain data: its environments, boards and program formats. Registered when it is imported.

This module does not load libLLVM, so the lists can be read on any platform.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from optarena import limits, register
from optarena.llvm import pinned
from optarena.llvm.actions import CURATED, UNSAFE, PassTable, release_table, translated_commandline
from optarena.llvm.inliner.columns import INLINER, version_spec
from optarena.llvm.loops.decisions import LOOPS, DecisionTable
from optarena.llvm.releases import RELEASES, LlvmRelease
from optarena.llvm.tables import COMMANDLINE, FUNCTIONS, PARAMETERS
from optarena.machine_code.libllvm import find_library, library_variable
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
    CalibrationSpec,
    EnvironmentSpec,
    Metric,
    PortableBoardSpec,
    PreviewSpec,
    Probe,
    ProgramFormat,
    cost_rewards,
)
from optarena.specs.environment import LiveEnv, environment_spec, load, with_metadata

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv
    from optarena.specs.benchmark import Workload
    from optarena.specs.results import Execution, Measurement, MeasurementPlan

IR_INSTRUCTIONS: Final = Metric(
    name="ir_instructions",
    title="IR instructions",
    unit="instructions",
    exact=True,
    lower_is_better=True,
    observation="IrInstructionCount",
)
TEXT_SIZE: Final = text_size("ObjectTextSizeBytes")
LOAD_SIZE: Final = load_size("ObjectLoadSizeBytes")
LOAD_SIZE_OZ: Final = replace(
    LOAD_SIZE,
    name="load_size_oz_bytes",
    title="Loaded bytes at -Oz",
    observation="ObjectLoadSizeBytesOz",
    level="Oz",
)
# What LLVM numbers anew each time: values, blocks, metadata and attributes without names.
VALUE_NUMBERS: Final = r"^\d+:\s*|[%!#]\d+\b"
FUNCTION_TEXT: Final = r'(?ms)^define [^\n]*?@(?P<name>"[^"\n]*"|[\w.$-]+)\(.*?^}$'
VARIABLES: Final = ("OPTARENA_LIBLLVM", "OPTARENA_LINKER")
SIZE_DATASETS: Final = (
    "programs-v0",
    "programs-smoke-v0",
    "programs-cpp-smoke-v0",
    "programs-o0-v0",
    "units-v0",
    "units-cpp-v0",
)
RUNTIME_DATASETS: Final = ("kernels-runtime-v0", "programs-runtime-v0")
METRICS: Final = (IR_INSTRUCTIONS, TEXT_SIZE)
LOAD_SIZES: Final = (LOAD_SIZE, LOAD_SIZE_OZ)
# `Object…` is of the object file, `TextSize` of the executable.
REWARDS: Final = {
    **cost_rewards("IrInstructionCount", cost="IrInstructionCount", metric=IR_INSTRUCTIONS.name),
    **cost_rewards("ObjectTextSize", cost="ObjectTextSizeBytes", metric=TEXT_SIZE.name),
    **cost_rewards("ObjectLoadSize", cost="ObjectLoadSizeBytes", metric=""),
    **cost_rewards("TextSize", cost="TextSizeBytes", metric=""),
    RUNTIME_REWARD.name: RUNTIME_REWARD,
}
INLINER_REWARDS: Final = cost_rewards(
    "IrInstructionCount", cost="IrInstructionCount", metric=IR_INSTRUCTIONS.name, levels=("O2",)
)
_CURATED_FURTHER: Final = (COMMANDLINE, PARAMETERS, FUNCTIONS)
PROBE: Final = Probe(
    benchmark="benchmark://kernels-v0/sudoku",
    actions=("mem2reg",),
    observed={"IrInstructionCount": 945, "IrSha1": "ecb217574ba2defb9fba4a7374a7027e07ba0e26"},
)


def _spec(  # noqa: PLR0913 # the fields of an environment; all but the first three by name
    slug: str,
    title: str,
    description: str,
    *,
    table: PassTable | DecisionTable = CURATED,
    session: str = "session:LlvmSession",
    observation: str = "Autophase",
    reward: str = "IrInstructionCountOz",
    datasets: tuple[str, ...] = SIZE_DATASETS,
    timed: bool = False,
    finer: bool = False,
) -> EnvironmentSpec:
    return EnvironmentSpec(
        slug=slug,
        title=title,
        description=description,
        entry_point=f"{__name__}:make",
        service=f"optarena.llvm.{session}",
        action_table=table,
        further_tables=(*_CURATED_FURTHER, *((LOOPS,) if finer else ())) if table is CURATED else (),
        ranks_further_tables=finer,
        metrics=METRICS + TIMES if timed else METRICS,
        rewards=REWARDS,
        observation_space=observation,
        reward_space=reward,
        dataset="kernels-v0",
        further_datasets=datasets,
        boardable=table is CURATED,
        digest_observation="IrSha1",
        state_text="Ir",
        state_numbers=VALUE_NUMBERS,
        state_parts=FUNCTION_TEXT,
        state_language="llvm",
        compiler=f"{pinned.ENGINE} {pinned.ENGINE_VERSION}",
        version=_timed_version
        if timed
        else _finer_version
        if finer
        else getattr(table, "version_spec", None),
        measure=measure if timed else None,
        run_workload=run_workload,
        derived="optarena.llvm.derived:OBSERVATIONS",
        variables=VARIABLES,
        probe=PROBE if table is CURATED else None,
    )


def _timed_version() -> dict[str, Any]:
    return {**CURATED.version_spec(), "times": [metric.name for metric in TIMES], "timing": TIMING_VERSION}


def _loaded_version() -> dict[str, Any]:
    return {**CURATED.version_spec(), "loading": dict(pinned.LOADING)}


def _finer_version() -> dict[str, Any]:
    further = [table.version_spec() for table in (PARAMETERS, FUNCTIONS, LOOPS)]
    return {**CURATED.version_spec(), "further_tables": further}


@with_metadata
def make(**arguments: Any) -> LlvmEnv:  # noqa: ANN401 # whatever gymnasium.make was given
    if arguments.get("service") is None:
        given = arguments["environment"]
        spec = given if isinstance(given, EnvironmentSpec) else environment_spec(given)
        load(spec.requires)() if spec.requires else find_library()
    from optarena.llvm.env import LlvmEnv  # noqa: PLC0415 - brings numpy and gymnasium

    return LlvmEnv(**arguments)


def run_workload(
    env: LiveEnv,
    workload: Workload,
    sandbox: bool,  # noqa: FBT001 # as EnvironmentSpec.run_workload
    release: LlvmRelease | None = None,
) -> Execution:
    # Imported late: running needs Linux, and listing the environments does not.
    from optarena.llvm.execution import SESSION_TYPE, run_program  # noqa: PLC0415 # needs Linux

    program: bytes = env.observe("Bitcode")
    return run_program(
        program,
        args=workload.args,
        stdin=workload.stdin,
        files=workload.files,
        sandbox=sandbox,
        session_type=release.session if release else SESSION_TYPE,
    )


def measure(env: LiveEnv, actions: Sequence[Any], plan: MeasurementPlan) -> Measurement:
    from optarena.llvm.timing import measure_program  # noqa: PLC0415 # needs Linux

    return measure_program(env, actions, plan)


_PREDECESSOR: Final = "llvm-ic-v0"


def _reference(release: LlvmRelease) -> Metric:
    level = release.reference
    return replace(
        IR_INSTRUCTIONS,
        name=f"{IR_INSTRUCTIONS.name}_{level.lower()}",
        title=f"IR instructions at {level}",
        observation=f"{IR_INSTRUCTIONS.observation}{level}",
        cpu_seconds=limits.CODE_CPU_SECONDS,
        level=level,
    )


def _release_spec(release: LlvmRelease) -> EnvironmentSpec:
    table, level = release_table(release), release.reference
    # The levels that programs record are those of the pinned release.
    rewards = {
        **cost_rewards("IrInstructionCount", cost="IrInstructionCount", metric="", levels=("O3", level)),
        **cost_rewards("ObjectTextSize", cost="ObjectTextSizeBytes", metric="", levels=("O3", level)),
    }
    spec = _spec(
        f"llvm-{release.major}-v0",
        f"LLVM {release.major} phase ordering for instruction count",
        f"Choose and order the optimisation passes of LLVM {release.version} so that the program has as few "
        "IR instructions as possible. The reward is relative to LLVM's O2 over functions that are marked "
        "minsize, which replaces -Oz there: an episode of 1.0 equals it.",
        reward=f"IrInstructionCount{level}",
    )
    return replace(
        spec,
        service=release.session,
        action_table=table,
        further_tables=(),
        metrics=(*METRICS, _reference(release)),
        rewards=rewards,
        compiler=f"{pinned.ENGINE} {release.version}",
        version=partial(_release_version, release),
        run_workload=partial(run_workload, release=release),
        derived="optarena.llvm.derived:VECTORS",
        variables=(*VARIABLES, library_variable(release.version)),
        probe=replace(PROBE, observed=release.probe),
        requires=release.attribute("find"),
        predecessor=_PREDECESSOR,
        translate=partial(translated_commandline, release),
    )


def _release_version(release: LlvmRelease) -> dict[str, Any]:
    return {**release_table(release).version_spec(), "reference": release.reference}


def _inliner_spec(slug: str, level: str) -> EnvironmentSpec:
    spec = _spec(
        slug,
        f"LLVM inlining at -{level}",
        f"Decide on each call that LLVM's inliner comes to in one run of -{level}: inline it or not, or do "
        "as LLVM does by itself. Observes LLVM's own features of the call. An episode ends with the run; "
        "until then the program counts as given. The reward is relative to "
        f"-{level}: an episode of 1.0 equals it.",
        session=f"inliner_session:LlvmInliner{level.removeprefix('Oz')}Session",
        observation="InlinerFeatures",
        reward=f"IrInstructionCount{level}",
    )
    return replace(
        spec,
        action_table=INLINER[level],
        further_tables=(),
        rewards={**INLINER_REWARDS, **REWARDS},
        version=partial(version_spec, level),
        derived="optarena.llvm.derived:INLINER",
        boardable=level == "Oz",
        probe=None,
        state_summary="InlinerSummary",
    )


ENVIRONMENTS: Final = (
    _spec(
        "llvm-v0",
        "LLVM phase ordering",
        "Choose and order LLVM's optimisation passes. Observes the 56 Autophase features; the reward is the "
        "reduction of the number of IR instructions; 1.0 is the reduction by -Oz.",
        datasets=(*SIZE_DATASETS, *RUNTIME_DATASETS),
    ),
    _spec(
        "llvm-ic-v0",
        "LLVM phase ordering for instruction count",
        "Choose and order LLVM's optimisation passes so that the program has as few IR instructions as "
        "possible. The reward is relative to -Oz: an episode of 1.0 equals it.",
    ),
    _spec(
        "llvm-autophase-ic-v0",
        "LLVM phase ordering for instruction count, Autophase features",
        "The instruction-count environment with its observation named in its id: the 56 Autophase features.",
    ),
    _spec(
        "llvm-codesize-v0",
        "LLVM phase ordering for machine code size",
        "Choose and order LLVM's optimisation passes so that the program's object file has as few bytes of "
        "code as possible. The reward is relative to -Oz: an episode of 1.0 equals it.",
        reward="ObjectTextSizeOz",
    ),
    _spec(
        "llvm-autophase-codesize-v0",
        "LLVM phase ordering for machine code size, Autophase features",
        "The code-size environment with its observation named in its id: the 56 Autophase features.",
        reward="ObjectTextSizeOz",
    ),
    replace(
        _spec(
            "llvm-loadsize-v0",
            "LLVM phase ordering for loaded bytes",
            "Choose and order LLVM's optimisation passes so that the program has as few bytes of "
            "position-independent code, read-only data and data as possible, which can be compared with "
            "another compiler's. The reward is relative to -Oz: an episode of 1.0 equals it.",
            reward="ObjectLoadSizeOz",
        ),
        metrics=METRICS + LOAD_SIZES,
        version=_loaded_version,
    ),
    _spec(
        "llvm-runtime-v0",
        "LLVM phase ordering for running time",
        "Choose and order LLVM's optimisation passes so that the program runs its workloads fast. The reward "
        "is the number of seconds of CPU time saved, by the median of some runs: it is measured, so it is "
        "never the same twice.",
        reward="RuntimePointEstimate",
        datasets=RUNTIME_DATASETS,
        timed=True,
    ),
    _spec(
        "llvm-loops-v0",
        "LLVM decisions on loops and calls",
        "Decide loop by loop and call by call: unroll, vectorize or interleave a loop, inline a call; and "
        "run passes that prepare for it. Observes the table of loops. The default reward is exact: the "
        "number of IR instructions relative to -Oz, which most loop transformations increase. The reward "
        "for running time, RuntimePointEstimate, is measured and thus noisy.",
        table=LOOPS,
        session="loops_session:LlvmLoopsSession",
        observation="Loops",
        datasets=(),
    ),
    _spec(
        "llvm-finer-v0",
        "LLVM passes, their parameters, and decisions on functions, loops and calls",
        "Choose LLVM's passes like the instruction-count environment does, or decide more finely in one of "
        "its further action spaces: with which parameters a pass runs, on which function, which loop is "
        "unrolled how often, which call is inlined. The reward is relative to -Oz: an episode of 1.0 equals "
        "it.",
        session="loops_session:LlvmFinerSession",
        finer=True,
    ),
    _inliner_spec("llvm-inliner-v0", "Oz"),
    _inliner_spec("llvm-inliner-o2-v0", "O2"),
    _spec(
        "llvm-unsafe-v0",
        "LLVM passes that were left out",
        "The same engine with the passes that may crash, hang, grow the program without bound or miscompile. "
        "For tests of error handling; never ranked.",
        table=UNSAFE,
        session="session:LlvmUnsafeSession",
    ),
    *map(_release_spec, RELEASES.values()),
)


BOARD_DATASET: Final = "programs-v0"
RUNTIME_BOARD_DATASET: Final = "kernels-runtime-v0"


def _release_board(release: LlvmRelease) -> BoardSpec:
    return BoardSpec(
        slug=f"llvm-ic-{release.major}",
        title=f"LLVM {release.major} instruction count",
        description=(
            f"Find the sequence of passes of LLVM {release.version} that leaves the fewest IR instructions, "
            "for each program of the dataset, without changing what the program prints. Compared with "
            "default<O2> over functions that are marked minsize, which replaces default<Oz> there."
        ),
        dataset=BOARD_DATASET,
        environment=f"llvm-{release.major}-v0",
        metric=IR_INSTRUCTIONS.name,
        reference_metric=_reference(release).name,
    )


BOARDS: Final = (
    BoardSpec(
        slug="llvm-ic",
        title="LLVM instruction count",
        description=(
            "Find the sequence of LLVM passes that leaves the fewest IR instructions, for each program of "
            "the dataset, without changing what the program prints. Compared with default<Oz> of LLVM's opt."
        ),
        dataset=BOARD_DATASET,
        environment="llvm-ic-v0",
        metric=IR_INSTRUCTIONS.name,
        baseline_level="Oz",
    ),
    BoardSpec(
        slug="llvm-finer",
        title="LLVM instruction count, finer decisions",
        description=(
            "Leave the fewest IR instructions, for each program of the dataset, without changing what the "
            "program prints: by passes, by passes with parameters or on single functions, or by decisions on "
            "single loops and calls. Compared with default<Oz> of LLVM's opt."
        ),
        dataset=BOARD_DATASET,
        environment="llvm-finer-v0",
        metric=IR_INSTRUCTIONS.name,
        baseline_level="Oz",
    ),
    BoardSpec(
        slug="llvm-inliner",
        title="LLVM inlining for instruction count",
        description=(
            "Decide on each call that LLVM's inliner comes to in one run of -Oz, so that the fewest IR "
            "instructions are left, for each program of the dataset, without changing what the program "
            "prints. Compared with default<Oz> of LLVM's opt, the same run with LLVM's own decisions."
        ),
        dataset=BOARD_DATASET,
        environment="llvm-inliner-v0",
        metric=IR_INSTRUCTIONS.name,
        baseline_level="Oz",
    ),
    BoardSpec(
        slug="llvm-codesize",
        title="LLVM machine code size",
        description=(
            "Find the sequence of LLVM passes that leaves the fewest bytes of machine code, for each program "
            "of the dataset, without changing what the program prints. Compared with default<Oz> of LLVM's "
            "opt."
        ),
        dataset=BOARD_DATASET,
        environment="llvm-codesize-v0",
        metric=TEXT_SIZE.name,
        baseline_level="Oz",
    ),
    BoardSpec(
        slug="llvm-loadsize",
        title="LLVM loaded bytes",
        description=(
            "Find the sequence of LLVM passes that leaves the fewest bytes of position-independent code, "
            "read-only data and data, for each program of the dataset, without changing what the program "
            "prints. Compared with default<Oz> of LLVM's opt, and program by program with other compilers."
        ),
        dataset=BOARD_DATASET,
        environment="llvm-loadsize-v0",
        metric=LOAD_SIZE.name,
        reference_metric=LOAD_SIZE_OZ.name,
    ),
    *map(_release_board, RELEASES.values()),
    BoardSpec(
        slug="llvm-runtime",
        title="LLVM running time",
        description=(
            "Find the sequence of LLVM passes that makes each program of the dataset run fastest, without "
            "changing what it prints. Scored by the CPU time of its workloads on one processor, compared "
            "with LLVM's own -O3, timed in turns with it."
        ),
        dataset=RUNTIME_BOARD_DATASET,
        environment="llvm-runtime-v0",
        metric=RUNTIME.name,
        reference_metric=REFERENCE.name,
        plausible_ratio=2.0,
    ),
)
PORTABLE_BOARDS: Final = (
    PortableBoardSpec(
        slug="portable",
        title="Portable sequences of LLVM passes",
        description=(
            "Find one sequence of LLVM passes, or a few of which the best counts, that leaves few IR "
            "instructions in programs that nobody has seen: they are drawn when the round is over, the same "
            "for all entries. Compared with default<Oz> of LLVM's opt."
        ),
        dataset="synthetic-v0",
        environment="llvm-ic-v0",
        metric=IR_INSTRUCTIONS.name,
        baseline_level="Oz",
        programs=40,
        report_dataset="units-v0",
    ),
)
CALIBRATION: Final = CalibrationSpec(
    name="llvm", version=f"1-{pinned.ENGINE_VERSION}", prepare="optarena.llvm.calibration:prepare"
)
FORMATS: Final = (
    ProgramFormat(
        suffix=".bc",
        title="LLVM bitcode",
        media_type="application/x-llvm-bitcode",
        magics=(b"BC\xc0\xde", b"\xde\xc0\x17\x0b"),
        preview=PreviewSpec(
            environment="llvm-v0",
            text="Ir",
            language="llvm",
            features={"InstCount": "InstCountDict", "Autophase": "AutophaseDict"},
        ),
    ),
    ProgramFormat(suffix=".ll", title="LLVM IR"),
    ProgramFormat(
        suffix=".c",
        title="C source",
        make_benchmark="optarena.llvm.making:make_benchmark",
        check_flags="optarena.llvm.making:parse_flags",
    ),
)

register(
    ENVIRONMENTS,
    boards=(*BOARDS, *PORTABLE_BOARDS),
    formats=FORMATS,
    calibrations=(CALIBRATION,),
    commands={"llvm": "optarena.llvm.commands:llvm"},
)
