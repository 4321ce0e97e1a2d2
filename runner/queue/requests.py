"""Request verifications, request them anew, repeat measurements, and cancel.

Replays work anew whose end does not count any more. The former rows stay, with their results and events.

``supersede`` and ``replay_anew`` belong together, in one transaction for one work: the second inserts a row
while it holds the locks of the first.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from datasets.bulk_inserts import insert_rows
from optarena.limits import MAX_REPETITIONS
from optarena.specs import environment_spec, environment_specs
from runner import conf
from runner.clock import database_now
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

if TYPE_CHECKING:
    import uuid
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from datasets.models import Benchmark

_TRIES: Final = 5
"""A request is made at most so many times if others request or cancel the same replays at the same moment."""
_CHECKED_FIRST: Final = 1_000
"""So many new rows are not stored before the payer's quota has been looked at."""
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


def request_verification(  # noqa: PLR0913 - all by keyword
    *,
    environment: str,
    benchmark: Benchmark,
    benchmark_uri: str,
    actions: Sequence[Any],
    action_space: str = "",
    metrics: Collection[str] | None = None,
    device: str = "cpu",
    actor: str = "request",
    payer: str = NOBODY,
) -> Verification:
    """The verification of this work: ``request_verifications`` of one, without a limit.

    The benchmark and the metrics are those of ``Work``; the actions are members of the action
    space, the environment's first if its name is empty.

    Raises:
        UnknownName: There is no such environment, or it does not measure one of the metrics, or boards do
            not take actions of this space.
        InvalidAction: An action is not in its table.
        InvalidInput: The URI does not name a member of the range.
        UnknownDeviceError: No runner has such a device.
        ContentionError: The same work was requested and cancelled again and again meanwhile.
    """
    spec = environment_spec(environment)
    work = Work.of(
        spec=spec,
        benchmark=benchmark,
        benchmark_uri=benchmark_uri,
        actions=ActionSequence.checked(spec, actions, action_space),
        metrics=metrics,
    )
    [row] = request_verifications(
        environment=environment, works=[work], device=device, actor=actor, payer=payer
    )
    return row


def request_verifications(  # noqa: PLR0913 - all by keyword
    *,
    environment: str | EnvironmentVersion,
    works: Sequence[Work],
    device: str = "cpu",
    actor: str = "request",
    payer: str = NOBODY,
    limited: bool = False,
) -> list[Verification]:
    """The verification of each work: one that exists, or a new one whose workers are woken after the commit.

    A row answers a work if it measures at least its metrics; a new one measures exactly these.
    The rows stay locked until the caller's transaction commits, so that none can end or be cancelled before.
    Of two requests for the same work at once, one inserts and the other waits for its commit. A transaction
    must request all its works in one call: two calls may wait for each other.

    Args:
        environment: Id or slug, or its row if the caller has it.
        works: The wanted replays; two works of one identity get the same row.
        device: The kind of device for the replays, which names a hardware class.
        actor: Who requests them, for the event log.
        payer: For whom they are made.
        limited: Whether the payer's quota applies.

    Returns:
        The rows, in the order of the works, with identity and state; other columns are deferred.

    Raises:
        UnknownName, UnknownDeviceError: There is no such environment, or no runner has such a device.
        ContentionError: The same work was requested and cancelled again and again meanwhile.
        BudgetExceededError, QueueFullError: The payer's quota does not suffice; nothing was requested.
    """
    return request_on_class(
        hardware_class=conf.hardware_class(device),
        environment=environment,
        works=works,
        actor=actor,
        payer=payer,
        limited=limited,
    )


def answers_of(
    *, environment: EnvironmentVersion, works: Sequence[Work], device: str
) -> list[tuple[Work, uuid.UUID | None]]:
    """Each different work with the replay that answers it, or None for a replay of its own: a read.

    It promises nothing, and tells of replays that are somebody else's secret.
    """
    version = _present_version(environment)
    wanted = {work.identity: work for work in works}
    alive = alive_rows(wanted, version.digest, conf.hardware_class(device))
    known = _answers(wanted, alive.only(*_ANSWERED))
    found = {identity: row.pk for identity, row in known.items()}
    return [(work, found.get(identity)) for identity, work in wanted.items()]


def request_on_class(  # noqa: PLR0913 - all by keyword
    *,
    hardware_class: str,
    environment: str | EnvironmentVersion,
    works: Sequence[Work],
    actor: str,
    payer: str = NOBODY,
    limited: bool = False,
) -> list[Verification]:
    """``request_verifications`` for a hardware class by its own name."""
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
            found = _find_or_make(wanted, version, hardware_class, actor, check)
            if found is not None:
                seconds = [(found[identity], cost) for identity, cost in costs.items()]
                demands.demand(payer=payer, limited=limited, wanted=seconds)
                return [found[work.identity] for work in works]
    raise ContentionError("The same replay was requested and cancelled several times; repeat the request.")


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
    """The locked rows; None, with the transaction to be undone, where another request came in between.

    First all inserts, then all locks, both in the order of identities: a transaction that inserts waits only
    for one that is further on. It must not hold locks of rows, or two could wait for each other; so a row
    that is gone when it should be locked, or there when it should be inserted, undoes the whole step. Only
    rows that answer are locked: one that is superseded meanwhile may be held by who inserts its successor.
    """
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
    """The row that answers each identity, of those that have one: a recorded one, else the oldest."""
    by_work = defaultdict(list)
    for row in rows:
        by_work[row.benchmark_sha256, row.workloads_sha256, row.actions_sha256].append(row)
    answers = {}
    for identity in wanted:
        fit = [row for row in by_work.get(identity[:3], ()) if _measures(row, identity)]
        if fit:
            answers[identity] = min(
                fit, key=lambda row: (row.state != State.RECORDED, row.created_at, row.pk)
            )
    return answers


def _measures(row: Verification, identity: Identity) -> bool:
    return row.wanted_metrics is None or set(identity.metrics) <= set(row.wanted_metrics)


def _insert(works: Collection[Work], version: EnvironmentVersion, hardware_class: str) -> list[Verification]:
    """Insert a row for each work, which the database refuses where one is alive; those that it took.

    It waits for a transaction that holds the same identity.
    """
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
    """The rows of this work that answer requests for some metrics, without failures of the infrastructure."""
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


def cancel(*, verification_id: uuid.UUID, actor: str, reason: str = "", now: datetime | None = None) -> bool:
    """Cancel one verification that nobody waits for any more; whether it was cancelled."""
    return bool(cancel_all(verification_ids=[verification_id], actor=actor, reason=reason, now=now))


@transaction.atomic
def cancel_all(
    *,
    verification_ids: Collection[uuid.UUID],
    actor: str,
    reason: str = "",
    now: datetime | None = None,
) -> int:
    """Cancel verifications that nobody waits for any more, which the caller has made sure of.

    A queued verification never starts; a running one loses its lease, so that its worker stops at its next
    write. The reason is kept in the event.

    Returns:
        How many were cancelled; those that have ended stay as they are.
    """
    unfinished = [row for row in lock_all(verification_ids) if not row.is_terminal]
    change = StateChange(to=State.CANCELLED, authority=Authority.REQUESTER, actor=actor, reason=reason)
    transition_locked(rows=unfinished, change=change, now=now)
    return len(unfinished)


@transaction.atomic
def supersede(*, verification_id: uuid.UUID, actor: str) -> list[uuid.UUID]:
    """Let the ends of a verification's work answer nothing any more, whatever metrics they measured.

    Rows that wait or run stay as they are.

    Returns:
        The rows, which stay locked; empty where none had ended, or others did this before.

    Raises:
        EnvironmentChangedError: This installation has another version of the environment.
        Verification.DoesNotExist: There is no such row.
    """
    row = _row_to_reopen(verification_id)
    alive = in_lock_order(alive_rows([_work(row, ()).identity], row.environment_digest, row.hardware_class))
    ended = [one for one in alive if one.is_terminal]
    supersede_locked(rows=ended, actor=actor)
    return [one.pk for one in ended]


@transaction.atomic
def supersede_one(*, verification_id: uuid.UUID, actor: str) -> None:
    """Let the end of one verification answer nothing any more; nothing happens if it does not already.

    Raises:
        Verification.DoesNotExist: There is no such row.
    """
    row = lock(verification_id)
    if row.superseded_at is None:
        supersede_locked(rows=[row], actor=actor)


def replay_anew(*, verification_id: uuid.UUID, metrics: Collection[str], actor: str) -> Verification:
    """The locked verification that answers a superseded one's work now: a new one, or one that waits or runs.

    Args:
        verification_id: The superseded row.
        metrics: The metrics that somebody needs.
        actor: Who wants it, for the event log.

    Raises:
        EnvironmentChangedError: This installation has another version of the environment.
        Verification.DoesNotExist: There is no such row.
    """
    row = _row_to_reopen(verification_id)
    [made] = request_on_class(
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
"""What a repetition has of the first row: the work."""


@transaction.atomic
def request_repetition(
    *,
    verification_id: uuid.UUID,
    actor: str,
    blocks: int | None = None,
    payer: str = NOBODY,
    limited: bool = False,
) -> Verification:
    """Queue another replay of recorded work, on its class of hardware.

    Args:
        verification_id: The first row of the work, which is recorded and counts.
        actor: Who wants it, for the event log.
        blocks: How many blocks it measures, where the environment measures any; None for the usual number.
        payer: For whom it is made.
        limited: Whether the payer's quota applies.

    Raises:
        RepetitionRefusedError: The work cannot be repeated now.
        BudgetExceededError, QueueFullError: The payer's quota does not suffice; nothing was requested.
        Verification.DoesNotExist: There is no such row.
    """
    first = lock(verification_id)
    _check(first)
    row = _repetition_row(first, blocks)
    row.save(force_insert=True)
    log_creation([row], actor=actor)
    wake_on_commit([row])
    demands.demand(payer=payer, limited=limited, wanted=[(row, _predicted(row))])
    return row


def _repetition_row(first: Verification, blocks: int | None) -> Verification:
    now = database_now()
    same = {name: getattr(first, name) for name in _SAME}
    return Verification(repeats=first, blocks=blocks, created_at=now, available_at=now, woken_at=now, **same)


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
