"""One run: work in calm, work under faults, the rest once more, and the checks."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from faults import checks, records, remains
from faults.clients import Submitter, Watcher
from faults.storm import Storm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from faults.arena import Arena
    from faults.records import Row
    from faults.work import Piece
    from optarena.specs.results import ReplayResult

MOST_UNVERIFIED: Final = 0.02
"""The part of the work that may end for reasons of the infrastructure; submitted again, it is verified."""
_SAY_SECONDS: Final = 30.0
_INTERNAL_ERROR: Final = 500


@dataclass(frozen=True)
class Plan:
    """What a run does.

    Attributes:
        calm: The work before the faults.
        stormy: The work under faults.
        faults: The number of faults.
        kinds: How many kinds there are of them; all if None.
        seed: Draws the faults.
        minutes: All replays must have ended in this time.
    """

    calm: Sequence[Piece]
    stormy: Sequence[Piece]
    faults: int
    kinds: int | None
    seed: int
    minutes: float


@dataclass
class Run:
    """A plan carried out, and what it found."""

    arena: Arena
    plan: Plan
    expected: Mapping[Piece, ReplayResult]
    problems: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    submitters: list[Submitter] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    unverified: list[Row] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.storm = Storm(
            self.arena,
            number=self.plan.faults,
            most_kinds=self.plan.kinds,
            work=len(self.plan.stormy),
            seed=self.plan.seed,
        )
        self.watcher = Watcher(self.arena)
        self._said = time.monotonic()
        self.deadline = time.monotonic() + self.plan.minutes * 60

    @property
    def submissions(self) -> dict[str, list[Piece]]:
        """The pieces of every accepted submission."""
        return {key: pieces for one in self.submitters for key, pieces in one.submissions.items()}

    def carry_out(self) -> None:
        """Everything; the arena's processes are stopped at the end."""
        self.watcher.start()
        try:
            self.seconds["calm"] = self._verify("calm", self.plan.calm, None)
            self.seconds["stormy"] = self._verify("stormy", self.plan.stormy, self.storm)
        finally:
            self.storm.calm()
        self._once_more()
        self.watcher.stop()
        self._check()

    def _verify(self, name: str, pieces: Sequence[Piece], storm: Storm | None) -> float:
        """Submit pieces and wait for their end; the seconds until the last of them."""
        began, before = time.monotonic(), self.watcher.ended
        submitter = Submitter(self.arena, self.watcher, name)
        self.submitters.append(submitter)
        submitter.start(pieces)
        all_ended = 0.0
        while not (all_ended and (storm is None or storm.over)):
            if time.monotonic() > self.deadline:
                self.problems.append(f"{name}: {self.watcher.waiting} replays have not ended in time")
                break
            self.arena.keep_running()
            ended = self.watcher.ended - before
            self._say(name, ended)
            if storm is not None:
                storm.step(ended)
            if not all_ended and submitter.done and ended >= len(pieces) and not self.watcher.waiting:
                all_ended = time.monotonic()
            time.sleep(0.002 if storm is not None and storm.hunts else 0.02)
        submitter.stop()
        self.problems += submitter.problems
        return (all_ended or time.monotonic()) - began

    def _say(self, name: str, ended: int) -> None:
        """Now and then how far it has come."""
        if time.monotonic() - self._said >= _SAY_SECONDS:
            self._said = time.monotonic()
            faults = sum(self.storm.begun.values())
            print(f"{name}: {ended} replays have ended, {faults} faults", file=sys.stderr, flush=True)

    def _once_more(self) -> None:
        """Submit again what could not be verified: now it must be."""
        rows = records.read_rows(self.arena)
        self.unverified = [row for row in rows if row.could_not_be_verified]
        again = checks.missing(rows, self.expected)
        if len(again) > MOST_UNVERIFIED * len(self.plan.stormy) + 1:
            self.problems.append(f"{len(again)} pieces of work could not be verified")
        if again:
            self._verify("again", again, None)

    def _check(self) -> None:
        self.rows = records.read_rows(self.arena)
        stored = records.read_verdicts(self.arena)
        lost = checks.missing(self.rows, self.expected)
        self.problems += [f"never verified: {piece}" for piece in lost]
        self.problems += checks.ends(self.rows, records.read_events(self.arena))
        self.problems += checks.verdicts(self.rows, self.expected)
        self.problems += checks.items(stored, self.submissions, self.expected)
        self.problems += remains.standings(self.arena)
        self.problems += remains.queue(self.arena)
        self.problems += remains.orphans(self.arena)
        self.problems += [
            f"{name}: it never happened, although it can be done here"
            for name, number in self.storm.begun.items()
            if not number
        ]
        errors = sum(one.answers[_INTERNAL_ERROR] for one in self.submitters)
        if errors:
            self.problems.append(f"the web server answered {_INTERNAL_ERROR} {errors} times")
        self.arena.stop()
        self.problems += remains.leftovers(self.arena)
