"""Calibrations: how often the control chart is wrong about noisy machines, and what a drift does."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest

from optarena.calibration import ROUNDS, summary
from optarena.file_locks import VARIABLE
from optarena.measuring.machine import all_cores
from runner import conf
from runner.errors import NotCalibratedError
from runner.machines import presence
from runner.machines.calibration import (
    HISTORY,
    LEAST_HISTORY,
    SHORT,
    TRIES,
    Calibrated,
    calibrate,
    drift_of,
    limits_of,
    measure_once,
    times_of,
)
from runner.machines.machine import describe
from runner.machines.presence import Calibrator
from runner.models import Calibration, Runner
from runner.selectors import calibration_history
from tests.factories import make_calibration, make_work
from tests.kit.examples import slow

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

VERSION = "llvm 1-22.1.8"
EARLIER = [{"integer_work": 1.0}] * LEAST_HISTORY


def measuring(*seconds: float) -> Callable[[], Calibrated]:
    left = iter(seconds)

    def measure() -> Calibrated:
        vector = {"integer_work": {"seconds": next(left), "spread": 0.0}}
        return Calibrated(version=VERSION, vector=vector, conditions={})

    return measure


def found(*seconds: float) -> tuple[Calibrated, list[float]]:
    waited: list[float] = []
    return calibrate(lambda _: EARLIER, measure=measuring(*seconds), wait=waited.append), waited


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
    calibrate(lambda version: asked.append(version) or EARLIER, measure=measuring(1.0))
    assert asked == [VERSION]


@pytest.mark.soak
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


@pytest.mark.soak
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
    assert presence.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 0
    assert Runner.objects.get().pause_reason == "The folder is full."


@pytest.mark.django_db
def test_only_what_is_running_is_given_back() -> None:
    make_work()
    runner = presence.announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=describe())
    assert presence.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 0


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


NAMES = ("integer_work", "floating_point", "branches", "memory_latency", "memory_bandwidth", "process_start")
DAYS = 1_000
"""Calibrations that are simulated for each figure."""


class Noisy:
    """A machine whose readings are off by a log-normal factor; some days are as a whole."""

    def __init__(self, seed: int, reading: float, day: float = 0.0) -> None:
        self.random = random.Random(seed)  # noqa: S311 - it simulates noise
        self.reading, self.day = reading, day

    def calibration(self, factor: float = 1.0, of_day: float | None = None) -> dict[str, float]:
        level = self.of_day() if of_day is None else of_day
        vector = {
            name: summary(
                [factor * level * math.exp(self.random.gauss(0, self.reading)) for _ in range(ROUNDS)]
            )
            for name in NAMES
        }
        return times_of(vector)

    def of_day(self) -> float:
        return math.exp(self.random.gauss(0, self.day))

    def history(self, length: int) -> list[dict[str, float]]:
        return [self.calibration() for _ in range(length)]

    def is_paused(self, history: Sequence[dict[str, float]], factor: float = 1.0) -> bool:
        level, tries = self.of_day(), list[dict[str, float]]()
        while len(tries) < TRIES:
            tries.append(self.calibration(factor, level))
            if not drift_of(history, tries):
                return False
        return True

    def paused(self, factor: float, length: int = HISTORY) -> float:
        rounds = 20
        found = 0
        for _ in range(rounds):
            history = self.history(length)
            found += sum(self.is_paused(history, factor) for _ in range(DAYS // rounds))
        return found / DAYS


@pytest.mark.parametrize(
    ("noise", "length"),
    [(0.08, HISTORY), (0.08, SHORT), *slow((one, n) for one in (0.02, 0.27) for n in (SHORT, HISTORY))],
)
def test_noise_alone_pauses_hardly_ever(noise: float, length: int) -> None:
    """At most one in a thousand: with a calibration a day, once in three years."""
    assert Noisy(7, noise).paused(1.0, length) <= 0.001


@pytest.mark.parametrize("noise", [0.08, *slow([0.02, 0.27])])
def test_noise_alone_pauses_rarely_while_the_history_is_short(noise: float) -> None:
    assert Noisy(7, noise).paused(1.0, LEAST_HISTORY) <= 0.005


def test_days_that_differ_as_a_whole_pause_hardly_ever() -> None:
    assert Noisy(11, 0.08, day=0.08).paused(1.0) <= 0.001


@pytest.mark.parametrize(
    ("noise", "factor"),
    [(0.08, 2.0), (0.08, 0.5), *slow((noise, factor) for noise in (0.02, 0.27) for factor in (2.0, 0.5))],
)
def test_a_machine_of_half_or_twice_the_speed_is_caught(noise: float, factor: float) -> None:
    assert Noisy(13, noise).paused(factor) >= 0.98


def test_a_quiet_machine_that_is_a_third_slower_is_caught() -> None:
    assert Noisy(17, 0.02).paused(1.33) >= 0.98


def test_a_short_history_judges_nothing() -> None:
    history = [dict.fromkeys(NAMES, 1.0)] * (LEAST_HISTORY - 1)
    assert drift_of(history, [dict.fromkeys(NAMES, 100.0)]) == ()
    assert drift_of([*history, *history[:1]], [dict.fromkeys(NAMES, 100.0)])
    assert drift_of([*history, *history[:1]], []) == ()


def test_the_largest_drift_comes_first_and_says_how_much() -> None:
    history = [dict.fromkeys(NAMES, 1.0)] * LEAST_HISTORY
    now = {**dict.fromkeys(NAMES, 1.0), "integer_work": 2.13, "memory_latency": 0.25}
    assert [str(one) for one in drift_of(history, [now])] == [
        "memory latency takes 0.25 times as long as in its history",
        "integer work takes 2.1 times as long as in its history",
    ]


def test_all_tries_must_agree_in_entry_and_direction() -> None:
    history = [dict.fromkeys(NAMES, 1.0)] * LEAST_HISTORY
    slow, fast = dict.fromkeys(NAMES, 3.0), dict.fromkeys(NAMES, 0.3)
    one, other = {**history[0], "branches": 3.0}, {**history[0], "integer_work": 3.0}
    assert drift_of(history, [slow, slow, slow])
    assert not drift_of(history, [slow, fast])
    assert not drift_of(history, [one, other])
    assert not drift_of(history, [slow, history[0]])


def test_only_entries_that_all_of_the_history_has_are_compared() -> None:
    history = [{"integer_work": 1.0}] * LEAST_HISTORY
    assert not drift_of(history, [{"integer_work": 1.0, "new": 9.0}])
    assert not drift_of(history, [{"new": 9.0}])
