"""The page for Prometheus: what it says, and to whom."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from prometheus_client.parser import text_string_to_metric_families

from runner.clock import database_now
from runner.machines import presence
from runner.machines.machine import Machine
from runner.queue import leases, sweeping
from tests.factories import make_calibration, make_work
from tests.kit.work import OUTCOME

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

WORD = "a word of this test"
ALLOWED = {"Authorization": f"Bearer {WORD}"}


@pytest.fixture
def token(settings: Settings) -> None:
    settings.OPTARENA_METRICS_TOKEN = WORD


def read(client: Client) -> dict[tuple[str, tuple[str, ...]], float]:
    """Every sample by its name and its labels' values."""
    answer = client.get("/metrics", headers=ALLOWED)
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.usefixtures("db", "token")
def test_figures_are_those_of_the_queue(client: Client) -> None:
    now = database_now()
    for _ in range(4):
        make_work()
    for reason in ("", "env:crash"):
        lease = leases.lease_next(worker="one", now=now + timedelta(seconds=1))
        assert lease is not None
        if reason:
            leases.fail(lease=lease, reason=reason, detail="", now=now + timedelta(seconds=3))
        else:
            leases.record(lease=lease, outcome=OUTCOME, now=now + timedelta(seconds=3))
    assert leases.lease_next(worker="lost", now=now + timedelta(seconds=4)) is not None
    sweeping.sweep(now=now + timedelta(hours=1))
    found = read(client)
    assert found["optarena_queued", ("x86_64-cpu",)] == 2
    assert found["optarena_runners", ("x86_64-cpu", "no")] == 0
    assert found["optarena_oldest_queued_seconds", ("x86_64-cpu",)] >= 0
    assert found["optarena_verifications_total", ("", "recorded")] == 1
    assert found["optarena_verifications_total", ("env:crash", "failed")] == 1
    assert found["optarena_payer_queued", ("x86_64-cpu", "")] == 2
    assert found["optarena_payer_oldest_queued_seconds", ("x86_64-cpu", "")] >= 0
    assert found["optarena_lost_leases_last_hour", ()] == 1
    assert found["optarena_phase_last_hour", ("leased",)] == 3
    assert found["optarena_phase_last_hour_seconds", ("leased",)] == 3600  # 2, 2, and until it was lost
    assert found["optarena_phase_last_hour_quantile_seconds", ("leased", "0.5")] == 2


@pytest.mark.usefixtures("db", "token")
def test_nobody_reads_them_without_the_token(client: Client, settings: Settings) -> None:
    for given in ({}, {"Authorization": "Bearer another"}, {"Authorization": WORD}):
        answer = client.get("/metrics", headers=given)
        assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
        assert b"optarena_queued" not in answer.content
    settings.OPTARENA_METRICS_TOKEN = ""
    assert client.get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


@pytest.mark.usefixtures("db", "token")
def test_the_oldest_calibration_and_drifts_of_live_workers_are_counted(client: Client) -> None:
    now, machine = database_now(), Machine(fingerprint={}, versions={})
    for name in ("one", "two", "three"):
        presence.announce_runner(name=name, hardware_class="x86_64-cpu", machine=machine)
    make_calibration("one", now=now - timedelta(hours=30))
    make_calibration("two", now=now - timedelta(hours=40), drift="Calibration: slow.")
    make_calibration("two", now=now - timedelta(hours=2))
    make_calibration("three", now=now - timedelta(hours=1), drift="Calibration: slow.")
    make_calibration("gone", now=now - timedelta(days=9), drift="Calibration: slow.")
    found = read(client)
    assert found["optarena_calibration_oldest_seconds", ("x86_64-cpu",)] == pytest.approx(30 * 3600, rel=0.01)
    assert found["optarena_drifted_runners", ("x86_64-cpu",)] == 1
