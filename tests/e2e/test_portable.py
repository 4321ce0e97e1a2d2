"""A portable entry through real processes: command line, REST, the sweeper that draws, and a worker."""

from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from functools import partial
from typing import TYPE_CHECKING

import httpx
import pytest

from optarena.agents.known_sequences import builtin_portfolio
from optarena.datasets import datasets
from optarena.replay import replay
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

SPEC = environment_spec("llvm-ic-v0")
FEWER_PROGRAMS = """
from dataclasses import replace
from leaderboard.portable.services import load_portable_boards
from optarena.specs import portable_board_specs
load_portable_boards(definitions=[replace(one, programs=3) for one in portable_board_specs()])
"""
FILE = """
name = "mine-v0"
kind = "portfolio"
table = "{table}"
[[sequence]]
actions = "sroa early-cse"
[[sequence]]
actions = "{listed}"
"""


def test_an_entry_is_drawn_replayed_and_repeated_by_anybody(
    stack: Stack, manage: Callable[..., str], tmp_path: Path
) -> None:
    manage("shell", "-c", FEWER_PROGRAMS)
    listed = builtin_portfolio(SPEC.action_table, "list")
    assert listed is not None
    names = " ".join(SPEC.action_table.names[one] for one in listed.sequences[0].actions)
    file = tmp_path / "mine.toml"
    file.write_text(FILE.format(table=SPEC.action_table.name, listed=names))
    user = stack.user()
    command = partial(portfolio, stack.url, user.token)
    assert "on 3 programs" in command("submit", str(file), "--board", "portable", "--agent", "e2e", "--wait")
    with stack.client() as visitor:
        rows = visitor.portable_board("portable")["rows"]  # other tests of this server seal entries, too
        [row] = (one for one in rows if one["agent"] == "e2e")
        entry = visitor.portable_entry(row["entry"])
    better = sum(one["rank"] is not None and one["score"] > row["score"] for one in rows)
    assert (row["rank"], row["state"]) == (1 + better, "ended")
    ratios = [one["reference"] / one["value"] for one in entry["programs"]]
    assert entry["score"] == pytest.approx(math.prod(ratios) ** (1 / 3))
    one = entry["programs"][0]
    here = replay(
        environment=SPEC,
        benchmark=datasets().benchmark(one["benchmark"]),
        actions=entry["sequences"][one["best"]]["actions"],
        metrics=["ir_instructions"],
    )
    assert here.metrics == {"ir_instructions": one["value"]}
    assert httpx.get(entry["page_url"]).status_code == 200

    assert re.search(r"^portable +llvm-ic-v0 ", command("board"), re.MULTILINE)
    assert entry["id"] in command("board", "portable")
    assert entry["id"] in command("status")
    told = command("status", entry["page_url"])
    assert f"score {entry['score']:.4f}" in told
    assert f"rank {entry['rank']}" in told
    assert "withdrawn" in command("withdraw", "--yes", entry["id"])
    assert "no rank: withdrawn" in command("status", entry["id"])


def portfolio(url: str, token: str, *arguments: str) -> str:
    """What ``optarena portfolio`` prints."""
    done = subprocess.run(
        [sys.executable, "-m", "optarena", "portfolio", *arguments],
        env=os.environ | {"OPTARENA_URL": url, "OPTARENA_TOKEN": token, "COLUMNS": "200"},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
