"""Environments on services of CompilerGym 0.2.5: what its LLVM service says and observes, as recorded bytes.

``spaces.binpb`` is its GetSpacesReply; ``events.binpb`` is a DictEvent of what it observes, by name, of the
program that ``Ir`` shows.
"""

from __future__ import annotations

import collections
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from optarena.datasets import Benchmark
from optarena.env import CompilerEnv
from optarena.env.spaces import action_space
from optarena.errors import InvalidAction, InvalidAnswer
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import cost_rewards
from optarena.wrappers import ForkOnStep, SynchronousSqliteLogger, TimeLimit
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

sys.path.insert(0, str(PLUGINS))
from plain_server import PlainServer, fake_service  # found by the line above

RECORDED = Path(__file__).parent / "service/recorded"
SPACES = pb.GetSpacesReply.FromString((RECORDED / "spaces.binpb").read_bytes())
EVENTS = dict(pb.DictEvent.FromString((RECORDED / "events.binpb").read_bytes()).event)
NAMES = [space.name for space in SPACES.observation_space_list]
COST = "IrInstructionCount"
ACTIONS: Any = action_space(SPACES.action_space_list[0])
OTHERS = EnvironmentSpec(
    slug="others-v0",
    title="A service of CompilerGym",
    service="fake_compiler:FakeSession",
    action_table=NamedActions("PassesAll", ACTIONS.names, "opt"),
    metrics=(Metric(name="count", title="Count", unit="instructions", observation=COST),),
    rewards=cost_rewards(COST, cost=COST, metric="count", levels=("O0",)),
    digest_observation="IrSha1",
    dataset="numbers-v0",
    observation_space="Autophase",
    reward_space=COST,
)
NUMBERS = Benchmark.from_bytes("benchmark://numbers-v0/three", bytes([5, 6, 7]))


@pytest.fixture
def replaying() -> Iterator[Callable[..., CompilerEnv]]:
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


def test_everything_that_it_observes_is_decoded(replaying: Callable[..., CompilerEnv]) -> None:
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
def test_what_has_its_own_form_can_be_observed(replaying: Callable[..., CompilerEnv], name: str) -> None:
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
    replaying: Callable[..., CompilerEnv], name: str, event: pb.Event, why: str
) -> None:
    env = replaying({name: event})
    with pytest.raises(InvalidAnswer, match=f"In {name}: .*{why}"):
        _ = env.observation[name]
    assert env.error is None
    assert env.observation["IrSha1"] == EVENTS["IrSha1"].string_value
    assert env.step(0)[2] is False
    assert env.actions == [0]


def test_an_undecodable_cost_is_an_error_of_the_reward(replaying: Callable[..., CompilerEnv]) -> None:
    lies: dict[str, pb.Event] = {}
    env = replaying(lies)
    lies[COST] = pb.Event()
    with pytest.raises(InvalidAnswer, match="expected int64_value, got no value"):
        _ = env.reward[COST]
    lies[COST] = pb.Event(int64_value=1)
    assert env.reward[COST] == 1.0
    assert env.step(0)[1] == 1.0


def test_after_an_undecodable_observation_the_episode_goes_on(replaying: Callable[..., CompilerEnv]) -> None:
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


def test_an_undecodable_cost_leaves_its_reward_to_the_next(replaying: Callable[..., CompilerEnv]) -> None:
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


def test_steps_after_one_that_cannot_be_decoded_count(replaying: Callable[..., CompilerEnv]) -> None:
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


def test_what_all_steps_earned_is_given_after_a_bad_one(replaying: Callable[..., CompilerEnv]) -> None:
    lies = Rising({COST: EVENTS[COST]})
    env = replaying(lies)
    del lies[COST]
    with pytest.raises(InvalidAnswer, match="value of Autophase "):
        env.steps([4, 5, 6])
    assert (env.actions, lies.readings) == ([4, 5, 6], 3)
    assert (env.state.reward, env.episode_reward) == (-3.0, 0.0)
    assert env.step(7)[1] == -4.0


def test_an_undecodable_step_is_logged(replaying: Callable[..., CompilerEnv], tmp_path: Path) -> None:
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


def test_wrappers_count_a_step_that_cannot_be_decoded(replaying: Callable[..., CompilerEnv]) -> None:
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
