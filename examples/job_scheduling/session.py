"""Scheduling as a session: an action starts a job, an observation describes the schedule."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from job_scheduling.problem import MAX_JOBS, Schedule, fault, parse
from optarena.service import CompilationSession
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Benchmark,
    BooleanBox,
    BooleanTensor,
    Event,
    Int64Range,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)

if TYPE_CHECKING:
    from pathlib import Path

JOBS = tuple(f"job-{number}" for number in range(MAX_JOBS))


def _jobs(count: int) -> ActionSpace:
    return ActionSpace(name="jobs", space=Space(named_discrete=NamedDiscreteSpace(name=JOBS[:count])))


def _flags(numbers: Sequence[int]) -> BooleanTensor:
    return BooleanTensor(shape=[MAX_JOBS], value=[number in numbers for number in range(MAX_JOBS)])


def _integer(name: str, high: int | None = None) -> ObservationSpace:
    space = Space(int64_value=Int64Range(min=0, max=high))
    return ObservationSpace(
        name=name, space=space, default_observation=Event(int64_value=0), deterministic=True
    )


def _text(name: str, low: int, high: int | None, default: str) -> ObservationSpace:
    space = Space(string_value=StringSpace(length_range=Int64Range(min=low, max=high)))
    event = Event(string_value=default)
    return ObservationSpace(name=name, space=space, default_observation=event, deterministic=True)


class SchedulingSession(CompilationSession):
    """One instance and the jobs started so far."""

    compiler_version = "list scheduling 1.0"
    action_spaces = [_jobs(MAX_JOBS)]  # noqa: RUF012 # declared by CompilationSession
    observation_spaces = [  # noqa: RUF012 # declared by CompilationSession
        _integer("makespan"),
        ObservationSpace(
            name="ready",
            space=Space(boolean_box=BooleanBox(low=_flags([]), high=_flags(range(MAX_JOBS)))),
            default_observation=Event(boolean_tensor=_flags([])),
            deterministic=True,
        ),
        _integer("remaining", MAX_JOBS),
        _text("schedule", 0, None, "[]"),
        _text("digest", 64, 64, "0" * 64),
    ]

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        instance = parse(benchmark.program.contents.decode())
        self.action_space = _jobs(len(instance.jobs))
        self.schedule = Schedule(instance)

    def check_actions(self, actions: Sequence[Event]) -> None:
        """Refuse a job that is already scheduled or not ready in its turn."""
        ahead = self.schedule.copy()
        for action in actions:
            ahead.check(action.int64_value)
            ahead.start(action.int64_value)

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Start the job; the session ends with the last one."""
        self.schedule.start(action.int64_value)
        return not self.schedule.ready(), None, False

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """Observe the schedule; its makespan counts all other jobs in the given order."""
        match observation_space.name:
            case "makespan":
                return Event(int64_value=self.schedule.completed().makespan())
            case "ready":
                return Event(boolean_tensor=_flags(self.schedule.ready()))
            case "remaining":
                return Event(int64_value=len(self.schedule.instance.jobs) - len(self.schedule.slots))
            case "schedule":
                return Event(string_value=self._text())
            case _:
                return Event(string_value=hashlib.sha256(self._text().encode()).hexdigest())

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:  # noqa: ARG002 # it needs neither
        """Carry the schedule out: prints the total work; the exit code is 1 if that is impossible."""
        schedule = self.schedule.completed()
        work = sum(slot.end - slot.start for slot in schedule.slots.values())
        return f"{len(schedule.slots)} jobs, {work} units of work\n".encode(), int(bool(fault(schedule)))

    def verify(self) -> str:
        """The problem with the schedule; empty if there is none."""
        return fault(self.schedule)

    def _text(self) -> str:
        return json.dumps([asdict(slot) for slot in self.schedule.sorted()])
