"""How often ranks of measured scores are wrong, by simulation.

    python benchmarks/ranking_noise.py [--boards 2000] [--seed 1]

Boards of entries are measured by simulated blocks, with noise from process to process as on quiet and on busy
machines, and each board is ranked as the server ranks it. Printed are the share of boards of equal entries
that are split at all, which must be at most 5 %, how often a true difference is found (the power), how wide
the intervals are, and how many boards have any entry wholly before a better one.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import kit  # noqa: F401 # lets the folder above be found

from leaderboard.boards.ranking import LEVEL, rank_intervals
from optarena.measuring.estimates import Estimate, of_blocks

PROGRAMS: Final = 15
BLOCKS: Final = (5, 9, 15)


def entry(draw: random.Random, truth: float, *, noise: float, blocks: int, programs: int) -> Estimate:
    # Its true score is exp(truth).
    parts = [of_blocks([math.exp(draw.gauss(truth, noise)) for _ in range(blocks)]) for _ in range(programs)]
    variance = math.fsum(one.variance for one in parts)
    freedom = variance**2 / math.fsum(one.variance**2 / one.freedom for one in parts)  # Welch's
    return Estimate(math.fsum(one.mean for one in parts) / programs, variance / programs**2, freedom)


def measured(
    draw: random.Random, truths: Sequence[float], *, noise: float, blocks: int
) -> tuple[Estimate, ...]:
    return tuple(entry(draw, one, noise=noise, blocks=blocks, programs=PROGRAMS) for one in truths)


def equal_entries(draw: random.Random, boards: int) -> bool:
    print(f"boards of equal entries that are split, of {boards}; at most {LEVEL:.0%} is the aim")
    good = True
    for entries in (2, 5, 10, 30):
        for blocks in BLOCKS:
            split = 0
            for _ in range(boards):
                found = rank_intervals(measured(draw, [0.0] * entries, noise=0.005, blocks=blocks))
                split += any(one != (1, entries) for one in found)
            share = split / boards
            error = math.sqrt(LEVEL * (1 - LEVEL) / boards)
            good = good and share <= LEVEL + 3 * error
            print(f"  {entries:2} entries, {blocks:2} blocks: {share:6.2%}")
    return good


def differences(draw: random.Random, boards: int) -> None:
    print(f"true differences that are found, of {boards} boards of {PROGRAMS} programs and five entries")
    for noise in (0.005, 0.02, 0.05):
        for gap in (0.002, 0.005, 0.01, 0.02):
            shares = []
            for blocks in BLOCKS:
                truths = [gap, 0.0, 0.0, 0.0, 0.0]
                tables = (
                    rank_intervals(measured(draw, truths, noise=noise, blocks=blocks)) for _ in range(boards)
                )
                shares.append(sum(table[0] == (1, 1) for table in tables) / boards)
            told = ", ".join(
                f"{blocks:2} blocks {share:7.2%}" for blocks, share in zip(BLOCKS, shares, strict=True)
            )
            print(f"  difference {gap:.1%}, noise {noise:.1%}: {told}")


def graded(draw: random.Random, boards: int) -> None:
    print(f"boards of ten entries that differ by 0.5 % each, noise 0.5 %, of {boards}")
    truths = [-0.005 * number for number in range(10)]
    pairs = list(combinations(range(len(truths)), 2))
    for blocks in BLOCKS:
        widths, wrong = 0.0, 0
        for _ in range(boards):
            found = rank_intervals(measured(draw, truths, noise=0.005, blocks=blocks))
            widths += sum(one.high - one.low + 1 for one in found) / len(found)
            wrong += any(found[worse].high < found[better].low for better, worse in pairs)
        width = widths / boards
        print(f"  {blocks:2} blocks: {width:.2f} ranks in an interval; {wrong} boards in a wrong order")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--boards", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)  # noqa: S311 - a simulation
    good = equal_entries(draw, options.boards)
    differences(draw, max(1, options.boards // 4))
    graded(draw, max(1, options.boards // 4))
    print(f"equal entries: {'met' if good else 'MISSED'}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
