"""``optarena validate`` beyond single files: JSON, several rows with problems, and its end by Ctrl-C."""

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
from click.testing import CliRunner

from optarena.cli import main
from optarena.llvm.actions import CURATED
from optarena.state import EnvState, write_states
from optarena.validation import ValidationResult
from tests.kit.processes import descendants

QUICKSORT = "benchmark://kernels-v0/quicksort"
COMMAND = (sys.executable, "-c", "from optarena.cli import main; main()", "validate")


def commandline(*names: str) -> str:
    return CURATED.commandline([CURATED.index(name) for name in names])


def run(*arguments: Any, command: str = "validate") -> Any:
    return CliRunner().invoke(main, [command, *map(str, arguments)], env={"COLUMNS": "500"})


def states(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "states.json"
    path.write_text(json.dumps(rows))
    return path


def test_json_holds_all_that_was_found(tmp_path: Path) -> None:
    row = {"benchmark": QUICKSORT, "commandline": commandline("sroa")}
    path = states(tmp_path, row, {**row, "claims": {"ir_instructions": 3}})
    done = run(path, "--json", "--nproc", "all", "--repeats", 1)
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
    path = states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline(), "reward": 0})
    assert run(path, "--reward-space", "ObjectTextSizeOz", "--repeats", 1).exit_code == 0
    done = run(path, "--reward-space", "ObjectTextSizOz")
    assert done.exit_code == 2
    assert "'ObjectTextSizeOz'" in done.stderr


def test_every_row_whose_benchmark_there_is_not_is_told_before_anything_is_replayed(tmp_path: Path) -> None:
    text = commandline("sroa")
    uris = ("benchmark://kernels-v0/quicksorts", QUICKSORT, "benchmark://nowhere-v0/x")
    done = run(states(tmp_path, *({"benchmark": uri, "commandline": text} for uri in uris)))
    assert done.exit_code == 2
    lines = done.stderr.splitlines()
    assert [line.split(":")[1].strip() for line in lines] == ["row 0", "row 2"]
    assert QUICKSORT in lines[0]


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "states.csv")
    done = run(tmp_path / "states.csv")
    assert done.exit_code == 2
    assert "is not a regular file" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("nproc", ["0", "65", "some"])
def test_a_number_of_processes_that_is_none_is_refused(tmp_path: Path, nproc: str) -> None:
    path = states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})
    done = run(path, "--nproc", nproc)
    assert done.exit_code == 2
    assert "--nproc" in done.output


@pytest.mark.soak
def test_an_interrupt_ends_the_command_and_all_its_processes(tmp_path: Path) -> None:
    # Each state would take minutes: it is as long as a state may be.
    text = CURATED.commandline([CURATED.index("gvn"), CURATED.index("reg2mem")] * 5000)
    path = states(tmp_path, *[{"benchmark": QUICKSORT, "commandline": text}] * 4)
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
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors.strip() == "error: Interrupted."
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)


@pytest.mark.soak
def test_a_claim_beyond_what_was_measured_is_told_and_refutes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    lines = ["benchmark,commandline,gflops"]
    lines += [f"benchmark://loop_tool-cpu-v0/64,loop_tool toggle_thread,{claim}" for claim in (1e9, 1e-9)]
    file.write_text("\n".join([lines[0], lines[1]]) + "\n")
    told = run(file)
    assert told.exit_code == 0, told.output
    assert "gflops is claimed to be 1e+09" in told.output
    repeated = run(file, command="replay")
    assert repeated.exit_code == 0, repeated.output
    assert "optimistic: gflops is claimed to be 1e+09" in repeated.output
    file.write_text("\n".join([lines[0], lines[2]]) + "\n")
    modest = run(file, command="replay")
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
    path = states(tmp_path, good, {**good, "claims": bad}, {**good, "reward": 9.0})
    done = run(path, "--board", "llvm-finer", "--repeats", "1")
    assert done.exit_code == 1, done.output
    rows = [row.split() for row in done.stdout.splitlines() if row.startswith(QUICKSORT)]
    # No board compares rewards, so a wrong one makes a state invalid and refutes nothing.
    assert [row[1:3] for row in rows] == [
        ["valid", "verified"],
        ["invalid", "refuted"],
        ["invalid", "verified"],
    ]
    assert 0.2 < float(rows[0][3]) < 1.5
    assert "Board llvm-finer compares other benchmarks" in done.stdout


@pytest.mark.parametrize(
    ("board", "metric"),
    [
        pytest.param("llvm-ic", "ir_instructions", marks=pytest.mark.soak),
        pytest.param("llvm-codesize", "text_size_bytes", marks=pytest.mark.soak),
        ("llvm-loadsize", "load_size_bytes"),
    ],
)
def test_the_value_that_a_board_compares_is_shown(tmp_path: Path, board: str, metric: str) -> None:
    path = states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})
    done = run(path, "--board", board, "--repeats", "1")
    assert done.exit_code == 0, done.output
    heading, row = (done.stdout.splitlines()[line].split() for line in (0, 1))
    assert heading[3:5] == ["ratio", metric]
    assert int(row[4].replace(",", "")) > 0


def test_a_state_that_a_board_does_not_take_is_not_accepted(tmp_path: Path) -> None:
    path = states(tmp_path, {"benchmark": QUICKSORT, "commandline": "llvm-functions sroa@0"})
    done = run(path, "--board", "llvm-ic", "--repeats", "1")
    assert done.exit_code == 1
    assert "not accepted" in done.stdout
    assert "1 of 1 states are valid" in done.stdout
    assert "Boards of llvm-ic-v0 do not take actions of the action space llvm-functions-v0" in done.stdout
    path = states(
        tmp_path, {"benchmark": QUICKSORT, "commandline": commandline(*["sroa"] * 10_001), "reward": 1}
    )
    done = run(path, "--board", "llvm-ic")
    assert "not accepted" in done.stdout
    assert "reward was not compared: The replay failed. There are 10,001 actions. A submission" in done.stdout


def test_a_function_or_loop_that_the_program_lacks_is_told(tmp_path: Path) -> None:
    path = states(tmp_path, {"benchmark": QUICKSORT, "commandline": "llvm-loops loop63:unroll=2"})
    done = run(path, "--board", "llvm-finer", "--repeats", "1")
    assert done.exit_code == 0, done.output
    assert "The program has nothing that these steps name" in done.stdout
    assert "0 (loop63:unroll=2)" in done.stdout


def test_a_board_that_there_is_not_or_that_is_of_another_environment_is_refused(tmp_path: Path) -> None:
    path = states(tmp_path, {"benchmark": QUICKSORT, "commandline": commandline()})
    unknown = run(path, "--board", "llvm-fine")
    assert (unknown.exit_code, "llvm-finer" in unknown.stderr) == (2, True)
    other = run(path, "--board", "llvm-finer", "--env", "llvm-ic-v0")
    assert (other.exit_code, "Leave --env out" in other.stderr) == (2, True)
