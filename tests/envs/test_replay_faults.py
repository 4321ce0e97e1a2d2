"""Replays whose processes are killed from outside: nobody's sequence is blamed, wherever it happens."""

from __future__ import annotations

import importlib
import itertools
import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from optarena import limits
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.errors import InfrastructureFault, SessionKilled
from optarena.llvm.actions import CURATED
from optarena.replay import Progress, ReplayResult, replay
from optarena.service.client.zygote import Zygote
from optarena.specs.results import REASONS
from tests.kit.examples import examples, slow
from tests.kit.processes import children, descendants, is_running, session_pid

if TYPE_CHECKING:
    Victim = Callable[[set[int]], int]

LLVM = "optarena.llvm.session:LlvmSession"
NAMES = ("mem2reg", "instcombine", "inline", "gvn")
ACTIONS = [CURATED.index(name) for name in NAMES]
TRIES = 3
METRICS = {"ir_instructions", "text_size_bytes"}
MOMENTS = [
    *(("replaying", done) for done in (0, 2, len(NAMES))),
    *(("checking", done) for done in (0, 1, 3)),
    *(("measuring", done) for done in (0, 1, 2)),
]
GROUPS = Path("/sys/fs/cgroup/memory")
KILLED = {"infra:killed", "infra:memory-pressure"}
"""The second, if the kernel has meanwhile ended a process of another test for its memory."""


def salted(benchmark: Benchmark, salt: object) -> Benchmark:
    """The same program with a name in it, so that no other replay has left its machine code."""
    text = benchmark.program() + f"\n@salt_{salt} = constant i32 7\n".encode()
    return replace(Benchmark.from_bytes(benchmark.uri, text), workloads=benchmark.workloads)


def blamed(run: Callable[[], ReplayResult]) -> InfrastructureFault | None:
    """The fault that a replay ends with; None if it ended well. Any other end fails the test."""
    fault = None
    try:
        result = run()
    except InfrastructureFault as error:
        fault = error
    else:
        assert (result.ok, result.reason) == (True, None), result.detail
        assert set(result.metrics) == METRICS
    if fault:
        assert fault.reason.startswith("infra:")
        assert fault.reason in REASONS
        assert str(fault)
    return fault


class Killer:
    def __init__(self, moment: tuple[str, int], victim: Victim, number: int) -> None:
        self.before = children(llvm_zygote())
        self.moment = moment
        self.victim = victim
        self.number = number
        self.killed = 0

    def __call__(self, progress: Progress) -> None:
        if (progress.phase, progress.done) == self.moment:
            self.killed = self.victim(self.before)
            os.kill(self.killed, self.number)


def llvm_zygote(before: object = None) -> int:
    return Zygote.shared(LLVM).pid


def llvm_session(before: set[int]) -> int:
    """The first of a replay's processes; before it were those that earlier tests' environments have left."""
    return min(filter(is_running, children(llvm_zygote()) - before))


SHORT = [
    *((moment, llvm_session, signal.SIGKILL) for moment in MOMENTS if moment[1] != len(NAMES)),
    (("replaying", 2), llvm_zygote, signal.SIGKILL),
]
"""What ``./run test`` has of all those moments, processes and signals."""


@pytest.mark.parametrize(
    ("moment", "victim", "number"),
    [
        pytest.param(moment, *how, marks=() if (moment, *how) in SHORT else pytest.mark.soak)
        for moment in MOMENTS
        for how in itertools.product(
            (llvm_session, llvm_zygote), (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)
        )
    ],
)
def test_a_process_killed_between_two_units_is_nobodys_fault(
    moment: tuple[str, int], victim: Victim, number: int, digits: Benchmark
) -> None:
    killer = Killer(moment, victim, number)
    benchmark = salted(digits, f"between_{number}_{moment[0]}_{moment[1]}")
    fault = blamed(
        lambda: replay(environment="llvm-ic-v0", benchmark=benchmark, actions=ACTIONS, on_progress=killer)
    )
    assert killer.killed
    # A zygote takes its session along, which may end what it does before it notices.
    if fault is None:
        assert victim is llvm_zygote or moment == ("measuring", len(METRICS))
    else:
        assert fault.reason in KILLED


class Hunter(threading.Thread):
    """Sends a signal to the n-th process that appears below another, as soon as it is there."""

    def __init__(self, parent: int, count: int, number: int) -> None:
        super().__init__(daemon=True)
        self.parent, self.count, self.number = parent, count, number
        self.killed = 0
        self.stopped = threading.Event()
        self.seen = children(parent)  # not by the thread: on a busy machine it begins late

    def run(self) -> None:
        while not self.stopped.is_set():
            for pid in children(self.parent) - self.seen:
                self.seen.add(pid)
                self.count -= 1
                if self.count == 0:
                    if self.number == signal.SIGSTOP:
                        wait_until_busy(pid)
                    os.kill(pid, self.number)
                    self.killed = pid
                    return


def wait_until_busy(pid: int) -> None:
    """Wait until a process has used a fifth of a second of CPU time: it has told that it begins."""
    ticks = os.sysconf("SC_CLK_TCK")
    while True:
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        if int(words[11]) + int(words[12]) > ticks / 5:
            return
        time.sleep(0.005)


@contextmanager
def hunting(parent: int, count: int, number: int = signal.SIGKILL) -> Iterator[Hunter]:
    hunter = Hunter(parent, count, number)
    hunter.start()
    try:
        yield hunter
    finally:
        hunter.stopped.set()
        hunter.join()


@pytest.mark.parametrize(
    ("count", "who"),
    [(1, "session"), (2, "compiler"), (3, "first run"), *slow([(4, "second run"), (5, "third run")])],
)
def test_a_worker_killed_as_soon_as_it_is_there_is_nobodys_fault(
    count: int, who: str, digits: Benchmark
) -> None:
    for attempt in range(TRIES):
        benchmark = salted(digits, f"hunted_{count}_{attempt}")
        with hunting(llvm_zygote(), count) as hunter:
            fault = blamed(partial(replay, environment="llvm-ic-v0", benchmark=benchmark, actions=ACTIONS))
        if fault is not None:  # a busy machine may kill one that has just ended, or miss a short one
            break
    assert fault is not None, who
    assert hunter.killed
    assert fault.reason in KILLED


@pytest.mark.drawn
@pytest.mark.parametrize("seed", range(examples(3)))
def test_a_process_killed_at_any_moment_is_nobodys_fault(seed: int, digits: Benchmark) -> None:
    """Sessions, compilers, running programs and zygotes, while they work or while they are started."""
    chosen = random.Random(seed)  # noqa: S311 # no secret
    benchmark, zygote = salted(digits, f"random_{seed}"), llvm_zygote()
    began, ended = threading.Event(), threading.Event()

    def kill() -> None:
        began.wait()
        time.sleep(chosen.uniform(0.0, 0.7))
        while not ended.is_set():
            below = sorted(descendants(zygote))
            victims = below if below and chosen.random() < 0.8 else [zygote, *below]
            with suppress(ProcessLookupError):
                os.kill(chosen.choice(victims), signal.SIGKILL)
                return

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    began.set()
    try:
        blamed(lambda: replay(environment="llvm-ic-v0", benchmark=benchmark, actions=ACTIONS * 3))
    finally:
        ended.set()
        thread.join()
    assert blamed(lambda: replay(environment="llvm-ic-v0", benchmark=benchmark, actions=ACTIONS)) is None


@pytest.mark.parametrize("number", [signal.SIGKILL, *slow([signal.SIGTERM])])
def test_a_killed_block_of_a_measurement_is_nobodys_fault(number: int) -> None:
    before = children(os.getpid())

    def block_of(parent: int) -> int:
        for pid in children(parent) - before:
            with suppress(OSError):
                if b"optarena.loop_tool.blocks" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return pid
        return 0

    def kill() -> None:
        parent = os.getpid()
        while not (pid := block_of(parent)):
            time.sleep(0.001)
        os.kill(pid, number)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    benchmark = datasets().benchmark("benchmark://loop_tool-cpu-v0/1024")
    with pytest.raises(InfrastructureFault) as caught:
        replay(environment="loop_tool-v0", benchmark=benchmark, actions=[0])
    thread.join()
    assert caught.value.reason in KILLED


@pytest.fixture
def large() -> Benchmark:
    return datasets().benchmark("benchmark://programs-v0/sqlite")


@pytest.mark.soak
def test_a_compiler_without_enough_cpu_time_is_nobodys_fault(
    large: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CODE_CPU_SECONDS", 0.5)
    with pytest.raises(
        InfrastructureFault, match=r"not compile the program in time.*more than 0\.5 s of CPU time"
    ) as caught:
        replay(environment="llvm-ic-v0", benchmark=large, actions=[], metrics=["ir_instructions"])
    assert caught.value.reason == "infra:compile-timeout"


@pytest.mark.soak
def test_a_compiler_that_does_not_come_to_an_end_is_nobodys_fault(
    large: Benchmark, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "CODE_CPU_SECONDS", 1)
    before = children(llvm_zygote())
    with hunting(llvm_zygote(), 2, signal.SIGSTOP) as hunter, pytest.raises(InfrastructureFault) as caught:
        replay(environment="llvm-ic-v0", benchmark=large, actions=[], metrics=["ir_instructions"])
    assert hunter.killed
    assert caught.value.reason == "infra:compile-timeout"
    assert "needed more than 6 s to compile" in str(caught.value)
    assert children(llvm_zygote()) <= before


@pytest.mark.skipif(not os.access(GROUPS, os.W_OK), reason="needs a control group for memory")
def test_a_session_for_which_the_machine_has_no_memory_is_nobodys_fault(digits: Benchmark) -> None:
    group = GROUPS / f"optarena-test-{os.getpid()}"
    group.mkdir()
    before = children(llvm_zygote())
    pids: list[int] = []

    def starve(progress: Progress) -> None:
        if (progress.phase, progress.done) == ("replaying", 1):
            pids.append(llvm_session(before))
            (group / "cgroup.procs").write_text(str(pids[0]))
            (group / "memory.limit_in_bytes").write_text("4096")

    try:
        with pytest.raises(InfrastructureFault, match="Memory was short") as caught:
            replay(environment="llvm-ic-v0", benchmark=digits, actions=ACTIONS * 3, on_progress=starve)
    finally:
        while pids and (group / "cgroup.procs").read_text():
            time.sleep(0.01)
        group.rmdir()
    assert caught.value.reason == "infra:memory-pressure"


def test_the_kernel_would_kill_a_session_before_its_client(digits: Benchmark) -> None:
    """Nothing is killed here: the kernel's preference alone is read."""
    with CompilerEnv("llvm-ic-v0", benchmark=digits, sandbox=True) as env:
        env.reset()
        assert oom_preference(session_pid(env)) == 1000
        assert oom_preference(llvm_zygote()) == oom_preference(os.getpid()) < 1000


def oom_preference(pid: int) -> int:
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


def test_an_environment_tells_who_ended_its_session(digits: Benchmark) -> None:
    with CompilerEnv("llvm-ic-v0", benchmark=digits) as env:
        env.reset()
        os.kill(session_pid(env), signal.SIGTERM)
        info: dict[str, Any] = env.step(ACTIONS[0])[4]
        assert isinstance(env.error, SessionKilled)
    assert info["error_type"] == "crash"
    assert "SIGTERM (somebody asked it to end" in info["error_details"]


@pytest.mark.parametrize(("cpu_seconds", "ok"), [(0.1, False), *slow([(20.0, True)])])
def test_a_metric_has_a_limit_of_its_own(cpu_seconds: float, ok: bool, sorting: Any) -> None:  # noqa: FBT001 # a parameter
    """The metric takes a second of CPU time; an action may use half a second, the metric less or more."""
    spec = importlib.import_module("slow_metric").environment(cpu_seconds / 0.05)
    benchmark = datasets()["sorting-v0"].benchmark("five")
    result = replay(environment=spec, benchmark=benchmark, actions=[0], time_factor=0.05)
    assert (result.ok, result.reason) == (ok, None if ok else "env:timeout")
    if not ok:
        assert "measuring inversions" in result.detail
        assert f"more than {cpu_seconds:g} s of CPU time" in result.detail


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_the_factor_extends_the_limits_of_workloads(
    factor: float, sorting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "WORKLOAD_SECONDS", 0.2)
    benchmark, hang = datasets()["sorting-v0"].benchmark("five"), sorting.ACTIONS.index("hang")
    result = replay(environment=sorting.ENVIRONMENT, benchmark=benchmark, actions=[hang], time_factor=factor)
    assert result.reason == "semantics:timeout"
    assert REASONS[result.reason].timed
    assert result.failed_unit["wall_seconds"] > 0.2 * factor - 0.05  # or less than the limit was allowed
    assert "s of CPU time" in result.detail
