"""The results that make a better one plausible: those of other owners, and those that a reviewer published.

One's own results never raise one's own limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from django.db.models import Max, Q

from leaderboard.models import FormerVerdict, SubmissionItem

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from leaderboard.models import Board

Verdict = SubmissionItem.Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The best verified ratios on some benchmarks of a board.

    Attributes:
        reviewed: By URI, the best that a reviewer has published.
        by_owner: By URI, each owner's best.
        own: By item, the best that a reviewer published of the same item before it was replayed anew.
    """

    reviewed: Mapping[str, float]
    by_owner: Mapping[str, Mapping[int, float]]
    own: Mapping[int, float]

    @classmethod
    def of(cls, board: Board, items: Collection[SubmissionItem]) -> Self:
        """The history that these items, which have a submission, are compared with."""
        uris = {item.benchmark_uri for item in items}
        if not uris:
            return cls(reviewed={}, by_owner={}, own={})
        verified = SubmissionItem.objects.filter(
            benchmark_uri__in=uris, submission__board=board, verdict=Verdict.VERIFIED
        )
        best = verified.order_by().values_list("benchmark_uri", "submission__owner")
        by_owner: dict[str, dict[int, float]] = {}
        reviewed: dict[str, float] = {}
        for uri, owner, ratio, published in best.annotate(
            best=Max("ratio"), published=Max("ratio", filter=Q(reviewed=True))
        ):
            by_owner.setdefault(uri, {})[owner] = ratio
            reviewed[uri] = max(published or 0.0, reviewed.get(uri, 0.0))
        published_before = FormerVerdict.objects.filter(
            item__in=[item.pk for item in items if item.pk], verdict=Verdict.VERIFIED, reviewed=True
        )
        own = published_before.order_by().values_list("item").annotate(best=Max("ratio"))
        return cls(reviewed=reviewed, by_owner=by_owner, own=dict(own))

    def best_for(self, item: SubmissionItem) -> float | None:
        """The best ratio that makes a better one of this item plausible; None if there is none."""
        others = self.by_owner.get(item.benchmark_uri, {})
        found = [ratio for owner, ratio in others.items() if owner != item.submission.owner_id]
        found += [self.reviewed.get(item.benchmark_uri, 0.0), self.own.get(item.pk or 0, 0.0)]
        return max(found) or None
