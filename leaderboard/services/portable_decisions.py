"""What owners and reviewers decide about portable entries: to withdraw them, to publish or refuse them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, Max, Q

from leaderboard.models import PortableEntry, PortableProgram
from leaderboard.ranking import plausible_limit
from leaderboard.services.submissions import Conflict, may_withdraw, release
from runner import services as runner
from runner.clock import database_now
from runner.models import Verification

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection

    from django.contrib.auth.models import User

log = structlog.get_logger(__name__)


@transaction.atomic
def withdraw(*, entry_id: uuid.UUID, actor: User) -> PortableEntry:
    """Withdraw a portable entry: it stays, unranked; replays that nobody else waits for are cancelled.

    One whose programs have not been drawn yet never gets any.

    Raises:
        PortableEntry.DoesNotExist: There is no such entry.
        PermissionDenied: The user neither owns it nor is staff.
        Conflict: It is already withdrawn.
    """
    entry = PortableEntry.objects.get(pk=entry_id)
    if not may_withdraw(entry, actor):
        raise PermissionDenied("Only its owner can withdraw a portable entry.")
    # The verifications first: the order of locks that every writer keeps.
    wanted = Verification.objects.filter(portable_replays__program__entry=entry)
    rows = Verification.objects.filter(pk__in=wanted.order_by().values("pk"))
    waited_for = [one.pk for one in runner.in_lock_order(rows) if not one.is_terminal]
    entry = PortableEntry.objects.select_for_update(no_key=True).get(pk=entry_id)
    if entry.withdrawn_at is not None:
        raise Conflict(
            "This portable entry is already withdrawn.",
            field="entry",
            value=str(entry_id),
            remedy="Submit again if you want it to be ranked.",
        )
    entry.withdrawn_at = database_now()
    entry.drawn_at = entry.drawn_at or entry.withdrawn_at
    entry.save(update_fields=["withdrawn_at", "drawn_at"])
    release(waited_for, owner_id=entry.owner_id)
    log.info("portable_entry_withdrawn", entry=str(entry_id), actor=actor.username)
    return entry


def is_implausible(entry: PortableEntry, ratios: Collection[float]) -> bool:
    """Whether a ratio on a drawn program is beyond the board's limit, and far beyond what others reached.

    One's own entries do not raise the limit, unless a reviewer published them.

    Args:
        entry: The entry.
        ratios: Those of its drawn programs, at least one.
    """
    largest = max(ratios)
    if largest <= entry.board.plausible_ratio:
        return False
    scored = PortableProgram.objects.filter(is_drawn=True, value__gt=0, entry__board=entry.board_id)
    known = scored.filter(entry__score__isnull=False, entry__withdrawn_at__isnull=True)
    others = Q(entry__is_doubted=False) & ~Q(entry__owner=entry.owner_id)
    trusted = known.filter(others | Q(entry__is_accepted=True))
    best = trusted.aggregate(best=Max(F("reference") / F("value")))["best"]
    return largest > plausible_limit(entry.board.plausible_ratio, best)


@transaction.atomic
def review(*, entry_ids: Collection[uuid.UUID], accept: bool, reviewer: str) -> int:
    """Publish quarantined entries, or refuse them; others stay as they are.

    Returns:
        How many entries were decided.
    """
    waiting = PortableEntry.objects.filter(
        pk__in=entry_ids, is_doubted=True, is_accepted__isnull=True, ended_at__isnull=False
    )
    locked = list(waiting.select_for_update(no_key=True).order_by("pk").values_list("pk", flat=True))
    PortableEntry.objects.filter(pk__in=locked).update(is_accepted=accept)
    for pk in locked:
        log.info("portable_entry_reviewed", entry=str(pk), accepted=accept, reviewer=reviewer)
    return len(locked)
