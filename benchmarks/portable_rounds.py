"""How sure the ranks of portable entries are: simulated rounds over measured results of four sets.

    python benchmarks/portable_rounds.py [--programs 300] [--rounds 2000]

Four sets of sequences are replayed on generated programs once; a round then draws some of these programs, and
ranks two entries as `leaderboard/portable` does. Reported are: on how many programs two sets have the same
value, which counts as known once the other set is published; how often they share ranks if one is made equal
in the mean, and if their results are interchanged at random; and how often they are told apart as they are,
and were formerly, with 20 programs of their own for each.
"""

from __future__ import annotations

import argparse
import itertools
import math
import random
import statistics
from collections.abc import Mapping
from typing import Final

import kit  # noqa: F401 # lets the folder above be found

import optarena
from leaderboard.boards.ranking import paired_rank_intervals, rank_intervals
from optarena.agents.known_sequences import builtin_portfolio
from optarena.env import CompilerEnv
from optarena.measuring.estimates import of_blocks
from optarena.specs import environment_spec, portable_board_specs

SPEC: Final = environment_spec("llvm-ic-v0")
[BOARD] = portable_board_specs()
FORMERLY: Final = 20
EVEN: Final = 0.5
FOUR: Final = ("sroa", "early-cse", "instcombine", "simplifycfg")
Logs = tuple[float, ...]


def sets() -> dict[str, list[list[int]]]:
    names = SPEC.action_table.names
    found = {
        kind: [list(one.actions) for one in portfolio.sequences]
        for kind in ("portfolio", "list")
        if (portfolio := builtin_portfolio(SPEC.action_table, kind)) is not None
    }
    half = len(found["portfolio"]) // 2
    four = [next(name for name in names if name.startswith(one)) for one in FOUR]
    return {
        "A: half of portfolio-v1": found["portfolio"][:half],
        "B: the other half": found["portfolio"][half:],
        "C: the passes of -Oz": found["list"],
        "D: four passes": [[names.index(one) for one in four]],
    }


def measured(programs: int) -> tuple[dict[str, Logs], dict[str, tuple[int, ...]]]:
    """Of each set, the logarithms of its ratios to -Oz, and its counts of instructions."""
    logs: dict[str, list[float]] = {name: [] for name in sets()}
    counts: dict[str, list[int]] = {name: [] for name in sets()}
    draw = random.Random(1)  # noqa: S311 # a simulation
    with optarena.make(SPEC.slug) as env:
        for _ in range(programs):
            uri = f"generator://{BOARD.dataset}/{draw.randrange(2**32)}"
            env.reset(options={"benchmark": uri})
            reference = env.observation["IrInstructionCountOz"]
            for name, sequences in sets().items():
                count = min(instructions(env, uri, one) for one in sequences)
                counts[name].append(count)
                logs[name].append(math.log(reference / count))
    return {name: tuple(row) for name, row in logs.items()}, {
        name: tuple(row) for name, row in counts.items()
    }


def instructions(env: CompilerEnv, uri: str, actions: list[int]) -> int:
    env.reset(options={"benchmark": uri})
    env.multistep(actions)
    return int(env.observation["IrInstructionCount"])


def together(one: Logs, other: Logs, draw: random.Random) -> bool:
    """Whether the ranks of two entries of a round overlap."""
    chosen = draw.choices(range(len(one)), k=BOARD.programs)
    first, second = paired_rank_intervals(tuple(tuple(row[each] for each in chosen) for row in (one, other)))
    return first == second


def together_formerly(one: Logs, other: Logs, draw: random.Random) -> bool:
    """The same as formerly: 20 programs of its own for each."""
    drawn = [
        [math.exp(row[each]) for each in draw.choices(range(len(row)), k=FORMERLY)] for row in (one, other)
    ]
    first, second = rank_intervals(tuple(of_blocks(row) for row in drawn))
    return first == second


def swapped(one: Logs, other: Logs, draw: random.Random) -> tuple[Logs, Logs]:
    """Each program's two results in any order: two sets of which neither is better."""
    pairs = [pair if draw.random() < EVEN else pair[::-1] for pair in zip(one, other, strict=True)]
    first, second = zip(*pairs, strict=True)
    return first, second


def compare(logs: Mapping[str, Logs], counts: Mapping[str, tuple[int, ...]], rounds: int) -> None:
    draw = random.Random(0)  # noqa: S311 # a simulation
    print("| two sets | ratio | equal values | made equal | interchanged | told apart | formerly |")
    print("|---|---|---|---|---|---|---|")
    for one, other in itertools.combinations(logs, 2):
        shift = statistics.fmean(logs[one]) - statistics.fmean(logs[other])
        moved = tuple(log + shift for log in logs[other])
        pair = logs[one], logs[other]
        shares = (
            statistics.fmean(a == b for a, b in zip(counts[one], counts[other], strict=True)),
            statistics.fmean(together(logs[one], moved, draw) for _ in range(rounds)),
            statistics.fmean(together(*swapped(*pair, draw), draw) for _ in range(rounds)),
            1 - statistics.fmean(together(*pair, draw) for _ in range(rounds)),
            1 - statistics.fmean(together_formerly(*pair, draw) for _ in range(rounds)),
        )
        print(f"| {one}, {other} | {math.exp(shift):.4f} |", " | ".join(f"{one:.1%}" for one in shares), "|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=2_000)
    asked = parser.parse_args()
    logs, counts = measured(asked.programs)
    draw = random.Random(0)  # noqa: S311 # a simulation
    print(
        f"{asked.programs} programs of {BOARD.dataset}, {asked.rounds} rounds of {BOARD.programs} programs\n"
    )
    print("| set | score | 95 % of its scores, with 20 programs of its own |\n|---|---|---|")
    for name, row in logs.items():
        luck = sorted(math.exp(statistics.fmean(draw.choices(row, k=FORMERLY))) for _ in range(asked.rounds))
        cut = len(luck) // 40
        print(f"| {name} | {math.exp(statistics.fmean(row)):.4f} | {luck[cut]:.4f} to {luck[-1 - cut]:.4f} |")
    print()
    compare(logs, counts, asked.rounds)


if __name__ == "__main__":
    main()
