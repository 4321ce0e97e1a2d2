"""What the database, the queue, the processes and the files have after a run, and what must hold of them.

Each check returns its violations.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from kombu import Connection

from optarena.specs.results import ReplayResult, first_difference
from tests.kit.faults.kinds import Seen, belonging, family
from tests.kit.faults.work import METRIC, Piece
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from uuid import UUID

    from tests.kit.faults.servers import HarmedServers

INFRASTRUCTURE: Final = "infra:"
_TERMINAL: Final = frozenset({"recorded", "failed", "cancelled"})
_SHOWN: Final = 200
_END_SECONDS: Final = 60.0
"""A moment, also on a machine that does much else."""


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
        return self.uri, self.actions

    @property
    def could_not_be_verified(self) -> bool:
        return self.reason.startswith(INFRASTRUCTURE)

    def __str__(self) -> str:
        return f"{self.id} ({self.uri}, {len(self.actions)} actions)"


def read_rows(servers: HarmedServers) -> list[Row]:
    with servers.stack.postgres.connect() as connection:
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


def read_events(servers: HarmedServers) -> dict[UUID, list[Event]]:
    logs: dict[UUID, list[Event]] = defaultdict(list)
    with servers.stack.postgres.connect() as connection:
        events = connection.execute(
            "SELECT verification_id, seq, from_state, to_state FROM runner_verificationevent ORDER BY seq"
        )
        for one, *event in events:
            logs[one].append(Event(*event))
    return logs


Verdicts = dict[str, dict[str, tuple[str, str]]]
"""For each submission the verdict and the reason of each item, by its program."""


def read_verdicts(servers: HarmedServers) -> Verdicts:
    with servers.stack.postgres.connect() as connection:
        found = connection.execute(
            "SELECT s.id::text, i.benchmark_uri, i.verdict, i.reason FROM leaderboard_submission s"
            " LEFT JOIN leaderboard_submissionitem i ON i.submission_id = s.id"
        ).fetchall()
    stored: Verdicts = defaultdict(dict)
    for submission, uri, verdict, reason in found:
        stored[submission][uri] = verdict, reason
    return stored


def count_waiting(servers: HarmedServers) -> int:
    with servers.stack.postgres.connect() as connection:
        waiting = connection.execute("SELECT count(*) FROM runner_verification WHERE finished_at IS NULL")
        [(number,)] = waiting.fetchall()
    return int(number)


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


def standings(servers: HarmedServers) -> list[str]:
    """Every board's rows are those that a rebuild gives."""
    try:
        servers.manage("rebuild_standings", "--check")
    except RuntimeError as error:
        return [f"standings: {error}"]
    return []


def queue(servers: HarmedServers) -> list[str]:
    """Nothing waits, and the broker holds no wake-up that nobody fetches."""
    waiting = count_waiting(servers)
    problems = [f"{waiting} replays still wait"] if waiting else []
    until = time.monotonic() + _END_SECONDS
    with Connection(servers.server.environment["OPTARENA_BROKER_URL"]) as broker:
        client = broker.default_channel.client  # type: ignore[attr-defined] # Valkey's has one
        while (left := client.llen("cpu")) and time.monotonic() < until:
            time.sleep(0.2)
    return problems + ([f"{left} wake-ups are left in the broker"] if left else [])


def orphans(servers: HarmedServers) -> list[str]:
    """Every process that works for the server descends from one that the supervisor knows."""
    found = _wait_for_none(lambda: _strangers(servers))
    return [f"process {one.pid} has outlived its parent: {one.command!r}" for one in found]


def _strangers(servers: HarmedServers) -> list[Seen]:
    own = {one.pid for one in family(os.getpid())}
    return [one for one in belonging(servers.folder) if one.pid not in own]


def leftovers(servers: HarmedServers) -> list[str]:
    """After the end of all processes none is left, and no file in a folder of passing use."""
    found = _wait_for_none(lambda: belonging(servers.stack.folder.path))
    problems = [f"process {one.pid} still runs: {one.command!r}" for one in found]
    _remove_old_folders(servers)
    for folder in (servers.work.folder, servers.temporary):
        problems += [
            f"{path} was left behind" for path in folder.rglob("*") if path.is_file() or path.parent != folder
        ]
    return problems


def _remove_old_folders(servers: HarmedServers) -> None:
    """Have the next start of a service remove what killed processes have left, as if a minute had passed."""
    folder = servers.work.folder / "services"
    if not folder.is_dir():
        return
    for one in folder.iterdir():
        os.utime(one, (0, 0))
    code = "from optarena.service.processes import folders as f; f.remove_directory(f.make_directory()[0])"
    subprocess.run([sys.executable, "-c", code], env=servers.server.environment, cwd=ROOT, check=True)


def _wait_for_none(find: Callable[[], list[Seen]]) -> list[Seen]:
    until = time.monotonic() + _END_SECONDS
    while (found := find()) and time.monotonic() < until:
        time.sleep(0.2)
    return found
