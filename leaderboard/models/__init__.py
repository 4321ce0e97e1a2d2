"""Boards, submissions, their items, and the standings derived from them.

Data and database constraints only: rules that must hold whatever code runs stand here as SQL. Writes
belong to ``services``, reads to ``selectors``.
"""

from leaderboard.models.bests import BestResult
from leaderboard.models.boards import UNOPTIMISED_LEVEL, Board, benchmark_name
from leaderboard.models.edits import SubmissionEdit
from leaderboard.models.finds import Find
from leaderboard.models.portable import PortableBoard, PortableEntry, PortableProgram, PortableReplay
from leaderboard.models.records import BoardRecord
from leaderboard.models.standings import EntryFigures, Standing, StandingPeriod
from leaderboard.models.submissions import (
    COULD_NOT_BE_VERIFIED,
    COUNTED_VERDICTS,
    FormerVerdict,
    IdempotencyKey,
    Submission,
    SubmissionItem,
)

__all__ = [
    "COULD_NOT_BE_VERIFIED",
    "COUNTED_VERDICTS",
    "UNOPTIMISED_LEVEL",
    "BestResult",
    "Board",
    "BoardRecord",
    "EntryFigures",
    "Find",
    "FormerVerdict",
    "IdempotencyKey",
    "PortableBoard",
    "PortableEntry",
    "PortableProgram",
    "PortableReplay",
    "Standing",
    "StandingPeriod",
    "Submission",
    "SubmissionEdit",
    "SubmissionItem",
    "benchmark_name",
]
