"""The places and ranks that a board's entries should have: a plain model of what the database computes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Generic, TypeVar

from leaderboard.boards.ranking import Score

if TYPE_CHECKING:
    import uuid

    from leaderboard.models import Standing

Key = TypeVar("Key", bound="Hashable")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Generic[Key]):
    key: Key
    # Rows of one group (an owner's agent) compete for a single rank.
    group: Hashable
    score: Score
    effective_actions: int
    # When it was submitted.
    order: float
    # Whether any of its results is a find of its owner; without one the row is a collection.
    own: bool = True
    # Before all replays have ended, its score is of some benchmarks only, and the row stands behind all that
    # have.
    ended: bool = True

    @property
    def rankable(self) -> bool:
        score = self.score.score
        ranked = score is not None and score > 0  # rounding makes 0 of a tiny score
        return ranked and self.score.complete and self.own


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Generic[Key]):
    entry: Entry[Key]
    position: int
    rank: int | None
    # Of its group.
    best: bool


def place(entries: Iterable[Entry[Key]], *, provisional: bool = False) -> list[Placed[Key]]:
    # Ranked rows come first: by score, ties by time, then by fewer effective actions. The rest follow in the
    # same order, rows without any score last. A tie shares its rank and the next rank is skipped (1, 1, 3).
    # Provisional scores are too noisy to be ranked.
    ordered = sorted(entries, key=_preference)
    best = _best_of_groups(ordered)
    leading = [entry for entry in ordered if entry.key in best and entry.rankable]
    ranks = {} if provisional else _competition_ranks(leading)
    led = {entry.key for entry in leading}
    rest = [entry for entry in ordered if entry.key not in led]
    return [
        Placed(entry=entry, position=position, rank=ranks.get(entry.key), best=entry.key in best)
        for position, entry in enumerate([*leading, *rest], start=1)
    ]


def _preference(entry: Entry[Key]) -> tuple[bool, bool, bool, float, float, int]:
    score = entry.score.score
    return (
        not entry.ended,
        not entry.rankable,
        score is None,
        0.0 if score is None else -score,
        entry.order,
        entry.effective_actions,
    )


def _best_of_groups(ordered: Sequence[Entry[Key]]) -> set[Key]:
    best: dict[Hashable, Key] = {}
    for entry in ordered:
        best.setdefault(entry.group, entry.key)
    return set(best.values())


def _competition_ranks(ranked: Sequence[Entry[Key]]) -> dict[Key, int]:
    ranks: dict[Key, int] = {}
    for _, tied in groupby(ranked, key=lambda entry: entry.score.score):
        rank = len(ranks) + 1
        ranks.update({entry.key: rank for entry in tied})
    return ranks


def entry_of(row: Standing) -> Entry[uuid.UUID]:
    return Entry(
        key=row.submission_id,
        group=row.rank_group,
        score=Score(
            score=row.score, mean_improvement=row.mean_improvement, verified=row.verified, total=row.total
        ),
        effective_actions=row.effective_actions,
        order=row.submitted_at.timestamp(),
        own=not row.is_collection,
        ended=row.pending == 0,
    )
