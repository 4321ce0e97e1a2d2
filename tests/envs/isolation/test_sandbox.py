"""Hostile attempts from inside the sandbox: as root, as nobody, and in a default container; and limits."""

from __future__ import annotations

import json
import math
import os
import pwd
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import hostile
import pytest

from optarena.errors import InvalidInput, SandboxUnavailable
from optarena.isolation import sandbox
from optarena.isolation.limits import ProcessLimits
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.protocol import frames
from tests.kit.folders import PLUGINS

if TYPE_CHECKING:
    from optarena.service.processes.exit_status import ExitStatus

SESSION_TYPE = "fake_compiler:FakeSession"
NOBODY = 65534
LIMITS = ProcessLimits(memory_bytes=1 << 29, cpu_seconds_per_call=20)


@cache
def outcomes(place: str) -> dict[str, Any]:
    """What became of all attempts in one place; tried once for all tests."""
    if place == "worker":
        with spawn("hostile:try_all") as worker:
            return {"report": worker.sandbox.as_dict(), "outcomes": answer(worker)}
    # A new interpreter: threads of other tests' libraries would not outlive a fork of this process.
    command = [sys.executable, str(PLUGINS / "confined.py"), place]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=120)
    return dict(json.loads(done.stdout))


def spawn(
    entry: str, *, confined: bool = True, process_limits: ProcessLimits = LIMITS, **options: Any
) -> Worker:
    zygote = Zygote.shared(SESSION_TYPE)
    return zygote.spawn(entry, limits=process_limits, sandbox=confined, **options)


def answer(worker: Worker) -> dict[str, Any]:
    said = frames.receive(worker.channel, time.monotonic() + 60)
    assert said is not None, worker.stderr_tail()
    return dict(json.loads(said))


PLACES = ["worker", "forked", "nobody", "container", "container as nobody"]


def breaches(attempts: dict[str, str]) -> dict[str, str]:
    assert set(attempts) == set(hostile.ATTEMPTS)
    return {name: outcome for name, outcome in attempts.items() if not outcome.startswith("denied: ")}


@pytest.mark.parametrize("place", PLACES)
def test_every_attempt_is_denied(place: str) -> None:
    assert breaches(outcomes(place)["outcomes"]) == {}


@pytest.mark.parametrize("place", PLACES)
def test_the_report_says_what_holds(place: str) -> None:
    report = sandbox.SandboxReport.from_dict(outcomes(place)["report"])
    assert report.confined
    assert report.landlock is not None
    assert report.seccomp
    assert report.landlock == sandbox.version()
    assert report.no_new_privs
    assert report.capabilities_dropped
    assert report.uid_dropped == (os.geteuid() == 0 and "nobody" not in place)


def test_the_attempts_succeed_without_the_sandbox() -> None:
    with spawn("hostile:try_all", confined=False) as worker:
        reached = answer(worker)
    assert list(reached) == list(hostile.HARMLESS)
    assert all(outcome.startswith("BREACH") for outcome in reached.values())


def test_honest_work_goes_on_in_the_sandbox() -> None:
    read, write = os.pipe()
    os.write(write, b"from outside")
    with spawn("hostile:work", fds=[read], payload=bytes(5_000_000)) as worker:
        said = answer(worker)
        status = worker.wait(60)
        printed = worker.stderr_tail()
    os.close(read)
    os.close(write)
    assert said == {
        "sorted": [1, 2, 3, 4, 5],
        "compiled": 42,
        "random": 8,
        "time": True,
        "user": sandbox.CONFINED_USER if os.geteuid() == 0 else os.geteuid(),
        "received": "from outside",
        "payload": 5_000_000,
    }
    assert printed == "42 text 0.500\n"
    assert status is not None
    assert status.code == 0


@pytest.mark.parametrize("entry", ["call_as_32_bit_program", "call_as_x32_program"])
def test_calls_of_another_interface_kill(entry: str) -> None:
    status, _ = end_of(f"hostile:{entry}")
    assert status.signal in {signal.SIGSYS, signal.SIGSEGV}  # SEGV: a kernel without 32-bit calls


def end_of(entry: str, **options: Any) -> tuple[ExitStatus, str]:
    with spawn(entry, **options) as worker:
        status = worker.wait(60)
        assert status is not None
        return status, worker.stderr_tail()


def test_a_failed_assertion_is_seen_as_one() -> None:
    status, printed = end_of("hostile:abort")
    assert (status.signal, printed) == (signal.SIGABRT, "assertion failed\n")


@pytest.mark.parametrize("deaf", [b"", b"deaf"])
def test_cpu_time_ends_even_for_a_program_that_ignores_signals(deaf: bytes) -> None:
    process_limits = ProcessLimits(cpu_seconds_per_call=0.3, cpu_seconds_total=1)
    status, _ = end_of("hostile:burn", process_limits=process_limits, payload=deaf)
    assert status.signal == (signal.SIGKILL if deaf else signal.SIGPROF)


def test_output_is_bounded() -> None:
    status, printed = end_of("hostile:flood", process_limits=ProcessLimits(file_bytes=1 << 22))
    assert "File too large" in printed or status.code != 0
    assert status.code == os.EX_SOFTWARE


def test_memory_is_bounded_in_the_sandbox() -> None:
    assert end_of("hostile:overflow")[0].code == os.EX_TEMPFAIL


def test_a_limit_of_the_operator_stays_where_a_process_may_raise_its_own() -> None:
    code = (
        "import resource as r; from optarena.isolation.limits import *\n"
        "r.setrlimit(r.RLIMIT_AS, (1 << 34, 1 << 34))\n"
        "apply_limits(ProcessLimits(memory_bytes=1 << 33), may_raise_memory=True)\n"
        "print(r.getrlimit(r.RLIMIT_AS)); raise_address_space(); print(r.getrlimit(r.RLIMIT_AS))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str((1 << 33, 1 << 34)), str((1 << 34, 1 << 34))]


def test_a_worker_has_its_limits_its_group_and_nothing_of_the_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_SECRET_KEY", "very secret")
    monkeypatch.setenv("OPTARENA_DATABASE_URL", "postgres://u:p@h/d")
    Zygote.shared(SESSION_TYPE).close()
    process_limits = ProcessLimits(
        memory_bytes=1 << 30, cpu_seconds_total=7, file_bytes=1 << 20, open_files=32
    )
    with spawn("hostile:limits_and_modules", confined=False, process_limits=process_limits) as worker:
        said = answer(worker)
        pid = worker.pid
    assert said["limits"] == {
        "RLIMIT_AS": [1 << 30, resource.RLIM_INFINITY],  # a process that uses a GPU may raise it
        "RLIMIT_CORE": [0, 0],
        "RLIMIT_FSIZE": [1 << 20] * 2,
        "RLIMIT_NOFILE": [32, 32],
        "RLIMIT_CPU": [7, 8],
    }
    assert said["group"] == [pid] * 3
    assert said["folder"] == "/"
    assert not {name for name in said["environment"] if "SECRET" in name or "DATABASE" in name}
    heavy = {
        "numpy",
        "gymnasium",
        "grpc",
        "django",
        "optarena.service.client.connection",
        "importlib.metadata",
    }
    assert heavy.isdisjoint(said["modules"])


def test_the_probe_changes_nothing_and_agrees_with_what_confinement_does() -> None:
    before = Path("/proc/self/status").read_text().splitlines()[-30:]
    found = sandbox.probe()
    after = Path("/proc/self/status").read_text().splitlines()[-30:]
    secure = [line for line in before if line.startswith(("Cap", "NoNew", "Seccomp"))]
    assert secure == [line for line in after if line.startswith(("Cap", "NoNew", "Seccomp"))]
    held = sandbox.SandboxReport.from_dict(outcomes("worker")["report"])
    assert (found.landlock, found.seccomp) == (held.landlock, held.seccomp)
    assert found.uid_dropped == held.uid_dropped
    assert found.aslr_off == held.aslr_off
    assert not found.confined


@pytest.mark.parametrize(("module", "name"), [(sandbox, "version"), (sandbox, "is_available")])
def test_a_missing_floor_refuses_and_names_itself(
    monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    monkeypatch.setattr(module, name, lambda: None)
    with pytest.raises(SandboxUnavailable, match="Landlock" if name == "version" else "seccomp"):
        sandbox.require_floor()


def test_a_report_survives_json_and_unknown_fields() -> None:
    report = sandbox.SandboxReport(confined=True, landlock=7, seccomp=True)
    data = json.loads(json.dumps(report.as_dict()))
    assert sandbox.SandboxReport.from_dict({**data, "of_a_later_version": 1}) == report


STACK = """
import sys
sys.path.insert(0, {plugins!r})
import json, os, time
from fake_compiler import action
from optarena.service.protocol import frames
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
benchmark = pb.Benchmark(uri="benchmark://a-v0/a", program=pb.File(contents=b"abc"))
with ManagedConnection.open("fake_compiler:FakeSession", sandbox=True) as connection:
    session = connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id
    request = pb.StepRequest(session_id=session, action=[action("append")], observation_space=[1])
    length = connection.step(request).observation[0].int64_value
    with connection.worker.zygote.spawn("hostile:try_all", limits=connection.limits, sandbox=True) as worker:
        outcomes = json.loads(frames.receive(worker.channel, time.monotonic() + 60))
    print(json.dumps([os.geteuid(), length, connection.sandbox.as_dict(), outcomes]))
"""


@pytest.fixture
def as_user(tmp_path: Path) -> Iterator[Callable[..., list[Any]]]:
    """Runs a whole agent with confined workers, as another user or in a container."""

    def run(*prefix: str) -> list[Any]:
        program = STACK.format(plugins=str(PLUGINS))
        command = [*prefix, sys.executable, "-c", program]
        environment = {
            **os.environ,
            "OPTARENA_TRANSIENT_CACHE": str(tmp_path / "transient"),
            "HOME": str(tmp_path),
        }
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=120, env=environment, check=False
        )
        assert done.returncode == 0, done.stderr
        return list(json.loads(done.stdout))

    yield run
    shutil.rmtree(tmp_path / "transient", ignore_errors=True)


def test_confined_processes_share_their_user_with_nothing_else() -> None:
    """A database of the same machine may run as ``nobody``; no account has the user of the sandbox."""
    assert sandbox.CONFINED_USER not in {account.pw_uid for account in pwd.getpwall()}


UNPRIVILEGED = ["unshare", "--user", "--map-user=65534", "--map-group=65534"]
CONTAINER = [sys.executable, str(PLUGINS / "container.py")]


def unprivileged() -> list[str]:
    if os.geteuid() != 0:
        return []
    if subprocess.run([*UNPRIVILEGED, "true"], check=False, capture_output=True).returncode != 0:
        pytest.skip("root may not become an ordinary user that can read this Python: no user namespaces here")
    return UNPRIVILEGED


@pytest.mark.parametrize(
    ("person", "place"),
    [
        ("same", "machine"),
        ("ordinary", "container"),
        pytest.param("same", "container", marks=pytest.mark.soak),
        pytest.param("ordinary", "machine", marks=pytest.mark.soak),
    ],
)
def test_a_whole_agent_confines_its_workers(
    as_user: Callable[..., list[Any]], person: str, place: str
) -> None:
    ordinary, contained = person == "ordinary", place == "container"
    prefix = [*(unprivileged() if ordinary else []), *(CONTAINER if contained else [])]
    user, length, report, attempts = as_user(*prefix)
    assert user == (NOBODY if ordinary and os.geteuid() == 0 else os.geteuid())
    assert length == 4
    assert report["landlock"] == sandbox.version()
    assert report["seccomp"]
    assert report["uid_dropped"] == (user == 0)
    assert report["aslr_off"] is not contained
    assert set(breaches(attempts)) <= {
        "memory"
    }  # the default limit of 2 GiB is above what that attempt calls a breach


LEAST: dict[str, Any] = {
    "memory_bytes": 128 * 1024**2,
    "cpu_seconds_per_call": 0.01,
    "wall_seconds_per_call": 0.01,
    "cpu_seconds_total": 1,
    "file_bytes": 1,
    "open_files": 16,
}


@pytest.mark.parametrize("name", LEAST)
def test_a_limit_that_is_none_is_refused(name: str) -> None:
    for value in (-1, 0, math.nan, math.inf, -math.inf, 2**70, "x", True, [1], 1j):
        with pytest.raises(InvalidInput) as caught:
            ProcessLimits(**cast("dict[str, Any]", {name: value}))
        assert (caught.value.field, caught.value.value) == (f"limits.{name}", value)
        assert repr(value) in caught.value.message
        assert f"from {LEAST[name]} to " in caught.value.remedy
    if "per_call" not in name:  # what is counted
        with pytest.raises(InvalidInput, match="Give an integer"):
            ProcessLimits(**cast("dict[str, Any]", {name: 1e9}))


def test_only_the_clock_has_always_a_limit() -> None:
    nothing: dict[str, Any] = dict.fromkeys(LEAST)
    with pytest.raises(InvalidInput, match="wall_seconds_per_call is None") as caught:
        ProcessLimits(**nothing)
    assert "or None" not in caught.value.remedy
    given = {**nothing, "wall_seconds_per_call": 60.0}
    assert ProcessLimits(**given).as_dict() == given


@pytest.mark.parametrize("name", ["memory_bytes", "file_bytes", "open_files"])
def test_a_session_works_and_is_copied_with_the_least(name: str) -> None:
    limits = ProcessLimits(**{name: LEAST[name]})
    env: Any = gymnasium.make(
        "optarena/llvm-ic-v0", benchmark="benchmark://kernels-v0/quicksort", limits=limits
    ).unwrapped
    with env:
        env.reset()
        with env.fork() as copy:
            assert not copy.step(0)[2]
