"""Asking for replays, and no longer wanting them. The same work is never done twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import BooleanField
from django.db.models.expressions import RawSQL

from optarena.specs import environment_spec
from runner import conf
from runner.clock import database_now
from runner.errors import ContentionError
from runner.models import Verification
from runner.services.environments import current_environment_version
from runner.services.transitions import StateChange, in_lock_order, lock_all, log_creation, transition_locked
from runner.services.wakeups import wake_on_commit
from runner.states import Authority, State
from runner.work import ActionSequence, Work

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from datasets.models import Benchmark
    from runner.models import EnvironmentVersion

_TRIES: Final = 5
_BATCH: Final = 2_500
"""Rows of one INSERT: a statement for every row of the largest submission would be tens of megabytes."""
_ANSWERED: Final = (
    "state",
    "hardware_class",
    "benchmark_sha256",
    "actions_sha256",
    "last_seq",
    "created_at",
)
_WANTED: Final = (
    "(runner_verification.benchmark_sha256, runner_verification.actions_sha256)"
    " IN (SELECT * FROM unnest(%s::text[], %s::text[]))"
)


def request_verification(  # noqa: PLR0913 - all by keyword
    *,
    environment: str,
    benchmark: Benchmark,
    benchmark_uri: str,
    actions: Sequence[int],
    device: str = "cpu",
    actor: str = "request",
) -> Verification:
    """The verification of this work: ``request_verifications`` of one.

    Args:
        environment: Id or slug.
        benchmark: A stored benchmark, or the range that has ``benchmark_uri`` as a member.
        benchmark_uri: Canonical URI.
        actions: Indices into the environment's action table.
        device: The kind of machine it is to be replayed on, which names a hardware class.
        actor: Who asks, for the event log.

    Raises:
        UnknownName: There is no such environment.
        InvalidAction: An action is not in its table.
        InvalidInput: The URI names no member of the range.
        UnknownDeviceError: No runner has such a device.
        ContentionError: The same work was requested and cancelled again and again meanwhile.
    """
    sequence = ActionSequence.checked(environment_spec(environment), actions)
    work = Work.of(benchmark=benchmark, benchmark_uri=benchmark_uri, actions=sequence)
    [row] = request_verifications(environment=environment, works=[work], device=device, actor=actor)
    return row


def request_verifications(
    *, environment: str, works: Sequence[Work], device: str = "cpu", actor: str = "request"
) -> list[Verification]:
    """The verification of each work: one that exists, or a new one whose workers are woken after the commit.

    Inside the caller's transaction the rows stay locked, so that none can end or be cancelled before that is
    committed. Of two requests for the same work at once, one inserts and the other waits for its commit. All
    works of a transaction have to be requested in one call: two calls may wait for each other.

    Args:
        environment: Id or slug.
        works: What is wanted; two works of one identity get the same row.
        device: The kind of machine it is to be replayed on, which names a hardware class.
        actor: Who asks, for the event log.

    Returns:
        The rows, in the order of the works: who they are and how far; the rest is read when asked for.

    Raises:
        UnknownName: There is no such environment.
        UnknownDeviceError: No runner has such a device.
        ContentionError: The same work was requested and cancelled again and again meanwhile.
    """
    hardware_class = conf.hardware_class(device)
    version = current_environment_version(environment=environment)
    wanted = {work.identity: work for work in sorted(works, key=lambda work: work.identity)}
    for _ in range(_TRIES):
        found = _find_or_make(wanted, version, hardware_class, actor)
        if found is not None:
            return [found[work.identity] for work in works]
    raise ContentionError("The same replay was requested and cancelled again and again; ask once more.")


def _find_or_make(
    wanted: Mapping[tuple[str, str], Work], version: EnvironmentVersion, hardware_class: str, actor: str
) -> dict[tuple[str, str], Verification] | None:
    """The locked rows; None, with nothing written or locked, where one of them was cancelled meanwhile.

    First all inserts, then all locks, both in the order of identities: a transaction that inserts waits only
    for one that is further on. It must not hold locks of rows, or two could wait for each other; so a row
    that is gone when it should be locked undoes the whole step.
    """
    alive = _alive(wanted, version.digest, hardware_class)
    known = set(alive.values_list("benchmark_sha256", "actions_sha256"))
    with transaction.atomic():
        missing = [work for identity, work in wanted.items() if identity not in known]
        made = _insert(missing, version, hardware_class) if missing else []
        # Nobody else sees what this transaction has made: only the others have to be locked.
        others = alive.exclude(pk__in=[row.pk for row in made])
        rows = [*made, *(in_lock_order(others).only(*_ANSWERED) if len(made) < len(wanted) else ())]
        found = {(row.benchmark_sha256, row.actions_sha256): row for row in rows}
        if len(found) < len(wanted):
            transaction.set_rollback(True)
            return None
        if made:
            log_creation(made, actor=actor)
            wake_on_commit(made)
        return found


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
            benchmark_sha256=work.benchmark_sha256,
            actions=list(work.actions.actions),
            actions_sha256=work.actions.sha256,
            hardware_class=hardware_class,
            created_at=now,
            available_at=now,
            woken_at=now,
        )
        for work in works
    ]
    Verification.objects.bulk_create(rows, batch_size=_BATCH, ignore_conflicts=True)
    taken = set(Verification.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", flat=True))
    return [row for row in rows if row.pk in taken]


def _alive(
    identities: Collection[tuple[str, str]], digest: str, hardware_class: str
) -> QuerySet[Verification]:
    """The rows with these identities that answer a request; a failure of ours says nothing about the work."""
    pairs = [[benchmark for benchmark, _ in identities], [actions for _, actions in identities]]
    return (
        Verification.objects.filter(environment_digest=digest, hardware_class=hardware_class)
        .exclude(state=State.CANCELLED)
        .exclude(reason__startswith="infra:")
        .filter(RawSQL(_WANTED, pairs, output_field=BooleanField()))  # noqa: S611 - the values are parameters
    )


def cancel(*, verification_id: uuid.UUID, actor: str, reason: str = "", now: datetime | None = None) -> bool:
    """Stop work that nobody waits for any more: ``cancel_all`` of one; whether it was cancelled."""
    return bool(cancel_all(verification_ids=[verification_id], actor=actor, reason=reason, now=now))


@transaction.atomic
def cancel_all(
    *,
    verification_ids: Collection[uuid.UUID],
    actor: str,
    reason: str = "",
    now: datetime | None = None,
) -> int:
    """Stop work that nobody waits for any more; the caller knows that nobody does.

    A queued verification never starts; a running one loses its lease, so that its worker stops at its next
    write. The reason is kept in the event.

    Returns:
        How many were cancelled; those that have ended stay as they are.
    """
    unfinished = [row for row in lock_all(verification_ids) if not row.is_terminal]
    change = StateChange(to=State.CANCELLED, authority=Authority.REQUESTER, actor=actor, reason=reason)
    transition_locked(rows=unfinished, change=change, now=now)
    return len(unfinished)
