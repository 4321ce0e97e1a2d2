"""Searches with a store: the same results with and without it, and what it says is audited."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from optarena.agents import Budget, Evaluator, Objective, SearchOutcome
from optarena.agents.catalogue import agent_named
from optarena.agents.reports import SearchFiles, SearchPlan
from optarena.agents.searching import KnownOutcomes, Search
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.isolation.limits import ProcessLimits
from optarena.outcome_store import MemoryStore, OutcomeStore, OutcomeTrace, ProgramKeys, open_store
from optarena.specs import environment_spec
from tests.kit.valkey_server import valkey_server

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.specs import EnvironmentSpec

SPEC = environment_spec("llvm-ic-v0")
UNSAFE = environment_spec("llvm-unsafe-v0")
PROGRAM = datasets().benchmark("benchmark://kernels-v0/quicksort")
HANGS = Benchmark.from_bytes(
    "benchmark://tests-v0/hangs", (Path(__file__).parents[1] / "llvm/data/hang.ll").read_bytes()
)
"""A program on which ``attributor`` does not end."""
PROGRAMS = (PROGRAM, datasets().benchmark("benchmark://kernels-v0/sha256"))
KEYS = ProgramKeys(SPEC, PROGRAM, SPEC.action_table.name, "trace")
BYTES = Objective.of(SPEC, "text_size_bytes")


def neighbours(count: int, length: int = 12) -> list[tuple[int, ...]]:
    chance = random.Random(5)  # noqa: S311 # no secret
    size = len(SPEC.action_table.names)
    present = tuple(chance.randrange(size) for _ in range(length))
    places = [chance.randrange(length) for _ in range(count)]
    return [(*present[:place], chance.randrange(size), *present[place:]) for place in places] + [
        (*present, action) for action in range(count)
    ]


SEQUENCES = neighbours(8)


def evaluated(  # noqa: PLR0913 # all but the first by keyword
    store: OutcomeStore | None,
    *,
    spec: EnvironmentSpec = SPEC,
    program: Benchmark = PROGRAM,
    sequences: list[tuple[int, ...]] = SEQUENCES,
    audited: float = 0.0,
    seed: int = 0,
    **arguments: Any,
) -> tuple[list[SearchOutcome], Evaluator, KnownOutcomes | None]:
    known = None if store is None else KnownOutcomes(store, spec, program, seed=seed, audited=audited)
    with Evaluator(spec, program, Budget(10_000), known=known, **arguments) as one:
        outcomes = [
            outcome for at in range(0, len(sequences), 8) for outcome in one.evaluate(sequences[at : at + 8])
        ]
    return outcomes, one, known


@pytest.fixture(scope="module")
def truth() -> list[SearchOutcome]:
    return evaluated(None)[0]


@pytest.fixture
def filled() -> MemoryStore:
    store = MemoryStore()
    evaluated(store)
    return store


def test_what_a_store_knows_is_not_run_and_is_the_same(truth: list[SearchOutcome]) -> None:
    store = MemoryStore()
    for nproc in (1, 3):
        found, _, known = evaluated(store, nproc=nproc)
        assert found == truth
    assert known
    assert known.answered == len(SEQUENCES)
    outcomes, one, _ = evaluated(store)
    assert outcomes == truth
    assert one.actions_run == 0
    assert evaluated(store, sequences=[SEQUENCES[0][:5]])[1].actions_run == 5, (
        "only whole sequences are known"
    )
    assert evaluated(store, program=PROGRAMS[1])[2].answered == 0
    another = replace(SPEC, version=lambda: {"compiler": "another"})
    assert evaluated(store, spec=another)[2].answered == 0, "another digest's rows are not found"


@pytest.mark.parametrize("nproc", [1, 3])
def test_an_audit_runs_the_same_share_again_whatever_the_processes(
    filled: MemoryStore, truth: list[SearchOutcome], nproc: int
) -> None:
    drawn = {
        seed: [
            one
            for one in SEQUENCES
            if KnownOutcomes(filled, SPEC, PROGRAM, seed=seed, audited=0.3).is_drawn(one)
        ]
        for seed in (0, 1)
    }
    assert drawn[0] != drawn[1]
    assert 0 < len(drawn[1]) < 12
    outcomes, one, known = evaluated(filled, seed=1, audited=0.3, nproc=nproc)
    assert outcomes == truth
    assert known
    assert (known.checked, known.wrong) == (len(drawn[1]), 0)
    assert one.actions_run > 0
    shares = [
        KnownOutcomes(filled, SPEC, PROGRAM, seed=seed).is_drawn(one)
        for seed in range(200)
        for one in SEQUENCES
    ]
    assert 0.04 < sum(shares) / len(shares) < 0.06


def wrong_cost(trace: OutcomeTrace) -> OutcomeTrace:
    return replace(trace, costs=(*trace.costs[:-1], 1.0))


def wrong_start(trace: OutcomeTrace) -> OutcomeTrace:
    return replace(trace, costs=(1.0, *trace.costs[1:]))


def wrong_effect(trace: OutcomeTrace) -> OutcomeTrace:
    return replace(trace, effects=(not trace.effects[0], *trace.effects[1:]))


def wrong_end(trace: OutcomeTrace) -> OutcomeTrace:
    return OutcomeTrace(trace.costs[:-1], trace.effects[:-1], error="the compiler crashed")


@pytest.mark.parametrize("change", [wrong_cost, wrong_start, wrong_effect, wrong_end])
def test_a_row_changed_by_hand_is_found_removed_and_told_with_both_values(
    filled: MemoryStore, truth: list[SearchOutcome], change: Callable[[OutcomeTrace], OutcomeTrace]
) -> None:
    changed, key = SEQUENCES[3], KEYS.key(SEQUENCES[3])
    [row] = filled.find([key])
    trace = OutcomeTrace.of_row(row or b"")
    assert trace
    filled.keep({key: change(trace).to_row()})
    said: list[str] = []
    filled.on_warning = said.append
    outcomes, _, known = evaluated(filled, audited=1.0)
    assert outcomes == truth
    assert known
    assert known.wrong == len(said) == 1
    assert PROGRAM.uri in said[0]
    if change is wrong_cost:
        name = SPEC.action_table.names[changed[-1]]
        assert f"After {name}, action 13, it has cost 1 " in said[0]
        assert f"the compiler gives cost {trace.costs[-1]:g} " in said[0]
    assert filled.find([key]) == [row], "what is right is kept in its place"


def test_a_row_that_contradicts_what_is_known_is_run_again_even_if_it_was_not_drawn(
    filled: MemoryStore, truth: list[SearchOutcome]
) -> None:
    key = KEYS.key(SEQUENCES[0])
    trace = OutcomeTrace.of_row(filled.find([key])[0] or b"")
    assert trace
    filled.keep({key: wrong_start(trace).to_row()})
    filled.on_warning = lambda _: None
    outcomes, _, known = evaluated(filled, audited=0.0)
    assert outcomes == truth
    assert known
    assert (known.checked, known.wrong) == (1, 1)


def test_a_row_that_cannot_be_read_is_removed_and_written_again(
    filled: MemoryStore, truth: list[SearchOutcome]
) -> None:
    key = KEYS.key(SEQUENCES[0])
    [row] = filled.find([key])
    filled.keep({key: b"what is this"})
    said: list[str] = []
    filled.on_warning = said.append
    outcomes, _, _ = evaluated(filled)
    assert outcomes == truth
    assert "cannot be read" in said[0]
    assert filled.find([key]) == [row]


def test_another_metric_is_added_to_the_rows_and_not_told_where_it_would_not_be_measured() -> None:
    names = list(SPEC.action_table.names)
    good = tuple(names.index(name) for name in ("sroa", "early-cse", "simplifycfg", "instcombine"))
    far, near = (names.index("early-cse"),), (*good, names.index("simplifycfg"))
    store = MemoryStore()
    evaluated(store, sequences=[far, near])
    assert evaluated(store, objective=BYTES, sequences=[far])[0][0].loss < math.inf, "it is alone, and best"
    some = [*[good] * 8, far, near]
    alone = evaluated(None, objective=BYTES, sequences=some)[0]
    assert alone[8].loss == math.inf
    for share in (0, 1):
        assert evaluated(store, objective=BYTES, sequences=some, audited=share)[0] == alone
    assert evaluated(store, objective=BYTES, sequences=some)[1].actions_run == 0
    assert evaluated(store, sequences=some)[1].actions_run == 0


def test_a_crash_is_kept_and_an_end_by_the_load_is_not() -> None:
    crash, hang = (
        (list(UNSAFE.action_table.names).index(name),) for name in ("trigger-crash-module", "attributor")
    )
    store = MemoryStore()
    for program, actions, is_kept in ((PROGRAM, crash, True), (HANGS, hang, False)):
        outcomes = []
        for _ in range(2):
            env = CompilerEnv(UNSAFE, limits=ProcessLimits(cpu_seconds_per_call=0.4, wall_seconds_per_call=5))
            found, one, known = evaluated(store, spec=UNSAFE, program=program, sequences=[actions], env=env)
            outcomes += found
        assert outcomes[0].error
        assert outcomes[0].loss == outcomes[1].loss
        assert known
        assert known.answered == is_kept
        assert (one.actions_run == 0) == is_kept


def searched(path: Path, store: OutcomeStore | None, *, nproc: int = 1, seed: int = 0) -> SearchFiles:
    spec = agent_named("local")
    plan = SearchPlan(
        agent=spec,
        settings=spec.settings({}),
        environment=SPEC,
        objective=Objective.of(SPEC),
        benchmarks=(PROGRAM,),
        programs="a kernel",
        seed=seed,
        evaluations=30,
        nproc=nproc,
        known=spec.known(SPEC.action_table),
        given={},
        store=store,
    )
    files = SearchFiles.open(path, plan.identity())
    Search(plan, files).run()
    return files


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> SearchFiles:
    return searched(tmp_path_factory.mktemp("without") / "results.csv", None)


def test_searches_write_the_same_bytes_with_a_store_and_without(tmp_path: Path, without: SearchFiles) -> None:
    assert without.report.from_store == 0
    store = open_store(str(tmp_path / "store.sqlite"))
    first = searched(tmp_path / "first.csv", store, nproc=2)
    again = searched(tmp_path / "again.csv", store)
    assert again.report.from_store > 0.8 * again.report.evaluations > 0.8 * first.report.from_store
    assert again.report.evaluations == first.report.evaluations == without.report.evaluations
    other = searched(tmp_path / "other.csv", store, nproc=2, seed=1)
    anew = searched(tmp_path / "anew.csv", None, seed=1)
    assert other.results.read_bytes() == anew.results.read_bytes()
    assert first.results.read_bytes() == again.results.read_bytes() == without.results.read_bytes()


@pytest.mark.soak
def test_a_search_goes_on_with_one_warning_when_the_server_goes(tmp_path: Path, without: SearchFiles) -> None:
    said: list[str] = []
    with valkey_server() as (url, process):
        store = open_store(url)
        store.on_warning = said.append
        spent = searched(tmp_path / "first.csv", store).report.from_store

        class Going(type(store)):  # a store whose server goes at the fifth question
            asked = 0

            def _find(self, keys: Any) -> Any:
                self.asked += 1
                if self.asked == 5:
                    process.kill()
                    process.wait()
                return super()._find(keys)

        store.__class__ = Going
        found = searched(tmp_path / "again.csv", store)
    assert found.results.read_bytes() == without.results.read_bytes()
    assert spent < found.report.from_store < found.report.evaluations
    assert len(said) == 1
    assert "goes on without it" in said[0]
