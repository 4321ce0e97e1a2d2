"""Workers: their classes of hardware, what a machine tells about itself, and who is there or missed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection

from leaderboard.settings import CELERY_BROKER_TRANSPORT_OPTIONS
from leaderboard.settings.environment import ending
from optarena.cuda.variables import STAND_IN
from optarena.limits import BLOCK_SECONDS, REPLAY_SECONDS
from optarena.specs import environment_spec
from runner import conf, selectors, tasks
from runner.errors import UnknownDeviceError, UnsuitableWorkerError
from runner.machines import presence
from runner.machines.machine import Machine, check_device, describe
from runner.machines.presence import Presence, SelfTest
from runner.models import Runner, Verification
from runner.queue import leases, requests, wakeups
from runner.tasks import check_worker
from tests.factories import ENVIRONMENT, make_benchmark, make_user, make_work, request_verification
from tests.kit.examples import slow
from tests.kit.folders import ROOT
from tests.kit.work import OUTCOME, Clock, at_once, kill_connections, leased, next_lease

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

CELERY = [sys.executable, "-m", "celery", "-A", "leaderboard", "worker", "-Q", "cuda", "-c", "1"]


def request(device: str) -> Verification:
    benchmark = make_benchmark()
    return request_verification(
        environment=ENVIRONMENT, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[1], device=device
    )


def test_each_kind_of_device_has_its_class(settings: Settings) -> None:
    settings.OPTARENA_HARDWARE_CLASSES = {"cuda": "h200-cuda"}
    assert (conf.hardware_class(), conf.hardware_class("cpu")) == ("x86_64-cpu", "x86_64-cpu")
    assert conf.hardware_class("cuda") == "h200-cuda"
    assert conf.own_hardware_class() == "x86_64-cpu"


def test_a_device_that_no_runner_has_is_named(db: None) -> None:
    with pytest.raises(UnknownDeviceError, match=r"'abacus' is unknown; give one of: cpu, cuda\."):
        request("abacus")
    assert not Verification.objects.exists()


def test_work_for_a_device_is_leased_by_workers_of_its_class_only(
    db: None, clock: Clock, settings: Settings
) -> None:
    row = request("cuda")
    assert (row.hardware_class, request("cuda").pk) == ("x86_64-cuda", row.pk)
    assert request("cpu").pk != row.pk
    settings.OPTARENA_HARDWARE_CLASS = "x86_64-cuda"
    lease = next_lease(now=clock.now)
    assert lease.verification_id == row.pk
    assert leases.lease_next(worker="w", now=clock.now) is None


@pytest.mark.parametrize("name", ["x86_64", "-cuda", "cuda-cpu", ""])
def test_a_class_of_gpus_says_so_at_its_end(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("OPTARENA_CUDA_HARDWARE_CLASS", name)
    with pytest.raises(ImproperlyConfigured, match="ends in '-cuda'"):
        ending("OPTARENA_CUDA_HARDWARE_CLASS", "x86_64-cuda", "-cuda")


@pytest.mark.parametrize(
    ("hardware", "queues", "processes"),
    [("x86_64-cpu", {"cpu"}, 8), ("x86_64-cpu", {"cpu", "other"}, "auto"), ("h200-cuda", {"cuda"}, 1)],
)
def test_a_worker_that_fits_its_class_starts(hardware: str, queues: set[str], processes: int | str) -> None:
    check_worker(hardware=hardware, queues=queues, processes=processes)


@pytest.mark.parametrize(
    ("hardware", "queues", "processes", "remedy"),
    [
        ("x86_64-cuda", {"cuda"}, 2, "has the concurrency 2. Start it with -c 1"),
        ("x86_64-cuda", {"cuda"}, "autoscale (4, 1)", "without --autoscale"),
        ("x86_64-cuda", {"cpu"}, 1, "listens to 'cpu'. Start it with -Q cuda"),
        (
            "x86_64-cpu",
            {"cuda"},
            1,
            "listens to 'cuda'. Start it with -Q cpu, or set OPTARENA_",
        ),
    ],
)
def test_a_worker_that_does_not_is_refused(
    hardware: str, queues: set[str], processes: int | str, remedy: str
) -> None:
    with pytest.raises(UnsuitableWorkerError) as raised:
        check_worker(hardware=hardware, queues=queues, processes=processes)
    assert remedy in str(raised.value)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["-c", "2"], "Start it with -c 1 and without --autoscale"),
        (["--autoscale", "2,1"], "Start it with -c 1 and without --autoscale"),
        ([], "cannot work here. No CUDA device is usable on this machine. Missing: "),
    ],
)
def test_celery_ends_with_the_reason(options: list[str], reason: str) -> None:
    ends_with(reason, [*CELERY, *options])


def ends_with(reason: str, worker: list[str]) -> None:
    environment = {**os.environ, "OPTARENA_HARDWARE_CLASS": "x86_64-cuda", "CUDA_VISIBLE_DEVICES": ""}
    environment.pop(STAND_IN, None)
    done = subprocess.run(
        worker, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.soak
def test_celery_ends_where_the_device_cannot_be_checked() -> None:
    """Celery logs what its signals raise, and goes on."""
    unable = "import sys; from celery.__main__ import main; sys.executable = '/nowhere'; main()"
    problem = "The device's check could not be started: [Errno 2] No such file or directory"
    ends_with(problem, [sys.executable, "-c", unable, *CELERY[3:]])


def ask(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str | None) -> None:
    """Start a worker for GPUs whose driver is asked by this script; None cannot be started."""
    python = tmp_path / "python"
    python.write_text("nothing" if script is None else f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)
    monkeypatch.delenv(STAND_IN, raising=False)
    monkeypatch.setattr(sys, "executable", str(python))
    check_device("h200-cuda")


def test_a_worker_starts_where_its_device_can_be_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ask(monkeypatch, tmp_path, "exit 0")


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("echo 'the cable is out' >&2; exit 1", "the cable is out"),
        ("printf '\\377' >&2; exit 1", "\ufffd"),
        (None, "The device's check could not be started: [Errno 8] Exec format error"),
        ("kill -SEGV $$", "The device's check ended with code -11"),
        ("exec sleep 60", "did not answer within 1 s; see nvidia-smi"),
    ],
)
def test_a_worker_whose_device_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str | None, problem: str
) -> None:
    monkeypatch.setattr(conf, "DEVICE_SECONDS", 1.0)
    with pytest.raises(UnsuitableWorkerError) as raised:
        ask(monkeypatch, tmp_path, script)
    assert problem in str(raised.value)
    assert "Fix this and start it again" in str(raised.value)


def test_nobody_asks_for_a_device_that_is_not_used(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere")
    check_device("x86_64-cpu")
    settings.OPTARENA_HARDWARE_CLASS = "x86_64-cuda"
    monkeypatch.setenv(STAND_IN, "cuda_on_cpu:device")
    check_device("x86_64-cuda")


def test_a_block_that_begins_at_the_deadline_still_ends_before_its_task_is_killed() -> None:
    """And a task is killed before the broker takes it for lost."""
    limit = tasks.verify.time_limit
    latest = conf.DRAIN_SECONDS + REPLAY_SECONDS + BLOCK_SECONDS
    assert latest < limit < CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"]


CPU, CUDA = "x86_64-cpu", "x86_64-cuda"
MACHINE = Machine(
    fingerprint={
        "cpu": "Some CPU",
        "cores": 4,
        "kernel": "6.1",
        "gpus": [{"name": "NVIDIA H200", "uuid": "GPU-1"}],
    },
    versions={"python": "3.11", "nvidia_driver": "580.82.07"},
)


def announce(clock: Clock, name: str = "celery@one", hardware: str = CPU) -> Runner:
    return presence.announce_runner(name=name, hardware_class=hardware, machine=MACHINE, now=clock.now)


def live(clock: Clock, hardware: str | None = None) -> list[str]:
    return [runner.name for runner in selectors.live_runners(hardware, now=clock.now)]


def test_a_runner_is_live_for_a_leases_time_after_it_was_seen(db: None, clock: Clock) -> None:
    runner = announce(clock)
    clock.turn(59)
    assert live(clock) == ["celery@one"]
    clock.turn(1)
    assert live(clock) == []
    assert presence.renew_runner(runner_id=runner.pk, now=clock.now)
    assert live(clock) == ["celery@one"]
    assert selectors.runners_last_seen() == {CPU: clock.now}
    seen = clock.turn(5)
    presence.dismiss_runner(runner_id=runner.pk, now=seen)
    assert live(clock) == [], "a runner that stops is gone at once and remembered"
    assert selectors.runners_last_seen() == {CPU: seen}


def test_runners_are_told_apart_by_their_class(db: None, clock: Clock) -> None:
    announce(clock, "celery@one", CPU)
    announce(clock, "celery@one", CUDA)
    announce(clock, "celery@two", CUDA)
    assert live(clock, CPU) == ["celery@one"]
    assert live(clock, CUDA) == ["celery@one", "celery@two"]


def test_a_new_life_replaces_those_that_are_over_and_no_other(db: None, clock: Clock) -> None:
    stopped, lost = announce(clock), announce(clock)
    presence.dismiss_runner(runner_id=stopped.pk, now=clock.turn(1))
    clock.turn(60)
    other = announce(clock, "celery@other")
    first = announce(clock)
    second = announce(clock)
    assert set(Runner.objects.values_list("pk", flat=True)) == {other.pk, first.pk, second.pk}
    assert not presence.renew_runner(runner_id=lost.pk, now=clock.now)


def test_runners_that_are_gone_for_long_are_forgotten(db: None, clock: Clock) -> None:
    announce(clock, "celery@old")
    clock.turn(conf.RUNNER_KEPT.total_seconds() + 1)
    announce(clock, "celery@new")
    assert [runner.name for runner in Runner.objects.all()] == ["celery@new"]


def eventually(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.fixture
def beating(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Presence]:
    monkeypatch.setattr(conf, "heartbeat_seconds", lambda: 0.05)
    passed = SelfTest(seconds=0.1, checks=[{"name": "folders", "ok": True, "detail": "", "seconds": 0.1}])
    monkeypatch.setattr(
        presence, "examine_worker", lambda _: passed
    )  # takes seconds, and is tested elsewhere
    made = Presence("celery@here")
    yield made
    made._stop.set()
    made._thread.join()


def here() -> Runner | None:
    return selectors.live_runners().filter(name="celery@here").first()


def test_a_worker_is_there_from_its_start_to_its_stop(beating: Presence) -> None:
    beating.start()
    eventually(lambda: here() is not None)
    runner = here()
    assert (runner.hardware_class, runner.fingerprint["cores"]) == (CPU, describe().fingerprint["cores"])
    releases = (environment_spec(name).compiler.removeprefix("LLVM ") for name in ("llvm-v0", "llvm-23-v0"))
    assert runner.versions["llvm"] == " and ".join(releases)
    beating.stop()
    assert here() is None
    runner.refresh_from_db()
    assert runner.stopped_at is not None


def goes_on() -> bool:
    runner = here()
    if runner is None:
        return False
    before = runner.seen_at
    eventually(lambda: Runner.objects.filter(pk=runner.pk, seen_at__gt=before).exists())
    return True


def test_it_outlives_a_database_that_is_away(beating: Presence, monkeypatch: pytest.MonkeyPatch) -> None:
    renewed = presence.renew_runner
    asked = threading.Event()

    def away(**arguments: int) -> bool:
        asked.set()
        raise OperationalError("the database is down")

    beating.start()
    eventually(goes_on)
    monkeypatch.setattr(presence, "renew_runner", away)
    assert asked.wait(20)
    monkeypatch.setattr(presence, "renew_runner", renewed)
    assert goes_on()
    kill_connections()
    connection.close()
    assert goes_on()
    assert Runner.objects.count() == 1


@pytest.mark.parametrize("broken", ["presence.describe", *slow(["presence.connection"])])
def test_it_goes_on_whatever_fails(
    beating: Presence, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, broken: str
) -> None:
    asked = threading.Event()

    def fail() -> None:
        connection.close()
        asked.set()
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "nobody has thought of this")

    with monkeypatch.context() as patched:
        failing = fail if broken.endswith("describe") else SimpleNamespace(close=fail)
        patched.setattr(f"runner.machines.{broken}", failing)
        beating.start()
        assert asked.wait(20)
        eventually(lambda: "reporting that this worker is live failed" in caplog.text)
    assert "nobody has thought of this" in caplog.text
    eventually(goes_on)


def test_who_appears_finds_what_waits(beating: Presence, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody wakes a class without a live runner."""
    rows = [make_work() for _ in range(2)]
    woken: list[tuple[list[UUID], str]] = []
    monkeypatch.setattr(wakeups, "wake", lambda *given: woken.append(given))
    beating.start()
    eventually(goes_on)
    assert woken == [([rows[0].pk], CPU)]


def of_model(name: str) -> Machine:
    return Machine(fingerprint=dict(MACHINE.fingerprint) | {"gpus": [{"name": name}]}, versions={})


def test_a_class_measures_on_one_model_of_gpus(
    beating: Presence, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """What it measures on is what is live, or what has measured results that count."""
    monkeypatch.setenv(STAND_IN, "cuda_on_cpu:device")  # there is no device to be asked about
    monkeypatch.setattr("runner.machines.presence.describe", lambda: MACHINE)
    settings.OPTARENA_HARDWARE_CLASS = beating.hardware_class = CUDA
    first = presence.announce_runner(
        name="celery@first", hardware_class=CUDA, machine=of_model("NVIDIA H100"), life=uuid4()
    )
    presence.announce_runner(name="celery@cpu", hardware_class=CPU, machine=of_model("NVIDIA A100"))
    beating.start()
    eventually(lambda: here() is not None)
    runner = here()
    assert runner.paused_at is not None
    assert "x86_64-cuda measures on NVIDIA H100, and this machine has NVIDIA H200" in runner.pause_reason
    assert "OPTARENA_CUDA_HARDWARE_CLASS" in runner.pause_reason
    beating.stop()
    assert selectors.other_models(CUDA, ("NVIDIA H100",)) == []
    presence.dismiss_runner(runner_id=first.pk)
    assert selectors.other_models(CUDA, ("NVIDIA H200",)) == []
    settings.OPTARENA_HARDWARE_CLASS = CPU
    row = make_work()
    Runner.objects.filter(pk=first.pk).update(paused_at=None, hardware_class=CPU)
    lease = leased(row, life=first.life)
    leases.record(lease=lease, outcome=OUTCOME)
    assert selectors.other_models(CPU, ("NVIDIA H200",)) == ["NVIDIA A100", "NVIDIA H100"]
    requests.supersede_one(verification_id=row.pk, actor="test")
    assert selectors.other_models(CPU, ("NVIDIA A100",)) == []


@pytest.mark.parametrize("gpus", [None, "H100", [], [None], [{"name": 5}], [{"name": ""}]])
def test_a_machine_that_does_not_tell_its_model_is_not_compared(db: None, clock: Clock, gpus: Any) -> None:
    machine = Machine(fingerprint={"gpus": gpus}, versions={})
    presence.announce_runner(name="celery@one", hardware_class=CUDA, machine=machine)
    assert selectors.other_models(CUDA, ("NVIDIA H200",)) == []


def test_it_announces_itself_anew_where_nobody_knows_it(beating: Presence) -> None:
    beating.start()
    eventually(lambda: here() is not None)
    Runner.objects.all().delete()
    eventually(lambda: here() is not None)


def test_a_machine_is_described_without_asking_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n\nprocessor\t: 1\n")
    nvidia = tmp_path / "driver/nvidia"
    for bus, uuid in (("0000:01:00.0", "GPU-a"), ("0000:02:00.0", "GPU-b")):
        (nvidia / "gpus" / bus).mkdir(parents=True)
        (nvidia / "gpus" / bus / "information").write_text(
            f"Model: \t\t NVIDIA H200\nIRQ:   \t\t 24\nGPU UUID: \t {uuid}\nBus Type: \t PCIe\n"
        )
    (nvidia / "version").write_text(
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.82.07  Release Build\nGCC version:\n"
    )
    machine = describe(proc=tmp_path)
    assert machine.fingerprint["cpu"] == "Some CPU @ 2 GHz"
    assert machine.fingerprint["gpus"] == [
        {"name": "NVIDIA H200", "uuid": "GPU-a"},
        {"name": "NVIDIA H200", "uuid": "GPU-b"},
    ]
    assert machine.versions["nvidia_driver"] == "580.82.07"
    assert all(re.fullmatch(r"[a-z0-9_-]+", name) for name in machine.versions)


def test_what_the_kernel_tells_about_the_processor_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "cpuinfo").write_text("model name\t: Some CPU\nmicrocode\t: 0x1000065\ncpu MHz\t\t: 2596.1\n")
    told = {
        "vulnerabilities/meltdown": "Not affected",
        "vulnerabilities/spectre_v2": "Mitigation: Retpolines; STIBP: disabled",
        "vulnerabilities/srso": "Vulnerable: Safe RET, no microcode",
        "cpu0/cpufreq/scaling_governor": "performance",
        "cpu0/cpufreq/cpuinfo_max_freq": "3500000",
        "smt/active": "0",
    }
    for name, text in told.items():
        (tmp_path / "cpu" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "cpu" / name).write_text(f"{text}\n")
    machine = describe(proc=tmp_path, cpus=tmp_path / "cpu")
    found = {key: value for key, value in machine.fingerprint.items() if isinstance(value, str)}
    assert found | {"kernel": ""} == {
        "cpu": "Some CPU",
        "kernel": "",
        "microcode": "0x1000065",
        "mitigations": "spectre_v2: Retpolines; STIBP: disabled; srso: Vulnerable: Safe RET, no microcode",
        "governor": "performance",
        "smt": "off",
        "max_mhz": "3500",
    }


def test_the_identity_is_that_of_what_times_depend_on() -> None:
    machine = describe()
    assert machine.identity == describe().identity
    other = Machine(fingerprint={**machine.fingerprint, "microcode": "0x8"}, versions=machine.versions)
    assert other.identity != machine.identity
    update = Machine(fingerprint=machine.fingerprint, versions={**machine.versions, "python": "3.99"})
    assert update.identity == machine.identity
    driver = Machine(fingerprint=machine.fingerprint, versions={**machine.versions, "nvidia_driver": "1.2"})
    assert driver.identity != machine.identity


@pytest.mark.parametrize(
    ("script", "gpus"),
    [
        (
            "echo 'GPU 0: NVIDIA H200 (UUID: GPU-8a)'\necho '  MIG 1g Device 0: (x)'",
            [{"name": "NVIDIA H200", "uuid": "GPU-8a"}],
        ),
        ("printf 'Failed: \\377\\n'", []),
        (None, []),
    ],
)
def test_a_container_may_show_its_gpus_by_a_program_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str | None, gpus: list[dict[str, str]]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    if script is not None:
        program = tmp_path / "nvidia-smi"
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
    machine = describe(proc=tmp_path, cpus=tmp_path)
    assert set(machine.fingerprint) - {"CUDA_VISIBLE_DEVICES"} == {"cpu", "cores", "kernel", "gpus"}
    assert machine.fingerprint["gpus"] == gpus
    assert machine.fingerprint["cpu"]
    assert "nvidia_driver" not in machine.versions


@pytest.mark.parametrize(
    ("given", "shown"), [("0,2", "0,2"), ("", ""), (None, None), ("GPU-8a1b", None), ("0,GPU-8a1b", None)]
)
def test_which_gpus_a_worker_may_use_is_told_by_numbers_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, shown: str | None
) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if given is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", given)
    assert describe(proc=tmp_path).fingerprint.get("CUDA_VISIBLE_DEVICES") == shown


def test_the_queue_says_who_works_on_it(db: None, client: Client, settings: Settings) -> None:
    make_work()
    page = client.get("/queue/").content.decode()
    assert "1 replay waits for a runner of class x86_64-cpu; no such runner is live" in page
    assert "none was seen in the last 30 days" in page
    runner = presence.announce_runner(name="celery@secret-host", hardware_class=CPU, machine=MACHINE)
    page = client.get("/queue/").content.decode()
    assert "no such runner is live" not in page
    assert "NVIDIA H200, Some CPU, 4 cores" in page
    assert "NVIDIA driver 580.82.07" in page
    [listed] = client.get("/api/v1/queue/").json()["hardware_classes"]
    assert (listed["waiting"], listed["stuck"], len(listed["runners"])) == (1, False, 1)
    assert listed["runners"][0]["machine"]["gpus"] == ["NVIDIA H200"]
    presence.dismiss_runner(runner_id=runner.pk)
    make_work()
    page = client.get("/queue/").content.decode()
    assert "2 replays wait for a runner of class x86_64-cpu; no such runner is live (last seen" in page
    assert "no such runner is live" in client.get("/").content.decode()
    listed = client.get("/api/v1/queue/")
    assert listed.json()["hardware_classes"][0]["stuck"] is True
    assert "secret-host" not in page + listed.content.decode()
    assert "GPU-1" not in page + listed.content.decode()


def test_the_admin_knows_every_runner(db: None, client: Client) -> None:
    runner = presence.announce_runner(name="celery@host", hardware_class=CUDA, machine=MACHINE)
    client.force_login(make_user("root", staff=True))
    assert "celery@host" in client.get("/admin/runner/runner/").content.decode()
    assert "GPU-1" in client.get(f"/admin/runner/runner/{runner.pk}/change/").content.decode()
    assert client.get("/admin/runner/runner/add/").status_code == 403


@pytest.mark.django_db(transaction=True)
def test_of_two_models_that_appear_at_one_moment_one_takes_work() -> None:
    """Each has asked for others before: there were none."""
    models = iter(("NVIDIA H100", "NVIDIA H200"))
    passed = SelfTest(seconds=0.1, checks=[{"name": "folders", "ok": True, "detail": "", "seconds": 0.1}])

    def appear() -> Runner:
        model = next(models)
        return presence.announce_runner(
            name=model,
            hardware_class="x86_64-cuda",
            machine=Machine(fingerprint={"gpus": [{"name": model}]}, versions={}),
            life=uuid4(),
            tested=passed,
        )

    paused = [one for one in at_once(2, appear) if one.paused_at is not None]
    assert len(paused) == 1
    assert "times of different models are not compared" in paused[0].pause_reason
    presence.record_self_test(runner_id=paused[0].pk, tested=passed)
    paused[0].refresh_from_db()
    assert paused[0].paused_at is not None, "The other one is still there."
    presence.dismiss_runner(runner_id=Runner.objects.exclude(pk=paused[0].pk).get().pk)
    presence.record_self_test(runner_id=paused[0].pk, tested=passed)
    paused[0].refresh_from_db()
    assert paused[0].paused_at is None
