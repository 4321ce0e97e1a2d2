"""Decisions on the calls that LLVM's inliner comes to, one after the other."""

from __future__ import annotations

import json
import os
import random
import signal
from collections.abc import Iterable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from hypothesis import example, given
from hypothesis import strategies as st

from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Budget
from optarena.agents.searches import local
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidAction, InvalidInput
from optarena.isolation.limits import ProcessLimits
from optarena.llvm import make_benchmark
from optarena.llvm.inliner.columns import CALL_FEATURES, DEFAULT, DEFAULTS, INLINER
from optarena.llvm.module import Module, optimised
from optarena.replay import replay
from optarena.specs import environment_spec
from tests.kit.examples import slow
from tests.kit.processes import is_running, session_pid, wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.agents.trials import Chooser, Walk


JSON = "benchmark://kernels-v0/json"
NOINLINE, INLINE = INLINER["Oz"].names.index("noinline"), INLINER["Oz"].names.index("inline")
KERNELS = [benchmark.uri for benchmark in datasets()["kernels-v0"]]
# Those with the fewest instructions.
PROGRAMS = [
    f"benchmark://programs-v0/{name}"
    for name in ("argon2", "bcrypt", "blosc", "blurhash", "heatshrink", "lzfse", "qoi", "siphash", "xxhash")
] + ["benchmark://programs-v0/tinyaes"]


def made(slug: str = "llvm-inliner-v0", **arguments: Any) -> CompilerEnv:
    env = gymnasium.make(f"optarena/{slug}", benchmark=JSON, **arguments).unwrapped
    assert isinstance(env, CompilerEnv)
    return env


@pytest.fixture
def env() -> Iterator[CompilerEnv]:
    with made() as env:
        env.reset()
        yield env


@pytest.fixture(scope="module")
def level_env(request: pytest.FixtureRequest) -> Iterator[tuple[str, CompilerEnv]]:
    with made({"Oz": "llvm-inliner-v0", "O2": "llvm-inliner-o2-v0"}[request.param]) as env:
        yield request.param, env


def by_default(env: CompilerEnv, uri: str) -> int:
    """Decide as LLVM does on every call of the program; how many there are."""
    env.reset(options={"benchmark": uri, "observation_space": None, "reward_space": None})
    calls = 0
    while not env.step(DEFAULT)[2]:
        calls += 1
    return calls + 1


@pytest.mark.parametrize(
    ("level_env", "uri"),
    [
        *(("Oz", uri) for uri in KERNELS[:3] + PROGRAMS[:2]),
        *slow(("Oz", uri) for uri in KERNELS[3:] + PROGRAMS[2:]),
        *(("O2", uri) for uri in KERNELS[:3]),
        *slow(("O2", uri) for uri in KERNELS[3:]),
    ],
    indirect=["level_env"],
)
def test_llvms_own_decisions_give_llvms_own_result(level_env: tuple[str, CompilerEnv], uri: str) -> None:
    level, env = level_env
    calls = by_default(env, uri)
    digest = env.observation["IrSha1"]
    env.reset()
    terminated = [env.step(DEFAULTS)[2] for _ in range(1 + (calls - 1) // 1000)]
    assert terminated == [*[False] * (len(terminated) - 1), True]
    assert env.observation["IrSha1"] == digest
    with optimised(datasets().benchmark(uri).program(), level) as module:
        assert module.digest() == digest


def test_each_call_is_described_by_names_features_and_advice(env: CompilerEnv) -> None:
    with Module.parse(env.benchmark.program()) as module:
        names = set(module.function_names())
    seen, terminated = 0, False
    numbers: dict[str, int] = {}
    while not terminated:
        call = json.loads(env.observation["InlinerCall"])
        callee = int(env.observation["InlinerCallee"])
        assert numbers.setdefault(call["callee"], callee) == callee > 0
        assert {call["caller"], call["callee"]} <= names
        assert call["number"] == seen
        features = env.observation["InlinerFeaturesDict"]
        assert tuple(features) == CALL_FEATURES
        assert list(features.values()) == env.observation["InlinerFeatures"].tolist()
        assert features["callee_basic_block_count"] > 0
        assert env.observation["InlinerAdvice"] == (env.observation["InlinerMargin"] < 0)
        terminated, seen = env.step(DEFAULT)[2], seen + 1
    assert seen == 93
    assert len(set(numbers.values())) == len(numbers) < seen
    assert env.observation["InlinerCallee"] == 0
    assert env.observation["InlinerCall"] == "null"
    assert not env.observation["InlinerFeatures"].any()
    assert env.observation["InlinerMargin"] == env.observation["InlinerAdvice"] == 0


def test_steps_without_python_are_those_with_it(env: CompilerEnv) -> None:
    # A margin is computed in Python, and so is the whole of a step that observes one.
    names = ["InlinerFeatures", "InlinerAdvice", "InlinerCallee", "IrInstructionCount"]
    spaces = [names, [*names, "InlinerMargin"]]
    chance = random.Random(5)  # noqa: S311 # the same each time
    decisions = [chance.choice([NOINLINE, INLINE, DEFAULT]) for _ in range(1000)]
    seen: list[list[Any]] = []
    for observed in spaces:
        env.reset()
        steps = []
        for decision in decisions:
            values, reward, terminated, _, info = env.step(decision, observation_spaces=observed)
            steps.append([values[0].tolist(), *values[1:4], reward, terminated, info])
            if terminated:
                break
        seen.append([*steps, env.state.commandline, env.observation["IrSha1"]])
    assert seen[0] == seen[1]
    assert 90 < len(seen[0]) < 1000


def test_the_reward_comes_at_the_end_and_is_relative_to_the_level(env: CompilerEnv) -> None:
    rewards = [env.step(DEFAULT)[1] for _ in range(93)]
    assert rewards == [0.0] * 92 + [1.0]
    counts = {}
    for action in (NOINLINE, INLINE):
        env.reset()
        while not env.step(action)[2]:
            pass
        counts[action] = env.observation["IrInstructionCount"]
        assert env.validate().ok
    assert counts[INLINE] != counts[NOINLINE] != 807


def test_until_the_end_the_program_is_the_given_one_and_baselines_are_llvms_own(env: CompilerEnv) -> None:
    before = env.observation["IrSha1"]
    env.multistep([INLINE] * 20)
    assert env.observation["IrSha1"] == before
    assert env.observation["IrInstructionCountOz"] == 807


def test_a_copy_in_the_middle_goes_on_alike_and_apart(env: CompilerEnv) -> None:
    env.multistep([INLINE, NOINLINE] * 10)
    assert [step[1:3] for step in env.peek([NOINLINE, INLINE, DEFAULT])] == [(0.0, False)] * 3
    with env.fork() as twin:
        assert twin.observation["InlinerCall"] == env.observation["InlinerCall"]
        for one in (twin, env):
            one.step(INLINE)
            assert one.step(DEFAULTS)[2]
        assert twin.observation["IrSha1"] == env.observation["IrSha1"]


def test_one_call_is_not_said_to_be_several(env: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "one.ll"
    path.write_text(
        'target triple = "x86_64-unknown-linux-gnu"\n'
        "define internal i32 @f(i32 %x) {\n  %y = mul i32 %x, %x\n  ret i32 %y\n}\n"
        "define i32 @main(i32 %n) {\n  %r = call i32 @f(i32 %n)\n  ret i32 %r\n}\n"
    )
    env.reset(options={"benchmark": make_benchmark(path)})
    assert env.step(INLINE)[2]
    assert env.observation["InlinerSummary"] == "The run has ended after 1 call."


def test_a_program_without_calls_ends_with_any_action(env: CompilerEnv, tmp_path: Path) -> None:
    path = tmp_path / "plain.ll"
    path.write_text('target triple = "x86_64-unknown-linux-gnu"\ndefine i32 @main() {\n  ret i32 0\n}\n')
    env.reset(options={"benchmark": make_benchmark(path)})
    assert env.observation["InlinerCall"] == "null"
    assert env.step(NOINLINE)[2]


def test_actions_behind_the_end_are_refused(env: CompilerEnv) -> None:
    *_, terminated, _, info = env.multistep([DEFAULT] * 94)
    assert terminated
    assert "has ended after 93 calls" in info["error_details"]
    env.reset()
    assert len(env.steps([DEFAULT] * 94)) == 93
    with pytest.raises(ResetNeeded):
        env.step(DEFAULT)


@pytest.mark.parametrize(
    ("actions", "reason", "count"),
    [
        ([DEFAULTS], None, 807),
        ([DEFAULT] * 5, None, 1530),
        ([DEFAULT] * 94, "user:invalid-action", None),
        ([DEFAULTS, DEFAULT], "user:invalid-action", None),
    ],
)
def test_a_replay_of_any_list_passes_or_says_what_is_wrong(
    actions: list[int], reason: str | None, count: int | None
) -> None:
    found = replay(
        environment="llvm-inliner-v0", benchmark=datasets().benchmark(JSON), actions=actions, sandbox=True
    )
    assert (found.reason, found.metrics.get("ir_instructions")) == (reason, count)
    if reason:
        assert "The episode ended with step" in found.detail


def test_a_process_that_dies_in_the_middle_ends_the_episode_alone(env: CompilerEnv) -> None:
    env.multistep([DEFAULT] * 10)
    os.kill(session_pid(env), signal.SIGKILL)
    assert env.step(DEFAULT)[-1]["error_type"] == "crash"
    env.reset()
    assert env.step(DEFAULTS)[2]


@pytest.fixture(scope="module")
def interrupted() -> Iterator[CompilerEnv]:
    """One whose inliner can be interrupted, in an episode in which it has asked nothing yet."""
    spec = replace(environment_spec("llvm-inliner-v0"), service="interrupted_inliner:InterruptedSession")
    with CompilerEnv(spec, benchmark=JSON, limits=ProcessLimits(cpu_seconds_per_call=1)) as env:
        env.reset(options={"observation_space": None, "reward_space": None})
        yield env


def interrupt(env: CompilerEnv, left: int, *, after: int = 0) -> dict[str, Any]:
    """Decide on a call where only so many bytes of LLVM's questions arrive; what the step says.

    After other steps Python does not answer this one while all is as usual.
    """
    with env.fork() as twin:
        for _ in range(after):
            twin.step(DEFAULT)
        twin.parameter("left", str(left))
        pid = session_pid(twin)
        *_, terminated, _, info = twin.step(DEFAULT, observation_spaces=["InlinerFeatures"])
        assert terminated == ("error_type" in info)
    wait_until(lambda: not is_running(pid))
    return info


FIRST, SECOND = 3106, 331
"""How many bytes the first two questions have; a description of all numbers comes before the first."""


@given(left=st.integers(0, FIRST + SECOND - 1))
@example(left=0)
@example(left=FIRST - 1)
@example(left=FIRST)
@example(left=FIRST + SECOND - 1)
def test_a_question_that_is_cut_anywhere_ends_the_episode_and_its_process(
    interrupted: CompilerEnv, left: int
) -> None:
    info = interrupt(interrupted, left)
    assert info["error_type"] == "service"
    assert "did not ask in the form that OptArena expects" in info["error_details"]


@pytest.mark.parametrize("left", [0, SECOND - 1])
def test_a_question_that_is_cut_in_a_step_without_python_ends_the_same(
    interrupted: CompilerEnv, left: int
) -> None:
    info = interrupt(interrupted, left, after=1)
    assert info["error_type"] == "service"
    assert "did not ask in the form that OptArena expects" in info["error_details"]


@pytest.mark.parametrize(("left", "after"), [(FIRST + SECOND, 0), (SECOND, 1)])
def test_questions_that_arrive_whole_are_answered(interrupted: CompilerEnv, left: int, after: int) -> None:
    assert "error_type" not in interrupt(interrupted, left, after=after)


@pytest.mark.parametrize("after", [0, 1])
def test_a_question_that_never_ends_is_a_timeout_and_its_process_goes(
    interrupted: CompilerEnv, after: int
) -> None:
    assert interrupt(interrupted, -1, after=after)["error_type"] == "timeout"


def test_a_level_and_decisions_exclude_each_other(env: CompilerEnv) -> None:
    key = "llvm.apply_baseline_optimizations"
    env.step(DEFAULT)
    with pytest.raises(InvalidInput, match="after decisions"):
        env.parameter(key, "-Oz")
    env.reset()
    env.parameter(key, "-Oz")
    with pytest.raises(InvalidAction):
        env.step(DEFAULT)


def test_a_search_changes_decisions_and_gains() -> None:
    benchmark = datasets().benchmark("benchmark://kernels-v0/bytecode")
    found = []
    for nproc in (1, 2):
        budget = Budget(12)
        with Evaluator(environment_spec("llvm-inliner-v0"), benchmark, budget, nproc=nproc) as evaluator:
            *_, best = local(())(evaluator, budget, np.random.default_rng(nproc))
            found.append(best.prefix)
            assert evaluator.replayed(best.prefix) == best.loss
            assert best.loss < benchmark.baseline("ir_instructions", "Oz")
    assert found[0] == found[1]
    with Evaluator(environment_spec("llvm-inliner-v0"), benchmark, budget := Budget(2)) as evaluator:
        *_, again = local([found[0]])(evaluator, budget, np.random.default_rng(0))
    assert again.prefix == found[0]


class NotedWalks(Evaluator):
    """Notes what its walks observe."""

    observed: list[str]

    def walk(self, choosers: Iterable[Chooser], *, observation: str, most: int) -> list[Walk]:
        self.observed.append(observation)
        return super().walk(choosers, observation=observation, most=most)


def test_rules_leave_a_part_of_a_time_to_single_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    benchmark, budget = datasets().benchmark("benchmark://kernels-v0/chacha"), Budget(seconds=12.5, started=0)
    clock = SimpleNamespace(monotonic=lambda: budget.spent)  # an evaluation takes a second
    monkeypatch.setattr("optarena.agents.outcomes.time", clock)
    with NotedWalks(environment_spec("llvm-inliner-v0"), benchmark, budget) as evaluator:
        evaluator.observed = []
        list(local(())(evaluator, budget, np.random.default_rng(0)))
    # Two of five times four rules are tried, between what both kinds of candidates ask.
    assert evaluator.observed == ["InlinerMargin", *["InlinerCallee"] * 3, "InlinerMargin"]
