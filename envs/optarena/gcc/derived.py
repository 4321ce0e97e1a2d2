"""The running time of a program as an observation of the client: it runs in processes of its own, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import gymnasium
import numpy as np

from optarena.env.derived import DerivedObservation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.specs.live import LiveEnv


def _running_time(env: LiveEnv, given: Mapping[str, Any]) -> float:
    """CPU seconds of one run of all workloads, timed as for boards.

    Raises:
        InvalidInput: The benchmark has no workloads, so there is nothing to time.
        ProgramFailed: A run did not give the recorded result.
        DeviceUnavailable: Other measurements used all processors for too long.
    """
    # Imported late: these modules need Linux, and the client of a remote service may run elsewhere.
    from optarena.gcc.timing import runs  # noqa: PLC0415 # needs Linux
    from optarena.machine_code.timing import QUEUE_SECONDS, check_workloads, read  # noqa: PLC0415 # as above
    from optarena.measuring.cores import reserved_core  # noqa: PLC0415 # as above

    check_workloads(env.benchmark)
    with reserved_core(seconds=QUEUE_SECONDS) as cpu:
        run = runs(bytes(given["obj"]), sandbox=env.is_sandboxed)
        return read(run, env.benchmark, cpu=cpu).cpu_seconds


OBSERVATIONS: Final = (
    DerivedObservation(
        name="RuntimePointEstimate",
        needs=("obj",),
        make_space=lambda: gymnasium.spaces.Box(0.0, np.inf, (), np.float64),
        compute=_running_time,
        deterministic=False,
        platform_dependent=True,
    ),
)
