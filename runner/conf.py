"""The runner's numbers: those that an operator sets (from settings) and constants."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings

from optarena.specs import DeviceSpec, device_spec
from optarena.specs.environment import CPU
from runner.errors import UnknownDeviceError

VERIFY_TASK: Final = "runner.tasks.verify"

RETRY_BACKOFF: Final = timedelta(seconds=5)
"""Wait before the first retry of a replay that failed because of the infrastructure; doubles each time."""

LONGEST_BACKOFF: Final = timedelta(minutes=10)
"""The wait before any retry is at most this."""

WAKE_AT_ONCE: Final = 32
"""Wake-ups sent for work that was requested together, and the most that wait for one queue of workers; enough
for the workers of several machines."""

WAKE_AGAIN_BATCH: Final = 10
"""Wake-ups sent again in one pass; a woken worker goes on with the rest of the queue by itself."""

WAKE_UNSEEN_AGAIN: Final = timedelta(hours=1)
"""A class without a live worker is sent at most one wake-up in this time: the broker keeps all of them."""

ANNOUNCE_SECONDS: Final = 2.0
"""The sweeper looks for ends that restricted workers recorded this often."""

READ_SECONDS: Final = 300.0
"""For so long a worker waits out errors of the database when it reads its work: the work may cause them."""
LONGEST_PASS_SECONDS: Final = 300.0
"""A pass of the sweeper that takes longer counts as stuck: to draw an entry's programs may take minutes."""

DRAIN_SECONDS: Final = 60.0
"""For how long one wake-up may lease more work, which bounds how long a task takes."""

PROGRESS_SECONDS: Final = 1.0
"""Progress counters are written at most this often."""

DATABASE_RETRY_SECONDS: Final = 1.0
MACHINE_RETRY_SECONDS: Final = 0.2
"""Between two looks at whether a replay has the machine for itself."""

BROKER_TIMEOUT_SECONDS: Final = 1.0
BROKER_PAUSE_SECONDS: Final = 5.0
"""After a wake-up could not be sent, no other is tried for this long: no request waits twice."""

DEVICE_SECONDS: Final = 120.0
"""For how long a starting worker waits for its GPU's answer; loading a driver takes a while."""

SELF_TEST_SECONDS: Final = 60.0
"""For how long a worker's test of itself may take; it takes a second or two unless the machine is busy."""

CALIBRATION_SECONDS: Final = 120.0
"""For how long a calibration may take; it takes about two seconds unless the machine is busy."""

CALIBRATION_QUEUE_SECONDS: Final = 20.0
"""For how long a calibration waits for other measurements of the machine to end."""

CALIBRATION_PAUSE_SECONDS: Final = 2.0
"""Before a calibration that shows a change is repeated: a short disturbance ends meanwhile."""

CALIBRATION_RETRY_SECONDS: Final = 600.0
"""Before a calibration that failed, or found others measuring, is tried again."""

SELF_TEST_DOUBLINGS: Final = 6
"""The wait before a paused worker tests itself again: a heartbeat's, doubled after each test that failed."""

PAUSE_DOUBLINGS: Final = 2
"""The same wait doubles as often for a worker that passes its tests and still pauses again and again."""

PAUSE_REMEMBERED: Final = timedelta(minutes=10)
"""A pause this long after the one before counts as the first."""

FAULTS_IN_A_ROW: Final = 3
"""A worker pauses when so many different verifications in a row failed there for `infra:` reasons."""

SPARED_AT_MOST: Final = 5
"""So often work is queued again at no attempt's cost; then it may be the work that makes workers pause."""

PASSED_ON_AFTER: Final = timedelta(seconds=2)
"""Wait before a wake-up that a worker had no use for reaches the next one."""

PASSED_ON_AT_MOST: Final = 10
"""Then a wake-up is dropped. While all workers that could use it are busy, it would go round among the
others, and so would those that the sweeper sends meanwhile."""

STUDY_SLICE_SECONDS: Final = 20.0
"""After this time a minimisation lets other studies go on, and goes on after them."""

STUDY_GLANCE_SECONDS: Final = 0.5
"""A minimisation looks this often whether a verification waits, and gives way to it."""

STUDIES_WAITING: Final = 200
"""Studies of one hardware class that wait or run; automatic ones are requested up to a tenth of it."""

STUDIES_SWEPT: Final = 500
"""Differences that one pass of the sweeper deletes at most."""

RUNNER_KEPT: Final = timedelta(days=30)
"""For how long the row of a runner that has ended is kept."""


def hardware_class(device: str = CPU) -> str:
    """The hardware class for this installation's verifications on a kind of device.

    Raises:
        UnknownDeviceError: No runner has such a device.
    """
    if device == CPU:
        return own_hardware_class()
    classes: dict[str, str] = settings.OPTARENA_HARDWARE_CLASSES
    if device not in classes:
        raise UnknownDeviceError(device, sorted([CPU, *classes]))
    return classes[device]


def preparing_class() -> str:
    """The hardware class of the workers that prepare what waits for a device.

    A worker for a device does not know its name, and names those workers by their queue.
    """
    own = own_hardware_class()
    return CPU if is_exclusive(own) else own


def device_classes() -> list[str]:
    """The hardware classes of this installation's verifications on devices other than CPUs."""
    classes: dict[str, str] = settings.OPTARENA_HARDWARE_CLASSES
    return sorted(classes.values())


def own_hardware_class() -> str:
    """The class of this machine: a worker leases only work of its class."""
    name: str = settings.OPTARENA_HARDWARE_CLASS
    return name


def is_exclusive(hardware: str) -> bool:
    """Whether machines of this class do one replay at a time, since a second one would change its times."""
    return device_of(hardware) is not None


def device_of(hardware: str) -> DeviceSpec | None:
    """The device of machines of this class; None for CPUs."""
    return device_spec(queue_of(hardware))


def imitated_device() -> DeviceSpec | None:
    """The device of this worker's class, if the worker is configured to emulate it."""
    device = device_of(own_hardware_class())
    return device if device and device.is_imitated else None


def queue_of(hardware: str) -> str:
    """The broker's queue for a hardware class: what follows its last dash (``x86_64-cpu``: ``cpu``)."""
    return hardware.rpartition("-")[2]


def lease_time() -> timedelta:
    """The time that a lease lasts without a heartbeat."""
    return timedelta(seconds=settings.OPTARENA_LEASE_SECONDS)


def heartbeat_seconds() -> float:
    """The time between two heartbeats, at most a third of the lease."""
    return min(float(settings.OPTARENA_HEARTBEAT_SECONDS), settings.OPTARENA_LEASE_SECONDS / 3)


def calibration_seconds() -> float:
    """The time between two calibrations of a worker; 0 is none at all."""
    return float(settings.OPTARENA_CALIBRATION_SECONDS)


def idle_pressure() -> float:
    """The share of time, in percent, in which others may wait for a processor on an idle machine."""
    return float(settings.OPTARENA_IDLE_PRESSURE)


def idle_wait_seconds() -> float:
    """For how long a repeated replay waits until its machine is idle."""
    return float(settings.OPTARENA_IDLE_WAIT_SECONDS)


def replay_memory_bytes() -> int:
    """The memory that all processes of a replay may use together, where the machine can limit it."""
    return int(settings.OPTARENA_REPLAY_MEMORY_MB) << 20


def budget_seconds() -> int:
    """The seconds of workers that a payer may use in a window."""
    seconds: int = settings.OPTARENA_BUDGET_SECONDS
    return seconds


def budget_window() -> int:
    """The window of a budget, in seconds: a budget used up is whole again after this time."""
    return 3600 * int(settings.OPTARENA_BUDGET_HOURS)


def difference_time() -> timedelta:
    """For how long the difference that a step makes is kept."""
    return timedelta(days=settings.OPTARENA_DIFFERENCE_DAYS)


def differences_kept() -> int:
    """How many differences are kept at most; the newest stay."""
    return int(settings.OPTARENA_DIFFERENCES_KEPT)


def sweep_seconds() -> float:
    """The time between two passes of the sweeper."""
    return float(settings.OPTARENA_SWEEP_SECONDS)


def wake_again() -> timedelta:
    """A wake-up this old, of a verification that is still queued, counts as lost."""
    return timedelta(seconds=2 * sweep_seconds())
