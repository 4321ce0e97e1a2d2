"""Rules that the database itself holds, whatever code runs."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from leaderboard.boards import standings
from leaderboard.boards.services import load_boards
from leaderboard.models import Board, Standing, SubmissionItem
from optarena import register
from optarena.errors import InvalidInput
from optarena.specs import board_specs
from runner.models import EnvironmentVersion
from tests.factories import board_spec, make_old_environment
from tests.kit.boards import BOARDS, EVERY_ENTRY, World, document, submit


def test_an_item_that_cannot_be_is_refused_by_the_database(world: World) -> None:
    submission = submit(world.user)
    good: dict[str, Any] = {"verdict": "verified", "value": 5.0, "ratio": 1.0, "log_ratio": 0.0}
    for values in (
        good | {"value": None},
        good | {"value": 0.0},
        good | {"log_ratio": None},
        good | {"ratio": None},
        good | {"reason": "env:crash"},
        *({"verdict": one, "reason": ""} for one in ("refuted", "failed", "quarantined", "withdrawn")),
        {"verdict": "pending", "reason": "env:crash"},
        {"position": 1},
        {"benchmark_uri": "benchmark://boards-v0/beta"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            SubmissionItem.objects.filter(submission=submission, position=0).update(**values)
    SubmissionItem.objects.filter(submission=submission, position=0).update(**good)


def test_a_row_without_score_or_coverage_cannot_have_a_rank(world: World) -> None:
    submission = submit(world.user)
    Standing.objects.all().delete()
    good: dict[str, Any] = {
        "board": world.board,
        "submission": submission,
        "agent_group": "agent",
        "score": 1.0,
        "verified": 3,
        "total": 3,
        "best_of_agent": True,
        "effective_actions": 0,
        "built_at": timezone.now(),
    }
    scores = ({"score": None}, {"score": 0.0}, {"score": -1.0})
    for values in (*scores, {"verified": 2}, {"verified": 0, "total": 0}, {"best_of_agent": False}):
        bad = Standing.objects.create(**(good | values))
        assert ranks(world.board) == {None}, values
        bad.delete()
    Standing.objects.create(**good)
    assert ranks(world.board) == {1}


def ranks(board: Board) -> set[int | None]:
    """The ranks that every way of reading gives."""
    rows = [
        *standings.standings(board, EVERY_ENTRY),
        *(single := list(Standing.objects.all())),
    ]
    standings.set_ranks(single)
    return {row.rank for row in rows}


def test_nobody_but_the_database_says_who_may_have_a_rank_or_more_than_is_there(world: World) -> None:
    submit(world.user)
    submit(world.user, document([[4]]))
    for column in ("rankable", "leading"):
        with connection.cursor() as cursor, pytest.raises(ProgrammingError), transaction.atomic():
            cursor.execute(f"UPDATE leaderboard_standing SET {column} = true")  # noqa: S608 - a name of ours
    with pytest.raises(IntegrityError, match="standing_one_best_of_agent"), transaction.atomic():
        Standing.objects.update(best_of_agent=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Standing.objects.update(verified=4)


def test_boards_without_their_dataset_say_what_to_run(db: None) -> None:
    with pytest.raises(CommandError, match="load_dataset programs-v0"):
        call_command("load_boards")


def test_a_plug_in_cannot_take_the_name_of_another_board() -> None:
    with pytest.raises(InvalidInput, match=f"Another board is already registered as '{BOARDS[0].slug}'"):
        register(boards=[board_spec(slug=BOARDS[0].slug)])
    assert board_specs()[: len(BOARDS)] == BOARDS


def make_old(board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(environment_version=make_old_environment())


def test_a_board_of_an_older_environment_is_retired_with_its_rows_and_replaced(world: World) -> None:
    make_old(world.board)
    [moved] = load_boards(definitions=[board_spec()])
    assert moved.pk == world.board.pk, "it had no rows"
    assert moved.environment_version.digest != "0" * 64
    submission = submit(world.user)
    Board.objects.update(environment_version=EnvironmentVersion.objects.get(digest="0" * 64))
    [new] = load_boards(definitions=[board_spec()])
    submission.board.refresh_from_db()
    assert (submission.board.slug, submission.board.state) == ("test-ic-00000000", "frozen")
    assert (new.slug, new.state) == ("test-ic", "open")
    assert new.pk != submission.board.pk
