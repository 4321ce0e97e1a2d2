"""Environments whose sessions run elsewhere, and what both must agree on: programs, actions, parameters."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import gymnasium
import pytest
from fake_compiler import ACTIONS, FakeSession
from plain_server import PlainServer, fake_service

import optarena
from optarena.datasets import Benchmark
from optarena.env import CompilerEnv, backends
from optarena.errors import (
    InvalidAction,
    InvalidAnswer,
    InvalidInput,
    SandboxUnavailable,
    ServiceError,
    SessionCrashed,
    TransportError,
    UnknownName,
)
from optarena.isolation.limits import ProcessLimits
from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.runtime.grpc_server import GrpcServer
from optarena.service.runtime.serving import IsolatedService
from optarena.specs import NamedActions
from tests.kit.folders import PLUGINS
from tests.kit.numbers_env import FAKE, NUMBERS

if TYPE_CHECKING:
    from pathlib import Path

    Serve = Callable[[], str]


SESSION_TYPE = "fake_compiler:FakeSession"
LLVM = "optarena.llvm.session:LlvmSession"
APPEND, NOTHING, FINISH, CRASH, NEW_SPACE = map(
    ACTIONS.index, ("append", "nothing", "finish", "crash", "new-space")
)
FAST = ConnectionOptions(
    rpc_call_max_seconds=20,
    rpc_max_retries=2,
    init_max_seconds=20,
    init_max_attempts=2,
    rpc_init_max_seconds=10,
)


@pytest.fixture
def serve() -> Iterator[Callable[[str], str]]:
    """Serves session types over gRPC from this process; answers their endpoints."""
    served = []

    def start(session_type: str = SESSION_TYPE) -> str:
        service = IsolatedService(session_type)
        server = GrpcServer(service)
        endpoint = server.bind("127.0.0.1", 0)
        server.start()
        served.append((server, service))
        return endpoint

    yield start
    for server, service in served:
        server.stop(0)
        service.close()


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "fake_service.py"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(PLUGINS)!r})\n"
        "from fake_compiler import FakeSession\n"
        "from optarena.service.runtime import create_and_run_compiler_gym_service\n"
        "if __name__ == '__main__':\n    create_and_run_compiler_gym_service(FakeSession)\n"
    )
    path.chmod(0o755)
    return path


@pytest.fixture(params=["managed", "in-process", "grpc"])
def env(request: pytest.FixtureRequest, serve: Serve, script: Path) -> Iterator[CompilerEnv]:
    services: dict[str, Callable[[], Any]] = {
        "managed": lambda: None,
        "named": lambda: SESSION_TYPE,
        "in-process": lambda: "in-process",
        "grpc": serve,
        "executable": lambda: script,
    }
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=services[request.param]()) as made:
        yield made


@pytest.mark.parametrize("env", ["managed", "named", "in-process", "grpc", "executable"], indirect=True)
def test_an_episode_is_the_same_over_every_carrier(env: CompilerEnv) -> None:
    before = env.service
    assert env.reset()[0] == 3
    observation, reward, terminated, truncated, info = env.step(APPEND)
    assert env.service is before  # its spaces are converted once
    assert (observation, reward, terminated, truncated) == (4, -1.0, False, False)
    assert not info["action_had_no_effect"]
    assert env.step(NOTHING)[4]["action_had_no_effect"]
    with pytest.raises(InvalidAction):
        env.multistep([APPEND, len(ACTIONS)])
    assert env.observation["length"] == 4
    assert list(env.observation["history"]) == [5, 6, 7, 3]
    assert env.reward["LengthNorm"] == pytest.approx(-1 / 3)
    assert env.state.commandline == "fake append nothing"
    assert env.step(FINISH)[2]


def test_which_programs_a_service_was_sent_is_remembered_of_the_last_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    service, sent = fake_service(), list[str]()

    def start(data: bytes, context: Any) -> bytes:
        request = pb.StartSessionRequest.FromString(data)
        if request.benchmark.HasField("program"):
            sent.append(request.benchmark.uri[-1])
        return service.StartSession(request, context).SerializeToString()

    monkeypatch.setattr(backends, "_MOST_SENT", 2)
    programs = {name: Benchmark.from_bytes(f"benchmark://numbers-v0/{name}", bytes([5])) for name in "abc"}
    server = PlainServer(service, overrides={"StartSession": start})
    try:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=server.endpoint) as env:
            for name in "ababacaaba":
                env.reset(options={"benchmark": programs[name]})
    finally:
        server.stop(0)
    assert "".join(sent) == "abcb"  # b was used least recently when c came


def test_a_fork_is_independent_over_every_carrier(env: CompilerEnv) -> None:
    env.reset()
    env.step(APPEND)
    with env.fork() as twin:
        twin.multistep([APPEND, APPEND])
        assert (env.observation["length"], twin.observation["length"]) == (4, 6)
        env.close()
        assert twin.step(APPEND)[0] == 7, "the service lives as long as somebody uses it"


def test_several_steps_are_the_same_over_every_carrier(env: CompilerEnv) -> None:
    env.reset()
    taken = env.steps([APPEND, NOTHING, APPEND], observation_spaces=["length", "history"])
    assert [step[0][0] for step in taken] == [4, 4, 5]
    assert taken[2][0][1].tolist() == [5, 6, 7, 3, 4]
    assert [step[1] for step in taken] == [-1.0, 0.0, -1.0]
    assert [step[4]["action_had_no_effect"] for step in taken] == [False, True, False]
    with pytest.raises(InvalidAction):
        env.steps([APPEND, len(ACTIONS)])
    assert (env.actions, env.episode_reward) == ([APPEND, NOTHING, APPEND], -2.0)
    is_grpc = isinstance(env.backend, backends.RemoteBackend)
    if not is_grpc:  # a service elsewhere takes one action after the other
        env.parameter("fake.parameter", "strict")
        with pytest.raises(InvalidAction, match="strict"):
            env.steps([APPEND, ACTIONS.index("refuse")])
        assert (env.actions, env.error) == ([APPEND, NOTHING, APPEND], None)
        env.parameter("fake.parameter", "")
    assert [step[2] for step in env.steps([APPEND, FINISH, APPEND])] == [False, True]
    assert env.actions == [APPEND, NOTHING, APPEND, APPEND, FINISH]


def test_a_look_ahead_is_the_same_over_every_carrier(env: CompilerEnv) -> None:
    env.reset()
    env.step(APPEND)
    looked = env.peek([APPEND, NOTHING, FINISH, NEW_SPACE, APPEND], observation_spaces=["length", "history"])
    assert [step[0][0] for step in looked] == [5, 4, 5 - 1, 4, 5]
    assert looked[0][0][1].tolist() == [5, 6, 7, 3, 4]
    assert [step[1] for step in looked] == [-1.0, 0.0, 0.0, 0.0, -1.0]
    assert [step[2] for step in looked] == [False, False, True, False, False]
    assert [step[4]["action_had_no_effect"] for step in looked] == [False, True, False, False, False]
    assert [step[4]["new_action_space"] for step in looked] == [False, False, False, True, False]
    with pytest.raises(InvalidAction):
        env.peek([APPEND, len(ACTIONS)])
    assert (env.actions, env.observation["length"]) == ([APPEND], 4)
    assert env.step(APPEND)[:2] == (5, -1.0)


def test_a_new_action_space_is_followed_until_the_next_episode(env: CompilerEnv) -> None:
    env.reset()
    before = env.action_space
    _, _, _, _, info = env.step(NEW_SPACE)
    assert info["new_action_space"]
    assert isinstance(env.action_space, gymnasium.spaces.Discrete)
    assert env.action_space.n == 3
    with pytest.raises(InvalidAction):
        env.step(3)
    with env.fork() as twin:
        assert twin.action_space == env.action_space
        with pytest.raises(InvalidAction):
            twin.step(3)
    env.reset()
    assert env.action_space == before


@pytest.mark.parametrize("env", ["managed", "grpc"], indirect=True)
def test_a_crash_ends_the_episode_and_not_the_service(env: CompilerEnv) -> None:
    env.reset()
    with env.fork() as other:
        _, _, terminated, _, info = env.step(CRASH)
        assert terminated
        assert info["error_type"] == "crash"
        assert isinstance(env.error, SessionCrashed)
        assert env.error.signal
        assert other.step(APPEND)[0] == 4
    assert env.reset()[0] == 3


def test_a_service_that_was_killed_is_started_again(script: Path) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=script, connection=FAST) as env:
        env.reset()
        backend: Any = env.backend
        os.kill(backend._remote.process.pid, 9)
        _, _, terminated, _, info = env.step(APPEND)
        assert terminated
        assert info["error_type"] in {"crash", "service"}
        assert "SIGKILL" in info["error_details"] or "9" in info["error_details"]
        assert env.reset()[0] == 3
        assert env.step(APPEND)[0] == 4
        process = backend._remote.process
        assert process.is_alive()
    assert not process.is_alive()


def test_environments_share_a_backend(serve: Serve) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=serve()) as one:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=one.backend) as other:
            assert (one.reset()[0], other.reset()[0]) == (3, 3)
            assert other.backend is one.backend
        assert one.step(APPEND)[0] == 4


def test_a_changed_program_under_the_same_uri_is_sent_again(serve: Serve) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=serve()) as env:
        for contents in (b"abc", b"abc", b"abcd", b"abc"):
            changed = Benchmark.from_bytes(NUMBERS.uri, contents)
            env.reset(options={"benchmark": changed})
            assert bytes(int(value) for value in env.observation["history"]) == contents


def test_a_benchmark_that_the_service_has_dropped_is_added_again(serve: Serve) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=serve()) as env:
        env.reset()
        env.parameter("service.benchmark_cache.set_max_size_in_bytes", "1")
        env.parameter("service.benchmark_cache.set_max_size_in_bytes", "0")
        assert env.reset()[0] == 3


def test_a_service_of_something_else_is_refused(serve: Callable[[str], str]) -> None:
    with pytest.raises(InvalidInput, match="does not offer the actions of optarena/fake-v0") as caught:
        CompilerEnv(FAKE, benchmark=NUMBERS, service=serve(LLVM))
    assert caught.value.field == "service"


@pytest.mark.soak
def test_a_service_that_is_started_again_with_other_actions_is_refused(script: Path) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=script) as env:
        env.reset()
        text = script.read_text()
        changed = (
            "import fake_compiler\nclass FakeSession(fake_compiler.FakeSession):\n"
            "    action_spaces = fake_compiler.FakeSession.action_spaces[1:]\n"
        )
        script.write_text(text.replace("from fake_compiler import FakeSession\n", changed))
        remote: Any = env.backend
        remote._remote.process.close()
        with pytest.raises(ServiceError, match=r"now offers other actions\. Make a new environment"):
            env.reset()
        script.write_text(text)
        assert env.reset()[0] == 3


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"service": "no such thing"}, InvalidInput, "has an unknown form"),
        ({"service": "host:99999"}, InvalidInput, "has an unknown form"),
        ({"service": "unix:"}, InvalidInput, "no path"),
        ({"service": "/nowhere/missing-service"}, (InvalidInput, FileNotFoundError), "missing-service"),
        ({"service": "127.0.0.1:9", "connection": FAST}, TransportError, r"127\.0\.0\.1:9"),
        ({"service": "no_such_module:Session"}, UnknownName, "no_such_module"),
        ({"service": "127.0.0.1:9", "sandbox": True}, SandboxUnavailable, "--sandbox"),
        ({"service": "127.0.0.1:9", "limits": ProcessLimits()}, InvalidInput, "limits"),
        ({"service": "in-process", "sandbox": True}, SandboxUnavailable, "in-process"),
        ({"connection": ConnectionOptions()}, InvalidInput, "connection"),
        ({"limits": 5}, InvalidInput, r"limits is 5 \(int\). Give ProcessLimits"),
        ({"service": "127.0.0.1:9", "connection": {}}, InvalidInput, "Give ConnectionOptions"),
    ],
)
def test_what_does_not_fit_is_named(arguments: dict[str, Any], error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        CompilerEnv(FAKE, benchmark=NUMBERS, **arguments)


def test_a_program_of_ones_own_needs_one_session_only() -> None:
    with IsolatedService(SESSION_TYPE, max_sessions=1) as service:
        server = GrpcServer(service)
        endpoint = server.bind("127.0.0.1", 0)
        server.start()
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=endpoint) as env:
            assert env.reset()[0] == 3
            assert env.step(APPEND)[1] == -1
        server.stop(0)


def test_a_baseline_that_nobody_knows_is_named() -> None:
    with (
        CompilerEnv(FAKE, benchmark=NUMBERS) as env,
        pytest.raises(InvalidInput, match="no O1 baseline of length"),
    ):
        env.reset(options={"reward_space": "LengthO1"})


def test_a_recorded_baseline_is_used() -> None:
    known = replace(NUMBERS, baselines={"length": {"O0": 3, "O1": 1}})
    with CompilerEnv(FAKE, benchmark=known, reward_space="LengthO1") as env:
        env.reset()
        assert env.step(APPEND)[1] == -0.5


@pytest.mark.parametrize("compares", [True, False])
def test_an_episode_has_its_own_program_though_another_client_sent_another_of_that_uri(
    *, compares: bool
) -> None:
    service = fake_service()

    def start(data: bytes, context: Any) -> bytes:
        request = pb.StartSessionRequest.FromString(data)
        if not compares:  # as services of CompilerGym
            request.ClearField("program_sha256")
        return service.StartSession(request, context).SerializeToString()

    one, other = (Benchmark.from_bytes("file:///tmp/p.numbers", program) for program in (b"a", b"bc"))
    server = PlainServer(service, overrides={"StartSession": start})
    try:
        with (
            CompilerEnv(FAKE, benchmark=one, service=server.endpoint) as env,
            CompilerEnv(FAKE, benchmark=other, service=server.endpoint) as another,
        ):
            assert [each.reset()[0] for each in (env, another, env, another)] == [1, 2, 1, 2]
    finally:
        server.stop(0)


def test_a_service_that_takes_programs_by_add_benchmark_gets_one_for_each_episode() -> None:
    service, sent = fake_service(), list[str]()

    def start(data: bytes, context: Any) -> bytes:  # as services that find programs by their URI alone
        request = pb.StartSessionRequest.FromString(data)
        sent.append("start with it" if request.benchmark.HasField("program") else "start")
        request.benchmark.ClearField("program")
        request.ClearField("program_sha256")
        return service.StartSession(request, context).SerializeToString()

    def add(data: bytes, context: Any) -> bytes:
        sent.append("add")
        return service.AddBenchmark(pb.AddBenchmarkRequest.FromString(data), context).SerializeToString()

    server = PlainServer(service, overrides={"StartSession": start, "AddBenchmark": add})
    try:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=server.endpoint) as env:
            assert [env.reset()[0], env.reset()[0]] == [3, 3]
    finally:
        server.stop(0)
    assert sent == ["start with it", "add", "start", "add", "start"]


def test_a_service_that_does_not_reply_to_a_parameter_is_told_of() -> None:
    silent = {"SendSessionParameter": lambda *_: b""}
    server = PlainServer(fake_service(), overrides=silent)
    try:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=server.endpoint) as env:
            env.reset()
            with pytest.raises(InvalidAnswer, match="0 replies to one parameter"):
                env.parameter("fake.parameter", "x")
            assert env.step(APPEND)[0] == 4
            with pickle.loads(pickle.dumps(env)) as twin:  # noqa: S301 # made here
                assert twin.actions == [APPEND]
    finally:
        server.stop(0)


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_spec_whose_own_service_has_its_actions_in_another_order_is_refused(*, is_remote: bool) -> None:
    server = PlainServer(fake_service()) if is_remote else None
    service = server.endpoint if server else FAKE.service
    spec = replace(FAKE, action_table=NamedActions("fake-v0", ACTIONS[::-1], "fake"), service=service)
    try:
        with pytest.raises(InvalidInput, match=r"does not offer the actions.* in the same order"):
            CompilerEnv(spec, benchmark=NUMBERS)
    finally:
        if server:
            server.stop(0)


class NumberedSession(FakeSession):
    action_spaces: ClassVar[list[pb.ActionSpace]] = [
        pb.ActionSpace(name="all", space=pb.Space(discrete=pb.DiscreteSpace(n=len(ACTIONS))))
    ]


def test_a_service_may_have_actions_without_names_if_it_has_as_many_as_the_table() -> None:
    spec = replace(FAKE, service=f"{__name__}:NumberedSession")
    with CompilerEnv(spec, benchmark=NUMBERS, service="in-process") as env:
        env.reset()
        assert env.step(APPEND)[0] == 4
        assert env.commandline() == "fake append"
    fewer = replace(spec, action_table=NamedActions("fake-v0", ACTIONS[1:], "fake"))
    with pytest.raises(InvalidInput, match="does not offer the actions"):
        CompilerEnv(fewer, benchmark=NUMBERS, service="in-process")


@pytest.mark.parametrize("name", ["gcc-v0", "llvm-loops-v0"])
def test_actions_of_several_parts_are_those_of_their_service(name: str) -> None:
    with optarena.make(name, service="in-process") as env:
        assert env.service.action_spaces[0].name == env.action_table.name
