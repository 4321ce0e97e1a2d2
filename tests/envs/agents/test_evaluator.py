"""The evaluator and stores of outcomes: what a sequence gives depends on program and sequence alone."""

from __future__ import annotations

import itertools
import math
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import pytest

from optarena.agents import Budget, Evaluator, Objective, SearchOutcome, minimise
from optarena.agents.catalogue import agent_named
from optarena.agents.evaluator import CopyPool
from optarena.agents.reports import SearchFiles, SearchPlan
from optarena.agents.searching import KnownOutcomes, Search
from optarena.agents.trials import Chooser, Trials, WalkSoFar
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.errors import (
    InvalidAction,
    InvalidInput,
    ServiceError,
    SessionKilled,
    SessionTimeout,
    ValueUnavailable,
)
from optarena.isolation.limits import ProcessLimits
from optarena.outcome_store import MemoryStore, OutcomeStore, OutcomeTrace, ProgramKeys, open_store
from optarena.specs import EnvironmentSpec, environment_spec
from tests.kit.examples import slow
from tests.kit.processes import sessions, wait_until

SPEC = environment_spec("llvm-ic-v0")
UNSAFE = environment_spec("llvm-unsafe-v0")
PROGRAM = datasets().benchmark("benchmark://kernels-v0/quicksort")
HANGS = Benchmark.from_bytes(
    "benchmark://tests-v0/hangs", (Path(__file__).parents[1] / "llvm/data/hang.ll").read_bytes()
)
"""A program on which ``attributor`` does not end."""
NAMES = list(SPEC.action_table.names)


def numbers(*names: str) -> tuple[int, ...]:
    return tuple(NAMES.index(name) for name in names)


def evaluator(budget: Budget | None = None, **arguments: Any) -> Evaluator:
    return Evaluator(SPEC, PROGRAM, budget or Budget(10_000), **arguments)


def neighbours(count: int, length: int = 16) -> list[tuple[int, ...]]:
    chance = random.Random(7)  # noqa: S311 # no secret
    present = [chance.randrange(len(NAMES)) for _ in range(length)]
    made = [tuple(present)]
    for _ in range(count - 1):
        place = chance.randrange(length)
        made.append((*present[:place], chance.randrange(len(NAMES)), *present[place:]))
        if chance.random() < 0.2:
            present[place] = chance.randrange(len(NAMES))
    return made


def in_batches(one: Evaluator, sequences: list[tuple[int, ...]], size: int = 4) -> list[SearchOutcome]:
    batches = [sequences[first : first + size] for first in range(0, len(sequences), size)]
    return [outcome for batch in batches for outcome in one.evaluate(batch)]


def test_an_outcome_has_cost_and_effect_after_each_action() -> None:
    actions = numbers("sroa", "sroa", "instcombine", "simplifycfg", "loop-unroll")
    with evaluator() as one:
        [outcome] = one.evaluate([actions])
    with gymnasium.make(SPEC.id, benchmark=PROGRAM) as made:
        env: Any = made.unwrapped
        env.reset()
        costs = [env.observation["IrInstructionCount"]]
        effects = []
        for action in actions:
            info = env.step(action)[4]
            effects.append(not info["action_had_no_effect"])
            costs.append(env.observation["IrInstructionCount"])
    assert outcome.costs == tuple(costs)
    assert outcome.effects == tuple(effects)
    assert effects[:2] == [True, False]
    assert outcome.loss == min(costs)
    assert outcome.prefix == actions[: costs.index(min(costs))]
    assert outcome.effective == tuple(
        action for action, had_effect in zip(outcome.prefix, effects, strict=False) if had_effect
    )


def test_outcomes_depend_on_neither_processes_nor_copies_nor_what_was_evaluated_before() -> None:
    sequences = neighbours(8)
    with evaluator() as one:
        alone = in_batches(one, sequences, size=1)
    with evaluator(nproc=3) as one:
        assert in_batches(one, sequences, size=8) == alone
    with evaluator(most_copies=1, most_bytes=1) as one:
        assert in_batches(one, sequences[::-1])[::-1] == alone
    for outcome, asked in zip(alone, sequences, strict=True):
        assert outcome.actions == asked


def test_only_suffixes_are_run() -> None:
    sequences = neighbours(24, length=24)
    with evaluator() as one:
        in_batches(one, sequences)
        shared = one.actions_run
        again = in_batches(one, sequences)
        assert one.actions_run == shared, "what is known is not run again"
        assert len(again) == len(sequences)
    assert shared < 0.75 * sum(map(len, sequences))


def test_what_is_expected_next_is_begun_beside_it_and_counts_once_it_is_asked() -> None:
    first, second = neighbours(2)
    with evaluator(nproc=2) as one:
        found = one.evaluate([first], expected=[second])
        assert one.budget.spent == 1
        begun = one.actions_run
        found += one.evaluate([second])
        assert (one.budget.spent, one.actions_run) == (2, begun)
    with evaluator() as one:
        assert in_batches(one, [first, second], size=1) == found


def test_live_copies_stay_within_their_bounds() -> None:
    with evaluator(most_copies=3) as one:
        in_batches(one, neighbours(8))
        assert 0 < len(one.copies) <= 3
        size = one.copies.bytes // len(one.copies)
        assert 1_000_000 < size < 500_000_000
    with evaluator(most_bytes=2 * size) as one:
        in_batches(one, neighbours(8))
        assert one.copies.bytes <= 2 * size + 1_000_000 or len(one.copies) == 1


def test_continuations_are_tried_by_one_call_with_the_same_results() -> None:
    prefix = numbers("sroa", "early-cse")
    asked = [(*prefix, action) for action in range(len(NAMES))]
    with evaluator() as one:
        looked = one.evaluate(asked)
        assert one.actions_run < len(asked) / 2
    with evaluator() as one:
        assert [one.evaluate([actions])[0] for actions in asked[::26]] == looked[::26]


def test_the_budget_bounds_what_is_evaluated() -> None:
    budget = Budget(5)
    with evaluator(budget) as one:
        assert len(one.evaluate([numbers("sroa")] * 3)) == 3
        assert budget.left == 2
        assert len(one.evaluate([numbers("gvn")] * 3)) == 2
        assert one.evaluate([numbers("dse")]) == []
    with evaluator(Budget(seconds=0.001)) as one:
        time.sleep(0.002)
        assert one.evaluate([numbers("sroa")] * 8) == []


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"evaluations": 0}, "evaluations"),
        ({"evaluations": -3}, "evaluations"),
        ({}, "evaluations"),
        ({"seconds": 0.0}, "seconds"),
        ({"seconds": math.nan}, "seconds"),
    ],
)
def test_a_budget_that_allows_nothing_is_refused(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Budget(**arguments)
    assert caught.value.field == field
    assert caught.value.remedy


def test_what_cannot_be_evaluated_is_named() -> None:
    with evaluator() as one, pytest.raises(InvalidAction, match="104"):
        one.evaluate([[104]])
    with pytest.raises(InvalidInput, match="nproc is 0"):
        evaluator(nproc=0)
    with pytest.raises(InvalidInput, match="does not measure any metric exactly"):
        Objective.of(environment_spec("loop_tool-v0"))
    with pytest.raises(InvalidInput, match="does not measure the metric gflops exactly"):
        Objective.of(environment_spec("loop_tool-v0"), "gflops")
    with pytest.raises(InvalidInput, match="gcc-v0 does not know its cost after each action"):
        Objective.of(environment_spec("gcc-v0"), "load_size_bytes")
    with pytest.raises(InvalidInput, match="'text_size_bytes'"):
        Objective.of(SPEC, "text_size")


def test_another_metric_is_measured_only_near_the_best() -> None:
    objective = Objective.of(SPEC, "text_size_bytes")
    good = numbers("sroa", "early-cse", "simplifycfg", "instcombine")
    with evaluator(objective=objective) as one:
        [best] = one.evaluate([good])
        far, near = one.evaluate([numbers("early-cse"), (*good, *numbers("simplifycfg"))])
        assert one.replayed(best.prefix) == best.loss < one.start.loss
    assert best.prefix == good
    assert far.loss == math.inf
    assert math.isfinite(near.loss)


def unsafe(*names: str) -> tuple[int, ...]:
    return tuple(list(UNSAFE.action_table.names).index(name) for name in names)


def test_a_crash_makes_a_sequence_worth_nothing_and_the_others_go_on() -> None:
    crash = unsafe("trigger-crash-module")
    with Evaluator(UNSAFE, PROGRAM, Budget(100), nproc=2) as one:
        outcomes = one.evaluate([crash, (), crash * 2, *[(action,) for action in range(6)]])
        assert outcomes[0].loss == math.inf
        assert "trigger-crash-module" in outcomes[0].error
        assert outcomes[1].loss == one.start.loss
        assert outcomes[2].error
        assert minimise(one, one.start).loss == one.start.loss


def test_a_pass_that_hangs_is_ended_and_counts_if_it_hangs_again() -> None:
    env = CompilerEnv(UNSAFE, limits=ProcessLimits(cpu_seconds_per_call=0.4, wall_seconds_per_call=5))
    hang = unsafe("attributor")
    with Evaluator(UNSAFE, HANGS, Budget(100), env=env) as one:
        began = time.process_time()
        [outcome, other] = one.evaluate([hang, ()])
        assert "CPU" in outcome.error or "time" in outcome.error
        assert outcome.loss == math.inf
        assert other.loss == one.start.loss
        assert one.evaluate([hang]) == [outcome]
        assert time.process_time() - began < 5


@pytest.mark.soak
def test_a_measurement_that_takes_too_long_is_made_again_before_it_counts() -> None:
    objective = Objective.of(SPEC, "text_size_bytes")
    hasty = replace(objective, metric=replace(objective.metric, cpu_seconds=0.1))
    program = datasets().benchmark("benchmark://programs-v0/lz4")
    with Evaluator(SPEC, program, Budget(1), objective=hasty) as one:
        [outcome] = one.evaluate([numbers("sroa", "early-cse")])
        assert outcome.loss == math.inf
        assert one.actions_run == 4, "the session of the first try has ended"


@pytest.mark.parametrize(
    "error",
    [
        SessionKilled("It was killed."),
        SessionTimeout("It took too long."),
        ValueUnavailable("It took too long.", error_type="timeout"),
    ],
)
def test_a_disturbed_replay_is_made_again(error: ServiceError, monkeypatch: pytest.MonkeyPatch) -> None:
    observe, errors = CompilerEnv.observe, [error]

    def disturbed(env: CompilerEnv, *arguments: Any, **options: Any) -> Any:
        if errors:
            raise errors.pop()
        return observe(env, *arguments, **options)

    actions = numbers("sroa", "early-cse")
    with evaluator() as one:
        [outcome] = one.evaluate([actions])
        monkeypatch.setattr(CompilerEnv, "observe", disturbed)
        assert one.replayed(actions) == outcome.loss
        errors += [SessionTimeout("It took too long.")] * 2
        with pytest.raises(SessionTimeout):
            one.replayed(actions)


@pytest.mark.parametrize(
    ("failures", "loss"),
    [(["timeout"], 0), (["out-of-memory"], 0), (["timeout", "timeout"], math.inf), (["crash"], math.inf)],
)
def test_a_value_that_a_busy_machine_may_lack_is_measured_again(
    failures: list[str], loss: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    observe = CompilerEnv.observe
    errors = [ValueUnavailable("It cannot be computed.", error_type=one) for one in failures]

    def lacking(env: CompilerEnv, *arguments: Any, **options: Any) -> Any:
        if errors:
            raise errors.pop()
        return observe(env, *arguments, **options)

    with evaluator(objective=Objective.of(SPEC, "text_size_bytes")) as one:
        monkeypatch.setattr(CompilerEnv, "observe", lacking)
        [outcome] = one.evaluate([numbers("sroa")])
        assert (outcome.loss == math.inf) is (loss == math.inf)


def test_an_action_after_which_the_cost_is_unavailable_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    steps, [sroa, gvn, dse] = CompilerEnv.steps, numbers("sroa", "gvn", "dse")

    def lacking(env: CompilerEnv, actions: Any, **options: Any) -> Any:
        if gvn in actions:
            raise ValueUnavailable("It cannot be computed.", error_type="crash")
        return steps(env, actions, **options)

    monkeypatch.setattr(CompilerEnv, "steps", lacking)
    monkeypatch.setattr(CompilerEnv, "peek_walks", lambda _, walks, **__: [None] * len(walks))
    with evaluator() as one:
        failed, good = one.evaluate([[sroa, gvn, dse], [sroa, dse]])
        assert (math.isfinite(failed.loss), failed.error) == (False, "It cannot be computed.")
        assert math.isfinite(good.loss)


def test_a_copy_that_gave_way_is_not_mistaken_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    sroa, gvn, dse, adce = numbers("sroa", "gvn", "dse", "adce")
    asked = [(sroa,), (gvn,)], [(sroa, dse), (gvn, adce), (sroa, adce), (gvn, dse)]
    with evaluator() as one:
        truth = [one.evaluate(sequences) for sequences in asked]
    monkeypatch.setattr(CopyPool, "worth", lambda *_: 0.0)  # each prefix gets a copy, which ends another
    with evaluator(most_copies=1) as one:
        assert [one.evaluate(sequences) for sequences in asked] == truth


@contextmanager
def killing(one: Evaluator, spared: set[int]) -> Iterator[list[int]]:
    """Kills a session of this process, chosen at random, again and again.

    Twice in a call of ``evaluate`` at most: where a machine is busy, nobody would live long enough to begin.
    """
    killed: list[int] = []
    ended = threading.Event()
    chance = random.Random(1)  # noqa: S311 # no secret

    def kill() -> None:
        calls = Counter[int]()
        while not ended.wait(0.08):
            alive = sorted(sessions() - spared)
            if alive and calls[one.budget.spent] < 2:
                calls[one.budget.spent] += 1
                killed.append(chance.choice(alive))
                with suppress(ProcessLookupError):
                    os.kill(killed[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        ended.set()
        thread.join()


@pytest.mark.soak
@pytest.mark.parametrize("nproc", [1, 3])
def test_killed_processes_change_no_result_and_leave_nothing(nproc: int) -> None:
    sequences = neighbours(40)
    with evaluator() as one:
        undisturbed = in_batches(one, sequences)
    before = sessions()
    with evaluator(nproc=nproc) as one, killing(one, before) as killed:
        assert in_batches(one, sequences) == undisturbed
    assert len(killed) > 2
    wait_until(lambda: sessions() <= before)


def test_closing_ends_an_evaluation_in_another_thread() -> None:
    one = evaluator()
    thread = threading.Timer(0.3, one.close)
    thread.start()
    with suppress(Exception):
        for _ in itertools.count():
            in_batches(one, neighbours(200, length=60))
            one._trials.forget()
    thread.join()


def walking(actions: tuple[int, ...]) -> Chooser:
    return lambda walk: actions[len(walk.actions)] if len(walk.actions) < len(actions) else None


@pytest.mark.parametrize("nproc", [3, *slow([1])])
def test_walks_see_each_state_and_give_what_their_sequences_give(nproc: int) -> None:
    sequences = neighbours(6, 5)
    with evaluator() as one:
        expected = one.evaluate(sequences)
    before = sessions()
    with evaluator(Budget(8), nproc=nproc) as one, killing(one, before):
        walks = one.walk(map(walking, sequences), observation="IrInstructionCount", most=50)
        assert [walk.outcome for walk in walks] == expected
        for walk in walks:
            assert tuple(step.observation for step in walk.steps) == walk.outcome.costs
            assert walk.steps[-1].effects == walk.outcome.effects
        assert one.budget.spent == 6
        assert len(one.walk([walking(())] * 5, observation="IrInstructionCount", most=50)) == 2
        [] = one.walk([walking(())], observation="IrInstructionCount", most=50)


@pytest.mark.parametrize("nproc", [1, *slow([3])])
def test_what_there_was_no_time_for_is_not_counted(nproc: int) -> None:
    sequences = neighbours(4_000)
    with evaluator(nproc=nproc) as one:
        one.evaluate(sequences[:nproc])  # its processes have started
        one.budget = Budget(seconds=0.3)
        outcomes = one.evaluate(sequences[nproc:])
        assert len(outcomes) < len(sequences)
        assert one.budget.spent == len(outcomes)
        one.budget = Budget(seconds=0.3)
        walks = one.walk(map(walking, sequences), observation="IrInstructionCount", most=50)
        assert len(walks) < len(sequences)
        assert one.budget.spent == len(walks)


def test_what_was_tried_before_the_time_was_up_counts() -> None:
    class Hours(Budget):
        """Over after some looks at the clock, so that no machine is too slow for it."""

        looks = 0

        @property
        def is_late(self) -> bool:
            self.looks += 1
            return self.looks > 2

    with evaluator(Hours(seconds=3600.0)) as one:
        outcomes = one.evaluate(neighbours(40))
        assert 0 < len(outcomes) < 40
        assert one.budget.spent == len(outcomes)


def test_a_look_ahead_within_a_time_takes_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, look_ahead = [], Trials.look_ahead

    def noted(self: Trials, prefix: Sequence[int], actions: Sequence[int]) -> None:
        calls.append(len(actions))
        look_ahead(self, prefix, actions)

    monkeypatch.setattr(Trials, "look_ahead", noted)
    with evaluator(Budget(seconds=3600.0)) as one:
        assert len(one.evaluate([(*numbers("mem2reg"), action) for action in range(100)])) == 100
    assert sum(calls) == 100
    assert len(calls) < 50, "each call tries as many actions as take a second"


def test_a_walk_ends_where_an_action_fails_or_it_is_long_enough() -> None:
    with Evaluator(UNSAFE, PROGRAM, Budget(10)) as one:
        harmless, crash = unsafe("loop-bound-split", "trigger-crash-module")
        [short] = one.walk([lambda _: harmless], observation="IrInstructionCount", most=3)
        assert short.outcome.actions == (harmless,) * 3
        [failed] = one.walk([walking((harmless, crash, harmless))], observation="IrInstructionCount", most=3)
    assert failed.outcome.loss == math.inf
    assert failed.outcome.error
    assert failed.outcome.actions == (harmless, crash)
    assert len(failed.steps[-1].effects) == 2
    assert crash in failed.steps[-1].useless


def test_actions_without_effect_are_useless_until_the_program_changes() -> None:
    walk = WalkSoFar((4, 5, 6, 5), (False, True, False, False), None)
    assert walk.useless == {5, 6}
    assert WalkSoFar((4, 5), (False, True), None).useless == frozenset()


PROGRAMS = (PROGRAM, datasets().benchmark("benchmark://kernels-v0/sha256"))
KEYS = ProgramKeys(SPEC, PROGRAM, SPEC.action_table.name, "trace")
BYTES = Objective.of(SPEC, "text_size_bytes")


def tries(count: int, length: int = 12) -> list[tuple[int, ...]]:
    chance = random.Random(5)  # noqa: S311 # no secret
    size = len(SPEC.action_table.names)
    present = tuple(chance.randrange(size) for _ in range(length))
    places = [chance.randrange(length) for _ in range(count)]
    return [(*present[:place], chance.randrange(size), *present[place:]) for place in places] + [
        (*present, action) for action in range(count)
    ]


SEQUENCES = tries(8)


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


@pytest.fixture(scope="module")
def kept() -> MemoryStore:
    store = MemoryStore()
    evaluated(store)
    return store


@pytest.fixture
def filled(kept: MemoryStore) -> MemoryStore:
    """A store of its own that knows all the sequences."""
    store = MemoryStore()
    store.keep(dict(kept._rows))
    return store


def test_what_a_store_knows_is_not_run_and_is_the_same(truth: list[SearchOutcome]) -> None:
    store = MemoryStore()
    for nproc in (1, 3):
        found, _, known = evaluated(store, nproc=nproc)
        assert found == truth
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


def test_a_store_gets_what_was_begun_ahead_once_it_is_asked() -> None:
    store, (first, second, third) = MemoryStore(), SEQUENCES[:3]
    known = KnownOutcomes(store, SPEC, PROGRAM)
    with Evaluator(SPEC, PROGRAM, Budget(10), nproc=3, known=known) as one:
        one.evaluate([first], expected=[second, third])
        one.evaluate([second])
    assert evaluated(store, sequences=[first, second, third])[2].answered == 2


@pytest.mark.parametrize("nproc", [1, *slow([3])])
def test_an_audit_runs_the_same_share_again(
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


@pytest.mark.parametrize("change", [wrong_cost, wrong_end, *slow((wrong_start, wrong_effect))])
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
    assert (known.checked, known.wrong) == (1, 1)


def test_an_unreadable_row_is_written_again(filled: MemoryStore, truth: list[SearchOutcome]) -> None:
    key = KEYS.key(SEQUENCES[0])
    [row] = filled.find([key])
    filled.keep({key: b"what is this"})
    said: list[str] = []
    filled.on_warning = said.append
    outcomes, _, _ = evaluated(filled)
    assert outcomes == truth
    assert "cannot be read" in said[0]
    assert filled.find([key]) == [row]


@pytest.mark.soak
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
        assert known.answered == is_kept
        assert (one.actions_run == 0) == is_kept


def searched(path: Path, store: OutcomeStore | None, *, nproc: int = 1) -> SearchFiles:
    spec = agent_named("local")
    plan = SearchPlan(
        agent=spec,
        settings=spec.settings({}),
        environment=SPEC,
        objective=Objective.of(SPEC),
        benchmarks=(PROGRAM,),
        programs="a kernel",
        seed=0,
        evaluations=16,
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


@pytest.mark.soak
def test_searches_write_the_same_bytes_with_a_store_and_without(tmp_path: Path, without: SearchFiles) -> None:
    assert without.report.from_store == 0
    store = open_store(str(tmp_path / "store.sqlite"))
    first = searched(tmp_path / "first.csv", store, nproc=2)
    again = searched(tmp_path / "again.csv", store)
    assert again.report.from_store > 0.8 * again.report.evaluations > 0.8 * first.report.from_store
    assert again.report.evaluations == first.report.evaluations == without.report.evaluations
    assert first.results.read_bytes() == again.results.read_bytes() == without.results.read_bytes()
