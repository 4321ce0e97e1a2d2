"""A calibration that seems to show a change is repeated; one that fails says nothing about the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from optarena.file_locks import VARIABLE
from optarena.measuring.machine import all_cores
from runner import conf
from runner.errors import NotCalibratedError
from runner.machines import calibrator as calibrator_module
from runner.machines import presence
from runner.machines.calibration import (
    LEAST_HISTORY,
    TRIES,
    Calibrated,
    calibrate,
    limits_of,
    measure_once,
    times_of,
)
from runner.machines.calibrator import Calibrator
from runner.machines.machine import describe
from runner.models import Calibration, Runner
from runner.selectors import calibration_history
from tests.factories import make_calibration, make_work

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pytest_django import Settings

VERSION = "llvm 1-22.1.8"
HISTORY = [{"integer_work": 1.0}] * LEAST_HISTORY


def measuring(*seconds: float) -> Callable[[], Calibrated]:
    """Measures these times, one after the other."""
    left = iter(seconds)

    def measure() -> Calibrated:
        vector = {"integer_work": {"seconds": next(left), "spread": 0.0}}
        return Calibrated(version=VERSION, vector=vector, conditions={})

    return measure


def found(*seconds: float) -> tuple[Calibrated, list[float]]:
    """What is found, and for how long it waited."""
    waited: list[float] = []
    return calibrate(lambda _: HISTORY, measure=measuring(*seconds), wait=waited.append), waited


def test_what_is_within_the_limits_is_measured_once() -> None:
    calibrated, waited = found(1.1)
    assert (calibrated.tries, calibrated.drift, waited) == (1, "", [])


def test_a_short_disturbance_is_not_a_drift() -> None:
    calibrated, waited = found(3.0, 1.0)
    assert (calibrated.tries, calibrated.drift, calibrated.times) == (2, "", {"integer_work": 1.0})
    assert waited == [conf.CALIBRATION_PAUSE_SECONDS]


@pytest.mark.parametrize(("seconds", "factor"), [(2.1, "2.1"), (0.4, "0.4")])
def test_what_lasts_is_one_and_says_so(seconds: float, factor: str) -> None:
    calibrated, _ = found(*[seconds] * TRIES)
    assert calibrated.tries == TRIES
    assert calibrated.drift == f"Calibration: integer work takes {factor} times as long as in its history."


def test_the_history_is_asked_for_by_the_version_of_the_set() -> None:
    asked = []
    calibrate(lambda version: asked.append(version) or HISTORY, measure=measuring(1.0))
    assert asked == [VERSION]


def test_a_machine_that_others_measure_on_is_not_calibrated(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(conf, "CALIBRATION_QUEUE_SECONDS", 0.1)
    with all_cores(seconds=1), pytest.raises(NotCalibratedError, match="in use"):
        measure_once()


def test_a_compiler_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_LIBLLVM", str(tmp_path / "nowhere.so"))
    with pytest.raises(NotCalibratedError, match=r"nowhere\.so"):
        measure_once()


@pytest.mark.django_db
def test_a_worker_that_cannot_be_calibrated_stays_as_it_was(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    settings.OPTARENA_CALIBRATION_SECONDS = 86_400
    monkeypatch.setenv("OPTARENA_LIBLLVM", str(tmp_path / "nowhere.so"))
    calibrator, machine = Calibrator("celery@host", "x86_64-cpu"), describe()
    calibrator.drift = "Calibration: it was slow."
    assert calibrator.before_work(machine) == "Calibration: it was slow."
    assert not Calibration.objects.exists()


@pytest.mark.django_db
def test_a_pause_for_another_reason_keeps_its_reason() -> None:
    runner = presence.announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=describe())
    Runner.objects.update(paused_at=runner.seen_at, pause_reason="The folder is full.")
    assert calibrator_module.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 0
    assert Runner.objects.get().pause_reason == "The folder is full."


@pytest.mark.django_db
def test_only_what_is_running_is_given_back() -> None:
    make_work()
    runner = presence.announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=describe())
    assert calibrator_module.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    "vector",
    [[], {}, {"integer_work": 7}, {"integer_work": {"spread": 0}}, {"integer_work": {"seconds": "1"}}]
    + [{"integer_work": {"seconds": seconds}} for seconds in (0, -1, 10**400, True, None)],
)
def test_a_row_without_times_is_not_history(vector: object) -> None:
    for _ in range(LEAST_HISTORY):
        make_calibration()
    Calibration.objects.filter(pk=make_calibration().pk).update(vector=vector)
    row = Calibration.objects.earliest("at")
    history = calibration_history(
        name=row.name, hardware_class=row.hardware_class, machine=row.machine, version=row.version
    )
    assert history == [times_of(row.vector)] * LEAST_HISTORY
    assert limits_of(history)
