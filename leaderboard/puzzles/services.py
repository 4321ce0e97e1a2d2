"""Draw, announce and publish puzzles.

Each is drawn from the generated programs of a board of portable entries, by a secret of this server. Most of
them leave little to find beyond the level that is par, so that some are drawn, and the first one is taken
that a short search improves enough.
"""

from __future__ import annotations

import hashlib
import secrets
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.crypto import salted_hmac

from datasets.loading import load_dataset
from datasets.models import DatasetVersion
from datasets.services import deprecate_dataset
from leaderboard.boards.models import is_current
from leaderboard.boards.services import load_board
from leaderboard.checks import secret_key_problem
from leaderboard.models import Board, PortableBoard, Puzzle
from leaderboard.portable.measuring import LEAST_GAIN, PuzzleCandidate, measure_levels, try_program
from leaderboard.portable.services import drawn_range
from leaderboard.puzzles.models import PROGRAM
from optarena.datasets.manifest import DatasetProgram, write_manifest
from optarena.errors import OptArenaError
from optarena.specs import BoardSpec
from optarena.specs.benchmark import Workload
from runner.queue.wakeups import sync_environment_versions

FAMILY: Final = "puzzle"
CLOSED: Final = "The day of this puzzle is over: it can be played, but results are not ranked any more."
# If none is good enough of so many, of which half are too large, the best one is taken.
MOST_DRAWN: Final = 24
_SALT: Final = "leaderboard.puzzles"
_SEED_BYTES: Final = 8
_NONCE_BYTES: Final = 32
# What has failed fails again for a while.
_RETRY_SECONDS: Final = 3_600.0
_log = structlog.get_logger(__name__)


class DailyPuzzle:
    """Publishes the announced puzzle when its day has begun in UTC, and draws the next one.

    Each pass tries one program, so that the sweeper does its other work in between.
    """

    def __init__(self) -> None:
        self._next = 0.0
        self._best: PuzzleCandidate | None = None
        self._number = self._drawn = 0

    def look(self, *, now: datetime) -> None:
        if not settings.OPTARENA_PUZZLES or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _RETRY_SECONDS  # also after an error that is not expected
        if problem := secret_key_problem():  # everybody could compute tomorrow's program
            _log.warning("no puzzle", reason=problem)
            return
        try:
            source = puzzle_source()
            if source is not None:
                publish_due(source, now=now)
                self._draw(source, now)
        except (OptArenaError, OSError):
            _log.exception("puzzle failed")
        else:
            self._next = 0.0

    def _draw(self, source: PortableBoard, now: datetime) -> None:
        last = Puzzle.objects.order_by("-number").first()
        if last is not None and last.day is None:
            return
        number = 1 if last is None else last.number + 1
        if number != self._number:
            self._number, self._drawn, self._best = number, 0, None
        uri = _drawn_uri(source, number, self._drawn)
        self._drawn += 1  # also after an error, which would be there again
        candidate = try_program(environment=source.environment_version.env_id, metric=source.metric, uri=uri)
        if _gain(source, candidate) > _gain(source, self._best):
            self._best = candidate
        if self._best is not None and (_gain(source, self._best) >= LEAST_GAIN or self._drawn >= MOST_DRAWN):
            announce(self._best, number=number, now=now)


def puzzle_source() -> PortableBoard | None:
    boards = PortableBoard.objects.filter(is_open=True).select_related("environment_version")
    return next((board for board in boards if is_current(board)), None)


def _drawn_uri(source: PortableBoard, number: int, attempt: int) -> str:
    range_ = drawn_range(source.dataset)
    low, high = range_.parameter_min or 0, range_.parameter_max or 0
    digest = salted_hmac(_SALT, f"{number} {attempt}", algorithm="sha256").digest()
    seed = low + int.from_bytes(digest[:_SEED_BYTES], "big") % (high - low + 1)
    return range_.uri.replace("{n}", str(seed))


def _gain(source: PortableBoard, candidate: PuzzleCandidate | None) -> float:
    return 0.0 if candidate is None else candidate.levels[source.baseline_level] / candidate.best


def announce(candidate: PuzzleCandidate, *, number: int, now: datetime) -> Puzzle:
    """Keep a program for a later day, and tell its hash; another sweeper may have done so just now."""
    nonce = secrets.token_hex(_NONCE_BYTES)
    made, _ = Puzzle.objects.get_or_create(
        number=number,
        defaults={
            "announced_at": now,
            "sha256": hashlib.sha256(nonce.encode() + candidate.program).hexdigest(),
            "program": candidate.program,
            "about": candidate.about | {"levels": candidate.levels, "nonce": nonce},
        },
    )
    _log.info("puzzle announced", number=number, sha256=made.sha256)
    return made


@transaction.atomic
def publish_due(source: PortableBoard, *, now: datetime) -> Puzzle | None:
    """Publish the announced puzzle if it was announced before today; the one before it is closed.

    The first one of a server is published at once. Until the next one is published, a puzzle stays open,
    whatever the day: so a day on which no sweeper ran is made up for by the next pass.
    """
    today = now.date()
    announced = Puzzle.objects.select_for_update().filter(day=None).first()
    if announced is None or Puzzle.objects.filter(day__gte=today).exists():
        return None
    if announced.announced_at.date() >= today and Puzzle.objects.exclude(pk=announced.pk).exists():
        return None
    title = f"Puzzle of {today:%-d %B %Y}"
    version = _publish_program(announced, title, source)
    sync_environment_versions()
    board = load_board(
        definition=BoardSpec(
            slug=f"{FAMILY}-{today}",
            title=title,
            description="The daily puzzle: one generated program, which was announced by its hash.",
            dataset=version.name,
            environment=source.environment_version.env_id,
            metric=source.metric,
            baseline_level=source.baseline_level,
            open_after_days=1,
        )
    )
    former = Board.objects.filter(puzzle__isnull=False, state=Board.State.OPEN).exclude(pk=board.pk)
    for name in former.values_list("dataset_version__name", flat=True):
        deprecate_dataset(name=name, reason=CLOSED)
    former.update(state=Board.State.FROZEN)
    announced.day, announced.board, announced.nonce = today, board, announced.about["nonce"]
    announced.program, announced.about = None, {}
    announced.save()
    _log.info("puzzle published", number=announced.number, board=board.slug)
    return announced


def _publish_program(puzzle: Puzzle, title: str, source: PortableBoard) -> DatasetVersion:
    about, program = puzzle.about, bytes(puzzle.program or b"")
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent, f"{FAMILY}-v{puzzle.number}")
        folder.mkdir()
        (folder / f"{PROGRAM}.bc").write_bytes(program)
        write_manifest(
            folder,
            title=title,
            description=f"The daily puzzle number {puzzle.number}: {about['title']}.",
            licence=about["licence"],
            programs=[
                DatasetProgram(
                    file=f"{PROGRAM}.bc",
                    title=title,
                    description=f"{about['title']}.",
                    baselines={source.metric: _levels(about, program, source)},
                    workloads=(
                        Workload(
                            name="default",
                            expected_stdout=about["stdout"].encode(),
                            exit_code=about["exit_code"],
                        ),
                    ),
                    **{name: about[name] for name in ("domain", "language", "source")},
                )
            ],
        )
        return load_dataset(manifest_dir=folder)


def _levels(about: dict[str, Any], program: bytes, source: PortableBoard) -> dict[str, float]:
    # Those of the announcement, unless the environment or the metric has changed since then.
    version = source.environment_version
    if about["measured"] == [version.digest, source.metric]:
        levels: dict[str, float] = about["levels"]
        return levels
    _log.info("levels of the puzzle are measured again", environment=version.env_id, metric=source.metric)
    return measure_levels(environment=version.env_id, metric=source.metric, program=program)
