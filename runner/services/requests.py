"""Asking for a replay, and no longer wanting it. The same work is never done twice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from datasets.models import Benchmark
from datasets.selectors import benchmark_for_replay
from optarena.specs import actions_digest, environment_spec
from runner import conf
from runner.clock import database_now
from runner.errors import ContentionError
from runner.models import Verification
from runner.services.environments import current_environment_version
from runner.services.transitions import Change, lock, log_creation, transition
from runner.services.wakeups import wake_on_commit
from runner.states import Authority, State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence
    from datetime import datetime

_TRIES: Final = 5


@transaction.atomic
def request_verification(  # noqa: PLR0913 - all by keyword
    *,
    environment: str,
    benchmark: Benchmark,
    benchmark_uri: str,
    actions: Sequence[int],
    device: str = "cpu",
    actor: str = "request",
) -> Verification:
    """The verification of this work: one that exists, or a new one whose worker is woken after the commit.

    Runs inside the caller's transaction. Of two requests for the same work at once, one inserts and the
    other waits for its commit. Who requests several keeps to one order of them, or risks a deadlock.

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
    spec = environment_spec(environment)
    checked = spec.check_actions(actions)
    identity = {
        "environment_digest": spec.digest,
        "benchmark_sha256": _benchmark_sha256(benchmark, benchmark_uri),
        "actions_sha256": actions_digest(checked),
        "hardware_class": conf.hardware_class(device),
    }
    version = current_environment_version(environment=environment)
    for _ in range(_TRIES):
        # A failure of ours says nothing about the work, so it may be asked for anew.
        alive = Verification.objects.exclude(state=State.CANCELLED).exclude(reason__startswith="infra:")
        existing = alive.defer("actions", "result").filter(**identity).first()
        if existing is not None:
            return existing
        row = Verification(
            **identity,
            environment_version=version,
            benchmark=benchmark,
            benchmark_uri=benchmark_uri,
            actions=list(checked),
        )
        if _insert(row, actor):
            return row
    raise ContentionError("The same replay was requested and cancelled again and again; ask once more.")


def _benchmark_sha256(benchmark: Benchmark, uri: str) -> str:
    if benchmark.kind == Benchmark.Kind.STORED:
        return benchmark.sha256
    return benchmark_for_replay(benchmark, uri=uri).sha256


def _insert(row: Verification, actor: str) -> bool:
    """Insert the row with its first event, waiting for a transaction that holds the same identity."""
    row.created_at = row.available_at = row.woken_at = database_now()
    Verification.objects.bulk_create([row], ignore_conflicts=True)
    if not Verification.objects.filter(pk=row.pk).exists():
        return False
    log_creation(row, actor=actor)
    wake_on_commit(row)
    return True


@transaction.atomic
def cancel(*, verification_id: uuid.UUID, actor: str, reason: str = "", now: datetime | None = None) -> bool:
    """Stop work that nobody waits for any more; the caller knows that nobody does.

    A queued verification never starts; a running one loses its lease, so that its worker stops at its next
    write. The reason is kept in the event.

    Returns:
        Whether it was cancelled; one that has ended stays as it is.
    """
    if lock(verification_id).is_terminal:
        return False
    change = Change(to=State.CANCELLED, authority=Authority.REQUESTER, actor=actor, reason=reason)
    transition(verification_id=verification_id, change=change, now=now)
    return True
