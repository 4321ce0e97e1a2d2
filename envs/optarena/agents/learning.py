"""Learns a portfolio: a few sequences, each of which adds what the others lack.

First the agent ``local`` searches on each training program; what it finds are candidates. Then, again and
again, the candidate that adds most to the sum over all programs is taken, and changed while it adds more.
The sum is of the logarithms of how much better the best sequence of the set is than what was there before.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from collections.abc import Sequence as Values
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from optarena.agents.evaluator import Evaluator
from optarena.agents.known_sequences import MOST_SEQUENCES, KnownSequence
from optarena.agents.outcomes import Budget, Objective, Sequence
from optarena.agents.searches import Changes, local, minimise
from optarena.agents.searching import generator
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    import numpy as np

    from optarena.datasets import Benchmark
    from optarena.specs import EnvironmentSpec

# Of each program, since all programs are live at once.
_MOST_COPIES: Final = 4
_MOST_BYTES: Final = 2**27
_UNLIMITED: Final = 10**9
_SEARCH_SHARE: Final = 0.8
# The mean logarithm that a sequence must add to be worth its compilation: 0.05 percent.
_LEAST_ADDED: Final = 5e-4


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningPlan:
    """How a portfolio is learned.

    Attributes:
        starts: Sequences that will be tried anyway; the portfolio adds to them.
        size: The most sequences.
        evaluations: How many sequences are evaluated to find the candidate of a program.
        changes: How many changes of each chosen sequence are tried on all programs.
        nproc: How many programs are compiled at a time.
    """

    environment: EnvironmentSpec
    objective: Objective
    benchmarks: tuple[Benchmark, ...]
    starts: tuple[Sequence, ...]
    size: int = 12
    evaluations: int = 150
    changes: int = 20
    seed: int = 0
    nproc: int = 1

    def __post_init__(self) -> None:
        if not self.benchmarks:
            raise InvalidInput("There are no programs to learn from.", field="from", remedy="Name a dataset.")
        if not 1 <= self.size <= MOST_SEQUENCES:
            message, remedy = f"size is {self.size}.", f"Give a number from 1 to {MOST_SEQUENCES}."
            raise InvalidInput(message, field="size", value=self.size, remedy=remedy)

    @property
    def description(self) -> str:
        return (
            f"Learned for {self.objective.metric.name} with seed {self.seed}, {self.evaluations} evaluations "
            f"of each program and {self.changes} changes of each sequence, beside the list of the compiler's "
            "own level."
        )


def learn(plan: LearningPlan, on_progress: Callable[[str], None] = lambda _: None) -> Iterator[KnownSequence]:
    """Learn the sequences of a portfolio, the one that adds most first.

    The first sequences do not depend on how many follow: a run that is interrupted has yielded what one with
    a smaller ``size`` finds.

    Raises:
        InvalidInput: The objective has values from which ratios cannot be formed, or no sequence adds much.
        ServiceError: The compiler cannot be used.
    """
    candidates = _candidates(plan, on_progress)
    with _TrainingSet(plan) as training:
        first = best = training.best_of(plan.starts)
        table = {sequence: training.losses(sequence) for sequence in candidates}
        chosen: list[tuple[KnownSequence, list[float]]] = []
        rng = generator(plan.seed, "portfolio")
        while table and len(chosen) < plan.size:
            sequence = max(table, key=lambda one: _added(best, table[one]))
            origin, losses = candidates[sequence], table.pop(sequence)
            known = (sequence, *(one.actions for one, _ in chosen), *plan.starts)
            changes = Changes(rng, len(plan.environment.action_table.names), known)
            sequence, losses = _improved(training, sequence, losses, best, changes)
            added = _added(best, losses)
            if added < _LEAST_ADDED * len(best):
                break
            best = [min(pair) for pair in zip(best, losses, strict=True)]
            chosen.append((KnownSequence(actions=sequence, origin=origin, added=added), losses))
            yield chosen[-1][0]  # its receiver keeps it before anything is told
            others = _gain(first, _left_out(plan, first, chosen))
            on_progress(
                f"{len(chosen)}. from {origin}, {len(sequence)} actions: adds {added / len(best):.2%}; "
                f"all together {_gain(first, best):.4f}, those from other programs {others:.4f}"
            )
    if not chosen:
        message = "No sequence was found that adds anything to the list of the compiler's own level."
        raise InvalidInput(message, field="evaluations", value=plan.evaluations, remedy="Evaluate more.")


def _added(before: Values[float], losses: Values[float]) -> float:
    # The sum of the logarithms by which losses are better than those before, where they are.
    pairs = zip(before, losses, strict=True)
    return math.fsum(math.log(old / new) for old, new in pairs if new < old)


def _gain(before: Values[float], best: Values[float]) -> float:
    # A geometric mean.
    return math.exp(_added(before, best) / len(before))


def _left_out(
    plan: LearningPlan, first: Values[float], chosen: Values[tuple[KnownSequence, list[float]]]
) -> list[float]:
    # By the sequences that were not found on a program itself.
    best = list(first)
    for one, losses in chosen:
        for number, benchmark in enumerate(plan.benchmarks):
            if one.origin != benchmark.uri:
                best[number] = min(best[number], losses[number])
    return best


def _candidates(plan: LearningPlan, tell: Callable[[str], None]) -> dict[Sequence, str]:
    found: dict[Sequence, str] = {}
    for benchmark in plan.benchmarks:
        budget = Budget(plan.evaluations)
        first = budget.part(_SEARCH_SHARE)
        rng: np.random.Generator = generator(plan.seed, benchmark.uri)
        with Evaluator(
            plan.environment, benchmark, first, objective=plan.objective, nproc=plan.nproc
        ) as evaluator:
            best = evaluator.start
            if best.loss <= 0:
                message = f"{plan.objective.metric.name} of {benchmark.uri} is {best.loss:g}."
                raise InvalidInput(message, field="metric", value=best.loss, remedy="Ratios need positives.")
            for outcome in local(plan.starts, tuple(reversed(found)))(evaluator, first, rng):
                best = outcome
            evaluator.budget = Budget(max(1, plan.evaluations - first.spent))
            best = minimise(evaluator, best)
        found.setdefault(best.effective, benchmark.uri)
        tell(f"{benchmark.uri}: {evaluator.start.loss:g} to {best.loss:g} by {len(best.effective)} actions")
    return found


def _improved(
    training: _TrainingSet, sequence: Sequence, losses: list[float], before: list[float], changes: Changes
) -> tuple[Sequence, list[float]]:
    added = _added(before, losses)
    for _ in range(training.plan.changes):
        [changed] = changes.candidates(sequence, 1)
        tried = training.losses(changed)
        if _added(before, tried) > added:
            changes.succeeded(sequence, changed)
            sequence, losses, added = changed, tried, _added(before, tried)
    return sequence, losses


class _TrainingSet:
    def __init__(self, plan: LearningPlan) -> None:
        self.plan = plan
        self._stack = ExitStack()
        self._evaluators: list[Evaluator] = []
        self._threads = ThreadPoolExecutor(plan.nproc)

    def __enter__(self) -> Self:
        self._stack.enter_context(self._threads)
        try:
            for benchmark in self.plan.benchmarks:
                evaluator = Evaluator(
                    self.plan.environment,
                    benchmark,
                    Budget(_UNLIMITED),
                    objective=self.plan.objective,
                    most_copies=_MOST_COPIES,
                    most_bytes=_MOST_BYTES,
                )
                self._evaluators.append(self._stack.enter_context(evaluator))
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def losses(self, sequence: Sequence) -> list[float]:
        def on(evaluator: Evaluator) -> float:
            return evaluator.evaluate([sequence])[0].loss

        return list(self._threads.map(on, self._evaluators))

    def best_of(self, sequences: tuple[Sequence, ...]) -> list[float]:
        found = [[one.start.loss for one in self._evaluators], *map(self.losses, sequences)]
        return [min(column) for column in zip(*found, strict=True)]
