"""Judge attempts: which failures count, which show a sick worker, and which machine works next.

Which machines work on a verification next, where its measurement has two parts.

Workers for CPUs replay and check what waits for a device, and prepare its measurement
(``optarena.specs.PreparedMeasure``). Then it waits for a worker with the device, in the same place of the
same line.
"""

from __future__ import annotations

import errno
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet

from optarena import errors
from optarena.specs import EnvironmentSpec, PreparedMeasure, environment_specs
from optarena.specs.results import UNSTEADY, ReplayResult, reason
from runner import conf
from runner.errors import EnvironmentChangedError, MachineBusyError, MachineLockError
from runner.models import AttemptDecision, Verification
from runner.queue.work import PlayedState

MACHINE_BUSY: Final = "infra:machine-busy"
UNREPEATABLE: Final = "infra:unrepeatable"
# Families of reasons that a sick or busy machine may cause as well: a failure for one must repeat.
SUSPECTED: Final = frozenset({"env", "semantics", "benchmark"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    # The end of one attempt, as far as decisions depend on it. idle: it was alone on its machine, and the
    # machine had nothing else to do.
    reason: str = ""
    failed_step: int | None = None
    time_factor: float = 1.0
    idle: bool = False

    @property
    def family(self) -> str:
        return self.reason.partition(":")[0]

    @property
    def timed(self) -> bool:
        # A busy machine causes that as well.
        return bool(self.reason) and reason(self.reason).timed


@dataclass(frozen=True, slots=True)
class Ruling:
    decision: AttemptDecision
    reason: str = ""


def decide(suspicions: Sequence[Trial], this: Trial) -> Ruling:
    # A failure is final if one that awaits confirmation was the same. One for lack of time must have happened
    # on an idle machine, with longer limits. Since such a failure hides what would have come later, whatever
    # the longer limits bring to light is a suspicion of its own.
    if not this.reason:
        return Ruling(AttemptDecision.RECORD)
    if this.family == "infra":
        return Ruling(AttemptDecision.GIVE_BACK, this.reason)
    return _judge(suspicions, this) if this.family in SUSPECTED else Ruling(AttemptDecision.FAIL, this.reason)


def _judge(suspicions: Sequence[Trial], this: Trial) -> Ruling:
    is_weak = this.timed and this.time_factor == 1.0
    if this.timed and not is_weak and not this.idle:
        return Ruling(AttemptDecision.GIVE_BACK, MACHINE_BUSY)
    if not suspicions or is_weak:
        return Ruling(AttemptDecision.CONFIRM)
    if any(_alike(one, this) for one in suspicions):
        return Ruling(AttemptDecision.FAIL, this.reason)
    if suspicions[-1].timed and this.time_factor > suspicions[-1].time_factor:
        return Ruling(AttemptDecision.CONFIRM)
    return Ruling(AttemptDecision.GIVE_BACK, UNREPEATABLE)


def _alike(earlier: Trial, this: Trial) -> bool:
    if earlier.reason != this.reason:
        return False
    if earlier.failed_step is None or this.failed_step is None:
        return earlier.failed_step == this.failed_step
    # With more time the same sequence comes further before its time is up.
    has_more_time = this.timed and this.time_factor > earlier.time_factor
    came_further = this.failed_step > earlier.failed_step
    return this.failed_step == earlier.failed_step or (has_more_time and came_further)


def needs_idle_machine(suspicions: Iterable[Trial]) -> bool:
    return any(one.timed for one in suspicions)


def open_suspicions(trials: Iterable[Trial]) -> list[Trial]:
    # A failure of the infrastructure says nothing about the suspicions. After one that could not be repeated,
    # everything begins anew.
    suspicions: list[Trial] = []
    for trial in trials:
        ruling = decide(suspicions, trial)
        if ruling.decision == AttemptDecision.CONFIRM:
            suspicions.append(trial)
        elif ruling.reason == UNREPEATABLE:
            suspicions.clear()
    return suspicions


_ERRNOS: Final = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
    }
)
_SETTING: Final = "OPTARENA_"
SANDBOX_UNAVAILABLE: Final = "infra:sandbox-unavailable"
DEVICE_UNAVAILABLE: Final = "infra:device-unavailable"
UNHEALTHY: Final = "infra:worker-unhealthy"
ENVIRONMENT_CHANGED: Final = "infra:environment-changed"
# Reasons after which a worker cannot work at all.
OF_THE_WORKER: Final = frozenset({SANDBOX_UNAVAILABLE, DEVICE_UNAVAILABLE, UNHEALTHY})
# Reasons that say more about the work than about the worker that met them.
OF_THE_WORK: Final = frozenset(
    {
        "infra:compile-timeout",
        ENVIRONMENT_CHANGED,
        "infra:machine-busy",
        "infra:memory-limit",
        "infra:unrepeatable",
    }
)


def is_worker_fault(error: BaseException) -> bool:
    # Also if an error that it was raised from is about the worker's folders, files or processes.
    return any(_is_of_the_worker(one) for one in _chain(error))


def _is_of_the_worker(error: BaseException) -> bool:
    if isinstance(error, errors.InvalidInput):
        return error.field.startswith(_SETTING)
    return isinstance(error, OSError) and error.errno in _ERRNOS


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__


INTERNAL: Final = "infra:internal"
_FAULTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (errors.SandboxUnavailable, SANDBOX_UNAVAILABLE),
    (errors.DeviceBusy, MACHINE_BUSY),  # by others, so this worker is not sick
    (errors.DeviceUnavailable, DEVICE_UNAVAILABLE),
    (EnvironmentChangedError, ENVIRONMENT_CHANGED),
    (errors.ToolMissing, "infra:toolchain-missing"),
    (MachineBusyError, MACHINE_BUSY),
    (MachineLockError, UNHEALTHY),
)


def spec_of(row: Verification | PlayedState) -> EnvironmentSpec:
    # That of its name, or another one of equal version.
    name = row.environment if isinstance(row, PlayedState) else row.environment_version.env_id
    digest = row.environment_digest
    equal = {spec.slug: spec for spec in environment_specs() if spec.digest == digest}
    if not equal:
        raise EnvironmentChangedError(f"This worker does not have version {digest[:12]} of {name}.")
    return equal.get(name) or next(iter(equal.values()))


def fault_reason(error: Exception) -> str:
    # The reason of its cause, if this worker is sick.
    known = next((reason for kind, reason in _FAULTS if isinstance(error, kind)), None)
    if known is not None:
        return known
    if is_worker_fault(error):
        return UNHEALTHY
    return error.reason if isinstance(error, errors.InfrastructureFault) else INTERNAL


# The reason of the event with which a prepared verification waits again; nothing has failed.
HANDED_OVER: Final = "prepared"
# The reason of the event with which a failure on the device waits for its confirmation with a new job: what
# was prepared may be at fault.
PREPARED_ANEW: Final = "prepare-again"
# Reasons of events after which a waiting verification is prepared and measured from its beginning.
DISCARDING: Final = frozenset({ENVIRONMENT_CHANGED, UNREPEATABLE, PREPARED_ANEW})
# Reasons of events after which no block is kept. On an unsteady machine most blocks were beyond the limits,
# so their median does not tell which of them were good.
REMEASURING: Final = DISCARDING | {UNSTEADY}
# Reasons of events with which a verification waits again, but not because the infrastructure failed.
NOT_INTERRUPTED: Final = frozenset({HANDED_OVER, PREPARED_ANEW})


def is_handed_over(row: Verification, spec: EnvironmentSpec) -> bool:
    return isinstance(spec.measure, PreparedMeasure) and row.hardware_class != conf.own_hardware_class()


def readable(prepared: Mapping[str, Any], spec: EnvironmentSpec) -> tuple[ReplayResult, Mapping[str, Any]]:
    if not isinstance(spec.measure, PreparedMeasure):
        raise EnvironmentChangedError(f"{spec.slug} was prepared, and has no measurement in two parts here.")
    try:
        return ReplayResult.from_json(prepared["result"]), prepared["job"]
    except (KeyError, ValueError) as error:
        raise EnvironmentChangedError(f"What was prepared for {spec.slug} cannot be read: {error}") from error


def waits_for(row: Verification) -> str:
    is_split = row.hardware_class in conf.device_classes() and row.environment_digest in _split_digests()
    return conf.preparing_class() if is_split and row.prepared is None else row.hardware_class


def unprepared() -> Q:
    return Q(hardware_class__in=conf.device_classes()) & _not_prepared()


def leasable(rows: QuerySet[Verification]) -> QuerySet[Verification]:
    own = conf.own_hardware_class()
    if conf.is_exclusive(own):
        return rows.filter(Q(hardware_class=own) & ~_not_prepared())
    return rows.filter(Q(hardware_class=own) | unprepared())


def lines() -> list[str]:
    own = conf.own_hardware_class()
    if conf.is_exclusive(own) or not _split_digests():
        return [own]
    every = [own, *conf.device_classes()]
    return random.sample(every, len(every))


def parts(hardware_class: str, rows: QuerySet[Verification]) -> Iterator[tuple[str, QuerySet[Verification]]]:
    if hardware_class not in conf.device_classes() or not _split_digests():
        yield hardware_class, rows
        return
    yield hardware_class, rows.exclude(_not_prepared())
    yield conf.preparing_class(), rows.filter(_not_prepared())


def _not_prepared() -> Q:
    return Q(environment_digest__in=_split_digests(), prepared__isnull=True)


def _split_digests() -> list[str]:
    return sorted({spec.digest for spec in environment_specs() if isinstance(spec.measure, PreparedMeasure)})
