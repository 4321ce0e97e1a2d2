"""Migrations keep the rows, and the program before one still adds rows while the program after it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.models import F

from leaderboard import selectors
from leaderboard.models import Board, SubmissionItem
from leaderboard.services.catching_up import CatchingUp
from leaderboard.services.standings import rebuild_boards
from tests.kit.boards import EVERY_ENTRY, World, document, record, record_all, submit, verifications

if TYPE_CHECKING:
    from collections.abc import Iterator

BEFORE = ("leaderboard", "0002_plausible_ratio")
BEFORE_TOTALS = ("leaderboard", "0009_scale")
PLACES_STORED = ("leaderboard", "0003_measured_references")


def test_the_program_before_measured_references_still_adds_boards_and_items(world: World) -> None:
    apps = MigrationLoader(connection).project_state(BEFORE).apps
    former = apps.get_model("leaderboard", "Board").objects.create(
        slug="former",
        title="Former",
        dataset_version_id=world.board.dataset_version_id,
        environment_version_id=world.board.environment_version_id,
        metric="ir_instructions",
    )
    board = Board.objects.get(pk=former.pk)
    assert (board.reference_metric, board.benchmarks, board.device) == ("", [], "cpu")
    submission = submit(world.user)
    kept: dict[str, Any] = SubmissionItem.objects.filter(submission=submission, position=0).values().get()  # type: ignore[assignment] # the columns of a model are those of its migration here
    later = {"action_space", "claim_status", "reviewed", "log_variance", "log_freedom", "state_sha256", "own"}
    values = {name: kept[name] for name in kept if name not in {"id", *later}}
    SubmissionItem.objects.filter(pk=kept["id"]).delete()
    added = apps.get_model("leaderboard", "SubmissionItem").objects.create(**values)
    assert SubmissionItem.objects.get(pk=added.pk).claim_status == {}


@pytest.fixture
def there_and_back(transactional_db: None) -> Iterator[None]:
    """Whatever happens, the tests after this one have all columns."""
    yield
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def former(name: str) -> Any:
    """A model of the program that stored places and ranks."""
    return MigrationLoader(connection).project_state(PLACES_STORED).apps.get_model("leaderboard", name)


def listed(board: Board) -> list[tuple[object, ...]]:
    figures = ("score", "mean_improvement", "verified", "pending", "total", "effective_actions")
    return [
        (row.submission_id, row.position, row.rank, *(getattr(row, name) for name in figures))
        for row in selectors.standings(board, EVERY_ENTRY)
    ]


def fill(world: World) -> None:
    """Entries of every kind: ranked, tied, not the best of their agent, incomplete, without a score."""
    for number, (owner, agent, value) in enumerate(
        [
            (world.user, "Greedy", 90),
            (world.user, " greedy ", 95),
            (world.other, "greedy", 90),
            (world.other, "other", 99),
        ]
    ):
        record_all(submit(owner, document([[number, 1]] * 3, agent=agent)), value, value, value)
    record(verifications(submit(world.user, document([[8], [9]], agent="part")))[0], 80)
    submit(world.user, document([[7]], agent="none"))


@pytest.mark.usefixtures("there_and_back")
def test_standings_that_stored_their_places_are_carried_over(world: World) -> None:
    fill(world)
    before = listed(world.board)
    assert [row[2] for row in before] == [1, 1, 3, None]
    executor = MigrationExecutor(connection)
    executor.migrate([PLACES_STORED])
    stored = former("Standing").objects
    stored.update(position=F("position") + 100)
    for submission, position, rank, *_ in before:
        stored.filter(submission=submission).update(position=position, rank=rank)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    assert listed(world.board) == before
    CatchingUp().once()  # as the sweeper does
    assert rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}


def test_rows_of_the_program_before_totals_are_completed_by_the_next_end(world: World) -> None:
    submission = submit(world.user)
    first, second, third = verifications(submission)
    record(first, 90)
    apps = MigrationLoader(connection).project_state(BEFORE_TOTALS).apps
    stored = apps.get_model("leaderboard", "Standing").objects
    kept: dict[str, Any] = stored.values().get()
    stored.all().delete()
    columns = {name: kept[name] for name in kept if name not in {"id", "rankable", "leading"}}
    stored.create(**columns)
    for verification, value in ((second, 80), (third, 95)):
        record(verification, value)
        assert rebuild_boards(board_ids=[world.board.pk], write=False) == {world.board.pk: set()}
    assert world.board.standings.get().has_totals
