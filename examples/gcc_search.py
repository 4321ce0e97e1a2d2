"""Searches GCC's options for the fewest loaded bytes: ``python examples/gcc_search.py --budget 200``.

``random`` draws values for a few options on top of ``-Oz``, anew each time. ``hill`` changes a few options of
the best command line so far, and keeps what is better, or as good and shorter; at the end it takes away every
option that changes nothing. ``greedy`` tries one option after the other, and ``genetic`` breeds a population.
The budget counts compilations. The results are a CSV file for
``optarena submit --board gcc-codesize``, which takes the effort from the report beside it.
"""

from __future__ import annotations

import argparse
import math
import random
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, cast

import optarena
from optarena.agents.reports import (
    ProgramReport,
    SearchFiles,
    SearchIdentity,
    SearchReport,
    check_new,
    lock_output,
    report_path,
)
from optarena.agents.searching import cpu_seconds
from optarena.datasets import Benchmark, datasets
from optarena.datasets.manifest import digest_of
from optarena.errors import OptArenaError
from optarena.specs import environment_spec
from optarena.state import EnvState

if TYPE_CHECKING:
    from optarena.envs import GccEnv

ENVIRONMENT: Final = "gcc-v0"
COST: Final = "load_size_bytes"
DATASET: Final = "gcc-kernels-v0"
LEVEL: Final = "Oz"
UNSET: Final = -1
MOST_CHANGES: Final = 3
MOST_DRAWN: Final = 12
POPULATION: Final = 24
RIVALS: Final = 3
# How often the hill climb draws from all options, and not from those that were not idle when last tried.
FROM_ALL: Final = 1 / 8
# How many compilations the hill climb keeps for each option on its command line, to take it away again.
REDUCING: Final = 3

State: TypeAlias = tuple[int, ...]  # the number of the choice for each option, `UNSET` for none


class Search:
    """One program, what its command lines cost, and how many compilations are left."""

    def __init__(self, env: GccEnv, budget: int, seed: str) -> None:
        self.env = env
        self.left = budget
        self.actions_run = 0
        self.drawn = random.Random(seed)  # noqa: S311 # nothing secret
        self.options = env.environment.action_table.options.options  # type: ignore[attr-defined] # GCC's table
        self.known: dict[State, float] = {}
        self.objects: dict[State, str] = {}
        self.start = (self.options[0].choices.index(f"-{LEVEL}"), *[UNSET] * (len(self.options) - 1))
        self.every = [index for index in range(1, len(self.options)) if self.values(self.start, index)]
        self.cost(self.start)

    def cost(self, state: State) -> float:
        """The loaded bytes of a state; infinite if GCC does not compile it, or if the budget is used up."""
        if state not in self.known:
            if not self.left:
                return math.inf
            self.left -= 1
            before = len(self.env.actions)
            self.env.choices = state
            self.actions_run += len(self.env.actions) - before
            self.known[state] = math.inf if self.env.error else float(self.env.observation[COST])
            self.objects[state] = "" if self.env.error else str(self.env.observation["obj_hash"])
            if self.env.error:
                self.env.reset()
        return self.known[state]

    def values(self, state: State, index: int) -> list[int]:
        """The other values of an option, without that which the level gives it anyway."""
        option = self.options[index]
        default = option.defaults.get(LEVEL, option.default)
        usual = {"enabled": option.name, "disabled": option.choices[-1], "": ""}.get(
            default, option.name + default
        )
        others = [number for number, word in enumerate(option.choices) if word != usual]
        return [number for number in (UNSET, *others) if number != state[index]]

    def changed(self, state: State, indices: Iterable[int]) -> State:
        """A state with other values for some options."""
        made = list(state)
        for index in indices:
            made[index] = self.drawn.choice(self.values(state, index))
        return tuple(made)

    def some(self, indices: Sequence[int], most: int) -> list[int]:
        """From 1 to ``most`` options."""
        return self.drawn.sample(indices, min(len(indices), self.drawn.randint(1, most)))

    def reduced(self, state: State) -> State:
        """A state without every option that can go at no cost."""
        before: State = ()
        while before != state:
            before = state
            for index in self.every:
                if state[index] != UNSET:
                    shorter = (*state[:index], UNSET, *state[index + 1 :])
                    if self.cost(shorter) <= self.cost(state):
                        state = shorter
        return state


def length(state: State) -> int:
    return sum(choice != UNSET for choice in state)


def random_search(search: Search) -> State:
    """The best of command lines with a few options each."""
    best = search.start
    while search.left:
        one = search.changed(search.start, search.some(search.every, MOST_DRAWN))
        if search.cost(one) < search.cost(best):
            best = one
    return best


def hill_climb(search: Search) -> State:
    """Changes a few options of the best command line so far, and removes those that do not matter.

    Most options change nothing of a program. So an option is idle after a change that left the object file as
    it was, and is seldom drawn then. What the removal leaves of the budget goes on with the shorter line.
    """
    best, idle = search.start, set[int]()
    while search.left > REDUCING * length(best):
        while search.left > REDUCING * length(best):
            busy = [index for index in search.every if index not in idle]
            is_from_all = search.drawn.random() < FROM_ALL or not busy
            indices = search.some(search.every if is_from_all else busy, MOST_CHANGES)
            one = search.changed(best, indices)
            cost = search.cost(one)
            is_same = search.objects[one] == search.objects[best]
            idle = idle | set(indices) if is_same else idle - set(indices)
            if (cost, length(one)) < (search.cost(best), length(best)):
                best = one
        best = search.reduced(best)
    return best


def greedy(search: Search) -> State:
    """Tries every value of every option in drawn order, keeps what is better at once, and begins again.

    It ends when nothing was better.
    """
    best, before = search.start, State()
    while search.left and best != before:
        before = best
        settings = [(index, value) for index in search.every for value in search.values(best, index)]
        search.drawn.shuffle(settings)
        for index, value in settings:
            one = (*best[:index], value, *best[index + 1 :])
            if search.cost(one) < search.cost(best):
                best = one
    return best


def genetic(search: Search) -> State:
    """The best of a population of which the worst gives way to a child of two of the better ones.

    A child has each option from either parent, and then other values for a few.
    """
    members = [search.changed(search.start, search.some(search.every, MOST_DRAWN)) for _ in range(POPULATION)]
    members.append(search.start)
    while search.left:
        parents = [min(search.drawn.sample(members, RIVALS), key=search.cost) for _ in range(2)]
        child = search.changed(
            tuple(map(search.drawn.choice, zip(*parents, strict=True))),
            search.some(search.every, MOST_CHANGES),
        )
        worst = max(members, key=search.cost)
        if search.cost(child) < search.cost(worst):
            members[members.index(worst)] = child
    return min(members, key=search.cost)


STRATEGIES: Final[dict[str, Callable[[Search], State]]] = {
    "random": random_search,
    "hill": hill_climb,
    "greedy": greedy,
    "genetic": genetic,
}


class Run:
    """A search of several programs, and its two files, which are written after each program."""

    def __init__(self, given: argparse.Namespace, benchmarks: Sequence[Benchmark]) -> None:
        self.given = given
        self.benchmarks = benchmarks
        self.gains: list[float] = []
        self.files = SearchFiles(given.output, SearchReport(run=self._identity()))

    def _identity(self) -> SearchIdentity:
        given = self.given
        strategy = STRATEGIES[given.strategy]
        words = ["python", "-m", "examples.gcc_search", "--strategy", given.strategy]
        words += ["--budget", str(given.budget), "--seed", str(given.seed)]
        for uri in given.benchmark or ():
            words += ["--benchmark", uri]
        return SearchIdentity(
            agent=f"examples.gcc_search:{strategy.__name__}",
            version=0,  # as all agents that are named by a function
            parameters={},
            environment=ENVIRONMENT,
            environment_digest=environment_spec(ENVIRONMENT).digest,
            metric=COST,
            programs=f"{len(self.benchmarks)} programs" if given.benchmark else DATASET,
            programs_sha256=digest_of((one.uri, one.sha256) for one in self.benchmarks),
            seed=given.seed,
            evaluations=given.budget,
            command=shlex.join(words),
        )

    def search(self) -> None:
        began, used = time.monotonic(), cpu_seconds()
        with ThreadPoolExecutor(self.given.nproc) as pool:
            each = pool.map if self.given.nproc > 1 else map  # a single search ends at once by Ctrl-C
            for done, (state, found, gain) in enumerate(each(self._found, self.benchmarks), start=1):
                self.gains.append(gain)
                self.files.add(state, found)
                self.files.report = replace(
                    self.files.report,
                    cpu_seconds=cpu_seconds() - used,
                    wall_seconds=time.monotonic() - began,
                    is_finished=done == len(self.benchmarks),
                )
                self.files.save()
                print(
                    f"{found.benchmark}: {found.value} bytes, {gain:.3f} over -Oz: {state.commandline}",
                    flush=True,
                )

    def _found(self, benchmark: Benchmark) -> tuple[EnvState, ProgramReport, float]:
        """The best state of a program, its report, and how many times smaller it is than ``-Oz``."""
        began, given = time.monotonic(), self.given
        with optarena.make(ENVIRONMENT, benchmark=benchmark) as made:
            env = cast("GccEnv", made)
            env.reset()
            search = Search(env, given.budget, f"{given.seed} {benchmark.uri}")
            best = STRATEGIES[given.strategy](search)
            env.reset()
            env.choices = best
            state = EnvState(
                benchmark=benchmark.uri,
                commandline=env.state.commandline,
                claims={COST: int(env.observation[COST])},
            )
        found = ProgramReport(
            benchmark=benchmark.uri,
            value=state.claims[COST],
            actions=length(best),
            evaluations=given.budget - search.left,
            actions_run=search.actions_run,
            seconds=round(time.monotonic() - began, 2),
        )
        return state, found, search.known[search.start] / found.value


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--strategy", choices=sorted(STRATEGIES), default="hill")
    parser.add_argument("--budget", type=int, default=200, help="compilations of one program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--nproc", type=int, default=1, help="how many programs are searched at a time")
    parser.add_argument("--benchmark", action="append", help="a URI; all programs of the dataset if none")
    parser.add_argument("--output", type=Path, default=Path("results.csv"))
    given = parser.parse_args()
    for name in ("budget", "nproc"):
        if getattr(given, name) < 1:
            parser.error(f"--{name} must be 1 or more.")
    uris = given.benchmark or list(datasets()[DATASET].uris())
    with lock_output(given.output):
        for path in (given.output, report_path(given.output)):
            check_new(path, "It would be overwritten: give another --output, or remove it.")
        run = Run(given, [datasets().benchmark(uri) for uri in uris])
        run.search()
    geomean = math.exp(math.fsum(map(math.log, run.gains)) / len(run.gains))
    print(f"geomean {geomean:.4f} over -Oz, written to {given.output}")


if __name__ == "__main__":
    try:
        main()
    except OptArenaError as error:
        sys.exit(f"error: {error}")
