"""Kinds of device and their hardware classes, and workers that do not fit theirs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.core.exceptions import ImproperlyConfigured

from leaderboard.settings.environment import ending
from runner import conf, services
from runner.errors import UnknownDeviceError, UnsuitableWorkerError
from runner.models import Verification
from runner.workers import check_worker

from .conftest import ENVIRONMENT, Clock, make_benchmark

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

ROOT = Path(__file__).parents[2]


def request(device: str) -> Verification:
    benchmark = make_benchmark()
    return services.request_verification(
        environment=ENVIRONMENT, benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[1], device=device
    )


def test_each_kind_of_device_has_its_class(settings: SettingsWrapper) -> None:
    settings.OPTARENA_CUDA_HARDWARE_CLASS = "h200-cuda"
    assert (conf.hardware_class(), conf.hardware_class("cpu")) == ("x86_64-cpu", "x86_64-cpu")
    assert conf.hardware_class("cuda") == "h200-cuda"
    assert conf.own_hardware_class() == "x86_64-cpu"


def test_a_device_that_no_runner_has_is_named(db: None) -> None:
    with pytest.raises(UnknownDeviceError, match=r"'abacus' is unknown; give one of: cpu, cuda\."):
        request("abacus")
    assert not Verification.objects.exists()


def test_work_for_a_device_is_leased_by_workers_of_its_class_only(
    db: None, clock: Clock, settings: SettingsWrapper
) -> None:
    row = request("cuda")
    assert (row.hardware_class, request("cuda").pk) == ("x86_64-cuda", row.pk)
    assert request("cpu").pk != row.pk
    settings.OPTARENA_HARDWARE_CLASS = "x86_64-cuda"
    lease = services.lease_next(worker="w", now=clock.now)
    assert lease is not None
    assert lease.verification_id == row.pk
    assert services.lease_next(worker="w", now=clock.now) is None


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


@pytest.mark.parametrize("options", [["-c", "2"], ["-c", "1", "--autoscale", "2,1"]])
def test_celery_ends_with_the_reason(options: list[str]) -> None:
    worker = [sys.executable, "-m", "celery", "-A", "leaderboard", "worker", "-Q", "cuda", *options]
    environment = {**os.environ, "OPTARENA_HARDWARE_CLASS": "x86_64-cuda"}
    done = subprocess.run(
        worker, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1
    assert "Start it with -c 1 and without --autoscale" in done.stderr
    assert "Traceback" not in done.stderr
