"""The command line on this machine alone: what it prints, its exit codes, and that errors are one line."""

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

from optarena.cli import main
from optarena.cli.app import COMMANDS
from optarena.cli.replay import parse_url
from optarena.cli.service import session_type_of
from optarena.cli.submissions import automatic_key
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.limits import MAX_SUBMISSION_BYTES
from optarena.specs import board_specs, environment_spec, environment_specs
from tests.kit.processes import descendants, wait_until
from tests.kit.scripted_server import Answer, ok, serving

QUICKSORT = "benchmark://kernels-v0/quicksort"
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
    assert line.startswith("error: The operating system reports: No space left on device. Remove the cause")
    assert done.returncode == 2


def test_environments_are_listed_and_described() -> None:
    assert "optarena/llvm-ic-v0" in run("envs").stdout
    described = run("envs", "describe", "optarena/llvm-ic-v0").stdout
    spec = environment_spec("llvm-ic-v0")
    assert spec.digest in described
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
        return ok({"id": UUID, "url": f"https://x.org/{len(posted)}", "state": state})

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

    monkeypatch.setattr("optarena.cli.validate.read_file_rows", broken)
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
        _, said = process.communicate(timeout=10)  # the streams end with the last process that has them
    assert not said
    assert process.returncode in {0, -signal.SIGTERM}
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below), 10)
