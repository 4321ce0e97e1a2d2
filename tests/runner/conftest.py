"""A clock that tests turn, work to do, and a runner without the layers above it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from runner.services import wakeups
from runner.signals import verifications_finished
from tests.factories import make_work
from tests.kit.storage import keep_blobs_in
from tests.kit.work import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_django import Settings

    from runner.models import Verification


@pytest.fixture
def clock() -> Clock:
    """Begins after the creation of every row, which is told by the database's own clock."""
    return Clock(datetime.now(UTC) + timedelta(days=1))


@pytest.fixture(autouse=True)
def blob_root(settings: Settings, tmp_path: Path) -> Path:
    """Programs are kept in the test's own folder."""
    return keep_blobs_in(settings, tmp_path / "blobs")


@pytest.fixture
def work(db: None) -> Verification:
    """One queued verification."""
    return make_work()


@pytest.fixture
def finished(_nobody_listens: None) -> Iterator[list[Verification]]:
    """What the runner announced as finished."""
    seen: list[Verification] = []

    def note(verifications: Sequence[Verification], **kwargs: Any) -> None:
        seen.extend(verifications)

    verifications_finished.connect(note)
    yield seen
    verifications_finished.disconnect(note)


@pytest.fixture(autouse=True)
def _nobody_listens() -> Iterator[None]:
    """The runner is tested without the layers above it."""
    listeners = verifications_finished.receivers
    verifications_finished.receivers = []
    verifications_finished.sender_receivers_cache.clear()
    yield
    verifications_finished.receivers = listeners
    verifications_finished.sender_receivers_cache.clear()


@pytest.fixture(autouse=True)
def _fresh_broker_memory() -> Iterator[None]:
    wakeups.forget_broker_failure()
    yield
    wakeups.forget_broker_failure()
