"""Values of large programs that take long, or cannot be computed: the episode goes on without them."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from gymnasium.error import ResetNeeded

from optarena.env import CompilerEnv
from optarena.errors import InvalidInput, ServiceError, SessionKilled, ValueUnavailable
from optarena.isolation.limits import MOST_SECONDS, ProcessLimits
from optarena.limits import SESSION_MEMORY_BYTES, USUAL_PROGRAM_BYTES
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.runtime.serving import IsolatedService
from optarena.specs import environment_spec
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from pathlib import Path

SPEC = replace(environment_spec("llvm-ic-v0"), service="costly:CostlySession")
SMALL = "benchmark://kernels-v0/quicksort"
LIMITS = ProcessLimits(cpu_seconds_per_call=0.5)
ENDS = {
    "LexedIr": "out-of-memory",
    "ObjectTextSizeBytes": "crash",
    "Programl": "crash",
    "ProgramlJson": "crash",
}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The URI of a program that is large by a comment."""
    path = tmp_path_factory.mktemp("large") / "large.ll"
    with CompilerEnv("llvm-ic-v0", benchmark=SMALL, observation_space=None, reward_space=None) as env:
        env.reset()
        path.write_text(f"{env.observe('Ir')}; {'-' * USUAL_PROGRAM_BYTES}\n")
    return path.as_uri()


@pytest.fixture
def env(large: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[CompilerEnv]:
    monkeypatch.syspath_prepend(PLUGINS)
    with CompilerEnv(SPEC, benchmark=large, limits=LIMITS) as made:
        yield made


def test_a_value_that_cannot_be_computed_leaves_the_episode(env: CompilerEnv) -> None:
    _, info = env.reset(options={"reward_space": "IrInstructionCount"})
    assert "reward_error" not in info
    env.step(1)
    for name, error_type in ENDS.items():
        with pytest.raises(ValueUnavailable, match=rf"^{name} cannot be computed: .*limits=") as caught:
            env.observation[name]
        assert (caught.value.error_type, caught.value.value) == (error_type, name)
        with pytest.raises(ValueUnavailable, match=name):
            env.step(2, observation_spaces=["IrInstructionCount", name])
    with pytest.raises(InvalidInput, match=r"This program has none\."):
        env.observation["TextSizeBytes"]
    with pytest.raises(ValueUnavailable, match="LexedIr"):
        env.multistep([], observation_spaces=["LexedIr"])
    assert env.actions == [1, 2, 2, 2, 2]
    assert env.observation["ProgramGraph"]["node_kind"].size
    steps = env.steps([3, 4], observation_spaces=["ProgramGraph"])
    assert [len(observed) for observed, *_ in steps] == [1, 1]
    with pytest.raises(ValueUnavailable):
        env.steps([5, 6], observation_spaces=["LexedIr"])
    with env.fork() as twin, pytest.raises(ValueUnavailable):
        twin.observe("LexedIr")
    assert env.step(7)[2:4] == (False, False)


def test_whoever_kills_the_process_of_a_value_ends_the_session(env: CompilerEnv) -> None:
    env.reset(options={"reward_space": None})
    with pytest.raises(SessionKilled):
        env.observe("IsBuildable")
    with pytest.raises(ResetNeeded):
        env.observe("IrInstructionCount")


def test_a_value_has_as_much_memory_in_a_look_ahead(env: CompilerEnv) -> None:
    env.reset(options={"reward_space": None})
    looked = env.peek([1, 2], observation_spaces=["IrInstructionCountO3", "TextSizeBytesOz"])
    own = env.observe("TextSizeBytesOz")
    assert [observed[1] for observed, *_ in looked] == [own, own]
    assert own > SESSION_MEMORY_BYTES


def test_limits_that_grow_stay_in_their_range(large: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PLUGINS)
    with CompilerEnv(SPEC, benchmark=large, limits=ProcessLimits(cpu_seconds_per_call=MOST_SECONDS)) as env:
        env.reset(options={"reward_space": None})
        with pytest.raises(ValueUnavailable, match="SIGABRT"):
            env.observe("ObjectTextSizeBytes")


def test_why_a_value_is_missing_is_told_by_a_service_elsewhere(
    large: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(PLUGINS)
    with IsolatedService("costly:CostlySession") as service:
        server = GrpcServer(service)
        endpoint = server.bind_unix(tmp_path / "socket")
        server.start()
        with CompilerEnv(SPEC, benchmark=large, service=endpoint) as env:
            env.reset(options={"reward_space": None})
            for name, error_type in ENDS.items():
                with pytest.raises(ValueUnavailable, match=name) as caught:
                    env.observe(name)
                assert caught.value.error_type == error_type
            assert not env.step(0)[2]
        server.stop(0)


def test_values_of_sessions_with_threads_are_computed_in_place(
    large: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(PLUGINS)
    threaded = replace(SPEC, service="costly:ThreadedSession")
    for spec, threads in ((SPEC, 1), (threaded, 2)):
        with CompilerEnv(spec, benchmark=large, limits=LIMITS) as one:
            one.reset(options={"reward_space": None})
            assert one.observe("TextSizeBytesO3") == threads
            assert one.step(1, observation_spaces=["TextSizeBytesO3"])[0] == [threads]


def test_a_step_whose_own_value_cannot_be_computed_ends_the_episode(env: CompilerEnv) -> None:
    env.reset(options={"reward_space": "IrInstructionCount"})
    with pytest.raises(ValueUnavailable, match="LexedIr"):
        env.reset(options={"observation_space": "LexedIr"})
    assert not env.step(0)[2]  # the episode before goes on
    assert "reward_error" not in env.reset(options={"reward_space": "ObjectTextSizeBytes"})[1]
    _, reward, terminated, _, info = env.step(0)
    assert (reward, terminated, info["error_type"]) == (0.0, True, "crash")
    assert info["error_details"].startswith("In ObjectTextSizeBytes: ")
    env.reset()
    _, _, terminated, _, info = env.step(0, observation_spaces=["IrInstructionCount"])
    assert (terminated, info["error_type"]) == (True, "crash"), "it named another value"
    env.reset()
    assert env.step(0, reward_spaces=["IrInstructionCount"])[1:3] == ([0.0], False), "nobody asked for it"


def test_reset_succeeds_without_a_baseline(env: CompilerEnv) -> None:
    first, info = env.reset()
    assert first in env.observation_space
    told = info["reward_error"]
    assert told.startswith("There is no reward IrInstructionCountOz for this program. IrInstructionCountOz")
    assert "reward_space" in told
    with pytest.raises(ValueUnavailable) as caught:
        env.step(0)
    assert (str(caught.value), caught.value.field) == (told, "reward_space")
    depth = len(traceback.extract_tb(caught.tb))
    with pickle.loads(pickle.dumps(env)) as twin, pytest.raises(ValueUnavailable) as caught:  # noqa: S301 # just made
        twin.step(0)
    assert (str(caught.value), caught.value.field) == (told, "reward_space")
    with pytest.raises(ValueUnavailable) as caught:
        env.step(0)
    assert len(traceback.extract_tb(caught.tb)) == depth
    assert (env.actions, env.episode_reward) == ([], None)
    _, rewards, *_ = env.step(0, reward_spaces=["IrInstructionCount"])
    assert rewards == [env.reward["IrInstructionCount"]]
    env.reset(options={"reward_space": None})
    assert env.step(0)[1] == 0.0


def test_a_baseline_is_computed_once(env: CompilerEnv) -> None:
    name = "IrInstructionCountO3"  # the time at which it is computed
    env.reset(options={"reward_space": None})
    first = env.observe(name)
    env.step(0)
    assert env.observe(name) == first
    env.reset()
    assert env.observe(name) > first


def test_a_small_program_is_computed_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(PLUGINS)
    with CompilerEnv(SPEC, benchmark=SMALL, limits=LIMITS) as env:
        env.reset(options={"reward_space": None})
        with pytest.raises(ServiceError) as caught:
            env.observation["ObjectTextSizeBytes"]
        assert not isinstance(caught.value, ValueUnavailable)


@pytest.mark.soak
def test_a_program_of_270_000_instructions_works_with_default_settings() -> None:
    with CompilerEnv("llvm-ic-v0", benchmark="benchmark://programs-v0/sqlite") as env:
        assert "reward_error" not in env.reset()[1]
        assert env.observation["IrInstructionCount"] > 200_000
        for name in ("ObjectTextSizeBytesOz", "TextSizeBytesO3", "LexedIr", "Programl"):
            assert env.observation[name]
        assert not env.step(0)[2]
