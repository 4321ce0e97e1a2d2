"""Deletes old history on an operator's request: events within a life, traces of replays, calibrations.

The database refuses such writes except from its owner in a transaction that announces them. What a result
says stays: state, reason, metrics, workloads, and the first and the last event.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from runner.models import Calibration, Verification, VerificationEvent
from runner.states import TERMINAL

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

_BATCH: Final = 1_000
_ANNOUNCE: Final = "SET LOCAL optarena.pruning = 'on'"
_DROP_TRACES: Final = """
    UPDATE runner_verification
    SET result = jsonb_set(result, '{steps}', '[]') || jsonb_build_object(
        'initial', NULL,
        'pruned', jsonb_build_object(
            'effective_actions', jsonb_array_length(
                jsonb_path_query_array(result, '$.steps[*] ? (@.had_no_effect == false)')),
            'digest', coalesce(result #> '{steps,-1,digest}', result #> '{steps,-1,ir_digest}')))
    WHERE id = ANY(%s)
"""


def old_events(*, before: datetime) -> int:
    """How many events ``prune_events`` would delete."""
    return _middle_events(before).count()


def prune_events(*, before: datetime) -> int:
    """Delete the events between the first and the last of verifications that ended before a moment.

    Returns:
        How many were deleted.
    """
    deleted = 0
    while ids := list(_middle_events(before).values_list("pk", flat=True)[:_BATCH]):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ANNOUNCE)
            deleted += VerificationEvent.objects.filter(pk__in=ids).delete()[0]
    return deleted


def old_calibrations(*, before: datetime) -> int:
    """How many calibrations ``prune_calibrations`` would delete."""
    return Calibration.objects.filter(at__lt=before).count()


def prune_calibrations(*, before: datetime) -> int:
    """Delete the calibrations that were made before a moment.

    Returns:
        How many were deleted.
    """
    return Calibration.objects.filter(at__lt=before).delete()[0]


def prune_traces(*, verification_ids: Collection[UUID]) -> int:
    """Delete the steps of these verifications' results, and keep how many of them had an effect.

    Returns:
        How many results had steps.
    """
    wanted = list(verification_ids)
    changed = 0
    for start in range(0, len(wanted), _BATCH):
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(_ANNOUNCE)
            ended = Verification.objects.select_for_update(no_key=True).filter(
                pk__in=wanted[start : start + _BATCH],
                finished_at__isnull=False,
                result__steps__0__isnull=False,
            )
            ids = list(ended.order_by("pk").values_list("pk", flat=True))
            cursor.execute(_DROP_TRACES, [ids])
            changed += len(ids)
    return changed


def _middle_events(before: datetime) -> QuerySet[VerificationEvent]:
    """The events of verifications that ended before a moment, without the first, the last, and any end."""
    ended = Verification.objects.filter(
        pk=OuterRef("verification"), finished_at__lt=before, last_seq__gt=OuterRef("seq")
    )
    old = VerificationEvent.objects.filter(Exists(ended), at__lt=before, seq__gt=1)
    # The last event of a superseded verification says so; the one before it is how the replay ended.
    return old.exclude(to_state__in=TERMINAL).order_by("pk")
