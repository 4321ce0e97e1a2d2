"""Tests of the templates that episodes are copies of: exact, bounded, and never missed when they die."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest
from forking import in_forked_process

from optarena.datasets import Benchmark
from optarena.env.backends import MAX_TEMPLATES, ManagedBackend
from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module
from optarena.service.client.connection import ManagedConnection
from optarena.service.client.zygote import Zygote
from tests.kit.examples import slow
from tests.kit.processes import children, descendants, session_pid, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

MEM2REG = CURATED.index("mem2reg")
TYPE = "optarena.llvm.session:LlvmSession"
TEMPLATE_AND_COPIES = 3


@pytest.fixture
def env(digits: Benchmark) -> Iterator[Any]:
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        yield made.unwrapped


def sessions() -> set[int]:
    return children(Zygote.shared(TYPE).pid)


def settled(number: int) -> set[int]:
    wait_until(lambda: len(sessions()) == number)
    return sessions()


def await_ends(pids: set[int]) -> None:
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


def begin(env: Any, **options: Any) -> None:
    env.reset(options=options)
    for _ in range(2):
        for _ in range(8):
            env.step(0)
        await_copies(env.backend)


def await_copies(backend: Any) -> None:
    pending = [template.pending for template in backend._templates._kept.values() if template]
    wait_until(lambda: all(copy is None or copy.has_greeted for copy in pending))


def played(env: Any, actions: list[int]) -> list[Any]:
    first, _ = env.reset()
    steps = [env.step(action) for action in actions]
    told = [(step[0].tolist(), step[1], step[4]["action_had_no_effect"]) for step in steps]
    return [first.tolist(), told, env.observation["Bitcode"], env.observation["IrSha1"]]


def numbered(digits: Benchmark, number: int) -> Benchmark:
    return Benchmark.from_bytes(f"benchmark://tests-v0/{number}", digits.program() + b"\n" * number)


def test_every_episode_is_the_one_of_a_fresh_process(env: Any) -> None:
    actions = random.Random(3).choices(range(len(CURATED)), k=60)  # noqa: S311 # no secret
    fresh = played(env, actions)
    for _ in range(4):
        assert played(env, actions) == fresh  # the first observation too: no episode changes the next
    begin(env)
    settled(1 + TEMPLATE_AND_COPIES)


def test_the_first_step_of_a_copy_finds_its_memory_and_its_subtargets(env: Any, digits: Benchmark) -> None:
    with Module.parse(digits.program()) as module:
        text = re.sub('"target-features"="[^"]*"', '"target-features"="+sse4.2,+popcnt"', module.text())
    assert "+popcnt" in text
    named = Benchmark.from_bytes("benchmark://tests-v0/features", text.encode())
    for _ in range(4):
        begin(env, benchmark=named)
    env.reset()
    before = page_faults(session_pid(env))
    env.step(MEM2REG)
    # Some 60; a subtarget alone takes 200, a plain fork 700.
    assert page_faults(session_pid(env)) - before < 160


def page_faults(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[7])


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


@pytest.mark.parametrize("dies", ["template", "zygote", *slow(("its next copy", "all"))])
def test_the_death_of_a_template_is_not_noticed(env: Any, dies: str) -> None:
    for _ in range(4):
        begin(env)
    env.reset()
    before = env.observation["IrSha1"]
    begin(env)
    older, *copies = sorted(settled(1 + TEMPLATE_AND_COPIES) - {session_pid(env)})
    died = {"template": [older], "its next copy": [copies[0]], "all": [older, *copies]}
    zygote = Zygote.shared(TYPE)
    for pid in died.get(dies, [zygote.pid]):
        os.kill(pid, signal.SIGKILL)
    await_ends(set(died.get(dies, [])))
    while dies == "zygote" and zygote.is_alive():
        time.sleep(0.01)
    for _ in range(4):
        env.reset()
        assert env.observation["IrSha1"] == before
        assert env.step(0)[2] is False
    begin(env)
    settled(1 + TEMPLATE_AND_COPIES)


def test_a_crash_in_a_copy_ends_its_episode_alone(digits: Benchmark) -> None:
    with gymnasium.make("optarena/llvm-v0", benchmark=digits, reward_space="IrInstructionCount") as made:
        env: Any = made.unwrapped
        for _ in range(4):
            env.reset()
            os.kill(session_pid(env), signal.SIGSEGV)
            *_, terminated, _, info = env.step(0)
            assert terminated
            assert info["error_type"]
        env.reset()
        assert env.step(0)[2] is False


@pytest.mark.soak
def test_the_programs_used_last_have_templates(env: Any, digits: Benchmark) -> None:
    programs = [numbered(digits, number) for number in range(MAX_TEMPLATES + 3)]
    for _ in range(3):
        for program in programs:  # each was not among the last ones
            begin(env, benchmark=program)
    settled(1)
    for program in programs[:MAX_TEMPLATES]:
        for _ in range(3):
            begin(env, benchmark=program)
    settled(1 + MAX_TEMPLATES * TEMPLATE_AND_COPIES)
    for program in programs[MAX_TEMPLATES:]:
        for _ in range(3):
            begin(env, benchmark=program)
    settled(1 + MAX_TEMPLATES * TEMPLATE_AND_COPIES)


def test_episodes_without_steps_leave_few_processes(env: Any) -> None:
    for _ in range(30):
        env.reset()
        assert len(sessions()) <= 1 + 1 + 5  # the present one, the template, and former ones
    for _ in range(2):
        env.backend.catch_up()
        await_copies(env.backend)
    settled(1 + TEMPLATE_AND_COPIES)


def test_templates_end_with_the_last_environment_of_a_backend(digits: Benchmark) -> None:
    settled(0)
    first: Any = gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped
    second: Any = gymnasium.make("optarena/llvm-v0", benchmark=digits, service=first.backend).unwrapped
    for env in (first, second, first, second):
        begin(env)
    first.close()
    assert len(settled(1 + TEMPLATE_AND_COPIES)) == 1 + TEMPLATE_AND_COPIES
    second.close()
    settled(0)


USES = """
import os, signal, time
import gymnasium
import optarena
env = gymnasium.make("optarena/llvm-v0").unwrapped
for _ in range(4):
    env.reset()
    for _ in range(2):
        env.backend.catch_up()
        time.sleep(0.1)
print("ready", flush=True)
signal.pause()
"""


@pytest.mark.soak
def test_templates_die_with_their_client() -> None:
    client = subprocess.Popen([sys.executable, "-c", USES], stdout=subprocess.PIPE)
    assert client.stdout is not None
    try:
        assert client.stdout.readline() == b"ready\n"
        wait_until(lambda: len(descendants(client.pid)) > TEMPLATE_AND_COPIES)
        below = descendants(client.pid)
    finally:
        client.kill()
        client.wait()
    await_ends(below)


CLOSES_IN_A_HANDLER = """
import os, signal
import gymnasium
import optarena
from optarena.errors import ServiceClosed
env = gymnasium.make("optarena/llvm-v0").unwrapped
for _ in range(4):
    env.reset()
(template,) = env.backend._templates._kept.values()
os.kill(template.connection.worker.pid, signal.SIGSTOP)
signal.signal(signal.SIGALRM, lambda *_: env.close())
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    env.reset()
except ServiceClosed:
    print("closed")
"""


@pytest.mark.soak
def test_a_signal_handler_may_close_while_a_template_makes_a_copy() -> None:
    command = [sys.executable, "-c", CLOSES_IN_A_HANDLER]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60, check=True)
    assert done.stdout == "closed\n"


def test_a_forked_process_neither_keeps_nor_uses_the_copy_that_waits(digits: Benchmark) -> None:
    env: Any = gymnasium.make("optarena/llvm-v0", benchmark=digits).unwrapped
    for _ in range(4):
        begin(env)
    waiting = settled(1 + TEMPLATE_AND_COPIES)
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
        begin(env)
        env.close()
        await_ends(waiting)
        settled(0)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@pytest.mark.parametrize("use", ["close", *slow(["start"])])
def test_a_forked_process_leaves_the_owner_its_template_and_copies(
    env: Any, digits: Benchmark, use: str
) -> None:
    for _ in range(4):
        begin(env)
    waiting = settled(1 + TEMPLATE_AND_COPIES)
    uses = {"close": env.close, "start": lambda: env.backend.start(digits, 0)[1].session_id}
    assert in_forked_process(uses[use]) in {"None", "1"}
    for _ in range(2):
        begin(env)
        assert session_pid(env) in waiting


def test_environments_of_threads_share_a_backend(digits: Benchmark, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = ManagedBackend(TYPE, None, sandbox=False)
    started = [backend.start(digits, 0) for _ in range(3)]
    last, ended = started.pop(), threading.Event()
    hang_up = ManagedConnection.hang_up

    def while_another_thread_ends_a_session(connection: ManagedConnection) -> None:
        hang_up(connection)
        if not threads:
            threads.append(threading.Thread(target=end, daemon=True))
            threads[0].start()
            ended.wait(0.5)

    def end() -> None:
        backend.end_soon(last[0], last[1].session_id)
        ended.set()

    threads: list[threading.Thread] = []
    for connection, reply in started:
        backend.end_soon(connection, reply.session_id)
    monkeypatch.setattr(ManagedConnection, "hang_up", while_another_thread_ends_a_session)
    backend.catch_up()
    threads[0].join(20)
    backend.close()
    assert ended.is_set()
    settled(0)


@pytest.mark.parametrize(
    ("environment", "arguments"),
    [("optarena/llvm-v0", {"sandbox": True}), ("optarena/loop_tool-v0", {})],
    ids=["confined", "copied by replay"],
)
def test_sessions_that_cannot_be_copied_have_none(environment: str, arguments: dict[str, Any]) -> None:
    with gymnasium.make(environment, **arguments) as env:
        for _ in range(4):
            env.reset()
        env.unwrapped.backend.catch_up()  # type: ignore[attr-defined] # ours
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
