"""The Celery task: parse, call, answer. Its message is a hint; everything else is read from the row."""

from __future__ import annotations

from uuid import UUID

import structlog
from celery import shared_task

from runner import conf
from runner.work import workers

_log = structlog.get_logger(__name__)


@shared_task(name=conf.VERIFY_TASK, ignore_result=True, time_limit=conf.TASK_SECONDS)
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
