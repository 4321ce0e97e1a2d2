"""How sure the ranks of portable entries are: simulated rounds over measured results of four sets.

    python benchmarks/portable_rounds.py [--programs 300] [--rounds 2000]

Four sets of sequences are replayed on generated programs once; a round then draws 20 of these programs, and
ranks entries as `leaderboard/portable` does. Reported are: how often two sets that are equal in the mean get
ranks that overlap, drawn together and each with programs of its own as formerly; how often a truly better set
is told apart; where copies of the leader stand; and on how many programs the sets have equal values, which
count as known once the other set is published.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import gymnasium

sys.path.append(str(Path(__file__).resolve().parents[1]))

import optarena  # noqa: F401 # registers the environments
from leaderboard.boards.ranking import paired_rank_intervals, rank_intervals
from optarena.agents.known_sequences import builtin_portfolio
from optarena.errors import OptArenaError
from optarena.measuring.estimates import of_blocks
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Sequence

SPEC: Final = environment_spec("llvm-ic-v0")
DRAWN: Final = 20
Logs = tuple[float, ...]


def sets() -> dict[str, list[list[int]]]:
    table = SPEC.action_table
    learned, listed = (builtin_portfolio(table, kind) for kind in ("portfolio", "list"))
    assert learned is not None
    assert listed is not None
    sequences = [list(one.actions) for one in learned.sequences]
    names = ["sroa", "early-cse", "instcombine", "simplifycfg"]
    short = [next(number for number, name in enumerate(table.names) if name.startswith(one)) for one in names]
    half = len(sequences) // 2
    return {
        "first half of the portfolio": sequences[:half],
        "second half of the portfolio": sequences[half:],
        "list of -Oz": [list(one.actions) for one in listed.sequences],
        "four passes": [short],
    }


def measured(programs: int) -> tuple[dict[str, Logs], dict[str, tuple[int, ...]]]:
    found: dict[str, list[float]] = {name: [] for name in sets()}
    values: dict[str, list[int]] = {name: [] for name in sets()}
    draw = random.Random(1)
    with gymnasium.make(SPEC.id) as made:
        env = made.unwrapped
        for _ in range(programs):
            uri = f"generator://synthetic-v0/{draw.randrange(2**32)}"
            env.reset(options={"benchmark": uri})
            reference = env.observation["IrInstructionCountOz"]
            for name, sequences in sets().items():
                counts = []
                for sequence in sequences:
                    try:
                        env.reset(options={"benchmark": uri})
                        env.multistep(sequence)
                        counts.append(int(env.observation["IrInstructionCount"]))
                    except OptArenaError as error:
                        print(f"{uri}: {error}", file=sys.stderr)
                values[name].append(min(counts))
                found[name].append(math.log(reference / min(counts)))
    return {name: tuple(logs) for name, logs in found.items()}, {
        name: tuple(row) for name, row in values.items()
    }


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def together(logs: Sequence[Logs], draw: random.Random) -> bool:
    chosen = draw.sample(range(len(logs[0])), DRAWN)
    ranks = paired_rank_intervals(tuple(tuple(row[one] for one in chosen) for row in logs))
    return overlap(ranks[0], ranks[1])


def apart(logs: Sequence[Logs], draw: random.Random) -> bool:
    # As before: programs of its own for each entry.
    drawn = [[math.exp(row[one]) for one in draw.sample(range(len(row)), DRAWN)] for row in logs]
    ranks = rank_intervals(tuple(of_blocks(row) for row in drawn))
    return overlap(ranks[0], ranks[1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--programs", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=2_000)
    asked = parser.parse_args()
    logs, values = measured(asked.programs)
    draw = random.Random(0)
    names = list(logs)
    print(f"{asked.programs} programs of synthetic-v0, {asked.rounds} rounds of {DRAWN} programs")
    print("\nset                            score   luck of 20 programs (95 % of scores)")
    for name, row in logs.items():
        scores = sorted(math.exp(statistics.fmean(draw.sample(row, DRAWN))) for _ in range(asked.rounds))
        low, high = scores[len(scores) // 40], scores[-len(scores) // 40]
        print(f"{name:30} {math.exp(statistics.fmean(row)):.4f}  {low:.4f} to {high:.4f}")
    print(
        "\npair                                                        ratio  equal values  made equal: overlap  as they are: told apart  formerly"
    )
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            shift = statistics.fmean(logs[one]) - statistics.fmean(logs[other])
            level = (logs[one], tuple(log + shift for log in logs[other]))
            pair = (logs[one], logs[other])
            even = statistics.fmean(together(level, draw) for _ in range(asked.rounds))
            found = 1 - statistics.fmean(together(pair, draw) for _ in range(asked.rounds))
            formerly = 1 - statistics.fmean(apart(pair, draw) for _ in range(asked.rounds))
            equal = statistics.fmean(a == b for a, b in zip(values[one], values[other], strict=True))
            print(
                f"{one + ' / ' + other:58} {math.exp(shift):.4f} {equal:13.0%} {even:20.1%} {found:24.1%} {formerly:9.1%}"
            )
    print("\nfour copies of the leader beside it:", end=" ")
    leader = max(logs.values(), key=statistics.fmean)
    above = 0
    for _ in range(asked.rounds):
        chosen = draw.sample(range(len(leader)), DRAWN)
        row = tuple(leader[one] for one in chosen)
        above += any(rank.low < 1 or rank != (1, 5) for rank in paired_rank_intervals((row,) * 5))
    print(f"another rank than the leader's in {above} of {asked.rounds} rounds")


if __name__ == "__main__":
    main()
