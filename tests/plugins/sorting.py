"""A plug-in as somebody else would write it: a "compiler" that sorts numbers, with all that belongs to it.

A program is a line of numbers; run with words, it prints each word once for each number. Some actions spoil
programs in ways that only running them shows.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import optarena
from optarena.service import CompilationSession
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Benchmark,
    DoubleRange,
    Event,
    Int64Range,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)
from optarena.specs import BoardSpec, EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import cost_rewards

DATASETS = Path(__file__).parent / "datasets"
ACTIONS = ("bubble", "reverse", "lose", "hang", "die", "spoil", "refuse")
TEXT = Space(string_value=StringSpace())


class SortSession(CompilationSession):
    """Numbers, and how far they are from being sorted."""

    compiler_version = "sort 1.0"
    action_spaces: ClassVar[list[ActionSpace]] = [
        ActionSpace(name="moves", space=Space(named_discrete=NamedDiscreteSpace(name=ACTIONS)))
    ]
    observation_spaces: ClassVar[list[ObservationSpace]] = [
        ObservationSpace(name="numbers", space=TEXT, deterministic=True),
        ObservationSpace(name="digest", space=TEXT, deterministic=True),
        ObservationSpace(
            name="inversions",
            space=Space(int64_value=Int64Range(min=0)),
            default_observation=Event(int64_value=0),
        ),
        ObservationSpace(
            name="makespan",
            space=Space(double_value=DoubleRange(min=0)),
            default_observation=Event(double_value=0),
        ),
    ]

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        self.numbers = [int(word) for word in benchmark.program.contents.split()]
        self.fate = ""

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Change the numbers, or what will happen when the program is run."""
        before, name = list(self.numbers), ACTIONS[action.int64_value]
        if name == "bubble":
            for at in range(len(self.numbers) - 1):
                self.numbers[at : at + 2] = sorted(self.numbers[at : at + 2])
        elif name == "reverse":
            self.numbers.reverse()
        elif name == "lose":
            self.numbers.pop()
        else:
            self.fate = name
        return False, None, self.numbers == before and not self.fate

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        text = " ".join(map(str, self.numbers))
        inversions = sum(a > b for at, a in enumerate(self.numbers) for b in self.numbers[at:])
        return {
            "numbers": Event(string_value=text),
            "digest": Event(string_value=hashlib.sha256(f"{text}{self.fate}".encode()).hexdigest()),
            "inversions": Event(int64_value=1 + inversions),
            "makespan": Event(double_value=0.5 + inversions / 4),
        }[observation_space.name]

    def verify(self) -> str:
        return "it is spoiled" if self.fate == "spoil" else ""

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:
        """Print the words and the input once for each number; the exit code is how many there are."""
        if self.fate == "refuse":
            raise ValueError("it has lost its first line")
        if self.fate == "die":
            os.abort()
        while self.fate == "hang":
            pass
        return (" ".join(arguments).encode() + stdin) * len(self.numbers), len(self.numbers)


class SilentSession(SortSession):
    """The same without a way to run programs."""

    run_program = CompilationSession.run_program


METRICS = (
    Metric(name="makespan", title="Makespan", unit="hours", observation="makespan"),
    Metric(name="inversions", title="Inversions", unit="pairs", observation="inversions"),
)
ENVIRONMENT = EnvironmentSpec(
    slug="sort-v0",
    title="Sorting",
    service="sorting:SortSession",
    compiler=SortSession.compiler_version,
    action_table=NamedActions(
        "sort-moves-v0", ACTIONS, "sort", descriptions=tuple(f"It does {one}." for one in ACTIONS)
    ),
    metrics=METRICS,
    rewards={
        **cost_rewards("Makespan", cost="makespan", metric="makespan", levels=("LPT",)),
        **cost_rewards("Inversions", cost="inversions", metric="inversions", levels=("LPT",)),
    },
    digest_observation="digest",
    observation_space="numbers",
    reward_space="MakespanLPT",
    dataset="sorting-v0",
)
BOARD = BoardSpec(
    slug="sort",
    title="Sorting numbers",
    description="Sort with few moves.",
    dataset="sorting-v0",
    environment="sort-v0",
    metric="makespan",
    baseline_level="LPT",
)


def register() -> None:
    """What the module does when it is imported; tests undo it and do it again."""
    optarena.register([ENVIRONMENT], dataset_folders=[DATASETS], boards=[BOARD])


register()
