"""Measures what the evaluator of agents and a store of outcomes save, and what they cost.

    python benchmarks/agents.py [--benchmark URI ...] [--evaluations N] [--only PART ...]

A local search from one known sequence is recorded on each program. Its sequences are then evaluated again:
by the evaluator as in the search, with live copies of prefixes; each from the start, in a copy of a fresh
session. Tries of every action at the end of a sequence are measured apart, since they need no copies. Then
the whole search runs by one process on one core, and by one process for each core. Last, the recorded search
runs with a store of outcomes: for the first time, again with nothing and with the usual share run again, and
agents run with a second seed after a first. Some of these parts are measured alone by ``--only``.

CPU time is of all processes together; wall time says something on an idle machine only.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.agents import Budget, Evaluator
from optarena.agents.catalogue import agent_named, sources_of
from optarena.agents.searching import AUDITED, KnownOutcomes, cpu_seconds, generator
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.outcome_store import SqliteStore
from optarena.service.client.zygote import renew
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optarena.agents import SearchOutcome, Sequence
    from optarena.datasets import Benchmark
    from optarena.outcome_store import OutcomeStore

SPEC: Final = environment_spec("llvm-ic-v0")
PROGRAMS: Final = ("programs-v0/qoi", "programs-v0/zopfli")
ROUNDS: Final = 3
# Evaluations of agents that run with a second seed; the walks of `random` share nothing, and take long.
SECOND_SEEDS: Final = {"greedy": 210, "local": 130, "random": 12}
PARTS: Final = ("changes", "ahead", "processes", "store", "seeds")
Batches = list[list[tuple[int, ...]]]


class RecordingEvaluator(Evaluator):
    def __init__(self, benchmark: Benchmark, budget: Budget, nproc: int) -> None:
        self.asked: Batches = []
        super().__init__(SPEC, benchmark, budget, nproc=nproc)

    def evaluate(
        self, sequences: Iterable[Iterable[int]], *, expected: Iterable[Sequence] = ()
    ) -> list[SearchOutcome]:
        batch: list[Sequence] = [tuple(one) for one in sequences]
        self.asked.append(batch[: self.budget.left])
        return super().evaluate(batch, expected=expected)


def record_search(
    benchmark: Benchmark, evaluations: int, name: str = "local", *, seed: int = 0, nproc: int = 1
) -> Batches:
    agent, budget = agent_named(name), Budget(evaluations)
    settings = agent.settings({"tried": 1} if name == "local" else {})
    search = agent.make(sources_of(agent.known(SPEC.action_table)), settings)
    with RecordingEvaluator(benchmark, budget, nproc) as evaluator:
        for _ in search(evaluator, budget, generator(seed, benchmark.uri)):
            pass
    return evaluator.asked


def evaluated(
    benchmark: Benchmark,
    batches: Batches,
    store: OutcomeStore | None = None,
    audited: float = AUDITED,
) -> tuple[float, float, float]:
    # CPU and wall time of the evaluator, and its actions as a share of those asked for.
    known = None if store is None else KnownOutcomes(store, SPEC, benchmark, audited=audited)

    def work() -> float:
        with Evaluator(SPEC, benchmark, Budget(10**9), known=known) as evaluator:
            for batch in batches:
                evaluator.evaluate(batch)
            return evaluator.actions_run / max(1, sum(len(one) for batch in batches for one in batch))

    return timed(work)


def from_the_start(benchmark: Benchmark, batches: Batches) -> tuple[float, float, float]:
    # The same for each sequence from the start, in a copy of a session that has just begun.
    def work() -> float:
        with CompilerEnv(SPEC, benchmark=benchmark) as env:
            env.reset(options={"observation_space": None, "reward_space": None})
            for batch in batches:
                for actions in batch:
                    with env.fork() as copy:
                        copy.steps(actions, observation_spaces=[SPEC.cost])
        return 1.0

    return timed(work)


def timed(work: Callable[[], float]) -> tuple[float, float, float]:
    cpu, wall = cpu_seconds(), time.monotonic()
    result = work()
    return cpu_seconds() - cpu, time.monotonic() - wall, result


def show(name: str, found: tuple[float, float, float], against: float | None = None) -> None:
    cpu, wall, share = found
    compared = "" if against is None else f"; {against / cpu:.2f} times as fast by CPU time"
    print(
        f"  {name:<34} {cpu:7.1f} s CPU, {wall:7.1f} s wall, {share:5.0%} of the actions{compared}",
        flush=True,
    )


def show_store(benchmark: Benchmark, batches: Batches, folder: Path) -> None:
    # What a store costs a search, and what it saves the same one.
    print(f"{benchmark.uri}: the {sum(map(len, batches))} evaluations of the search with a store")
    rounds = [
        (
            evaluated(benchmark, batches),
            evaluated(benchmark, batches, store=SqliteStore(folder / str(number))),
        )
        for number in range(ROUNDS)
    ]
    without, first = (min(one[way] for one in rounds) for way in (0, 1))
    show("without a store", without)
    show("first run", first)
    print(f"  first run: {first[0] / without[0] - 1:+.1%} of CPU time, the least of {ROUNDS} each")
    store = SqliteStore(folder / "0")
    show("again, nothing run again", evaluated(benchmark, batches, store=store, audited=0), without[0])
    show(f"again, {AUDITED:.0%} run again", evaluated(benchmark, batches, store=store), without[0])


def show_second_seeds(benchmark: Benchmark, folder: Path) -> None:
    # What a store with the outcomes of one seed saves the next.
    print(f"{benchmark.uri}: agents with a second seed, nothing run again")
    for name, evaluations in SECOND_SEEDS.items():
        store = SqliteStore(folder / name)
        evaluated(benchmark, record_search(benchmark, evaluations, name), store=store)
        second = record_search(benchmark, evaluations, name, seed=1)
        without = evaluated(benchmark, second)
        show(
            f"{name}, {evaluations} evaluations",
            evaluated(benchmark, second, store=store, audited=0),
            without[0],
        )


def show_evaluator(benchmark: Benchmark, what: str, batches: Batches) -> None:
    print(f"{benchmark.uri}: {sum(map(len, batches))} {what}")
    replayed = from_the_start(benchmark, batches)
    show("each from the start", replayed)
    show("evaluator", evaluated(benchmark, batches), replayed[0])


def show_processes(benchmark: Benchmark, evaluations: int) -> None:
    cores = os.sched_getaffinity(0)
    taken: dict[int, float] = {}
    for nproc in (1, len(cores)) * ROUNDS:
        renew()  # processes start where the next search runs
        os.sched_setaffinity(0, sorted(cores)[:nproc])
        begin = time.monotonic()
        record_search(benchmark, evaluations, nproc=nproc)
        taken[nproc] = min(time.monotonic() - begin, taken.get(nproc, math.inf))
    print(f"{benchmark.uri}: a local search of {evaluations} evaluations")
    for nproc, seconds in taken.items():
        compared = f"{taken[1] / seconds:.2f} times as fast, the least of {ROUNDS}"
        print(f"  processes and cores: {nproc:<13} {seconds:7.1f} s wall; {compared}", flush=True)


def show_parts(benchmark: Benchmark, evaluations: int, parts: frozenset[str]) -> None:
    size = len(SPEC.action_table.names)
    searched = parts & {"changes", "ahead", "store"}
    batches = record_search(benchmark, evaluations) if searched else []
    if "changes" in parts:
        changes = [batch for batch in batches if len(batch) < size]
        show_evaluator(benchmark, "changes of a local search", changes)
    if "ahead" in parts:
        ahead = [batch for batch in batches if len(batch) == size]
        show_evaluator(benchmark, "tries of every action", ahead[:1])
    if "processes" in parts:
        show_processes(benchmark, evaluations)
    with tempfile.TemporaryDirectory() as folder:
        if "store" in parts:
            show_store(benchmark, batches, Path(folder))
        if "seeds" in parts:
            show_second_seeds(benchmark, Path(folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--benchmark", action="append", metavar="URI", help="a program; repeatable")
    parser.add_argument("--evaluations", type=int, default=260, help="of the recorded search (%(default)s)")
    parser.add_argument("--only", action="append", choices=PARTS, help="a part; repeatable")
    arguments = parser.parse_args()
    print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f}", flush=True)
    for uri in arguments.benchmark or PROGRAMS:
        parts = frozenset(arguments.only or PARTS)
        show_parts(datasets().benchmark(uri), arguments.evaluations, parts)


if __name__ == "__main__":
    main()
