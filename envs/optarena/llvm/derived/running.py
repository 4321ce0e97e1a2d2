"""Observations of the running program: whether it can run, and how long its workloads take.

Each run happens in a process of its own, confined as the environment's sessions are, and its output is
compared with the recorded one: a program that crashes, hangs or prints something else has no running time.
Observing its running time raises ``ProgramFailed``, which ends the episode; in ``step()`` the step fails.

``Runtime`` is a float64 array of shape (N,): the CPU seconds of each of N runs, on a processor that no other
measurement uses meanwhile. A run is all workloads, one after the other, without compilation. N is
``env.runtime_observation_count``; ``env.runtime_warmup_count`` runs come before and are not timed.
``RuntimePointEstimate`` is the median of N runs of its own, in seconds.
"""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.env.derived import DerivedObservation
from optarena.errors import InvalidInput
from optarena.llvm.env import LlvmEnv

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.specs.live import LiveEnv

_CHECK_SECONDS: Final = 60.0


class Durations(gymnasium.spaces.Sequence):
    """Arrays of seconds: float64, one dimension, of any length."""

    def __init__(self) -> None:
        super().__init__(gymnasium.spaces.Box(0.0, np.inf, (), np.float64), stack=True)

    def contains(self, x: Any) -> bool:  # noqa: ANN401 # any value may be checked
        """Whether ``x`` is such an array."""
        return isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype == np.float64 and bool(np.all(x >= 0))


def _is_runnable(env: LiveEnv, given: Mapping[str, Any]) -> int:
    """1 if the runner can run the program in its present state, and its benchmark has workloads.

    Raises:
        InvalidInput: This was not found out, since time or memory ran out.
    """
    # Imported late: these modules need Linux, and the client of a remote service may run elsewhere.
    from optarena.llvm.linked import NotLinked, Part, link  # noqa: PLC0415 # needs Linux

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


def _runtime(env: LiveEnv, given: Mapping[str, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.array(_measured(env, given["Bitcode"]), dtype=np.float64)


def _point_estimate(env: LiveEnv, given: Mapping[str, Any]) -> float:
    return statistics.median(_measured(env, given["Bitcode"]))


def _measured(env: LiveEnv, program: bytes) -> list[float]:
    """CPU seconds of each run of all workloads, timed as for boards.

    Raises:
        InvalidInput: The benchmark has no workloads, so there is nothing to time.
        ProgramFailed: A run did not give the recorded result.
        DeviceUnavailable: Other measurements used all processors for too long.
    """
    # Imported late: it needs Linux, and the client of a remote service may run elsewhere.
    from optarena.llvm.timing import read  # noqa: PLC0415 # needs Linux
    from optarena.machine_code.timing import QUEUE_SECONDS, check_workloads  # noqa: PLC0415 # as above
    from optarena.measuring.cores import reserved_core  # noqa: PLC0415 # as above

    check_workloads(env.benchmark)
    count, warmups = 1, 0
    if isinstance(env, LlvmEnv):
        count, warmups = env.runtime_observation_count, env.runtime_warmup_count
    with reserved_core(seconds=QUEUE_SECONDS) as cpu:
        readings = [
            read(program, env.benchmark, cpu=cpu, sandbox=env.is_sandboxed) for _ in range(warmups + count)
        ]
    return [reading.cpu_seconds for reading in readings[warmups:]]


OBSERVATIONS: Final = (
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
        compute=_runtime,
        deterministic=False,
        platform_dependent=True,
    ),
    DerivedObservation(
        name="RuntimePointEstimate",
        needs=("Bitcode",),
        make_space=lambda: gymnasium.spaces.Box(0.0, np.inf, (), np.float64),
        compute=_point_estimate,
        deterministic=False,
        platform_dependent=True,
    ),
)
