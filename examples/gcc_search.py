"""Searches GCC's options for the fewest loaded bytes: ``python examples/gcc_search.py --budget 200``.

``random`` draws values for a few options on top of ``-Oz``, anew each time. ``hill`` changes a few options of
the best command line so far, and keeps what is better, or as good and shorter; at the end it takes away every
option that changes nothing. The budget counts compilations. The results are a CSV file for
``optarena submit --board gcc-codesize``.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable  # noqa: TC003 # in the type of a constant
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import optarena
from optarena.datasets import datasets
from optarena.state import EnvState, write_states

if TYPE_CHECKING:
    from optarena.envs import GccEnv

COST: Final = "load_size_bytes"
DATASET: Final = "gcc-kernels-v0"
UNSET: Final = -1
MOST_CHANGES: Final = 3
MOST_DRAWN: Final = 12


class Search:
    """One program, what its command lines cost, and how many compilations are left.

    Args:
        env: The environment, at the beginning of an episode on the program.
        budget: How many different states may be compiled.
        seed: Of everything that is drawn.
    """

    def __init__(self, env: GccEnv, budget: int, seed: str) -> None:
        self.env = env
        self.left = budget
        self.drawn = random.Random(seed)  # noqa: S311 # nothing secret
        self.options = env.environment.action_table.options.options  # type: ignore[attr-defined] # GCC's table
        self.known: dict[tuple[int, ...], float] = {}
        self.start = (self.options[0].choices.index("-Oz"), *[UNSET] * (len(self.options) - 1))

    def cost(self, choices: tuple[int, ...]) -> float:
        """The loaded bytes of a state; infinite if GCC does not compile it, or if the budget is used up."""
        if choices not in self.known:
            if not self.left:
                return math.inf
            self.left -= 1
            self.env.choices = choices
            self.known[choices] = math.inf if self.env.error else float(self.env.observation[COST])
            if self.env.error:
                self.env.reset()
        return self.known[choices]

    def changed(self, choices: tuple[int, ...], most: int) -> tuple[int, ...]:
        """These choices with other values for up to ``most`` options other than the level."""
        made = list(choices)
        for index in self.drawn.sample(range(1, len(made)), self.drawn.randint(1, most)):
            made[index] = self.drawn.choice([UNSET, *range(len(self.options[index].choices))])
        return tuple(made)

    def reduced(self, choices: tuple[int, ...]) -> tuple[int, ...]:
        """These choices without every option that can go at no cost."""
        for index in range(1, len(choices)):
            if choices[index] != UNSET:
                shorter = (*choices[:index], UNSET, *choices[index + 1 :])
                if self.cost(shorter) <= self.cost(choices):
                    choices = shorter
        return choices


def length(choices: tuple[int, ...]) -> int:
    """The number of options on the command line."""
    return sum(choice != UNSET for choice in choices)


def random_search(search: Search) -> tuple[int, ...]:
    """The best of command lines with a few options each."""
    best = search.start
    search.cost(best)
    while search.left:
        one = search.changed(search.start, MOST_DRAWN)
        if search.cost(one) < search.cost(best):
            best = one
    return best


def hill_climb(search: Search) -> tuple[int, ...]:
    """The end of a walk that never goes up, without the options that do not matter."""
    best, kept = search.start, search.left // 5
    search.cost(best)
    search.left -= kept
    while search.left:
        one = search.changed(best, MOST_CHANGES)
        if (search.cost(one), length(one)) < (search.cost(best), length(best)):
            best = one
    search.left += kept
    return search.reduced(best)


STRATEGIES: Final[dict[str, Callable[[Search], tuple[int, ...]]]] = {
    "random": random_search,
    "hill": hill_climb,
}


def main() -> None:
    """Search each program, print what was found, and write the results."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--strategy", choices=STRATEGIES, default="hill")
    parser.add_argument("--budget", type=int, default=200, help="compilations of one program")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--benchmark", action="append", help="a URI; all programs of the dataset if none")
    parser.add_argument("--output", type=Path, default=Path("results.csv"))
    given = parser.parse_args()
    if given.budget < 1:
        parser.error("--budget must be 1 or more.")
    states, logarithms = [], []
    uris = given.benchmark or [str(benchmark.uri) for benchmark in datasets()[DATASET]]
    with optarena.make("gcc-v0") as env:
        for uri in uris:
            env.reset(options={"benchmark": uri})
            search = Search(cast("GccEnv", env), given.budget, f"{given.seed} {uri}")
            best = STRATEGIES[given.strategy](search)
            env.reset()
            cast("GccEnv", env).choices = best
            bytes_ = int(env.observation[COST])
            gain = search.known[search.start] / bytes_
            logarithms.append(math.log(gain))
            states.append(
                EnvState(
                    benchmark=uri,
                    commandline=env.state.commandline,
                    reward=env.episode_reward,
                    claims={COST: float(bytes_)},
                )
            )
            print(f"{uri}: {bytes_} bytes, {gain:.3f} over -Oz: {env.state.commandline}", flush=True)
    given.output.write_text(write_states(states, format="csv"), encoding="utf-8")
    print(f"geomean {math.exp(sum(logarithms) / len(logarithms)):.4f} over -Oz, written to {given.output}")


if __name__ == "__main__":
    main()
