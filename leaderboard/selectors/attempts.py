"""What an item's page shows of the attempts of its replay that did not record a result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from leaderboard.selectors.finds import may_read_actions
from optarena.specs.board import finite_number
from optarena.specs.results import REASONS
from runner.states import RUNNING, AttemptDecision, State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import AnonymousUser, User

    from leaderboard.models import SubmissionItem
    from runner.models import Verification, VerificationAttempt

_FOLLOWED: Final[Mapping[str, str]] = {
    AttemptDecision.CONFIRM: "It was suspected, so the replay was repeated.",
    AttemptDecision.FAIL: "It is final.",
    AttemptDecision.GIVE_BACK: "The replay was queued again.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptRow:
    """One attempt as people read it.

    Attributes:
        number: From 1.
        reason: Its reason id.
        meaning: The reason in words.
        detail: What exactly happened.
        conditions: How it ran.
        followed: What followed.
    """

    number: int
    reason: str
    meaning: str
    detail: str
    conditions: str
    followed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempts:
    """All of them, and how the verification ended, in one sentence."""

    rows: tuple[AttemptRow, ...]
    end: str


def attempts(item: SubmissionItem, viewer: User | AnonymousUser | None) -> Attempts:
    """The attempts of an item's replay, which ``item`` has fetched with it.

    Details may name actions, so they are empty for those who may not read these.
    """
    if item.verification is None:
        return Attempts(rows=(), end="")
    stored = list(item.verification.attempts.all())
    rows = tuple(map(_row, stored))
    if not may_read_actions(item, viewer):
        rows = tuple(replace(row, detail="") for row in rows)
    return Attempts(rows=rows, end=_end(item.verification, len(stored)))


def _row(attempt: VerificationAttempt) -> AttemptRow:
    known = REASONS.get(attempt.reason)
    return AttemptRow(
        number=attempt.number,
        reason=attempt.reason,
        meaning=known.meaning if known else "",
        detail=attempt.detail,
        conditions=_conditions(attempt),
        followed=_FOLLOWED.get(attempt.decision, ""),
    )


def _conditions(attempt: VerificationAttempt) -> str:
    seconds = (attempt.ended_at - attempt.started_at).total_seconds()
    # A worker writes its evidence itself: what has another form is left out.
    evidence = attempt.evidence if isinstance(attempt.evidence, dict) else {}
    if "alone" not in evidence:  # its worker was lost and could write nothing
        return f"Ended or noticed as lost after {seconds:.1f} s."
    how = ["Alone" if evidence.get("alone") else "Beside others", f"{seconds:.1f} s"]
    if (factor := finite_number(evidence.get("time_factor"))) not in (None, 1.0):
        how.append(f"{factor:g} times the limits of time")
    if (busy := finite_number(evidence.get("busy_percent_during"))) is not None:
        how.append(f"processes waited for a processor {busy:.0f} % of the time")
    return ", ".join(how) + "."


def _end(verification: Verification, number: int) -> str:
    if verification.state == State.RECORDED:
        return f"Attempt {number + 1} succeeded, and its result was recorded."
    if verification.state in RUNNING:
        return f"Attempt {number + 1} is running."
    if verification.state == State.QUEUED:
        return f"Attempt {number + 1} is waiting for a worker."
    return ""
