"""The roadmap: what it calls done is there, and what it calls missing is not."""

from __future__ import annotations

import re
from pathlib import Path

from leaderboard.boards.services import board_definitions
from optarena.specs import environment_specs

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/roadmap.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]


def named(state: str) -> set[str]:
    """What is named in the rows of this state."""
    cells = [row[-1] for row in ROWS if row[-1].startswith(state)]
    assert cells
    return {name for cell in cells for name in re.findall(r"`([\w-]+)`", cell)}


def test_what_is_done_is_there() -> None:
    spaces = {table.name for spec in environment_specs() for table in spec.further_tables}
    boards = {board.slug for board in board_definitions()}
    environments = {spec.slug for spec in environment_specs()}
    assert named("done") <= environments | spaces | boards
    assert {"llvm-ic", "llvm-codesize", "loop_tool-cpu", "loop_tool-cuda"} <= named("done")


def test_what_is_missing_is_missing() -> None:
    slugs = [spec.slug for spec in environment_specs()]
    ranked = {board.environment for board in board_definitions()}
    for row in ROWS:
        for slug in set(re.findall(r"`([\w-]+)`", row[-1])) & set(slugs):
            if "not ranked" in row[-1] or "no board" in row[-1]:
                assert slug not in ranked


def test_the_questions_and_the_readme_lead_here() -> None:
    assert "](roadmap.md)" in (ROOT / "docs/faq.md").read_text()
    assert "](docs/roadmap.md)" in (ROOT / "README.md").read_text()
    assert "reserved" not in (ROOT / "docs/faq.md").read_text()
