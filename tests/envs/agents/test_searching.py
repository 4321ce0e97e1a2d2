"""Agents and their runs: true, repeatable, and the same files also if a run was interrupted."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from optarena.agents import Budget, SearchOutcome, minimise
from optarena.agents.catalogue import AGENTS, AgentSpec, agent_named, sources_of
from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Objective
from optarena.agents.reports import (
    SearchFiles,
    SearchPlan,
    SearchReport,
    check_report,
    read_report,
    report_path,
)
from optarena.agents.searching import Search, SearchProgress, cpu_seconds
from optarena.datasets import datasets
from optarena.errors import InvalidDocument, InvalidInput, ServiceError, UnknownName
from optarena.specs import environment_spec
from optarena.state import EnvState, read_states, write_states
from optarena.validation import validate_state
from tests.kit.processes import descendants, wait_until

SPEC = environment_spec("llvm-ic-v0")
NAMES = ("quicksort", "sha256", "json")
PROGRAMS = tuple(datasets().benchmark(f"benchmark://kernels-v0/{name}") for name in NAMES)


def plan(agent: str = "local", **changes: Any) -> SearchPlan:
    spec = agent_named(agent)
    chosen = SearchPlan(
        agent=spec,
        settings=spec.settings({}),
        environment=SPEC,
        objective=Objective.of(SPEC),
        benchmarks=PROGRAMS,
        programs="three kernels",
        evaluations=12,
        known=spec.known(SPEC.action_table),
        given={},
        command="optarena search local",
    )
    return replace(chosen, **changes)


def ran(
    path: Path, chosen: SearchPlan, on_progress: Callable[[SearchProgress], None] = lambda _: None
) -> SearchFiles:
    files = SearchFiles.open(path, chosen.identity())
    Search(chosen, files, on_progress).run()
    return files


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "results.csv"
    ran(path, plan())
    return path


def test_results_are_states_with_true_claims(whole: Path) -> None:
    states = read_states(whole.read_text(), format="csv", metrics=SPEC.metric_names)
    assert [state.benchmark for state in states] == [one.uri for one in PROGRAMS]
    for state in states:
        assert list(state.claims) == ["ir_instructions"]
        assert validate_state(state, environment=SPEC, repeats=1).ok


def test_the_report_says_what_was_run_and_what_it_took(whole: Path) -> None:
    report = read_report(whole)
    assert report.is_finished
    assert report.run == plan().identity()
    assert report.run.environment_digest == SPEC.digest
    assert 0 < report.compilations <= 12
    assert report.evaluations == sum(one.evaluations for one in report.found)
    assert report.cpu_seconds > 0
    assert report.wall_seconds > 0
    document = json.loads(report_path(whole).read_text())
    assert document["is_repeatable"]
    assert document["actions_run"] > document["evaluations"]


@pytest.mark.soak
def test_any_number_of_processes_writes_the_same_results(whole: Path, tmp_path: Path) -> None:
    ran(tmp_path / "results.csv", plan(nproc=3))
    assert (tmp_path / "results.csv").read_bytes() == whole.read_bytes()


@pytest.mark.soak
def test_large_programs_get_fewer_evaluations_where_work_is_limited(tmp_path: Path) -> None:
    costs = [one.baseline("ir_instructions", "O0") or 0 for one in PROGRAMS]
    chosen = plan("random", work=10 * sorted(costs)[1])
    files = ran(tmp_path / "results.csv", chosen)
    spent = {one.benchmark: one.evaluations for one in files.report.found}
    most = {
        one.uri: min(12, int(10 * sorted(costs)[1] / cost)) for one, cost in zip(PROGRAMS, costs, strict=True)
    }
    assert len(set(most.values())) == 3
    assert all(0.8 * most[uri] - 1 < spent[uri] <= most[uri] for uri in most)
    kept = read_report(tmp_path / "results.csv")
    assert kept.run == files.report.run
    with pytest.raises(InvalidInput, match="its work is"):
        SearchFiles.open(tmp_path / "results.csv", replace(chosen.identity(), work=None))
    tiny = ran(tmp_path / "tiny.csv", plan("oz-list", work=1))
    assert [one.evaluations for one in tiny.report.found] == [1, 1, 1]


@pytest.mark.soak
def test_without_transfer_a_program_gets_the_same_whatever_was_searched_before(tmp_path: Path) -> None:
    settings = agent_named("local").settings({"transfer": 0, "tried": 1})
    every = ran(tmp_path / "every.csv", plan(settings=settings, evaluations=150))
    last = ran(tmp_path / "last.csv", plan(settings=settings, evaluations=150, benchmarks=PROGRAMS[-1:]))
    assert every.states[PROGRAMS[-1].uri] == last.states[PROGRAMS[-1].uri]


def test_a_run_that_has_ended_is_not_written_again(whole: Path) -> None:
    before = report_path(whole).read_bytes(), whole.read_bytes()
    ran(whole, plan())
    assert (report_path(whole).read_bytes(), whole.read_bytes()) == before, "its effort stays as submitted"


def test_an_interrupted_run_keeps_what_it_found_and_goes_on(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    seen: list[str] = []

    def interrupt(progress: SearchProgress) -> None:
        if progress.benchmark is PROGRAMS[1] and progress.evaluations > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ran(path, plan(), interrupt)
    report = read_report(path)
    assert report is not None
    assert [one.is_finished for one in report.found] == [True, False]
    partial = read_states(path.read_text(), format="csv", metrics=SPEC.metric_names)
    assert len(partial) == 2
    assert all(validate_state(one, environment=SPEC, repeats=1).ok for one in partial)
    check_report(report, partial, name="results.run.json")
    ran(path, plan(), lambda progress: seen.append(progress.benchmark.name))
    assert path.read_bytes() == whole.read_bytes()
    assert seen.count("quicksort") == 1, "what was finished is not searched again"
    before = whole.stat().st_mtime_ns
    ran(whole, plan())
    assert whole.stat().st_mtime_ns >= before


@pytest.mark.soak
def test_a_run_that_goes_on_and_is_interrupted_again_loses_nothing(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"

    def after(evaluations: int) -> Callable[[SearchProgress], None]:
        def interrupt(progress: SearchProgress) -> None:
            if progress.benchmark is PROGRAMS[1] and progress.start and progress.evaluations >= evaluations:
                raise KeyboardInterrupt

        return interrupt

    found = []
    for evaluations in (4, 0):
        with pytest.raises(KeyboardInterrupt):
            ran(path, plan(), after(evaluations))
        report = read_report(path)
        found.append(report.found[1])
        [_, state] = read_states(path.read_text(), format="csv", metrics=SPEC.metric_names)
        assert validate_state(state, environment=SPEC, repeats=1).ok
        assert state.claims["ir_instructions"] == found[-1].value
    assert found[1].value == found[0].value, "what was found before is better than what there is at once"
    assert found[1].evaluations >= found[0].evaluations
    ran(path, plan())
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.soak
def test_a_timed_run_that_goes_on_keeps_what_is_better(whole: Path, tmp_path: Path) -> None:
    """Random walks of a second find less than what there is."""
    path = tmp_path / "results.csv"
    chosen = plan("random", evaluations=None, minutes=1 / 60, benchmarks=PROGRAMS[:1])
    report = read_report(whole)
    state, *_ = read_states(whole.read_text(), format="csv", metrics=SPEC.metric_names)
    files = SearchFiles.open(path, chosen.identity())
    files.add(state, replace(report.found[0], is_finished=False))
    files.save()
    while not (went_on := ran(path, chosen)).report.is_finished:
        pass  # a busy machine has left no time for a walk
    assert went_on.states[PROGRAMS[0].uri] == state
    assert went_on.report.found[0].value == report.found[0].value
    assert went_on.report.found[0].evaluations > report.found[0].evaluations


@pytest.mark.soak
def test_a_value_that_was_never_measured_is_not_written(tmp_path: Path) -> None:
    """A run that goes on would keep it, as the best that there is."""
    objective = Objective.of(SPEC, "text_size_bytes")
    hasty = replace(objective, metric=replace(objective.metric, cpu_seconds=0.1))
    programs = (datasets().benchmark("benchmark://programs-v0/lz4"),)
    chosen = plan("random", objective=hasty, benchmarks=programs, evaluations=1)
    with pytest.raises(ServiceError):
        ran(tmp_path / "results.csv", chosen)
    assert not (tmp_path / "results.csv").exists()


def test_a_result_is_written_before_it_is_told(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"

    def fail(progress: SearchProgress) -> None:
        if progress.is_finished:
            raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        ran(path, plan(), fail)
    report, undisturbed = read_report(path), read_report(whole)
    assert [(one.value, one.is_finished) for one in report.found] == [(undisturbed.found[0].value, True)]


@pytest.mark.soak
def test_ctrl_c_while_sessions_end_loses_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    close = Evaluator.close

    def interrupted(evaluator: Evaluator) -> None:
        close(evaluator)
        raise KeyboardInterrupt

    monkeypatch.setattr(Evaluator, "close", interrupted)
    with pytest.raises(KeyboardInterrupt):
        ran(tmp_path / "results.csv", plan("oz-list", evaluations=1))
    report = read_report(tmp_path / "results.csv")
    assert [one.is_finished for one in report.found] == [True]


RUN = """
import sys
from pathlib import Path
sys.path.insert(0, {folder!r})
import runpy
kit = runpy.run_path({test!r})

def tell(one):
    print(one.benchmark.name, one.evaluations, flush=True)

kit["ran"](Path(sys.argv[1]), kit["plan"](nproc=2), tell)
"""


@pytest.mark.soak
def test_a_run_that_was_killed_leaves_no_process_and_goes_on(whole: Path, tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    code = RUN.format(folder=str(Path(__file__).parents[3]), test=__file__)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    ) as driver:
        while not (line := driver.stdout.readline()).startswith("sha256 ") or line.endswith(" 0\n"):
            assert driver.poll() is None
        below = descendants(driver.pid)
        assert len(below) > 1
        driver.send_signal(signal.SIGKILL)
    wait_until(lambda: not any(map(_is_alive, below)))
    report = read_report(path)
    assert not report.is_finished
    assert len(report.found) == 1
    ran(path, plan())
    assert path.read_bytes() == whole.read_bytes()
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["results.csv", "results.run.json"]


def _is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def test_a_time_is_shared_out_and_said_not_to_be_repeatable(tmp_path: Path) -> None:
    files = ran(tmp_path / "results.csv", plan(evaluations=None, minutes=0.6 / 60))
    assert len(files.report.found) == 3
    assert not json.loads(report_path(tmp_path / "results.csv").read_text())["is_repeatable"]


def test_given_states_are_a_start(whole: Path, tmp_path: Path) -> None:
    states = read_states(whole.read_text(), format="csv", metrics=SPEC.metric_names)
    given = {one.benchmark: SPEC.parse_commandline(one.commandline) for one in states}
    chosen = plan(evaluations=4, given=given, given_sha256="0" * 64)
    files = ran(tmp_path / "results.csv", chosen)
    for state in states:
        assert files.states[state.benchmark].claims["ir_instructions"] <= state.claims["ir_instructions"]


def test_files_of_another_run_are_not_overwritten(whole: Path, tmp_path: Path) -> None:
    before = whole.read_bytes()
    for other, field in ((plan(seed=1), "seed"), (plan("random"), "agent"), (plan(evaluations=25), "evalu")):
        with pytest.raises(InvalidInput, match=f"another run: its {field}"):
            SearchFiles.open(whole, other.identity())
    path = tmp_path / "mine.csv"
    path.write_bytes(before)
    with pytest.raises(InvalidInput, match="has no report"):
        SearchFiles.open(path, plan().identity())
    assert path.read_bytes() == before == whole.read_bytes()


def test_a_report_that_contradicts_its_results_is_refused(whole: Path) -> None:
    report = read_report(whole)
    assert report is not None
    states = read_states(whole.read_text(), format="csv", metrics=SPEC.metric_names)
    check_report(report, states, name="r")
    better = replace(states[0], claims={"ir_instructions": 1})
    elsewhere = EnvState(benchmark="benchmark://kernels-v0/matrix", commandline=states[0].commandline)
    for changed in ([better, *states[1:]], states[1:], [*states, elsewhere]):
        with pytest.raises(InvalidInput, match="r contradicts its results"):
            check_report(report, changed, name="r")


def test_a_run_does_not_go_on_from_results_that_contradict_their_report(tmp_path: Path) -> None:
    path, chosen = tmp_path / "results.csv", plan("oz-list", benchmarks=PROGRAMS[:1], evaluations=1)
    states = list(ran(path, chosen).states.values())
    path.write_text(write_states([replace(states[0], claims={"ir_instructions": 1})], format="csv"))
    with pytest.raises(InvalidInput, match="contradicts its results"):
        SearchFiles.open(path, chosen.identity())


def test_a_report_whose_command_names_many_programs_can_be_read(whole: Path) -> None:
    report = read_report(whole)
    assert report is not None
    many = replace(report.run, command=" ".join(f"--benchmark units-v0/u{one}" for one in range(1000)))
    changed = replace(report, run=many)
    assert SearchReport.parse(changed.to_json().encode()).run == many


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('"seed": 0', '"seed": "x"', "run.seed"),
        ('"seed": 0', '"seed": -1', "run.seed"),
        ('"format": 1', '"format": 2', "format"),
        ('"cpu_seconds"', '"gpu_seconds"', "cpu_seconds"),
        ('"value"', '"values"', "value"),
    ],
)
def test_what_is_wrong_with_a_report_is_said(whole: Path, old: str, new: str, field: str) -> None:
    text = report_path(whole).read_text().replace(old, new)
    with pytest.raises(InvalidDocument) as caught:
        SearchReport.parse(text.encode())
    assert any(field in problem.field for problem in caught.value.problems)


def test_a_full_disk_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    chosen = plan("oz-list", benchmarks=PROGRAMS[:1], evaluations=1)
    files = ran(path, chosen)
    before = path.read_bytes()
    most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, most[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            files.save()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, most)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.soak
def test_programs_for_which_no_time_was_left_are_searched_when_the_run_goes_on(tmp_path: Path) -> None:
    path, chosen = tmp_path / "results.csv", plan(evaluations=None, minutes=0.5 / 60)
    first = ran(path, chosen).report
    assert not first.is_finished
    assert len(first.found) == len(PROGRAMS), "each has its unoptimised state at least"
    while not ran(path, chosen).report.is_finished:
        pass  # each run searches at least one, unless the machine is busy
    assert all(one.evaluations > 0 for one in ran(path, chosen).report.found)


PROGRAM = datasets().benchmark("benchmark://kernels-v0/quicksort")
FEW_AGENTS = pytest.mark.parametrize(
    "agent",
    [pytest.param(agent, marks=() if agent.name == "local" else pytest.mark.soak) for agent in AGENTS],
    ids=lambda agent: agent.name,
)


def searched(
    agent: AgentSpec, *, seed: int = 0, evaluations: int = 20, **arguments: Any
) -> list[SearchOutcome]:
    sources = sources_of(agent.known(SPEC.action_table))
    budget = Budget(evaluations)
    with Evaluator(SPEC, PROGRAM, budget, **arguments) as evaluator:
        search = agent.make(sources, agent.settings({}))
        found = list(search(evaluator, budget, np.random.default_rng(seed)))
    assert budget.spent <= evaluations
    return found


@cache
def found_by(name: str) -> list[SearchOutcome]:
    return searched(agent_named(name))


@FEW_AGENTS
def test_each_outcome_is_better_than_those_before_and_true(agent: AgentSpec) -> None:
    found = found_by(agent.name)
    losses = [one.loss for one in found]
    assert losses == sorted(set(losses), reverse=True)
    assert losses
    line = SPEC.commandline(found[-1].prefix)
    state = EnvState(benchmark=PROGRAM.uri, commandline=line, claims={"ir_instructions": losses[-1]})
    result = validate_state(state, environment=SPEC, repeats=1)
    assert result.ok, str(result)


@FEW_AGENTS
def test_a_seed_repeats_a_search_with_any_number_of_processes(agent: AgentSpec) -> None:
    assert searched(agent, nproc=3) == found_by(agent.name)
    if agent.name == "random":
        assert searched(agent, seed=4) != found_by(agent.name)


@pytest.mark.parametrize(
    "agent",
    [
        pytest.param(one, marks=pytest.mark.soak if one.name == "nevergrad" else ())  # it loads for long
        for one in AGENTS
    ],
    ids=lambda agent: agent.name,
)
def test_a_time_bounds_a_search(agent: AgentSpec) -> None:
    budget = Budget(seconds=0.1)
    with Evaluator(SPEC, PROGRAM, budget) as evaluator:
        search = agent.make(sources_of(agent.known(SPEC.action_table)), agent.settings({}))
        list(search(evaluator, budget, np.random.default_rng(0)))
    assert budget.left == 0 or agent.name in {"oz-list", "portfolio", "greedy"}


def test_the_list_comes_close_to_the_compilers_own_level() -> None:
    baseline = PROGRAM.baseline("ir_instructions", "Oz")
    assert baseline
    assert 0.95 < baseline / searched(agent_named("oz-list"))[-1].loss < 1.05


@pytest.mark.soak
def test_local_search_and_greedy_are_better_than_the_list_that_they_begin_with() -> None:
    listed = searched(agent_named("oz-list"))[-1].loss
    for name in ("greedy", "local"):
        assert searched(agent_named(name), evaluations=150)[-1].loss < listed


@pytest.mark.soak
def test_a_beam_pays_for_no_sequence_twice() -> None:
    agent, size = agent_named("greedy"), len(SPEC.action_table.names)
    search, budget = agent.make(sources_of({}), agent.settings({"width": 3})), Budget(3 * size)
    with Evaluator(SPEC, PROGRAM, budget) as evaluator:
        evaluate, asked = evaluator.evaluate, list[tuple[int, ...]]()

        def counted(sequences: Any, **others: Any) -> list[SearchOutcome]:
            outcomes = evaluate(sequences, **others)
            asked.extend(one.actions for one in outcomes)
            return outcomes

        evaluator.evaluate = counted  # type: ignore[method-assign] # it counts
        list(search(evaluator, budget, np.random.default_rng(0)))
    assert len(asked) == budget.spent
    assert len(set(asked)) == len(asked)


@pytest.mark.soak
def test_a_minimised_sequence_has_no_action_to_leave_out() -> None:
    [*_, best] = searched(agent_named("oz-list"))
    with Evaluator(SPEC, PROGRAM, Budget(500)) as evaluator:
        kept = minimise(evaluator, best)
        assert kept.loss <= best.loss
        assert len(kept.prefix) < len(best.effective)
        assert all(kept.effects[: kept.length])
        actions = kept.prefix
        shorter = [actions[:place] + actions[place + 1 :] for place in range(len(actions))]
        # One action is tried at a time, so that a later one may have become useless: few do.
        useless = [one for one in evaluator.evaluate(shorter) if one.loss <= kept.loss]
        assert len(useless) <= 1


def test_a_sequence_that_fails_is_not_minimised_to_one_that_works() -> None:
    unsafe = environment_spec("llvm-unsafe-v0")
    failing = (0, list(unsafe.action_table.names).index("trigger-crash-module"))
    with Evaluator(unsafe, PROGRAM, Budget(20)) as evaluator:
        [failed] = evaluator.evaluate([failing])
        assert minimise(evaluator, failed) is failed


def test_minimising_stops_where_the_budget_ends() -> None:
    [*_, best] = searched(agent_named("oz-list"))
    budget = Budget(4)
    with Evaluator(SPEC, PROGRAM, budget) as evaluator:
        kept = minimise(evaluator, best)
    assert budget.spent == 4
    assert kept.loss <= best.loss


def test_unknown_agents_and_parameters_are_named_with_near_ones() -> None:
    with pytest.raises(UnknownName, match="'greedy'"):
        agent_named("greedi")
    with pytest.raises(UnknownName, match="'width'"):
        agent_named("greedy").settings({"with": 3})
    with pytest.raises(InvalidInput, match="from 1 to 50"):
        agent_named("greedy").settings({"width": 0})


def test_an_agent_says_that_its_sequences_are_of_other_actions() -> None:
    table = environment_spec("llvm-unsafe-v0").action_table
    with pytest.raises(InvalidInput, match="no list of sequences for the actions of llvm-unsafe-v0"):
        agent_named("oz-list").known(table)
    assert agent_named("local").known(table) == {}


def test_the_time_of_a_child_that_has_ended_counts() -> None:
    code = "import time\nwhile time.process_time() < 0.5: pass"
    before = cpu_seconds()
    subprocess.run([sys.executable, "-c", code], check=True)
    assert cpu_seconds() - before >= 0.4  # the kernel counts in hundredths of a second
