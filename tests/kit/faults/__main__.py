"""One run: work before the faults, work under faults, what is left once more, the checks, and a report.

Every piece of work is first replayed without a server. Then the server verifies some of them without faults,
and the rest while processes are killed, stopped and cut off, and disks are full. Afterwards each verification
must have ended exactly once with the result of the first replay; nothing may be lost, doubled or left behind.
Exits 1 if anything was. The seed draws work, faults and their order; when a fault hits is the machine's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn

import psycopg

from optarena.client import ApiProblem, Client, ClientError
from tests.kit.faults import checks
from tests.kit.faults.kinds import Schedule, impossible
from tests.kit.faults.servers import HarmedServers
from tests.kit.faults.work import Piece, draw, replay_calmly, write_danger

if TYPE_CHECKING:
    from optarena.specs.results import ReplayResult
    from tests.kit.faults.checks import Row

CALM_PART: Final = 5
"""For so many replays under faults there is one before them."""
WORK_OF_A_FAULT: Final = 3.5
MOST_UNVERIFIED: Final = 0.02
"""The part of the work that may end for reasons of the infrastructure; submitted again, it is verified."""
_SAY_SECONDS: Final = 30.0
_INTERNAL_ERROR: Final = 500
_SHOWN: Final = 40
WAITING: Final = 24
"""So many replays wait at most: more are submitted as they end, so that requests meet faults too."""
_ITEMS: Final = 8
_POLL_SECONDS: Final = 0.2
_TRANSIENT: Final = frozenset({429, 502, 503, 504})
_COUNTS: Final = """
SELECT count(*) FILTER (WHERE finished_at IS NOT NULL), count(*) FILTER (WHERE finished_at IS NULL)
FROM runner_verification
"""


class Watcher:
    """Counts replays in the database, from a thread of its own: the database may be paused for long."""

    def __init__(self, servers: HarmedServers) -> None:
        self._servers = servers
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)
        self.ended = self.waiting = 0

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End with the next answer of the database."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            with suppress(psycopg.Error), self._servers.stack.postgres.connect() as connection:
                while not self._stop.wait(_POLL_SECONDS):
                    row = connection.execute(_COUNTS).fetchone()
                    if row is not None:
                        self.ended, self.waiting = row
            self._stop.wait(_POLL_SECONDS)


class Submitter:
    """Submits pieces of work in small submissions and repeats every request until it is answered.

    Every fourth submission is sent twice: with the same key, which must make no second one, and by another
    user, who must share its replays.
    """

    def __init__(self, servers: HarmedServers, watcher: Watcher, name: str) -> None:
        self._servers = servers
        self._watcher = watcher
        self._name = name
        self._stop = threading.Event()
        self._tokens: dict[str, str] = {}
        self._thread: threading.Thread | None = None
        self.submissions: dict[str, list[Piece]] = {}
        """The pieces of each submission that the server has accepted, by its id."""
        self.answers: Counter[int] = Counter()
        """Refusals by HTTP status; 0 where no answer came."""
        self.problems: list[str] = []

    def start(self, pieces: Sequence[Piece]) -> None:
        self._thread = threading.Thread(target=self._run, args=(pieces,), name=self._name, daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        return self._thread is not None and not self._thread.is_alive()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, pieces: Sequence[Piece]) -> None:
        try:
            for number, group in enumerate(_groups(pieces)):
                while self._watcher.waiting >= WAITING and not self._stop.wait(_POLL_SECONDS):
                    pass
                made = self._submit(f"{self._name}-ada", group, number)
                if number % 4 == 0:
                    if (again := self._submit(f"{self._name}-ada", group, number)) != made:
                        self.problems.append(f"one key made two submissions: {made} and {again}")
                    self._submit(f"{self._name}-bob", group, number)
        except _Stopped:
            return
        except ClientError as error:
            self.problems.append(f"a submission was refused: {error}")

    def _submit(self, user: str, group: Sequence[Piece], number: int) -> str:
        document = {
            "board": group[0].board,
            "agent": f"agent {number}",
            "items": [piece.item for piece in group],
        }
        key = f"{user}-{number}"
        made = self._insist(lambda: self._post(user, document, key))
        self.submissions[str(made["id"])] = list(group)
        return str(made["id"])

    def _post(self, user: str, document: dict[str, Any], key: str) -> dict[str, Any]:
        if user not in self._tokens:
            self._tokens[user] = self._sign_up(user)
        with Client(self._servers.server.url, self._tokens[user]) as client:
            return client.submit(document, key=key)

    def _sign_up(self, user: str) -> str:
        """A token; the answer to an earlier request may have been lost."""
        password = f"correct horse {user} staple"
        with Client(self._servers.server.url, "") as stranger:
            try:
                return str(stranger.signup(user, password)["token"])
            except ApiProblem as error:
                if error.status in _TRANSIENT or error.status >= _INTERNAL_ERROR:
                    raise
                return str(stranger.make_token(user, password)["token"])

    def _insist(self, request: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        while not self._stop.is_set():
            try:
                return request()
            except ApiProblem as error:
                self.answers[error.status] += 1
                if error.status not in _TRANSIENT and error.status < _INTERNAL_ERROR:
                    raise
            except ClientError:
                self.answers[0] += 1
            time.sleep(_POLL_SECONDS)
        raise _Stopped


class _Stopped(Exception):
    """The run ends."""


def _groups(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The pieces in submissions: each of one board, and with one item for a program."""
    made: list[list[Piece]] = []
    unfilled: dict[str, list[list[Piece]]] = {}
    for piece in pieces:
        options = unfilled.setdefault(piece.board, [])
        fitting = next((group for group in options if all(one.uri != piece.uri for one in group)), None)
        if fitting is None:
            fitting = []
            options.append(fitting)
            made.append(fitting)
        fitting.append(piece)
        if len(fitting) == _ITEMS:
            options.remove(fitting)
    return made


class Run:
    """The work carried out, and what was found.

    Args:
        servers: What verifies it.
        expected: The results without a server.
        calm: The number of pieces before the faults.
        seed: Draws the faults.
    """

    def __init__(
        self, servers: HarmedServers, expected: Mapping[Piece, ReplayResult], *, calm: int, seed: int
    ) -> None:
        self.servers = servers
        self.expected = expected
        self.calm, self.stormy = list(expected)[:calm], list(expected)[calm:]
        faults = int(len(self.stormy) / WORK_OF_A_FAULT)
        self.schedule = Schedule(servers, number=faults, work=len(self.stormy), seed=seed)
        self.watcher = Watcher(servers)
        self.problems: list[str] = []
        self.submitters: list[Submitter] = []
        self.rows: list[Row] = []
        self._said = time.monotonic()
        self._deadline = time.monotonic() + 300 + 4 * len(self.stormy)

    def carry_out(self) -> None:
        """Do everything; the servers are stopped at the end."""
        self.watcher.start()
        try:
            self._verify("calm", self.calm)
            self._verify("stormy", self.stormy, self.schedule)
        finally:
            self.schedule.undo()
        self._verify_the_rest()
        self.watcher.stop()
        self._check()

    def _verify(self, name: str, pieces: Sequence[Piece], schedule: Schedule | None = None) -> None:
        """Submit pieces and wait for their end, and for that of the faults."""
        before = self.watcher.ended
        submitter = Submitter(self.servers, self.watcher, name)
        self.submitters.append(submitter)
        submitter.start(pieces)
        all_ended = False
        while not (all_ended and (schedule is None or schedule.over)):
            if time.monotonic() > self._deadline:
                self.problems.append(f"{name}: {self.watcher.waiting} replays have not ended in time")
                break
            self.servers.keep_running()
            ended = self.watcher.ended - before
            self._say(name, ended)
            if schedule is not None:
                schedule.step(ended)
            all_ended |= submitter.done and ended >= len(pieces) and not self.watcher.waiting
            time.sleep(0.002 if schedule is not None and schedule.hunts else 0.02)
        submitter.stop()
        self.problems += submitter.problems

    def _say(self, name: str, ended: int) -> None:
        if time.monotonic() - self._said >= _SAY_SECONDS:
            self._said = time.monotonic()
            faults = sum(self.schedule.begun.values())
            print(f"{name}: {ended} replays have ended, {faults} faults", file=sys.stderr, flush=True)

    def _verify_the_rest(self) -> None:
        """Submit again what could not be verified: now it must be."""
        again = checks.missing(checks.read_rows(self.servers), self.expected)
        if len(again) > MOST_UNVERIFIED * len(self.stormy) + 1:
            self.problems.append(f"{len(again)} pieces of work could not be verified")
        if again:
            self._verify("again", again)

    def _check(self) -> None:
        self.rows = checks.read_rows(self.servers)
        submissions = {key: pieces for one in self.submitters for key, pieces in one.submissions.items()}
        lost = checks.missing(self.rows, self.expected)
        self.problems += [f"never verified: {piece}" for piece in lost]
        self.problems += checks.ends(self.rows, checks.read_events(self.servers))
        self.problems += checks.verdicts(self.rows, self.expected)
        self.problems += checks.items(checks.read_verdicts(self.servers), submissions, self.expected)
        self.problems += checks.standings(self.servers)
        self.problems += checks.queue(self.servers)
        self.problems += checks.orphans(self.servers)
        self.problems += [
            f"{name}: it never happened, although it can be done here"
            for name, number in self.schedule.begun.items()
            if not number
        ]
        errors = sum(one.answers[_INTERNAL_ERROR] for one in self.submitters)
        if errors:
            self.problems.append(f"the web server answered {_INTERNAL_ERROR} {errors} times")
        self.servers.stop()
        self.problems += checks.leftovers(self.servers)

    def report(self) -> None:
        """Print the faults, the ends of the replays, and the violations."""
        begun, missed = self.schedule.begun, self.schedule.missed
        print(f"faults: {sum(begun.values())}")
        for name, number in begun.items():
            _line(name, number, f"({missed[name]} times there was nothing to harm)" if missed[name] else "")
        for what in impossible(self.servers):
            print(f"  not possible here: {what}")
        print("processes started again")
        for name, number in sorted(self.servers.restarts.items()):
            _line(name, number)
        print(f"replays: {len(self.rows)}; {len(self.expected)} were wanted")
        for end, number in Counter(row.reason or row.state for row in self.rows).most_common():
            _line(end, number)
        _line("times that work went back into the queue", sum(row.attempt for row in self.rows))
        answers = sum((one.answers for one in self.submitters), Counter[int]())
        for status, number in sorted(answers.items()):
            _line(f"requests answered {status}" if status else "requests without an answer", number)
        for problem in self.problems[:_SHOWN]:
            print(f"VIOLATION: {problem}")
        if len(self.problems) > _SHOWN:
            print(f"and {len(self.problems) - _SHOWN} more violations")


def _line(name: str, number: int, remark: str = "") -> None:
    print(f"  {name:48}{number:6}  {remark}".rstrip())


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    raise KeyboardInterrupt


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verifications", type=int, default=24, help="under faults (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--apart", action="store_true", help="fill disks and cut networks; needs root and mounts of its own"
    )
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, _interrupt)
    folder = Path(tempfile.mkdtemp(prefix="optarena-chaos-", dir="/tmp"))
    folder.chmod(0o711)  # the database's user must be able to enter it
    try:
        danger = write_danger(folder / "site" / "datasets")
        os.environ["OPTARENA_SITE_DATA"] = str(folder / "site")
        calm = max(arguments.verifications // CALM_PART, 2)
        expected = replay_calmly(draw(calm + arguments.verifications, arguments.seed))
        with HarmedServers(folder, apart=arguments.apart, danger=danger) as servers:
            run = Run(servers, expected, calm=calm, seed=arguments.seed)
            run.carry_out()
            run.report()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(bool(run.problems))


if __name__ == "__main__":
    main()
