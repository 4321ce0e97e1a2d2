"""The start page: what there is, how good it has become, and an agent that runs as it stands."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from datasets.loading import load_dataset
from leaderboard.boards.services import board_definitions, load_boards
from optarena.datasets import BUILTIN, datasets
from optarena.specs import board_specs
from optarena.state import read_states
from tests.kit.boards import World, document, record_all, submit
from tests.kit.pages import text
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


def counts(page: str) -> dict[str, int]:
    figures = re.findall(r"<dt>([^<]*)</dt><dd>(?:<a [^>]*>)?(\d+)", page)
    return {name: int(number) for name, number in figures[:3]}


def test_it_counts_programs_entries_and_verified_results(client: Client, world: World) -> None:
    empty = text(client.get("/"))
    assert counts(empty) == {"Programs": 3, "Entries": 0, "Results verified by replay": 0}
    assert "The best score" not in empty
    record_all(submit(world.user, document(agent="first")), 95, 95, 95)
    record_all(submit(world.other, document([[4], [5], [6]], agent="second")), 90, 90, 90)
    submit(world.other, document([[7]]))
    page = text(client.get("/"))
    assert counts(page) == {"Programs": 3, "Entries": 3, "Results verified by replay": 6}
    assert "The best score of the entries that still stand" in page
    assert "over time; the page of the board has the numbers" in page
    assert "over time; the list has the numbers" in text(client.get("/boards/test-ic/"))


def test_its_agent_writes_results_for_its_first_board(
    client: Client, tmp_path: Path, settings: Settings
) -> None:
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": "kernels-v0"}
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / "kernels-v0")
    load_boards(definitions=board_definitions()[:1])
    page = client.get("/").content.decode()
    [agent] = re.findall(r'aria-label="A first agent"><code>(.*?)</code>', page, re.DOTALL)
    assert board_specs()[0].environment in agent
    subprocess.run([sys.executable, "-c", html.unescape(agent)], cwd=tmp_path, check=True, timeout=120)
    states = read_states((tmp_path / "results.csv").read_text(), format="csv", metrics=[])
    assert [state.benchmark for state in states] == list(datasets()["kernels-v0"].uris())
