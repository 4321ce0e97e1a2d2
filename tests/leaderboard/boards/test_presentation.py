"""How levels, effort classes and names come out."""

from __future__ import annotations

import pytest

from datasets.site.formats import NOTHING
from leaderboard.boards.queries import spreadsheet_safe
from leaderboard.boards.ranking import effort_class
from leaderboard.models import Board
from leaderboard.templatetags import boards


@pytest.mark.parametrize(
    ("compilations", "expected"),
    [
        (None, "not reported"),
        (0, "zero-shot"),
        (1, "zero-shot"),
        (2, "≤ 50"),
        (50, "≤ 50"),
        (51, "≤ 1000"),
        (1000, "≤ 1000"),
        (1001, "unlimited"),
    ],
)
def test_effort_has_four_classes_and_one_for_silence(compilations: int | None, expected: str) -> None:
    assert effort_class(compilations) == expected


def test_levels_are_written_as_people_write_them() -> None:
    assert [boards.level(name) for name in ("Oz", "O2", "Ofast", "LPT", "Optimal", None)] == [
        "-Oz",
        "-O2",
        "-Ofast",
        "LPT",
        "Optimal",
        NOTHING,
    ]


@pytest.mark.parametrize("text", ["=cmd()", "+1", "-1", "@x"])
def test_a_name_that_a_spreadsheet_would_run_is_defused(text: str) -> None:
    assert spreadsheet_safe(text) == f"'{text}"
    assert spreadsheet_safe("greedy") == "greedy"


def test_a_ratio_of_one_stands_for_a_level_or_for_the_reference() -> None:
    assert boards.yardstick(Board(baseline_level="Oz")) == "-Oz"
    assert boards.yardstick(Board(baseline_level="", reference_metric="reference_gflops")) == "the reference"
