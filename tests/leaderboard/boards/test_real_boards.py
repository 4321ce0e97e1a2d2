"""The boards that a server has, with real programs of each compiler: results are verified by replay."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.utils.html import escape
from rest_framework.test import APIClient

from datasets.loading import load_dataset
from leaderboard.boards.queries import export_rows, references
from leaderboard.boards.services import board_definitions, load_boards
from leaderboard.models import BestResult, Board, Submission, SubmissionItem
from leaderboard.submissions.documents import MalformedDocument
from leaderboard.submissions.queries import measurement
from optarena.datasets import BUILTIN, datasets
from optarena.errors import InvalidDocument
from optarena.gpu_kernels import build_dataset
from optarena.gpu_kernels.actions import PASSES
from optarena.specs import actions_digest, environment_spec
from runner.database import database_now
from runner.machines import presence
from runner.machines.machine import Machine, describe
from runner.models import Demand, Verification
from runner.queue import leases, requests, transitions
from runner.queue.sweeping import sweep
from runner.work.driver import drive
from tests.factories import make_token, make_user
from tests.kit.boards import BOARDS, EVERY_ENTRY, record, standing, submit, verifications
from tests.kit.noisy_boards import measurement as measurement_of
from tests.kit.pages import text
from tests.kit.posting import errors, nothing_stored, post
from tests.kit.shell import Shell, replay_everything
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from pytest_django import Settings
    from pytest_django.live_server_helper import LiveServer


pytestmark = pytest.mark.django_db(transaction=True)


KERNELS = "kernels-v0"
MATRIX = f"benchmark://{KERNELS}/matrix"
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
    settings.OPTARENA_BOARD_DATASETS = {"programs-v0": KERNELS}
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / KERNELS)
    load_boards(definitions=[one for one in board_definitions() if one.slug in {"llvm-finer", "llvm-ic"}])
    return make_user("ada")


@pytest.fixture
def api(ada: User) -> APIClient:
    client = APIClient()
    _, text = make_token(ada)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


def document(*items: dict[str, Any], board: str = "llvm-finer") -> dict[str, Any]:
    return {
        "board": board,
        "agent": "agent",
        "open": True,
        "items": [{"benchmark": MATRIX} | item for item in items],
    }


def steps_of(item: SubmissionItem) -> list[dict[str, Any]]:
    assert item.verification is not None
    result: dict[str, Any] = item.verification.result or {}
    return list(result["steps"])


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


@pytest.mark.soak
def test_an_entry_may_use_another_space_for_each_program(
    ada: User, client: Client, live_server: LiveServer, tmp_path: Path
) -> None:
    names = ("sudoku", "quicksort", "sha256", "matrix")
    rows = [
        f'benchmark://{KERNELS}/{name},,,"{line}"' for name, line in zip(names, LINES.values(), strict=True)
    ]
    path = tmp_path / "results.csv"
    path.write_text("\n".join(rows) + "\n")
    shell = Shell(live_server.url)
    shell.env["OPTARENA_TOKEN"] = shell.run("signup", "grace").stdout.strip()
    sent = shell.run("submit", path, "--board", "llvm-finer", "--agent", "mixed")
    assert sent.exit_code == 0, sent.output
    replay_everything()
    submission = Submission.objects.get()
    client.force_login(submission.owner)  # its sequences are closed to others
    for item, (space, line) in zip(submission.items.order_by("position"), LINES.items(), strict=True):
        assert (item.verdict, item.reason, item.detail) == ("verified", "", "")
        assert (item.action_space, item.commandline) == (space, line)
        assert item.verification.action_space == space
        page = client.get(item.get_absolute_url()).content.decode()
        assert all(f"<code>{escape(step['name'])}</code>" in page for step in steps_of(item))
    assert standing(submission).verified == len(names)
    functions, loops = submission.items.order_by("position")[2:]
    assert [step["about"] for step in steps_of(functions)][1:] == ["vectors", ""]
    assert [step["about"] for step in steps_of(loops)] == [None, "main:14", "main:9:0->new_matrix", ""]
    assert [step["had_no_effect"] for step in steps_of(loops)] == [False, False, False, True]
    page = client.get(loops.get_absolute_url()).content.decode()
    assert "main:9:0-&gt;new_matrix" in page, "it says which loop, call or function was meant"
    assert "not in the program" in page
    repeated = shell.run("replay", sent.stdout.split("submitted: ")[1].split()[0])
    assert repeated.exit_code == 0, repeated.output
    assert repeated.stdout.count("equal") == len(names)


@pytest.mark.django_db
def test_the_same_numbers_in_two_spaces_are_two_replays_and_passes_keep_their_identity(ada: User) -> None:
    pairs = [[0, 0], [1, 1]]
    spaces = ("llvm-functions-v0", "llvm-loops-v0")
    for space in spaces:
        submit(ada, document({"actions": pairs, "action_space": space}) | {"agent": space})
    found = Verification.objects.order_by("action_space")
    assert [(one.action_space, one.actions) for one in found] == [(space, pairs) for space in spaces]
    assert len({one.actions_sha256 for one in found}) == len(spaces)
    same: list[dict[str, Any]] = [
        {"actions": [1, 2]},
        {"actions": [1, 2], "action_space": "llvm-commandline-v0"},
        {"commandline": SPEC.commandline([1, 2])},
    ]
    for number, passes in enumerate(same):
        submit(ada, document(passes) | {"agent": "abc"[number]})
    submit(ada, document({"actions": [1, 2]}, board="llvm-ic"))
    of_passes = Verification.objects.exclude(action_space__in=spaces)
    assert [one.action_space for one in of_passes] == ["", ""], "on each board"
    assert {one.actions_sha256 for one in of_passes} == {actions_digest([1, 2])}
    assert actions_digest([1, 2]) == "73404391d800963c45acaa94e4a36b4f18767cc33c85b8b22985aef3f8c9f747"


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_what_a_space_or_a_board_of_passes_does_not_have_is_named(api: APIClient) -> None:
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


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_the_best_entry_by_passes_alone_is_a_reference_once_there_is_one(ada: User) -> None:
    finer, passes = (Board.objects.get(slug=slug) for slug in ("llvm-finer", "llvm-ic"))
    levels = [row.level for row in references(finer)]
    assert "" not in levels
    names = [str(one.uri) for one in datasets()[KERNELS]]
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


def submit_line(shell: Shell, folder: Path, slug: str, line: str, names: tuple[str, ...] = PROGRAMS) -> None:
    file = folder / f"{slug}.csv"
    with file.open("w", newline="") as written:
        rows = csv.writer(written)
        rows.writerow(["benchmark", "reward", "walltime", "commandline"])
        rows.writerows([f"benchmark://{PLACES[slug]}/{name}", "", "", line] for name in names)
    done = shell.run("submit", file, "--board", slug, "--agent", "one line")
    assert done.exit_code == 0, done.output
    replay_everything()


@pytest.mark.soak
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
    submit_line(shell, tmp_path, "llvm-loadsize", passes)
    submit_line(shell, tmp_path, "gcc-codesize", "gcc -Oz -c program.c -o program.o", ("sudoku",))
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


@pytest.mark.django_db
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


PROGRAMS_V0 = "programs-v0"
LLVM = tuple(board.slug for board in BOARDS if board.dataset == PROGRAMS_V0)


@pytest.fixture
def boards(settings: Settings, tmp_path: Path) -> list[Board]:
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / PROGRAMS_V0)
    return load_boards(definitions=[one for one in board_definitions() if one.slug in LLVM])


@pytest.mark.soak
def test_real_programs_are_verified(boards: list[Board], live_server: LiveServer, tmp_path: Path) -> None:
    spec = environment_spec("llvm-codesize-v0")
    names = list(spec.action_table.names)
    commandline = spec.commandline([names.index(name) for name in ("sroa", "instcombine", "simplifycfg")])
    path = tmp_path / "results.csv"
    path.write_text(
        f'benchmark://{PROGRAMS_V0}/siphash,,,"{commandline}"\nbenchmark://{PROGRAMS_V0}/qoi,,,"{commandline}"\n'
    )
    shell = Shell(live_server.url)
    shell.env["OPTARENA_TOKEN"] = shell.run("signup", "ada").stdout.strip()
    result = shell.run("submit", path, "--board", "llvm-codesize", "--agent", "three passes")
    assert result.exit_code == 0, result.output
    replay_everything()
    items = Submission.objects.get().items.all()
    assert [item.verdict for item in items] == ["verified", "verified"]
    assert len(boards) == len(LLVM)


TIMED = "kernels-runtime-v0"
SUDOKU = f"benchmark://{TIMED}/sudoku"


@pytest.fixture
def timing_ada(settings: Settings, tmp_path: Path) -> User:
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / TIMED)
    [board] = load_boards(definitions=[one for one in BOARDS if one.slug == "llvm-runtime"])
    assert (board.exact, board.provisional, board.reference_metric) == (False, False, "reference_seconds")
    return make_user("ada")


def timed_document(**claims: float) -> dict[str, Any]:
    names = environment_spec("llvm-runtime-v0").action_table.names
    actions = [names.index(name) for name in ("sroa", "instcombine", "simplifycfg")]
    items = [{"benchmark": SUDOKU, "actions": actions, "claims": claims}]
    return {"board": "llvm-runtime", "agent": "three passes", "items": items}


@pytest.mark.soak
def test_a_real_replay_times_a_program_beside_o3_and_so_does_a_repetition(timing_ada: User) -> None:
    bold = submit(timing_ada, timed_document(speedup=50.0))
    modest = submit(timing_ada, timed_document(speedup=0.01) | {"agent": "modest"})
    assert drive(worker="test") == 1  # both are the same work
    item = bold.items.get()
    assert (item.verdict, item.reason, item.claim_status) == ("verified", "", {"speedup": "optimistic"})
    assert modest.items.get().claim_status == {"speedup": "consistent"}
    assert item.ratio == pytest.approx(item.measured["speedup"])
    low, high = item.ratio_interval or (0.0, 0.0)
    assert 0.0 < low < item.ratio < high
    found = measurement(item)
    assert found is not None
    assert len([block for block in found.blocks if not block.discarded]) >= 5
    assert all(block.readings and block.reference_readings for block in found.blocks)
    row = standing(bold)
    assert row.score == pytest.approx(item.ratio ** (1 / 15))  # fourteen programs count as the reference
    assert (row.verified, row.total, row.rank) == (1, 15, None)
    assert item.verification_id is not None
    requests.request_repetition(verification_id=item.verification_id, actor="test", blocks=4)
    assert drive(worker="test") == 1
    before, freedom = item.log_ratio, item.log_freedom
    item.refresh_from_db()
    assert freedom is not None
    assert item.log_freedom is not None
    assert item.log_freedom >= 8 > freedom
    assert (item.verdict, item.log_ratio == before) == ("verified", False)


@pytest.mark.django_db
def test_seconds_cannot_be_claimed_and_the_remedy_names_what_can(timing_ada: User) -> None:
    with pytest.raises(InvalidDocument) as caught:
        submit(timing_ada, timed_document(runtime_seconds=0.01, reference_seconds=0.02))
    problems = {problem.field: problem for problem in caught.value.problems}
    assert set(problems) == {"claims.runtime_seconds", "claims.reference_seconds"}
    for problem in problems.values():
        assert "means nothing on another machine" in problem.message
        assert problem.remedy == "Claim speedup, or nothing."
    for value in (float("nan"), -1.0, 1e300):
        with pytest.raises((InvalidDocument, MalformedDocument), match=r"finite number"):
            submit(timing_ada, timed_document(speedup=value))
    for value in (0.0, 1e9):  # which is only compared
        assert submit(timing_ada, timed_document(speedup=value)).items.get().claims == {"speedup": value}


@pytest.mark.soak
def test_the_blocks_of_a_worker_that_dies_are_kept(timing_ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    submission = submit(timing_ada, timed_document())
    keep = leases.keep_blocks

    def die_after_two(*, lease: leases.Lease, blocks: Sequence[Mapping[str, Any]]) -> None:
        keep(lease=lease, blocks=blocks)
        if len(blocks) == 2:
            raise SystemExit

    monkeypatch.setattr(leases, "keep_blocks", die_after_two)
    with pytest.raises(SystemExit):
        drive(worker="dying")
    row = Verification.objects.get()
    kept = row.kept_blocks
    assert kept is not None
    assert len(kept) == 2
    monkeypatch.setattr(leases, "keep_blocks", keep)
    sweep(now=database_now() + timedelta(hours=1))
    Verification.objects.update(available_at=database_now())
    Demand.objects.update(available_at=database_now())
    assert drive(worker="next") == 1
    row.refresh_from_db()
    assert (row.state, row.kept_blocks) == ("recorded", None)
    assert row.result is not None
    readings = [block["candidate"]["readings"] for block in row.result["measurement"]["blocks"]]
    assert readings[:2] == [block["candidate"]["readings"] for block in kept]
    assert submission.items.get().verdict == "verified"


CPU, CUDA = "x86_64-cpu", "x86_64-cuda"
NAMES = {
    "value": "runtime_seconds",
    "reference": "nvcc_seconds",
    "ratio": "speedup",
    "others": ["reference_seconds"],
}
ROW = '<tr><th scope="row">{}</th><td class="num">{}</td><td class="num">'
FIRST = f"1 of them is replayed, checked and compiled by a runner of class {CPU} first"


@pytest.fixture
def gpu_ada(settings: Settings, tmp_path: Path) -> User:
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=build_dataset.FOLDER)
    load_boards(definitions=[one for one in BOARDS if one.slug == "gpu-kernels"])
    return make_user("ada")


def gpu_document(*kernels: str) -> dict[str, Any]:
    actions = [PASSES.names.index(name) for name in ("sroa", "instcombine")]
    items = [{"benchmark": f"benchmark://gpu-kernels-v1/{one}", "actions": actions} for one in kernels]
    return {"board": "gpu-kernels", "agent": "two passes", "items": items}


def test_the_queue_says_what_waits_for_which_runner(gpu_ada: User, client: Client) -> None:
    submission = submit(gpu_ada, gpu_document("vector-add"))
    page = text(client.get("/queue/"))
    assert f"1 replay waits for a runner of class {CUDA}; no such runner is live" in page
    assert f"{FIRST}; no such runner takes work now." in page
    presence.announce_runner(name="a GPU", hardware_class=CUDA, machine=describe())
    page = text(client.get("/queue/"))
    assert "no such runner is live" not in page
    assert f"{FIRST}; no such runner takes work now." in page
    presence.announce_runner(name="a CPU", hardware_class=CPU, machine=describe())
    assert f"{FIRST}." in text(client.get("/queue/"))
    assert drive(worker="a CPU") == 1
    page = text(client.get("/queue/"))
    assert "of them is replayed" not in page
    shown = text(client.get(submission.get_absolute_url()))
    assert "First replay started" in shown
    assert "interrupted" not in shown


def record_what_a_gpu_measured(**details: Any) -> None:
    lease = leases.lease_next(worker="a GPU")
    assert lease is not None
    row = Verification.objects.get(pk=lease.verification_id)
    assert row.prepared is not None
    metrics = {"runtime_seconds": 2.0, "nvcc_seconds": 4.0, "reference_seconds": 5.0, "speedup": 2.0}
    blocks = measurement_of(2.0, 4.0)["blocks"]
    for block, ratio in zip(blocks, (1.9, 2.0, 2.1), strict=True):
        block |= {"ratio": ratio, "pairs": [ratio]}
    measured = measurement_of(2.0, 4.0, metrics=sorted(metrics), names=NAMES, blocks=blocks, interval={})
    measured |= details
    result = {**row.prepared["result"], "version": 4, "metrics": metrics, "measurement": measured}
    outcome = transitions.ReplayOutcome(result=result, metrics=metrics, sandbox={})
    leases.record(lease=lease, outcome=outcome)


def test_o3_is_a_row_beside_nvcc_once_it_was_measured_with_each_kernel(
    gpu_ada: User, settings: Settings, client: Client
) -> None:
    document = gpu_document("vector-add", "transpose")
    compared = tuple(one["benchmark"] for one in document["items"])
    load_boards(
        definitions=[replace(one, benchmarks=compared) for one in BOARDS if one.slug == "gpu-kernels"]
    )
    board = Board.objects.get(slug="gpu-kernels")
    submit(gpu_ada, document)
    assert drive(worker="a CPU") == 2
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    for _ in compared:
        assert [row.label for row in references(board)] == ["nvcc -O3"]
        record_what_a_gpu_measured()
    rows = [(row.label, row.level, row.score) for row in references(board)]
    assert rows == [("nvcc -O3", "NvccO3", 1.0), ("LLVM -O3", "", pytest.approx(0.8))]
    shown = text(client.get("/boards/gpu-kernels/"))
    assert "measured in the same blocks, here those of the best result of each program" in shown


def test_a_kernels_page_shows_what_limits_it_and_how_close_what_was_measured_comes(
    gpu_ada: User, settings: Settings, client: Client
) -> None:
    """Before the board measures it, what a device was measured to do before; without that, nothing."""
    page = "/datasets/gpu-kernels-v1/{}/".format
    before = text(client.get(page("vector-add")))
    assert "An NVIDIA H200 was measured to copy 4.20 TB a second" in before
    assert "copying limits this program there: no launch takes less than 95.9 µs" in before
    assert f"{ROW.format('LLVM -O3', '110.4')}86.84 %</td>" in before
    assert "the code of nvcc was not timed" in before
    assert "computing limits this program" in text(client.get(page("matrix-product")))
    assert "Roofline" not in text(client.get(page("convolution")))
    assert "<circle" in client.get(page("vector-add")).content.decode()
    idle = text(client.get(page("transpose")))  # it computes nothing
    assert "Of copying" in idle
    assert "Of computing" not in idle

    submit(gpu_ada, gpu_document("vector-add", "convolution", "transpose", "reduction"))
    assert drive(worker="a CPU") == 4
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    known = "NVIDIA H100 80GB HBM3"
    record_what_a_gpu_measured(device=known)
    record_what_a_gpu_measured(device=known)
    record_what_a_gpu_measured(device="A device of which nothing is known")
    record_what_a_gpu_measured(device=[known])
    for shown in (text(client.get(page(one))) for one in ("vector-add", "convolution")):
        assert f"An {known} was measured to copy 3.06 TB a second" in shown
        assert ROW.format("Best result of GPU kernels", "2,000,000.0") in shown
        assert ROW.format("nvcc -O3", "4,000,000.0") in shown
        assert "H200" not in shown
    for shown in (text(client.get(page(one))) for one in ("transpose", "reduction")):
        assert "An NVIDIA H200 was measured" in shown
        assert "Best result of GPU kernels" not in shown


def test_boards_of_the_former_kernels_still_compare_with_o3(gpu_ada: User) -> None:
    del gpu_ada
    former = build_dataset.FOLDER.parent / "gpu-kernels-v0"
    load_dataset(manifest_dir=former)
    own = [replace(one, dataset=former.name) for one in BOARDS if one.slug == "gpu-kernels"]
    [board] = load_boards(definitions=[replace(one, reference_metric="reference_seconds") for one in own])
    assert [row.label for row in references(board)] == ["LLVM -O3"]


def test_what_a_gpu_measures_is_scored_without_a_rank(gpu_ada: User, settings: Settings) -> None:
    submission = submit(gpu_ada, gpu_document("vector-add"))
    drive(worker="a CPU")
    assert submission.items.get().verdict == "pending"
    settings.OPTARENA_HARDWARE_CLASS = CUDA
    record_what_a_gpu_measured()
    item = submission.items.get()
    assert (item.verdict, item.reason) == ("verified", "")
    assert item.ratio == pytest.approx(2.0, rel=0.01)
    shown = standing(submission)
    assert shown.score == pytest.approx(item.ratio ** (1 / 15))
    assert (shown.verified, shown.total, shown.rank) == (1, 15, None)
