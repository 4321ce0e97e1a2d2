"""A clock that tests turn, work to do, and a runner without the layers above it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from celery import current_app
from django.db import connection

from leaderboard.embedded.stack import Valkey
from leaderboard.embedded.state import StateFolder, placement
from optarena import file_locks
from runner.queue import wakeups
from runner.queue.transitions import verifications_finished
from tests.factories import make_work
from tests.kit.stage import Stage
from tests.kit.storage import keep_blobs_in
from tests.kit.work import Clock

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

    from runner.models import Verification


@pytest.fixture
def clock() -> Clock:
    """Begins after the creation of every row, which is told by the database's own clock."""
    return Clock(datetime.now(UTC) + timedelta(days=1))


@pytest.fixture(autouse=True)
def blob_root(settings: Settings, tmp_path: Path) -> Path:
    (tmp_path / "blobs").mkdir()
    return keep_blobs_in(settings, tmp_path / "blobs")


@pytest.fixture(autouse=True)
def _own_machine(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replays wait for those of the same test only, and the processor is never too busy."""
    monkeypatch.setenv(file_locks.VARIABLE, str(tmp_path))
    settings.OPTARENA_IDLE_PRESSURE = 100


@pytest.fixture
def work(db: None) -> Verification:
    return make_work()


@pytest.fixture
def finished(_nobody_listens: None) -> Iterator[list[Verification]]:
    seen: list[Verification] = []

    def note(verifications: Sequence[Verification], **kwargs: Any) -> None:
        seen.extend(verifications)

    verifications_finished.connect(note)
    yield seen
    verifications_finished.disconnect(note)


@pytest.fixture(scope="module")
def valkey(state_folder: Path) -> Iterator[Valkey]:
    """A broker of these tests' own, which they may kill."""
    folder = StateFolder(state_folder / "faults")
    place = placement(folder.path)
    place.give(folder.sockets())
    server = Valkey(place, sockets=folder.sockets(), log=folder.logs / "valkey.log")
    server.start()
    yield server
    server.process.stop()
    folder.release()


@pytest.fixture
def stage(
    transactional_db: None, valkey: Valkey, blob_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Stage]:
    """Processes with short leases on the test's own database, all ended afterwards."""
    database = connection.settings_dict
    login = f"{database['USER']}:{quote(database['PASSWORD'], safe='')}"
    address = f"postgres://{login}@{quote(database['HOST'], safe='')}/{database['NAME']}"
    monkeypatch.setattr(current_app.conf, "broker_url", valkey.url)
    made = Stage(
        tmp_path,
        {
            **os.environ,
            "OPTARENA_DATABASE_URL": address,
            "OPTARENA_BROKER_URL": valkey.url,
            "OPTARENA_BLOB_ROOT": str(blob_root),
            "OPTARENA_SECRET_KEY": "only-for-tests-" + "0" * 40,
            "OPTARENA_LEASE_SECONDS": "3",
            "OPTARENA_HEARTBEAT_SECONDS": "1",
            "OPTARENA_SWEEP_SECONDS": "1",
            "OPTARENA_CALIBRATION_SECONDS": "0",  # a test that is about it sets another number
        },
        [],
    )
    yield made
    for process in made.processes:
        process.kill()


@pytest.fixture(autouse=True)
def _nobody_listens() -> Iterator[None]:
    listeners = verifications_finished.receivers
    verifications_finished.receivers = []
    verifications_finished.sender_receivers_cache.clear()
    yield
    verifications_finished.receivers = listeners
    verifications_finished.sender_receivers_cache.clear()


@pytest.fixture(autouse=True)
def _fresh_broker_memory() -> Iterator[None]:
    wakeups._pause["until"] = 0.0
    wakeups._request.wakes = None  # a request of an earlier test may not have ended
    yield
    wakeups._pause["until"] = 0.0
