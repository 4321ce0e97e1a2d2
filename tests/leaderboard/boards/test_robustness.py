"""Whether the order of a board's first entries depends on its average, or on one program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from leaderboard.boards import standings
from leaderboard.boards.standings import Robustness, robustness
from tests.kit.boards import URIS, World, document, owner_of, record_all, submit
from tests.kit.pages import text

if TYPE_CHECKING:
    from django.test import Client


pytestmark = pytest.mark.django_db


def submitted(agent: str, number: int, *values: int) -> None:
    made = submit(owner_of(agent), document([(number,), (number,), (number,)], agent=agent))
    record_all(made, *values)


def found(world: World) -> Robustness | None:
    return robustness(list(standings.standings(world.board, standings.BoardChoice())[:25]))


def test_a_program_and_an_average_that_decide_are_told(world: World, client: Client) -> None:
    submitted("one great find", 1, 80, 100, 100)
    submitted("better everywhere", 2, 93, 93, 93)
    told = found(world)
    assert told is not None
    first, second = told.entries
    assert (first.entry.submission.agent, first.improvement, first.median) == (
        "one great find",
        pytest.approx(0.2 / 3),
        pytest.approx(1.0),
    )
    assert (second.improvement, second.median) == (pytest.approx(0.07), pytest.approx(100 / 93))
    assert [(one.improvement_place, one.median_place) for one in told.entries] == [(2, 2), (1, 1)]
    assert (told.pairs, told.by_improvement, told.by_median) == (1, 1, 1)
    assert (told.deciding, told.decisive) == (((URIS[0], 1),), 1)

    page = text(client.get("/boards/test-ic/"))
    assert "1 changes places; by the median of the ratios 1 does" in page
    assert f"{URIS[0].removeprefix('benchmark://')}</a>, 1 pair" in page


def test_an_order_that_holds_is_told(world: World, client: Client) -> None:
    for number, (agent, value) in enumerate((("best", 80), ("good", 90), ("fair", 95))):
        submitted(agent, number, value, value, value - 1)
    told = found(world)
    assert told is not None
    assert (told.pairs, told.by_improvement, told.by_median, told.deciding) == (3, 0, 0, ())
    assert "Without any single program none does." in text(client.get("/boards/test-ic/"))


def test_nothing_is_told_of_fewer_than_two_ranks(world: World, client: Client) -> None:
    submitted("alone", 1, 90, 90, 90)
    submit(owner_of("waits"), document([(3,), (3,), (3,)], agent="waits"))
    assert found(world) is None
    assert "another average" not in text(client.get("/boards/test-ic/"))
