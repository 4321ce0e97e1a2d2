"""Boards, submissions, their items, and the standings derived from them.

Each subject has its own ``models``; import them from here. They are data and database constraints only:
rules that must hold whatever code runs are SQL there. Writes belong to ``services``, reads to ``queries``.
"""

from leaderboard.boards.models import UNOPTIMISED_LEVEL, Board, benchmark_name
from leaderboard.data.models import ReleasedSequence
from leaderboard.portable.models import (
    PortableBoard,
    PortableEntry,
    PortableProgram,
    PortableReplay,
    PortableRound,
)
from leaderboard.puzzles.models import Puzzle
from leaderboard.records.models import BestResult, BoardRecord
from leaderboard.submissions.models import (
    COULD_NOT_BE_VERIFIED,
    COUNTED_VERDICTS,
    EntryFigures,
    Find,
    FormerVerdict,
    IdempotencyKey,
    Standing,
    StandingPeriod,
    Submission,
    SubmissionEdit,
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
    "PortableRound",
    "Puzzle",
    "ReleasedSequence",
    "Standing",
    "StandingPeriod",
    "Submission",
    "SubmissionEdit",
    "SubmissionItem",
    "benchmark_name",
]
