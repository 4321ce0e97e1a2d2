"""Several steps by one call, and looks ahead: each as by step(), and with an error where it would fail."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest
from fake_compiler import ACTIONS
from gymnasium.error import ResetNeeded

from optarena.env import CompilerEnv
from optarena.errors import InvalidAction, InvalidInput, ServiceError, SessionKilled, UnknownName
from optarena.isolation.limits import ProcessLimits
from optarena.limits import MAX_PEEKED_ACTIONS
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.service.client.zygote import Zygote
from optarena.wrappers import TimeLimit
from tests.kit.examples import slow
from tests.kit.numbers_env import FAKE, NUMBERS
from tests.kit.processes import children, descendants, session_pid, wait_until

if TYPE_CHECKING:
    from optarena.datasets import Benchmark

APPEND = ACTIONS.index("append")


@pytest.fixture
def fake() -> Iterator[CompilerEnv]:
    limits = ProcessLimits(cpu_seconds_per_call=0.5, memory_bytes=1 << 29, wall_seconds_per_call=1.5)
    with CompilerEnv(FAKE, benchmark=NUMBERS, limits=limits) as made:
        made.reset()
        yield made


def test_each_is_what_a_step_gives(digits: Benchmark) -> None:
    actions = random.Random(5).choices(range(len(CURATED)), k=50)  # noqa: S311 # no secret
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        env: Any = made.unwrapped
        env.reset()
        with env.fork() as twin:
            expected = [twin.step(action) for action in actions]
            ends = twin.observation["IrSha1"], twin.episode_reward, twin.actions
        taken = env.steps(actions)
        assert (env.observation["IrSha1"], env.episode_reward, env.actions) == ends
    assert [step[1:] for step in taken] == [step[1:] for step in expected]
    assert [step[0].tolist() for step in taken] == [step[0].tolist() for step in expected]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("crash", "crash"),
        ("exit", "crash"),
        ("spin", "timeout"),
        ("allocate", "out-of-memory"),
        *slow([("sleep", "timeout"), ("memory-error", "out-of-memory")]),
        ("grow", "ir-growth"),
        ("fail", "service"),
        ("refuse", "service"),
    ],
)
def test_the_steps_before_a_failure_are_kept(fake: CompilerEnv, name: str, kind: str) -> None:
    taken = fake.steps([APPEND, APPEND, ACTIONS.index(name), APPEND])
    assert [step[0] for step in taken] == [4, 5, 0]
    assert [step[2] for step in taken] == [False, False, True]
    info = taken[-1][4]
    assert info["error_type"] == kind
    assert f"action 2 ({name})" in info["error_details"]
    assert fake.actions == [APPEND, APPEND, ACTIONS.index(name)]
    assert fake.episode_reward == -2.0  # nothing was earned that could be taken back
    with pytest.raises(ResetNeeded):
        fake.steps([APPEND])
    assert fake.parameter("fake.parameter", "strict", keep=True) == ""
    fake.reset()
    with pytest.raises(InvalidAction, match="strict"):
        fake.step(ACTIONS.index("refuse"))
    assert fake.steps([APPEND])[0][0] == 4


@pytest.mark.parametrize(("name", "why"), [("broken", "never works"), ("no-linker", "is no linker")])
def test_a_step_that_asks_for_what_is_refused_is_taken(fake: CompilerEnv, name: str, why: str) -> None:
    for names in ([name], ["length", name]):
        with pytest.raises(InvalidInput, match=why) as told:
            fake.step(APPEND, observation_spaces=names)
        assert (told.value.field, told.value.value) == ("observation_space", name)
    assert fake.actions == [APPEND, APPEND]
    assert fake.observation["length"] == 5
    # The next reward includes what the two earned.
    assert fake.step(APPEND, observation_spaces=["length"])[:3] == ([6], -3.0, False)


def test_a_new_action_space_holds_for_the_rest(fake: CompilerEnv) -> None:
    taken = fake.steps([ACTIONS.index("new-space"), APPEND, ACTIONS.index("grow"), APPEND])
    assert [step[4].get("error_type") for step in taken] == [None, None, "service"]
    assert "action[2]" in taken[-1][4]["error_details"] or "action 2" in taken[-1][4]["error_details"]


@pytest.mark.parametrize("actions", ["append", None, 3, [APPEND, len(ACTIONS)], [APPEND, -1], [None]])
def test_what_is_not_a_list_of_actions_is_refused(fake: CompilerEnv, actions: Any) -> None:
    with pytest.raises(InvalidAction):
        fake.steps(actions)
    assert (fake.actions, fake.observation["length"]) == ([], 3)


def test_the_longest_time_for_an_action_is_one_for_several() -> None:
    limits = ProcessLimits(wall_seconds_per_call=4_000_000)
    with CompilerEnv(FAKE, benchmark=NUMBERS, limits=limits) as fake:
        fake.reset()
        assert [step[0] for step in fake.steps([APPEND, APPEND])] == [4, 5]


@pytest.mark.parametrize("seconds", ["x", 0, -1.0, float("nan")])
def test_an_observation_takes_a_number_of_seconds(fake: CompilerEnv, seconds: Any) -> None:
    with pytest.raises(InvalidInput, match=f"cpu_seconds is {seconds!r}"):
        fake.observe("length", cpu_seconds=seconds)
    assert fake.observe("length", cpu_seconds=0.5) == 3


def test_no_actions_are_no_steps(fake: CompilerEnv) -> None:
    assert fake.steps([]) == []
    assert fake.steps(iter([APPEND]))[0][0] == 4


def test_a_wrapper_takes_its_own_steps(fake: CompilerEnv) -> None:
    wrapped = TimeLimit(fake, max_episode_steps=2)
    wrapped.reset()
    assert [step[3] for step in wrapped.steps([APPEND, APPEND, APPEND])] == [False, True]
    assert wrapped.actions == [APPEND, APPEND]


MEM2REG = CURATED.index("mem2reg")


@pytest.fixture
def env(digits: Benchmark) -> Iterator[Any]:
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        made.reset()
        yield made.unwrapped


def plain(step: Any) -> Any:
    observation, *rest = step
    return [observation.tolist(), *rest]


def state_of(env: Any) -> list[Any]:
    return [env.actions, env.episode_reward, env.observation["Bitcode"], env.observation["IrSha1"]]


def test_each_answer_is_what_a_step_would_give(env: Any) -> None:
    env.step(MEM2REG)
    before = state_of(env)
    every = list(range(len(CURATED)))
    looked = [plain(step) for step in env.peek(every)]
    assert state_of(env) == before
    for action in every[::13]:
        with env.fork() as twin:
            assert plain(twin.step(action)) == looked[action]
    best = max(every, key=lambda action: looked[action][1])
    assert plain(env.step(best)) == looked[best]


@pytest.mark.parametrize(("before", "step"), [((), 4), *slow([((), 1), (("sroa", "gvn", "licm"), 1)])])
def test_answers_without_an_interpreter_are_those_with_one(
    env: Any, before: tuple[str, ...], step: int
) -> None:
    for name in before:
        env.step(CURATED.index(name))
    numbers, every = ["InstCount", "IrInstructionCount", "Autophase"], range(0, len(CURATED), step)
    quick = env.peek(every, observation_spaces=numbers)
    usual = env.peek(every, observation_spaces=[*numbers, "IrSha1"])  # a text is not observed the quick way
    for (observed, *rest), (more, *expected) in zip(quick, usual, strict=True):
        assert [one.tolist() for one in observed] == [one.tolist() for one in more[:3]]
        assert rest == expected


def test_walks_are_what_steps_of_a_fork_give(env: Any) -> None:
    env.step(MEM2REG)
    before = state_of(env)
    walks = [[0], [7, 3, MEM2REG], list(range(40, 60)), [3] * 6, list(range(5))]
    spaces: Any = {
        "observation_spaces": ["IrInstructionCount"],
        "reward_spaces": ["IrInstructionCountOz"],
    }
    for walk, told in zip(walks, env.peek_walks(walks, **spaces), strict=True):
        with env.fork() as twin:
            assert told == twin.steps(walk, **spaces)
    assert state_of(env) == before
    assert env.peek_walks([[0], [1]], observation_spaces=["IrSha1"]) == [None, None]


def test_a_walk_that_fails_is_not_told(digits: Benchmark) -> None:
    harmless, crash = map(UNSAFE.index, ("strip-nonlinetable-debuginfo", "trigger-crash-module"))
    with CompilerEnv("llvm-unsafe-v0", benchmark=digits) as env:
        env.reset()
        first, second = env.peek_walks([[harmless, crash], [harmless] * 2], reward_spaces=[])
        assert (first, len(second or [])) == (None, 2)
        assert env.step(harmless)[2] is False


@pytest.mark.parametrize("walks", [[], [[]], [[len(CURATED)]], [[0], 3], 3, [["mem2reg"]]])
def test_what_is_no_list_of_walks_is_refused(env: Any, walks: Any) -> None:
    with pytest.raises(InvalidAction):
        env.peek_walks(walks)
    assert env.step(MEM2REG)[2] is False


def test_a_service_that_cannot_try_walks_tells_none(fake: CompilerEnv) -> None:
    assert fake.peek_walks([[0], [0, 0]]) == [None, None]


def test_named_spaces_are_read_without_a_trace(env: Any) -> None:
    names = ["IrSha1", "InstCountDict"]
    rewards = ["IrInstructionCount", "IrInstructionCountNorm"]
    with env.fork() as twin:
        expected = twin.step(MEM2REG, observation_spaces=names, reward_spaces=rewards)
    for _ in range(2):  # the first look must not count as a reading of the rewards
        (looked,) = env.peek([MEM2REG], observation_spaces=names, reward_spaces=rewards)
        assert looked == expected
    assert env.step(MEM2REG, observation_spaces=names, reward_spaces=rewards) == expected


@pytest.mark.parametrize("number", [0, MAX_PEEKED_ACTIONS + 1, 10_000])
def test_the_number_of_actions_is_limited(env: Any, number: int) -> None:
    with pytest.raises(InvalidAction, match=f"{number} actions.*1 and {MAX_PEEKED_ACTIONS}"):
        env.peek([MEM2REG] * number)
    assert env.step(MEM2REG)[2] is False


@pytest.mark.parametrize("actions", [[len(CURATED)], [-1], ["mem2reg"], [None], "mem2reg", 3, None, [[0]]])
def test_what_is_no_list_of_actions_is_not_looked_at(env: Any, actions: Any) -> None:
    with pytest.raises(InvalidAction):
        env.peek(actions)
    assert env.step(MEM2REG)[2] is False


def test_unknown_spaces_are_refused(env: Any) -> None:
    with pytest.raises(UnknownName):
        env.peek([0], observation_spaces=["Nothing"])
    with pytest.raises(UnknownName):
        env.peek([0], reward_spaces=["Nothing"])
    with pytest.raises(InvalidInput):
        env.peek([0], observation_spaces="Autophase")
    assert env.step(MEM2REG)[2] is False


def test_many_actions_are_tried_in_parts(fake: CompilerEnv) -> None:
    looked = fake.peek([0] * 70)
    assert [step[0] for step in looked] == [4] * 70


def test_there_must_be_an_episode(digits: Benchmark, fake: CompilerEnv) -> None:
    with gymnasium.make("optarena/llvm-v0", benchmark=digits) as made, pytest.raises(ResetNeeded):
        made.unwrapped.peek([0])  # type: ignore[attr-defined] # ours
    fake.step(ACTIONS.index("finish"))
    with pytest.raises(ResetNeeded):
        fake.peek([0])


FAILING = {
    "crash": "crash",
    "abort": "crash",
    "exit": "crash",
    "garble": "crash",
    "spin": "timeout",
    "spin-native": "timeout",
    "sleep": "timeout",
    "allocate": "out-of-memory",
    "memory-error": "out-of-memory",
    "grow": "ir-growth",
    "fail": "service",
}


@pytest.mark.parametrize("failing", [("crash", "spin", "allocate", "fail"), *slow([(tuple(FAILING),)])])
def test_a_failure_is_the_answer_of_its_action_alone(fake: CompilerEnv, failing: tuple[str, ...]) -> None:
    names = ["append", *failing, "spawn", "append"]
    looked = dict(zip(names, fake.peek([ACTIONS.index(name) for name in names]), strict=True))
    told = {name: step[4].get("error_type") for name, step in looked.items()}
    assert told == {"append": None, **{name: FAILING[name] for name in failing}, "spawn": None}
    for name in failing:
        observation, reward, terminated, truncated, info = looked[name]
        assert (observation, reward, terminated, truncated) == (0, 0.0, True, False)
        assert f"action 0 ({name})" in info["error_details"]
    assert looked["append"][:3] == (4, -1.0, False)
    assert (fake.actions, fake.observation["length"], fake.error) == ([], 3, None)
    assert descendants(session_pid(fake)) == set()


def test_an_observation_that_fails_is_named(fake: CompilerEnv) -> None:
    for name in ("broken", "no-linker"):
        (looked,) = fake.peek([0], observation_spaces=[name])
        with fake.fork() as twin:
            assert [looked] == twin.steps([0], observation_spaces=[name])
        assert f"In {name} after action 0 (append)" in looked[4]["error_details"]


def test_files_of_one_action_are_seen_by_that_action_alone(fake: CompilerEnv) -> None:
    write = ACTIONS.index("write-file")
    fake.step(write)
    looked = fake.peek([write, 0], observation_spaces=["files"])
    assert [step[0] for step in looked] == [["file0 file1"], ["file0"]]
    assert fake.observation["files"] == "file0"


@pytest.mark.parametrize(
    "action",
    [0, *slow(range(7, len(UNSAFE), 7))],
)
def test_dangerous_passes_are_looked_at_safely(digits: Benchmark, action: int) -> None:
    with gymnasium.make("optarena/llvm-unsafe-v0", benchmark=digits, reward_space=None) as made:
        env: Any = made.unwrapped
        env.reset()
        before = env.observation["IrSha1"]
        (looked,) = env.peek([action])
        assert env.observation["IrSha1"] == before
        stepped = env.step(action)
        assert looked[2] == stepped[2]
        assert looked[4].get("error_type") == stepped[4].get("error_type")


def test_a_session_that_is_killed_meanwhile_ends_the_episode(fake: CompilerEnv) -> None:
    pid = session_pid(fake)

    def kill() -> None:
        while not children(pid):
            time.sleep(0.001)
        os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    with pytest.raises(SessionKilled):
        fake.peek([ACTIONS.index("spin")] * 4)
    thread.join()
    assert isinstance(fake.error, ServiceError)
    wait_until(lambda: not children(Zygote.shared(FAKE.service).pid))
    fake.reset()
    assert fake.peek([0])[0][0] == 4


@pytest.mark.parametrize("arguments", [{"sandbox": True}, {"service": "in-process"}], ids=str)
def test_sessions_that_cannot_fork_give_the_same(env: Any, digits: Benchmark, arguments: Any) -> None:
    actions = [MEM2REG, 0, 1]
    expected = [plain(step) for step in env.peek(actions)]
    with gymnasium.make(
        "optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount", **arguments
    ) as made:
        made.reset()
        other: Any = made.unwrapped
        assert [plain(step) for step in other.peek(actions)] == expected


def test_a_wrapper_looks_ahead_through_itself(env: Any) -> None:
    wrapped = TimeLimit(env, max_episode_steps=2)
    wrapped.reset()
    wrapped.step(0)
    expected = env.peek([MEM2REG])[0]
    (looked,) = wrapped.peek([MEM2REG])
    assert plain(looked)[:3] == plain(expected)[:3]
    assert looked[3] is True  # truncated: it would be the second step
    assert wrapped.step(0)[3] is True
    with pytest.raises(InvalidAction):
        wrapped.peek([])
