"""``optarena search``, ``minimise`` and ``portfolio``, as a user runs them."""

from __future__ import annotations

import hashlib
import json
import math
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from optarena.agents.known_sequences import builtin_portfolio, read_portfolio
from optarena.agents.reports import report_path
from optarena.agents.searching import Search
from optarena.cli import main
from optarena.cli.console import counted
from optarena.specs import environment_spec
from optarena.state import read_states
from tests.kit.folders import EXAMPLES
from tests.kit.processes import descendants
from tests.kit.scripted_server import ok, serving

SPEC = environment_spec("llvm-ic-v0")
PROGRAM = ("--benchmark", "kernels-v0/quicksort")
PROGRAMS = (*PROGRAM, "--benchmark", "kernels-v0/sha256")
OPTARENA = (sys.executable, "-m", "optarena")
LOCKS = Path("/proc/locks")


def run(*arguments: Any, code: int | None = 0) -> Any:
    done = CliRunner().invoke(main, [*map(str, arguments)])
    assert done.exit_code == code or code is None, done.output
    return done


def test_the_list_describes_the_agents() -> None:
    done = run("search", "--list")
    for name in ("random", "oz-list", "portfolio", "greedy", "local", "width=1"):
        assert name in done.stdout


def test_a_search_prints_each_program_and_writes_states_that_validate(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    done = run("search", "greedy", *PROGRAMS, "--evaluations", 20, "--output", results)
    assert "quicksort: " in done.stdout
    assert "geometric mean" in done.stdout
    assert f"2 results written to {results}" in done.stdout
    assert re.search(r"quicksort: .* \(1 of 2 programs, mean ratio \d\.\d{4}, \d+ s left\)", done.stdout)
    again = run("search", "greedy", *PROGRAMS, "--evaluations", 20, "--output", results, "--json")
    document = json.loads(again.stdout)
    assert document.items() >= {"level": "Oz", "not_searched": [], "output": str(results)}.items()
    ratios = [one["ratio"] for one in document["found"]]
    assert document["geometric_mean"] == pytest.approx(math.sqrt(math.prod(ratios)))
    assert "2 results written" in again.stderr
    run("validate", results, "--repeats", 1)
    run("search", "greedy", *PROGRAMS, "--evaluations", 20, "--output", results, "--nproc", "all")
    other = run("search", "greedy", *PROGRAMS, "--evaluations", 21, "--output", results, code=2)
    assert "another run: its evaluations is 20, not 21" in other.stderr


def test_what_an_agent_would_not_look_at_is_refused(tmp_path: Path) -> None:
    start = tmp_path / "start.csv"
    start.write_text("benchmark,commandline\n")
    for agent in ("random", "oz-list", "portfolio", "ppo", "math:sqrt"):
        done = run("search", agent, *PROGRAMS, "--evaluations", 1, "--start", start, code=2)
        assert f"{agent} does not use --start" in done.stderr
    for option in ("portfolio", "policy"):
        done = run("search", "greedy", *PROGRAMS, "--evaluations", 1, f"--{option}", "newest", code=2)
        assert f"greedy does not use --{option}" in done.stderr


def test_a_search_that_goes_on_from_results_says_what_those_learned_from(tmp_path: Path) -> None:
    start = tmp_path / "start.csv"
    one = ("--benchmark", "kernels-v0/quicksort", "--evaluations", 1)
    run("search", "oz-list", *one, "--output", start)
    told = report_path(start).read_text()
    for is_said in (True, False):
        said = told.replace('"trained_on_test_set": false', f'"trained_on_test_set": {str(is_said).lower()}')
        report_path(start).write_text(said)
        results = tmp_path / f"{is_said}.csv"
        run("search", "greedy", *one, "--start", start, "--output", results)
        assert json.loads(report_path(results).read_text())["run"]["trained_on_test_set"] is is_said


@pytest.mark.soak
def test_a_store_answers_a_second_run_with_the_same_results(tmp_path: Path) -> None:
    outputs = [tmp_path / "first.csv", tmp_path / "second.csv"]
    said = []
    for output in outputs:
        store = ("--store", tmp_path / "store.sqlite")
        done = run("search", "oz-list", *PROGRAM, "--evaluations", 3, *store, "--output", output)
        said.append(done.stdout)
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert f"sqlite:{tmp_path}/store.sqlite answered 0 of 3 evaluations" in said[0]
    [found] = json.loads(report_path(outputs[1]).read_text())["found"]
    assert 0 < found["from_store"] <= found["evaluations"] == 3
    assert f"answered {found['from_store']} of 3 evaluations" in said[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lokal", *PROGRAMS, "--evaluations", 1), "'local'"),
        (("./annealing.py:search", *PROGRAMS, "--evaluations", 1), "cannot be imported"),
        ((), "No agent is named"),
        (("local",), "needs a budget"),
        (("local", *PROGRAMS), "needs a budget"),
        (("local", *PROGRAMS, "--evaluations", 1, "--minutes", 1), "needs a budget"),
        (("local", *PROGRAMS, "--evaluations", 0), "--evaluations"),
        (("local", *PROGRAMS, "--evaluations", 1, "--work", 0), "--work"),
        (("local", *PROGRAMS, "--evaluations", 10**18 + 1), "--evaluations"),
        (("local", *PROGRAMS, "--evaluations", 1, "--work", 10**18 + 1), "--work"),
        (("local", *PROGRAMS, "--evaluations", 1, "--seed", 10**18 + 1), "--seed"),
        (("local", *PROGRAMS, "--minutes", 1, "--work", 9), "there is a time instead"),
        (("local", *PROGRAMS, "--minutes", 0), "--minutes"),
        (("local", *PROGRAMS, "--evaluations", 1, "--nproc", 0), "--nproc"),
        (("local", *PROGRAMS, "--evaluations", 1, "--store", "mysql://host"), "not the scheme of a store"),
        (("local", *PROGRAMS, "--evaluations", 1, "--store", "valkey://127.0.0.1:1"), "does not answer"),
        (("local", "--evaluations", 1), "No programs are named"),
        (("local", "--board", "llvm-ci", "--evaluations", 1), "'llvm-ic'"),
        (("local", "--dataset", "kernel-v0", "--evaluations", 1), "'kernels-v0'"),
        (("local", "--dataset", "programs-v0", "--split", "tests", "--evaluations", 1), "'test'"),
        (("local", "--board", "llvm-runtime", "--evaluations", 1), "does not measure the metric"),
        (("local", "--board", "gcc-codesize", "--evaluations", 1), "does not know its cost after each"),
        (("local", "--dataset", "gcc-kernels-v0", "--evaluations", 1), "does not know its cost after each"),
        (("random", *PROGRAMS, "--evaluations", 1, "--env", "llvm-loops-v0"), "actions have several parts"),
        (("local", *PROGRAMS, "--evaluations", 1, "--dataset", "programs-v0"), "both choose programs"),
        (("local", *PROGRAMS, "--evaluations", 1, "--split", "train"), "both choose programs"),
        (("greedy", *PROGRAMS, "--evaluations", 1, "--set", "with=2"), "'width'"),
        (("greedy", *PROGRAMS, "--evaluations", 1, "--set", "width=many"), "number from 1 to 50"),
        (("greedy", *PROGRAMS, "--evaluations", 1, "--set", "width"), "NAME=VALUE"),
        (("nevergrad", *PROGRAMS, "--evaluations", 1, "--set", "optimiser=NGopt"), "'NGOpt'"),
        (("ppo", *PROGRAMS, "--evaluations", 1, "--env", "llvm-unsafe-v0"), "no policy for the actions"),
        (("nowhere:agent", *PROGRAMS, "--evaluations", 1), "cannot be imported"),
        (("math:sqr", *PROGRAMS, "--evaluations", 1), "'sqrt'"),
    ],
)
def test_what_cannot_be_searched_is_one_line_and_writes_nothing(
    arguments: tuple[Any, ...], said: str, tmp_path: Path
) -> None:
    done = run("search", *arguments, "--output", tmp_path / "results.csv", code=2)
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert not list(tmp_path.iterdir())


def test_a_run_that_outlasts_its_time_names_the_program_that_it_searched_longest(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    words = ("search", "oz-list", *PROGRAMS, "--minutes", 0.0001, "--output", results)
    expected = r"took [\d.]+ s instead of 0\.006 s; the search on {} took"
    assert re.search(expected.format("(quicksort|sha256)"), run(*words).stdout)
    report = json.loads(report_path(results).read_text())
    report["found"].pop()  # as if the run had been interrupted before the second program
    # On a busy machine, the time was up before the first evaluation for it.
    report["found"][0] |= {"seconds": 1000.0, "is_finished": True}
    report["is_finished"] = False
    report_path(results).write_text(json.dumps(report))
    assert re.search(expected.format("sha256"), run(*words).stdout)  # what this run searched
    report = json.loads(report_path(results).read_text())
    for one in (report, *report["found"]):
        one["is_finished"] = True  # as above
    report_path(results).write_text(json.dumps(report))
    assert "instead of" not in run(*words).stdout  # nothing was left to search
    long = ("search", "oz-list", *PROGRAM, "--minutes", 99, "--output", tmp_path / "others.csv")
    assert "instead of" not in run(*long).stdout


@pytest.mark.soak
def test_a_file_without_a_name_is_refused_and_a_huge_budget_is_not(tmp_path: Path) -> None:
    search = ("search", "oz-list", "--benchmark", "kernels-v0/quicksort", "--evaluations", 10**18, "--output")
    done = run(*search, "", code=2)
    assert "'.' does not name a file" in done.stderr
    for _ in range(2):
        run(*search, tmp_path / "results.csv")


def test_a_portfolio_of_other_actions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text('name = "o-v0"\nkind = "portfolio"\ntable = "others-v0"\n[[sequence]]\nactions = "x"\n')
    done = run("portfolio", "apply", *PROGRAMS, "--evaluations", 1, "--portfolio", path, code=2)
    assert "sequences of others-v0, not of llvm-passes-v0" in done.stderr


LEARN = ("portfolio", "learn", "--from", "kernels-v0", "--largest", 1400, "--env", "llvm-ic-v0")
LEARN_LITTLE = (*LEARN, "--evaluations", 20, "--changes", 2, "--size", 2)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("learned") / "mine.toml"
    assert "sequences written" in run(*LEARN_LITTLE, "--nproc", 2, "--output", path).stdout
    return path


@pytest.mark.soak
def test_a_portfolio_is_learned_and_applied(tmp_path: Path, learned: Path) -> None:
    path, results, other = learned, tmp_path / "results.csv", tmp_path / "other.toml"
    run(*LEARN_LITTLE, "--output", other)
    assert other.read_bytes() == path.read_bytes(), "the seed repeats it with any number of processes"
    again = run(*LEARN_LITTLE, "--output", path, code=2)
    assert "exists" in again.stderr
    apply = ("portfolio", "apply", "--benchmark", "kernels-v0/json", "--evaluations", 3, "--portfolio", path)
    run(*apply, "--output", results)
    report = json.loads(report_path(results).read_text())
    assert report["run"]["trained_on"][0]["name"] == "mine-v0"
    assert not report["run"]["trained_on_test_set"]
    run(
        "portfolio", "apply", "--benchmark", "kernels-v0/bytecode", *apply[4:], "--output", tmp_path / "s.csv"
    )
    assert json.loads((tmp_path / "s.run.json").read_text())["run"]["trained_on_test_set"]


def test_a_minimised_result_has_the_effort_of_the_search_and_of_minimising(tmp_path: Path) -> None:
    results, short = tmp_path / "results.csv", tmp_path / "results-minimised.csv"
    learned = portfolio(tmp_path, "mine-v0", "sroa gvn", "inline dse")
    learned.write_text(
        learned.read_text().replace("benchmark://mine-v0/p", "benchmark://kernels-v0/bytecode")
    )
    seen = ("--benchmark", "kernels-v0/bytecode", "--evaluations", 2, "--portfolio", learned)
    run("search", "portfolio", *seen, "--output", results)
    run("minimise", results)
    before, after = (json.loads(report_path(path).read_text()) for path in (results, short))
    [long], [shorter] = before["found"], after["found"]
    assert shorter["evaluations"] > long["evaluations"] > 0
    assert after["evaluations"] == shorter["evaluations"]
    assert after["wall_seconds"] > before["wall_seconds"]
    assert after["is_finished"]
    assert after["run"]["start_sha256"] == hashlib.sha256(results.read_bytes()).hexdigest()
    assert "--output results.csv && optarena minimise results.csv" in after["run"]["command"]
    sent = submitted(short)
    assert sent["effort"]["compilations"] == shorter["evaluations"]
    assert sent["effort"]["trained_on_test_set"]
    other = run("search", "portfolio", *seen, "--output", short, code=2)
    assert "belongs to another run: its start_sha256" in other.stderr


def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    results, taken = tmp_path / "results.csv", tmp_path / "taken"
    run("search", "oz-list", *PROGRAMS, "--evaluations", 1, "--output", results)
    taken.touch()
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--env", "llvm-ic-v0")
    for command in (("search", "random", *PROGRAMS, "--evaluations", 3), ("minimise", results), learn):
        done = run(*command, "--output", taken / "file.csv", code=2)
        assert str(taken) in done.stderr
        assert not done.stdout, "the error comes before any program is worked on"


@pytest.mark.parametrize("name", ["", "n" * 101, "a\nb-v0"])
def test_a_portfolio_gets_no_name_with_which_it_could_not_be_read(name: str, tmp_path: Path) -> None:
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--env", "llvm-ic-v0", "--evaluations", 1)
    done = run(*learn, "--name", name, "--output", tmp_path / "mine.toml", code=2)
    assert "name" in done.stderr
    assert not done.stdout
    assert not list(tmp_path.iterdir())


def test_two_commands_do_not_write_the_same_file(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    command = ("search", "local", *PROGRAMS, "--evaluations", "4000", "--output", results)
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--env", "llvm-ic-v0", "--output", results)
    with subprocess.Popen([*OPTARENA, *map(str, command)], stdout=subprocess.DEVNULL) as first:
        # The file that it locks is there a moment before it is locked.
        while not any(f":{one.stat().st_ino} " in LOCKS.read_text() for one in tmp_path.iterdir()):
            assert first.poll() is None
            time.sleep(0.02)
        for other in (command, learn):
            done = run(*other, code=2)
            assert f"Another process is writing {results}" in done.stderr
        first.kill()
    run("search", "oz-list", *PROGRAMS, "--evaluations", 1, "--output", tmp_path / "other.csv")
    assert sorted(file.name for file in tmp_path.iterdir() if "other" in file.name) == [
        "other.csv",
        "other.run.json",
    ]
    done = run("search", "local", *PROGRAM, "--evaluations", 1, "--output", results, code=None)
    assert "Another process" not in done.output, "the system frees what a killed process had"


def test_no_portfolio_is_written_where_nothing_adds_anything(tmp_path: Path) -> None:
    learn = ("portfolio", "learn", "--from", "kernels-v0", "--largest", 1250, "--env", "llvm-ic-v0")
    done = run(*learn, "--evaluations", 1, "--changes", 0, "--output", tmp_path / "mine.toml", code=2)
    assert "No sequence was found that adds anything" in done.stderr
    assert not list(tmp_path.iterdir())


def test_submitting_takes_the_effort_from_the_report(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    run("search", "random", *PROGRAMS, "--evaluations", 3, "--output", results)
    sent = submitted(results)
    assert sent["effort"]["compilations"] == 3
    assert sent["effort"]["walltime_seconds"] > 0
    assert not sent["effort"]["trained_on_test_set"]
    assert "optarena search random" in sent["description"]
    assert submitted(results, "--compilations", "7")["effort"]["compilations"] == 7
    told = json.loads(report_path(results).read_text())
    told["run"]["command"] += " --benchmark x" * 150
    report_path(results).write_text(json.dumps(told))
    assert not submitted(results).get("description"), "a board takes no text of this length"
    results.write_text("\n".join(results.read_text().splitlines()[:2]) + "\n")
    with serving(answer) as server:
        done = run(
            "submit", results, "--board", "b", "--agent", "a", "--url", server.url, "--token", "t", code=2
        )
    assert "contradicts its results" in done.stderr


def answer(_: int, path: str) -> tuple[int, str, bytes]:
    if path.endswith("/boards/b/"):
        return ok({"environment": SPEC.slug, "environment_digest": SPEC.digest, "slug": "b"})
    return ok({"items": 2, "board": "b"})


def submitted(results: Path, *options: str) -> dict[str, Any]:
    with serving(answer) as server:
        place = ("--board", "b", "--agent", "a", "--url", server.url, "--token", "t")
        run("submit", results, *place, "--dry-run", *options)
        sent: dict[str, Any] = json.loads(server.bodies[-1])
    return sent


def test_an_agent_of_ones_own_is_named_by_its_function(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.csv"
    monkeypatch.syspath_prepend(EXAMPLES / "agents")
    run("search", "annealing:search", *PROGRAM, "--evaluations", 5, "--output", results)
    assert json.loads(report_path(results).read_text())["run"]["agent"] == "annealing:search"


def test_a_module_that_is_not_python_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_written.py").write_text("def search(evaluator, budget, rng:\n")
    monkeypatch.syspath_prepend(tmp_path)
    done = run(
        "search", "half_written:search", *PROGRAMS, "--evaluations", 1, "--output", tmp_path / "r.csv", code=2
    )
    assert "'half_written:search' cannot be imported" in done.stderr
    assert "half_written.py, line 1" in done.stderr
    assert "bug" not in done.stderr


def test_an_exception_of_an_agent_of_ones_own_names_the_agent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "clumsy.py"
    path.write_text("def search(evaluator, budget, rng):\n    yield evaluator.nothing\n")
    monkeypatch.syspath_prepend(tmp_path)
    done = run(
        "search", "clumsy:search", *PROGRAMS, "--evaluations", 1, "--output", tmp_path / "r.csv", code=2
    )
    assert "The agent clumsy:search failed: AttributeError: " in done.stderr
    assert f"line 2 of {path}" in done.stderr
    assert "bug" not in done.stderr


def test_ctrl_c_before_anything_was_found_names_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Search, "_agent", interrupted)  # before the first evaluation
    search = ("search", "random", *PROGRAM, "--evaluations", 1, "--output", tmp_path / "r.csv")
    assert "Nothing was found yet" in run(*search, code=130).stdout
    assert not (tmp_path / "r.csv").exists()


@pytest.mark.soak
def test_ctrl_c_on_a_terminal_keeps_what_was_found_and_ends_all_processes(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    ours, theirs = pty.openpty()
    command = [*OPTARENA, "search", "local", *PROGRAMS, "--evaluations", "4000", "--nproc", "2"]
    with subprocess.Popen(
        [*command, "--output", str(results)],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    ) as process:
        os.close(theirs)
        shown = b""
        while b"quicksort" not in shown or len(below := descendants(process.pid)) < 3:
            shown += os.read(ours, 65536)
            assert process.poll() is None
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    os.close(ours)
    assert process.returncode == 130
    assert "The same command goes on from there" in printed
    assert "evaluations" in shown.decode(errors="replace")
    assert not [pid for pid in below if Path(f"/proc/{pid}").exists()]
    report = json.loads(report_path(results).read_text())
    assert not report["is_finished"]
    run("validate", results, "--repeats", 1)


def test_minimising_keeps_the_value_with_fewer_actions(tmp_path: Path) -> None:
    results, short = tmp_path / "results.json", tmp_path / "short.json"
    minimise = ("minimise", results, "--output", short)
    search = ("search", "oz-list", *PROGRAM, "--evaluations", 1, "--output", results)
    printed = run(*search).stdout
    found = results.read_bytes()
    begun = "quicksort: 1745 to 706, "
    assert printed.startswith(begun)
    assert run(*search).stdout.startswith(begun)
    assert results.read_bytes() == found
    run(*minimise)
    (before,), (after,) = (
        read_states(path.read_text(), format="json", metrics=SPEC.metric_names) for path in (results, short)
    )
    assert before.benchmark == after.benchmark == "benchmark://kernels-v0/quicksort"
    assert after.claims["ir_instructions"] <= before.claims["ir_instructions"]
    assert len(after.commandline) < len(before.commandline)
    run("validate", short, "--repeats", 1)
    assert "overwritten" in run("minimise", results, "--output", results, code=2).stderr
    kept = short.read_bytes()
    assert "short.json exists" in run(*minimise, code=2).stderr
    assert short.read_bytes() == kept


@pytest.mark.soak
def test_what_may_not_get_worse_is_what_the_results_are_for(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    search = ("search", "oz-list", *PROGRAM, "--evaluations", 1, "--metric", "text_size_bytes")
    run(*search, "--output", results)
    for target in (tmp_path / "reported.csv", tmp_path / "claimed.csv"):
        run("minimise", results, "--output", target)
        long, short = (
            read_states(path.read_text(), format="csv", metrics=SPEC.metric_names)[0].claims
            for path in (results, target)
        )
        assert list(short) == ["text_size_bytes"]
        assert short["text_size_bytes"] <= long["text_size_bytes"]
        report_path(results).unlink(missing_ok=True)


def test_a_state_that_fails_is_named_and_not_turned_into_another(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    unsafe = environment_spec("llvm-unsafe-v0")
    crash = unsafe.commandline([0, list(unsafe.action_table.names).index("trigger-crash-module")])
    path.write_text(f'benchmark,commandline\nbenchmark://kernels-v0/quicksort,"{crash}"\n')
    done = run("minimise", path, "--env", unsafe.slug, code=2)
    assert "benchmark://kernels-v0/quicksort fails: " in done.stderr
    assert not (tmp_path / "results-minimised.csv").exists()


@pytest.mark.soak
def test_states_without_a_report_are_minimised_without_one(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    run("search", "oz-list", *PROGRAMS, "--evaluations", 1, "--output", results)
    report_path(results).unlink()
    run("minimise", results)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["results-minimised.csv", "results.csv"]


@pytest.mark.soak
def test_ctrl_c_keeps_the_states_that_are_minimised(tmp_path: Path) -> None:
    results, short = tmp_path / "results.csv", tmp_path / "results-minimised.csv"
    long = ("--benchmark", "programs-v0/zopfli")
    search = ("search", "oz-list", *PROGRAM, *long, "--evaluations", 1, "--output", results)
    run(*search)
    with subprocess.Popen(
        [*OPTARENA, "minimise", str(results)], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stdout is not None
        while not short.exists() or not report_path(short).exists():
            assert process.poll() is None
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"1 result written to {short}" in printed
    [state] = read_states(short.read_text(), format="csv", metrics=SPEC.metric_names)
    assert state.benchmark == "benchmark://kernels-v0/quicksort"
    report = json.loads(report_path(short).read_text())
    assert [one["benchmark"] for one in report["found"]] == [state.benchmark]
    assert not report["is_finished"]


TABLE = SPEC.action_table
TEXT = 'name = "{name}"\nkind = "portfolio"\ntable = "{table}"\ntrained_on = ["benchmark://{name}/p"]\n'
SEQUENCE = '[[sequence]]\norigin = "benchmark://{name}/p"\nadded = 0.5\nactions = "{actions}"\n'


def portfolio(folder: Path, name: str, *sequences: str, table: str = TABLE.name) -> Path:
    path = folder / f"{name}.toml"
    parts = [SEQUENCE.format(name=name, actions=actions) for actions in sequences]
    path.write_text("".join([TEXT.format(name=name, table=table), *parts]))
    return path


@pytest.mark.soak
def test_ctrl_c_keeps_the_sequences_that_are_chosen(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    learn = ("learn", "--from", "kernels-v0", "--largest", "1400", "--env", "llvm-ic-v0")
    budget = ("--evaluations", "20", "--changes", "20", "--output", str(path))
    with subprocess.Popen(
        [sys.executable, "-m", "optarena", "portfolio", *learn, *budget],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        while "those from other programs" not in process.stdout.readline():
            assert process.poll() is None
        assert path.exists(), "a sequence is written before it is told"
        os.killpg(process.pid, signal.SIGINT)
        printed, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    kept = read_portfolio(path, TABLE)
    assert f"{counted(len(kept.sequences), 'sequence')} written to {path}" in printed
    assert [one.name for one in tmp_path.iterdir()] == ["mine.toml"]


def test_portfolios_are_joined_with_each_sequence_once(tmp_path: Path) -> None:
    first = portfolio(tmp_path, "first-v0", "sroa gvn", "inline")
    second = portfolio(tmp_path, "second-v0", "inline", "dse")
    target = tmp_path / "both.toml"
    join = ("portfolio", "join", "--env", "llvm-ic-v0", "--name", "both-v0", "--output", target)
    run(*join, first, second)
    both = read_portfolio(target, TABLE)
    assert [[TABLE.names[action] for action in one.actions] for one in both.sequences] == [
        ["sroa", "gvn"],
        ["inline"],
        ["dse"],
    ]
    assert both.trained_on == ("benchmark://first-v0/p", "benchmark://second-v0/p")
    assert [one.origin for one in both.sequences] == [*[both.trained_on[0]] * 2, both.trained_on[1]]
    assert {one.added for one in both.sequences} == {None}, "it held beside other sequences"
    again = run(*join, second, first, code=2)
    assert "exists" in again.stderr


def test_what_cannot_be_joined_is_refused(tmp_path: Path) -> None:
    names = TABLE.names
    first = portfolio(tmp_path, "first-v0", *(f"sroa {name}" for name in names[:30]))
    second = portfolio(tmp_path, "second-v0", *(f"gvn {name}" for name in names[:30]))
    foreign = portfolio(tmp_path, "foreign-v0", "x", table="others-v0")
    join = ("portfolio", "join", "--env", "llvm-ic-v0", "--output", tmp_path / "both.toml", first)
    for other, said in (
        (second, "60 sequences"),
        (foreign, "sequences of others-v0, not of llvm-passes-v0"),
        ("portfolio-v00", "portfolio-v0"),
    ):
        done = run(*join, other, code=2)
        assert said in done.stderr
    assert not (tmp_path / "both.toml").exists()


def test_a_run_names_the_portfolio_that_it_used(tmp_path: Path) -> None:
    newest = builtin_portfolio(TABLE, "portfolio")
    former = builtin_portfolio(TABLE, "portfolio", "portfolio-v0")
    assert newest is not None
    assert former is not None
    for given, used in (((), newest), (("--portfolio", "portfolio-v0"), former)):
        results = tmp_path / f"{used.name}.csv"
        run("search", "portfolio", *PROGRAM, "--evaluations", 1, *given, "--output", results)
        identity = json.loads(report_path(results).read_text())["run"]
        assert {"name": used.name, "sha256": used.sha256} in identity["trained_on"]
        assert identity["command"].endswith(f"--portfolio {used.name}")


def test_what_says_nothing_about_itself_is_joined_too(tmp_path: Path) -> None:
    path, target = tmp_path / "bare.toml", tmp_path / "both.toml"
    path.write_text(
        f'name = "bare-v0"\nkind = "portfolio"\ntable = "{TABLE.name}"\n[[sequence]]\nactions = "sroa"\n'
    )
    run("portfolio", "join", "--env", "llvm-ic-v0", "--output", target, path)
    both = read_portfolio(target, TABLE)
    assert [(one.origin, both.description) for one in both.sequences] == [("", "")]
