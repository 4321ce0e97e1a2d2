"""What a board may compare, and what makes another board of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.db import IntegrityError, transaction

from datasets.loading import load_range
from leaderboard.boards.queries import board_places, board_scale
from leaderboard.boards.services import load_board, load_boards
from leaderboard.models import Board, Submission
from leaderboard.submissions import services as submission_services
from optarena.datasets import ParametricDataset, datasets
from optarena.errors import InvalidInput, UnknownName
from optarena.loop_tool.nest import BOARD_SIZES, MAX_ELEMENTS, parse_benchmark
from runner.models import Verification
from tests.factories import BOARD_DATASET, board_spec, make_board, make_dataset, make_old_environment
from tests.kit import boards as helpers
from tests.kit import noisy_boards as noisy_rows
from tests.kit.boards import BOARDS, World, document, submit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rest_framework.test import APIClient

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


@pytest.fixture
def world_of_counts(noisy: World) -> World:
    """A board of exact counts beside the noisy one."""
    make_dataset()
    return replace(noisy, board=load_board(definition=STORED))


def test_loading_a_board_again_changes_nothing(noisy: World) -> None:
    before = list(Board.objects.values())
    load_boards(definitions=[CPU])
    assert list(Board.objects.values()) == before


@pytest.mark.parametrize(
    ("changes", "error", "says"),
    [
        ({"reference_metric": "speed"}, UnknownName, "no metric speed"),
        ({"baseline_level": "Oz"}, InvalidInput, "baseline level 'Oz' and the reference metric"),
        ({"reference_metric": ""}, InvalidInput, "baseline level '' and the reference metric ''"),
        ({"benchmarks": ()}, InvalidInput, "has ranges only"),
        (
            {"benchmarks": ("benchmark://loop_tool-cpu-v0/0",)},
            InvalidInput,
            "loop_tool-cpu-v0/0, which is no",
        ),
        (
            {"benchmarks": ("benchmark://loop_tool-cuda-v0/1",)},
            InvalidInput,
            "not a benchmark of loop_tool-cpu-v0",
        ),
        ({"benchmarks": ("loop_tool-cpu-v0/1",)}, InvalidInput, "canonical URIs"),
        ({"benchmarks": ("benchmark://loop_tool-cpu-v0/1",) * 2}, InvalidInput, "lists a benchmark twice"),
        ({"device": "abacus"}, InvalidInput, "'abacus' is unknown; give one of: cpu, cuda"),
        ({"reference_metric": "", "baseline_level": "O1"}, InvalidInput, "has no baseline"),
    ],
    ids=str,
)
def test_a_board_that_could_not_score_is_refused(
    noisy: World, changes: dict[str, Any], error: type[InvalidInput], says: str
) -> None:
    with pytest.raises(error, match=says):
        load_boards(definitions=[replace(CPU, slug="other", **changes)])
    assert Board.objects.count() == 1


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
    noisy_entry: Board, changes: dict[str, Any]
) -> None:
    [new] = load_boards(definitions=[replace(CPU, **changes)])
    noisy_entry.refresh_from_db()
    digest = noisy_entry.environment_version.digest[:8]
    assert (noisy_entry.slug, noisy_entry.state) == (f"loop_tool-cpu-{digest}", "frozen")
    assert (new.slug, new.state, new.pk != noisy_entry.pk) == ("loop_tool-cpu", "open", True)


@pytest.fixture
def noisy_entry(noisy: World) -> Board:
    """A noisy board with an entry."""
    submit(noisy.user, entry_on(noisy.board.benchmarks))
    return noisy.board


def entry_on(uris: Sequence[str]) -> dict[str, Any]:
    return noisy_rows.document(uris=uris)


def test_boards_that_change_again_and_again_keep_a_name_each(noisy: World) -> None:
    slugs = set()
    for number in range(1, 4):
        submit(noisy.user, entry_on(noisy.board.benchmarks[:1]))
        load_boards(definitions=[replace(CPU, benchmarks=CPU.benchmarks[: number + 1])])
        slugs = set(Board.objects.values_list("slug", flat=True))
    digest = noisy.board.environment_version.digest[:8]
    old = f"loop_tool-cpu-{digest}"
    assert slugs == {"loop_tool-cpu", old, f"{old}-2", f"{old}-3"}


def test_a_board_without_entries_just_changes(noisy: World) -> None:
    [new] = load_boards(definitions=[replace(CPU, benchmarks=CPU.benchmarks[:2])])
    assert new.pk == noisy.board.pk
    assert tuple(board_places(new)) == CPU.benchmarks[:2]


def test_a_board_of_stored_programs_may_compare_some_of_them(world_of_counts: World) -> None:
    assert tuple(board_places(world_of_counts.board)) == helpers.URIS
    [some] = load_boards(definitions=[replace(STORED, benchmarks=helpers.URIS[:2])])
    assert tuple(board_places(some)) == helpers.URIS[:2]
    assert tuple(board_scale(some).benchmarks) == helpers.URIS[:2]
    submission = submit(world_of_counts.user, helpers.document([[1], [2]]))
    helpers.record_all(submission, 100, 50)
    assert submission.board == some
    row = some.standings.get()
    assert (row.verified, row.total) == (1, 2)  # the second waits for a reviewer


@pytest.mark.parametrize("changes", [{"baseline_level": "Oz"}, {"reference_metric": ""}], ids=str)
def test_the_database_refuses_a_board_that_compares_with_two_things_or_none(
    noisy: World, changes: dict[str, str]
) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Board.objects.update(**changes)


def test_a_board_compares_no_programs_that_a_generator_makes(noisy: World) -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    load_range(dataset=dataset)
    changes: dict[str, Any] = {"dataset": "synthetic-v0", "benchmarks": ("generator://synthetic-v0/42",)}
    with pytest.raises(InvalidInput, match="whose program is generated") as raised:
        load_boards(definitions=[replace(CPU, slug="made", **changes)])
    assert (raised.value.field, raised.value.value) == ("benchmarks", "generator://synthetic-v0/42")


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
