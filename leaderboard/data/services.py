"""Write releases of step data: the sequences that have opened since the last one.

What was recorded of each replay is read, so that a release takes no replay. A release has what its
predecessors lack, and takes time by its own rows alone. If a sequence may not be read any more, its release
is written anew without it.
"""

from __future__ import annotations

import os
import shutil
import time
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.db.models import Q
from django.db.models.functions import Greatest

from leaderboard.data.queries import data_root
from leaderboard.models import SubmissionItem
from leaderboard.submissions.services import Conflict
from optarena.data.releases import Release, releases_in
from optarena.errors import ToolMissing
from optarena.file_locks import lock
from runner.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from django.db.models import QuerySet

    from optarena.data.tables import ReleaseWriter

Verdict = SubmissionItem.Verdict
MOST_STEPS: Final = 1_000_000
_BATCH: Final = 500
# Verdicts are decided in transactions that end later: what opened so long before the last release is looked
# at again.
_AGAIN: Final = timedelta(days=1)
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
        OSError: The folder cannot be written. Nothing of the release is left.
    """
    with _one_writer() as root:
        known = _own(root)
        exported = _without_hidden(root, known)
        now = database_now()
        last = max(known, default="")
        since = known[last].until if last else ""
        keys = [key for key, *place in _opened(since, now) if _origin(*place) not in exported]
        release = _described(now, known)
        with _writer(root, release) as writer:
            is_all = _write(writer, keys, most)
            if not writer.steps:
                return None
            return writer.finish(until=now.isoformat() if is_all else since)


class NightlyExport:
    """Writes the next release once a day, if pyarrow is installed; the next pass goes on."""

    def __init__(self) -> None:
        self._next = 0.0

    def look(self) -> Release | None:
        period = settings.OPTARENA_EXPORT_SECONDS
        if not period or time.monotonic() < self._next:
            return None
        try:
            release = export_next()
        except ToolMissing as error:
            _log.info("no release of step data", reason=str(error))
            release = None
        if release is None:
            self._next = time.monotonic() + period
        else:
            _log.info("step data released", name=release.name, steps=release.rows)
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


def _own(root: Path) -> dict[str, Release]:
    return {name: one for name, one in releases_in(root).items() if name.startswith(_PREFIX)}


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


def _writer(root: Path, release: Release, *, replaces: bool = False) -> ReleaseWriter:
    from optarena.data.tables import ReleaseWriter  # noqa: PLC0415 - brings pyarrow, an extra's

    return ReleaseWriter(root, release, replaces=replaces)


def _readable(now: datetime) -> Q:
    # By everybody, as `records.queries.add_reading` says; what was withdrawn is not offered.
    return Q(own__isnull=False, opens_at__lte=now) & ~Q(verdict=Verdict.WITHDRAWN)


def _opened(since: str, now: datetime) -> QuerySet[SubmissionItem, tuple[Any, ...]]:
    rows = SubmissionItem.objects.filter(_readable(now), verdict=Verdict.VERIFIED)
    rows = rows.filter(verification__result__steps__0__isnull=False)
    if since:
        opened = Greatest("opens_at", "decided_at")
        rows = rows.alias(opened=opened).filter(opened__gt=datetime.fromisoformat(since) - _AGAIN)
    # A writer needs the entries of a program and an environment together.
    order = ("benchmark_uri", "submission__board__environment_version__env_id", "submission__created", "pk")
    return rows.order_by(*order).values_list("pk", "submission__board__slug", "submission_id", "position")


def _origin(board: str, submission: object, position: int) -> str:
    return f"{board}/{submission}/{position}"


def _write(writer: ReleaseWriter, keys: Sequence[int], most: int) -> bool:
    # Whether all of them were written.
    seen: set[Any] = set()
    for start in range(0, len(keys), _BATCH):
        batch = keys[start : start + _BATCH]
        found = SubmissionItem.objects.select_related(
            "submission__board__environment_version", "benchmark", "verification"
        )
        items = found.only(*_READ).in_bulk(batch)
        for key in batch:
            if writer.steps >= most:
                return False
            item = items[key]
            if item.verification_id not in seen:  # several boards may have asked for one replay
                seen.add(item.verification_id)
                _add(writer, item)
    return True


def _add(writer: ReleaseWriter, item: SubmissionItem) -> None:
    from optarena.data.tables import DataEntry, DataProgram  # noqa: PLC0415 - as above

    board, replay = item.submission.board, item.verification
    if replay is None or not replay.result or not replay.result.get("initial"):
        return  # pruned meanwhile
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
        origin=_origin(board.slug, item.submission_id, item.position),
        action_space=item.action_space,
        metric=board.metric,
        value=item.value,
        ratio=item.ratio,
    )
    writer.add(program, entry, replay.result)


def _without_hidden(root: Path, known: Mapping[str, Release]) -> set[str]:
    # What the releases have, after those were written anew that have what may not be read any more.
    from optarena.data.tables import copy_entries, read_origins  # noqa: PLC0415 - as above

    origins = {name: read_origins(one) for name, one in known.items()}
    hidden = _hidden({one for each in origins.values() for one in each})
    for name, each in origins.items():
        if hidden.intersection(each):
            with _writer(root, known[name], replaces=True) as writer:
                copy_entries(known[name], writer, without=hidden)
                writer.finish(until=known[name].until)
            _log.info("step data taken back", name=name, entries=len(hidden.intersection(each)))
    return {one for each in origins.values() for one in each} - hidden


def _hidden(origins: set[str]) -> set[str]:
    places = {tuple(origin.rsplit("/", 2)[1:]) for origin in origins}
    submissions = sorted({submission for submission, _ in places})
    shown: set[tuple[str, ...]] = set()
    for start in range(0, len(submissions), _BATCH):
        rows = SubmissionItem.objects.filter(
            _readable(database_now()), submission_id__in=submissions[start : start + _BATCH]
        )
        shown |= {
            (f"{one}", f"{position}") for one, position in rows.values_list("submission_id", "position")
        }
    return {origin for origin in origins if tuple(origin.rsplit("/", 2)[1:]) not in shown}
