"""Rules that the database itself holds, whatever code runs."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from datasets.loading import load_range
from leaderboard.boards import standings
from leaderboard.boards.services import load_boards
from leaderboard.models import Board, Standing, SubmissionItem
from optarena import register
from optarena.errors import InvalidInput, UnknownName
from optarena.loop_tool.description import RANGES
from optarena.specs import BoardSpec, board_specs
from tests.factories import board_spec, make_dataset, make_old_environment
from tests.kit.boards import BOARDS, EVERY_ENTRY, World, document, submit


@pytest.mark.parametrize(
    "values",
    [
        {"verdict": "verified", "value": None, "ratio": 1.0, "log_ratio": 0.0},
        {"verdict": "verified", "value": 0.0, "ratio": 1.0, "log_ratio": 0.0},
        {"verdict": "verified", "value": 5.0, "ratio": 1.0, "log_ratio": None},
        {"verdict": "verified", "value": 5.0, "ratio": None, "log_ratio": 0.0},
        {"verdict": "verified", "value": 5.0, "ratio": 1.0, "log_ratio": 0.0, "reason": "env:crash"},
        {"verdict": "refuted", "reason": ""},
        {"verdict": "failed", "reason": ""},
        {"verdict": "quarantined", "reason": ""},
        {"verdict": "withdrawn", "reason": ""},
        {"verdict": "pending", "reason": "env:crash"},
        {"position": 1},
        {"benchmark_uri": "benchmark://boards-v0/beta"},
    ],
    ids=str,
)
def test_an_item_that_cannot_be_is_refused_by_the_database(world: World, values: dict[str, Any]) -> None:
    submission = submit(world.user)
    with pytest.raises(IntegrityError), transaction.atomic():
        SubmissionItem.objects.filter(submission=submission, position=0).update(**values)


@pytest.mark.parametrize(
    "values",
    [
        {"score": None},
        {"score": 0.0},
        {"score": -1.0},
        {"verified": 2},
        {"verified": 0, "total": 0},
        {"best_of_agent": False},
    ],
    ids=str,
)
def test_a_row_without_score_or_coverage_cannot_have_a_rank(world: World, values: dict[str, Any]) -> None:
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
    bad = Standing.objects.create(**(good | values))
    assert ranks(world.board) == {None}
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


@pytest.mark.parametrize("column", ["rankable", "leading"])
def test_nobody_but_the_database_says_who_may_have_a_rank(world: World, column: str) -> None:
    submit(world.user)
    with connection.cursor() as cursor, pytest.raises(ProgrammingError), transaction.atomic():
        cursor.execute(f"UPDATE leaderboard_standing SET {column} = true")  # noqa: S608 - a name of ours


def test_an_agent_has_one_best_entry(world: World) -> None:
    submit(world.user)
    submit(world.user, document([[4]]))
    with pytest.raises(IntegrityError, match="standing_one_best_of_agent"), transaction.atomic():
        Standing.objects.update(best_of_agent=True)


def test_coverage_beyond_the_board_is_refused(world: World) -> None:
    submit(world.user)
    with pytest.raises(IntegrityError), transaction.atomic():
        Standing.objects.update(verified=4)


def test_loading_the_boards_twice_changes_nothing(db: None) -> None:
    make_dataset("programs-v0", ["alpha"])
    make_dataset("kernels-runtime-v0", ["alpha"])
    call_command("load_dataset", "gpu-kernels-v0")
    for name in ("gcc-kernels-v0", "gcc-programs-v0", "synthetic-v0"):
        call_command("load_dataset", name)
    for dataset in RANGES:
        load_range(dataset=dataset)
    call_command("load_boards")
    before = list(Board.objects.values())
    call_command("load_boards")
    assert list(Board.objects.values()) == before
    assert [row["slug"] for row in before] == sorted(definition.slug for definition in BOARDS)


def test_boards_without_their_dataset_say_what_to_run(db: None) -> None:
    with pytest.raises(CommandError, match="load_dataset programs-v0"):
        call_command("load_boards")


def definition(**changes: Any) -> BoardSpec:
    return board_spec(title="t", description="d", **changes)


def test_a_board_needs_a_metric_that_its_environment_measures(world: World) -> None:
    with pytest.raises(UnknownName, match="no metric speed"):
        load_boards(definitions=[definition(metric="speed")])
    world.board.refresh_from_db()
    assert world.board.metric == "ir_instructions"


def test_a_board_needs_a_baseline_of_every_benchmark(world: World) -> None:
    with pytest.raises(InvalidInput, match=r"level O9.*boards-v0/alpha"):
        load_boards(definitions=[definition(slug="other", baseline_level="O9")])
    assert Board.objects.count() == 1


def test_a_plug_in_cannot_take_the_name_of_another_board() -> None:
    with pytest.raises(InvalidInput, match=f"Another board is already registered as '{BOARDS[0].slug}'"):
        register(boards=[definition(slug=BOARDS[0].slug)])
    assert board_specs()[: len(BOARDS)] == BOARDS


def make_old(board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(environment_version=make_old_environment())


def test_a_board_of_an_older_environment_is_retired_with_its_rows_and_replaced(world: World) -> None:
    submission = submit(world.user)
    make_old(world.board)
    [new] = load_boards(definitions=[definition()])
    submission.board.refresh_from_db()
    assert (submission.board.slug, submission.board.state) == ("test-ic-00000000", "frozen")
    assert (new.slug, new.state) == ("test-ic", "open")
    assert new.pk != submission.board.pk


def test_an_empty_board_of_an_older_environment_moves_on(world: World) -> None:
    make_old(world.board)
    [new] = load_boards(definitions=[definition()])
    assert new.pk == world.board.pk
    assert new.environment_version.digest != "0" * 64


def test_a_board_of_an_older_environment_takes_no_submissions(world: World) -> None:
    make_old(world.board)
    with pytest.raises(Exception, match="no submissions any more"):
        submit(world.user, document())
