"""Environments side by side, in one process and in several."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

from optarena import paths
from optarena.llvm.actions import CURATED
from optarena.wrappers import TimeLimit
from tests.kit.background import BACKGROUND

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

ID = "optarena/llvm-ic-v0"
DIGITS = f"file://{Path(__file__).parent / 'data/digits.ll'}"
PROGRAMS = tuple(f"benchmark://kernels-v0/{name}" for name in ("quicksort", "sha256", "matrix", "paths"))
LIMIT = 3
"""Actions of an episode."""
STEPS = 6
SEED = 11
END_SECONDS = 20


def make_one(benchmark: str) -> TimeLimit:
    env = cast("CompilerEnv", gymnasium.make(ID, benchmark=benchmark).unwrapped)
    return TimeLimit(env, LIMIT)


def makers(count: int) -> list[Any]:
    return [partial(make_one, PROGRAMS[index % len(PROGRAMS)]) for index in range(count)]


def played(envs: gymnasium.vector.VectorEnv[Any, Any, Any]) -> list[Any]:
    """All that a seeded run gives, over the ends of episodes; the environments are closed afterwards."""
    try:
        observations, infos = envs.reset(seed=SEED)
        envs.action_space.seed(SEED)
        told = [observations, infos["benchmark"]]
        for _ in range(STEPS):
            told += envs.step(envs.action_space.sample())[:4]
        return [np.array(each) for each in told]
    finally:
        envs.close()


def assert_equal(ours: list[Any], theirs: list[Any]) -> None:
    for one, other in zip(ours, theirs, strict=True):
        assert np.array_equal(one, other)


def descendants() -> set[int]:
    """The processes below this one that run, by their ids; without what later tests will wait for."""
    parents = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            _, _, after = entry.read_text().rpartition(")")
        except OSError:
            continue  # it has ended meanwhile
        state, parent = after.split()[:2]
        if state != "Z":
            parents[int(entry.parent.name)] = int(parent)
    found, known = set[int](), {os.getpid()}
    while known:
        known = {pid for pid, parent in parents.items() if parent in known and pid != BACKGROUND.pid}
        found |= known
    return found


def folders() -> set[str]:
    place = paths.transient_cache() / "services"
    return {entry.name for entry in place.iterdir()} if place.is_dir() else set()


@pytest.fixture(autouse=True)
def own_transient_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(tmp_path / "transient"))


@pytest.fixture(scope="module")
def expected() -> list[Any]:
    return played(SyncVectorEnv(makers(8)))


def test_eight_processes_at_once_give_what_one_process_does(expected: list[Any]) -> None:
    before = descendants()
    assert_equal(played(AsyncVectorEnv(makers(8), context="fork")), expected)
    deadline = time.monotonic() + END_SECONDS
    while (left := descendants() - before) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert left == set()
    assert folders() == set()


@pytest.mark.parametrize(("context", "count"), [("spawn", 2), ("forkserver", 1)])
def test_other_start_methods_give_the_same(context: str, count: int, expected: list[Any]) -> None:
    envs = AsyncVectorEnv(makers(count), context=context)
    observations, benchmarks, *steps = played(envs)
    assert list(benchmarks) == list(PROGRAMS[:count])
    assert np.array_equal(observations, expected[0][:count])
    assert len(steps) == 4 * STEPS


def test_an_episode_that_is_over_begins_again_with_the_next_step() -> None:
    envs = SyncVectorEnv([partial(make_one, DIGITS)] * 2)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    actions = np.array([CURATED.index("mem2reg"), CURATED.index("instcombine")])
    try:
        first, _ = envs.reset(seed=SEED)
        for step in range(1, LIMIT + 1):
            last, _, terminated, truncated, _ = envs.step(actions)
            assert not terminated.any()
            assert truncated.tolist() == [step == LIMIT] * 2
        assert not np.array_equal(first, last)
        again, rewards, _, truncated, _ = envs.step(actions)
        assert np.array_equal(first, again)
        assert (rewards.tolist(), truncated.any()) == ([0.0, 0.0], False)
        assert [env.unwrapped.actions for env in envs.envs] == [[], []]
    finally:
        envs.close()


def test_a_compiler_that_dies_ends_its_own_episode_only() -> None:
    envs = SyncVectorEnv([partial(make_one, DIGITS)] * 2)
    actions = np.full(2, CURATED.index("mem2reg"))
    try:
        first, _ = envs.reset(seed=SEED)
        episode = cast("CompilerEnv", envs.envs[0].unwrapped)._episode
        assert episode is not None
        os.kill(cast("Any", episode.session._connection).worker.pid, signal.SIGKILL)
        observations, rewards, terminated, _, infos = envs.step(actions)
        assert terminated.tolist() == [True, False]
        assert not observations[0].any()
        assert rewards[1] > rewards[0] == 0
        assert infos["error_type"][0] == "crash"
        observations, _, terminated, _, _ = envs.step(actions)
        assert not terminated.any()
        assert np.array_equal(observations[0], first[0])
    finally:
        envs.close()
