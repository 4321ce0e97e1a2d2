"""Real workers calibrate: at their start, again later; one whose machine seems changed takes no work."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import pytest
from django.db.models.base import ModelState
from django.utils import timezone

from runner.machines import calibrator
from runner.machines.calibration import LEAST_HISTORY
from runner.models import TERMINAL, Calibration, Runner, Verification
from runner.queue import leases
from runner.selectors import able_runners
from tests.factories import make_busy, make_work
from tests.kit.stage import ended_once, eventually, says, state_of

if TYPE_CHECKING:
    from tests.kit.stage import Stage

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

CPU = "x86_64-cpu"
DAILY = {"OPTARENA_CALIBRATION_SECONDS": "86400"}
ENTRIES = {
    *("integer_work", "floating_point", "branches"),
    *("memory_latency", "memory_bandwidth", "process_start"),
}


def again(row: Calibration, factor: float = 1.0) -> Calibration:
    """Another row of the same machine, which took so many times as long."""
    made = copy(row)
    made.pk, made.drift, made.at = None, "", timezone.now()
    made._state = ModelState()  # it is not in the database
    made.vector = {name: {**one, "seconds": factor * one["seconds"]} for name, one in row.vector.items()}
    made.save()
    return made


def first_calibration(stage: Stage) -> Calibration:
    """What a worker measured that then stopped; the next one has the same name."""
    worker = stage.worker(**DAILY)
    eventually(Calibration.objects.exists, "it calibrates", worker)
    worker.stop()
    stage.processes.clear()
    return Calibration.objects.get()


def test_a_worker_without_a_history_calibrates_beside_its_work_and_again_later(stage: Stage) -> None:
    row = make_work([1], make_busy())
    worker = stage.worker(OPTARENA_CALIBRATION_SECONDS="1")
    eventually(lambda: state_of(row) in TERMINAL, "the work ends", worker)
    eventually(lambda: Calibration.objects.count() > 1, "it calibrates twice", worker)
    first, runner = Calibration.objects.order_by("at")[0], Runner.objects.get()
    assert (first.name, first.hardware_class, first.role) == (runner.name, CPU, runner.role)
    assert first.fingerprint == runner.fingerprint
    assert set(first.vector) == ENTRIES
    assert all(0 < entry["seconds"] < 5 and entry["spread"] >= 0 for entry in first.vector.values())
    assert first.conditions["load_average"]
    assert (first.tries, first.drift) == (1, "")
    assert ended_once(row)


@pytest.mark.soak
def test_a_worker_that_is_switched_off_does_not_calibrate(stage: Stage) -> None:
    row = make_work([1], make_busy())
    worker = stage.worker()
    eventually(lambda: state_of(row) in TERMINAL, "the work ends", worker)
    assert not Calibration.objects.exists()


@pytest.mark.soak
def test_a_machine_that_seems_changed_pauses_until_it_is_as_before(stage: Stage) -> None:
    true = first_calibration(stage)
    rows = [again(true, 1 / 3) for _ in range(LEAST_HISTORY + 5)]
    Calibration.objects.exclude(pk__in=[row.pk for row in rows]).delete()
    work = [make_work([number], make_busy()) for number in range(3)]
    worker, sweeper = stage.worker(**DAILY), stage.sweeper()
    eventually(says(worker, b"the machine has changed"), "it finds out", worker, sweeper)
    eventually(lambda: Runner.objects.filter(paused_at__isnull=False).exists(), "it says so", worker)
    runner = Runner.objects.get(stopped_at=None)
    assert runner.pause_reason.startswith("Calibration: ")
    assert "times as long as in its history" in runner.pause_reason
    assert (runner.self_test or {})["passed"] is True
    assert {state_of(row) for row in work} == {"queued"}
    drifted = Calibration.objects.exclude(drift="").latest("at")
    assert (drifted.tries, drifted.drift) == (3, runner.pause_reason)
    Calibration.objects.filter(drift="").delete()
    for _ in range(LEAST_HISTORY):
        again(drifted)
    eventually(lambda: all(state_of(row) in TERMINAL for row in work), "all end", worker, sweeper)
    assert all(ended_once(row) and row.attempt == 0 for row in work)
    assert able_runners(CPU).filter(pk=runner.pk).exists()


@pytest.mark.soak
def test_a_drift_meanwhile_gives_running_work_back_for_nothing(stage: Stage) -> None:
    worker = stage.worker(**DAILY)
    eventually(lambda: able_runners(CPU).exists(), "it is healthy", worker)
    runner = Runner.objects.get()
    row = make_work([1], make_busy())
    Verification.objects.filter(pk=row.pk).update(kept_blocks=[{"a": "block"}])
    assert runner.life is not None
    lease = leases.lease(verification_id=row.pk, worker="w", life=runner.life)
    assert lease is not None
    assert calibrator.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 1
    row.refresh_from_db()
    event = row.events.last()
    assert event is not None
    assert (row.state, row.attempt, row.kept_blocks) == ("queued", 0, None)
    assert event.reason == "infra:runner-drifted"
    eventually(lambda: state_of(row) in TERMINAL, "it tests itself and goes on", worker)
