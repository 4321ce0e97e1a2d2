"""Wrappers that run the program: validation after each step, and a reward of seconds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from optarena.errors import InvalidInput, UnknownName
from optarena.llvm.actions import CURATED
from optarena.wrappers import (
    CommandlineWithTerminalAction,
    RuntimePointEstimateReward,
    TimeLimit,
    ValidateBenchmarkAfterEveryStep,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.datasets import Benchmark
    from optarena.env import CompilerEnv

MEM2REG = CURATED.index("mem2reg")


def action(env: CompilerEnv, name: str) -> int:
    """The plug-in's action of that name."""
    return list(env.environment.action_table.names).index(name)


class TestValidation:
    """ValidateBenchmarkAfterEveryStep, on programs that can be spoiled."""

    def test_a_right_program_goes_on(self, make: Callable[..., CompilerEnv], digits: Benchmark) -> None:
        checked = ValidateBenchmarkAfterEveryStep(make(benchmark=digits), sandbox=False)
        checked.reset()
        _, reward, terminated, _, info = checked.step(MEM2REG)
        assert reward > 0
        assert not terminated
        assert "error_type" not in info
        assert checked.episode_reward == checked.unwrapped.episode_reward == reward

    @pytest.mark.parametrize(
        ("name", "kind", "details"),
        [
            ("lose", "semantics:output-differs", "greet"),
            ("spoil", "semantics:verifier", "spoiled"),
            ("die", "semantics:crash", "can no longer be run"),
            ("refuse", "semantics:crash", "first line"),
        ],
    )
    def test_a_wrong_program_ends_the_episode_with_the_penalty(
        self, sorter: CompilerEnv, name: str, kind: str, details: str
    ) -> None:
        checked = ValidateBenchmarkAfterEveryStep(sorter, reward_penalty=-7, sandbox=False)
        checked.reset()
        won = checked.step(0)[1]
        observation, reward, terminated, truncated, info = checked.step(action(sorter, name))
        assert observation in checked.observation_space
        assert (reward, terminated, truncated) == (-7, True, False)
        assert info["error_type"] == kind
        assert details in info["error_details"]
        assert checked.episode_reward == pytest.approx(won - 7)
        with pytest.raises(ResetNeeded):
            checked.step(0)
        checked.reset()
        assert checked.step(0)[2] is False

    def test_rewards_that_are_named_are_penalised_too(self, sorter: CompilerEnv) -> None:
        checked = ValidateBenchmarkAfterEveryStep(sorter, sandbox=False)
        checked.reset()
        names = ["inversions", "MakespanNorm"]
        with checked.fork() as fork:
            assert fork.step(action(sorter, "lose"), reward_spaces=names)[1] == [-1000.0, -1000.0]
        assert checked.step(0, reward_spaces=names)[2] is False

    def test_the_last_state_is_checked_when_another_wrapper_ends_the_episode(
        self, sorter: CompilerEnv
    ) -> None:
        lose = action(sorter, "lose")
        limited = ValidateBenchmarkAfterEveryStep(TimeLimit(sorter, 1), sandbox=False)
        limited.reset()
        assert limited.step(lose)[1:4] == (-1000.0, True, True)
        ended = CommandlineWithTerminalAction(sorter)
        checked = ValidateBenchmarkAfterEveryStep(ended, sandbox=False)
        checked.reset()
        assert checked.multistep([lose, ended.terminal_action])[1] == -1000.0

    @pytest.mark.parametrize("penalty", ["low", None, math.inf, True])
    def test_the_penalty_must_be_a_number(self, sorter: CompilerEnv, penalty: Any) -> None:
        with pytest.raises(InvalidInput, match="reward_penalty"):
            ValidateBenchmarkAfterEveryStep(sorter, penalty)


class TestRuntime:
    """RuntimePointEstimateReward: arithmetic with an exact observation, and with real run times."""

    def test_the_reward_is_what_a_step_saves(self, sorter: CompilerEnv) -> None:
        timed = RuntimePointEstimateReward(sorter, observation="makespan")
        assert math.isnan(timed.runtime)
        timed.reset()
        first = timed.runtime
        assert first == sorter.observation["makespan"]
        rewards = [timed.step(0)[1] for _ in range(3)]
        assert rewards[0] > 0
        assert timed.runtime == sorter.observation["makespan"]
        assert sum(rewards) == first - timed.runtime == timed.episode_reward
        with timed.fork() as fork:
            assert fork.step(action(sorter, "reverse"))[1] < 0
            assert fork.episode_reward != timed.episode_reward
        assert isinstance(timed.step(0, reward_spaces=["inversions"])[1], list)
        timed.reset()
        assert (timed.episode_reward, timed.runtime) == (0, first)

    def test_real_programs_are_run_as_often_as_asked(
        self, make: Callable[..., CompilerEnv], digits: Benchmark
    ) -> None:
        sizes = []

        def least(seconds: Any) -> float:
            sizes.append(seconds.shape)
            return float(np.min(seconds))

        timed = RuntimePointEstimateReward(make(benchmark=digits), 2, warmup_count=1, estimator=least)
        timed.reset()
        before = timed.runtime
        assert 0 < before < 60
        _, reward, terminated, _, _ = timed.step(MEM2REG)
        assert not terminated
        assert reward == before - timed.runtime
        assert timed.step(MEM2REG)[1] == 0  # without effect: not run again
        assert sizes == [(2,), (2,)]

    def test_a_program_that_cannot_be_run_has_no_reward(self, env: CompilerEnv) -> None:
        timed = RuntimePointEstimateReward(env)
        with pytest.raises(InvalidInput, match="no workloads"):
            timed.reset()
        with pytest.raises(ResetNeeded, match="could not be measured"):
            timed.step(MEM2REG)

    def test_a_program_that_fails_takes_back_what_was_won(
        self, make: Callable[..., CompilerEnv], digits: Benchmark
    ) -> None:
        timed = RuntimePointEstimateReward(make(benchmark=digits), 1, estimator="max")
        timed.reset()
        timed._total = 0.5  # as if much had been won
        timed.unwrapped._episode.session.close()
        _, reward, terminated, _, info = timed.step(MEM2REG)
        assert (reward, terminated) == (-0.5, True)
        assert info["error_type"]
        with pytest.raises(ResetNeeded):
            timed.step(MEM2REG)

    @pytest.mark.parametrize(
        ("arguments", "match"),
        [
            ({"runtime_count": 0}, "runtime_count"),
            ({"warmup_count": -1}, "warmup_count"),
            ({"estimator": "medain"}, "'median'"),
        ],
    )
    def test_bad_arguments_are_named(self, env: CompilerEnv, arguments: dict[str, Any], match: str) -> None:
        with pytest.raises(InvalidInput, match=match):
            RuntimePointEstimateReward(env, **arguments)

    def test_the_observation_must_exist(self, sorter: CompilerEnv) -> None:
        with pytest.raises(UnknownName, match="Runtime"):
            RuntimePointEstimateReward(sorter)
