"""The boards of real programs: made of the shipped dataset, and a result on them is verified by replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from datasets.loading import load_dataset
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.models import Board, Submission
from optarena.datasets import BUILTIN, datasets
from optarena.specs import environment_spec
from tests.kit.boards import BOARDS
from tests.kit.shell import Shell, replay_everything
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "programs-v0"
LLVM = tuple(board.slug for board in BOARDS if board.dataset == NAME)


@pytest.fixture
def boards(settings: Settings, tmp_path: Path) -> list[Board]:
    """The boards of LLVM programs as a server has them."""
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / NAME)
    return load_boards(definitions=[one for one in board_definitions() if one.slug in LLVM])


def test_the_boards_compare_every_program(boards: list[Board]) -> None:
    assert [board.slug for board in boards] == list(LLVM)
    for board in boards:
        assert board.dataset_version.name == NAME
        assert board.dataset_version.benchmarks.count() == len(datasets()[NAME])


def test_a_server_may_compare_other_programs(settings: Settings) -> None:
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": "kernels-v0"}
    changed = {one.slug: one.dataset for one in board_definitions() if one.slug in LLVM}
    assert changed == dict.fromkeys(LLVM, "kernels-v0")


def test_a_result_on_a_real_program_is_verified(
    boards: list[Board], live_server: LiveServer, tmp_path: Path
) -> None:
    spec = environment_spec("llvm-codesize-v0")
    names = list(spec.action_table.names)
    commandline = spec.commandline([names.index(name) for name in ("sroa", "instcombine", "simplifycfg")])
    path = tmp_path / "results.csv"
    path.write_text(
        f'benchmark://{NAME}/siphash,,,"{commandline}"\nbenchmark://{NAME}/qoi,,,"{commandline}"\n'
    )
    shell = Shell(live_server.url)
    shell.env["OPTARENA_TOKEN"] = shell.run("signup", "ada").stdout.strip()
    result = shell.run("submit", path, "--board", "llvm-codesize", "--agent", "three passes")
    assert result.exit_code == 0, result.output
    replay_everything()
    items = Submission.objects.get().items.all()
    assert [item.verdict for item in items] == ["verified", "verified"]
    assert len(boards) == len(LLVM)
