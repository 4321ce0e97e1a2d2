"""The same programs by different compilers, with real results of both."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from datasets.loading import load_dataset
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.models import BestResult, Board
from optarena.datasets import BUILTIN, datasets
from optarena.specs import environment_spec
from tests.kit.shell import Shell, replay_everything
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
METRIC = "load_size_bytes"
PLACES = {"llvm-loadsize": "kernels-v0", "gcc-codesize": "gcc-kernels-v0"}
SLUGS = tuple(PLACES)
DATASETS = {"programs-v0": "kernels-v0", "gcc-programs-v0": "gcc-kernels-v0"}
ADDRESS = f"/across/{METRIC}/"
API = f"/api/v1/across/{METRIC}/"
PROGRAMS = ("sudoku", "json")


@pytest.fixture
def _boards(settings: Settings, tmp_path: Path) -> None:
    keep_blobs_in(settings, tmp_path / "blobs")
    settings.OPTARENA_BOARD_DATASETS = DATASETS
    for name in DATASETS.values():
        load_dataset(manifest_dir=BUILTIN / name)
    load_boards(definitions=[one for one in board_definitions() if one.slug in SLUGS])


def submit(shell: Shell, folder: Path, slug: str, line: str, names: tuple[str, ...] = PROGRAMS) -> None:
    """A command line for some programs, verified as a worker does."""
    file = folder / f"{slug}.csv"
    with file.open("w", newline="") as written:
        rows = csv.writer(written)
        rows.writerow(["benchmark", "reward", "walltime", "commandline"])
        rows.writerows([f"benchmark://{PLACES[slug]}/{name}", "", "", line] for name in names)
    done = shell.run("submit", file, "--board", slug, "--agent", "one line")
    assert done.exit_code == 0, done.output
    replay_everything()


@pytest.mark.usefixtures("_boards")
def test_each_program_has_the_best_of_each_compiler(live_server: LiveServer, tmp_path: Path) -> None:
    client, shell = Client(), Shell(live_server.url)
    empty = client.get(API).json()
    assert [(one["common"], one["least"], one["more"]) for one in empty["boards"]] == [(0, 0, None)] * 2
    assert len(empty["results"]) == 15
    assert "not yet" in client.get(ADDRESS).content.decode()
    shell.env["OPTARENA_TOKEN"] = shell.run("signup", "ada").stdout.strip()
    table = environment_spec("llvm-loadsize-v0").action_table
    passes = table.commandline([table.names.index(name) for name in ("sroa", "instcombine", "simplifycfg")])
    submit(shell, tmp_path, "llvm-loadsize", passes)
    submit(shell, tmp_path, "gcc-codesize", "gcc -Oz -c program.c -o program.o", ("sudoku",))
    found = client.get(API).json()
    assert (found["metric"], found["unit"]) == (METRIC, "bytes")
    by_name = {one["name"]: {cell["board"]: cell for cell in one["cells"]} for one in found["results"]}
    sudoku, json = by_name["sudoku"], by_name["json"]
    best = {row.board.slug: row.item for row in BestResult.objects.filter(benchmark_uri__endswith="/sudoku")}
    assert {slug: cell["value"] for slug, cell in sudoku.items()} == {
        slug: item.value for slug, item in best.items()
    }
    assert sudoku["gcc-codesize"]["ratio"] == 1
    assert sudoku["gcc-codesize"]["value"] < sudoku["llvm-loadsize"]["value"]
    assert [sudoku[slug]["is_least"] for slug in SLUGS] == [False, True]
    assert json["llvm-loadsize"]["value"] > 0
    assert (json["gcc-codesize"]["value"], json["llvm-loadsize"]["is_least"]) == (None, False)
    boards = {one["board"]: one for one in found["boards"]}
    assert [boards[slug]["least"] for slug in SLUGS] == [0, 1]
    assert {one["common"] for one in boards.values()} == {1}
    more = best["llvm-loadsize"].value / best["gcc-codesize"].value
    assert boards["llvm-loadsize"]["more"] == pytest.approx(more)
    assert boards["gcc-codesize"]["more"] == 1
    page = client.get(ADDRESS).content.decode()
    assert f"{best['gcc-codesize'].value:,.0f}" in page
    assert page.count("the least of all") == 1


@pytest.mark.soak
def test_whole_programs_of_several_units_are_verified(
    settings: Settings, live_server: LiveServer, tmp_path: Path
) -> None:
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / "gcc-programs-v0")
    load_boards(definitions=[one for one in board_definitions() if one.slug == "gcc-codesize"])
    shell = Shell(live_server.url)
    shell.env["OPTARENA_TOKEN"] = shell.run("signup", "ada").stdout.strip()
    file = tmp_path / "results.csv"
    file.write_text("benchmark://gcc-programs-v0/qoi,,,gcc -Oz -c program.c -o program.o\n")
    done = shell.run("submit", file, "--board", "gcc-codesize", "--agent", "the level")
    assert done.exit_code == 0, done.output
    replay_everything()
    [best] = BestResult.objects.select_related("item")
    qoi = datasets().benchmark("benchmark://gcc-programs-v0/qoi")
    assert (best.item.value, best.item.ratio) == (qoi.baseline("load_size_bytes", "Oz"), 1)


@pytest.mark.usefixtures("_boards")
def test_only_boards_of_different_compilers_are_compared() -> None:
    client = Client()
    [listed] = client.get("/api/v1/across/").json()["results"]
    assert (listed["metric"], listed["unit"], listed["boards"]) == (METRIC, "bytes", list(reversed(SLUGS)))
    assert client.get(listed["url"]).json()["metric"] == METRIC
    assert client.get(listed["page_url"]).status_code == 200
    assert f'href="{ADDRESS}"' in client.get("/boards/").content.decode()
    for address in ("/across/ir_instructions/", "/across/nothing/", "/api/v1/across/ir_instructions/"):
        assert client.get(address).status_code == 404
    Board.objects.filter(slug="gcc-codesize").update(state=Board.State.FROZEN)
    assert client.get(ADDRESS).status_code == 404
    assert ADDRESS not in client.get("/boards/").content.decode()
    assert client.get("/api/v1/across/").json()["results"] == []
