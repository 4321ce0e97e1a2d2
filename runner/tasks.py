"""The Celery worker: its task, the check that it suits its machine, and the report that it is live."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Collection
from mmap import mmap
from typing import TYPE_CHECKING, Any
from uuid import UUID

import structlog
from celery import shared_task
from celery.signals import worker_init, worker_ready, worker_shutdown, worker_shutting_down

from optarena.isolation import syscalls
from runner import conf
from runner.errors import UnsuitableWorkerError
from runner.machines.machine import check_device

if TYPE_CHECKING:
    from runner.machines.presence import Presence


_log = structlog.get_logger(__name__)


@shared_task(name=conf.VERIFY_TASK, ignore_result=True, time_limit=conf.TASK_SECONDS)
def verify(verification_id: str, passed: int = 0) -> int:
    # The message is a hint: the id says why the worker was woken. It does not choose, since whoever asks last
    # must not be served first.
    # passed is how many workers had no use for this wake-up.
    # The web server publishes this task by its name and must not load the compiler's bindings for it.
    from runner.work.driver import drive, worker_name  # noqa: PLC0415 - only a worker needs the environments

    _log.debug("woken", verification=verification_id)
    carried = drive(worker=worker_name(), life=life(), is_stopping=is_stopping)
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
        wakeups.pass_on(wanted, life(), passed)


_present: list[Presence] = []
_lives: list[uuid.UUID] = []
# One byte that the pool's processes share with the worker: whether it was asked to stop.
_stopping = mmap(-1, 1)


def check_worker(*, hardware: str, queues: Collection[str], processes: int | str) -> None:
    # Such a worker would never be woken, or would measure two replays at once.
    queue = conf.queue_of(hardware)
    if queue not in queues:
        raise UnsuitableWorkerError(
            f"A worker of the hardware class {hardware!r} is woken by the queue {queue!r}, but this one "
            f"listens to {', '.join(map(repr, sorted(queues)))}. Start it with -Q {queue}, or set "
            "OPTARENA_HARDWARE_CLASS to the class of this machine."
        )
    if conf.is_exclusive(hardware) and processes != 1:
        raise UnsuitableWorkerError(
            f"A worker of the hardware class {hardware!r} does one replay at a time, but this one has the "
            f"concurrency {processes!r}. Start it with -c 1 and without --autoscale; a machine with several "
            "GPUs gets one worker for each, with CUDA_VISIBLE_DEVICES."
        )


@worker_init.connect
def refuse_unsuitable(sender: Any, **_: object) -> None:  # noqa: ANN401 - as Celery sends it
    # Celery passes on nothing less than an exit: after any other exception it would start the worker.
    _lives[:] = [uuid.uuid4()]  # before the pool's processes are forked, which thus know it
    try:
        _check(sender)
    except UnsuitableWorkerError as error:
        sys.exit(str(error))
    except Exception as error:  # noqa: BLE001 - whatever it is, the worker is unchecked
        sys.exit(f"This worker does not start: whether it suits its machine cannot be found out. {error!r}")
    # Replays take seconds, and pages milliseconds: a web server beside them would wait at each statement.
    syscalls.give_way()


def _check(worker: Any) -> None:  # noqa: ANN401 - Celery's own class
    autoscale = worker.options.get("autoscale")
    hardware = conf.own_hardware_class()
    check_worker(
        hardware=hardware,
        queues=set(worker.app.amqp.queues.consume_from),
        processes=f"autoscale {autoscale}" if autoscale else worker.concurrency,
    )
    check_device(hardware)


def life() -> uuid.UUID | None:
    return _lives[0] if _lives else None


@worker_shutting_down.connect
def stop_leasing(**_: object) -> None:
    # Celery waits only for what the pool's processes have begun.
    _stopping[0] = 1


def is_stopping() -> bool:
    return bool(_stopping[0])


@worker_ready.connect
def announce_worker(sender: Any, **_: object) -> None:  # noqa: ANN401 - as Celery sends it
    from runner.machines.presence import Presence  # noqa: PLC0415 - models exist only once Django is set up

    presence = Presence(sender.hostname, _processes(sender.controller), life())
    _present.append(presence)
    presence.start()


def _processes(worker: Any) -> int:  # noqa: ANN401 - Celery's own class
    # The most, where their number varies.
    autoscale = worker.options.get("autoscale")
    processes: int = autoscale[0] if autoscale else worker.concurrency
    return max(1, processes)


@worker_shutdown.connect
def dismiss_worker(**_: object) -> None:
    while _present:
        _present.pop().stop()
