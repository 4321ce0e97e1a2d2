"""The filters of the list of submissions: whether what they name exists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User

from leaderboard.models import Board
from optarena.errors import Problem
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHOWN: Final = 100


def unknown_filters(*, board: str | None, owner: str | None) -> list[Problem]:
    """A problem for each filter that names nothing: an empty list would look like a true answer.

    Names of users are not suggested: there may be many, and they are nobody's vocabulary.
    """
    return list(_unknown(board, owner))


def _unknown(board: str | None, owner: str | None) -> Iterator[Problem]:
    if board is not None:
        known = list(Board.objects.order_by("slug").values_list("slug", flat=True))
        if board not in known:
            yield Problem.of(unknown_name("board", board, known), value=board[:_SHOWN])
    if owner is not None and not User.objects.filter(username=owner).exists():
        yield Problem(
            field="owner",
            value=owner[:_SHOWN],
            message="There is no user of this name.",
            remedy="Give the user name as submissions show it, in the same upper and lower case.",
        )
