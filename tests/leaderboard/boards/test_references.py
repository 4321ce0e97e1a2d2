"""The compiler's own levels on a board: kept in memory while nothing that they depend on changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from datasets.models import Baseline, DatasetVersion
from leaderboard.boards import queries as board_queries
from leaderboard.boards import standings
from tests.factories import BOARD_DATASET, make_board, make_dataset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pytest_django import DjangoAssertNumQueries

    from leaderboard.boards.ranking import Reference
    from leaderboard.models import Board


def references() -> dict[str, float]:
    """The score of each level on the board, as a page reads it."""
    board = standings.get_board("test-ic")
    assert board is not None
    return {row.level: row.score for row in board_queries.references(board)}


def recorded(board: Board) -> Mapping[str, Reference]:
    """What the board compares each benchmark with."""
    found = board_queries.board_scale(board).references
    assert found is not None
    return found


def board_of_a_dataset(name: str = BOARD_DATASET) -> Board:
    make_dataset(name)
    return make_board(dataset=name)


def test_the_levels_of_a_frozen_dataset_are_read_once(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    board_of_a_dataset()
    first = references()
    assert set(first) == {"O1", "O2", "O3", "Oz"}
    board = standings.get_board("test-ic")
    assert board is not None
    with django_assert_num_queries(0):
        assert {row.level: row.score for row in board_queries.references(board)} == first


def test_another_reference_metric_or_choice_of_programs_gives_other_scores(db: None) -> None:
    board = board_of_a_dataset()
    assert references()["Oz"] == 1.0
    first, *_ = board_queries.board_places(board)
    Baseline.objects.filter(benchmark__uri=first, metric="ir_instructions", level="O3").update(value=90)
    Baseline.objects.filter(metric="text_size_bytes", level="O3").update(value=50)
    DatasetVersion.objects.update(manifest_sha256="e" * 64)
    of_all = references()["O3"]
    assert make_board(benchmarks=(first,)).pk == board.pk
    assert references()["O3"] > of_all
    make_board(metric="text_size_bytes")
    assert references()["O3"] == pytest.approx(2.0)
    make_board(baseline_level="O3")
    assert references()["O3"] == 1.0
    assert references()["Oz"] > 1.0


@pytest.mark.parametrize("change", [{"manifest_sha256": "f" * 64}, {"frozen": False}])
def test_another_manifest_or_a_dataset_that_is_not_frozen_gives_other_scores(
    db: None, change: dict[str, Any]
) -> None:
    board_of_a_dataset()
    if "frozen" in change:
        DatasetVersion.objects.filter(name=BOARD_DATASET).update(**change)
    before = references()
    rows = Baseline.objects.filter(benchmark__version__name=BOARD_DATASET).exclude(level__in=["O0", "Oz"])
    assert rows.update(value=400)
    DatasetVersion.objects.filter(name=BOARD_DATASET).update(**change)
    assert references()["O3"] < before["O3"]


def test_the_values_that_entries_are_scored_by_are_kept_alike(
    db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    board = board_of_a_dataset()
    first = recorded(board)
    with django_assert_num_queries(0):
        assert recorded(board) == first
    changed = make_board(baseline_level="O3")
    assert {one.baseline for one in recorded(changed).values()} != {one.baseline for one in first.values()}
    Baseline.objects.filter(benchmark__version__name=BOARD_DATASET, level="O3").update(value=77)
    DatasetVersion.objects.filter(name=BOARD_DATASET).update(manifest_sha256="f" * 64)
    changed.dataset_version.refresh_from_db()
    assert {one.baseline for one in recorded(changed).values()} == {77.0}
