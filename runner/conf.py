"""The runner's numbers: time-outs, other constants, and those that an operator sets (from settings)."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.conf import settings

from optarena import limits
from optarena.specs import DeviceSpec, device_spec
from optarena.specs.environment import CPU
from runner.errors import UnknownDeviceError

VERIFY_TASK: Final = "runner.tasks.verify"

# Time-outs and intervals. docs/04-operating.md lists those that an operator meets.

# Progress is only shown on a page, so it is written at most this often; and the first heartbeat and the first
# phase wait for so long, since most replays of small programs end before.
PROGRESS_SECONDS: Final = 1.0
# One wake-up leases more work for so long: it bounds how long a task takes, so that Celery can stop a worker.
DRAIN_SECONDS: Final = 60.0
# A task that takes longer is killed, as the last resort. A replay is only asked to stop between two actions,
# workloads, metrics or blocks, so one that began just before the deadline runs to its end; and the session
# needs a minute to start and to end. One lease has at most two attempts with the usual limits and two with
# longer ones (runner.work.confirmation).
_LONGEST_PART: Final = max(
    limits.ACTION_WALL_SECONDS,
    limits.WORKLOAD_SECONDS,
    limits.BLOCK_SECONDS,
    int(limits.wall_seconds(limits.CODE_CPU_SECONDS)),
)
TASK_SECONDS: Final = int(DRAIN_SECONDS) + 2 * (1 + limits.CONFIRMATION_TIME_FACTOR) * (
    limits.REPLAY_SECONDS + 2 * _LONGEST_PART + 60
)
# After this time a minimisation lets other studies go on: a difference takes seconds.
STUDY_SLICE_SECONDS: Final = 20.0
# A study looks this often whether a verification waits: a look is a query, and a trial may be shorter.
STUDY_GLANCE_SECONDS: Final = 0.05
# For so long a worker waits out errors of the database when it reads its work: the work may cause them.
READ_SECONDS: Final = 300.0
# Between two tries of a worker whose database does not answer: a restart takes a few seconds.
DATABASE_RETRY_SECONDS: Final = 1.0
# For a connection of a worker's main process, whose next heartbeat tries again.
DATABASE_CONNECT_SECONDS: Final = 5
# Between two looks at whether a replay has the machine for itself: a look opens a file.
MACHINE_RETRY_SECONDS: Final = 0.2
# The same for a replay that has its turn, and so should begin at once.
MACHINE_POLL_SECONDS: Final = 0.05
# For so long a worker measures how busy its machine is: a shorter time would tell of single processes.
IDLE_SAMPLE_SECONDS: Final = 1.0
# A stopping worker waits so long for its last report; without it, it counts as lost after a lease's time.
STOP_SECONDS: Final = 5.0

# Wait before the first retry of a replay that failed because of the infrastructure; doubles each time.
RETRY_BACKOFF: Final = timedelta(seconds=5)
# The wait before any retry is at most this, so that work goes on soon after a long failure.
LONGEST_BACKOFF: Final = timedelta(minutes=10)
# The sweeper looks this often for ends that restricted workers recorded: their verdicts wait for it.
ANNOUNCE_SECONDS: Final = 2.0
# A pass of the sweeper that takes longer counts as stuck: to draw an entry's programs may take minutes.
LONGEST_PASS_SECONDS: Final = 300.0

# For an answer of the broker: a request waits for it.
BROKER_TIMEOUT_SECONDS: Final = 1.0
# After a wake-up could not be sent, no other is tried for this long: no request waits twice.
BROKER_PAUSE_SECONDS: Final = 5.0
# A class without a live worker is sent at most one wake-up in this time: the broker keeps all of them.
WAKE_UNSEEN_AGAIN: Final = timedelta(hours=1)
# Before a wake-up that a worker had no use for reaches the next one, which may be busy for a moment.
PASSED_ON_AFTER: Final = timedelta(seconds=2)

# For how long a starting worker waits for its GPU's answer; loading a driver takes a while.
DEVICE_SECONDS: Final = 120.0
# For nvidia-smi -L, which loads the driver too; a machine can be described without it.
DEVICE_LIST_SECONDS: Final = 20.0
# For how long a worker's test of itself may take; it takes a second or two unless the machine is busy.
SELF_TEST_SECONDS: Final = 60.0
# For how long a calibration may take; it takes about two seconds unless the machine is busy.
CALIBRATION_SECONDS: Final = 120.0
# For how long a calibration waits for other measurements of the machine to end.
CALIBRATION_QUEUE_SECONDS: Final = 20.0
# Before a calibration that shows a change is repeated: a short disturbance ends meanwhile.
CALIBRATION_PAUSE_SECONDS: Final = 2.0
# Before a calibration that failed, or found others measuring, is tried again.
CALIBRATION_RETRY_SECONDS: Final = 600.0
# A pause this long after the one before counts as the first.
PAUSE_REMEMBERED: Final = timedelta(minutes=10)
# For how long the row of a runner that has ended is kept.
RUNNER_KEPT: Final = timedelta(days=30)

# Wake-ups sent for work that was requested together, and the most that wait for one queue of workers; enough
# for the workers of several machines.
WAKE_AT_ONCE: Final = 32
# Wake-ups sent again in one pass; a woken worker goes on with the rest of the queue by itself.
WAKE_AGAIN_BATCH: Final = 10
# A wake-up that so many workers had no use for is dropped. While all who could use it are busy, it would go
# round among the others, and so would those that the sweeper sends meanwhile.
PASSED_ON_AT_MOST: Final = 10
# The wait before a paused worker tests itself again: a heartbeat's, doubled after each test that failed.
SELF_TEST_DOUBLINGS: Final = 6
# The same wait doubles as often for a worker that passes its tests and still pauses again and again.
PAUSE_DOUBLINGS: Final = 2
# A worker pauses when so many different verifications in a row failed there for `infra:` reasons.
FAULTS_IN_A_ROW: Final = 3
# So often work is queued again at no attempt's cost; then it may be the work that makes workers pause.
SPARED_AT_MOST: Final = 5
# Studies of one hardware class that wait or run. An owner may have half of what others have left, and one in
# any case; automatic ones are requested up to a tenth of it.
STUDIES_WAITING: Final = 200
# Differences that one pass of the sweeper deletes at most.
STUDIES_SWEPT: Final = 500


def hardware_class(device: str = CPU) -> str:
    """The hardware class for this installation's verifications on a kind of device."""
    if device == CPU:
        return own_hardware_class()
    classes: dict[str, str] = settings.OPTARENA_HARDWARE_CLASSES
    if device not in classes:
        raise UnknownDeviceError(device, sorted([CPU, *classes]))
    return classes[device]


def preparing_class() -> str:
    # A worker for a device does not know the name of this class, and names those workers by their queue.
    own = own_hardware_class()
    return CPU if is_exclusive(own) else own


def device_classes() -> list[str]:
    return sorted(settings.OPTARENA_HARDWARE_CLASSES.values())


def own_hardware_class() -> str:
    return str(settings.OPTARENA_HARDWARE_CLASS)


def is_exclusive(hardware: str) -> bool:
    # A second replay would change the times of the first.
    return device_of(hardware) is not None


def device_of(hardware: str) -> DeviceSpec | None:
    return device_spec(queue_of(hardware))


def imitated_device() -> DeviceSpec | None:
    device = device_of(own_hardware_class())
    return device if device and device.is_imitated else None


def queue_of(hardware: str) -> str:
    # What follows the last dash: cpu of x86_64-cpu.
    return hardware.rpartition("-")[2]


def lease_time() -> timedelta:
    return timedelta(seconds=settings.OPTARENA_LEASE_SECONDS)


def heartbeat_seconds() -> float:
    return min(float(settings.OPTARENA_HEARTBEAT_SECONDS), settings.OPTARENA_LEASE_SECONDS / 3)


def calibration_seconds() -> float:
    return float(settings.OPTARENA_CALIBRATION_SECONDS)


def idle_pressure() -> float:
    # The share of time, in percent, in which others may wait for a processor on an idle machine.
    return float(settings.OPTARENA_IDLE_PRESSURE)


def idle_wait_seconds() -> float:
    return float(settings.OPTARENA_IDLE_WAIT_SECONDS)


def first_blocks() -> int:
    return int(settings.OPTARENA_FIRST_BLOCKS)


def replay_memory_bytes() -> int:
    return int(settings.OPTARENA_REPLAY_MEMORY_MB) << 20


def budget_seconds() -> int:
    return int(settings.OPTARENA_BUDGET_SECONDS)


def budget_window() -> int:
    # Seconds; a budget used up is whole again after this time.
    return 3600 * int(settings.OPTARENA_BUDGET_HOURS)


def studies_of_owner(others: int) -> int:
    # How many of an owner's may wait while so many of others do.
    return max(1, (STUDIES_WAITING - others) // 2)


def difference_time() -> timedelta:
    return timedelta(days=settings.OPTARENA_DIFFERENCE_DAYS)


def sweep_seconds() -> float:
    return float(settings.OPTARENA_SWEEP_SECONDS)


def wake_again() -> timedelta:
    # A wake-up this old, of a verification that is still queued, counts as lost.
    return timedelta(seconds=2 * sweep_seconds())
