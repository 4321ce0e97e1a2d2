"""Request studies, record their answers, and sweep them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, lru_cache, partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models.expressions import RawSQL

from datasets.bulk_inserts import insert_rows
from optarena.specs import actions_digest, canonical_json
from optarena.specs.board import finite_number
from optarena.specs.results import ReplayResult
from optarena.studies import LookAheadResult, Minimisation, TextDifference
from runner import conf
from runner.database import database_now, read_rows, storable
from runner.errors import StudiesFullError, StudyRefusedError
from runner.models import Payer, State, Study, StudyState, Verification
from runner.queue import demands
from runner.queue.leases import RETRIES_EXHAUSTED, Lease, give_back, release_study, write_back
from runner.queue.wakeups import free_verifications, wake
from runner.queue.work import PlayedState
from runner.selectors import able_runners


def identity_of(kind: Study.Kind, subject: Verification | PlayedState, steps: int) -> str:
    # Equal questions of any items, or of any players, have one answer.
    actions = [tuple(one) if isinstance(one, list) else one for one in subject.actions[:steps]]
    parts: list[Any] = [
        kind.value,
        subject.environment_digest,
        subject.benchmark_sha256,
        subject.hardware_class,
        actions_digest(actions, subject.action_space),
    ]
    if kind in (Study.Kind.MINIMISED, Study.Kind.OUTPUTS):
        parts.append(subject.workloads_sha256)
    if isinstance(subject, PlayedState):
        parts.append(subject.environment)  # equal versions may show other costs
        if kind == Study.Kind.LOOK_AHEAD and subject.candidates is not None:
            parts.append(actions_digest(subject.candidates, subject.action_space))
    elif kind == Study.Kind.MINIMISED:
        parts.append(subject.wanted_metrics)
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()


def find_study(kind: Study.Kind, subject: Verification | PlayedState, steps: int) -> Study | None:
    # None also if the answer was not kept.
    return Study.objects.filter(identity=identity_of(kind, subject, steps)).first()


class Look(NamedTuple):
    # A question about a state that is played, without the answer, which is long and is read when it is asked
    # for. What is found is something else once ``xmin`` is. ``position`` is its place in line, from 1.
    pk: UUID
    identity: str
    state: str
    reason: str
    detail: str
    attempt: int
    created_at: datetime
    xmin: str
    has_found: bool
    position: int | None


def find_looks(asked: Sequence[tuple[Study.Kind, PlayedState]]) -> list[Look | None]:
    # In the order of the questions, by one query.
    wanted = [identity_of(kind, played, len(played.actions)) for kind, played in asked]
    known = {row.identity: row for row in read_looks(identities=wanted)}
    return [known.get(identity) for identity in wanted]


# Pages that wait ask for it all the time, and to have Django write it takes longer than PostgreSQL to answer.
_LOOKS: Final = """
SELECT id, identity, state, reason, detail, attempt, created_at, xmin::text,
num_nonnulls(progress, result) > 0, CASE state WHEN 'queued' THEN array_position(ARRAY({line}), id) END
FROM runner_study AS look WHERE identity = ANY(%s) OR id = ANY(%s::uuid[])
"""


def read_looks(*, identities: Sequence[str] = (), ids: Sequence[str] = ()) -> list[Look]:
    sql, values = _looks()
    return [Look._make(row) for row in read_rows(sql, (*values, list(identities), list(ids)))]


@cache
def _looks() -> tuple[str, tuple[Any, ...]]:
    of_its_class = RawSQL("look.hardware_class", ())
    queued = Study.objects.filter(state=StudyState.QUEUED, hardware_class=of_its_class)
    line, values = demands.studies_in_turn(queued).values_list("pk").query.sql_with_params()
    return _LOOKS.format(line=line), values


def read_answer(study: Study) -> TextDifference | Minimisation:
    # Raises ValueError if it is not an answer: whatever a worker wrote must break nothing. So below.
    if study.kind == Study.Kind.DIFFERENCE:
        return TextDifference.from_json(study.result)
    return Minimisation.from_json(study.result, actions=study.steps)


def read_look(study: Study) -> LookAheadResult | ReplayResult:
    # The answer about a state that is played.
    if study.kind == Study.Kind.LOOK_AHEAD:
        return LookAheadResult.from_json(study.result, actions=study.steps)
    answer = ReplayResult.from_json(study.result or {})
    are_mappings = isinstance(answer.metrics, Mapping) and isinstance(answer.measurement, Mapping)
    if not are_mappings or any(finite_number(value) is None for value in answer.metrics.values()):
        raise ValueError("The metrics are not finite numbers, or their measurement is not a mapping.")
    return answer


def found_so_far(study: Study) -> LookAheadResult | None:
    # What a look ahead that is not answered yet has found.
    try:
        return LookAheadResult.from_json(study.progress, actions=study.steps)
    except ValueError:
        return None


def place_in_line(study: Study) -> int | None:
    # From 1. Verifications come before all studies.
    looks = read_looks(ids=[str(study.pk)]) if study.state == StudyState.QUEUED else []
    return looks[0].position if looks else None


_UNFINISHED: Final = (StudyState.QUEUED, StudyState.RUNNING)
_KEPT_STATEMENTS: Final = 128


@transaction.atomic
def request_study(  # noqa: PLR0913 # all by keyword
    *,
    kind: Study.Kind,
    subject: Verification | PlayedState,
    steps: int,
    payer: str | None,
    admit: Callable[[], None] = lambda: None,
    is_new: bool = False,
) -> Study:
    # Without a payer it is automatic. One that failed is tried again, and so is one whose answer cannot be
    # read. admit is called once if workers have to answer; what it raises undoes the request. Whoever has
    # just seen that none was asked for says so by `is_new`.
    identity = identity_of(kind, subject, steps)
    rows = Study.objects.select_for_update(no_key=True).filter(identity=identity)
    known = None if is_new else rows.first()
    if known is not None and isinstance(subject, Verification) and known.verification_id != subject.pk:
        known.verification = subject  # the one before was superseded
        known.save(update_fields=["verification"])
    if known is not None and (known.state in _UNFINISHED or _is_answered(known)):
        return known
    if isinstance(subject, Verification) and subject.state != State.RECORDED:
        raise StudyRefusedError("Only a replay that recorded a result can be studied.")
    account, now = (None, database_now()) if payer is None else demands.lock_payer(payer)
    _check_place(subject.hardware_class, subject.environment_digest, account)
    asked: dict[str, Any] = {"kind": kind, "steps": steps, "automatic": account is None, "payer": account}
    asked |= {name: getattr(subject, name) for name in ("hardware_class", "environment_digest")}
    if isinstance(subject, PlayedState):
        asked["played"] = subject.as_dict()
    else:
        asked["verification"] = subject
    waits: dict[str, Any] = {"available_at": now, "woken_at": now, "created_at": now}
    if known is None:
        study = Study(identity=identity, **asked, **waits)
        if not insert_rows([study], ignore_conflicts=True):  # somebody else has requested it just now
            return Study.objects.get(identity=identity)
    else:
        study = known
        waits |= {"payer": account, "automatic": account is None}
        waits |= {"state": StudyState.QUEUED, "reason": "", "detail": "", "attempt": 0}
        for name, value in (waits | dict.fromkeys(("finished_at", "progress", "result"))).items():
            setattr(study, name, value)
        study.save()
    admit()
    transaction.on_commit(partial(wake, [study.pk], study.hardware_class), robust=True)
    return study


def _is_answered(study: Study) -> bool:
    try:
        read = read_answer if study.played is None else read_look
        return study.state == StudyState.DONE and bool(read(study))
    except ValueError:
        return False


# Django takes longer to write it than PostgreSQL to answer.
_PLACE: Final = """
SELECT EXISTS({able}), count(*) FILTER (WHERE payer_id = %s), count(*) FROM runner_study
WHERE hardware_class = %s AND state = ANY(%s)
"""


@lru_cache(_KEPT_STATEMENTS)
def _able(hardware: str, digest: str, _: timedelta) -> tuple[str, tuple[Any, ...]]:
    able = able_runners(hardware, digest=digest).order_by().values_list("pk")
    return able.query.sql_with_params()


def _check_place(hardware: str, digest: str, account: Payer | None) -> None:
    # The owner's row is locked, so that two requests at once cannot both have the last place.
    able, values = _able(hardware, digest, conf.lease_time())
    counted = (None if account is None else account.pk, hardware, list(_UNFINISHED))
    [(is_able, own, every)] = read_rows(_PLACE.format(able=able), (*values, *counted))
    if not is_able:
        raise StudyRefusedError(
            f"No worker of the class {hardware} that is at work has version {digest[:12]} of the environment "
            "and its compiler."
        )
    if account is None:
        most = conf.STUDIES_WAITING // 10
        if every >= most:
            raise StudiesFullError(f"{most} questions wait for workers of the class {hardware}.")
    elif own >= conf.studies_of_owner(every - own):
        raise StudiesFullError(
            f"{own} of your questions wait for workers of the class {hardware}. You may have no "
            f"more while {every - own} of others wait."
        )


def verification_waits() -> bool:
    # A long study gives way to it.
    return free_verifications(database_now()).exists()


def end_study(*, lease: Lease, result: Mapping[str, Any]) -> None:
    answer = storable(dict(result))
    release_study(lease, state=StudyState.DONE, result=answer, progress=None, finished_at=database_now())


def report_findings(*, lease: Lease, progress: Mapping[str, Any]) -> None:
    # Pages show what is known so far.
    write_back(lease, progress=storable(dict(progress)))


def interrupt_study(*, lease: Lease, progress: Mapping[str, Any]) -> None:
    # Others go on; it continues later from where it is.
    found = storable(dict(progress))
    release_study(lease, state=StudyState.QUEUED, progress=found, available_at=database_now())


def sweep_studies(*, now: datetime) -> int:
    # Returns how many were taken back from lost workers, or forgotten.
    return _take_back(now) + _forget(now)


@transaction.atomic
def _take_back(now: datetime) -> int:
    lost = Study.objects.filter(state=StudyState.RUNNING, lease_expires_at__lte=now)
    locked = lost.select_for_update(skip_locked=True, no_key=True).defer("progress", "result")
    leases = [Lease.of(study) for study in locked]
    for lease in leases:
        detail = f"Worker {lease.worker} did not renew its lease."
        give_back(lease=lease, reason=RETRIES_EXHAUSTED, detail=detail, now=now)
    return len(leases)


def _forget(now: datetime) -> int:
    # What was minimised is short, and stays.
    keys: list[UUID] = []
    kept = int(settings.OPTARENA_DIFFERENCES_KEPT)
    for kind in (Study.Kind.DIFFERENCE, Study.Kind.LOOK_AHEAD, Study.Kind.OUTPUTS):
        ended = Study.objects.filter(kind=kind, finished_at__isnull=False)
        old = ended.filter(finished_at__lte=now - conf.difference_time()).order_by("finished_at")
        keys += list(old.values_list("pk", flat=True)[: conf.STUDIES_SWEPT])
        many = ended.order_by("-finished_at", "pk").values_list("pk", flat=True)
        keys += list(many[kept : kept + conf.STUDIES_SWEPT])
    vain = Study.objects.filter(state=StudyState.QUEUED, created_at__lte=now - conf.difference_time())
    keys += list(vain.values_list("pk", flat=True)[: conf.STUDIES_SWEPT])
    return Study.objects.filter(pk__in=keys).delete()[0] if keys else 0
