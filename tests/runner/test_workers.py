"""Kinds of device and their hardware classes, and workers that do not fit theirs."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ImproperlyConfigured

from leaderboard.settings import CELERY_BROKER_TRANSPORT_OPTIONS
from leaderboard.settings.environment import ending
from optarena.cuda.variables import STAND_IN
from optarena.limits import BLOCK_SECONDS, REPLAY_SECONDS
from runner import conf, tasks
from runner.errors import UnknownDeviceError, UnsuitableWorkerError
from runner.machines.machine import check_device
from runner.models import Verification
from runner.queue import leases, requests
from runner.work.workers import check_worker
from tests.factories import ENVIRONMENT, make_benchmark
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from tests.kit.work import Clock


CELERY = [sys.executable, "-m", "celery", "-A", "leaderboard", "worker", "-Q", "cuda", "-c", "1"]


def request(device: str) -> Verification:
    benchmark = make_benchmark()
    return requests.request_verification(
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
    lease = leases.lease_next(worker="w", now=clock.now)
    assert lease is not None
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
    """A worker for GPUs ends before it has started."""
    environment = {**os.environ, "OPTARENA_HARDWARE_CLASS": "x86_64-cuda", "CUDA_VISIBLE_DEVICES": ""}
    environment.pop(STAND_IN, None)
    done = subprocess.run(
        worker, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert reason in done.stderr
    assert "Traceback" not in done.stderr


def test_celery_ends_where_the_device_cannot_be_checked() -> None:
    """Celery logs what its signals raise, and goes on."""
    unable = "import sys; from celery.__main__ import main; sys.executable = '/nowhere'; main()"
    problem = "The device's check could not be started: [Errno 2] No such file or directory"
    ends_with(problem, [sys.executable, "-c", unable, *CELERY[3:]])


UNFORESEEN = """
import django
django.setup()
from celery.signals import worker_init
from runner.work import workers
worker_init.send(sender="no worker at all")
print("started", workers.life())
"""


def test_a_worker_that_cannot_be_checked_does_not_start() -> None:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "leaderboard.settings"}
    done = subprocess.run(
        [sys.executable, "-c", UNFORESEEN],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("This worker does not start: ")
    assert "AttributeError" in last


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
