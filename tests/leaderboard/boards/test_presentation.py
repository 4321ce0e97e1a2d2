"""How levels, effort classes and names come out."""

from __future__ import annotations

from datasets.site.formats import NOTHING
from leaderboard.boards.queries import spreadsheet_safe
from leaderboard.boards.ranking import effort_class
from leaderboard.models import Board
from leaderboard.templatetags import boards


def test_effort_has_four_classes_and_one_for_silence() -> None:
    least = {None: "not reported", 0: "zero-shot", 2: "≤ 50", 51: "≤ 1000", 1001: "unlimited"}
    most = {1: "zero-shot", 50: "≤ 50", 1000: "≤ 1000"}
    assert {one: effort_class(one) for one in least | most} == least | most


def test_levels_are_written_as_people_write_them() -> None:
    written = {"Oz": "-Oz", "O2": "-O2", "Ofast": "-Ofast", "LPT": "LPT", "Optimal": "Optimal", None: NOTHING}
    assert {name: boards.level(name) for name in written} == written
    # A ratio of one stands for a level or for the reference.
    assert boards.yardstick(Board(baseline_level="Oz")) == "-Oz"
    assert boards.yardstick(Board(baseline_level="", reference_metric="reference_gflops")) == "the reference"


def test_a_name_that_a_spreadsheet_would_run_is_defused() -> None:
    for text in ("=cmd()", "+1", "-1", "@x"):
        assert spreadsheet_safe(text) == f"'{text}"
    assert spreadsheet_safe("greedy") == "greedy"
