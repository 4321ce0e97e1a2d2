"""The Celery task: parse, call, answer. Its message is a hint; everything else is read from the row."""

from __future__ import annotations

from typing import Final
from uuid import UUID

import structlog
from celery import shared_task

from optarena.limits import (
    ACTION_WALL_SECONDS,
    BLOCK_SECONDS,
    CODE_CPU_SECONDS,
    CONFIRMATION_TIME_FACTOR,
    REPLAY_SECONDS,
    WORKLOAD_SECONDS,
    wall_seconds,
)
from runner import conf
from runner.work import workers

# The last resort. A replay is only asked to stop between two actions, workloads, metrics or blocks, so one
# that began just before the deadline runs to its end; and the session has to start and to end. One lease
# has at most two attempts with the usual limits and two with longer ones (runner.work.confirmation).
_LONGEST_SECONDS: Final = max(
    ACTION_WALL_SECONDS, WORKLOAD_SECONDS, BLOCK_SECONDS, int(wall_seconds(CODE_CPU_SECONDS))
)
_ATTEMPT_SECONDS: Final = REPLAY_SECONDS + 2 * _LONGEST_SECONDS + 60
_HARD_SECONDS: Final = int(conf.DRAIN_SECONDS) + 2 * (1 + CONFIRMATION_TIME_FACTOR) * _ATTEMPT_SECONDS
_log = structlog.get_logger(__name__)


@shared_task(name=conf.VERIFY_TASK, ignore_result=True, time_limit=_HARD_SECONDS)
def verify(verification_id: str, passed: int = 0) -> int:
    # The id says why the worker was woken. It does not choose: whoever asks last must not be served first.
    # passed is how many workers had no use for this wake-up.
    # The web server publishes this task by its name and must not load the compiler's bindings for it.
    from runner.work.driver import drive, worker_name  # noqa: PLC0415 - only a worker needs the environments

    _log.debug("woken", verification=verification_id)
    carried = drive(worker=worker_name(), life=workers.life(), is_stopping=workers.is_stopping)
    if not carried:
        _pass_on(verification_id, passed)
    return carried


def _pass_on(verification_id: str, passed: int) -> None:
    # This worker is paused, or does not have the version of the environment.
    from runner.queue import wakeups  # noqa: PLC0415 - as above

    try:
        wanted = UUID(verification_id)
    except ValueError:
        _log.warning("wake-up for an id that is not a verification's", verification=verification_id)
    else:
        wakeups.pass_on(wanted, workers.life(), passed)
