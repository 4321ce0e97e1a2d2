"""Tests of several steps by one call: each as by ``step()``, up to the one that fails."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest
from gymnasium.error import ResetNeeded

from optarena.env import CompilerEnv
from optarena.errors import InvalidAction, InvalidInput
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED
from optarena.wrappers import TimeLimit
from tests.kit.numbers_env import FAKE, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.datasets import Benchmark

from fake_compiler import ACTIONS

APPEND = ACTIONS.index("append")


@pytest.fixture
def fake() -> Iterator[CompilerEnv]:
    limits = ProcessLimits(cpu_seconds_per_call=1, memory_bytes=1 << 29, wall_seconds_per_call=3)
    with CompilerEnv(FAKE, benchmark=NUMBERS, limits=limits) as made:
        made.reset()
        yield made


def test_each_is_what_a_step_gives(digits: Benchmark) -> None:
    actions = random.Random(5).choices(range(len(CURATED)), k=50)  # noqa: S311 # no secret
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        env: Any = made.unwrapped
        env.reset()
        with env.fork() as twin:
            expected = [twin.step(action) for action in actions]
            ends = twin.observation["IrSha1"], twin.episode_reward, twin.actions
        taken = env.steps(actions)
        assert (env.observation["IrSha1"], env.episode_reward, env.actions) == ends
    assert [step[1:] for step in taken] == [step[1:] for step in expected]
    assert [step[0].tolist() for step in taken] == [step[0].tolist() for step in expected]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("crash", "crash"),
        ("exit", "crash"),
        ("spin", "timeout"),
        ("sleep", "timeout"),
        ("memory-error", "out-of-memory"),
        ("grow", "ir-growth"),
        ("fail", "service"),
        ("refuse", "service"),
    ],
)
def test_the_steps_before_a_failure_are_kept(fake: CompilerEnv, name: str, kind: str) -> None:
    taken = fake.steps([APPEND, APPEND, ACTIONS.index(name), APPEND])
    assert [step[0] for step in taken] == [4, 5, 0]
    assert [step[2] for step in taken] == [False, False, True]
    info = taken[-1][4]
    assert info["error_type"] == kind
    assert f"action 2 ({name})" in info["error_details"]
    assert fake.actions == [APPEND, APPEND, ACTIONS.index(name)]
    assert fake.episode_reward == -2.0  # nothing was earned that could be taken back
    with pytest.raises(ResetNeeded):
        fake.steps([APPEND])
    assert fake.parameter("fake.parameter", "strict", keep=True) == ""
    fake.reset()
    with pytest.raises(InvalidAction, match="strict"):
        fake.step(ACTIONS.index("refuse"))
    assert fake.steps([APPEND])[0][0] == 4


def test_a_failing_observation_is_named(fake: CompilerEnv) -> None:
    taken = fake.steps([APPEND, APPEND], observation_spaces=["length", "broken"])
    assert len(taken) == 1
    assert "broken after action 0 (append)" in taken[0][4]["error_details"]


@pytest.mark.parametrize(("name", "why"), [("broken", "never works"), ("no-linker", "is no linker")])
def test_a_step_that_asks_for_what_is_refused_is_taken(fake: CompilerEnv, name: str, why: str) -> None:
    for names in ([name], ["length", name]):
        with pytest.raises(InvalidInput, match=why) as told:
            fake.step(APPEND, observation_spaces=names)
        assert (told.value.field, told.value.value) == ("observation_space", name)
    assert fake.actions == [APPEND, APPEND]
    assert fake.observation["length"] == 5
    # The next reward includes what the two earned.
    assert fake.step(APPEND, observation_spaces=["length"])[:3] == ([6], -3.0, False)


def test_a_new_action_space_holds_for_the_rest(fake: CompilerEnv) -> None:
    taken = fake.steps([ACTIONS.index("new-space"), APPEND, ACTIONS.index("grow"), APPEND])
    assert [step[4].get("error_type") for step in taken] == [None, None, "service"]
    assert "action[2]" in taken[-1][4]["error_details"] or "action 2" in taken[-1][4]["error_details"]


@pytest.mark.parametrize("actions", ["append", None, 3, [APPEND, len(ACTIONS)], [APPEND, -1], [None]])
def test_what_is_not_a_list_of_actions_is_refused(fake: CompilerEnv, actions: Any) -> None:
    with pytest.raises(InvalidAction):
        fake.steps(actions)
    assert (fake.actions, fake.observation["length"]) == ([], 3)


def test_a_refused_first_action_changes_nothing(fake: CompilerEnv) -> None:
    fake.parameter("fake.parameter", "strict")
    with pytest.raises(InvalidAction, match="strict"):
        fake.steps([APPEND, ACTIONS.index("refuse")])
    assert (fake.actions, fake.observation["length"]) == ([], 3)


def test_the_longest_time_for_an_action_is_one_for_several() -> None:
    limits = ProcessLimits(wall_seconds_per_call=4_000_000)
    with CompilerEnv(FAKE, benchmark=NUMBERS, limits=limits) as fake:
        fake.reset()
        assert [step[0] for step in fake.steps([APPEND, APPEND])] == [4, 5]


@pytest.mark.parametrize("seconds", ["x", 0, -1.0, float("nan")])
def test_an_observation_takes_a_number_of_seconds(fake: CompilerEnv, seconds: Any) -> None:
    with pytest.raises(InvalidInput, match=f"cpu_seconds is {seconds!r}"):
        fake.observe("length", cpu_seconds=seconds)
    assert fake.observe("length", cpu_seconds=0.5) == 3


def test_no_actions_are_no_steps(fake: CompilerEnv) -> None:
    assert fake.steps([]) == []
    assert fake.steps(iter([APPEND]))[0][0] == 4


def test_a_wrapper_takes_its_own_steps(fake: CompilerEnv) -> None:
    wrapped = TimeLimit(fake, max_episode_steps=2)
    wrapped.reset()
    assert [step[3] for step in wrapped.steps([APPEND, APPEND, APPEND])] == [False, True]
    assert wrapped.actions == [APPEND, APPEND]
