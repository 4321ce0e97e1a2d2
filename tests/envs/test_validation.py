"""Validating states: what holds, and every way in which something may not."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.datasets import Benchmark, Workload
from optarena.env import CompilerEnv
from optarena.errors import InvalidAction, InvalidInput, SessionTimeout, UnknownName
from optarena.llvm.actions import CURATED
from optarena.specs import Metric, environment_spec
from optarena.specs.board import claim_status, claim_statuses, measured_intervals
from optarena.specs.rewards import RewardSpec, Scale
from optarena.state import EnvState
from optarena.validation import ValidationProblem, ValidationResult, validate_state
from tests.kit.examples import slow

if TYPE_CHECKING:
    from optarena.actions import ActionTable
    from optarena.specs.results import Execution

    Validated = Callable[..., ValidationResult]


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


@pytest.fixture
def validated(digits: Benchmark) -> Validated:
    return partial(validate_state, environment="llvm-ic-v0", benchmark=digits, repeats=1)


def test_a_true_state_is_valid(state: EnvState, validated: Validated) -> None:
    result = validated(state, repeats=2)
    assert result.ok, str(result)
    assert result.replay is not None
    assert result.reward == pytest.approx(state.reward)
    assert str(result).endswith(": valid")
    bare = replace(state, reward=None, claims={})
    assert validated(bare).ok


def test_every_false_value_is_named(state: EnvState, validated: Validated) -> None:
    assert state.reward is not None
    false = replace(
        state, reward=state.reward + 0.001, claims={name: value - 1 for name, value in state.claims.items()}
    )
    result = validated(false)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("claim:mismatch", "ir_instructions"),
        ("claim:mismatch", "text_size_bytes"),
        ("claim:mismatch", "reward"),
    ]
    assert result.problems[0].measured == state.claims["ir_instructions"]


def test_a_claim_about_something_else_is_a_mismatch(state: EnvState, validated: Validated) -> None:
    result = validated(replace(state, claims={"cycles": 3}))
    assert "does not measure" in result.problems[0].message


def test_a_reward_is_compared_in_its_own_space(state: EnvState, validated: Validated) -> None:
    difference = replace(state, reward=168 - state.claims["ir_instructions"], claims={})
    valid = validated(difference, reward_space="IrInstructionCount")
    assert valid.ok, str(valid)
    assert not validated(difference).ok
    with pytest.raises(UnknownName):
        validated(state, reward_space="x")


def test_recorded_baselines_are_used(state: EnvState, digits: Benchmark) -> None:
    recorded = replace(digits, baselines={"ir_instructions": {"O0": 1000, "Oz": 900}})
    expected = (1000 - state.claims["ir_instructions"]) / 100
    result = validate_state(replace(state, reward=expected), environment="llvm-ic-v0", benchmark=recorded)
    assert result.ok, str(result)


def test_a_command_line_that_is_none_is_a_problem(state: EnvState, validated: Validated) -> None:
    result = validated(replace(state, commandline="opt -O3"))
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("user:invalid-action", "commandline")
    ]
    assert result.replay is None
    assert (result.comparison, result.remark) == ("not-compared", "There was no replay.")


def test_an_unknown_benchmark_is_an_error(state: EnvState) -> None:
    with pytest.raises(UnknownName, match="tests-v0"):
        validate_state(state, environment="llvm-ic-v0")


def test_an_environment_validates_its_own_episode(digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        env.multistep(ACTIONS)
        result = env.validate()
        assert result.ok, str(result)
        assert (result.reward, result.comparison) == (env.episode_reward, "exact")
        assert env.step(ACTIONS[0])[2] is False


def test_every_reward_of_an_environment_can_be_validated(digits: Benchmark, validated: Validated) -> None:
    spec = environment_spec("llvm-ic-v0")
    costs = ("IrInstructionCount", "ObjectTextSizeBytes")  # the others need a linker
    names = [name for name, reward in spec.rewards.items() if reward.cost in costs]
    with CompilerEnv(spec, benchmark=digits) as env:
        env.reset()
        _, rewards, *_ = env.multistep(ACTIONS, observation_spaces=[], reward_spaces=names)
        state = env.state
    assert len(names) >= 8
    for name, reward in zip(names, rewards, strict=True):
        result = validated(replace(state, reward=float(reward)), reward_space=name)
        assert (result.problems, result.reward) == ((), reward), name


def test_a_reward_whose_cost_is_no_metric_is_observed_in_the_final_state(
    state: EnvState, digits: Benchmark, validated: Validated
) -> None:
    spec = environment_spec("llvm-ic-v0")
    there = RewardSpec(name="Bytes", cost="ObjectTextSizeBytes", metric="", scale=Scale.DIFFERENCE)
    extended = replace(spec, metrics=spec.metrics[:1], rewards={**spec.rewards, "Bytes": there})
    with CompilerEnv(extended, benchmark=digits, reward_space="Bytes") as env:
        env.reset()
        env.multistep(ACTIONS)
        result = env.validate()
        assert result.ok, str(result)
        assert result.reward == env.episode_reward
    false = validated(replace(state, reward=1e6, claims={}), environment=extended, reward_space="Bytes")
    assert [problem.field for problem in false.problems] == ["reward"]


def test_a_reward_that_is_never_the_same_is_not_compared(state: EnvState, validated: Validated) -> None:
    spec = environment_spec("llvm-ic-v0")
    name = spec.reward_space
    changing = replace(spec, rewards={name: replace(spec.reward(name), deterministic=False)})
    result = validated(replace(state, reward=-3.0), environment=changing)
    assert result.ok, str(result)
    assert (result.comparison, result.reward) == ("not-compared", None)
    assert "varies from run to run" in result.remark


def test_a_reward_that_a_confined_session_cannot_observe_is_not_compared_there(
    digits: Benchmark, validated: Validated
) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits, reward_space="ObjectTextSizeBytes") as env:
        env.reset()
        env.multistep(ACTIONS)
        claimed = replace(env.state, reward=-7.5)
    confined = validated(claimed, reward_space="TextSizeBytes")
    assert confined.ok, str(confined)
    assert (confined.comparison, confined.reward) == ("not-compared", None)
    assert "confined" in confined.remark


@pytest.mark.parametrize("table", environment_spec("llvm-ic-v0").further_tables, ids=lambda table: table.name)
def test_states_of_every_action_space_are_validated(table: ActionTable, digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits, action_space=table.name) as env:
        env.reset()
        env.action_space.seed(5)
        while len(env.actions) < 3:
            with contextlib.suppress(InvalidAction):  # not every combination of components is an action
                env.step(env.action_space.sample())
        result = env.validate()
        assert result.ok, str(result)
        assert (result.reward, result.comparison) == (env.episode_reward, "exact")
        assert result.replay is not None
        assert list(result.replay.actions) == env.actions
    assert ValidationResult.from_json(result.to_json()) == result


CLOCK = b"""
target triple = "x86_64-unknown-linux-gnu"
declare i32 @printf(ptr, ...)
declare i64 @llvm.readcyclecounter()
@format = private constant [6 x i8] c"%lld\\0A\\00"
define i32 @main() {
  %now = call i64 @llvm.readcyclecounter()
  %printed = call i32 (ptr, ...) @printf(ptr @format, i64 %now)
  ret i32 0
}
"""


def test_a_program_that_never_prints_the_same_is_the_benchmarks_fault() -> None:
    clock = Benchmark.from_bytes("benchmark://tests-v0/clock", CLOCK)
    clock = replace(clock, workloads=(Workload(name="default", expected_stdout=b"7\n"),))
    state = EnvState(benchmark=clock.uri, commandline=CURATED.commandline(ACTIONS))
    result = validate_state(state, environment="llvm-ic-v0", benchmark=clock)
    assert [(problem.reason, problem.field) for problem in result.problems] == [
        ("benchmark:flaky", "benchmark")
    ]
    assert "its original program fails workload default, too, 3 of 3 times" in str(result)


@pytest.mark.parametrize(
    ("wrong", "reason", "part"),
    [
        (3, "semantics:exit-code", "failed when run again"),
        *slow([(99, "benchmark:flaky", "fails workload default, too, 3 of 3 times")]),
    ],
)
def test_a_program_that_fails_only_when_it_is_run_again_is_found(
    state: EnvState, wrong: int, reason: str, part: str, validated: Validated
) -> None:
    spec = environment_spec("llvm-ic-v0")
    runs = itertools.count()

    def run(env: Any, workload: Workload, sandbox: bool) -> Execution:  # noqa: FBT001 # the hook's signature
        assert spec.run_workload is not None
        execution = spec.run_workload(env, workload, sandbox)
        return replace(execution, exit_code=77) if 3 <= next(runs) <= wrong else execution

    result = validated(state, environment=replace(spec, run_workload=run), repeats=2)
    assert [problem.reason for problem in result.problems] == [reason]
    assert part in str(result)


def test_workloads_are_run_as_often_as_asked(
    state: EnvState, digits: Benchmark, validated: Validated
) -> None:
    spec = environment_spec("llvm-ic-v0")
    runs = itertools.count()

    def run(env: Any, workload: Workload, sandbox: bool) -> Execution:  # noqa: FBT001 # the hook's signature
        assert spec.run_workload is not None
        next(runs)
        return spec.run_workload(env, workload, sandbox)

    counting = replace(spec, run_workload=run)
    assert validated(state, environment=counting).ok
    assert next(runs) == len(digits.workloads)
    for wrong in (0, 1.5, "2", True):
        with pytest.raises(InvalidInput, match=f"repeats is {wrong!r}. Give an integer"):
            validated(state, environment=counting, repeats=wrong)


def test_a_result_travels_as_json(state: EnvState, validated: Validated) -> None:
    false = replace(state, claims={"ir_instructions": 1})
    for result in (
        validated(state),
        validated(false),
        validated(replace(state, commandline="opt -O3")),
    ):
        assert ValidationResult.from_json(result.to_json()) == result
        assert ValidationResult.from_json(json.loads(result.to_json())) == result
        assert result.as_dict()["ok"] is result.ok is result.okay()
    for broken in ("{}", "3", "[" * 100_000, '{"version": 9}', "no json"):
        with pytest.raises(ValueError, match=r"validation result|Expecting"):
            ValidationResult.from_json(broken)


def test_results_of_one_state_are_joined(state: EnvState) -> None:
    claim, crash = (
        replace(problem, reason=reason)
        for problem, reason in zip([_problem()] * 2, ("claim:mismatch", "env:crash"), strict=True)
    )
    good = ValidationResult(state=state, reward=0.5, comparison="exact", walltime=1.0)
    bad = ValidationResult(state=state, problems=(claim, crash), walltime=2.0)
    worse = ValidationResult(state=state, problems=(claim,), reward=0.25, walltime=4.0)
    joined = ValidationResult.join([good, bad, ValidationResult.join([worse, good])])
    assert not joined.okay()
    assert (joined.validations, joined.walltime, joined.reward) == (4, 8.0, None)
    assert {reason: len(found) for reason, found in joined.errors.items()} == {
        "claim:mismatch": 2,
        "env:crash": 1,
    }
    every = ValidationResult.join([good, good])
    assert every.okay()
    assert (every.reward, every.comparison, every.validations) == (0.5, "exact", 2)
    other = replace(good, state=replace(state, reward=7.0))
    for results in ([], [good, other]):
        with pytest.raises(InvalidInput, match=r"join|different states"):
            ValidationResult.join(results)


def _problem() -> ValidationProblem:
    return ValidationProblem(reason="", field="reward", message="It is another.")


def test_an_environment_without_a_reward_is_validated_without_it(
    digits: Benchmark, validated: Validated
) -> None:
    spec = replace(environment_spec("llvm-ic-v0"), reward_space="")
    state = EnvState(benchmark=digits.uri, commandline=spec.commandline([0]))
    result = validated(state, environment=spec)
    assert result.ok, str(result)
    assert result.reward is None
    assert "no reward space" in result.remark


def test_a_fault_while_workloads_are_run_again_is_a_problem_of_the_state_alone(
    state: EnvState, digits: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> None:
        raise SessionTimeout("The action took more than its CPU time.")

    monkeypatch.setattr("optarena.validation.run_workloads", late)
    result = validate_state(state, environment="llvm-ic-v0", benchmark=digits)
    assert [(one.reason, one.field) for one in result.problems] == [("env:timeout", "commandline")]
    assert "could not be run again: The action took more" in result.problems[0].message


def test_a_reward_is_observed_in_the_action_space_of_the_result(digits: Benchmark) -> None:
    bytes_saved = RewardSpec(name="Bytes", cost="ObjectTextSizeBytes", metric="", scale=Scale.DIFFERENCE)
    finer = environment_spec("llvm-finer-v0")
    spec = replace(finer, metrics=finer.metrics[:1], rewards={**finer.rewards, "Bytes": bytes_saved})
    space, actions = spec.ranked_commandline("llvm-functions sroa@0")
    with CompilerEnv(spec, benchmark=digits, action_space=space, reward_space="Bytes") as env:
        env.reset()
        env.multistep(actions)
        assert env.validate().reward == env.episode_reward != 0


values = st.floats(1e-6, 1e12)
intervals = st.tuples(values, values).map(lambda ends: (min(ends), max(ends)))


def metric(name: str, *, exact: bool = False, lower: bool = False) -> Metric:
    return Metric(name=name, title=name, unit="u", observation=name, exact=exact, lower_is_better=lower)


@given(intervals, st.booleans())
def test_a_claim_within_the_interval_is_consistent(
    interval: tuple[float, float],
    lower: bool,  # noqa: FBT001 - given by hypothesis
) -> None:
    for claimed in interval:
        assert claim_status(claimed=claimed, interval=interval, lower_is_better=lower) == "consistent"


@given(intervals)
def test_only_a_claim_better_than_the_whole_interval_is_optimistic(interval: tuple[float, float]) -> None:
    low, high = interval
    below, above = low / 2, high * 2
    assert claim_status(claimed=above, interval=interval, lower_is_better=False) == "optimistic"
    assert claim_status(claimed=below, interval=interval, lower_is_better=False) == "consistent"
    assert claim_status(claimed=below, interval=interval, lower_is_better=True) == "optimistic"
    assert claim_status(claimed=above, interval=interval, lower_is_better=True) == "consistent"


def test_a_status_needs_a_noisy_metric_a_claim_and_an_interval() -> None:
    metrics = [metric("speed"), metric("count", exact=True), metric("silent"), metric("unmeasured")]
    measured = measured_intervals({"interval": {"speed": [1, 2], "count": [1, 2], "silent": [1, 2]}})
    claims = {"speed": 3.0, "count": 3.0, "unmeasured": 3.0}
    assert claim_statuses(claims, metrics, measured) == {"speed": "optimistic"}


def test_a_measurement_without_intervals_has_none() -> None:
    assert measured_intervals({}) == {}
    assert measured_intervals({"interval": None}) == {}
    assert measured_intervals({"interval": [1, 2]}) == {}
    odd = {"a": 1, "b": [1], "c": [1, "2"], "d": [1, 2, 3], "e": [True, 2], "f": [1, 10**400], "g": [1, 2]}
    assert measured_intervals({"interval": odd}) == {"g": (1.0, 2.0)}
