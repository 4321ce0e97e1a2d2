"""Writes what an earlier release did not know, once in the life of a process.

That release may go on until its last process has ended, so that every process that starts looks again.
"""

from __future__ import annotations

from django.db import transaction

from leaderboard.models import Board
from leaderboard.selectors import board_scale
from leaderboard.services import bests, standings


class CatchingUp:
    """Goes through all boards the first time that it is called."""

    def __init__(self) -> None:
        self._done = False

    def once(self) -> None:
        """Write the groups, periods and best results of every board, each board in its own transaction."""
        if self._done:
            return
        for pk in Board.objects.order_by("pk").values_list("pk", flat=True):
            with transaction.atomic():
                standings.catch_up(board_id=pk)
                [board] = standings.lock_boards(board_ids=[pk]).values()
                bests.rebuild(board=board, scale=board_scale(board))
        self._done = True
