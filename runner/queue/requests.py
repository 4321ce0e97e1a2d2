"""Request verifications, request them anew, repeat measurements, and cancel."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import BooleanField, QuerySet
from django.db.models.expressions import RawSQL

from datasets.bulk_inserts import insert_rows
from optarena.limits import MAX_REPETITIONS
from optarena.specs import environment_spec, environment_specs
from runner import conf
from runner.database import database_now
from runner.errors import ContentionError, EnvironmentChangedError, RepetitionRefusedError
from runner.models import Authority, EnvironmentVersion, State, Verification
from runner.queue import demands
from runner.queue.demands import NOBODY
from runner.queue.transitions import (
    StateChange,
    in_lock_order,
    lock,
    lock_all,
    log_creation,
    supersede_locked,
    transition_locked,
)
from runner.queue.wakeups import current_environment_version, wake_on_commit
from runner.queue.work import ActionSequence, Identity, Work, predicted_seconds

# Others may request or cancel the same replays at the same moment.
_TRIES: Final = 5
# More new rows are not stored before the payer's quota has been looked at.
_CHECKED_FIRST: Final = 1_000
_ANSWERED: Final = (
    "state",
    "hardware_class",
    "benchmark_sha256",
    "workloads_sha256",
    "actions_sha256",
    "wanted_metrics",
    "last_seq",
    "created_at",
    "available_at",
)
_WANTED: Final = (
    "(runner_verification.benchmark_sha256, runner_verification.workloads_sha256,"
    " runner_verification.actions_sha256) IN (SELECT * FROM unnest(%s::text[], %s::text[], %s::text[]))"
)


def request_verifications(  # noqa: PLR0913 - all by keyword
    *,
    environment: str | EnvironmentVersion,
    works: Sequence[Work],
    device: str = "cpu",
    hardware_class: str = "",
    actor: str = "request",
    payer: str = NOBODY,
    limited: bool = False,
) -> list[Verification]:
    """Return the verification of each work: one that exists, or a new one. The commit wakes its workers.

    A row answers a work if it measures at least its metrics; a new one measures exactly these. The rows stay
    locked until the caller's transaction commits, so that none can end or be cancelled before. A transaction
    must request all its works in one call: two calls may wait for each other. A hardware class comes before
    a device, which names one.
    """
    hardware = hardware_class or conf.hardware_class(device)
    version = _present_version(environment)
    measured = environment_spec(version.env_id).measure is not None
    costs = {work.identity: work.predicted_seconds(measured=measured) for work in works}
    wanted = {work.identity: work for work in sorted(works, key=lambda work: work.identity)}

    def check(new: Sequence[Work]) -> None:
        # A few rows are stored as fast as the budget is read.
        if limited and len(new) >= _CHECKED_FIRST:
            demands.check_quota(payer=payer, number=len(new), seconds=sum(costs[one.identity] for one in new))

    for _ in range(_TRIES):
        with transaction.atomic():
            found = _find_or_make(wanted, version, hardware, actor, check)
            if found is not None:
                seconds = [(found[identity], cost) for identity, cost in costs.items()]
                demands.demand(payer=payer, limited=limited, wanted=seconds)
                return [found[work.identity] for work in works]
    raise ContentionError("The same replay was requested and cancelled several times; repeat the request.")


def answers_of(
    *, environment: EnvironmentVersion, works: Sequence[Work], device: str
) -> list[tuple[Work, uuid.UUID | None]]:
    # A read that promises nothing. It tells of replays that are somebody else's secret.
    version = _present_version(environment)
    wanted = {work.identity: work for work in works}
    alive = alive_rows(wanted, version.digest, conf.hardware_class(device))
    known = _answers(wanted, alive.only(*_ANSWERED))
    found = {identity: row.pk for identity, row in known.items()}
    return [(work, found.get(identity)) for identity, work in wanted.items()]


def _present_version(environment: str | EnvironmentVersion) -> EnvironmentVersion:
    if isinstance(environment, str):
        return current_environment_version(environment=environment)
    is_present = environment.digest == environment_spec(environment.env_id).digest
    return environment if is_present else current_environment_version(environment=environment.env_id)


def _find_or_make(
    wanted: Mapping[Identity, Work],
    version: EnvironmentVersion,
    hardware_class: str,
    actor: str,
    check: Callable[[Sequence[Work]], None],
) -> dict[Identity, Verification] | None:
    # None, with the transaction to be undone, where another request came in between. First all inserts, then
    # all locks, both in the order of identities: a transaction that inserts waits only for one that is
    # further on. It must not hold locks of rows, or two could wait for each other; so a row that is gone when
    # it should be locked, or there when it should be inserted, undoes the whole step. Only rows that answer
    # are locked: one that is superseded meanwhile may be held by who inserts its successor.
    alive = alive_rows(wanted, version.digest, hardware_class)
    known = _answers(wanted, alive.only(*_ANSWERED))
    missing = [work for identity, work in wanted.items() if identity not in known]
    check(missing)
    made = _insert(missing, version, hardware_class) if missing else []
    answering = alive.filter(pk__in=[row.pk for row in known.values()])
    locked = list(in_lock_order(answering).only(*_ANSWERED)) if known else []
    found = _answers(known, locked) | _answers([work.identity for work in missing], made)
    if len(found) < len(wanted):
        transaction.set_rollback(True)
        return None
    if made:
        log_creation(made, actor=actor)
        wake_on_commit(made)
    return found


def _answers(wanted: Iterable[Identity], rows: Iterable[Verification]) -> dict[Identity, Verification]:
    # A recorded row, else the oldest.
    by_work = defaultdict(list)
    for row in rows:
        by_work[row.benchmark_sha256, row.workloads_sha256, row.actions_sha256].append(row)
    answers = {}
    for identity in wanted:
        fit = [
            row
            for row in by_work.get(identity[:3], ())
            if row.wanted_metrics is None or set(identity.metrics) <= set(row.wanted_metrics)
        ]
        if fit:
            answers[identity] = min(
                fit, key=lambda row: (row.state != State.RECORDED, row.created_at, row.pk)
            )
    return answers


def _insert(works: Collection[Work], version: EnvironmentVersion, hardware_class: str) -> list[Verification]:
    # The database refuses a row where one is alive. An insert waits for a transaction that holds the same
    # identity.
    now = database_now()
    rows = [
        Verification(
            environment_version_id=version.pk,
            environment_digest=version.digest,
            benchmark_id=work.benchmark.pk,
            benchmark_uri=work.benchmark_uri,
            benchmark_sha256=work.hashes.program,
            workloads_sha256=work.hashes.workloads,
            actions=list(work.actions.actions),
            action_space=work.actions.action_space,
            actions_sha256=work.actions.sha256,
            hardware_class=hardware_class,
            wanted_metrics=list(work.metrics),
            created_at=now,
            available_at=now,
            woken_at=now,
        )
        for work in works
    ]
    return insert_rows(rows, ignore_conflicts=True)


def alive_rows(identities: Collection[Identity], digest: str, hardware_class: str) -> QuerySet[Verification]:
    # Those that answer requests for some metrics.
    hashes = [[getattr(one, name) for one in identities] for name in ("program", "workloads", "actions")]
    return (
        Verification.objects.filter(
            environment_digest=digest,
            hardware_class=hardware_class,
            superseded_at__isnull=True,
            repeats__isnull=True,
        )
        .exclude(state=State.CANCELLED)
        .exclude(reason__startswith="infra:")
        .filter(RawSQL(_WANTED, hashes, output_field=BooleanField()))  # noqa: S611 - the values are parameters
    )


@transaction.atomic
def cancel_all(
    *, verification_ids: Collection[uuid.UUID], actor: str, reason: str = "", now: datetime | None = None
) -> int:
    # A queued verification never starts; a running one loses its lease, so that its worker stops at its next
    # write. The caller has made sure that nobody waits for them. The reason is kept in the event.
    unfinished = [row for row in lock_all(verification_ids) if not row.is_terminal]
    change = StateChange(to=State.CANCELLED, authority=Authority.REQUESTER, actor=actor, reason=reason)
    transition_locked(rows=unfinished, change=change, now=now)
    return len(unfinished)


@transaction.atomic
def supersede(*, verification_id: uuid.UUID, actor: str) -> list[uuid.UUID]:
    # Whatever metrics they measured. Returns the rows, which stay locked; rows that wait or run stay as they
    # are. Belongs into one transaction with replay_anew, which inserts a row while it holds these locks.
    row = _row_to_reopen(verification_id)
    alive = in_lock_order(alive_rows([_work(row, ()).identity], row.environment_digest, row.hardware_class))
    ended = [one for one in alive if one.is_terminal]
    supersede_locked(rows=ended, actor=actor)
    return [one.pk for one in ended]


@transaction.atomic
def supersede_one(*, verification_id: uuid.UUID, actor: str) -> None:
    # Nothing happens to a row that answers nothing any more.
    row = lock(verification_id)
    if row.superseded_at is None:
        supersede_locked(rows=[row], actor=actor)


def replay_anew(*, verification_id: uuid.UUID, metrics: Collection[str], actor: str) -> Verification:
    # A new row, or one that waits or runs; locked.
    row = _row_to_reopen(verification_id)
    [made] = request_verifications(
        hardware_class=row.hardware_class,
        environment=row.environment_version.env_id,
        works=[_work(row, metrics)],
        actor=actor,
    )
    return made


def _row_to_reopen(verification_id: uuid.UUID) -> Verification:
    known = Verification.objects.select_related("environment_version", "benchmark__version")
    return known.defer("result").get(pk=verification_id)


def _work(row: Verification, metrics: Collection[str]) -> Work:
    spec = environment_spec(row.environment_version.env_id)
    if spec.digest != row.environment_digest:
        raise EnvironmentChangedError(
            f"{spec.slug} is version {spec.digest[:12]} here, not {row.environment_digest[:12]}."
        )
    return Work.of(
        spec=spec,
        benchmark=row.benchmark,
        benchmark_uri=row.benchmark_uri,
        actions=ActionSequence.checked(spec, row.actions, row.action_space),
        metrics=metrics,
    )


_SAME: Final = (
    *("environment_version_id", "environment_digest", "benchmark_id", "benchmark_uri", "benchmark_sha256"),
    *("workloads_sha256", "actions", "action_space", "actions_sha256", "hardware_class", "wanted_metrics"),
)


@transaction.atomic
def request_repetition(
    *,
    verification_id: uuid.UUID,
    actor: str,
    blocks: int | None = None,
    payer: str = NOBODY,
    limited: bool = False,
) -> Verification:
    # blocks None is the usual number of blocks, where the environment measures any.
    first = lock(verification_id)
    _check(first)
    now = database_now()
    same = {name: getattr(first, name) for name in _SAME}
    row = Verification(repeats=first, blocks=blocks, created_at=now, available_at=now, woken_at=now, **same)
    row.save(force_insert=True)
    log_creation([row], actor=actor)
    wake_on_commit([row])
    demands.demand(payer=payer, limited=limited, wanted=[(row, _predicted(row))])
    return row


def _check(first: Verification) -> None:
    if first.state != State.RECORDED or first.superseded_at is not None or first.repeats_id is not None:
        raise RepetitionRefusedError("Only recorded work that counts can be repeated.")
    if first.environment_digest not in {spec.digest for spec in environment_specs()}:
        raise RepetitionRefusedError("Its version of the environment is not installed any more.")
    others = first.repetitions.order_by()
    if others.filter(finished_at__isnull=True).exists():
        raise RepetitionRefusedError("It is being repeated already.")
    if others.count() >= MAX_REPETITIONS:
        raise RepetitionRefusedError(f"It was repeated {MAX_REPETITIONS} times, which is the most.")


def _predicted(row: Verification) -> float:
    spec = next(spec for spec in environment_specs() if spec.digest == row.environment_digest)
    return predicted_seconds(
        size_bytes=row.benchmark.size_bytes,
        actions=len(row.actions),
        run_seconds=row.benchmark.run_seconds,
        measured=spec.measure is not None,
    )
