"""The results that make a better one plausible: those of other owners, and those that a reviewer published.

One's own results never raise one's own limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from django.db import connection
from django.db.models import Max

from leaderboard.models import FormerVerdict, SubmissionItem

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from leaderboard.models import Board

Verdict = SubmissionItem.Verdict

# For each benchmark and owner the index item_benchmark_best is read from its top: on to the first result of
# somebody else, however long the board is.
_BEST: Final = """
SELECT asked.uri, asked.owner, best.ratio
FROM unnest(%(uris)s::text[], %(owners)s::int[]) AS asked (uri, owner)
CROSS JOIN LATERAL (
    SELECT item.ratio FROM leaderboard_submissionitem AS item
    JOIN leaderboard_submission AS submission ON submission.id = item.submission_id
    WHERE item.benchmark_uri = asked.uri AND item.verdict = 'verified' AND submission.board_id = %(board)s
      AND (submission.owner_id <> asked.owner OR item.reviewed)
    ORDER BY item.ratio DESC LIMIT 1) AS best
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The best ratios that make better ones plausible on a board.

    Attributes:
        best: By URI and owner, the best verified one that is somebody else's or that a reviewer published.
        own: By item, the best that a reviewer published of the same item before it was replayed anew.
    """

    best: Mapping[tuple[str, int], float]
    own: Mapping[int, float]

    @classmethod
    def of(cls, board: Board, items: Collection[SubmissionItem]) -> Self:
        """The history that these items, which have a submission, are compared with."""
        if not items:
            return cls(best={}, own={})
        asked = sorted({(item.benchmark_uri, item.submission.owner_id) for item in items})
        uris, owners = ([pair[part] for pair in asked] for part in (0, 1))
        with connection.cursor() as cursor:
            cursor.execute(_BEST, {"uris": uris, "owners": owners, "board": board.pk})
            best = {(uri, owner): ratio for uri, owner, ratio in cursor.fetchall()}
        published_before = FormerVerdict.objects.filter(
            item__in=[item.pk for item in items if item.pk], verdict=Verdict.VERIFIED, reviewed=True
        )
        own = published_before.order_by().values_list("item").annotate(best=Max("ratio"))
        return cls(best=best, own=dict(own))

    def best_for(self, item: SubmissionItem) -> float | None:
        """The best ratio that makes a better one of this item plausible; None if there is none."""
        others = self.best.get((item.benchmark_uri, item.submission.owner_id), 0.0)
        return max(others, self.own.get(item.pk or 0, 0.0)) or None
