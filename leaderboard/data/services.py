"""Write releases of step data: the sequences that have opened since the last one.

What was recorded of each replay is read, so that a release takes no replay. The database keeps which replays
each release has. If a sequence may not be read any more, its release is written anew without it.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog
from django.conf import settings
from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Q, QuerySet

from leaderboard.data.queries import data_root
from leaderboard.models import ReleasedSequence, SubmissionItem
from leaderboard.submissions.services import Conflict
from optarena.data.releases import METADATA, Release, read_release
from optarena.errors import ToolMissing
from optarena.file_locks import lock
from runner.database import database_now
from runner.models import Verification

if TYPE_CHECKING:
    from optarena.data.tables import ReleaseWriter

Verdict = SubmissionItem.Verdict
MOST_STEPS: Final = 1_000_000
# Sequences and steps whose results are in memory at a time, unless one sequence is longer.
_AT_ONCE: Final = 100
_STEPS_AT_ONCE: Final = 5_000
_BATCH: Final = 5_000
_PREFIX: Final = "boards-"
_OLD: Final = ".old"
_READ: Final = (
    *("submission_id", "position", "benchmark_uri", "action_space", "value", "ratio"),
    *("submission__agent", "submission__board__slug", "submission__board__metric"),
    *("submission__board__environment_version__env_id", "benchmark__split", "benchmark__licence"),
    *("verification__environment_digest", "verification__benchmark_sha256", "verification__result"),
)
_log = structlog.get_logger(__name__)


def export_next(*, most: int = MOST_STEPS) -> Release | None:
    """Write the next release of at most so many steps and one sequence; None if nothing has opened.

    Raises:
        ToolMissing: The extra ``data`` is not installed.
        Conflict: Another process writes a release.
        InvalidInput: A release that was written before is damaged.
        OSError: The folder cannot be written. Nothing of the release is left.
    """
    from optarena.data.tables import ReleaseWriter  # noqa: PLC0415 - brings pyarrow, an extra's

    with _one_writer() as root:
        known = {path.parent.name: read_release(path.parent) for path in root.glob(f"{_PREFIX}*/{METADATA}")}
        now = database_now()
        _reconcile(root, known, now)
        release = _described(now, known)
        with ReleaseWriter(root, release) as writer:
            rows = _write(writer, release.name, now, most)
            # If the release is not finished now, `_reconcile` deletes them.
            ReleasedSequence.objects.bulk_create(rows, batch_size=_BATCH)
            return writer.finish(until=now.isoformat()) if writer.steps else None


class NightlyExport:
    """Writes the next release once a day, if pyarrow is installed; the next pass goes on."""

    def __init__(self) -> None:
        self._next = 0.0

    def look(self) -> Release | None:
        period = settings.OPTARENA_EXPORT_SECONDS
        if not period or time.monotonic() < self._next:
            return None
        self._next = time.monotonic() + period  # also after an error: the next pass would meet it again
        try:
            release = export_next()
        except ToolMissing as error:
            _log.info("no release of step data", reason=str(error))
            return None
        if release is not None:
            _log.info("step data released", name=release.name, steps=release.rows)
            self._next = 0.0
        return release


@contextmanager
def _one_writer() -> Iterator[Path]:
    root = data_root()
    root.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(root, os.O_RDONLY)
    try:
        if not lock(descriptor):
            message = f"Another process writes a release into {root}."
            raise Conflict(message, field="output", value=str(root), remedy="Wait until it has ended.")
        for old in root.glob(f".*{_OLD}"):  # a release was being replaced
            target = root / old.name.removeprefix(".").removesuffix(_OLD)
            shutil.rmtree(old) if target.exists() else old.rename(target)
        yield root
    finally:
        os.close(descriptor)


def _described(now: datetime, known: Mapping[str, Release]) -> Release:
    day = f"{_PREFIX}{now:%Y-%m-%d}"
    number = sum(name.startswith(day) for name in known)
    return Release(
        name=f"{day}-{number + 1:02}" if number else day,
        title="Verified steps",
        description="What each action did, of the sequences that this server's workers have verified and "
        "that everybody may read: those that have opened since the release that it follows.",
        released=f"{now:%Y-%m-%d}",
        follows=max(known, default=""),
        tables={},
    )


def _reconcile(root: Path, known: Mapping[str, Release], now: datetime) -> None:
    # A release is written anew if it has more than the database says. What the database forgets is exported
    # again if another item shows it.
    from optarena.data.tables import ReleaseWriter, copy_entries  # noqa: PLC0415 - as above

    rows = ReleasedSequence.objects.exclude(release="")
    rows.exclude(release__in=known).delete()  # it was not finished, or it is lost
    is_same = Q(item__verification=F("verification")) | Q(item__verdict=Verdict.PENDING)
    rows.exclude(_readable(now, "item__") & is_same).delete()
    counts = dict(rows.values_list("release").annotate(Count("pk")))
    for name, release in known.items():
        if counts.get(name, 0) < release.tables["entries"].rows:
            origins = set(rows.filter(release=name).values_list("origin", flat=True))
            with ReleaseWriter(root, release, replaces=True) as writer:
                copy_entries(release, writer, only=origins)
                writer.finish(until=release.until)
            _log.info("step data taken back", name=name, entries=len(origins))


def _readable(now: datetime, item: str = "") -> Q:
    # By everybody, as `records.queries.add_reading` says; what was withdrawn is not offered.
    is_open = Q(**{f"{item}own__isnull": False, f"{item}opens_at__lte": now})
    return is_open & ~Q(**{f"{item}verdict": Verdict.WITHDRAWN})


def _unreleased(now: datetime) -> QuerySet[SubmissionItem]:
    released = ReleasedSequence.objects.filter(verification=OuterRef("verification"))
    items = SubmissionItem.objects.filter(_readable(now), ~Exists(released), verdict=Verdict.VERIFIED)
    # A writer needs the entries of a program and an environment together.
    return items.order_by(
        "benchmark_uri", "submission__board__environment_version__env_id", "submission__created", "pk"
    )


def _write(writer: ReleaseWriter, name: str, now: datetime, most: int) -> Iterable[ReleasedSequence]:
    rows: dict[UUID, ReleasedSequence] = {}
    related = ("submission__board__environment_version", "benchmark", "verification")
    for batch in _batches(_unreleased(now)):
        # Asked for again: what was withdrawn meanwhile is left out.
        for item in _unreleased(now).filter(pk__in=batch).select_related(*related).only(*_READ):
            if writer.steps >= most:
                return rows.values()
            replay = item.verification
            if replay is not None and replay.pk not in rows:
                origin = f"{item.submission.board.slug}/{item.submission_id}/{item.position}"
                is_added = _add(writer, item, origin, replay)
                rows[replay.pk] = ReleasedSequence(
                    verification_id=replay.pk,
                    item_id=item.pk,
                    origin=origin,
                    release=name if is_added else "",
                )
    return rows.values()


def _batches(items: QuerySet[SubmissionItem]) -> Iterator[list[int]]:
    number = Func("actions", function="jsonb_array_length", output_field=IntegerField())
    batch: list[int] = []
    steps = 0
    for key, count in items.values_list("pk", number):
        if len(batch) == _AT_ONCE or (batch and steps + count > _STEPS_AT_ONCE):
            yield batch
            batch, steps = [], 0
        batch.append(key)
        steps += count
    if batch:
        yield batch


def _add(writer: ReleaseWriter, item: SubmissionItem, origin: str, replay: Verification) -> bool:
    from optarena.data.tables import DataEntry, DataProgram  # noqa: PLC0415 - as above

    result, board = replay.result or {}, item.submission.board
    if not (result.get("initial") and result.get("steps")):
        return False
    program = DataProgram(
        uri=item.benchmark_uri,
        sha256=replay.benchmark_sha256,
        split=item.benchmark.split,
        licence=item.benchmark.licence,
    )
    entry = DataEntry(
        environment=board.environment_version.env_id,
        environment_digest=replay.environment_digest,
        agent=item.submission.agent,
        origin=origin,
        action_space=item.action_space,
        metric=board.metric,
        value=item.value,
        ratio=item.ratio,
    )
    writer.add(program, entry, result)
    return True
