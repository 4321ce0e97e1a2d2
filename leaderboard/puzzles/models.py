"""The rows of daily puzzles."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from django.db import models
from django.db.models import Q

from leaderboard.boards.models import Board, is_current
from optarena import limits

if TYPE_CHECKING:
    from leaderboard.records.models import BestResult

# Its name in its dataset.
PROGRAM: Final = "program"


class Puzzle(models.Model):
    """A program that is announced by its hash, and published on a later day with a dataset and a board.

    The program, and `about` it what its manifest needs, are kept here until then: nothing that pages and the
    API read has them. A new key or a new version of the generator cannot change what was announced. The hash
    is that of a random nonce and the program: the generator makes so few that all could be hashed. Until its
    day, `about` has the nonce, too.
    """

    number = models.PositiveSmallIntegerField(unique=True)
    announced_at = models.DateTimeField()
    sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    nonce = models.CharField(max_length=limits.SHA256_LENGTH, blank=True)
    program = models.BinaryField(null=True)
    about = models.JSONField(default=dict)
    day = models.DateField(null=True, unique=True)
    board = models.OneToOneField(Board, on_delete=models.PROTECT, null=True, related_name="puzzle")

    # What pages and the API read beside the columns: the value of the level that it is compared with.
    par: float | None = None
    best: BestResult | None = None

    class Meta:
        ordering = ("-number",)
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["day"],
                condition=Q(day__isnull=True),
                nulls_distinct=False,
                name="puzzle_one_announced",
            ),
            models.CheckConstraint(
                condition=Q(day__isnull=True, board__isnull=True, program__isnull=False, nonce="")
                | Q(day__isnull=False, board__isnull=False, program__isnull=True),
                name="puzzle_sealed_until_its_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.day or 'announced'}"

    @property
    def state(self) -> str:
        if self.board is None:
            return "announced"
        takes_submissions = self.board.state == Board.State.OPEN and is_current(self.board)
        return "open" if takes_submissions else "closed"

    @property
    def uri(self) -> str:
        return "" if self.board is None else f"benchmark://{self.board.dataset_version.name}/{PROGRAM}"
