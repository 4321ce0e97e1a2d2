"""The problem itself: jobs on identical machines, schedules made by starting one job after the other.

This module does not depend on OptArena.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

MAX_JOBS = 32
MAX_TIME = 1_000_000


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work.

    Attributes:
        duration: Time that it takes on a machine.
        release: Time before which it cannot start.
        predecessors: Numbers of the jobs that must have ended before; all smaller than the job's own.
    """

    duration: int
    release: int = 0
    predecessors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Instance:
    machines: int
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    job: int
    machine: int
    start: int
    end: int


@dataclass(slots=True)
class Schedule:
    """The jobs started so far, in slots by the number of the job."""

    instance: Instance
    slots: dict[int, Slot] = field(default_factory=dict)

    def copy(self) -> Schedule:
        return Schedule(self.instance, dict(self.slots))

    def ready(self) -> list[int]:
        """The jobs that can be started next: not started yet, all predecessors started."""
        return [
            number
            for number, job in enumerate(self.instance.jobs)
            if number not in self.slots and all(before in self.slots for before in job.predecessors)
        ]

    def check(self, number: int) -> None:
        """Check that a job can be started next.

        Raises:
            ValueError: The job cannot start next; the message says why, and which jobs can.
        """
        if number in self.ready():
            return
        ready = ", ".join(f"job-{one}" for one in self.ready()) or "none"
        if number in self.slots:
            raise ValueError(f"job-{number} has been scheduled already; ready are: {ready}")
        waits = [one for one in self.instance.jobs[number].predecessors if one not in self.slots]
        raise ValueError(f"job-{number} must wait for job-{waits[0]}; ready are: {ready}")

    def start(self, number: int) -> None:
        """Start a job on the machine that is free first, as early as allowed."""
        job = self.instance.jobs[number]
        free = [0] * self.instance.machines
        for slot in self.slots.values():
            free[slot.machine] = max(free[slot.machine], slot.end)
        machine = free.index(min(free))
        ends = [self.slots[before].end for before in job.predecessors]
        start = max(free[machine], job.release, *ends)
        self.slots[number] = Slot(number, machine, start, start + job.duration)

    def completed(self, choose: Callable[[Sequence[int]], int] = min) -> Schedule:
        """This schedule with all other jobs started by a rule; by default in the given order."""
        schedule = self.copy()
        while ready := schedule.ready():
            schedule.start(choose(ready))
        return schedule

    def makespan(self) -> int:
        """The time when the last job ends."""
        return max((slot.end for slot in self.slots.values()), default=0)

    def sorted(self) -> list[Slot]:
        """The slots by the number of their job."""
        return sorted(self.slots.values())


def longest_first(instance: Instance) -> Callable[[Sequence[int]], int]:
    """The rule LPT: of the jobs that are ready, the longest, and of these the first."""
    return lambda ready: max(ready, key=lambda number: (instance.jobs[number].duration, -number))


def fault(schedule: Schedule) -> str:
    """The problem with a schedule, checked without the code that makes schedules; empty if there is none."""
    slots = schedule.slots
    for slot in slots.values():
        job = schedule.instance.jobs[slot.job]
        if slot.start < job.release or slot.end != slot.start + job.duration:
            return f"job-{slot.job} runs from {slot.start} to {slot.end}, against its release or duration"
        late = [one for one in job.predecessors if one not in slots or slots[one].end > slot.start]
        if late:
            return f"job-{slot.job} starts before job-{late[0]} has ended"
    for machine in range(schedule.instance.machines):
        in_time = sorted(
            (slot.start, slot.end, slot.job) for slot in slots.values() if slot.machine == machine
        )
        for (_, end, one), (start, _, other) in pairwise(in_time):
            if start < end:
                return f"job-{one} and job-{other} overlap on machine {machine}"
    return ""


def parse(text: str) -> Instance:
    """Read an instance: ``{"machines": 2, "jobs": [{"duration": 5, "release": 0, "predecessors": []}]}``.

    Raises:
        ValueError: The text is not an instance; the message names the place and what is expected there.
    """
    raw = json.loads(text)
    jobs = raw.get("jobs") if isinstance(raw, dict) else None
    if not isinstance(jobs, list) or not 1 <= len(jobs) <= MAX_JOBS:
        raise ValueError(f"jobs: expected a list of 1 to {MAX_JOBS} jobs")
    machines = _integer(raw.get("machines"), "machines", 1, MAX_JOBS)
    return Instance(machines, tuple(_job(job, number) for number, job in enumerate(jobs)))


def _job(raw: Any, number: int) -> Job:  # noqa: ANN401 # JSON data
    place = f"jobs[{number}]"
    before = raw.get("predecessors", []) if isinstance(raw, dict) else None
    if not isinstance(before, list):
        message = f"{place}: expected an object with a duration and, if any, a list of predecessors"
        raise ValueError(message)  # noqa: TRY004 # a value of the document
    return Job(
        duration=_integer(raw.get("duration"), f"{place}.duration", 1, MAX_TIME),
        release=_integer(raw.get("release", 0), f"{place}.release", 0, MAX_TIME),
        predecessors=tuple(_before(one, number, f"{place}.predecessors") for one in before),
    )


def _before(value: object, number: int, place: str) -> int:
    if number == 0:
        raise ValueError(f"{place}: there is no job before it")
    return _integer(value, place, 0, number - 1)


def _integer(value: object, place: str, low: int, high: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and low <= value <= high:
        return value
    raise ValueError(f"{place}: expected an integer from {low} to {high}, got {value!r:.80}")
