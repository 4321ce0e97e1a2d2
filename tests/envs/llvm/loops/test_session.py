"""Tests of the environment of decisions on loops and calls."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest

from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.llvm.description import run_workload
from optarena.llvm.loops.columns import CALL_SITE_COLUMNS, LOOP_COLUMNS, MAX_CALL_SITES, MAX_LOOPS
from optarena.llvm.loops.decisions import LOOPS, ROWS, DecisionKind
from optarena.replay import judge, replay
from optarena.service.protocol.messages import VERIFY
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.specs.benchmark import Benchmark

KERNELS = list(datasets()["kernels-v0"])
SPEC = environment_spec("llvm-loops-v0")


@pytest.fixture(scope="module")
def env() -> Iterator[CompilerEnv]:
    with CompilerEnv(SPEC, benchmark=KERNELS[0]) as env:
        yield env


def test_the_spaces_are_what_is_declared(env: CompilerEnv) -> None:
    observation, _ = env.reset()
    assert env.action_space == gymnasium.spaces.MultiDiscrete([len(LOOPS.decisions), ROWS])
    assert observation in env.observation_space
    assert observation.shape == (MAX_LOOPS, len(LOOP_COLUMNS))
    exists = observation[:, LOOP_COLUMNS.index("exists")]
    names = env.observation["LoopNames"]
    assert exists.sum() == min(len(names), MAX_LOOPS)
    assert not observation[int(exists.sum()) :].any()
    calls = env.observation["CallSites"]
    assert calls.shape == (MAX_CALL_SITES, len(CALL_SITE_COLUMNS))
    assert calls[:, 0].sum() == min(len(env.observation["CallSiteNames"]), MAX_CALL_SITES)


def test_an_episode_can_be_written_down_and_read_back(env: CompilerEnv) -> None:
    env.reset()
    text = "llvm-loops pass:sroa loop3:unroll=4 site2:inline pass:instcombine"
    for action in LOOPS.parse(text):
        env.step(np.array(action))
    assert env.state.commandline == text
    digest = env.observation["IrSha1"]
    result = replay(environment=SPEC, benchmark=KERNELS[0], actions=env.actions, sandbox=False)
    assert result.ok
    assert result.steps[-1].digest == digest


def test_a_row_that_does_not_exist_is_allowed_and_has_no_effect(env: CompilerEnv) -> None:
    env.reset()
    digest = env.observation["IrSha1"]
    assert len(env.observation["LoopNames"]) < ROWS
    for name in ("loop:unroll=4", "loop:vectorize=4", "loop:unroll=off"):
        _, reward, terminated, _, info = env.step((LOOPS.names.index(name), ROWS - 1))
        assert (reward, terminated, info["action_had_no_effect"]) == (0.0, False, True)
    assert env.observation["IrSha1"] == digest


@pytest.mark.parametrize("benchmark", KERNELS, ids=lambda one: one.uri.rpartition("/")[2])
def test_random_decisions_keep_programs_valid_and_their_outputs(
    env: CompilerEnv, benchmark: Benchmark
) -> None:
    pick = random.Random(benchmark.uri)  # noqa: S311 - a test's choices
    env.reset(options={"benchmark": benchmark})
    actions = list(LOOPS.parse("llvm-loops pass:sroa pass:instcombine pass:simplifycfg"))
    env.multistep(list(actions))
    specific = [index for index, one in enumerate(LOOPS.decisions) if one.kind is not DecisionKind.PROGRAM]
    for _ in range(12):
        table = {DecisionKind.LOOP: "LoopNames", DecisionKind.SITE: "CallSiteNames"}
        decision = pick.choice(specific)
        rows = len(env.observation[table[LOOPS.decisions[decision].kind]])
        actions.append((decision, pick.randrange(min(rows, ROWS))))
        _, _, terminated, _, _ = env.step(actions[-1])
        assert not terminated
    assert env.parameter(VERIFY) == ""
    for workload in benchmark.workloads:
        judged = judge(workload, run_workload(env, workload, sandbox=False))
        assert judged.reason is None, judged.detail


def test_what_llvm_is_only_told_is_an_effect_once(env: CompilerEnv) -> None:
    env.reset(options={"benchmark": KERNELS[0]})
    for word in ("loop0:unroll=off", "loop0:vectorize=off", "site0:noinline"):
        before = env.observation["Bitcode"]
        for expected in (False, True):
            _, _, _, _, info = env.step(LOOPS.parse(f"llvm-loops {word}")[0])
            assert info["action_had_no_effect"] is expected, word
        assert env.observation["Bitcode"] != before
