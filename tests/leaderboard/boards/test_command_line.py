"""The command line against the real server and real replays: from sign-up to a repeated result."""

from __future__ import annotations

import json
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client as Browser
from django.utils import timezone

from datasets.loading import load_dataset
from leaderboard.boards.services import load_boards
from leaderboard.models import IdempotencyKey, Submission
from leaderboard.submissions.quotas import payer_of
from optarena.client import Client
from optarena.datasets import BUILTIN
from optarena.deploy.recipe import read_recipe
from optarena.specs import environment_spec
from optarena.state import read_states
from runner.database import database_now
from runner.models import Payer, Verification
from tests.kit.boards import BOARDS
from tests.kit.shell import Shell, replay_everything, worker_beside
from tests.kit.storage import keep_blobs_in

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings
    from pytest_django.live_server_helper import LiveServer

pytestmark = pytest.mark.django_db(transaction=True)
URI = "benchmark://kernels-v0/quicksort"


@pytest.fixture
def shell(live_server: LiveServer, settings: Settings, tmp_path: Path) -> Shell:
    keep_blobs_in(settings, tmp_path / "blobs")
    load_dataset(manifest_dir=BUILTIN / "kernels-v0")
    load_boards(definitions=[replace(BOARDS[0], dataset="kernels-v0")])
    made = Shell(live_server.url)
    result = made.run("signup", "ada")
    assert result.exit_code == 0, result.output
    made.env["OPTARENA_TOKEN"] = result.stdout.strip()
    return made


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A file with one program's result."""
    spec = environment_spec("llvm-ic-v0")
    names = list(spec.action_table.names)
    actions = [names.index(name) for name in ("sroa", "sroa", "instcombine")]
    path = tmp_path / "results.csv"
    path.write_text(f'{URI},,,"{spec.commandline(actions)}"\n')
    return path


def item_url(shell: Shell) -> str:
    return f"{shell.env['OPTARENA_URL']}/submissions/{Submission.objects.get().pk}/items/0/"


def test_a_result_is_submitted_verified_and_repeated(shell: Shell, results: Path) -> None:
    with worker_beside():
        result = shell.submit(results, "--wait", "--compilations", "1")
    assert "verified" in result.stdout, result.output
    assert "unranked" in result.stdout
    assert result.exit_code == 0
    repeated = shell.run("replay", item_url(shell))
    assert repeated.exit_code == 0, repeated.output
    assert "equal: 3 steps" in repeated.stdout
    whole = shell.run("replay", item_url(shell).replace("items/0/", ""))
    assert "equal" in whole.stdout


def test_what_may_be_read_becomes_a_recipe(shell: Shell, results: Path, tmp_path: Path) -> None:
    shell.submit(results)
    whole = item_url(shell).replace("items/0/", "")
    early = shell.run("deploy", "recipe", whole, "--output", str(tmp_path / "early.json"))
    assert early.exit_code == 2
    assert "Item 0 is not verified: pending" in early.stderr
    replay_everything()
    for number, url in enumerate((item_url(shell), whole)):
        target = tmp_path / f"{number}.json"
        made = shell.run("deploy", "recipe", url, "--output", str(target))
        assert made.exit_code == 0, made.output
        _, sequence = read_recipe(target).rules[0].sequences
        assert len(sequence.actions) == 3
        assert sequence.origin["address"] == item_url(shell)
        assert sequence.origin["agent"] == Submission.objects.get().agent
    shell.env["OPTARENA_TOKEN"] = ""
    refused = shell.run("deploy", "recipe", whole, "--output", str(tmp_path / "hidden.json"))
    assert refused.exit_code == 2
    assert "You may not read the actions of this item" in refused.stderr
    assert not (tmp_path / "hidden.json").exists()
    submission = Submission.objects.get()
    submission.items.update(opens_at=timezone.now())
    base, board = whole.partition("/submissions/")[0], submission.board.slug
    target = tmp_path / "board.json"
    for place in (
        f"boards/{board}/",
        f"boards/{board}/build/",
        f"api/v1/boards/{board}/export/?format=recipe",
    ):
        for metric in ("load_size_bytes", "text_size_bytes"):
            made = shell.run(
                "deploy", "recipe", f"{base}/{place}", "--metric", metric, "--output", str(target)
            )
            assert made.exit_code == 0, made.output
            assert read_recipe(target).metric == metric
            _, sequence = read_recipe(target).rules[0].sequences
            assert (len(sequence.actions), sequence.expected) == (3, None)


def test_what_a_server_says_otherwise_is_named(shell: Shell, results: Path) -> None:
    shell.submit(results)
    replay_everything()
    shown = json.loads(json.dumps(Verification.objects.get().result))
    Submission.objects.get().items.update(verification=None)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE runner_verification DISABLE TRIGGER USER")
        shown["steps"][1]["cost"] += 1
        cursor.execute("UPDATE runner_verification SET result = %s", [json.dumps(shown)])
        cursor.execute("ALTER TABLE runner_verification ENABLE TRIGGER USER")
    Submission.objects.get().items.update(verification=Verification.objects.get())
    result = shell.run("replay", item_url(shell))
    assert result.exit_code == 1
    assert "differs at step 1: ir_instructions" in result.stdout
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE runner_verification DISABLE TRIGGER USER")
        cursor.execute("UPDATE runner_verification SET benchmark_sha256 = %s", ["0" * 64])
        cursor.execute("ALTER TABLE runner_verification ENABLE TRIGGER USER")
    result = shell.run("replay", item_url(shell))
    assert result.exit_code == 2
    assert "is another program here" in result.stderr


def test_a_wrong_claim_is_refuted_and_ends_with_one(shell: Shell, results: Path, tmp_path: Path) -> None:
    claimed = tmp_path / "claimed.csv"
    claimed.write_text(
        "benchmark,reward,walltime,commandline,ir_instructions\n" + results.read_text().strip() + ",7\n"
    )
    shell.submit(claimed)
    replay_everything()
    result = shell.submit(claimed, "--wait")
    assert result.exit_code == 1
    assert shell.run("download", str(Submission.objects.get().pk)).stdout == claimed.read_text()
    assert "claim:mismatch" in result.stdout
    assert "claimed 7, measured" in result.stdout


def test_the_same_command_twice_makes_one_submission(shell: Shell, results: Path) -> None:
    dry = shell.submit(results, "--dry-run")
    assert (dry.exit_code, Submission.objects.count(), IdempotencyKey.objects.count()) == (0, 0, 0)
    assert "1 item can be submitted to llvm-ic" in dry.stdout
    first, second = shell.submit(results), shell.submit(results)
    assert first.stdout.startswith("submitted: ")
    assert second.stdout == first.stdout.replace("submitted: ", "submitted before: ", 1)
    assert "Position 1 in the queue" in first.stdout
    early = shell.run("replay", item_url(shell))
    assert early.exit_code == 0
    assert "nothing to compare" in early.stdout
    assert Submission.objects.count() == 1
    assert shell.submit(results, "--key", "another").exit_code == 0
    assert Submission.objects.count() == 2


def overdraw(seconds: float) -> None:
    name = payer_of(User.objects.get(username="ada").pk)
    given = {"used_seconds": 3600 + seconds, "counted_at": database_now()}
    Payer.objects.update_or_create(name=name, defaults=given)


def test_over_the_quota_it_says_when_or_waits(shell: Shell, results: Path, settings: Settings) -> None:
    settings.OPTARENA_BUDGET_SECONDS, settings.OPTARENA_BUDGET_HOURS = 3600, 1
    overdraw(600)
    refused = shell.submit(results)
    assert refused.exit_code == 2
    assert "Of your quota of 1.0 h in 1.0 h, 0 ms are left." in refused.stderr
    assert any(f"Submit again in {minutes} min" in refused.stderr for minutes in (10, 11))
    assert not Submission.objects.exists()
    for seconds in (1, 8, 64):  # a busy machine may ask when that is paid back already
        commandline = environment_spec("llvm-ic-v0").commandline([seconds])
        results.write_text(f'{URI},,,"{commandline}"\n')  # new work each time
        overdraw(seconds)
        with worker_beside():
            accepted = shell.submit(results, "--wait")
        assert accepted.exit_code == 0, accepted.output
        if "Trying again in" in accepted.stderr:
            break
    assert "Trying again in" in accepted.stderr


def test_what_the_server_refuses_is_listed_line_by_line(shell: Shell, results: Path) -> None:
    result = shell.run("submit", results, "--board", "none", "--agent", "a", "--link", "ftp://x")
    assert result.exit_code == 2
    lines = result.stderr.strip().splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["url", "board"]
    assert "Boards: llvm-ic." in lines[1]
    good = results.read_text()
    results.write_text(f"benchmark,reward,walltime,commandline\n{good}{good.replace('quicksort', 'none')}")
    result = shell.submit(results)
    assert (result.exit_code, "row 3: benchmark: " in result.stderr) == (2, True)
    listed = results.with_suffix(".json")
    listed.write_text(json.dumps([{"benchmark": "benchmark://kernels-v0/none", "commandline": "opt"}]))
    assert "row 0: benchmark: " in shell.submit(listed).stderr
    result = shell.submit(results, "--token", "nonsense")
    assert (result.exit_code, "/accounts/tokens/" in result.stderr) == (2, True)


def test_a_dataset_is_downloaded_with_every_program_checked(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "kernels"
    result = shell.run("datasets", "download", "kernels-v0", "--to", folder)
    assert result.exit_code == 0, result.output
    for program in (BUILTIN / "kernels-v0").glob("*.bc"):
        assert (folder / program.name).read_bytes() == program.read_bytes()
    assert shell.run("datasets", "download", "none-v0", "--to", folder).exit_code == 2


def test_a_login_serves_all_commands_until_the_logout(
    shell: Shell, results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "data"))
    made = shell.run("token", "ada")
    assert (made.exit_code, made.stdout.strip() != shell.env.pop("OPTARENA_TOKEN")) == (0, True)
    assert "optarena login" in shell.submit(results).stderr
    assert "logged in as ada" in shell.run("login", "ada").stdout
    kept = tmp_path / "data/logins.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert shell.submit(results).exit_code == 0
    assert str(Submission.objects.get().pk)[:8] in shell.run("status").stdout
    assert "logged out" in shell.run("logout").stdout
    assert json.loads(kept.read_text()) == {}
    assert shell.run("status").exit_code == 2
    assert "not logged in" in shell.run("logout").stdout
    shell.env["OPTARENA_PASSWORD"] = "wrong"  # noqa: S105 - of a test
    assert shell.run("token", "ada").exit_code == 2


def test_boards_their_rows_and_what_becomes_of_an_entry_are_shown(shell: Shell, results: Path) -> None:
    shell.submit(results)
    [heading, line] = shell.run("boards").stdout.splitlines()
    assert heading.split()[:2] == ["board", "dataset"]
    assert line.split()[:2] == ["llvm-ic", "kernels-v0"]
    shown = shell.run("board", "llvm-ic").stdout
    for words in ("cli agent", "1 of its items waits for a verdict.", "LLVM -Oz"):
        assert words in shown
    unknown = "error: There is no board 'llvm'. Did you mean 'llvm-ic'?"
    assert shell.run("board", "llvm").stderr.splitlines() == [unknown]
    replay_everything()
    number = str(Submission.objects.get().pk)
    for named in (item_url(shell), number, number[:8], number[:20].upper()):
        status = shell.run("status", named)
        assert status.exit_code == 0, status.output
        assert "unranked on llvm-ic: 1 of 15 benchmarks are verified; a rank needs all." in status.stdout
    assert "`optarena status` lists yours" in shell.run("status", "mine").stderr
    compared = shell.run("compare", number[:8], "level:Oz", "virtual-best")
    assert compared.exit_code == 0, compared.output
    assert "programs that all have: 1" in compared.stdout
    assert "A against B: 0 wins, 0 ties, 1 loss\n" in compared.stdout
    assert "The virtual best is not counted as ahead." in compared.stdout
    [quicksort] = [line for line in compared.stdout.splitlines() if URI in line]
    assert quicksort.split()[-1] == "B"
    assert "Give 2 to 4" in shell.run("compare", "virtual-best", "--board", "llvm-ic").stderr
    assert "with --board." in shell.run("compare", "level:Oz", "level:O3").stderr
    assert "level:Ox" in shell.run("compare", "level:Ox", "level:Oz", "--board", "llvm-ic").stderr


def test_ids_that_are_shown_on_a_narrow_terminal_can_be_copied(shell: Shell, results: Path) -> None:
    shell.submit(results)
    number = str(Submission.objects.get().pk)
    shell.env["COLUMNS"] = "80"
    for words in (("board", "llvm-ic"), ("status",)):
        assert number[:8] in shell.run(*words).stdout.split()
    assert "nothing to compare" in shell.run("replay", item_url(shell).replace(number, number[:8])).stdout
    for unknown in ("0000", "00000000-0000"):
        told = shell.run("status", unknown)
        assert (told.exit_code, f"begins with '{unknown}' is not known" in told.stderr) == (2, True)
    other = Submission.objects.get()
    other.pk = f"{number[:4]}ffff-0000-4000-8000-000000000000"
    other.save(force_insert=True)
    told = shell.run("withdraw", number[:4], "--yes")
    assert told.exit_code == 2
    [line] = told.stderr.splitlines()
    for named in (number, other.pk, "cli agent on llvm-ic", "Give more characters"):
        assert named in line
    assert shell.run("withdraw", number[:8], "--yes").exit_code == 0


def test_json_is_the_document_of_the_api(shell: Shell, results: Path) -> None:
    def documents(*words: object) -> Any:
        done = shell.run(*words, "--json")
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    assert documents("submit", results, "--board", "llvm-ic", "--agent", "a", "--dry-run")["items"] == 1
    made = shell.submit(results, "--json")
    number = json.loads(made.stdout)["id"]
    assert "submitted: " in made.stderr
    replay_everything()
    waited = json.loads(shell.submit(results, "--json", "--wait").stdout)
    assert waited == documents("status", number)
    assert [one["verdict"] for one in waited["items"]] == ["verified"]
    with Client(shell.env["OPTARENA_URL"], token=shell.env["OPTARENA_TOKEN"]) as client:
        owned = {one["id"] for one in client.submissions(owner="ada")}
        assert {one["id"] for one in documents("status")} == owned == {number}
        assert documents("boards") == list(client.boards())
        assert documents("board", "llvm-ic") == client.standings("llvm-ic")
        assert documents("compare", number, "level:Oz") == client.compare([number, "level:Oz"])
    assert documents("portfolio", "board") == documents("portfolio", "status") == []


def test_an_entry_is_changed_downloaded_and_withdrawn(shell: Shell, results: Path, tmp_path: Path) -> None:
    shell.submit(results, "--compilations", "5", "--description", "first")
    number = Submission.objects.get().pk
    assert "changed:" in shell.run("edit", number, "--walltime", "2.5", "--link", "https://a.example/").stdout
    shell.run("edit", number, "--description", "", "--trained-on-test-set")
    changed = Submission.objects.get()
    assert (changed.description, changed.url) == ("", "https://a.example/")
    assert (changed.compilations, changed.walltime_seconds, changed.trained_on_test_set) == (5, 2.5, True)
    refused = shell.run("edit", number, "--link", "file:///etc/passwd")
    assert (refused.exit_code, "url" in refused.stderr) == (2, True)
    assert "Name what changes" in shell.run("edit", number).stderr
    endless = shell.run("edit", number, "--walltime", "inf")
    assert (endless.exit_code, "--walltime" in endless.stderr, "finite" in endless.stderr) == (2, True, True)
    again = tmp_path / "again.json"
    submitted = read_states(results.read_text(), format="csv", metrics=())
    assert "saved: 1 state in" in shell.run("download", number, "--to", again).stdout
    assert read_states(again.read_text(), format="json", metrics=()) == submitted
    assert shell.run("download", number, "--to", again).exit_code == 2
    printed = shell.run("download", number).stdout
    assert read_states(printed, format="csv", metrics=()) == submitted
    unanswered = shell.run("withdraw", number)
    assert (unanswered.exit_code, "Give --yes." in unanswered.stderr) == (2, True)
    assert Submission.objects.get().withdrawn_at is None
    assert "withdrawn" in shell.run("withdraw", number, "--yes").stdout
    assert "unranked on llvm-ic: It was withdrawn." in shell.run("status", number).stdout


LINE = "opt -passes='function(sroa<modify-cfg>)' input.bc -o output.bc"
ITEM = {"benchmark": URI, "actions": [0, 1]}
WHOLE = {"board": "llvm-ic", "agent": "its own", "effort": {"compilations": 3}, "items": [ITEM]}
TWICE = f'benchmark,commandline\nkernels-v0/matrix,"{LINE}"\n\n{URI},"{LINE}"\n{URI[12:]},"{LINE}"\n'
READ = {
    "plain.csv": f'benchmark,commandline\n{URI},"{LINE}"\n',
    "bom.csv": f'\ufeffbenchmark,commandline\n{URI},"{LINE}"\n',
    "semicolons.csv": f'Benchmark;Commandline;ir_instructions\r\n{URI};"{LINE}";\r\n',
    "excel.csv": f'sep=;\r\nBenchmark;Reward;Commandline;WALLTIME\r\n{URI};;"{LINE}";0,5\r\n',
    "tabs.csv": f"benchmark\tcommandline\n{URI}\t{LINE}\n",
    "tabs-alone.csv": f"{URI}\t\t\t{LINE}\n",
    "index.csv": f',benchmark,commandline,\n0,{URI},"{LINE}",\n',
    "list.json": json.dumps([ITEM]),
    "single.json": json.dumps(ITEM),
    "flat.json": json.dumps([{"benchmark": URI, "commandline": LINE, "ir_instructions": 919}]),
    "whole.json": json.dumps(WHOLE),
    "bom.json": f"\ufeff{json.dumps(WHOLE)}",
}
REFUSED = {
    "twice.csv": (TWICE, 5, "Row 4 already has this benchmark."),
    "twice.json": (json.dumps([ITEM, ITEM]), 1, "Row 0 already has this benchmark."),
    "nameless.csv": (f'benchmark,commandline,\n{URI},"{LINE}",7\n', 1, "Column 3 has no name."),
    "cycles.csv": (f'benchmark,commandline,Cycles\n{URI},"{LINE}",7\n', 1, "There is no metric 'Cycles'"),
    "pipes.csv": (f"benchmark|commandline\n{URI}|x\n{URI}|y\n", 1, "The row has 1 column instead of 4."),
    "unquoted.csv": (f"sep=;\n{URI};;;x;y\n", 2, "that contains semicolons must be in quotes."),
    "thousands.csv": (
        f"benchmark\twalltime\tcommandline\n{URI}\t1,234\t{LINE}\n",
        2,
        "The value must be a number",
    ),
    "cycles.json": (json.dumps([ITEM | {"cycles": 7}]), 0, "There is no metric 'cycles'"),
    "wrong.json": (json.dumps([{"benchmark": URI, "actions": [999]}]), 0, "is not in the action space"),
    "text.json": (json.dumps([ITEM | {"reward": "1"}]), 0, "The value must be a number."),
}


def read_by_all(shell: Shell, file: Path) -> dict[str, tuple[bool, str]]:
    """Whether each reader takes a document, and what it says."""
    token = {"Authorization": f"Bearer {shell.env['OPTARENA_TOKEN']}"}
    kind = "text/csv" if file.suffix == ".csv" else "application/json"
    query = "?board=llvm-ic&agent=api"
    body = file.read_bytes()
    rest = Browser().generic(
        "POST", f"/api/v1/submissions/validate/{query}", body, content_type=kind, headers=token
    )
    page = Browser()
    page.force_login(User.objects.get())
    form = {"board": "llvm-ic", "agent": "form", "key": file.name, "states": body.decode()}
    shown = page.post("/submit/", form)
    validated = shell.run("validate", file, "--board", "llvm-ic", "--repeats", 1)
    submitted = shell.submit(file, "--dry-run")
    return {
        "rest": (rest.status_code == 200, rest.content.decode()),
        "form": (shown.status_code == 302, unescape(shown.content.decode())),
        "validate": (validated.exit_code == 0, validated.output),
        "submit": (submitted.exit_code == 0, submitted.output),
    }


def test_a_document_is_read_by_all(shell: Shell, tmp_path: Path) -> None:
    for name, text in READ.items():
        file = tmp_path / name
        file.write_text(text, newline="")
        found = read_by_all(shell, file)
        assert all(is_read for is_read, _ in found.values()), (name, found)
        [item] = Submission.objects.latest("created").items.all()
        assert (item.benchmark_uri, bool(item.actions)) == (URI, True)
    assert Submission.objects.count() == len(READ)


def test_without_a_board_a_program_may_have_several_rows(shell: Shell, tmp_path: Path) -> None:
    file = tmp_path / "twice.csv"
    file.write_text(TWICE)
    assert shell.run("validate", file, "--repeats", 1).exit_code == 0


def test_a_document_is_refused_by_all_in_the_same_words(shell: Shell, tmp_path: Path) -> None:
    for name, (text, row, message) in REFUSED.items():
        file = tmp_path / name
        file.write_text(text)
        found = read_by_all(shell, file)
        for reader, (is_read, said) in found.items():
            assert (is_read, said.count(message)) == (False, 1), (name, reader, said)
        [error] = json.loads(found["rest"][1])["errors"]
        assert (error["row"], error["value"] in text) == (row, True), name
        assert f"row {row}: " in found["submit"][1]
        assert f"Row {row}, " in found["form"][1]


def test_what_a_document_says_of_itself_is_submitted_unless_an_option_replaces_it(
    shell: Shell, tmp_path: Path
) -> None:
    file = tmp_path / "whole.json"
    file.write_text(json.dumps(WHOLE | {"description": "d", "open": True}))
    assert shell.run("submit", file).exit_code == 0
    found = Submission.objects.get()
    assert (found.agent, found.description, found.compilations) == ("its own", "d", 3)
    shell.run("submit", file, "--agent", "other", "--walltime", "2")
    found = Submission.objects.get(agent="other")
    assert (found.compilations, found.walltime_seconds) == (3, 2)
    file.write_text(json.dumps([ITEM]))
    refused = shell.run("submit", file, "--board", "llvm-ic")
    assert (refused.exit_code, "Give --agent" in refused.stderr) == (2, True)
