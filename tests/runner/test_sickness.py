"""Replays on a worker whose folders or processes fail: it pauses at once, and no work pays for it."""

from __future__ import annotations

import tempfile
import uuid
from typing import TYPE_CHECKING

import pytest

from optarena.service.client.zygote import Zygote
from runner import selectors
from runner.machines import presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest
from runner.models import Runner, State
from runner.queue import requests
from runner.work import driver
from tests.factories import make_benchmark, make_busy, make_work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from uuid import UUID

    from runner.models import Verification

pytestmark = pytest.mark.django_db(transaction=True)

CPU = "x86_64-cpu"
LLVM = "optarena.llvm.session:LlvmSession"
UNHEALTHY = "infra:worker-unhealthy"


@pytest.fixture
def life() -> UUID:
    """A healthy worker."""
    life = uuid.uuid4()
    machine = Machine(fingerprint={"cpu": "Some CPU", "cores": 4}, versions={"llvm": "22.1.8"})
    presence.announce_runner(
        name="celery@host",
        hardware_class=CPU,
        machine=machine,
        life=life,
        tested=SelfTest(checks=[{"name": "folders", "ok": True, "detail": "", "seconds": 0.1}], seconds=0.1),
    )
    return life


def assert_paused_by(row: Verification, life: UUID) -> None:
    assert driver.drive(worker="w", life=life) == 1
    row.refresh_from_db()
    event = row.events.last()
    assert event is not None
    assert (row.state, row.attempt, event.reason) == (State.QUEUED, 0, UNHEALTHY), event.detail
    assert selectors.able_runner(life) is None
    assert UNHEALTHY in Runner.objects.get(life=life).pause_reason


def test_a_measurement_without_a_temporary_folder(
    life: UUID, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = make_benchmark("small", b"benchmark://loop_tool-cpu-v0/64")
    row = requests.request_verification(
        environment="loop_tool-v0", benchmark=benchmark, benchmark_uri=benchmark.uri, actions=[3]
    )
    folder = tmp_path / "temporary"
    folder.touch()  # no mode stops root, but a file is not a folder for anybody
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    assert_paused_by(row, life)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a new zygote has its working folders."""
    folder = tmp_path / "transient"
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(folder))
    Zygote.shared(LLVM).close()
    yield folder
    Zygote.shared(LLVM).close()


def test_a_folder_that_a_zygote_can_no_longer_use(life: UUID, folder: Path) -> None:
    first = make_work([], make_busy())
    assert driver.drive(worker="w", life=life) == 1
    first.refresh_from_db()
    assert first.state == State.RECORDED
    folder.chmod(0o777)
    assert_paused_by(make_work([1], make_busy()), life)
    folder.chmod(0o700)
