"""Validating states: what holds, and every way in which something may not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from optarena.env import CompilerEnv
from optarena.errors import UnknownName
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.state import EnvState
from optarena.validation import validate_state

if TYPE_CHECKING:
    from optarena.datasets import Benchmark

ACTIONS = [CURATED.index(name) for name in ("mem2reg", "instcombine", "simplifycfg", "gvn")]


@pytest.fixture(scope="module")
def state(digits: Benchmark) -> EnvState:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        total = sum(float(env.step(action)[1]) for action in ACTIONS)
        claims = {
            "ir_instructions": env.observation["IrInstructionCount"],
            "text_size_bytes": env.observation["ObjectTextSizeBytes"],
        }
        return replace(env.state, reward=total, claims=claims)


def test_a_true_state_is_valid(state: EnvState, digits: Benchmark) -> None:
    result = validate_state(state, environment="llvm-ic-v0", benchmark=digits)
    assert result.ok, str(result)
    assert result.replay is not None
    assert result.reward == pytest.approx(state.reward)
    assert str(result).endswith(": valid")


def test_a_state_without_reward_and_claims_is_valid(state: EnvState, digits: Benchmark) -> None:
    bare = replace(state, reward=None, claims={})
    assert validate_state(bare, environment="llvm-ic-v0", benchmark=digits).ok


def test_every_false_value_is_named(state: EnvState, digits: Benchmark) -> None:
    assert state.reward is not None
    false = replace(
        state,
        reward=state.reward + 0.001,
        claims={name: value - 1 for name, value in state.claims.items()},
    )
    result = validate_state(false, environment="llvm-ic-v0", benchmark=digits)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("claim:mismatch", "ir_instructions"),
        ("claim:mismatch", "text_size_bytes"),
        ("claim:mismatch", "reward"),
    ]
    assert result.problems[0].measured == state.claims["ir_instructions"]


def test_a_claim_about_something_else_is_a_mismatch(state: EnvState, digits: Benchmark) -> None:
    result = validate_state(replace(state, claims={"cycles": 3}), environment="llvm-ic-v0", benchmark=digits)
    assert "does not measure" in result.problems[0].message


def test_a_reward_is_compared_in_its_own_space(state: EnvState, digits: Benchmark) -> None:
    difference = replace(state, reward=168 - state.claims["ir_instructions"], claims={})
    valid = validate_state(
        difference, environment="llvm-ic-v0", benchmark=digits, reward_space="IrInstructionCount"
    )
    assert valid.ok, str(valid)
    assert not validate_state(difference, environment="llvm-ic-v0", benchmark=digits).ok
    with pytest.raises(UnknownName):
        validate_state(state, environment="llvm-ic-v0", benchmark=digits, reward_space="x")


def test_recorded_baselines_are_used(state: EnvState, digits: Benchmark) -> None:
    recorded = replace(digits, baselines={"ir_instructions": {"O0": 1000, "Oz": 900}})
    expected = (1000 - state.claims["ir_instructions"]) / 100
    result = validate_state(replace(state, reward=expected), environment="llvm-ic-v0", benchmark=recorded)
    assert result.ok, str(result)


def test_a_command_line_that_is_none_is_a_problem(state: EnvState, digits: Benchmark) -> None:
    result = validate_state(replace(state, commandline="opt -O3"), environment="llvm-ic-v0", benchmark=digits)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("user:invalid-action", "commandline")
    ]
    assert result.replay is None


def test_an_unknown_benchmark_is_an_error(state: EnvState) -> None:
    with pytest.raises(UnknownName, match="tests-v0"):
        validate_state(state, environment="llvm-ic-v0")


def test_a_miscompiling_state_is_invalid(digits: Benchmark) -> None:
    state = EnvState(benchmark=digits.uri, commandline=UNSAFE.commandline([UNSAFE.index("structurizecfg")]))
    result = validate_state(state, environment="llvm-unsafe-v0", benchmark=digits)
    assert [problem.reason for problem in result.problems] == ["semantics:output-differs"]


def test_an_environment_validates_its_own_episode(digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        env.multistep(ACTIONS)
        result = env.validate()
        assert result.ok, str(result)
        assert result.reward == env.episode_reward
        env.step(ACTIONS[0])
