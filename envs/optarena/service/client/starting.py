"""Has a zygote fork the process of a session."""

from __future__ import annotations

import json
import logging
from functools import cache
from typing import TYPE_CHECKING, Final

from optarena import logs
from optarena.service.processes import progress, resources

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.client.zygote import Worker, Zygote

_ENTRY: Final = "optarena.service.session_process.session_main:session_main"

logger = logging.getLogger(__name__)


def start_worker(zygote: Zygote, limits: ProcessLimits, *, sandbox: bool) -> Worker:
    """A process for one session, which waits for calls.

    Raises:
        SandboxUnavailable, TransportError, ServiceError: See :meth:`Zygote.spawn`.
    """
    order = {
        "session_type": zygote.session_type,
        "directory": zygote.directory,
        "service_version": service_version(),
        "confined": sandbox,
        "time_factor": limits.time_factor,
        "debug": logs.level(),
    }
    with resources.taken() as kept:
        shared = kept.enter_context(progress.progress_file())
        worker = zygote.spawn(
            _ENTRY,
            limits=limits,
            sandbox=sandbox,
            fds=(shared.fileno(),),
            payload=json.dumps(order).encode(),
        )
    worker.progress = shared
    logger.info("process %d: a session of %s, %s", worker.pid, zygote.session_type, worker.sandbox)
    return worker


@cache
def service_version() -> str:
    """The version that services of this package tell."""
    from importlib import metadata  # noqa: PLC0415 # slow to import, and not needed to tell the spaces

    return metadata.version("optarena")
