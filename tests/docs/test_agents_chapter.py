"""The chapter on agents: its first commands run as they stand there, and its figures are those committed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from baselines.reading import committed, geometric_mean
from optarena.agents.catalogue import AGENTS
from optarena.datasets import datasets
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TEXT = (ROOT / "docs/14-agents.md").read_text()


@pytest.mark.timeout(600)
def test_minus_oz_is_beaten_by_the_commands_of_the_chapter(tmp_path: Path) -> None:
    section = TEXT.partition("## Beat -Oz in ten minutes")[2]
    found = re.search(r"```sh\n(.*?)```", section, re.DOTALL)
    assert found
    lines = [line for line in found[1].splitlines() if "--minutes" not in line]
    assert len(lines) == 3
    printed = ""
    for line in lines:
        command = [sys.executable, "-m", *shlex.split(line)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        printed += done.stdout
    ratios = [float(ratio) for ratio in re.findall(r"geometric mean +(\S+)", printed)]
    assert len(ratios) == 2
    assert min(ratios) > 1
    assert "1 of 1 states are valid" in printed


def test_every_agent_is_described() -> None:
    for agent in AGENTS:
        assert f"| `{agent.name}` |" in TEXT


def test_the_table_of_baselines_has_the_committed_figures() -> None:
    tables = TEXT.partition("## Baselines")[2].partition("\n## ")[0].split("\n### ")[1:]
    shown = {tuple(re.findall("`(.*?)`", table.partition("\n")[0])): table for table in tables}
    for one in committed():
        ratios = one.ratios
        every = sorted(ratios.values())
        held = [
            value for uri, value in ratios.items() if datasets().benchmark(uri).split not in {"train", ""}
        ]
        figures = [geometric_mean(part) for part in (every, every[:-1], held) if part]
        told = " | ".join(f"{figure:.4f}" for figure in figures)
        row = f"| `{one.agent}` | {one.compilations} | {told} |"
        assert row in shown[one.board.slug, one.board.dataset], row


def test_the_readme_has_the_best_committed_results() -> None:
    table = (ROOT / "README.md").read_text().partition("## Search with an agent")[2].partition("\n## ")[0]
    found = [one for one in committed() if one.name.startswith("llvm-ic/")]
    means = sorted(
        ((geometric_mean(list(one.ratios.values())), one) for one in found), key=lambda pair: -pair[0]
    )
    rows = [f"| `{one.agent}` | {one.compilations} | {mean:.4f} |" for mean, one in means]
    assert [row for row in rows if row in table][:3] == rows[:3]
    assert table.count("\n| `") == sum(row in table for row in rows)
