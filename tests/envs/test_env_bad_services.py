"""Environments on services that answer wrongly, hang, or are closed while they start sessions."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from optarena.env import CompilerEnv
from optarena.env.backends import backend_for
from optarena.errors import InvalidAnswer, ServiceClosed, ServiceError, TransportError
from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.folders import PLUGINS
from tests.kit.numbers_env import FAKE, NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

from fake_compiler import FakeSession  # found by the line above
from plain_server import PlainServer, answers_late, fails_with, fake_service  # as above

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
def script(tmp_path: Path) -> Path:
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
def test_a_space_that_cannot_be_is_told_when_the_service_is_asked(
    lying: Callable[..., CompilerEnv], space: pb.Space
) -> None:
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


def test_a_service_that_does_not_answer_is_replaced_and_killed(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.service.timeouts.REMOTE_END_SECONDS", 0.2)
    monkeypatch.setattr("optarena.service.timeouts.REMOTE_LAST_WORD_SECONDS", 0.2)
    env = CompilerEnv(FAKE, benchmark=NUMBERS, service=script, connection=QUICK)
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
def test_nothing_outlives_close_while_others_reset(kind: str, script: Path) -> None:
    env = CompilerEnv(
        FAKE,
        benchmark=NUMBERS,
        service=script if kind == "executable" else None,
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


def test_a_session_that_starts_while_its_backend_ends_is_ended(script: Path) -> None:
    for service, options in ((None, None), (script, QUICK), ("in-process", None)):
        backend: Any = backend_for(FAKE.service, service, options=options)
        connection, reply = backend._start(NUMBERS, 0)  # the part that takes time
        backend.close()
        with pytest.raises(ServiceClosed):
            backend.adopt(connection, reply.session_id)
        assert connection.closed
        for call in (backend.retain, lambda each=backend: each.start(NUMBERS, 0)):
            with pytest.raises(ServiceClosed):
                call()


def test_a_service_that_answers_is_kept_after_a_call_that_took_too_long(
    lying: Callable[..., CompilerEnv],
) -> None:
    leave = threading.Event()
    env = lying(Step=answers_late(leave))
    backend: Any = env.backend
    backend.call_seconds = 0.1
    with pytest.raises(ServiceError, match=r"no answer within 0\.1 s"):
        env.reset(options={"reward_space": None})
    leave.set()
    assert backend._remote.is_usable(1.0)
