"""A board of another release beside its former one: entries on both by real replays, and the page Drift."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from datasets.loading import load_dataset
from leaderboard.boards.pages import carried_results
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.models import Board, Standing
from optarena.datasets import BUILTIN, datasets
from optarena.llvm.actions import CURATED
from optarena.specs import environment_spec
from tests.factories import make_user
from tests.kit.boards import submit
from tests.kit.llvm.releases import LLVM_23, needs_llvm_23
from tests.kit.pages import text
from tests.kit.shell import replay_everything
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAMS = "programs-cpp-smoke-v0"
LINE = CURATED.commandline(map(CURATED.index, ("sroa", "gvn<no-pre>", "instcombine", "simplifycfg<late>")))


@pytest.fixture(autouse=True)
def boards(settings: Settings, tmp_path: Path) -> None:
    """The two boards, of three small programs in C++."""
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": PROGRAMS}
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / PROGRAMS)
    load_boards(definitions=[one for one in board_definitions() if one.slug in {"llvm-ic", "llvm-ic-23"}])


def _document(board: str, line: str) -> dict[str, Any]:
    items = [{"benchmark": uri, "commandline": line} for uri in datasets()[PROGRAMS].uris()]
    return {"board": board, "agent": "four passes", "open": True, "items": items}


@needs_llvm_23
def test_entries_on_both_boards_stand_beside_each_other(client: Client) -> None:
    assert LLVM_23.translate is not None
    ada = make_user("ada")
    submit(ada, _document("llvm-ic", LINE))
    submit(ada, _document("llvm-ic-23", LLVM_23.translate(LINE)))
    replay_everything()
    scores = dict(Standing.objects.values_list("board__slug", "score"))
    assert set(scores) == {"llvm-ic", "llvm-ic-23"}
    assert all(scores.values())
    for slug in scores:
        page = text(client.get(f"/boards/{slug}/drift/"))
        assert "four passes" in page
        assert all(f"{score:.4f}" in page for score in scores.values())
    assert "-O2 minsize" in text(client.get("/boards/llvm-ic-23/"))
    Board.objects.filter(slug="llvm-ic").update(withdrawn="its figure says nothing.")
    assert "four passes" not in text(client.get("/boards/llvm-ic-23/drift/"))


def test_the_page_shows_the_committed_results_and_is_linked_from_both_boards(client: Client) -> None:
    for slug in ("llvm-ic", "llvm-ic-23"):
        assert f'href="/boards/{slug}/drift/"' in client.get(f"/boards/{slug}/").content.decode()
        page = client.get(f"/boards/{slug}/drift/").content.decode()
        assert "Committed results on kernels-v0" in page
        assert "optarena carry results.csv --to llvm-23-v0" in page


def test_a_refused_row_has_no_number(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    first = carried_results()[0]
    refused = replace(
        first.rows[0], verdict="refused", after=None, ratio_after=None, reason="Pass 1 is gone."
    )
    changed = replace(first, rows=(refused, *first.rows[1:]))
    monkeypatch.setattr("leaderboard.boards.pages.carried_results", lambda: (changed,))
    page = text(client.get("/boards/llvm-ic-23/drift/"))
    assert "refused: Pass 1 is gone." in page
    assert "None" not in page


def test_a_board_without_another_release_says_so(client: Client) -> None:
    load_boards(definitions=[one for one in board_definitions() if one.slug == "llvm-codesize"])
    page = text(client.get("/boards/llvm-codesize/drift/"))
    assert "were carried to another release of its compiler" in page
    assert "/drift/" not in client.get("/boards/llvm-codesize/").content.decode()


def test_the_committed_file_has_every_row_of_each_result_in_both_present_versions() -> None:
    assert carried_results()
    for one in carried_results():
        assert [row.benchmark for row in one.rows] == list(datasets()[one.dataset].uris())
        spec = environment_spec(one.environment)
        assert spec.predecessor == "llvm-ic-v0"
        assert one.digests == (environment_spec(spec.predecessor).digest, spec.digest)
        assert all(bool(row.reason) == (row.verdict == "refused") for row in one.rows)
        assert one.score_before is not None
        assert one.score_after is not None
