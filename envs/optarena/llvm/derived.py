"""Observations that the client of the LLVM environments derives: values in another form, and program runs."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.env.derived import DerivedObservation
from optarena.errors import InvalidInput
from optarena.llvm.env import LlvmEnv
from optarena.llvm.feature_names import (
    AUTOPHASE_NAMES,
    COUNTS_COLUMN,
    FUNCTION_COLUMN,
    INSTCOUNT_NAMES,
    IR2VEC_NAMES,
)
from optarena.llvm.inliner.columns import CALL_FEATURES
from optarena.llvm.ir2vec import BUILTIN_SIZE, builtin_ir2vec_vocabulary
from optarena.service.converters.spaces import ASCII, SizedSequence, number_space, text_space

if TYPE_CHECKING:
    from optarena.specs.environment import LiveEnv

_CHECK_SECONDS: Final = 60.0


class Durations(gymnasium.spaces.Sequence):
    def __init__(self) -> None:
        super().__init__(gymnasium.spaces.Box(0.0, np.inf, (), np.float64), stack=True)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 # any value may be checked
        return isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype == np.float64 and bool(np.all(x >= 0))


def _is_runnable(env: LiveEnv, given: Mapping[str, Any]) -> int:
    # Imported late: these modules need Linux, and the client of a remote service may run elsewhere.
    from optarena.llvm.linking import NotLinked, Part, link  # noqa: PLC0415 # needs Linux

    if not env.benchmark.workloads:
        return 0
    try:
        link([Part(name="program", data=given["Bitcode"])], seconds=_CHECK_SECONDS, runnable=True)
    except NotLinked as error:  # a busy machine does not make the program another one
        message = f"Whether the program can be run was not found out: {error.message}"
        remedy = "Try again when the machine is less busy, or use fewer actions that make the program grow."
        raise InvalidInput(message, field="observation_space", value="IsRunnable", remedy=remedy) from error
    except InvalidInput:
        return 0
    return 1


def _measured(env: LiveEnv, program: bytes) -> list[float]:
    # Imported late: it needs Linux, and the client of a remote service may run elsewhere.
    from optarena.isolation.sandbox import confines_programs  # noqa: PLC0415 # as below
    from optarena.llvm.timing import read  # noqa: PLC0415 # needs Linux
    from optarena.machine_code.timing import QUEUE_SECONDS, check_workloads  # noqa: PLC0415 # as above
    from optarena.measuring.machine import reserved_core  # noqa: PLC0415 # as above

    check_workloads(env.benchmark)
    count, warmups = 1, 0
    if isinstance(env, LlvmEnv):
        count, warmups = env.runtime_observation_count, env.runtime_warmup_count
    with reserved_core(seconds=QUEUE_SECONDS) as cpu:
        confined = confines_programs(env.is_sandboxed)
        readings = [read(program, env.benchmark, cpu=cpu, sandbox=confined) for _ in range(warmups + count)]
    return [reading.cpu_seconds for reading in readings[warmups:]]


_RUNNING: Final = (
    DerivedObservation(
        name="IsRunnable",
        needs=("Bitcode",),
        make_space=lambda: gymnasium.spaces.Discrete(2),
        compute=_is_runnable,
    ),
    DerivedObservation(
        name="Runtime",
        needs=("Bitcode",),
        make_space=Durations,
        compute=lambda env, given: np.array(_measured(env, given["Bitcode"]), dtype=np.float64),
        deterministic=False,
        platform_dependent=True,
    ),
    DerivedObservation(
        name="RuntimePointEstimate",
        needs=("Bitcode",),
        make_space=lambda: gymnasium.spaces.Box(0.0, np.inf, (), np.float64),
        compute=lambda env, given: statistics.median(_measured(env, given["Bitcode"])),
        deterministic=False,
        platform_dependent=True,
    ),
)


_LARGEST: Final = np.iinfo(np.int64).max


def _by_name(name: str, needed: str, keys: tuple[str, ...], least: int = 0) -> DerivedObservation:
    def space() -> gymnasium.spaces.Dict:
        return gymnasium.spaces.Dict({key: number_space(least, _LARGEST, np.int64, ()) for key in keys})

    def compute(_: LiveEnv, given: Mapping[str, Any]) -> dict[str, int]:
        return dict(zip(keys, given[needed].tolist(), strict=True))

    return DerivedObservation(name=name, needs=(needed,), make_space=space, compute=compute)


def _normalised(_: LiveEnv, given: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float32]]:
    counts = given["InstCount"]
    shares: np.ndarray[Any, np.dtype[np.float32]] = (counts[1:] / max(counts[0], 1)).astype(np.float32)
    return shares


VECTORS: Final = (
    _by_name("AutophaseDict", "Autophase", AUTOPHASE_NAMES),
    _by_name("InstCountDict", "InstCount", INSTCOUNT_NAMES),
    DerivedObservation(
        name="InstCountNorm",
        needs=("InstCount",),
        make_space=lambda: gymnasium.spaces.Box(0.0, 1.0, (len(INSTCOUNT_NAMES) - 1,), np.float32),
        compute=_normalised,
    ),
)

_IR2VEC_SPACE: Final = gymnasium.spaces.Box(-np.inf, np.inf, (BUILTIN_SIZE,), np.float32)


def _by_function() -> gymnasium.spaces.Dict:
    names, vectors = SizedSequence(text_space(0, None, ASCII)), SizedSequence(_IR2VEC_SPACE, stack=True)
    return gymnasium.spaces.Dict({FUNCTION_COLUMN: names, "vectors": vectors})


def _embedded_functions(_: LiveEnv, given: Mapping[str, Any]) -> dict[str, Any]:
    table = given["Ir2vecFunctionCounts"]
    counts = table[COUNTS_COLUMN].reshape(-1, len(IR2VEC_NAMES))
    return {
        FUNCTION_COLUMN: tuple(table[FUNCTION_COLUMN]),
        "vectors": builtin_ir2vec_vocabulary().embed(counts),
    }


_IR2VEC: Final = (
    DerivedObservation(
        name="Ir2vec",
        needs=("Ir2vecCounts",),
        make_space=lambda: _IR2VEC_SPACE,
        compute=lambda _, given: builtin_ir2vec_vocabulary().embed(given["Ir2vecCounts"]),
    ),
    DerivedObservation(
        name="Ir2vecFunctions",
        needs=("Ir2vecFunctionCounts",),
        make_space=_by_function,
        compute=_embedded_functions,
    ),
)

OBSERVATIONS: Final[tuple[DerivedObservation, ...]] = (*VECTORS, *_IR2VEC, *_RUNNING)
INLINER: Final = (
    *OBSERVATIONS,
    _by_name("InlinerFeaturesDict", "InlinerFeatures", CALL_FEATURES, int(np.iinfo(np.int64).min)),
)
