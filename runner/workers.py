"""Start and end of a Celery worker: checks that it suits its machine, and reports that it is live."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from celery.signals import worker_init, worker_ready, worker_shutdown

from optarena.service.processes import bounded
from optarena.service.processes.folders import importing_environment
from runner import conf
from runner.errors import UnsuitableWorkerError

if TYPE_CHECKING:
    from collections.abc import Collection

    from runner.presence import Presence

_ASK_FOR_DEVICE: Final = """
import sys
from optarena.errors import DeviceUnavailable
from optarena.specs.loading import load
try:
    load(sys.argv[1])()
except DeviceUnavailable as error:
    sys.exit(str(error))
"""
_LAST_WORDS: Final = 2000
_present: list[Presence] = []


def check_worker(*, hardware: str, queues: Collection[str], processes: int | str) -> None:
    """Refuse a worker that would never be woken, or that would measure two replays at once.

    Args:
        hardware: The hardware class of its machine.
        queues: The queues that it listens to.
        processes: The number of tasks that it may do at once; Celery also has ``auto``.

    Raises:
        UnsuitableWorkerError: It does not suit its class; the message has the right options.
    """
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


def check_device(hardware: str) -> None:
    """Refuse a worker whose device cannot be used: it would take all the work of its class and fail.

    A child process tests the device, since the test initialises CUDA, and a process that forks must not have
    done that.

    Args:
        hardware: The hardware class of its machine.

    Raises:
        UnsuitableWorkerError: The device cannot be used; the message says what is missing and what to do.
    """
    device = conf.device_of(hardware)
    if device is None or device.is_imitated:
        return
    try:
        asked = bounded.run(  # started like a measurement, so that it finds the same libraries
            [sys.executable, "-s", "-P", "-c", _ASK_FOR_DEVICE, device.check],
            seconds=conf.DEVICE_SECONDS,
            environment=importing_environment(),
            directory="/",
        )
    except TimeoutError:
        problem = f"The driver did not answer within {conf.DEVICE_SECONDS:g} s; see nvidia-smi."
    else:
        if asked.code == 0:
            return
        problem = asked.said.strip()[-_LAST_WORDS:] or f"The device's check ended with code {asked.code}."
    raise UnsuitableWorkerError(
        f"A worker of the hardware class {hardware!r} cannot work here. {problem} Fix this and start it "
        "again; its work stays in the queue."
    )


@worker_init.connect
def refuse_unsuitable(sender: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG001 - as Celery sends it
    """End a worker before it starts where it does not fit its machine."""
    autoscale = sender.options.get("autoscale")
    hardware = conf.own_hardware_class()
    try:
        check_worker(
            hardware=hardware,
            queues=set(sender.app.amqp.queues.consume_from),
            processes=f"autoscale {autoscale}" if autoscale else sender.concurrency,
        )
        check_device(hardware)
    except UnsuitableWorkerError as error:
        sys.exit(str(error))  # the signal's sender passes on nothing less


@worker_ready.connect
def appear(sender: Any, **kwargs: Any) -> None:  # noqa: ANN401, ARG001 - as Celery sends it
    """Report that the worker is live, from now on."""
    from runner.presence import Presence  # noqa: PLC0415 - models exist only once Django is set up

    presence = Presence(sender.hostname)
    _present.append(presence)
    presence.start()


@worker_shutdown.connect
def disappear(**kwargs: Any) -> None:  # noqa: ANN401, ARG001 - as Celery sends it
    """Report that it ends."""
    while _present:
        _present.pop().stop()
