"""GPU kernels as plain data: their environments, dataset and boards. Registered when it is imported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena import register
from optarena.gpu_kernels import pinned
from optarena.gpu_kernels.actions import LEVEL_ACTIONS, PASSES, PIPELINES
from optarena.specs import (
    BoardSpec,
    EnvironmentSpec,
    Metric,
    NamedActions,
    PreparedMeasure,
    Probe,
    RewardSpec,
    Scale,
    timed_metrics,
)
from optarena.specs.benchmark import Benchmark, BenchmarkUri, Workload
from optarena.specs.environment import LiveEnv, Roofline, Speeds

if TYPE_CHECKING:
    from optarena.specs.results import Measurement, MeasurementPlan

DATASET: Final = "gpu-kernels-v1"
THREAD_BYTES: Final = Metric(
    name="thread_bytes",
    title="Registers and local memory of a thread",
    unit="bytes",
    observation="thread_bytes",
)
RUNTIME, OWN_REFERENCE, _SPEEDUP = timed_metrics(
    Metric(name="runtime_seconds", title="Running time on a GPU", unit="seconds", observation="runtime")
)
# Boards of gpu-kernels-v0 compare with -O3 by these names.
REFERENCE: Final = replace(
    OWN_REFERENCE, name="nvcc_seconds", title="Running time of the code of nvcc -O3", level="NvccO3"
)
SPEEDUP: Final = replace(_SPEEDUP, title="Speed relative to the reference")
TIMES: Final = (RUNTIME, REFERENCE, OWN_REFERENCE, SPEEDUP)
TIMING_VERSION: Final = 2  # raise it when the same code gets other times by another way to measure
# What LLVM numbers anew each time: values, blocks, metadata and attributes without names.
VALUE_NUMBERS: Final = r"^\d+:\s*|[%!#]\d+\b"
FUNCTION_TEXT: Final = r'(?ms)^define [^\n]*?@(?P<name>"[^"\n]*"|[\w.$-]+)\(.*?^}$'
PROXY: Final = RewardSpec(
    name="thread_bytes_proxy", cost="thread_bytes", metric="thread_bytes", scale=Scale.DIFFERENCE
)
SECONDS: Final = RewardSpec(
    name="runtime", cost="runtime", metric="", scale=Scale.DIFFERENCE, deterministic=False
)
# What needs no GPU is named a proxy: fewer registers and less local memory make some kernels faster, and
# others slower. The number of instructions is not a proxy: an unrolled loop has more, and is mostly faster.
REWARDS: Final = {
    spec.name: spec
    for spec in (
        SECONDS,
        replace(SECONDS, name="runtime_log", scale=Scale.LOG_STEP),
        PROXY,
        replace(PROXY, name="thread_bytes_proxy_log", scale=Scale.LOG_RATIO, level="O3"),
    )
}
# Needs ptxas: a worker without it must not take work, which would fail there.
PROBE: Final = Probe(
    benchmark=f"benchmark://{DATASET}/matrix-product",
    actions=("sroa", "instcombine"),
    observed={"ir_instructions": 214, "thread_bytes": 224, "shared_bytes": 8192},
)


def _version(table: NamedActions, metrics: tuple[Metric, ...]) -> dict[str, Any]:
    passes = list(PIPELINES) if table is PASSES else []
    measured = {"timing": TIMING_VERSION} if RUNTIME in metrics else {}
    return {
        "action_table": table.name,
        "actions": list(table.names),
        "pipelines": passes,
        "metrics": [[metric.name, metric.observation, metric.version] for metric in metrics],
        **pinned.version_spec(),
        **measured,
    }


def _own_workloads(benchmark: Benchmark) -> tuple[Workload, ...]:  # the launches that a CPU can execute
    from optarena.gpu_kernels import programs  # noqa: PLC0415 # not needed to describe

    cases = programs.parse(benchmark.program()).cases
    return tuple(Workload(name=name, args=(name,)) for name, case in cases.items() if not case.too_large)


@cache
def roofline(uri: str) -> Roofline:
    # The declared work of a kernel, with what devices were measured to do.
    import tomllib  # noqa: PLC0415 # not needed to describe

    from optarena.datasets import datasets  # noqa: PLC0415 # as above
    from optarena.gpu_kernels import programs  # noqa: PLC0415 # as above

    case = programs.parse(datasets().benchmark(uri).program()).main
    text = resources.files("optarena.gpu_kernels").joinpath("measured.toml").read_text("utf-8")
    measured = tomllib.loads(text)
    times, name = measured["times"], BenchmarkUri.parse(uri).path
    found = dict(zip(times["codes"], times["microseconds"].get(name, ()), strict=False))
    return Roofline(
        moved_bytes=case.moved_bytes,
        flops=case.flops,
        speeds={device: Speeds(**known) for device, known in measured["speeds"].items()},
        device=times["device"] if found else "",
        seconds={code: one / 1e6 for code, one in found.items()},
        note=times["note"],
    )


def _prepare(env: LiveEnv, actions: Sequence[Any]) -> Mapping[str, Any]:
    from optarena.gpu_kernels.blocks import prepare_job  # noqa: PLC0415 # starts processes

    del actions  # the kernel has their effects
    return prepare_job(env)


def _measure(job: Mapping[str, Any], plan: MeasurementPlan) -> Measurement:
    from optarena.gpu_kernels.blocks import measure_job  # noqa: PLC0415 # as above

    return measure_job(job, plan)


# A machine without a GPU compiles the kernel and its -O3 version; one with a GPU times both in turns with the
# code of nvcc.
MEASURE: Final = PreparedMeasure(prepare=_prepare, measure=_measure)


KERNELS: Final = EnvironmentSpec(
    slug="gpu-kernels-v0",
    title="Phase ordering of GPU kernels",
    description="Choose and order LLVM's passes for a CUDA kernel, and the level of ptxas. Observes static "
    "features of the machine code, which need no GPU; with one, also running time. The default reward is a "
    "proxy: the bytes of registers and local memory of a thread.",
    service="optarena.gpu_kernels.session:KernelPassesSession",
    compiler=pinned.COMPILER,
    action_table=PASSES,
    metrics=(THREAD_BYTES,),
    rewards=REWARDS,
    observation_space="features",
    reward_space=PROXY.name,
    dataset=DATASET,
    digest_observation="digest",
    state_text="ir",
    state_summary="summary",
    state_numbers=VALUE_NUMBERS,
    state_parts=FUNCTION_TEXT,
    state_language="llvm",
    version=partial(_version, PASSES, (THREAD_BYTES,)),
    own_workloads=_own_workloads,
    roofline=roofline,
    packages=("llvmlite", pinned.DISTRIBUTION),
    probe=PROBE,
)
ENVIRONMENTS: Final = (
    KERNELS,
    replace(
        KERNELS,
        slug="gpu-levels-v0",
        title="Optimisation levels of GPU kernels",
        description="Compile a CUDA kernel at -O0, -O1 or -O2, by LLVM and by ptxas. Each action compiles "
        "the kernel as it was given; no action ends the episode.",
        service="optarena.gpu_kernels.session:KernelLevelsSession",
        action_table=LEVEL_ACTIONS,
        version=partial(_version, LEVEL_ACTIONS, (THREAD_BYTES,)),
        probe=None,
    ),
    replace(
        KERNELS,
        slug="gpu-runtime-v0",
        title="Phase ordering of GPU kernels for running time",
        description="The actions and observations of gpu-kernels-v0. The reward is the number of seconds "
        "saved on a GPU: it is measured, so it is never the same twice. Needs an NVIDIA GPU of compute "
        "capability 9.",
        metrics=(THREAD_BYTES, *TIMES),
        reward_space=SECONDS.name,
        version=partial(_version, PASSES, (THREAD_BYTES, *TIMES)),
        measure=MEASURE,
    ),
)
BOARDS: Final = (
    BoardSpec(
        slug="gpu-spills",
        title="GPU registers and local memory",
        description=(
            "Find the passes that leave each kernel the fewest bytes of registers and local memory for a "
            "thread, without changing what it computes. Compared with the -O3 of LLVM and ptxas."
        ),
        dataset=DATASET,
        environment="gpu-kernels-v0",
        metric=THREAD_BYTES.name,
        baseline_level="O3",
        # -O3 leaves arrays of 224 and 288 bytes in local memory that a better order keeps in registers.
        plausible_ratio=4.0,
        withdrawn=(
            "on an H200, fewer bytes went with longer times in 7 of the 13 kernels, and no other figure that "
            "needs no GPU orders the codes of a kernel as their times do. Use the board gpu-kernels, which "
            "measures them."
        ),
    ),
    BoardSpec(
        slug="gpu-kernels",
        title="GPU kernels",
        description=(
            "Find the passes that make each kernel fastest on a GPU, without changing what it computes. "
            "Compared with what NVIDIA's compiler nvcc makes of the same source at -O3, timed in the same "
            "processes, as is -O3 of LLVM and ptxas."
        ),
        dataset=DATASET,
        environment="gpu-runtime-v0",
        metric=RUNTIME.name,
        reference_metric=REFERENCE.name,
        device="cuda",
        plausible_ratio=4.0,
    ),
)

register(ENVIRONMENTS, dataset_folders=[Path(__file__).parent / "datasets"], boards=BOARDS)
