"""A database for one benchmark, and boards of programs that nobody runs."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.models import DatasetVersion
    from leaderboard.models import Board

_BATCH: Final = 2_000


@contextmanager
def scratch_database(kept: Path | None = None) -> Iterator[None]:
    """PostgreSQL and Valkey, which Django of this process uses; empty, and gone afterwards.

    Args:
        kept: The folder of their data, which stays; None for a folder of their own.
    """
    from leaderboard.embedded import EmbeddedStack  # noqa: PLC0415 - needs the extra `embedded`

    folder = kept or Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    folder.mkdir(exist_ok=True)
    folder.chmod(0o711)
    try:
        with EmbeddedStack(folder / "state", durable=False) as stack:
            os.environ.update(stack.environment() | {"OPTARENA_LOG_LEVEL": "WARNING"})
            import django  # noqa: PLC0415 - its settings are read from the variables above
            from django.conf import settings  # noqa: PLC0415 - as above
            from django.core.management import call_command  # noqa: PLC0415 - as above
            from django.db import connection  # noqa: PLC0415 - as above

            django.setup()
            settings.ALLOWED_HOSTS = ["testserver"]
            call_command("migrate", verbosity=0)
            try:
                yield
            finally:
                connection.close_pool()  # type: ignore[attr-defined] # PostgreSQL's has one
    finally:
        if kept is None:
            shutil.rmtree(folder, ignore_errors=True)


def make_board(name: str, programs: int) -> Board:
    """A board over a dataset of so many programs, all of them 400 instructions unoptimised and 100 at -Oz."""
    from datasets.models import Dataset, DatasetVersion  # noqa: PLC0415 - needs Django
    from leaderboard.services.boards import load_boards  # noqa: PLC0415 - as above
    from optarena.specs import BoardSpec  # noqa: PLC0415 - as above

    version = DatasetVersion.objects.create(
        dataset=Dataset.objects.create(name=name, title=name),
        version=0,
        name=f"{name}-v0",
        title=name,
        licence="MIT",
        manifest={},
        manifest_sha256=sha256_of(name),
    )
    add_programs(version, programs)
    counts = {"domains": {"sorting": programs}, "languages": {"c": programs}, "licences": {"MIT": programs}}
    version.statistics = {
        **counts,
        "splits": {},
        "workloads": 0,
        "runnable": 0,
        "metrics": {},
        "packages": [],
    }
    version.benchmark_count = programs
    version.save()
    definition = BoardSpec(
        slug=name,
        title=name,
        description=name,
        dataset=version.name,
        environment="llvm-ic-v0",
        metric="ir_instructions",
        baseline_level="Oz",
    )
    return load_boards(definitions=[definition])[0]


def add_programs(version: DatasetVersion, programs: int) -> None:
    """Rows of programs and their baselines; nobody runs them, so that they have no bytes."""
    from datasets.models import Baseline, Benchmark, Blob  # noqa: PLC0415 - needs Django
    from optarena.specs.benchmark import workloads_digest  # noqa: PLC0415 - as above

    hashes = [sha256_of(f"{version.name}/{number}") for number in range(programs)]
    blobs = Blob.objects.bulk_create(
        [Blob(sha256=one, size_bytes=10, media_type="x/y", storage_key=one) for one in hashes], _BATCH
    )
    benchmarks = Benchmark.objects.bulk_create(
        [
            Benchmark(
                version=version,
                position=number,
                uri=f"benchmark://{version.name}/{number}",
                name=str(number),
                title=str(number),
                domain="sorting",
                language="c",
                licence="MIT",
                kind=Benchmark.Kind.STORED,
                sha256=blob.sha256,
                size_bytes=10,
                blob=blob,
                workloads_sha256=workloads_digest(()),
            )
            for number, blob in enumerate(blobs)
        ],
        _BATCH,
    )
    Baseline.objects.bulk_create(
        [
            Baseline(benchmark=one, metric="ir_instructions", level=level, value=value)
            for one in benchmarks
            for level, value in (("O0", 400), ("Oz", 100))
        ],
        _BATCH,
    )


def sha256_of(text: str) -> str:
    """The hash of a text."""
    return hashlib.sha256(text.encode()).hexdigest()
