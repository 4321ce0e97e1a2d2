"""Replays recorded work once more. The first row goes on answering; repetitions are evidence beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from optarena.limits import MAX_REPETITIONS
from optarena.specs import environment_specs
from runner.clock import database_now
from runner.cost import predicted_seconds
from runner.errors import RepetitionRefusedError
from runner.models import Verification
from runner.services import demands
from runner.services.demands import NOBODY
from runner.services.transitions import lock, log_creation
from runner.services.wakeups import wake_on_commit
from runner.states import State

if TYPE_CHECKING:
    import uuid


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
    row = _row(first, blocks)
    row.save(force_insert=True)
    log_creation([row], actor=actor)
    wake_on_commit([row])
    demands.demand(payer=payer, limited=limited, wanted=[(row, _predicted(row))])
    return row


def _row(first: Verification, blocks: int | None) -> Verification:
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
