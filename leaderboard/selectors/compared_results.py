"""The results that are compared, as arrays in a board's order of programs.

PostgreSQL sends one column as one value, as its bytes: rows of 10,000 items would take far longer.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from django.db import connection

from leaderboard.comparing import Results
from leaderboard.selectors.boards import board_places

if TYPE_CHECKING:
    import uuid
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from leaderboard.models import Board

_OF_SUBMISSION: Final = """
SELECT position, CASE WHEN verdict = 'verified' THEN log_ratio END AS log, log_variance, log_freedom
FROM leaderboard_submissionitem WHERE submission_id = %s
"""
_OF_EVERYBODY: Final = (
    "SELECT benchmark_uri, log_ratio AS log FROM leaderboard_bestresult WHERE board_id = %s"
)
_OF_EVERYBODY_MEASURED: Final = """
SELECT best.benchmark_uri, best.log_ratio AS log, item.log_variance, item.log_freedom
FROM leaderboard_bestresult AS best JOIN leaderboard_submissionitem AS item ON item.id = best.item_id
WHERE best.board_id = %s
"""
_PROGRAMS: Final = """
SELECT string_agg(int4send(position), ''), string_agg(benchmark_uri, E'\n')
FROM leaderboard_submissionitem WHERE submission_id = %s
"""
_NUMBERS: Final = ("log", "log_variance", "log_freedom")
_KEPT_SUBMISSIONS: Final = 128
"""Of so many submissions a process remembers which programs their items are of: 4 bytes for each item."""


def results_of_submission(board: Board, submission: uuid.UUID) -> tuple[Results, NDArray[np.bool_]]:
    """The verified results of a submission, and for which programs of the board it has an item."""
    positions, *numbers = _read(board, "string_agg(int4send(position), '')", _OF_SUBMISSION, submission)
    if board.dataset_version.frozen:
        known = board.dataset_version.manifest_sha256, tuple(board.benchmarks)
        programs = _kept_programs(submission, board, *known)
    else:
        programs = _programs(submission, board)
    return _placed(board, programs[np.frombuffer(positions or b"", dtype=">i4")], numbers)


def results_of_everybody(board: Board) -> tuple[Results, NDArray[np.bool_]]:
    """The best result of anybody for each program, and for which programs there is one."""
    rows = _OF_EVERYBODY if board.exact else _OF_EVERYBODY_MEASURED
    uris, *numbers = _read(board, "string_agg(benchmark_uri, E'\n')", rows, board.pk)
    return _placed(board, _places(board, uris), numbers)


def _programs(submission: uuid.UUID, board: Board) -> NDArray[np.intp]:
    """The place of each item's program on a board, by the item's position."""
    with connection.cursor() as cursor:
        cursor.execute(_PROGRAMS, [submission])
        sent, uris = cursor.fetchone()
    positions = np.frombuffer(sent or b"", dtype=">i4")
    found = np.full(positions.max(initial=-1) + 1, -1, dtype=np.int32)
    found[positions] = _places(board, uris)
    return found


@lru_cache(maxsize=_KEPT_SUBMISSIONS)
def _kept_programs(
    submission: uuid.UUID, board: Board, manifest_sha256: str, benchmarks: tuple[str, ...]
) -> NDArray[np.intp]:
    """The same for as long as the board compares these programs: a submission's items stay what they are."""
    del manifest_sha256, benchmarks
    return _programs(submission, board)


def _places(board: Board, uris: str | None) -> list[int]:
    """The places of programs on a board; the place behind the last one for those of no place."""
    places = board_places(board)
    return [places.get(uri, len(places)) for uri in uris.split("\n")] if uris else []


def _read(board: Board, key: str, rows: str, of: uuid.UUID | int) -> Sequence[Any]:
    """A column that tells which programs the rows are of, and those of their numbers that the board has."""
    numbers = _NUMBERS[:1] if board.exact else _NUMBERS
    sent = "".join(f", string_agg(float8send(coalesce({one}, 'NaN')), '')" for one in numbers)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key}{sent} FROM ({rows}) AS row", [of])  # noqa: S608 # of constants
        found: Sequence[Any] = cursor.fetchone()
    return found


def _placed(
    board: Board, at: NDArray[np.intp] | list[int], numbers: Sequence[bytes | None]
) -> tuple[Results, NDArray[np.bool_]]:
    programs = len(board_places(board))
    arrays = np.full((len(_NUMBERS), programs + 1), np.nan)
    for array, values in zip(arrays, numbers, strict=False):
        array[at] = np.frombuffer(values or b"", dtype=">f8")
    is_there = np.zeros(programs + 1, dtype=bool)
    is_there[at] = True
    return Results(*arrays[:, :-1]), is_there[:-1]
