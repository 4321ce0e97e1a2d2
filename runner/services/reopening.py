"""Replays work anew whose end does not count any more. The former rows stay, with their results and events.

``supersede`` and ``replay_anew`` belong together, in one transaction for one work: the second inserts a row
while it holds the locks of the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from optarena.specs import environment_spec
from runner.errors import EnvironmentChangedError
from runner.models import Verification
from runner.services.requests import alive_rows, request_on_class
from runner.services.transitions import in_lock_order, lock, supersede_locked
from runner.work import ActionSequence, Work

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection


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
    row = _row(verification_id)
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
    row = _row(verification_id)
    [made] = request_on_class(
        hardware_class=row.hardware_class,
        environment=row.environment_version.env_id,
        works=[_work(row, metrics)],
        actor=actor,
    )
    return made


def _row(verification_id: uuid.UUID) -> Verification:
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
