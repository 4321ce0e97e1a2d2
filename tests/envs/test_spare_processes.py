"""Tests of episodes in processes of earlier ones: exact, bounded, and in new processes whenever one dies."""

from __future__ import annotations

import contextlib
import gc
import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from forking import in_forked_process

import optarena
import optarena.env.backends
from optarena.datasets import Benchmark, datasets
from optarena.env.backends import MAX_SPARES, ManagedBackend
from optarena.env.episode import KnownBaselines
from optarena.errors import InvalidInput, OptArenaError
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.actions import CURATED
from optarena.service.client.zygote import Zygote
from tests.kit.examples import slow
from tests.kit.processes import children, descendants, run_threads, session_pid, wait_until

MEM2REG = CURATED.index("mem2reg")
TYPE = "optarena.llvm.session:LlvmSession"
TWO = 2  # the process of the present episode, and a spare


OTHERS: set[int] = set()
"""Sessions that tests before have left to the garbage collector."""


@pytest.fixture(autouse=True)
def _others() -> None:
    OTHERS.clear()
    OTHERS.update(sessions())


@pytest.fixture
def env(digits: Benchmark) -> Iterator[Any]:
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        yield made.unwrapped


def sessions() -> set[int]:
    return children(Zygote.shared(TYPE).pid) - OTHERS


def settled(number: int) -> set[int]:
    wait_until(lambda: len(sessions()) == number)
    return sessions()


def await_ends(pids: set[int]) -> None:
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


def played(env: Any, actions: list[int]) -> list[Any]:
    first, _ = env.reset()
    steps = [env.step(action) for action in actions]
    told = [(step[0].tolist(), step[1], step[4]["action_had_no_effect"]) for step in steps]
    return [first.tolist(), told, env.observation["Bitcode"], env.observation["IrSha1"]]


def random_walk(chance: random.Random, steps: int) -> list[int]:
    return chance.choices(range(len(CURATED)), k=steps)


def numbered(digits: Benchmark, number: int) -> Benchmark:
    return Benchmark.from_bytes(f"benchmark://tests-v0/{number}", digits.program() + b"\n" * number)


def test_every_episode_is_the_one_of_a_fresh_process(env: Any) -> None:
    actions = random_walk(random.Random(3), 60)  # noqa: S311 # no secret
    fresh = played(env, actions)
    pids = set()
    for _ in range(6):
        assert played(env, actions) == fresh  # the first observation too: no episode changes the next
        pids.add(session_pid(env))
    assert len(pids) == TWO


@pytest.mark.parametrize("walks", [4, *slow([400])])
def test_walks_do_not_depend_on_earlier_ones_in_their_process(walks: int) -> None:
    chance = random.Random(walks)  # noqa: S311 # no secret
    programs = list(datasets()["kernels-v0"])
    with gymnasium.make("optarena/llvm-v0", reward_space="IrInstructionCount") as made:
        env: Any = made.unwrapped
        for _ in range(walks):
            env.benchmark = chance.choice(programs)
            actions = random_walk(chance, 40)
            after_others = played(env, actions)
            with gymnasium.make(
                "optarena/llvm-v0", benchmark=env.benchmark, reward_space="IrInstructionCount"
            ) as fresh:
                assert played(fresh.unwrapped, actions) == after_others


def test_a_first_step_asks_once_if_an_earlier_episode_has_observed_the_same(env: Any) -> None:
    env.reset()
    assert not env.begin(MEM2REG)  # what the reward needs may not exist, so it is asked for by itself
    first = env.step(MEM2REG)
    env.reset()
    assert env.begin(MEM2REG)
    again = env.step(MEM2REG)
    assert again[1] == first[1] != 0
    assert again[4] == first[4]


@pytest.mark.parametrize("first", [(), ("globaldce",)])
def test_what_exists_after_the_actions_of_one_episode_is_not_expected_in_another(
    first: tuple[str, ...], tmp_path: Path
) -> None:
    text = """
        target triple = "x86_64-unknown-linux-gnu"
        declare void @nowhere()
        define internal void @dead() { call void @nowhere() ret void }
        define i32 @main() { ret i32 0 }
    """
    program = tmp_path / "program.ll"
    program.write_text(text)
    with gymnasium.make("optarena/llvm-v0", benchmark=program.as_uri()) as made:
        env: Any = made.unwrapped
        for name in first:  # which deletes what cannot be linked
            env.reset()
            env.step(env.action_space.names.index(name), observation_spaces=["TextSizeBytes"])
        env.reset()
        with pytest.raises(InvalidInput, match="nowhere"):
            env.step(MEM2REG, observation_spaces=["TextSizeBytes"])
        assert not env.step(MEM2REG)[2]


def test_the_files_of_earlier_sessions_change_nothing() -> None:
    with gymnasium.make("optarena/gcc-v0") as made:
        env: Any = made.unwrapped
        env.action_space.seed(3)
        actions = [env.action_space.sample() for _ in range(6)]
        seen, pids = [], []
        for number in range(5):
            env.reset()
            for action in actions[number % 2 :]:
                env.step(action)
            seen.append([env.observation[name] for name in ("rtl", "asm", "obj_hash")])
            pids.append(session_pid(env))
    assert seen[0] == seen[2] == seen[4]
    assert seen[1] == seen[3]
    assert len(set(pids)) == TWO


def test_a_process_has_only_so_many_sessions(env: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optarena.env.backends, "MAX_SESSIONS", 3)
    pids = []
    for _ in range(12):
        env.reset()
        pids.append(session_pid(env))
    assert {pids.count(pid) for pid in pids} == {3}
    settled(1)  # the others have had theirs


def test_a_copy_of_a_session_is_exact_after_others(env: Any) -> None:
    actions = random_walk(random.Random(5), 40)  # noqa: S311 # no secret
    for _ in range(4):
        env.reset()
        env.multistep(actions[:20])
    with env.fork() as twin:
        looked = [step[0].tolist() for step in env.peek(actions[20:])]
        assert looked == [step[0].tolist() for step in twin.peek(actions[20:])]
        for each in (env, twin):
            each.multistep(actions[20:])
        assert env.observation["Bitcode"] == twin.observation["Bitcode"]


def test_other_programs_and_parameters_leave_nothing_behind(env: Any, digits: Benchmark) -> None:
    actions = random_walk(random.Random(7), 20)  # noqa: S311 # no secret
    first = played(env, actions)
    for number in (1, 2, 3):
        env.reset(options={"benchmark": numbered(digits, number)})
        env.parameter("llvm.apply_baseline_optimizations", "-Oz")
        env.parameter("llvm.set_runtimes_per_observation_count", "3")
    env.benchmark = digits
    for _ in range(3):
        env.reset()
        assert env.parameter("llvm.get_runtimes_per_observation_count") == "1"
        assert played(env, actions) == first


def test_an_unreadable_program_is_refused_as_by_a_new_process(env: Any) -> None:
    for _ in range(3):
        env.reset()
    broken = Benchmark.from_bytes("benchmark://tests-v0/broken", b"define i32 @main( {")
    with pytest.raises(ValueError, match="not valid LLVM IR"):
        env.reset(options={"benchmark": broken})
    assert env.step(MEM2REG)[2] is False
    env.reset()
    assert env.step(MEM2REG)[2] is False


def test_what_is_set_for_all_episodes_is_seen_in_their_first_observation(env: Any) -> None:
    for _ in range(4):
        before, _ = env.reset()
    env.parameter("llvm.apply_baseline_optimizations", "-Oz", keep=True)
    optimised = env.observation["Autophase"].tolist()
    assert before.tolist() != optimised
    for _ in range(2):
        assert env.reset()[0].tolist() == optimised
        before[:] = 0  # of the agent
    with gymnasium.make("optarena/llvm-v0", benchmark=env.benchmark, service=env.backend) as another:
        first = [another.reset()[0].tolist() for _ in range(2)]
        assert first == [another.unwrapped.observation["Autophase"].tolist()] * 2  # type: ignore[attr-defined] # ours


@pytest.mark.parametrize("dies", ["spare", "zygote"])
def test_the_death_of_a_spare_process_is_not_noticed(env: Any, dies: str) -> None:
    for _ in range(4):
        env.reset()
    before = env.observation["IrSha1"]
    zygote = Zygote.shared(TYPE)
    died = settled(TWO) - {session_pid(env)} if dies == "spare" else {zygote.pid}
    for pid in died:
        os.kill(pid, signal.SIGKILL)
    if dies == "zygote":
        wait_until(lambda: not zygote.is_alive())
    else:
        await_ends(died)
    for _ in range(4):
        env.reset()
        assert env.observation["IrSha1"] == before
        assert env.step(0)[2] is False
    settled(TWO)


def test_after_a_crash_a_new_process_begins(digits: Benchmark) -> None:
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        env: Any = made.unwrapped
        crashed = set()
        for _ in range(4):
            env.reset()
            assert session_pid(env) not in crashed
            crashed.add(session_pid(env))
            os.kill(session_pid(env), signal.SIGSEGV)
            *_, terminated, _, info = env.step(0)
            assert terminated
            assert info["error_type"]
        env.reset()
        assert env.step(0)[2] is False


def test_a_process_that_has_run_a_program_is_replaced(env: Any) -> None:
    env.reset()
    with contextlib.suppress(NotImplementedError, OptArenaError):
        env.parameter("service.run_program", '{"arguments": []}')
    for _ in range(3):
        env.reset()
        assert env.step(MEM2REG)[2] is False


def test_what_a_session_has_set_ends_with_it(env: Any) -> None:
    size = "service.benchmark_cache.get_max_size_in_bytes"
    env.reset()
    usual = env.parameter(size)
    env.parameter("service.benchmark_cache.set_max_size_in_bytes", "1000")
    assert env.parameter(size) != usual
    for _ in range(3):
        env.reset()
        assert env.parameter(size) == usual


def test_baselines_are_kept_whatever_the_process_had_before(digits: Benchmark) -> None:
    with gymnasium.make("optarena/llvm-v0", reward_space="IrInstructionCountOz") as made:
        env: Any = made.unwrapped
        own = [
            Benchmark.from_bytes(
                f"benchmark://user-v0/b{n}", digits.program() + f"\n@b{n} = constant i32 {n}\n".encode()
            )
            for n in range(4)
        ]
        for benchmark in own:
            env.reset(options={"benchmark": benchmark})
            assert KnownBaselines(env.environment).get(benchmark.sha256, "IrInstructionCountOz") is not None


def test_a_thousand_resets_leave_two_processes_at_most(env: Any) -> None:
    """One, if the other has just had its last session."""
    for _ in range(1000):
        env.reset()
    wait_until(lambda: len(sessions()) <= TWO)


def test_spare_processes_are_few_and_end_with_the_last_environment_of_a_backend(digits: Benchmark) -> None:
    settled(0)
    first: Any = gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped
    shared = {"benchmark": digits, "service": first.backend}
    made = [first, *(gymnasium.make("optarena/llvm-v0", **shared).unwrapped for _ in range(MAX_SPARES + 2))]
    for _ in range(3):
        for env in made:
            env.reset()
    assert len(sessions()) <= len(made) + MAX_SPARES + 5  # and former ones
    for env in made[1:]:
        env.close()
    assert first.step(MEM2REG)[2] is False
    first.close()
    settled(0)


def test_members_that_begin_together_have_a_spare_process_for_each_core_at_most() -> None:
    settled(0)
    with contextlib.closing(optarena.make_vec("llvm-v0", 4)) as envs:
        for _ in range(20):
            envs.reset()
        cores = len(os.sched_getaffinity(0))
        wait_until(lambda: 4 < len(sessions()) <= 4 + cores)
    settled(0)


def test_environments_of_a_process_share_one_spare_if_they_take_turns(digits: Benchmark) -> None:
    settled(0)
    with contextlib.ExitStack() as stack:
        made: list[Any] = []
        for _ in range(4):
            env: Any = gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped
            made.append(stack.enter_context(env))
            played(env, [MEM2REG])
            played(env, [MEM2REG])
        settled(len(made) + 1)
        made[0].close()
        assert played(made[1], [MEM2REG]) == played(made[2], [MEM2REG])
    settled(0)


def test_an_environment_that_is_closed_ends_no_episode_of_another(digits: Benchmark) -> None:
    settled(0)
    with contextlib.ExitStack() as stack:
        first, second = (gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped for _ in range(2))
        stack.callback(second.close)
        with first:
            first.reset()
            second.reset()
            formerly = {session_pid(first)}
            chance = random.Random(0)  # noqa: S311 # in turns, each could keep its own
            for _ in range(1000):
                if session_pid(second) in formerly:
                    break
                chance.choice([first, second]).reset()
                formerly.add(session_pid(first))
            assert session_pid(second) in formerly
        assert second.step(MEM2REG)[2] is False
    settled(0)


def test_environments_that_nobody_closed_leave_no_process_to_others(digits: Benchmark) -> None:
    settled(0)
    made: list[Any] = [gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped for _ in range(4)]
    for env in made * 4:
        env.reset()
    del env, made[1:]
    gc.collect()
    with made[0]:
        made[0].reset()
        settled(TWO)


def test_processes_that_wait_are_no_more_than_the_environments_that_are_left(digits: Benchmark) -> None:
    settled(0)
    made: list[Any] = []
    with contextlib.ExitStack() as stack:
        for number in range(4):
            made.append(gymnasium.make("optarena/llvm-v0", benchmark=numbered(digits, number)).unwrapped)
            stack.callback(made[-1].close)
            for _ in range(3):
                made[-1].reset()
        for env in made[1:]:
            env.close()
        settled(2)
        assert made[0].step(MEM2REG)[2] is False
    settled(0)


def test_environments_with_programs_of_their_own_have_a_spare_each(digits: Benchmark) -> None:
    settled(0)
    with contextlib.ExitStack() as stack:
        made: list[Any] = []
        for number in range(MAX_SPARES + 2):
            benchmark = numbered(digits, number)
            made.append(gymnasium.make("optarena/llvm-v0", benchmark=benchmark).unwrapped)
            stack.enter_context(made[-1])
        for _ in range(3):
            for env in made:
                env.reset()
        settled(2 * len(made))
    settled(0)


def test_environments_with_other_limits_share_no_process(digits: Benchmark) -> None:
    settled(0)
    limits = ProcessLimits(memory_bytes=1 << 30)
    with (
        gymnasium.make("optarena/llvm-v0", benchmark=digits, limits=limits) as bounded,
        gymnasium.make("optarena/llvm-v0", benchmark=digits) as usual,
    ):
        pids: list[set[int]] = [set(), set()]
        for _ in range(4):
            for env, found in zip((bounded, usual), pids, strict=True):
                env.reset()
                found.add(session_pid(env))
    assert not pids[0] & pids[1]


def test_a_session_that_rests_gives_free_memory_back_and_goes_on_as_before() -> None:
    benchmark = "benchmark://programs-v0/zlib"
    actions = random_walk(random.Random(3), 20)  # noqa: S311 # no secret
    with gymnasium.make("optarena/llvm-v0", benchmark=benchmark) as made:
        env: Any = made.unwrapped
        expected = played(env, actions + actions)
        assert played(env, actions)
        used = env.memory_bytes
        wait_until(lambda: env.memory_bytes < used - (1 << 20))
        for action in actions:
            env.step(action)
        assert [env.observation["Bitcode"], env.observation["IrSha1"]] == expected[2:]


USES = """
import signal
import gymnasium
import optarena
env = gymnasium.make("optarena/llvm-v0").unwrapped
for _ in range(4):
    env.reset()
print("ready", flush=True)
signal.pause()
"""


@pytest.mark.soak
def test_spare_processes_die_with_their_client() -> None:
    client = subprocess.Popen([sys.executable, "-c", USES], stdout=subprocess.PIPE)
    assert client.stdout is not None
    try:
        assert client.stdout.readline() == b"ready\n"
        wait_until(lambda: len(descendants(client.pid)) > TWO)
        below = descendants(client.pid)
    finally:
        client.kill()
        client.wait()
    await_ends(below)


CLOSES_IN_A_HANDLER = """
import os, signal
import gymnasium
import optarena
from optarena.datasets import datasets
from optarena.errors import ServiceClosed
env = gymnasium.make("optarena/llvm-v0").unwrapped
for _ in range(4):
    env.reset()
(spare,) = env.backend._pool.spares
os.kill(spare.worker.pid, signal.SIGSTOP)
signal.signal(signal.SIGALRM, lambda *_: env.close())
signal.setitimer(signal.ITIMER_REAL, 0.5)
other = next(one for one in datasets()["kernels-v0"] if one.uri != env.benchmark.uri)
try:
    env.reset(options={"benchmark": other})
except ServiceClosed:
    print("closed")
"""


@pytest.mark.soak
def test_a_signal_handler_may_close_while_a_session_is_started() -> None:
    command = [sys.executable, "-c", CLOSES_IN_A_HANDLER]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60, check=True)
    assert done.stdout == "closed\n"


def test_a_forked_process_neither_keeps_nor_uses_the_spare(digits: Benchmark) -> None:
    env: Any = gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped
    for _ in range(4):
        env.reset()
    waiting = settled(TWO)
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            connection, reply = env.backend.start(digits, 0)  # of a zygote of its own
            connection.end(reply.session_id)
            os.kill(os.getpid(), signal.SIGSTOP)
        os._exit(1)
    try:
        _, status = os.waitpid(child, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        env.reset()
        env.close()
        await_ends(waiting)
        settled(0)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("use", ["close", *slow(["start"])])
def test_a_forked_process_leaves_the_owner_its_spare(env: Any, digits: Benchmark, use: str) -> None:
    for _ in range(4):
        env.reset()
    waiting = settled(TWO)
    uses = {"close": env.close, "start": lambda: env.backend.start(digits, 0)[1].session_id}
    assert in_forked_process(uses[use]) in {"None", "1"}
    for _ in range(2):
        env.reset()
        assert session_pid(env) in waiting


def test_environments_of_threads_share_spare_processes(digits: Benchmark) -> None:
    backend = ManagedBackend(TYPE, None, sandbox=False)
    made: list[Any] = [
        gymnasium.make("optarena/llvm-v0", benchmark=digits, service=backend).unwrapped for _ in range(3)
    ]
    actions = random_walk(random.Random(9), 20)  # noqa: S311 # no secret
    ends: dict[int, set[str]] = {}

    def play(number: int) -> None:
        for _ in range(10):
            made[number].reset()
            made[number].multistep(actions)
            ends.setdefault(number, set()).add(made[number].observation["IrSha1"])

    run_threads([lambda number=number: play(number) for number in range(len(made))])
    assert len(set.union(*ends.values())) == 1
    for env in made:
        env.close()
    backend.close()
    settled(0)


@pytest.mark.parametrize(
    ("environment", "arguments"),
    [
        ("optarena/llvm-v0", {"sandbox": True}),
        ("optarena/llvm-v0", {"limits": ProcessLimits(cpu_seconds_total=60)}),
        ("optarena/loop_tool-v0", {}),
    ],
    ids=["confined", "with a limit for their life", "copied by replay"],
)
def test_sessions_that_need_a_process_of_their_own_have_one(
    environment: str, arguments: dict[str, Any]
) -> None:
    with gymnasium.make(environment, **arguments) as env:
        pids = set()
        for _ in range(4):
            env.reset()
            pids.add(session_pid(env))
        assert len(pids) == len(range(4))
        zygote = Zygote.shared(env.unwrapped.environment.service)  # type: ignore[attr-defined] # ours
        wait_until(lambda: len(children(zygote.pid)) == 1)


def test_sessions_that_may_start_differently_have_none(digits: Benchmark) -> None:
    backend = ManagedBackend("fake_compiler:FakeSession", None, sandbox=False)
    pids = set()
    try:
        for _ in range(4):
            connection, reply = backend.start(digits, 0)
            pids.add(connection.worker.pid)  # type: ignore[attr-defined] # managed
            backend.end_soon(connection, reply.session_id)
            zygote = Zygote.shared("fake_compiler:FakeSession").pid
            assert len(children(zygote)) <= len(pids)
        assert len(pids) == len(range(4))
    finally:
        backend.close()
    assert not children(zygote)
