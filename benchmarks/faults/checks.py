"""What must hold of the records of a run, however much was broken. Each function returns its violations."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from faults.records import INFRASTRUCTURE
from faults.work import METRIC
from optarena.specs.results import ReplayResult, first_difference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from faults.records import Event, Row, Verdicts
    from faults.work import Piece

_TERMINAL: Final = frozenset({"recorded", "failed", "cancelled"})
_SHOWN: Final = 200


def ends(rows: Sequence[Row], logs: Mapping[UUID, Sequence[Event]]) -> list[str]:
    """Every verification has ended, exactly once, and its event log tells all of it without a gap."""
    problems = []
    for row in rows:
        log = logs[row.id]
        if [event.seq for event in log] != list(range(1, row.last_seq + 1)):
            problems.append(f"{row}: the numbers of its events have gaps: {log}")
        if [event.start for event in log] != ["", *(event.end for event in log[:-1])]:
            problems.append(f"{row}: an event does not begin where the one before it ended: {log}")
        terminal = [event.end for event in log if event.end in _TERMINAL]
        if terminal != [row.state]:
            problems.append(f"{row}: it is {row.state}, and its terminal events are {terminal}")
    return problems


def verdicts(rows: Sequence[Row], expected: Mapping[Piece, ReplayResult]) -> list[str]:
    """No replay ended otherwise than it does in calm, and each piece of work was done once."""
    known = {(piece.uri, piece.actions): result for piece, result in expected.items()}
    problems = [
        f"{row}: {difference}"
        for row in rows
        if not row.could_not_be_verified and (difference := _difference(row, known[row.key]))
    ]
    done = Counter(row.key for row in rows if not row.could_not_be_verified)
    problems += [
        f"{uri} {actions}: {number} replays" for (uri, actions), number in done.items() if number > 1
    ]
    return problems


def _difference(row: Row, calm: ReplayResult) -> str:
    """What differs from the calm replay; empty if nothing does."""
    if (row.state, row.reason) != (("recorded", "") if calm.ok else ("failed", calm.reason)):
        in_calm = f"recorded {dict(calm.metrics)}" if calm.ok else f"failed for {calm.reason}"
        return f"{row.state} {row.reason} ({row.detail[:_SHOWN]}), and in calm {in_calm}"
    if row.result is None:
        return f"{row.state} without a result"
    if calm.ok and METRIC not in row.metrics:
        return f"recorded without {METRIC}"
    found = ReplayResult.from_json(row.result)
    wanted = {name: value for name, value in calm.metrics.items() if name in found.metrics}
    difference = first_difference(replace(calm, metrics=wanted), found)
    return "" if difference is None else difference.message


def missing(rows: Sequence[Row], expected: Mapping[Piece, ReplayResult]) -> list[Piece]:
    """The pieces that could not be verified, or were lost."""
    done = {row.key for row in rows if not row.could_not_be_verified}
    return [piece for piece in expected if (piece.uri, piece.actions) not in done]


def items(
    stored: Verdicts, submissions: Mapping[str, Sequence[Piece]], expected: Mapping[Piece, ReplayResult]
) -> list[str]:
    """Every accepted submission is there once, with all its items, each with the verdict that it earns."""
    problems = [f"submission {one} was never accepted" for one in stored.keys() - submissions.keys()]
    for submission, pieces in submissions.items():
        found = stored.get(submission, {})
        for piece in pieces:
            verdict = found.get(piece.uri, ("missing", ""))
            if not _earned(verdict, piece, expected[piece]):
                problems.append(f"submission {submission}: the item of {piece} is {verdict}")
        if len(found) != len(pieces):
            problems.append(f"submission {submission} has {len(found)} items, not {len(pieces)}")
    return problems


def _earned(verdict: tuple[str, str], piece: Piece, calm: ReplayResult) -> bool:
    """Whether an item's verdict and reason follow from the calm replay."""
    if verdict[1].startswith(INFRASTRUCTURE):
        return verdict[0] == "failed"
    if not calm.ok:
        return verdict[0] in {"refuted", "failed"} and verdict[1] == calm.reason
    return verdict == (("refuted", "claim:mismatch") if piece.kind == "claim" else ("verified", ""))
