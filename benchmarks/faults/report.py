"""Prints what a run did and found."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from faults.kinds import impossible
from faults.run import MOST_UNVERIFIED

if TYPE_CHECKING:
    from faults.run import Run

_SHOWN: Final = 40


def report(run: Run) -> None:
    """The tables."""
    _faults(run)
    _work(run)
    _times(run)
    for problem in run.problems[:_SHOWN]:
        print(f"VIOLATION: {problem}")
    if len(run.problems) > _SHOWN:
        print(f"and {len(run.problems) - _SHOWN} more violations")


def _faults(run: Run) -> None:
    begun, missed = run.storm.begun, run.storm.missed
    print(f"faults: {sum(begun.values())}")
    for name, number in begun.items():
        _line(name, number, f"({missed[name]} times there was nothing to harm)" if missed[name] else "")
    for what in impossible(run.arena):
        print(f"  not possible here: {what}")
    print("processes started again")
    for name, number in sorted(run.arena.restarts.items()):
        _line(name, number)


def _work(run: Run) -> None:
    print(f"replays: {len(run.rows)}; {len(run.expected)} were wanted, by {len(run.submissions)} submissions")
    for end, number in Counter(row.reason or row.state for row in run.rows).most_common():
        _line(end, number)
    _line("times that work went back into the queue", sum(row.attempt for row in run.rows))
    part = len(run.unverified) / len(run.plan.stormy)
    _line("could not be verified at first", len(run.unverified), f"{part:.1%}, at most {MOST_UNVERIFIED:.0%}")
    answers: Counter[int] = Counter()
    for one in run.submitters:
        answers.update(one.answers)
    for status, number in sorted(answers.items()):
        _line(f"requests answered {status}" if status else "requests without an answer", number)


def _times(run: Run) -> None:
    calm = run.seconds["calm"] / len(run.plan.calm)
    stormy = run.seconds["stormy"] / len(run.plan.stormy)
    print("seconds")
    _seconds("in calm, for one replay", calm, f"{run.seconds['calm']:.0f} s together")
    _seconds("under faults, for one replay", stormy, f"{run.seconds['stormy']:.0f} s together")
    _seconds("ratio", stormy / calm)
    _seconds("allowed for all", run.plan.minutes * 60)


def _line(name: str, number: int, remark: str = "") -> None:
    print(f"  {name:48}{number:6}  {remark}".rstrip())


def _seconds(name: str, seconds: float, remark: str = "") -> None:
    print(f"  {name:48}{seconds:9.2f}  {remark}".rstrip())
