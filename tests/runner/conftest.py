"""A benchmark to verify, a clock that tests turn, and a way to ask for work."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from datasets import blobs
from datasets.models import Benchmark, Blob, Dataset, DatasetVersion
from runner import services
from runner.services import wakeups
from runner.signals import verifications_finished

from .programs import BUSY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pytest_django.fixtures import SettingsWrapper

    from runner.models import Verification

ENVIRONMENT = "llvm-ic-v0"


@dataclass
class Clock:
    """The time that services are told; it stands still unless a test turns it."""

    now: datetime = field(default_factory=lambda: datetime(2026, 1, 1, tzinfo=UTC))

    def turn(self, seconds: float) -> datetime:
        """Forwards, or backwards where negative; the new time."""
        self.now += timedelta(seconds=seconds)
        return self.now


@pytest.fixture
def clock() -> Clock:
    """Begins after the creation of every row, which is told by the database's own clock."""
    return Clock(datetime.now(UTC) + timedelta(days=1))


def make_benchmark(name: str = "alpha", program: bytes | None = None) -> Benchmark:
    """A stored benchmark; without a program, one whose program nobody can read."""
    version = make_version()
    if program is None:
        sha256 = hashlib.sha256(name.encode()).hexdigest()
        blob, _ = Blob.objects.get_or_create(
            sha256=sha256, defaults={"size_bytes": 1, "media_type": "x", "storage_key": sha256}
        )
    else:
        blob = blobs.store(program)
    made, _ = Benchmark.objects.get_or_create(
        uri=f"benchmark://tiny-v0/{name}",
        defaults={
            "version": version,
            "position": version.benchmarks.count(),
            "name": name,
            "title": name,
            "licence": "MIT",
            "kind": "stored",
            "sha256": blob.sha256,
            "size_bytes": blob.size_bytes,
            "blob": blob,
        },
    )
    return made


def make_version() -> DatasetVersion:
    """The dataset of all benchmarks here."""
    dataset, _ = Dataset.objects.get_or_create(name="tiny", defaults={"title": "Tiny"})
    version, _ = DatasetVersion.objects.get_or_create(
        name="tiny-v0",
        defaults={
            "dataset": dataset,
            "version": 0,
            "title": "Tiny",
            "licence": "MIT",
            "manifest": {},
            "manifest_sha256": "0" * 64,
        },
    )
    return version


def make_busy(digit: int = 0, *, name: str = "busy", expected: str = "ok\n", exit_code: int = 0) -> Benchmark:
    """A real program with one workload, which takes the longer the greater the digit."""
    benchmark = make_benchmark(name, BUSY)
    benchmark.workloads.get_or_create(
        name="only",
        defaults={
            "position": 0,
            "args": [str(digit)],
            "expected_stdout": expected,
            "exit_code": exit_code,
        },
    )
    return benchmark


@pytest.fixture(autouse=True)
def blob_root(settings: SettingsWrapper, tmp_path: Path) -> Path:
    """Programs are kept in the test's own folder."""
    root = tmp_path / "blobs"
    backend = dict(settings.STORAGES["blobs"])
    backend["OPTIONS"] = {**backend["OPTIONS"], "location": root}
    settings.STORAGES = {**settings.STORAGES, "blobs": backend}
    return root


_numbers = itertools.count()


def make_actions() -> list[int]:
    """A sequence that no other test asks for."""
    number = next(_numbers)
    return [number // 10 % 10, number % 10, *[0] * (number // 100)]


def make_work(actions: list[int] | None = None, benchmark: Benchmark | None = None) -> Verification:
    """A queued verification of new work, or of the given."""
    benchmark = benchmark or make_benchmark()
    return services.request_verification(
        environment=ENVIRONMENT,
        benchmark=benchmark,
        benchmark_uri=benchmark.uri,
        actions=make_actions() if actions is None else actions,
    )


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


OUTCOME = services.ReplayOutcome(
    result={"ok": True, "steps": []}, metrics={"ir_instructions": 42}, sandbox={"seccomp": True}
)


def history(verification: Verification) -> list[tuple[str, str]]:
    """The steps it took, as (from, to)."""
    return list(verification.events.order_by("seq").values_list("from_state", "to_state"))
