"""What a board may compare, what makes another board of it, its baselines, and rules of the database."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import IntegrityError, ProgrammingError, connection, transaction
from django.utils import timezone

from baselines.reading import CommittedResult, committed
from datasets.loading import load_dataset, load_range
from leaderboard.boards import standings
from leaderboard.boards.queries import board_places, board_scale
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.management.commands.prune import prune
from leaderboard.models import Board, Standing, Submission, SubmissionItem
from leaderboard.submissions import services as submission_services
from leaderboard.submissions.services import submit_baseline
from optarena import register
from optarena.datasets import BUILTIN, ParametricDataset, datasets
from optarena.errors import InvalidInput
from optarena.loop_tool.description import RANGES
from optarena.specs import BoardSpec, board_specs
from runner.models import EnvironmentVersion, Verification
from tests.factories import (
    BOARD_DATASET,
    board_spec,
    make_board,
    make_dataset,
    make_old_environment,
    make_user,
)
from tests.kit import boards as helpers
from tests.kit import noisy_boards as noisy_rows
from tests.kit.boards import BOARDS, EVERY_ENTRY, World, document, submit
from tests.kit.credit import entry
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings
    from rest_framework.test import APIClient


pytestmark = pytest.mark.django_db


CPU = noisy_rows.noisy_definition("loop_tool-cpu")
STORED = board_spec(title="t", description="d")


def test_a_board_is_provisional_if_its_definition_says_so(noisy: World) -> None:
    assert (noisy.board.provisional, noisy.board.provisional_notice) == (False, "")
    assert (noisy.board.exact, noisy.board.baseline_level) == (False, "")
    submission = noisy_rows.entry(noisy, 8.0)
    [board] = load_boards(definitions=[replace(CPU, provisional=True)])
    assert (board.pk, board.provisional) == (noisy.board.pk, True)
    assert "it has no ranks until" in board.provisional_notice
    assert helpers.standing(submission).rank is None


def test_a_withdrawn_board_keeps_its_entries_without_ranks_and_takes_no_more(
    client: Client, anonymous: APIClient, world: World
) -> None:
    submission = submit(world.user)
    helpers.record_all(submission, 90, 90, 90)
    assert helpers.standing(submission).rank == 1
    now = timezone.now().isoformat()
    replaced = f"test-ic-{world.board.environment_version.digest[:8]}-2"
    others = [board_spec(slug=f"test-ic-{one}") for one in (BOARD_DATASET, f"{BOARD_DATASET}-of-another")]
    load_boards(definitions=[*others, board_spec(slug=replaced, metric="text_size_bytes")])
    Board.objects.exclude(pk=world.board.pk).update(state=Board.State.FROZEN)
    reason = "its figure says nothing."
    definitions = [board_spec(withdrawn=reason), others[0]]
    [board, _] = load_boards(definitions=definitions)
    assert (board.pk, board.state, board.withdrawn) == (world.board.pk, "frozen", reason)
    kept = ["test-ic", *(one.slug for one in others)]
    assert list(Board.objects.values_list("slug", flat=True)) == kept, "what it replaced had no entry"
    assert [one.slug for one in load_boards(definitions=definitions)] == [others[0].slug], "nothing to change"
    with pytest.raises(InvalidInput, match=f"This board was withdrawn: {reason}"):
        submit(world.other)
    for query in ({}, {"as_of": now}):
        page = html.unescape(client.get(board.get_absolute_url(), query).content.decode())
        assert f"This board is withdrawn: {reason}" in page
        assert submission.get_absolute_url() in page
        assert ">Rank<" not in page
        assert "Rows are in the order of their scores" in page
        assert "ranked" not in page
    assert "Withdrawn: there are no ranks." in client.get("/boards/").content.decode()
    about = anonymous.get("/api/v1/boards/test-ic/").json()
    assert (about["withdrawn"], about["state"], about["leaders"]) == (reason, "frozen", [])
    body = anonymous.get("/api/v1/boards/test-ic/standings/").json()
    [row] = body["results"]
    assert (body["withdrawn"], row["rank"], row["verified"]) == (reason, None, 3)
    assert row["unranked"] == f"The board is withdrawn: {reason}"
    csv_text = anonymous.get("/api/v1/boards/test-ic/standings.csv").getvalue().decode()
    ranks = {line["agent"]: line["rank"] for line in csv.DictReader(io.StringIO(csv_text))}
    assert ranks["agent"] == ""


def test_loading_a_board_again_changes_nothing_and_one_without_entries_just_changes(noisy: World) -> None:
    make_dataset()
    load_boards(definitions=[CPU, STORED])
    before = list(Board.objects.values())
    load_boards(definitions=[CPU, STORED])
    assert list(Board.objects.values()) == before
    [new] = load_boards(definitions=[replace(CPU, benchmarks=CPU.benchmarks[:2])])
    assert new.pk == noisy.board.pk
    assert tuple(board_places(new)) == CPU.benchmarks[:2]


REFUSED: list[tuple[BoardSpec, dict[str, Any], str]] = [
    (CPU, {"reference_metric": "speed"}, "no metric speed"),
    (CPU, {"baseline_level": "Oz"}, "baseline level 'Oz' and the reference metric"),
    (CPU, {"reference_metric": ""}, "baseline level '' and the reference metric ''"),
    (CPU, {"benchmarks": ()}, "has ranges only"),
    (CPU, {"benchmarks": ("benchmark://loop_tool-cpu-v0/0",)}, "loop_tool-cpu-v0/0, which is no"),
    (CPU, {"benchmarks": ("benchmark://loop_tool-cuda-v0/1",)}, "not a benchmark of loop_tool-cpu-v0"),
    (CPU, {"benchmarks": ("loop_tool-cpu-v0/1",)}, "canonical URIs"),
    (CPU, {"benchmarks": ("benchmark://loop_tool-cpu-v0/1",) * 2}, "lists a benchmark twice"),
    (CPU, {"device": "abacus"}, "'abacus' is unknown; give one of: cpu, cuda"),
    (CPU, {"reference_metric": "", "baseline_level": "O1"}, "has no baseline"),
    (
        CPU,
        {"dataset": "synthetic-v0", "benchmarks": ("generator://synthetic-v0/42",)},
        "whose program is generated",
    ),
    (STORED, {"metric": "speed"}, "no metric speed"),
    (STORED, {"baseline_level": "O9"}, r"level O9.*boards-v0/alpha"),
]


def test_a_board_that_could_not_score_is_refused(noisy: World) -> None:
    make_dataset()
    synthetic = datasets()["synthetic-v0"]
    assert isinstance(synthetic, ParametricDataset)
    load_range(dataset=synthetic)
    for definition, changes, says in REFUSED:
        with pytest.raises(InvalidInput, match=says):
            load_boards(definitions=[replace(definition, slug="other", **changes)])
    assert list(Board.objects.all()) == [noisy.board]


@pytest.mark.parametrize(
    "changes",
    [
        {"benchmarks": CPU.benchmarks[:2]},
        {"metric": "reference_gflops"},
        {"reference_metric": "gflops"},
        {"device": "cuda"},
    ],
    ids=str,
)
def test_another_comparison_takes_the_place_of_a_board_with_entries(
    noisy: World, changes: dict[str, Any]
) -> None:
    submit(noisy.user, noisy_rows.document(uris=noisy.board.benchmarks[:1]))
    [new] = load_boards(definitions=[replace(CPU, **changes)])
    noisy.board.refresh_from_db()
    digest = noisy.board.environment_version.digest[:8]
    assert (noisy.board.slug, noisy.board.state) == (f"loop_tool-cpu-{digest}", "frozen")
    assert (new.slug, new.state, new.pk != noisy.board.pk) == ("loop_tool-cpu", "open", True)


def test_boards_that_change_again_and_again_keep_a_name_each(noisy: World) -> None:
    slugs = set()
    for number in range(1, 4):
        submit(noisy.user, noisy_rows.document(uris=noisy.board.benchmarks[:1]))
        load_boards(definitions=[replace(CPU, benchmarks=CPU.benchmarks[:number])])
        slugs = set(Board.objects.values_list("slug", flat=True))
    digest = noisy.board.environment_version.digest[:8]
    old = f"loop_tool-cpu-{digest}"
    assert slugs == {"loop_tool-cpu", old, f"{old}-2", f"{old}-3"}


def test_a_board_of_stored_programs_may_compare_some_of_them(world: World) -> None:
    assert tuple(board_places(world.board)) == helpers.URIS
    [some] = load_boards(definitions=[replace(STORED, benchmarks=helpers.URIS[:2])])
    assert tuple(board_places(some)) == helpers.URIS[:2]
    assert tuple(board_scale(some).benchmarks) == helpers.URIS[:2]
    submission = submit(world.user, helpers.document([[1], [2]]))
    helpers.record_all(submission, 100, 50)
    assert submission.board == some
    row = some.standings.get()
    assert (row.verified, row.total) == (1, 2)  # the second waits for a reviewer


def test_the_database_refuses_a_board_that_compares_with_two_things_or_none(noisy: World) -> None:
    for changes in ({"baseline_level": "Oz"}, {"reference_metric": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Board.objects.update(**changes)


def test_a_board_whose_dataset_changes_is_named_after_it_and_comes_back(world: World) -> None:
    definition = replace(STORED, title=world.board.title)
    make_dataset("others-v1")

    def compared(dataset: str) -> Board:
        [board] = load_boards(definitions=[replace(definition, dataset=dataset)])
        return board

    def slugs() -> dict[str, str]:
        return dict(Board.objects.values_list("slug", "state"))

    submit(world.user)
    other = compared("others-v1")
    assert slugs() == {"test-ic": "open", "test-ic-boards-v0": "frozen"}
    assert compared(BOARD_DATASET).pk == world.board.pk
    assert slugs() == {"test-ic": "open"}  # the other had no submission
    assert compared("others-v1").pk not in (other.pk, world.board.pk)
    uris = [uri.replace(BOARD_DATASET, "others-v1") for uri in helpers.URIS]
    items = [{"benchmark": uri, "actions": [1]} for uri in uris]
    submit(world.other, helpers.document() | {"items": items})
    for _ in range(2):
        assert compared(BOARD_DATASET).pk == world.board.pk
        assert slugs() == {"test-ic": "open", "test-ic-others-v1": "frozen"}
        assert compared("others-v1").submissions.exists()
        assert slugs() == {"test-ic": "open", "test-ic-boards-v0": "frozen"}
    assert world.board.submissions.exists()


def test_a_frozen_board_of_another_name_stays_what_it_is(world: World) -> None:
    Board.objects.update(slug="test-ic-mine", state="frozen")
    [new] = load_boards(definitions=[STORED])
    assert new.pk != world.board.pk
    assert Board.objects.get(slug="test-ic-mine").state == "frozen"


def retire(world: World) -> None:
    submit(world.other)
    make_dataset("later-v0")
    make_board(dataset="later-v0")


CHANGES: dict[str, Callable[[World], Any]] = {
    "retired": retire,
    "frozen": lambda _: Board.objects.update(state=Board.State.FROZEN),
    "changed in place": lambda _: make_board(metric="text_size_bytes"),
    "of another version": lambda _: Board.objects.update(environment_version=make_old_environment()),
    "deleted": lambda _: Board.objects.all().delete(),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_board_that_changes_after_the_check_takes_no_submission(
    world: World, api: APIClient, monkeypatch: pytest.MonkeyPatch, change: Callable[[World], Any]
) -> None:
    store = submission_services.submit

    def late(**given: Any) -> Any:
        monkeypatch.undo()
        change(world)
        return store(**given)

    monkeypatch.setattr(submission_services, "submit", late)
    answer = api.post("/api/v1/submissions/", document(), format="json")
    assert (answer.status_code, answer.json()["type"].rsplit("#")[-1]) == (409, "conflict")
    [problem] = answer.json()["errors"]
    assert (problem["field"], problem["value"]) == ("board", "test-ic")
    assert "Submit again" in problem["remedy"]
    assert not Submission.objects.filter(owner=world.user).exists()
    assert not Verification.objects.exclude(submission_items__isnull=False).exists()


def test_an_item_that_cannot_be_is_refused_by_the_database(world: World) -> None:
    submission = submit(world.user)
    good: dict[str, Any] = {"verdict": "verified", "value": 5.0, "ratio": 1.0, "log_ratio": 0.0}
    for values in (
        good | {"value": None},
        good | {"value": 0.0},
        good | {"log_ratio": None},
        good | {"ratio": None},
        good | {"reason": "env:crash"},
        *({"verdict": one, "reason": ""} for one in ("refuted", "failed", "quarantined", "withdrawn")),
        {"verdict": "pending", "reason": "env:crash"},
        {"position": 1},
        {"benchmark_uri": "benchmark://boards-v0/beta"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            SubmissionItem.objects.filter(submission=submission, position=0).update(**values)
    SubmissionItem.objects.filter(submission=submission, position=0).update(**good)


def test_a_row_without_score_or_coverage_cannot_have_a_rank(world: World) -> None:
    submission = submit(world.user)
    Standing.objects.all().delete()
    good: dict[str, Any] = {
        "board": world.board,
        "submission": submission,
        "agent_group": "agent",
        "score": 1.0,
        "verified": 3,
        "total": 3,
        "best_of_owner": True,
        "effective_actions": 0,
        "built_at": timezone.now(),
    }
    scores = ({"score": None}, {"score": 0.0}, {"score": -1.0})
    for values in (*scores, {"verified": 2}, {"verified": 0, "total": 0}, {"best_of_owner": False}):
        bad = Standing.objects.create(**(good | values))
        assert ranks(world.board) == {None}, values
        bad.delete()
    Standing.objects.create(**good)
    assert ranks(world.board) == {1}


def ranks(board: Board) -> set[int | None]:
    rows = [*standings.standings(board, EVERY_ENTRY), *(single := list(Standing.objects.all()))]
    standings.set_ranks(single)
    return {row.rank for row in rows}


def test_nobody_but_the_database_says_who_may_have_a_rank_or_more_than_is_there(world: World) -> None:
    submit(world.user)
    submit(world.user, document([[4]]))
    for column in ("rankable", "leading"):
        with connection.cursor() as cursor, pytest.raises(ProgrammingError), transaction.atomic():
            cursor.execute(f"UPDATE leaderboard_standing SET {column} = true")  # noqa: S608 - a name of ours
    with pytest.raises(IntegrityError, match="standing_one_best_of_group"), transaction.atomic():
        Standing.objects.update(best_of_owner=True)
    with pytest.raises(IntegrityError), transaction.atomic():
        Standing.objects.update(verified=4)


@pytest.mark.soak
def test_loading_the_boards_twice_changes_nothing() -> None:
    for name in ("programs-v0", "kernels-runtime-v0"):
        make_dataset(name, ["alpha"])
    for name in ("gpu-kernels-v1", "gcc-kernels-v0", "gcc-programs-v0", "synthetic-v0"):
        call_command("load_dataset", name)
    for dataset in RANGES:
        load_range(dataset=dataset)
    call_command("load_boards")
    before = list(Board.objects.values())
    call_command("load_boards")
    assert list(Board.objects.values()) == before
    assert [row["slug"] for row in before] == sorted(definition.slug for definition in BOARDS)


def test_a_plug_in_cannot_take_the_name_of_another_board() -> None:
    with pytest.raises(InvalidInput, match=f"Another board is already registered as '{BOARDS[0].slug}'"):
        register(boards=[board_spec(slug=BOARDS[0].slug)])
    assert board_specs()[: len(BOARDS)] == BOARDS


def make_old(board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(environment_version=make_old_environment())


def test_a_board_of_an_older_environment_is_retired_with_its_rows_and_replaced(world: World) -> None:
    make_old(world.board)
    [moved] = load_boards(definitions=[board_spec()])
    assert moved.pk == world.board.pk, "it had no rows"
    assert moved.environment_version.digest != "0" * 64
    submission = submit(world.user)
    Board.objects.update(environment_version=EnvironmentVersion.objects.get(digest="0" * 64))
    [new] = load_boards(definitions=[board_spec()])
    submission.board.refresh_from_db()
    assert (submission.board.slug, submission.board.state) == ("test-ic-00000000", "frozen")
    assert (new.slug, new.state) == ("test-ic", "open")
    assert new.pk != submission.board.pk


def test_a_server_may_compare_some_programs_of_a_board(settings: Settings) -> None:
    settings.OPTARENA_BOARD_PROGRAMS = {"llvm-runtime": 5, "loop_tool-cpu": 3}
    wanted = {one.slug: one.benchmarks for one in board_definitions()}
    assert wanted["llvm-runtime"] == tuple(datasets()["kernels-runtime-v0"].uris())[::3]
    assert [uri.rpartition("/")[2] for uri in wanted["loop_tool-cpu"]] == ["1021", "16384", "131072"]
    assert wanted["llvm-ic"] == ()


def load(settings: Settings, folder: Path, dataset: str) -> None:
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": dataset}
    keep_blobs_in(settings, folder / "blobs")
    load_dataset(manifest_dir=BUILTIN / dataset)
    load_boards(definitions=[one for one in board_definitions() if one.slug == "llvm-ic"])


def committed_on(dataset: str) -> dict[str, CommittedResult]:
    chosen = [one for one in committed() if (one.board.slug, one.board.dataset) == ("llvm-ic", dataset)]
    return {one.agent: one for one in chosen}


def test_baselines_of_a_servers_programs_are_submitted_once_with_their_effort(
    settings: Settings, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(CommandError, match="load_dataset programs-v0"):
        call_command("load_boards")
    load(settings, tmp_path, "kernels-v0")
    make_user("project")
    for _ in range(2):
        call_command("load_baselines", owner="project")
    results = committed_on("kernels-v0")
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


def test_what_boards_refuse_is_said(
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
