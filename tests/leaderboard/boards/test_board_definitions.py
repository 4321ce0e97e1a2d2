"""What a board may compare, and what makes another board of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from datasets.loading import load_range
from leaderboard.boards.queries import board_places, board_scale
from leaderboard.boards.services import load_boards
from leaderboard.models import Board, Submission
from leaderboard.submissions import services as submission_services
from optarena.datasets import ParametricDataset, datasets
from optarena.errors import InvalidInput
from optarena.loop_tool.nest import BOARD_SIZES, MAX_ELEMENTS, parse_benchmark
from runner.models import Verification
from tests.factories import BOARD_DATASET, board_spec, make_board, make_dataset, make_old_environment
from tests.kit import boards as helpers
from tests.kit import noisy_boards as noisy_rows
from tests.kit.boards import BOARDS, World, document, submit

if TYPE_CHECKING:
    from collections.abc import Callable

    from rest_framework.test import APIClient

    from optarena.specs import BoardSpec

[CPU] = [one for one in BOARDS if one.slug == "loop_tool-cpu"]
STORED = board_spec(title="t", description="d")


def test_the_boards_of_loop_tool_compare_eight_sizes_on_their_own_device() -> None:
    boards = {one.slug: one for one in BOARDS if one.environment == "loop_tool-v0"}
    assert set(boards) == {"loop_tool-cpu", "loop_tool-cuda"}
    for board in boards.values():
        sizes = [parse_benchmark(uri) for uri in board.benchmarks]
        assert sizes == [(board.device, size) for size in BOARD_SIZES]
    assert sum(size % 2 for size in BOARD_SIZES) == 3
    assert {2**power for power in (10, 14, 17, 20, 23)} <= set(BOARD_SIZES)
    assert max(BOARD_SIZES) <= MAX_ELEMENTS


def test_a_board_is_provisional_if_its_definition_says_so(noisy: World) -> None:
    assert (noisy.board.provisional, noisy.board.provisional_notice) == (False, "")
    assert (noisy.board.exact, noisy.board.baseline_level) == (False, "")
    submission = noisy_rows.entry(noisy, 8.0)
    [board] = load_boards(definitions=[replace(CPU, provisional=True)])
    assert (board.pk, board.provisional) == (noisy.board.pk, True)
    assert "it has no ranks until" in board.provisional_notice
    assert helpers.standing(submission).rank is None


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
        {"benchmarks": CPU.benchmarks[:4]},
        {"metric": "reference_gflops"},
        {"reference_metric": "gflops"},
        {"device": "cuda"},
    ],
    ids=str,
)
def test_a_board_that_compares_something_else_takes_the_place_of_one_with_entries(
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
        load_boards(definitions=[replace(CPU, benchmarks=CPU.benchmarks[: number + 1])])
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
    """Have the board frozen under another slug, and a new one in its place."""
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
