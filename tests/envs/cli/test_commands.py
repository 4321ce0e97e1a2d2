"""The command line on this machine alone: what it prints, validates and refuses, each error in a line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import optarena
from optarena.cli import main
from optarena.cli.app import COMMANDS
from optarena.cli.replay import parse_url
from optarena.cli.service import session_type_of
from optarena.client import automatic_key
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.llvm.actions import CURATED
from optarena.specs import board_specs, environment_spec, environment_specs
from optarena.state import EnvState, write_states
from optarena.validation import ValidationResult
from tests.kit.processes import descendants, wait_until
from tests.kit.scripted_server import Answer, ok, serving

QUICKSORT = "benchmark://kernels-v0/quicksort"
SHA256 = "benchmark://kernels-v0/sha256"
UUID = "0f0e0d0c-0b0a-4900-8800-070605040302"


def run(*args: object, **env: str) -> Result:
    variables: dict[str, str | None] = {"OPTARENA_TOKEN": None, "OPTARENA_URL": None, "OPTARENA_DEBUG": None}
    return CliRunner().invoke(main, [str(arg) for arg in args], env=variables | env)


def commandline(*names: str) -> str:
    spec = environment_spec("llvm-ic-v0")
    table = list(spec.action_table.names)
    return spec.commandline([table.index(name) for name in names])


def states(folder: Path, *rows: str, name: str = "states.csv") -> Path:
    path = folder / name
    path.write_text("".join(f"{row}\n" for row in rows))
    return path


def only_line(result: Result) -> str:
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.mark.parametrize(
    "command", [(), *((name,) for name in COMMANDS), ("envs", "describe"), ("datasets", "download")]
)
def test_every_command_explains_itself(command: tuple[str, ...]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: ")
    assert "Show this message" in result.stdout


@pytest.mark.parametrize(
    ("args", "unbuffered"), [(("envs",), ""), pytest.param(("--version",), "1", marks=pytest.mark.soak)]
)
def test_an_output_without_space_is_one_line_and_nothing_follows_at_exit(
    args: tuple[str, ...], unbuffered: str
) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered, "OPTARENA_DEBUG": ""}
    command = [sys.executable, "-m", "optarena", *args]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: The operating system reports: No space left on device. Free space where")
    assert done.returncode == 2


def test_commands_are_listed_by_what_they_are_for() -> None:
    parts = [line for line in run("--help").stdout.splitlines() if line.endswith(":") and line[0] != " "]
    assert parts == [
        "Options:",
        "Programs:",
        "Search:",
        "Agents:",
        "Results:",
        "Builds:",
        "Boards:",
        "Account:",
        "Compilers:",
    ]


def test_commands_that_only_ask_a_server_load_no_environments() -> None:
    code = "import sys, optarena.cli.server; sys.exit(str({'numpy', 'gymnasium'} & set(sys.modules) or ''))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.stderr.strip() == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [(("serch",), "'search'"), (("bord",), "'board'"), (("datasets", "lst"), "'list'"), (("x",), "validate")],
)
def test_a_mistyped_command_gets_a_suggestion(words: tuple[str, ...], told: str) -> None:
    result = run(*words)
    assert (result.exit_code, told in result.stderr) == (2, True), result.stderr


def json_of(*words: object, **env: str) -> Any:
    done = run(*words, "--json", **env)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_what_is_here_is_told_as_json() -> None:
    listed = json_of("envs", "list")
    assert [one["slug"] for one in listed] == [spec.slug for spec in environment_specs()]
    spec = environment_spec("llvm-ic-v0")
    [row] = [one for one in listed if one["slug"] == spec.slug]
    described = json_of("envs", "describe", "llvm-ic-v0")
    assert described.items() >= row.items()
    assert (row["digest"], row["boards"]) == (spec.digest, ["llvm-ic"])
    assert [one["name"] for one in described["actions"]] == list(spec.action_table.names)
    for name in ("kernels-v0", "loop_tool-cpu-v0", "synthetic-v0"):
        found = json_of("datasets", "describe", name)
        assert (
            found.items() >= next(one for one in json_of("datasets", "list") if one["name"] == name).items()
        )
        assert "members" not in found
    members = json_of("datasets", "describe", "kernels-v0", "--benchmarks")["members"]
    quicksort = json_of("datasets", "describe", QUICKSORT)
    assert quicksort in members
    assert quicksort["baselines"]["ir_instructions"]["Oz"] == 700
    assert {"name", "summary", "parameters"} == set(json_of("search", "--list")[0])


def test_a_question_without_an_answer_names_the_option() -> None:
    command = ("withdraw", UUID, "--url", "http://localhost:9", "--token", "t")
    told = run(*command)
    assert told.exit_code == 2
    assert told.stderr.splitlines()[-1] == (
        "error: The question has no answer, since standard input has ended. Give --yes."
    )
    refused = CliRunner().invoke(main, list(command), input="n\n")
    assert (refused.exit_code, "Nothing was changed." in refused.stderr) == (1, True)


def test_waiting_says_how_far_it_is_where_no_bar_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.cli.server.LINE_SECONDS", 0)
    monkeypatch.setattr("optarena.client.time.sleep", lambda _: None)
    path = states(tmp_path, f'{QUICKSORT},,,"{commandline("sroa")}"')
    spec = environment_spec("llvm-ic-v0")
    asked: list[str] = []

    def answer(_: int, path: str) -> Answer:
        if path.endswith("/boards/llvm-ic/"):
            return ok({"environment": spec.slug, "environment_digest": spec.digest})
        if path.endswith("/items/"):
            return ok({"results": [], "next": None})
        asked.append(path)
        made = {"id": UUID, "url": "u", "board": "llvm-ic", "progress": {"done": 1, "total": 3}}
        if len(asked) < 5:  # the submission, the queue, and two looks at what has become of it
            return ok(made | {"state": "verifying", "wait": {"text": "It ends soon.", "position": 2}})
        return ok(made | {"state": "partial", "score": None, "coverage": 0, "rank": None})

    command = ("submit", path, "--board", "llvm-ic", "--agent", "a", "--token", "t", "--wait")
    with serving(answer) as server:
        done = run(*command, OPTARENA_URL=server.url)
    assert done.exit_code == 1, done.output
    assert done.stderr.count("1 of 3 items have a verdict. It ends soon.") == 2


def test_a_portable_entry_is_found_by_the_beginning_of_its_id() -> None:
    other = UUID.replace("0f0e", "0f0f")

    def answer(_: int, path: str) -> Answer:
        if path.endswith("/portable/"):
            return ok({"results": [{"slug": "drawn"}]})
        if path.endswith("/portable/drawn/"):
            one, two = ({"entry": one, "agent": f"by {one[:4]}"} for one in (UUID, other))
            return ok({"rows": [one], "sealed": [two]})
        return ok({"id": path.split("/")[-2]})

    with serving(answer) as server:
        assert json_of("portfolio", "status", "0F0E0D", OPTARENA_URL=server.url) == {"id": UUID}
        unknown = only_line(run("portfolio", "status", "abcd", "--url", server.url))
    assert "is not known. `optarena portfolio status` lists yours." in unknown


def test_environments_are_listed_and_described() -> None:
    assert run("envs").stdout == run("envs", "list").stdout
    assert "optarena/llvm-ic-v0" in run("envs").stdout
    described = run("envs", "describe", "optarena/llvm-ic-v0").stdout
    spec = environment_spec("llvm-ic-v0")
    assert spec.digest in described
    assert "compiler LLVM 22.1.8\n" in described
    assert all(name in described for name in (*spec.action_table.names, *spec.rewards))
    assert all(table.name in described for table in spec.further_tables)
    assert "boards   llvm-ic\n" in described
    finer = run("envs", "describe", "llvm-finer-v0").stdout
    assert "they take actions of all these action spaces" in finer
    assert "boards   none\n" in run("envs", "describe", "llvm-v0").stdout


def test_environments_are_listed_with_the_boards_that_there_are(sorting: Any) -> None:
    heading, *lines = run("envs").stdout.splitlines()
    column = slice(heading.index("boards"), heading.index("title"))
    listed = {line.split()[0].removeprefix("optarena/"): line[column].strip() for line in lines}
    assert {*listed} == {spec.slug for spec in environment_specs()}
    assert listed["sort-v0"] == sorting.BOARD.slug == "sort"
    for slug, boards in listed.items():
        assert boards == ", ".join(board.slug for board in board_specs() if board.environment == slug)
    assert (listed["llvm-runtime-v0"], listed["llvm-unsafe-v0"]) == ("llvm-runtime", "")


def test_a_range_is_listed_and_described_by_its_ends() -> None:
    (line,) = [one for one in run("datasets").stdout.splitlines() if one.startswith("loop_tool-cuda-v0")]
    assert line.split()[1:4] == ["8388608", "parametric", "MIT"]
    described = run("datasets", "describe", "loop_tool-cuda-v0").stdout
    assert len(described.splitlines()) < 20
    for told in ("/{n}", "from 1 to 8388608", "loop_tool-cuda-v0/1\n", "optarena/loop_tool-v0"):
        assert told in described


@pytest.mark.parametrize("name", ["loop_tool-cpu-v0", "kernels-v0"])
def test_a_sample_is_a_benchmark_on_each_line(name: str) -> None:
    drawn = run("datasets", "sample", name, "--count", 5, "--seed", 3).stdout
    assert drawn == run("datasets", "sample", name, "--count", 5, "--seed", 3).stdout
    assert drawn != run("datasets", "sample", name, "--count", 5).stdout
    uris = drawn.splitlines()
    assert len(uris) == 5
    assert all(uri in datasets()[name] for uri in uris)
    assert len(run("datasets", "sample", name).stdout.splitlines()) == 1
    for wrong in (("--count", 0), ("--seed", -1), ("--seed", "x")):
        assert run("datasets", "sample", name, *wrong).exit_code == 2


def test_a_dataset_that_cannot_be_used_is_told_beside_the_others(tmp_path: Path) -> None:
    manifest = tmp_path / "datasets" / "bad-v0" / "manifest.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text("{")
    for command in (("datasets",), ("datasets", "list")):
        result = run(*command, OPTARENA_SITE_DATA=str(tmp_path))
        line = only_line(result)
        assert "bad-v0" in line
        assert str(manifest) in line
        assert "kernels-v0" in result.stdout
    assert str(manifest) in only_line(run("datasets", "describe", "bad-v0", OPTARENA_SITE_DATA=str(tmp_path)))


def test_a_plug_in_that_cannot_be_imported_is_one_line() -> None:
    command = Path(sys.executable).with_name("optarena")
    environment = {**os.environ, "OPTARENA_PLUGINS": "not_there"}
    done = subprocess.run([command, "envs"], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: $OPTARENA_PLUGINS names 'not_there'")
    assert done.stderr.count("\n") == 1


def test_a_valid_file_is_replayed_and_ends_with_zero(tmp_path: Path) -> None:
    path = states(tmp_path, f'{QUICKSORT},,,"{commandline("sroa", "instcombine")}"')
    validated, replayed = run("validate", path), run("replay", path)
    assert (validated.exit_code, replayed.exit_code) == (0, 0), validated.output + replayed.output
    assert "1 of 1 states are valid" in validated.stdout
    assert "equal" in replayed.stdout


def test_a_claim_that_does_not_hold_ends_with_one_and_shows_both_numbers(tmp_path: Path) -> None:
    lines = ("benchmark,commandline,ir_instructions", f'{QUICKSORT},"{commandline("sroa")}",7')
    path = states(tmp_path, *lines)
    for command in ("validate", "replay"):
        result = run(command, path)
        assert result.exit_code == 1, result.output
        assert "claimed to be 7" in result.stdout
        assert "claim:mismatch" in result.stdout


def test_several_states_are_validated_at_a_time_and_shown_in_their_order(tmp_path: Path) -> None:
    uris = [benchmark.uri for benchmark in datasets()["kernels-v0"]][:4]
    rows = [json.dumps([{"benchmark": uri, "commandline": commandline("sroa")} for uri in uris])]
    result = run("validate", states(tmp_path, *rows, name="states.json"), "--nproc", 4)
    assert result.exit_code == 0, result.output
    places = [result.stdout.index(uri) for uri in uris]
    assert places == sorted(places)


def test_rows_with_the_same_problem_share_a_line_and_are_lines_of_the_file(tmp_path: Path) -> None:
    good = f'{QUICKSORT},,,"{commandline("sroa")}"'
    wrong = good.replace(",,,", ",much,,")
    broken_up = f'"{QUICKSORT}\n",,,"{commandline("sroa")}"'
    path = states(
        tmp_path, "benchmark,reward,walltime,commandline", wrong, "", wrong, wrong, broken_up, "a,b", good
    )
    columns, rewards = sorted(run("validate", path).stderr.strip().splitlines())
    assert columns.startswith("error: row 8: row: The row has 2 columns")
    assert rewards.startswith("error: rows 2 and 4 to 5: reward: ")


@pytest.mark.parametrize(
    ("content", "expected"),
    [(b"", "empty"), (b"\xff\xfe", "UTF-8"), (b"x" * (MAX_SUBMISSION_BYTES + 1), "5,000,000")],
    ids=["empty", "not-text", "too-large"],
)
def test_an_unusable_file_is_explained_in_one_line(tmp_path: Path, content: bytes, expected: str) -> None:
    path = tmp_path / "states.csv"
    path.write_bytes(content)
    assert expected in only_line(run("validate", path))


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"https://x.org/submissions/{UUID}/items/3/", ("https://x.org", UUID, "3")),
        (f"https://x.org/submissions/{UUID}/items/3", ("https://x.org", UUID, "3")),
        (f"https://x.org/api/v1/submissions/{UUID}/items/3/", ("https://x.org", UUID, "3")),
        (f"http://127.0.0.1:8000/submissions/{UUID}/?x=1#top", ("http://127.0.0.1:8000", UUID, None)),
    ],
)
def test_page_and_api_addresses_both_name_an_item(url: str, expected: tuple[str, str, str | None]) -> None:
    assert parse_url(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://x.org/",
        "https://x.org/boards/llvm-ic/",
        f"https://x.org/submissions/{UUID}/items/x/",
        f"http://[::1/submissions/{UUID}/",
    ],
)
def test_another_address_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(InvalidInput, match="items/<n>"):
        parse_url(url)
    assert "items/<n>" in only_line(run("replay", url))


ELSEWHERE = {"OPTARENA_URL": "http://127.0.0.1:9"}
OWNED = "needs a token. Run `optarena login NAME`"
TO_A_BOARD = ("--board", "b", "--agent", "a")


@pytest.mark.parametrize(
    ("words", "row", "expected"),
    [
        (("envs", "describe", "llvm-ic"), "", "llvm-ic-v0"),
        (("envs", "llvm-ic-v0"), "", "no envs command 'llvm-ic-v0'. The known ones are: describe, list."),
        (("datasets", "lits"), "", "Did you mean 'list'?"),
        (("datasets", "sample", "loop_tool-v0"), "", "loop_tool-cpu-v0"),
        (("replay", "/nowhere/missing.csv"), "", "missing.csv"),
        (("validate",), "benchmark://kernels-v0/quicksorted,,,opt", QUICKSORT),
        (("validate",), "benchmark://loop_tool-cuda-v0/8388609,,,loop_tool up", "from 1 to 8388608"),
        (("submit", *TO_A_BOARD), f"{QUICKSORT},,,opt", "optarena signup"),
        (
            ("submit", *TO_A_BOARD, "--url", "nowhere", "--token", "t"),
            f"{QUICKSORT},,,opt",
            "http://host:port",
        ),
        (("status",), "", OWNED),
        (("withdraw", UUID, "--yes"), "", OWNED),
        (("edit", UUID, "--description", "mine"), "", OWNED),
        (("search", "random", "--output", "x.parquet"), "", "x.parquet does not end in .csv or .json"),
        (("minimise", "--output", "x.tsv"), "", "x.tsv does not end in .csv or .json"),
        (("carry", "--output", "x.ll"), "", "x.ll does not end in .csv or .json"),
        (("download", UUID, "--to", "x.xlsx"), "", "x.xlsx does not end in .csv or .json"),
        (("replay", f"http://x.org/submissions/{UUID}/", "--env", "gcc-v0"), "", "--env gcc-v0 says nothing"),
        (("portfolio", "status"), "", OWNED),
        (("portfolio", "submit", "single-v0", *TO_A_BOARD), "", OWNED),
        (("portfolio", "withdraw", UUID, "--yes"), "", OWNED),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_done_is_one_line(
    words: tuple[str, ...], row: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("optarena.client.time.sleep", lambda _: None)
    command, *rest = words
    given = (states(tmp_path, row),) if row else ()
    assert expected in only_line(run(command, *given, *rest, **ELSEWHERE))


def test_the_automatic_key_is_that_of_the_content() -> None:
    one, other = {"board": "b", "agent": "a"}, {"agent": "a", "board": "b"}
    assert automatic_key(one) == automatic_key(other)
    assert automatic_key(one) != automatic_key(one | {"agent": "c"})
    assert automatic_key(one) != automatic_key(one, after=UUID) == automatic_key(other, after=UUID)
    assert len(automatic_key(one)) <= 200


def test_what_was_withdrawn_can_be_submitted_again(tmp_path: Path) -> None:
    """A server answers a repeated key with what it made from it, also after that was withdrawn."""
    path = states(tmp_path, f'{QUICKSORT},,,"{commandline("sroa")}"')

    def answer(_: int, path: str) -> Answer:
        if path.endswith("/boards/llvm-ic/"):
            spec = environment_spec("llvm-ic-v0")
            return ok({"environment": spec.slug, "environment_digest": spec.digest})
        posted = [one for method, one, _ in server.asked if method == "POST"]
        state = "withdrawn" if len(posted) == 1 else "verifying"
        status = 200 if len(posted) == 1 else 202
        return status, *ok({"id": UUID, "url": f"https://x.org/{len(posted)}", "state": state})[1:]

    command = ("submit", path, "--board", "llvm-ic", "--agent", "a", "--token", "t", "--url")
    with serving(answer) as server:
        done = run(*command, server.url)
    assert done.exit_code == 0, done.output
    assert "submitted: https://x.org/2" in done.output
    assert "https://x.org/1" not in done.output
    with serving(answer) as server:
        line = only_line(run(*command, server.url, "--key", "mine"))
    assert "--key" in line
    assert "withdrawn" in line


def test_an_unexpected_error_is_one_line_too_unless_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("the inside is out")

    monkeypatch.setattr("optarena.cli.console.read_rows_of", broken)
    path = states(tmp_path, "x")
    assert "OPTARENA_DEBUG=1" in only_line(run("validate", path))
    assert isinstance(run("validate", path, OPTARENA_DEBUG="1").exception, RuntimeError)


def test_a_reader_that_has_seen_enough_ends_the_command_quietly() -> None:
    command = [
        sys.executable,
        "-c",
        "from optarena.cli import main; main()",
        "envs",
        "describe",
        "llvm-ic-v0",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_without_a_terminal_the_password_comes_from_elsewhere() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPTARENA_PASSWORD"}
    done = subprocess.run(
        [Path(sys.executable).with_name("optarena"), "signup", "ada", "--url", "http://localhost:9"],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        start_new_session=True,
    )
    assert done.returncode == 2
    assert done.stderr.strip() == (
        "error: There is no terminal on which to ask for the password. Set OPTARENA_PASSWORD."
    )


def test_what_a_password_prompt_says_is_not_taken_for_the_token() -> None:
    with serving(lambda *_: ok({"token": "made"})) as server:
        arguments = ["signup", "ada", "--url", server.url]
        typed = "one\nother\none\none\n"
        variables = {"OPTARENA_PASSWORD": None}
        result = CliRunner().invoke(main, arguments, input=typed, env=variables)
    assert result.exit_code == 0, result.output
    assert "do not match" in result.stderr
    assert "do not match" not in result.stdout
    assert result.stdout.endswith("made\n")


SCRIPT = Path(sys.executable).with_name("optarena")


@pytest.fixture(autouse=True)
def search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.parametrize("name", ["llvm", "llvm-v0", "optarena/llvm-v0"])
def test_an_environment_is_named_by_slug_or_short(name: str) -> None:
    assert session_type_of(name) == environment_spec("llvm-v0").service


def test_a_session_type_is_named_by_module_or_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert session_type_of("package.module:Session") == "package.module:Session"
    assert str(tmp_path) in sys.path
    assert session_type_of("/a/file.py:Session") == "/a/file.py:Session"
    assert session_type_of("folder/file.py:Session") == f"{tmp_path}/folder/file.py:Session"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("lvm", "There is no environment 'lvm'. Did you mean 'llvm'"),
        ("/bin/true", "is an executable. Start it itself: /bin/true --working_dir DIR."),
        ("localhost:4711", "is an endpoint. It is running already"),
        ("llvm --port 99999", "--port 99999 is out of range"),
        ("no_such.module:Session", "'no_such.module:Session' cannot be found"),
        ("llvm --token-file /nowhere/token", "--token-file /nowhere/token cannot be read"),
    ],
)
def test_what_is_no_service_is_one_line(words: str, message: str) -> None:
    assert message in only_line(run("service", *words.split()))
    assert "has an unknown form" in only_line(run("service", "a b:c"))


@pytest.mark.parametrize(
    "seconds", [0.17, *(pytest.param(each, marks=pytest.mark.soak) for each in (0.05, 0.27, 0.4))]
)
def test_a_service_that_is_told_to_end_while_it_starts_leaves_no_process(seconds: float) -> None:
    """The parent of its sessions is started early, beside the rest."""
    command = [str(SCRIPT), "service", "llvm"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(seconds)
        below = descendants(process.pid)
        process.terminate()
        _, said = process.communicate(timeout=60)  # the streams end with the last process that has them
    assert not said
    assert process.returncode in {0, -signal.SIGTERM}
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))


COMMAND = (sys.executable, "-c", "from optarena.cli import main; main()", "validate")


def validated(*arguments: Any, command: str = "validate") -> Any:
    return CliRunner().invoke(main, [command, *map(str, arguments)], env={"COLUMNS": "500"})


def json_states(folder: Path, *rows: dict[str, Any]) -> Path:
    return states(folder, json.dumps(rows), name="states.json")


def test_json_holds_all_that_was_found(tmp_path: Path) -> None:
    row = {"benchmark": QUICKSORT, "commandline": commandline("sroa")}
    wrong = {"benchmark": SHA256, "claims": {"ir_instructions": 3}}
    path = json_states(tmp_path, row, {**row, **wrong})
    done = validated(path, "--json", "--nproc", "all", "--repeats", 1)
    assert done.exit_code == 1, done.output
    document = json.loads(done.stdout)
    assert (document["environment"], document["states"], document["valid"]) == ("llvm-ic-v0", 2, 1)
    results = [ValidationResult.from_json(one["result"]) for one in document["results"]]
    assert [one["row"] for one in document["results"]] == [0, 1]
    assert [one["verdict"] for one in document["results"]] == ["verified", "refuted"]
    assert [list(result.errors) for result in results] == [[], ["claim:mismatch"]]
    assert results[0].replay is not None


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_dash_stands_for_standard_input(form: str) -> None:
    state = EnvState(benchmark=QUICKSORT, commandline=commandline("sroa"))
    text = write_states([state], format="json" if form == "json" else "csv")
    done = CliRunner().invoke(main, ["validate", "-", "--repeats", "1"], input=text)
    assert done.exit_code == 0, done.stderr
    assert "1 of 1 states are valid" in done.stdout
    done = CliRunner().invoke(main, ["validate", "-", "--repeats", "1"], input="nothing")
    assert done.exit_code == 2
    assert "benchmark" in done.stderr


def test_rewards_are_compared_in_the_space_that_is_named(tmp_path: Path) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline(), "reward": 0})
    assert validated(path, "--reward-space", "ObjectTextSizeOz", "--repeats", 1).exit_code == 0
    done = validated(path, "--reward-space", "ObjectTextSizOz")
    assert done.exit_code == 2
    assert "'ObjectTextSizeOz'" in done.stderr


def test_who_trained_for_another_reward_is_told_to_name_it(tmp_path: Path) -> None:
    name = "IrInstructionCountLogOz"
    with optarena.make("llvm-ic-v0", benchmark=QUICKSORT, reward_space=name) as env:
        env.reset()
        env.step(env.action_table.names.index("sroa"))
        path = states(tmp_path, write_states([env.state], format="csv"))
    done = validated(path, "--repeats", 1)
    assert done.exit_code == 1
    assert "in IrInstructionCountOz" in done.stdout
    assert "--reward-space" in done.stdout
    assert validated(path, "--repeats", 1, "--reward-space", name).exit_code == 0


def test_every_row_whose_benchmark_there_is_not_is_told_before_anything_is_replayed(tmp_path: Path) -> None:
    text = commandline("sroa")
    uris = ("benchmark://kernels-v0/quicksorts", QUICKSORT, "benchmark://nowhere-v0/x")
    done = validated(json_states(tmp_path, *({"benchmark": uri, "commandline": text} for uri in uris)))
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["row 0", "row 2"]
    assert QUICKSORT in lines[0]


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "states.csv")
    done = validated(tmp_path / "states.csv")
    assert done.exit_code == 2
    assert "is not a regular file" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", [("validate",), ("replay",), ("plot",), ("data", "export", "mine-v0")])
def test_a_program_is_not_read_as_states(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "program.ll").write_text("define i32 @main() {\n  ret i32 0\n}\n")
    assert "program.ll is a program. Give a CSV" in only_line(run(*command, tmp_path / "program.ll"))


@pytest.mark.parametrize("nproc", ["0", "65", "some"])
def test_a_number_of_processes_that_is_none_is_refused(tmp_path: Path, nproc: str) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})
    done = validated(path, "--nproc", nproc)
    assert done.exit_code == 2
    assert "--nproc" in done.output


@pytest.mark.soak
def test_an_interrupt_ends_the_command_and_all_its_processes(tmp_path: Path) -> None:
    # Each state would take minutes: it is as long as a state may be.
    text = CURATED.commandline([CURATED.index("gvn"), CURATED.index("reg2mem")] * 5000)
    path = json_states(tmp_path, *[{"benchmark": QUICKSORT, "commandline": text}] * 4)
    with subprocess.Popen(
        [*COMMAND, str(path), "--nproc", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        while len(descendants(process.pid)) < 3:  # a zygote and two sessions
            assert process.poll() is None
            time.sleep(0.02)
        started = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.strip() == "error: Interrupted."
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


@pytest.mark.soak
def test_a_claim_beyond_what_was_measured_is_told_and_refutes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    lines = ["benchmark,commandline,gflops"]
    lines += [f"benchmark://loop_tool-cpu-v0/64,loop_tool toggle_thread,{claim}" for claim in (1e9, 1e-9)]
    file.write_text("\n".join([lines[0], lines[1]]) + "\n")
    told = validated(file)
    assert told.exit_code == 0, told.output
    assert "gflops is claimed to be 1e+09" in told.output
    repeated = validated(file, command="replay")
    assert repeated.exit_code == 0, repeated.output
    assert "optimistic: gflops is claimed to be 1e+09" in repeated.output
    file.write_text("\n".join([lines[0], lines[2]]) + "\n")
    modest = validated(file, command="replay")
    assert "equal: all its claims hold" in modest.output


@pytest.mark.parametrize(
    "line",
    [
        "llvm-functions sroa@0",
        pytest.param("llvm-parameters sroa gvn", marks=pytest.mark.soak),
        pytest.param("llvm-loops pass:sroa", marks=pytest.mark.soak),
    ],
)
def test_the_verdict_of_a_board_is_told_with_the_ratio(tmp_path: Path, line: str) -> None:
    good, bad = {"benchmark": QUICKSORT, "commandline": line}, {"ir_instructions": 3}
    matrix = "benchmark://kernels-v0/matrix"
    path = json_states(
        tmp_path,
        good,
        {**good, "benchmark": SHA256, "claims": bad},
        {**good, "benchmark": matrix, "reward": 9.0},
    )
    done = validated(path, "--board", "llvm-finer", "--repeats", "1")
    assert done.exit_code == 1, done.output
    rows = [row.split() for row in done.stdout.splitlines() if row.startswith("benchmark://")]
    # No board compares rewards, so a wrong one makes a state invalid and refutes nothing.
    assert [row[1:3] for row in rows] == [
        ["valid", "verified"],
        ["invalid", "refuted"],
        ["invalid", "verified"],
    ]
    assert 0.2 < float(rows[0][3]) < 1.5
    told = "rows 0 and 2: Board llvm-finer does not compare this program, but those of programs-v0."
    assert told in done.stdout
    assert "set $OPTARENA_URL to ask it." in done.stdout


def test_a_server_is_asked_which_programs_its_board_compares(tmp_path: Path) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})

    def validate(board: dict[str, Any]) -> str:
        with serving(lambda *_: ok(board)) as server:
            done = run("validate", path, "--board", "llvm-ic", "--repeats", 1, OPTARENA_URL=server.url)
        assert done.exit_code == 0, done.output
        return done.stdout

    assert "Board llvm-ic" not in validate({"dataset": "kernels-v0", "benchmarks": []})
    few = {"dataset": "kernels-v0", "benchmarks": ["benchmark://kernels-v0/sha256"]}
    told = "row 0: Board llvm-ic does not compare this program, but 1 of kernels-v0."
    assert told in validate(few)
    assert "$OPTARENA_URL" not in validate(few)
    offline = run("validate", path, "--board", "llvm-ic", "--repeats", 1, OPTARENA_URL="http://127.0.0.1:9")
    assert offline.exit_code == 0, offline.output
    assert "does not answer" in offline.stderr
    assert "but those of programs-v0." in offline.stdout


@pytest.mark.parametrize(
    ("board", "metric"),
    [
        pytest.param("llvm-ic", "ir_instructions", marks=pytest.mark.soak),
        pytest.param("llvm-codesize", "text_size_bytes", marks=pytest.mark.soak),
        ("llvm-loadsize", "load_size_bytes"),
    ],
)
def test_the_value_that_a_board_compares_is_shown(tmp_path: Path, board: str, metric: str) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})
    done = validated(path, "--board", board, "--repeats", "1")
    assert done.exit_code == 0, done.output
    heading, row = (done.stdout.splitlines()[line].split() for line in (0, 1))
    assert heading[3:5] == ["ratio", metric]
    assert int(row[4].replace(",", "")) > 0


def test_a_state_that_a_board_does_not_take_is_not_accepted(tmp_path: Path) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": "llvm-functions sroa@0"})
    done = validated(path, "--board", "llvm-ic", "--repeats", "1")
    assert done.exit_code == 1
    assert "not accepted" in done.stdout
    assert "1 of 1 states are valid" in done.stdout
    assert "Boards of llvm-ic-v0 do not take actions of the action space llvm-functions-v0" in done.stdout
    path = json_states(
        tmp_path, {"benchmark": QUICKSORT, "commandline": commandline(*["sroa"] * 10_001), "reward": 1}
    )
    done = validated(path, "--board", "llvm-ic")
    assert "not accepted" in done.stdout
    assert "reward was not compared: The replay failed. There are 10,001 actions. A submission" in done.stdout


def test_a_function_or_loop_that_the_program_lacks_is_told(tmp_path: Path) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": "llvm-loops loop63:unroll=2"})
    done = validated(path, "--board", "llvm-finer", "--repeats", "1")
    assert done.exit_code == 0, done.output
    assert "The program has nothing that these steps name" in done.stdout
    assert "0 (loop63:unroll=2)" in done.stdout


def test_a_board_that_there_is_not_or_that_is_of_another_environment_is_refused(tmp_path: Path) -> None:
    path = json_states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})
    unknown = validated(path, "--board", "llvm-fine")
    assert (unknown.exit_code, "llvm-finer" in unknown.stderr) == (2, True)
    other = validated(path, "--board", "llvm-finer", "--env", "llvm-ic-v0")
    assert (other.exit_code, "Leave --env out" in other.stderr) == (2, True)
    withdrawn = validated(path, "--board", "gpu-spills")
    assert (withdrawn.exit_code, "Board gpu-spills is withdrawn: on an H200" in withdrawn.stderr) == (2, True)
