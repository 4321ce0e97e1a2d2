"""Who found what first, and who may read how."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from leaderboard.models import Find, SubmissionItem
from optarena.specs.results import MISMATCH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.contrib.auth.models import AnonymousUser, User

Verdict = SubmissionItem.Verdict
_FIRST: Final = "first_find"
_SHOWN: Final = (
    *("state_sha256", "submitted_at", "found_at", "owner__username"),
    *("item__submission_id", "item__position"),
)
_OPEN: Final = (Verdict.PENDING, Verdict.QUARANTINED)
"""Verdicts after which an item may still be verified."""


def add_finds(items: Sequence[SubmissionItem]) -> Sequence[SubmissionItem]:
    """Give each of these items the find of whoever reached its state first, read at once."""
    states = {item.state_sha256 for item in items} - {""}
    found = Find.objects.filter(state_sha256__in=states, item__isnull=False).select_related("owner", "item")
    rows = found.only(*_SHOWN).order_by("-submitted_at", "-pk")
    first = {find.state_sha256: find for find in rows} if states else {}
    for item in items:
        vars(item)[_FIRST] = first.get(item.state_sha256)
    return items


def first_find(item: SubmissionItem) -> Find | None:
    """The find of whoever reached an item's state first; None if it has no credit, or no find stands."""
    if _FIRST not in vars(item):
        add_finds([item])
    found: Find | None = vars(item)[_FIRST]
    return found


def may_read_actions(item: SubmissionItem, viewer: User | AnonymousUser | None) -> bool:
    """Whether somebody may read an item's actions: everybody may, once it was verified or finally was not.

    Before, others could submit them as their own. So they could if only the claim was refuted: the result is
    good, and nobody's find yet. Details of failures may name actions, too.
    """
    if viewer is not None and (viewer.is_staff or viewer.pk == item.submission.owner_id):
        return True
    if item.own is not None or item.verdict == Verdict.VERIFIED:
        return True
    undecided = item.verdict in _OPEN or item.reason.startswith("infra:") or item.reason == MISMATCH
    return not undecided and item.verdict != Verdict.WITHDRAWN
