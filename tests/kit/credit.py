"""Verified submissions, and who has the credit for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from leaderboard.boards import standings
from leaderboard.boards.services import rebuild_boards
from leaderboard.records import queries as record_queries
from tests.kit.boards import World, document, record_all, submit

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Submission

PADDED: Final = ((1, 9, 9), (2, 9), (3, 9))
"""The actions of ``document``, and some more without effect."""


def entry(
    owner: User, actions: Sequence[Sequence[int]] = ((1,), (2,), (3,)), *, value: int = 90, **about: Any
) -> Submission:
    made = submit(owner, document(actions, **about))
    record_all(made, *[value] * made.items.count())
    return made


def owns(submission: Submission) -> list[bool | None]:
    return list(submission.items.order_by("position").values_list("own", flat=True))


def finders(submission: Submission) -> list[str]:
    finds = [record_queries.first_find(item) for item in submission.items.order_by("position")]
    return [find.owner.username if find else "" for find in finds]


def listed(world: World, *, every_entry: bool = False) -> list[tuple[Submission, int | None]]:
    return [
        (row.submission, row.rank)
        for row in standings.standings(world.board, standings.BoardChoice(every_entry=every_entry))
    ]


def is_whole(world: World) -> bool:
    return rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}
