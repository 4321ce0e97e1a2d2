"""The order of a board's entries, as the database sorts them."""

from __future__ import annotations

from typing import Final

from django.db.models import F, Q

ENTRY_PREFERENCE: Final = (
    F("rankable").desc(),
    F("score").desc(nulls_last=True),
    F("submitted_at").asc(),
    F("effective_actions").asc(),
    F("submission_id").asc(),
)
"""Which of two entries is the better one, if both have ended: the order of ``ranking.place``, in SQL."""

BOARD_ORDER: Final = (F("leading").desc(), *ENTRY_PREFERENCE)
"""The order in which a board shows its entries: those that compete for a rank before the others."""

RANKABLE: Final = (
    Q(score__isnull=False)
    & Q(score__gt=0)
    & Q(verified=F("total"))
    & Q(total__gt=0)
    & Q(copied__lt=F("verified"))
)
"""Whether an entry may have a rank: as ``ranking.Entry.rankable``, in SQL."""
