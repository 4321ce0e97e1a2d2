"""Environments on services that answer wrongly, hang, or say what those of CompilerGym 0.2.5 say."""

from __future__ import annotations

import collections
import os
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import numpy as np
import pytest
from fake_compiler import FakeSession
from google.protobuf.any_pb2 import Any as AnyMessage
from plain_server import PlainServer, answers_late, fails_with, fake_service

from optarena.env import CompilerEnv
from optarena.env.backends import backend_for
from optarena.env.spaces import action_space
from optarena.errors import InvalidAction, InvalidAnswer, ServiceClosed, ServiceError, TransportError
from optarena.service.client.options import ConnectionOptions
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import cost_rewards
from optarena.wrappers import ForkOnStep, SynchronousSqliteLogger, TimeLimit
from tests.kit.examples import slow
from tests.kit.folders import PLUGINS
from tests.kit.numbers_env import FAKE, NUMBERS

if TYPE_CHECKING:
    Make = Callable[..., CompilerEnv]


QUICK = ConnectionOptions(
    rpc_call_max_seconds=20,
    rpc_max_retries=1,
    init_max_attempts=2,
    rpc_init_max_seconds=10,
    local_service_exit_max_seconds=20,
)
TENSOR = pb.Event(int64_tensor=pb.Int64Tensor(shape=[1], value=[4]))


@pytest.fixture
def lying() -> Iterator[Make]:
    made: list[Any] = []

    def make(**calls: Any) -> CompilerEnv:
        made.append(PlainServer(fake_service(), overrides=calls))
        made.append(CompilerEnv(FAKE, benchmark=NUMBERS, service=made[-1].endpoint, connection=QUICK))
        return made[-1]

    yield make
    for each in reversed(made):
        each.close() if isinstance(each, CompilerEnv) else each.stop(0)


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
    lying: Make, event: pb.Event, observed: str
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
def test_a_cost_that_is_not_finite_is_no_reward(lying: Make, cost: float) -> None:
    real = pb.Space(double_value=pb.DoubleRange())
    env = lying(GetSpaces=offers(length=real), Step=answers(pb.Event(double_value=cost), at_once=True))
    with pytest.raises(TransportError, match=r"length, -?inf, is not a finite number"):
        env.reset()


def test_a_wrong_observation_at_reset_is_raised(lying: Make) -> None:
    env = lying(Step=answers(TENSOR, at_once=True))
    with pytest.raises(TransportError, match="expected int64_value, got int64_tensor"):
        env.reset(options={"reward_space": None})


def test_a_new_action_space_that_is_none_ends_the_episode(lying: Make) -> None:
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
def test_a_space_that_cannot_be_is_told_when_the_service_is_asked(lying: Make, space: pb.Space) -> None:
    with pytest.raises(TransportError, match="observation space 'files' cannot be used"):
        lying(GetSpaces=offers(files=space))


def test_a_packed_action_space_that_cannot_be_read_is_named(lying: Make) -> None:
    url = "type.googleapis.com/compiler_gym.CommandlineSpace"
    broken = pb.Space(any_value=AnyMessage(type_url=url, value=b"\xff"))
    reply = pb.GetSpacesReply(action_space_list=[pb.ActionSpace(name="packed", space=broken)])
    with pytest.raises(TransportError, match="action space 'packed' cannot be used"):
        lying(GetSpaces=lambda *_: reply.SerializeToString())
    with pytest.raises(TransportError, match="no action space"):
        lying(GetSpaces=lambda *_: b"")


@pytest.mark.parametrize("code", [grpc.StatusCode.INTERNAL, grpc.StatusCode.INVALID_ARGUMENT, None])
def test_a_session_that_does_not_end_is_no_error(
    lying: Make, code: grpc.StatusCode | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.service.timeouts.REMOTE_END_SECONDS", 0.1)
    leave = threading.Event()
    env = lying(EndSession=fails_with(code, "I will not") if code else answers_late(leave))
    env.reset()
    assert env.reset()[0] == 3
    env.close()
    assert not leave.is_set()
    leave.set()


@pytest.mark.soak
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


@pytest.mark.parametrize("kind", ["managed", *slow(["executable"])])
def test_nothing_outlives_close_while_others_reset(kind: str, script: Path) -> None:
    elsewhere: dict[str, Any] = {"service": script, "connection": QUICK} if kind == "executable" else {}
    env = CompilerEnv(FAKE, benchmark=NUMBERS, **elsewhere)
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


def test_a_service_that_answers_is_kept_after_a_call_that_took_too_long(lying: Make) -> None:
    leave = threading.Event()
    env = lying(Step=answers_late(leave))
    backend: Any = env.backend
    backend.call_seconds = 0.1
    with pytest.raises(ServiceError, match=r"no answer within 0\.1 s"):
        env.reset(options={"reward_space": None})
    leave.set()
    assert backend._remote.is_usable(1.0)


RECORDED = Path(__file__).parent / "service/recorded"
SPACES = pb.GetSpacesReply.FromString((RECORDED / "spaces.binpb").read_bytes())
EVENTS = dict(pb.DictEvent.FromString((RECORDED / "events.binpb").read_bytes()).event)
NAMES = [space.name for space in SPACES.observation_space_list]
COST = "IrInstructionCount"
PASSES: Any = action_space(SPACES.action_space_list[0])
OTHERS = EnvironmentSpec(
    slug="others-v0",
    title="A service of CompilerGym",
    service="fake_compiler:FakeSession",
    action_table=NamedActions("PassesAll", PASSES.names, "opt"),
    metrics=(Metric(name="count", title="Count", unit="instructions", observation=COST),),
    rewards=cost_rewards(COST, cost=COST, metric="count", levels=("O0",)),
    digest_observation="IrSha1",
    dataset="numbers-v0",
    observation_space="Autophase",
    reward_space=COST,
)


@pytest.fixture
def replaying() -> Iterator[Make]:
    """Environments on a service that says what was recorded, except for the events in ``lies``."""
    made: list[Any] = []

    def make(lies: dict[str, pb.Event] | None = None) -> CompilerEnv:
        told = EVENTS if lies is None else collections.ChainMap(lies, EVENTS)

        def step(data: bytes, _: object) -> bytes:
            wanted = [NAMES[index] for index in pb.StepRequest.FromString(data).observation_space]
            events = [told[name] for name in wanted]
            return pb.StepReply(observation=events).SerializeToString()

        calls = {"GetSpaces": lambda *_: SPACES.SerializeToString(), "Step": step}
        made.append(PlainServer(fake_service(), overrides=calls))
        env = CompilerEnv(OTHERS, benchmark=NUMBERS, service=made[-1].endpoint)
        made.append(env)
        env.reset()
        return env

    yield make
    for each in reversed(made):
        each.close() if isinstance(each, CompilerEnv) else each.stop(0)


def test_everything_that_it_observes_is_decoded(replaying: Make) -> None:
    env = replaying()
    seen = {name: env.observation[name] for name in EVENTS}
    assert seen["Programl"] == seen["ProgramlJson"]
    assert [node["text"] for node in seen["Programl"]["nodes"]].count("add") == 1
    assert seen["CpuInfo"]["cores_count"] == 2
    tokens = seen["LexedIr"]
    assert len(tokens["token_id"]) == len(tokens["token_value"]) == 26
    assert (tokens["token_kind"][0], tokens["token_value"][2]) == ("kw_source_filename", "-")
    assert seen["Runtime"] is seen["Buildtime"] is None
    assert (seen["IsBuildable"], seen["IsRunnable"]) == (False, False)
    assert seen["Autophase"].shape == (56,)
    assert seen["Bitcode"].startswith(b"BC")
    assert seen["Ir"].startswith("; ModuleID")
    assert env.step(0)[2] is False


@pytest.mark.parametrize("name", ["Programl", "CpuInfo", "LexedIr", "Runtime"])
def test_what_has_a_form_of_its_own_can_be_observed_at_each_step(replaying: Make, name: str) -> None:
    env = replaying()
    observation, _ = env.reset(options={"observation_space": name})
    stepped = env.step(3)
    assert stepped[2] is False
    np.testing.assert_equal(stepped[0], observation)
    np.testing.assert_equal(env.observation[name], observation)


def opaque(format_: str, data: bytes) -> pb.Event:
    event = pb.Event()
    event.any_value.Pack(pb.Opaque(format=format_, data=data))
    return event


def unknown() -> pb.Event:
    event = pb.Event()
    event.any_value.type_url = "type.googleapis.com/compiler_gym.Unheard"
    return event


@pytest.mark.parametrize(
    ("name", "event", "why"),
    [
        ("Programl", opaque("json://", b"{"), "is not JSON"),
        ("Programl", opaque("json://", b"[" * 100_000), "is not JSON"),
        ("CpuInfo", unknown(), "Unheard' of a packed message is unknown"),
        ("LexedIr", pb.Event(int64_value=3), "expected string_value, got int64_value"),
        ("InstCount", pb.Event(), "expected int64_tensor, got no value"),
    ],
)
def test_a_reading_that_cannot_be_decoded_is_an_error_and_the_episode_goes_on(
    replaying: Make, name: str, event: pb.Event, why: str
) -> None:
    env = replaying({name: event})
    with pytest.raises(InvalidAnswer, match=f"In {name}: .*{why}"):
        _ = env.observation[name]
    assert env.error is None
    assert env.observation["IrSha1"] == EVENTS["IrSha1"].string_value
    assert env.step(0)[2] is False
    assert env.actions == [0]


def test_a_cost_that_cannot_be_decoded_is_an_error_of_the_reward(replaying: Make) -> None:
    lies: dict[str, pb.Event] = {}
    env = replaying(lies)
    lies[COST] = pb.Event()
    with pytest.raises(InvalidAnswer, match="expected int64_value, got no value"):
        _ = env.reward[COST]
    lies[COST] = pb.Event(int64_value=1)
    assert env.reward[COST] == 1.0
    assert env.step(0)[1] == 1.0


def test_an_observation_that_a_step_cannot_decode_is_an_error_and_the_episode_goes_on(
    replaying: Make,
) -> None:
    lies: dict[str, pb.Event] = {}
    env = replaying(lies)
    before = EVENTS[COST].int64_value
    lies.update({"Autophase": pb.Event(), COST: pb.Event(int64_value=before + 3)})
    for act in (lambda: env.step(0), lambda: env.multistep([1, 2])):
        with pytest.raises(InvalidAnswer, match=r"value of Autophase .*: expected int64_tensor"):
            act()
    assert (env.error, env.actions) == (None, [0, 1, 2])
    assert (env.state.reward, env.episode_reward) == (-3.0, 0.0)  # earned, and not given yet
    del lies["Autophase"]
    lies[COST] = pb.Event(int64_value=before + 5)
    observation, reward, terminated, _, info = env.step(3)
    assert observation.shape == (56,)
    assert (reward, terminated, "error_type" in info) == (-5.0, False, False)
    assert (env.state.reward, env.episode_reward) == (-5.0, -5.0)


def test_a_cost_that_a_step_cannot_decode_leaves_its_reward_to_the_next(replaying: Make) -> None:
    lies: dict[str, pb.Event] = {}
    env = replaying(lies)
    first = EVENTS[COST].int64_value
    lies[COST] = pb.Event()
    with pytest.raises(InvalidAnswer, match=f"value of {COST} .*: expected int64_value"):
        env.step(0)
    with pytest.raises(InvalidAnswer, match=f"value of {COST} "):
        env.step(0, observation_spaces=["IrSha1"], reward_spaces=[COST, f"{COST}Norm"])
    with pytest.raises(InvalidAnswer):  # the reward in force is that of all actions
        env.step(0, reward_spaces=[])
    lies[COST] = pb.Event(int64_value=first - 1)
    norm = env.environment.reward(f"{COST}Norm").at({"O0": first}).total(first - 1)
    assert env.step(0, reward_spaces=[COST, f"{COST}Norm"])[1] == [1.0, norm]
    assert env.actions == [0, 0, 0, 0]


def test_steps_after_one_that_cannot_be_decoded_count(replaying: Make) -> None:
    lies: dict[str, pb.Event] = {}
    env = replaying(lies)
    lies["Autophase"] = pb.Event()
    with pytest.raises(InvalidAnswer, match="value of Autophase "):
        env.steps([4, 5, 6])
    assert (env.error, env.actions) == (None, [4, 5, 6])
    (looked,) = env.peek([7])
    assert "value of Autophase " in looked[4]["error_details"]
    lies.clear()
    assert env.steps([7])[0][1] == 0.0
    assert env.actions == [4, 5, 6, 7]


class Rising(dict[str, pb.Event]):
    """Lies about a cost that rises by one at each reading, and about the observation before the second."""

    readings = 0

    def __missing__(self, name: str) -> pb.Event:
        if name == "Autophase" and self.readings == 1:
            return pb.Event()
        if name != COST:
            raise KeyError(name)
        self.readings += 1
        return pb.Event(int64_value=EVENTS[COST].int64_value + self.readings)


def test_what_all_steps_earned_is_given_later_if_one_cannot_be_decoded(replaying: Make) -> None:
    lies = Rising({COST: EVENTS[COST]})
    env = replaying(lies)
    del lies[COST]
    with pytest.raises(InvalidAnswer, match="value of Autophase "):
        env.steps([4, 5, 6])
    assert (env.actions, lies.readings) == ([4, 5, 6], 3)
    assert (env.state.reward, env.episode_reward) == (-3.0, 0.0)
    assert env.step(7)[1] == -4.0


def test_a_step_that_cannot_be_decoded_is_logged(replaying: Make, tmp_path: Path) -> None:
    lies: dict[str, pb.Event] = {}
    with SynchronousSqliteLogger(replaying(lies), tmp_path / "log.db", ["InstCount"]) as env:
        env.reset()
        lies |= {"Autophase": pb.Event(), COST: pb.Event(int64_value=EVENTS[COST].int64_value - 2)}
        with pytest.raises(InvalidAnswer, match="value of Autophase "):
            env.multistep([4, 5])
        with pytest.raises(InvalidAction):
            env.step(-1)
        del lies["Autophase"]
        assert env.step(6)[1] == 2.0
        lies |= {"IrSha1": pb.Event(string_value="a" * 40), "InstCount": pb.Event()}
        with pytest.raises(InvalidAnswer, match="value of InstCount "):  # what only the logger observes
            env.step(7)
        assert env.error is None
    with closing(sqlite3.connect(tmp_path / "log.db")) as connection:
        kept = "SELECT step, actions, reward, terminated, error_type, state IS NULL FROM Steps"
        rows = connection.execute(kept).fetchall()
    assert rows == [
        (0, "[]", None, 0, None, 0),
        (1, "[4,5]", None, 0, "service", 0),
        (2, "[6]", 2.0, 0, None, 0),
        (3, "[7]", 0.0, 0, "service", 1),
    ]


def test_wrappers_count_a_step_that_cannot_be_decoded(replaying: Make) -> None:
    lies: dict[str, pb.Event] = {}
    env = TimeLimit(ForkOnStep(replaying(lies)), 2)
    env.reset()
    lies["Autophase"] = pb.Event()
    with pytest.raises(InvalidAnswer):
        env.step(0)
    assert env.elapsed_steps == 1
    with pytest.raises(InvalidAction):
        env.step(-1)
    assert (env.elapsed_steps, env.env.depth) == (1, 1)
    env.env.undo()
    assert env.actions == []
    lies.clear()
    assert env.step(0)[3] is True
    env.env.undo()
    env.close()
