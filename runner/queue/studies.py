"""Request studies, lease them to workers, and record their answers."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Q

from optarena.limits import INFRASTRUCTURE_RETRIES
from optarena.specs import actions_digest, canonical_json
from optarena.studies import Minimisation, TextDifference
from runner import conf
from runner.clock import database_now, storable
from runner.errors import LeaseLostError, StudiesFullError, StudyRefusedError
from runner.models import State, Study, StudyState, Verification
from runner.queue.leases import RETRIES_EXHAUSTED, backoff
from runner.queue.wakeups import own_digests, wake
from runner.selectors import able_runner, able_runners
from runner.work.confirmation import leasable, lines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

# Those that somebody asked for come first.
LINE: Final = ("automatic", "available_at", "id")


def identity_of(kind: Study.Kind, verification: Verification, steps: int) -> str:
    # Equal questions of any items have one answer.
    actions = [tuple(one) if isinstance(one, list) else one for one in verification.actions[:steps]]
    parts: list[Any] = [
        kind.value,
        verification.environment_digest,
        verification.benchmark_sha256,
        verification.hardware_class,
        actions_digest(actions, verification.action_space),
    ]
    if kind == Study.Kind.MINIMISED:
        parts += [verification.workloads_sha256, verification.wanted_metrics]
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def find_study(kind: Study.Kind, verification: Verification, steps: int) -> Study | None:
    # None also if the answer was not kept.
    return Study.objects.filter(identity=identity_of(kind, verification, steps)).first()


def read_answer(study: Study) -> TextDifference | Minimisation:
    # Raises ValueError if it is no answer: whatever a worker wrote must break nothing.
    if study.kind == Study.Kind.DIFFERENCE:
        return TextDifference.from_json(study.result)
    return Minimisation.from_json(study.result, actions=study.steps)


def is_answered(study: Study) -> bool:
    if study.state != StudyState.DONE:
        return False
    try:
        read_answer(study)
    except ValueError:
        return False
    return True


def place_in_line(study: Study) -> int | None:
    # From 1. Verifications come before all studies.
    if study.state != StudyState.QUEUED:
        return None
    before = Q(automatic__lt=study.automatic) | Q(
        Q(available_at__lt=study.available_at) | Q(available_at=study.available_at, pk__lt=study.pk),
        automatic=study.automatic,
    )
    queued = Study.objects.filter(state=StudyState.QUEUED, hardware_class=study.hardware_class)
    return 1 + queued.filter(before).count()


_UNFINISHED: Final = (StudyState.QUEUED, StudyState.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyLease:
    study_id: uuid.UUID
    token: uuid.UUID
    worker: str


@transaction.atomic
def request_study(
    *,
    kind: Study.Kind,
    verification: Verification,
    steps: int,
    automatic: bool = False,
    admit: Callable[[], None] = lambda: None,
) -> Study:
    # One that failed is tried again, and so is one whose answer cannot be read. admit is called once if
    # workers have to answer; what it raises undoes the request.
    identity = identity_of(kind, verification, steps)
    known = Study.objects.select_for_update(no_key=True).filter(identity=identity).first()
    if known is not None and known.verification_id != verification.pk:
        known.verification = verification  # the one before was superseded
        known.save(update_fields=["verification"])
    if known is not None and (known.state in _UNFINISHED or is_answered(known)):
        return known
    _check(verification, automatic=automatic)
    asked = {"kind": kind, "verification": verification, "steps": steps, "automatic": automatic}
    study, is_asked = _asked(identity, asked) if known is None else (_asked_again(known), True)
    if is_asked:
        admit()
        transaction.on_commit(partial(wake, study.pk, study.hardware_class), robust=True)
    return study


def _asked(identity: str, asked: Mapping[str, Any]) -> tuple[Study, bool]:
    # Somebody else may have requested it just now.
    now, verification = database_now(), asked["verification"]
    return Study.objects.get_or_create(
        identity=identity,
        defaults={
            **asked,
            "hardware_class": verification.hardware_class,
            "environment_digest": verification.environment_digest,
            "available_at": now,
            "created_at": now,
        },
    )


def _check(verification: Verification, *, automatic: bool) -> None:
    if verification.state != State.RECORDED:
        raise StudyRefusedError("Only a replay that recorded a result can be studied.")
    hardware, digest = verification.hardware_class, verification.environment_digest
    if not able_runners(hardware, digest=digest).exists():
        raise StudyRefusedError(
            f"No worker of the class {hardware} that is at work has version {digest[:12]} of the environment."
        )
    waiting = Study.objects.filter(hardware_class=hardware, state__in=_UNFINISHED)
    most = conf.STUDIES_WAITING // 10 if automatic else conf.STUDIES_WAITING
    if waiting.count() >= most:
        raise StudiesFullError(f"{most} questions wait for workers of the class {hardware}.")


def _asked_again(study: Study) -> Study:
    now = database_now()
    study.state, study.reason, study.detail, study.attempt = StudyState.QUEUED, "", "", 0
    study.available_at = study.created_at = now
    study.woken_at = study.finished_at = study.progress = study.result = None
    study.save()
    return study


def verification_waits() -> bool:
    # A long study gives way to it.
    free = Verification.objects.filter(
        state=State.QUEUED,
        hardware_class__in=lines(),
        available_at__lte=database_now(),
        environment_digest__in=own_digests(),
    )
    return leasable(free).exists()


@transaction.atomic
def lease_study(
    *, worker: str, life: uuid.UUID | None = None, now: datetime | None = None
) -> StudyLease | None:
    runner_id = None if life is None else able_runner(life)
    if life is not None and runner_id is None:
        return None
    at = now or database_now()
    free = Study.objects.filter(
        state=StudyState.QUEUED,
        hardware_class=conf.own_hardware_class(),
        environment_digest__in=own_digests(),
        available_at__lte=at,
    )
    locked = free.select_for_update(skip_locked=True, no_key=True, of=("self",)).order_by(*LINE)
    study = locked.only("pk").first()
    if study is None:
        return None
    token = uuid.uuid4()
    Study.objects.filter(pk=study.pk).update(
        state=StudyState.RUNNING,
        lease_token=token,
        lease_expires_at=at + conf.lease_time(),
        worker=worker,
        runner=runner_id,
    )
    return StudyLease(study_id=study.pk, token=token, worker=worker)


def renew_study(*, lease: StudyLease, now: datetime | None = None) -> None:
    _write(lease, lease_expires_at=(now or database_now()) + conf.lease_time())


def end_study(*, lease: StudyLease, result: Mapping[str, Any]) -> None:
    _release(
        lease, state=StudyState.DONE, result=storable(dict(result)), progress=None, finished_at=database_now()
    )


def fail_study(*, lease: StudyLease, reason: str, detail: str) -> None:
    _release(lease, **_failed(reason, detail, database_now()))


def interrupt_study(*, lease: StudyLease, progress: Mapping[str, Any]) -> None:
    # Others go on; it continues later from where it is.
    _release(lease, state=StudyState.QUEUED, progress=dict(progress), available_at=database_now())


def give_back_study(*, lease: StudyLease, reason: str, detail: str) -> None:
    attempt = Study.objects.filter(pk=lease.study_id).values_list("attempt", flat=True).first() or 0
    _release(lease, **_given_back(attempt, reason, detail, database_now()))


def _given_back(attempt: int, reason: str, detail: str, now: datetime) -> dict[str, Any]:
    if attempt >= INFRASTRUCTURE_RETRIES:
        return _failed(reason, detail, now)
    return {"state": StudyState.QUEUED, "attempt": attempt + 1, "available_at": now + backoff(attempt)}


def _failed(reason: str, detail: str, now: datetime) -> dict[str, Any]:
    return {
        "state": StudyState.FAILED,
        "reason": reason,
        "detail": storable(detail),
        "progress": None,
        "finished_at": now,
    }


def _release(lease: StudyLease, **values: Any) -> None:  # noqa: ANN401 - of any column
    _write(lease, lease_token=None, lease_expires_at=None, **values)


def _write(lease: StudyLease, **values: Any) -> None:  # noqa: ANN401 - as above
    rows = Study.objects.filter(pk=lease.study_id, lease_token=lease.token)
    if not rows.update(**values):
        raise LeaseLostError(f"The study {lease.study_id} is no longer leased to {lease.worker}.")


def sweep_studies(*, now: datetime) -> int:
    return _take_back(now) + _wake_first(now) + _forget(now)


def _take_back(now: datetime) -> int:
    lost = Study.objects.filter(state=StudyState.RUNNING, lease_expires_at__lte=now)
    number = 0
    for study in lost.only("attempt", "lease_token", "worker"):
        detail = f"Worker {study.worker} did not renew its lease."
        values = _given_back(study.attempt, RETRIES_EXHAUSTED, detail, now)
        rows = lost.filter(pk=study.pk, lease_token=study.lease_token)
        number += rows.update(lease_token=None, lease_expires_at=None, **values)
    return number


def _wake_first(now: datetime) -> int:
    # A woken worker goes on with the others by itself, so one wake-up for each class is enough.
    queued = Study.objects.filter(state=StudyState.QUEUED, available_at__lte=now)
    number = 0
    for hardware in queued.order_by().values_list("hardware_class", flat=True).distinct():
        first = queued.filter(hardware_class=hardware).order_by(*LINE).only("woken_at").first()
        late = now - conf.wake_again()
        if first is None or (first.woken_at is not None and first.woken_at > late):
            continue
        if able_runners(hardware, now=now).exists() and wake(first.pk, hardware):
            number += Study.objects.filter(pk=first.pk).update(woken_at=now)
    return number


def _forget(now: datetime) -> int:
    # What was minimised is short, and stays.
    ended = Study.objects.filter(kind=Study.Kind.DIFFERENCE, finished_at__isnull=False)
    old = ended.filter(finished_at__lte=now - conf.difference_time()).order_by("finished_at")
    keys = list(old.values_list("pk", flat=True)[: conf.STUDIES_SWEPT])
    kept = conf.differences_kept()
    many = ended.order_by("-finished_at", "pk").values_list("pk", flat=True)
    keys += list(many[kept : kept + conf.STUDIES_SWEPT])
    vain = Study.objects.filter(state=StudyState.QUEUED, created_at__lte=now - conf.difference_time())
    keys += list(vain.values_list("pk", flat=True)[: conf.STUDIES_SWEPT])
    return Study.objects.filter(pk__in=keys).delete()[0] if keys else 0
