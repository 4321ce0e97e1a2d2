"""What the database has after a run."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from faults.arena import Arena

INFRASTRUCTURE: Final = "infra:"


@dataclass(frozen=True)
class Row:
    """A verification as the database has it."""

    id: UUID
    uri: str
    actions: tuple[int, ...]
    state: str
    reason: str
    detail: str
    last_seq: int
    attempt: int
    metrics: Mapping[str, float]
    result: dict[str, Any] | None

    @property
    def key(self) -> tuple[str, tuple[int, ...]]:
        """The piece of work that it is."""
        return self.uri, self.actions

    @property
    def could_not_be_verified(self) -> bool:
        """Whether the infrastructure failed too often."""
        return self.reason.startswith(INFRASTRUCTURE)

    def __str__(self) -> str:
        return f"{self.id} ({self.uri}, {len(self.actions)} actions)"


def read_rows(arena: Arena) -> list[Row]:
    """All verifications."""
    with arena.stack.postgres.connect() as connection:
        found = connection.execute(
            "SELECT id, benchmark_uri, actions, state, reason, detail, last_seq, attempt, metrics, result"
            " FROM runner_verification ORDER BY created_at, id"
        ).fetchall()
    return [Row(one, uri, tuple(actions), *rest) for one, uri, actions, *rest in found]


@dataclass(frozen=True)
class Event:
    """One line of a verification's event log."""

    seq: int
    start: str
    end: str


def read_events(arena: Arena) -> dict[UUID, list[Event]]:
    """The event log of every verification."""
    logs: dict[UUID, list[Event]] = defaultdict(list)
    with arena.stack.postgres.connect() as connection:
        events = connection.execute(
            "SELECT verification_id, seq, from_state, to_state FROM runner_verificationevent ORDER BY seq"
        )
        for one, *event in events:
            logs[one].append(Event(*event))
    return logs


Verdicts = dict[str, dict[str, tuple[str, str]]]
"""For each submission the verdict and the reason of each item, by its program."""


def read_verdicts(arena: Arena) -> Verdicts:
    """All items of all submissions."""
    with arena.stack.postgres.connect() as connection:
        found = connection.execute(
            "SELECT s.id::text, i.benchmark_uri, i.verdict, i.reason FROM leaderboard_submission s"
            " LEFT JOIN leaderboard_submissionitem i ON i.submission_id = s.id"
        ).fetchall()
    stored: Verdicts = defaultdict(dict)
    for submission, uri, verdict, reason in found:
        stored[submission][uri] = verdict, reason
    return stored


def count_waiting(arena: Arena) -> int:
    """The replays that have not ended."""
    with arena.stack.postgres.connect() as connection:
        waiting = connection.execute("SELECT count(*) FROM runner_verification WHERE finished_at IS NULL")
        [(number,)] = waiting.fetchall()
    return int(number)
