"""``manage.py load_baselines``: committed results become submissions of an ordinary account."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.utils import timezone

from baselines.reading import committed
from datasets.loading import load_dataset
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.management.commands.prune import prune
from leaderboard.models import Board, Submission
from leaderboard.submissions.services import submit_baseline
from optarena.datasets import BUILTIN
from tests.factories import make_user
from tests.kit.credit import entry
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings
    from rest_framework.test import APIClient

    from baselines.reading import CommittedResult
    from tests.kit.boards import World

pytestmark = pytest.mark.django_db
GCC_KERNELS = "gcc-kernels-v0"


def load(settings: Settings, folder: Path, dataset: str) -> None:
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": dataset}
    keep_blobs_in(settings, folder / "blobs")
    load_dataset(manifest_dir=BUILTIN / dataset)
    load_boards(definitions=[one for one in board_definitions() if one.slug == "llvm-ic"])


def committed_on(dataset: str) -> dict[str, CommittedResult]:
    """The results on ``llvm-ic``, by agent."""
    chosen = [one for one in committed() if (one.board.slug, one.board.dataset) == ("llvm-ic", dataset)]
    return {one.agent: one for one in chosen}


def test_they_are_submitted_once_with_their_effort(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(settings, tmp_path, "programs-v0")
    make_user("project")
    for _ in range(2):
        call_command("load_baselines", owner="project")
    results = committed_on("programs-v0")
    submissions = {one.agent: one for one in Submission.objects.all()}
    assert submissions.keys() == results.keys()
    for agent, one in submissions.items():
        assert one.owner.username == "project"
        assert one.compilations == results[agent].compilations
        assert one.trained_on_test_set == results[agent].report.run.trained_on_test_set
        assert one.baseline_command == results[agent].report.run.command
        assert one.items.count() == len(results[agent].states)
    printed = capsys.readouterr().out
    assert printed.count("submitted as") == printed.count("known as") == len(results)
    prune(before=timezone.now() + timedelta(days=1))
    call_command("load_baselines", owner="project")
    assert capsys.readouterr().out.count("known as") == len(results), "even when their keys are pruned"
    assert Submission.objects.count() == len(results)
    run = replace(results["local"].report.run, command="optarena search local --nproc 2")
    reworded = replace(results["local"], report=replace(results["local"].report, run=run))
    owner = submissions["local"].owner
    assert submit_baseline(owner=owner, result=reworded) == (submissions["local"], False)
    submissions["local"].refresh_from_db()
    assert submissions["local"].baseline_command == "optarena search local --nproc 2"


def test_they_are_marked_wherever_a_board_is_read(world: World, pages: Client, anonymous: APIClient) -> None:
    """The mark leads to the command; nobody but the project's own command sets it."""
    first, other = entry(world.user), entry(world.other, ((1,), (2,), (4,)), agent="tuner")
    command = "optarena search oz-list --board test-ic --evaluations 1 --seed 0"
    Submission.objects.filter(pk=first.pk).update(baseline_command=command)
    rows = anonymous.get("/api/v1/boards/test-ic/standings/").data["results"]
    assert {row["submission"]: row["baseline_command"] for row in rows} == {
        str(first.pk): command,
        str(other.pk): "",
    }
    assert anonymous.get(f"/api/v1/submissions/{first.pk}/").data["baseline_command"] == command
    export = b"".join(anonymous.get("/api/v1/boards/test-ic/standings.csv").streaming_content)  # type: ignore[attr-defined] # a stream
    exported = {row["agent"]: row["baseline_command"] for row in csv.DictReader(io.StringIO(export.decode()))}
    assert (exported["agent"], exported["tuner"]) == (command, "")
    board = pages.get("/boards/test-ic/").content.decode()
    assert board.count(">baseline</a>") == 1
    assert f'href="{first.get_absolute_url()}#repeat"' in board
    page = pages.get(first.get_absolute_url()).content.decode()
    assert 'id="repeat"' in page
    assert command in page
    assert 'id="repeat"' not in pages.get(other.get_absolute_url()).content.decode()


def test_a_server_gets_those_for_the_programs_that_its_boards_compare(
    settings: Settings, tmp_path: Path
) -> None:
    load(settings, tmp_path, "kernels-v0")
    make_user("project")
    call_command("load_baselines", owner="project")
    submitted = {one.agent: one.items.count() for one in Submission.objects.all()}
    assert submitted == dict.fromkeys(committed_on("kernels-v0"), 15)


def test_what_a_board_refuses_is_said_of_each(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    load(settings, tmp_path, "kernels-v0")
    with pytest.raises(CommandError, match="no active account 'nobody'"):
        call_command("load_baselines", owner="nobody")
    make_user("project")
    Board.objects.update(benchmarks=["benchmark://kernels-v0/json"])
    with pytest.raises(CommandError, match=f"{len(committed_on('kernels-v0'))} baselines cannot be"):
        call_command("load_baselines", owner="project")
    assert "llvm-ic@kernels-v0/local: " in capsys.readouterr().err
    Board.objects.update(state=Board.State.FROZEN)
    with pytest.raises(CommandError, match="none of the boards of this server"):
        call_command("load_baselines", owner="project")
    assert not Submission.objects.exists()


def test_what_an_example_found_is_submitted_with_the_command_that_repeats_it(
    settings: Settings, tmp_path: Path
) -> None:
    settings.OPTARENA_BOARD_DATASETS = {"gcc-programs-v0": GCC_KERNELS}
    [board] = [one for one in board_definitions() if one.slug == "gcc-codesize"]
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / GCC_KERNELS)
    load_boards(definitions=[board])
    make_user("project")
    call_command("load_baselines", owner="project")
    submission = Submission.objects.get()
    assert (submission.agent, submission.items.count()) == ("hill-climb", 15)
    assert submission.baseline_command == (
        "python -m examples.gcc_search --strategy hill --budget 1000 --seed 0"
    )
    assert submission.description.startswith("Changes a few options of the best command line")
