"""The Celery task: parse, call, answer. Its message is a hint; everything else is read from the row."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import structlog
from celery import shared_task

from optarena.limits import ACTION_WALL_SECONDS, BLOCK_SECONDS, REPLAY_SECONDS, WORKLOAD_SECONDS
from runner import conf, workers  # noqa: F401 - receives the signals of the worker that loads this module

# The last resort. A replay is only asked to stop between two actions, workloads, metrics or blocks, so one
# that began just before the deadline runs to its end; and the session has to start and to end.
_LONGEST_SECONDS: Final = max(ACTION_WALL_SECONDS, WORKLOAD_SECONDS, BLOCK_SECONDS)
_HARD_SECONDS: Final = int(conf.DRAIN_SECONDS) + REPLAY_SECONDS + 2 * _LONGEST_SECONDS + 60
_log = structlog.get_logger(__name__)


@shared_task(name=conf.VERIFY_TASK, ignore_result=True, time_limit=_HARD_SECONDS)
def verify(verification_id: str) -> int:
    """Carry out a verification if it is still free, and go on with the queue; the number carried out."""
    # The web server publishes this task by its name and must not load the compiler's bindings for it.
    from runner.driver import drive, worker_name  # noqa: PLC0415 - only a worker needs the environments

    try:
        wanted = UUID(verification_id)
    except ValueError:
        _log.warning("wake-up for an id that is not a verification's", verification=verification_id)
        return 0
    return drive(verification_id=wanted, worker=worker_name())
