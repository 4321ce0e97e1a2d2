"""Environments whose sessions run elsewhere: on services that are right, lie, hang or are closed."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import grpc
import gymnasium
import pytest
from fake_compiler import (
    ACTIONS,
    FakeSession,  # found by the line above
)
from google.protobuf.any_pb2 import Any as AnyMessage
from plain_server import PlainServer, answers_late, fails_with, fake_service  # as above

import optarena
from optarena.datasets import Benchmark
from optarena.env import CompilerEnv, backends
from optarena.env.backends import backend_for
from optarena.errors import (
    InvalidAction,
    InvalidAnswer,
    InvalidInput,
    SandboxUnavailable,
    ServiceClosed,
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
from tests.kit.examples import slow
from tests.kit.folders import PLUGINS
from tests.kit.numbers_env import FAKE, NUMBERS
from tests.kit.processes import run_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SESSION_TYPE = "fake_compiler:FakeSession"
LLVM = "optarena.llvm.session:LlvmSession"
APPEND, NOTHING, FINISH, CRASH, NEW_SPACE = map(
    ACTIONS.index, ("append", "nothing", "finish", "crash", "new-space")
)
FAST = ConnectionOptions(
    rpc_call_max_seconds=20,
    rpc_max_retries=2,
    init_max_seconds=2,
    init_max_attempts=2,
    rpc_init_max_seconds=1,
)


@pytest.fixture
def serve() -> Iterator[Callable[[str], str]]:
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


@pytest.fixture(
    params=[
        "managed",
        "in-process",
        "grpc",
        *slow(("named", "executable")),
    ]
)
def env(request: pytest.FixtureRequest, serve: Callable[[], str], script: Path) -> Iterator[CompilerEnv]:
    services: dict[str, Callable[[], Any]] = {
        "managed": lambda: None,
        "named": lambda: SESSION_TYPE,
        "in-process": lambda: "in-process",
        "grpc": serve,
        "executable": lambda: script,
    }
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=services[request.param]()) as made:
        yield made


def test_an_episode_is_the_same_over_every_carrier(env: CompilerEnv) -> None:
    assert env.reset()[0] == 3
    observation, reward, terminated, truncated, info = env.step(APPEND)
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


def test_which_programs_were_sent_is_remembered_of_the_last_only(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_environments_share_a_backend(script: Path) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=script) as one:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=one.backend) as other:
            assert (one.reset()[0], other.reset()[0]) == (3, 3)
            assert other.backend is one.backend
        assert one.step(APPEND)[0] == 4


def test_a_changed_program_under_the_same_uri_is_sent_again(serve: Callable[[], str]) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=serve()) as env:
        for contents in (b"abc", b"abc", b"abcd", b"abc"):
            changed = Benchmark.from_bytes(NUMBERS.uri, contents)
            env.reset(options={"benchmark": changed})
            assert bytes(int(value) for value in env.observation["history"]) == contents


def test_a_benchmark_that_the_service_has_dropped_is_added_again(serve: Callable[[], str]) -> None:
    with CompilerEnv(FAKE, benchmark=NUMBERS, service=serve()) as env:
        env.reset()
        env.parameter("service.benchmark_cache.set_max_size_in_bytes", "1")
        env.parameter("service.benchmark_cache.set_max_size_in_bytes", "0")
        assert env.reset()[0] == 3


def test_llvm_over_grpc_equals_llvm_in_its_own_process(serve: Callable[[str], str]) -> None:
    sequence = [5, 20, 60, 7, 33]
    results = []
    for service in (None, serve(LLVM)):
        with gymnasium.make("optarena/llvm-v0", service=service) as env:
            plain = env.unwrapped
            assert isinstance(plain, CompilerEnv)
            observation, _ = plain.reset()
            rewards = [plain.step(action)[1] for action in sequence]
            results.append(
                (observation.tolist(), rewards, plain.observation["IrSha1"], plain.state.commandline)
            )
    assert results[0] == results[1]


def test_threads_with_environments_of_their_own_share_one_service(serve: Callable[[], str]) -> None:
    endpoint = serve()
    lengths: list[int] = []

    def work(steps: int) -> None:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=endpoint) as env:
            env.reset()
            for _ in range(steps):
                env.step(APPEND)
            lengths.append(env.observation["length"])

    run_threads(partial(work, steps) for steps in range(1, 7))
    assert sorted(lengths) == [4, 5, 6, 7, 8, 9]


def test_a_service_of_something_else_is_refused(serve: Callable[[str], str]) -> None:
    with pytest.raises(InvalidInput, match="does not offer the actions of optarena/fake-v0") as caught:
        CompilerEnv(FAKE, benchmark=NUMBERS, service=serve(LLVM))
    assert caught.value.field == "service"


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


def test_nobody_at_the_endpoint_is_a_clear_error() -> None:
    with pytest.raises(TransportError, match=r"127\.0\.0\.1:9"):
        CompilerEnv(FAKE, benchmark=NUMBERS, service="127.0.0.1:9", connection=FAST)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"service": "no such thing"}, InvalidInput, "has an unknown form"),
        ({"service": "host:99999"}, InvalidInput, "has an unknown form"),
        ({"service": "unix:"}, InvalidInput, "no path"),
        ({"service": "no_such_module:Session"}, UnknownName, "no_such_module"),
        ({"service": "127.0.0.1:9", "sandbox": True}, SandboxUnavailable, "--sandbox"),
        ({"service": "127.0.0.1:9", "limits": ProcessLimits()}, InvalidInput, "limits"),
        ({"service": "in-process", "sandbox": True}, SandboxUnavailable, "in-process"),
        ({"connection": ConnectionOptions()}, InvalidInput, "connection"),
        ({"limits": 5}, InvalidInput, r"limits is 5 \(int\). Give ProcessLimits"),
        ({"service": "127.0.0.1:9", "connection": {}}, InvalidInput, "Give ConnectionOptions"),
        (
            {"service": Path("/nowhere/missing-service"), "connection": FAST},
            (InvalidInput, FileNotFoundError),
            "missing-service",
        ),
    ],
)
def test_what_does_not_fit_is_named(arguments: dict[str, Any], error: type[Exception], words: str) -> None:
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


QUICK = ConnectionOptions(
    rpc_call_max_seconds=20,
    rpc_max_retries=1,
    init_max_attempts=2,
    rpc_init_max_seconds=1,
    local_service_exit_max_seconds=20,
)
TENSOR = pb.Event(int64_tensor=pb.Int64Tensor(shape=[1], value=[4]))


@pytest.fixture
def lying() -> Iterator[Callable[..., CompilerEnv]]:
    made: list[Any] = []

    def make(*, observation_space: str | None = None, **calls: Any) -> CompilerEnv:
        server = PlainServer(fake_service(), overrides=calls)
        made.append(server)
        env = CompilerEnv(
            FAKE,
            benchmark=NUMBERS,
            service=server.endpoint,
            connection=QUICK,
            observation_space=observation_space,
        )
        made.append(env)
        return env

    yield make
    for each in reversed(made):
        if isinstance(each, PlainServer):
            each.stop(0)
        else:
            each.close()


@pytest.fixture
def plain_script(tmp_path: Path) -> Path:
    path = tmp_path / "fake_service.py"
    path.write_text(
        f"#!{sys.executable}\nimport sys\nsys.path.insert(0, {str(PLUGINS)!r})\n"
        "import plain_server\nplain_server.main()\n"
    )
    path.chmod(0o755)
    return path


def stop(pid: int) -> None:
    os.kill(pid, signal.SIGSTOP)
    while not Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].startswith(" T"):
        time.sleep(0.01)


def answers(event: pb.Event, *, at_once: bool = False, **more: Any) -> Callable[..., bytes]:
    """A Step that observes this, after the first action or at once."""

    def answer(data: bytes, _: object) -> bytes:
        request = pb.StepRequest.FromString(data)
        lie = at_once or request.action
        shown = event if lie else pb.Event(int64_value=3)
        reply = pb.StepReply(observation=[shown] * len(request.observation_space), **(more if lie else {}))
        return reply.SerializeToString()

    return answer


def offers(**spaces: pb.Space) -> Callable[..., bytes]:
    listed = [
        pb.ObservationSpace(name=each.name, space=spaces.get(each.name, each.space))
        for each in FakeSession.observation_spaces
    ]
    reply = pb.GetSpacesReply(action_space_list=FakeSession.action_spaces, observation_space_list=listed)
    return lambda *_: reply.SerializeToString()


@pytest.mark.parametrize(
    "event",
    [
        pb.Event(),
        pb.Event(string_value="5"),
        pb.Event(boolean_value=True),
        pb.Event(double_value=float("nan")),
        pb.Event(int64_value=-1),
        TENSOR,
    ],
)
@pytest.mark.parametrize("observed", ["length", "history"])
def test_a_wrong_observation_or_cost_is_an_error_and_the_episode_goes_on(
    lying: Callable[..., CompilerEnv], event: pb.Event, observed: str
) -> None:
    env = lying(Step=answers(event))
    env.reset(options={"observation_space": None if observed == "history" else "length"})
    for _ in range(2):
        with pytest.raises(InvalidAnswer, match="value of length is not in the space") as caught:
            env.step(0)
        assert len(str(caught.value)) < 500
    assert (env.error, env.actions) == (None, [0, 0])
    assert (env.episode_reward, env.state.reward) == (0.0, 0.0)


@pytest.mark.parametrize("cost", [float("inf"), float("-inf")])
def test_a_cost_that_is_not_finite_is_no_reward(lying: Callable[..., CompilerEnv], cost: float) -> None:
    real = pb.Space(double_value=pb.DoubleRange())
    env = lying(GetSpaces=offers(length=real), Step=answers(pb.Event(double_value=cost), at_once=True))
    with pytest.raises(TransportError, match=r"length, -?inf, is not a finite number"):
        env.reset()


def test_a_wrong_observation_at_reset_is_raised(lying: Callable[..., CompilerEnv]) -> None:
    env = lying(Step=answers(TENSOR, at_once=True))
    with pytest.raises(TransportError, match="expected int64_value, got int64_tensor"):
        env.reset(options={"reward_space": None})


def test_a_new_action_space_that_is_none_ends_the_episode(lying: Callable[..., CompilerEnv]) -> None:
    broken = pb.ActionSpace(name="worse", space=pb.Space(discrete=pb.DiscreteSpace(n=-5)))
    env = lying(Step=answers(pb.Event(int64_value=4), new_action_space=broken))
    env.reset()
    _, _, terminated, _, info = env.step(0)
    assert terminated
    assert "action space 'worse' cannot be used" in info["error_details"]
    assert env.actions == [0]
    reply = pb.StartSessionReply(session_id=1, new_action_space=pb.ActionSpace())
    env = lying(StartSession=lambda *_: reply.SerializeToString())
    with pytest.raises(TransportError, match="action space '' cannot be used"):
        env.reset()


@pytest.mark.parametrize(
    "space",
    [
        pb.Space(),
        pb.Space(discrete=pb.DiscreteSpace(n=0)),
        pb.Space(string_value=pb.StringSpace(length_range=pb.Int64Range(min=5, max=2))),
        pb.Space(string_value=pb.StringSpace(length_range=pb.Int64Range(min=2**40))),
        pb.Space(int64_value=pb.Int64Range(min=5, max=2)),
        pb.Space(double_value=pb.DoubleRange(min=float("nan"))),
        pb.Space(int64_sequence=pb.Int64SequenceSpace(length_range=pb.Int64Range(min=2**40, max=2**40))),
        pb.Space(int64_sequence=pb.Int64SequenceSpace(length_range=pb.Int64Range(min=2, max=1))),
    ],
)
def test_an_impossible_space_is_told_at_once(lying: Callable[..., CompilerEnv], space: pb.Space) -> None:
    with pytest.raises(TransportError, match="observation space 'files' cannot be used"):
        lying(GetSpaces=offers(files=space))


def test_a_packed_action_space_that_cannot_be_read_is_named(lying: Callable[..., CompilerEnv]) -> None:
    url = "type.googleapis.com/compiler_gym.CommandlineSpace"
    broken = pb.Space(any_value=AnyMessage(type_url=url, value=b"\xff"))
    reply = pb.GetSpacesReply(action_space_list=[pb.ActionSpace(name="packed", space=broken)])
    with pytest.raises(TransportError, match="action space 'packed' cannot be used"):
        lying(GetSpaces=lambda *_: reply.SerializeToString())
    with pytest.raises(TransportError, match="no action space"):
        lying(GetSpaces=lambda *_: b"")


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.INVALID_ARGUMENT, None])
def test_a_session_that_does_not_end_is_no_error(
    lying: Callable[..., CompilerEnv], code: grpc.StatusCode | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.service.timeouts.REMOTE_END_SECONDS", 0.1)
    leave = threading.Event()
    env = lying(EndSession=fails_with(code, "I will not") if code else answers_late(leave))
    env.reset()
    assert env.reset()[0] == 3
    env.close()
    assert not leave.is_set()
    leave.set()


def test_a_silent_service_is_replaced_and_killed(plain_script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optarena.service.timeouts.REMOTE_END_SECONDS", 0.2)
    monkeypatch.setattr("optarena.service.timeouts.REMOTE_LAST_WORD_SECONDS", 0.2)
    env = CompilerEnv(FAKE, benchmark=NUMBERS, service=plain_script, connection=QUICK)
    backend: Any = env.backend
    env.reset()
    stopped = [backend._remote.process.pid]
    stop(stopped[0])
    assert env.reset()[0] == 3, "by another service"
    stopped.append(backend._remote.process.pid)
    stop(stopped[1])
    env.close()
    assert not any(Path(f"/proc/{pid}").exists() for pid in stopped)


@pytest.mark.parametrize("kind", ["managed", "executable"])
def test_nothing_outlives_close_while_others_reset(kind: str, plain_script: Path) -> None:
    env = CompilerEnv(
        FAKE,
        benchmark=NUMBERS,
        service=plain_script if kind == "executable" else None,
        connection=QUICK if kind == "executable" else None,
    )
    backend: Any = env.backend
    connections: list[Any] = []
    errors: list[BaseException] = []
    begun = threading.Barrier(4)

    def work() -> None:
        try:
            env.reset()
            begun.wait(20)
            while True:
                env.reset()
                connections.extend(backend._live)
        except (ServiceError, RuntimeError) as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    begun.wait(20)
    env.close()
    for thread in threads:
        thread.join(20)
    assert len(errors) == 3
    assert all(isinstance(error, ServiceError) for error in errors), errors
    assert all(connection.closed for connection in [*connections, *backend._live])


def test_a_session_that_starts_while_its_backend_ends_is_ended(plain_script: Path) -> None:
    for service, options in ((None, None), (plain_script, QUICK), ("in-process", None)):
        backend: Any = backend_for(FAKE.service, service, options=options)
        connection, reply = backend._start(NUMBERS, 0)  # the part that takes time
        backend.close()
        with pytest.raises(ServiceClosed):
            backend.adopt(connection, reply.session_id)
        assert connection.closed
        for call in (backend.retain, lambda each=backend: each.start(NUMBERS, 0)):
            with pytest.raises(ServiceClosed):
                call()


def test_a_service_is_kept_after_a_call_that_took_too_long(lying: Callable[..., CompilerEnv]) -> None:
    leave = threading.Event()
    env = lying(Step=answers_late(leave))
    backend: Any = env.backend
    backend.call_seconds = 0.1
    with pytest.raises(ServiceError, match=r"no answer within 0\.1 s"):
        env.reset(options={"reward_space": None})
    leave.set()
    assert backend._remote.is_usable(1.0)


@pytest.mark.parametrize("compares", [True, False])
def test_an_episode_has_its_own_program_though_another_was_sent_of_that_uri(*, compares: bool) -> None:
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
    """The fake compiler, whose actions have numbers only."""

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
