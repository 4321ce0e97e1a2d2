"""The board of finer decisions: entries may use any action space, and each is replayed in its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.utils.html import escape
from rest_framework.test import APIClient

from datasets.loading import load_dataset
from leaderboard.boards.queries import export_rows, references
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.models import Board, Submission
from optarena.datasets import BUILTIN, datasets
from optarena.specs import actions_digest, environment_spec
from runner.machines import presence
from runner.machines.machine import Machine
from runner.models import Verification
from tests.factories import make_token, make_user
from tests.kit.boards import EVERY_ENTRY, record, standing, submit, verifications
from tests.kit.posting import errors, nothing_stored, post
from tests.kit.shell import Shell, replay_everything
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client
    from pytest_django import Settings
    from pytest_django.live_server_helper import LiveServer

    from leaderboard.models import SubmissionItem

pytestmark = pytest.mark.django_db(transaction=True)
NAME = "kernels-v0"
MATRIX = f"benchmark://{NAME}/matrix"
SPEC = environment_spec("llvm-finer-v0")
LINES = {
    "": "opt -passes='function(sroa<modify-cfg>),invalidate<all>,globaldce' input.bc -o output.bc",
    "llvm-parameters-v0": "llvm-parameters sroa inline<threshold=50>",
    "llvm-functions-v0": "llvm-functions sroa@0 gvn@1 sroa@63",
    "llvm-loops-v0": "llvm-loops pass:sroa loop0:unroll=4 site0:noinline site60:inline",
}
"""A command line of each action space by which results are identified."""


@pytest.fixture
def ada(settings: Settings, tmp_path: Path) -> User:
    """Somebody on a server with the boards of finer decisions and of passes alone."""
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": NAME}
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / NAME)
    load_boards(definitions=[one for one in board_definitions() if one.slug in {"llvm-finer", "llvm-ic"}])
    return make_user("ada")


@pytest.fixture
def api(ada: User) -> APIClient:
    """The API with ada's token."""
    client = APIClient()
    _, text = make_token(ada)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def document(*items: dict[str, Any], board: str = "llvm-finer") -> dict[str, Any]:
    return {"board": board, "agent": "agent", "items": [{"benchmark": MATRIX} | item for item in items]}


def steps_of(item: SubmissionItem) -> list[dict[str, Any]]:
    assert item.verification is not None
    result: dict[str, Any] = item.verification.result or {}
    return list(result["steps"])


def test_the_page_says_which_loop_call_or_function_was_meant(ada: User, client: Client) -> None:
    lines = (LINES["llvm-loops-v0"], LINES["llvm-functions-v0"])
    others = [f"benchmark://{NAME}/sha256"]
    items = [{"commandline": lines[0]}, {"commandline": lines[1], "benchmark": others[0]}]
    submission = submit(ada, document(*items))
    replay_everything()
    loops, functions = submission.items.order_by("position")
    steps = steps_of(loops)
    assert [step["about"] for step in steps] == [None, "main:14", "main:9:0->new_matrix", ""]
    assert [step["had_no_effect"] for step in steps] == [False, False, False, True]
    page = client.get(loops.get_absolute_url()).content.decode()
    assert "main:9:0-&gt;new_matrix" in page
    assert "not in the program" in page
    assert [step["about"] for step in steps_of(functions)][1:] == ["vectors", ""]


@pytest.mark.parametrize(
    "space", [pytest.param("llvm-functions-v0", marks=pytest.mark.soak), "llvm-loops-v0"]
)
def test_questions_about_actions_of_several_parts_are_answered(
    ada: User, api: APIClient, client: Client, space: str
) -> None:
    machine = Machine(fingerprint={}, versions={})
    presence.announce_runner(name="celery@host", hardware_class="x86_64-cpu", machine=machine)
    submission = submit(ada, document({"commandline": LINES[space]}))
    replay_everything()
    item = submission.items.get()
    where = f"/api/v1/submissions/{submission.pk}/items/0/"
    for question in ("steps/1/difference/", "minimised/"):
        assert (asked := api.post(where + question)).status_code == 202, asked.json()
    replay_everything()
    difference = api.get(f"{where}steps/1/difference/").json()
    assert difference["difference"]["removed"] > 0, difference
    told = api.get(f"{where}minimised/").json()["minimised"]
    assert (told["minimal"], told["total"]) == (True, len(item.actions))
    assert told["actions"] == [item.actions[number - 1] for number in told["steps"]]
    assert 0 < len(told["actions"]) < len(item.actions)
    page = client.get(f"{item.get_absolute_url()}?step=1").content.decode()
    assert escape(told["commandline"]) in page


def test_an_entry_may_use_another_space_for_each_program(
    ada: User, client: Client, live_server: LiveServer, tmp_path: Path
) -> None:
    names = ("matrix", "sha256", "sudoku", "quicksort")
    rows = [f'benchmark://{NAME}/{name},,,"{line}"' for name, line in zip(names, LINES.values(), strict=True)]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(rows) + "\n")
    shell = Shell(live_server.url)
    shell.env["OPTARENA_TOKEN"] = shell.run("signup", "grace").stdout.strip()
    sent = shell.run("submit", path, "--board", "llvm-finer", "--agent", "mixed")
    assert sent.exit_code == 0, sent.output
    replay_everything()
    submission = Submission.objects.get()
    for item, (space, line) in zip(submission.items.order_by("position"), LINES.items(), strict=True):
        assert (item.verdict, item.reason, item.detail) == ("verified", "", "")
        assert (item.action_space, item.commandline) == (space, line)
        assert item.verification.action_space == space
        page = client.get(item.get_absolute_url()).content.decode()
        assert all(f"<code>{escape(step['name'])}</code>" in page for step in steps_of(item))
    assert standing(submission).verified == len(names)
    repeated = shell.run("replay", sent.stdout.split("submitted: ")[1].split()[0])
    assert repeated.exit_code == 0, repeated.output
    assert repeated.stdout.count("equal") == len(names)


def test_the_same_numbers_in_two_spaces_are_two_replays_and_passes_keep_their_identity(ada: User) -> None:
    pairs = [[0, 0], [1, 1]]
    spaces = ("llvm-functions-v0", "llvm-loops-v0")
    for space in spaces:
        submit(ada, document({"actions": pairs, "action_space": space}) | {"agent": space})
    found = Verification.objects.order_by("action_space")
    assert [(one.action_space, one.actions) for one in found] == [(space, pairs) for space in spaces]
    assert len({one.actions_sha256 for one in found}) == len(spaces)
    for number, passes in enumerate(
        [
            {"actions": [1, 2]},
            {"actions": [1, 2], "action_space": "llvm-commandline-v0"},
            {"commandline": SPEC.commandline([1, 2])},
        ]
    ):
        submit(ada, document(passes) | {"agent": "abc"[number]})
    submit(ada, document({"actions": [1, 2]}, board="llvm-ic"))
    of_passes = Verification.objects.exclude(action_space__in=spaces)
    assert [one.action_space for one in of_passes] == ["", ""], "on each board"
    assert {one.actions_sha256 for one in of_passes} == {actions_digest([1, 2])}
    assert actions_digest([1, 2]) == "73404391d800963c45acaa94e4a36b4f18767cc33c85b8b22985aef3f8c9f747"


def test_choices_without_a_meaning_are_left_out_of_the_identity(ada: User) -> None:
    tail = [0] * (len(SPEC.ranked_table("llvm-parameters-v0").sizes) - 2)  # type: ignore[attr-defined] # of words
    for agent, choice in (("one", 0), ("other", 1)):
        item = {"actions": [[0, choice, *tail]], "action_space": "llvm-parameters-v0"}
        submit(ada, document(item) | {"agent": agent})
    assert Verification.objects.get().actions == [[0, 0, *tail]]


REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"actions": [[0, 0]], "action_space": "llvm-loop-v0"}, "action_space", "llvm-loops-v0"),
    ({"actions": [[0, 0]], "action_space": 5}, "action_space", "ext"),
    ({"actions": [[0, 0]]}, "actions", "not an integer"),
    ({"actions": [1], "action_space": "llvm-loops-v0"}, "actions", "Give a tuple of 2 integers"),
    ({"actions": [[35, 0]], "action_space": "llvm-loops-v0"}, "actions", "from 0 to 34"),
    ({"actions": [[0, 64]], "action_space": "llvm-loops-v0"}, "actions", "from 0 to 63"),
    ({"actions": [[0, -1]], "action_space": "llvm-functions-v0"}, "actions", "from 0 to 63"),
    ({"actions": [[0]], "action_space": "llvm-parameters-v0"}, "actions", "Give a tuple of"),
    ({"actions": [[0, "x"]], "action_space": "llvm-loops-v0"}, "actions", "whole number"),
    ({"commandline": "llvm-loops loop64:unroll=2"}, "commandline", "from 0 to 63"),
    ({"commandline": "llvm-loops loop1:unroll=3"}, "commandline", "not in llvm-loops-v0"),
    ({"commandline": "llvm-functions sroa@64"}, "commandline", "from 0 to 63"),
    ({"commandline": "llvm-parameters inline<threshold=7>"}, "commandline", "no parameter"),
    ({"commandline": "llvm-nothing sroa"}, "commandline", "wrong form"),
    ({"commandline": "llvm-loops", "action_space": "llvm-loops-v0"}, "action_space", "Leave it out"),
]


def test_what_a_space_does_not_have_is_named_and_a_board_of_passes_refuses_other_spaces(
    api: APIClient,
) -> None:
    for item, field, said in REFUSED:
        answer = post(api, document(item))
        assert answer.status_code == 422, answer.json()
        assert errors(answer) == [(field, 0)]
        [problem] = answer.json()["errors"]
        assert said in f"{problem['message']} {problem['remedy']}"
    for item in (
        {"commandline": LINES["llvm-loops-v0"]},
        {"commandline": LINES["llvm-parameters-v0"]},
        {"actions": [[0, 0]], "action_space": "llvm-functions-v0"},
    ):
        answer = post(api, document(item, board="llvm-ic"))
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"] in item) == (422, True)
    assert nothing_stored()


def test_pages_and_api_say_which_boards_and_spaces_an_environment_has(ada: User, client: Client) -> None:
    assert ada.username == "ada"
    page = client.get("/environments/llvm-finer-v0/").content.decode()
    assert '<a href="/boards/llvm-finer/">llvm-finer</a>' in page
    assert "boards take their actions too" in page
    other = client.get("/environments/llvm-v0/").content.decode()
    assert "<dt>Boards</dt><dd>none</dd>" in other
    assert "boards do not take their actions" in other
    assert "never on a board" in (listed := client.get("/environments/").content.decode())
    assert "board llvm-finer" in listed
    spaces = client.get("/api/v1/environments/llvm-finer-v0/").json()["action_spaces"]
    assert [space["name"] for space in spaces] == [table.name for table in SPEC.ranked_tables]
    assert all(space["ranked"] for space in spaces)
    assert spaces[-1]["sizes"] == [35, 64]
    passes = client.get("/api/v1/environments/llvm-ic-v0/").json()["action_spaces"]
    assert [space["ranked"] for space in passes] == [True, False, False, False]


def test_the_best_entry_by_passes_alone_is_a_reference_once_there_is_one(ada: User) -> None:
    finer, passes = (Board.objects.get(slug=slug) for slug in ("llvm-finer", "llvm-ic"))
    levels = [row.level for row in references(finer)]
    assert "" not in levels
    names = [str(one.uri) for one in datasets()[NAME]]
    items = [{"benchmark": uri, "actions": [1]} for uri in names]
    submission = submit(ada, {"board": "llvm-ic", "agent": "=passes", "items": items})
    for verification in verifications(submission):
        record(verification, 1000)
    [row] = [row for row in references(finer) if row.board]
    assert (row.board, row.label, row.level) == ("llvm-ic", "=passes by ada", "")
    assert row.score == standing(submission).score
    assert row.page == submission.get_absolute_url()
    assert not [row for row in references(passes) if row.board]
    scores = [row.score for row in references(finer)]
    assert scores == sorted(scores, reverse=True)
    exported = [row for row in export_rows(finer, EVERY_ENTRY) if row[0] == "reference"]
    assert "'=passes by ada" in {row[1] for row in exported}  # no formula of a spreadsheet
    Board.objects.filter(pk=passes.pk).update(state=Board.State.FROZEN)
    assert not [row for row in references(finer) if row.board]
