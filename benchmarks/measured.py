"""What verifying an item of a board of measured times costs, and how exact it is.

    python benchmarks/measured.py [--benchmarks N] [--rounds 3] [--tries 10]

Some programs of ``kernels-runtime-v0`` and ``programs-runtime-v0`` and sizes of loop_tool are replayed as
a runner replays them, first while nothing else runs, then beside busy processes, one on each processor.
Printed are the seconds of each part, how many items one runner ends in an hour, and how wide the 95 %
confidence interval of a ratio is after 5, 9 and 15 blocks, as a share of the ratio.

Then one entry is measured five times by itself, as if five people had found it, and the five are ranked. In
none of the tries may one of them be ranked before another. ``manage.py build_dataset programs-runtime-v0``
makes the dataset that the package does not have.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

sys.path.append(str(Path(__file__).resolve().parents[1]))

from leaderboard.rank_intervals import rank_intervals
from optarena.datasets import datasets
from optarena.measuring.estimates import mean_of, of_blocks
from optarena.replay import replay
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.measuring.estimates import Estimate
    from optarena.specs.results import Progress

BLOCKS: Final = (5, 9, 15)
ENTRIES: Final = 5
"""So many equal entries are ranked in each try."""
PASSES: Final = ("sroa", "instcombine", "simplifycfg", "gvn")
KERNELS: Final = ("sudoku", "sha256", "matrix", "json", "bignum", "quicksort")
PROGRAMS: Final = ("lz4", "cmark", "zlib", "lua", "xxhash", "monocypher")


@dataclass(frozen=True)
class Items:
    """Some benchmarks of one dataset, and what is done to each of them."""

    environment: str
    dataset: str
    names: tuple[str, ...]
    passes: tuple[str, ...]

    @property
    def uris(self) -> tuple[str, ...]:
        """The benchmarks."""
        return tuple(f"benchmark://{self.dataset}/{name}" for name in self.names)

    @property
    def actions(self) -> list[int]:
        """The actions."""
        names = environment_spec(self.environment).action_table.names
        return [names.index(name) for name in self.passes]


ITEMS: Final = (
    Items("llvm-runtime-v0", "kernels-runtime-v0", KERNELS, PASSES),
    Items("llvm-runtime-v0", "programs-runtime-v0", PROGRAMS, PASSES),
    Items("loop_tool-v0", "loop_tool-cpu-v0", ("1024", "16384", "1048576"), ("toggle_mode", "up")),
)


@dataclass
class Parts:
    """The seconds of the parts of one replay: until its first action, and of each phase."""

    began: float = field(default_factory=time.monotonic)
    seconds: dict[str, float] = field(default_factory=dict)
    phase: str = "starting"

    def enter(self, phase: str) -> None:
        """Another part begins."""
        now = time.monotonic()
        self.seconds[self.phase] = self.seconds.get(self.phase, 0.0) + now - self.began
        self.began, self.phase = now, phase

    def progress(self, told: Progress) -> None:
        """What a replay tells."""
        self.enter(told.phase)


def spin() -> None:
    """Use a processor for ever."""
    while True:
        sum(range(1_000))


@contextlib.contextmanager
def others(number: int) -> Iterator[None]:
    """So many busy processes meanwhile."""
    busy = [multiprocessing.Process(target=spin, daemon=True) for _ in range(number)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def measured(environment: str, uri: str, actions: Sequence[int]) -> tuple[dict[str, float], list[float]]:
    """The seconds of each part of one replay, and the ratios of its blocks that count."""
    parts = Parts()
    result = replay(
        environment=environment,
        benchmark=datasets().benchmark(uri),
        actions=actions,
        on_progress=parts.progress,
    )
    parts.enter("")
    if not result.ok:
        raise SystemExit(f"{uri}: {result.reason}: {result.detail}")
    blocks = result.measurement["blocks"]
    return parts.seconds, [one["ratio"] for one in blocks if "discarded" not in one]


def show(items: Items, rounds: int, limit: int) -> None:
    """Replay some items, and print what they cost."""
    parts: dict[str, list[float]] = {}
    widths: dict[int, list[float]] = {count: [] for count in BLOCKS}
    whole = []
    for uri in items.uris[:limit]:
        ratios: list[float] = []
        for _ in range(rounds):
            seconds, found = measured(items.environment, uri, items.actions)
            ratios += found
            whole.append(sum(seconds.values()))
            for name, value in seconds.items():
                parts.setdefault(name, []).append(value)
        for count in BLOCKS:
            if len(ratios) >= count:
                low, high = of_blocks(ratios[:count]).interval
                widths[count].append((high - low) / 2)
    told = ", ".join(f"{name} {statistics.median(found):.2f}" for name, found in parts.items())
    hour = 3600 / statistics.mean(whole)
    print(
        f"  {items.dataset}: {statistics.median(whole):.2f} s for an item ({told}); {hour:.0f} items an hour"
    )
    for count, found in widths.items():
        if found:
            print(f"    {count:2} blocks: ratio ±{statistics.median(found):.2%} (at most {max(found):.2%})")


def show_equal(items: Items, tries: int, limit: int) -> bool:
    """Rank equal entries that were measured each by itself; whether none was ever before another."""
    uris = items.uris[:limit]
    split, scores = 0, []
    for _ in range(tries):
        entries = [_entry(items, uris) for _ in range(ENTRIES)]
        scores += [one.ratio for one in entries]
        split += any(found != (1, ENTRIES) for found in rank_intervals(tuple(entries)))
    spread = max(scores) / min(scores) - 1
    print(
        f"  {items.dataset}, {len(uris)} benchmarks, {ENTRIES} equal entries: in {split} of {tries} tries "
        f"one was ranked before another; all scores lie within {spread:.2%}"
    )
    return split == 0


def _entry(items: Items, uris: Sequence[str]) -> Estimate:
    """The score of an entry, from replays of its own."""
    parts = [of_blocks(measured(items.environment, uri, items.actions)[1]) for uri in uris]
    score = mean_of(parts, total=len(parts))
    if score is None:
        raise SystemExit("Nothing was measured: give --benchmarks at least 1.")
    return score


def main() -> int:
    """Measure on an idle and on a busy machine, and rank equal entries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--benchmarks", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tries", type=int, default=10)
    options = parser.parse_args()
    processors = os.cpu_count() or 1
    chosen = [items for items in ITEMS if items.dataset in datasets()]
    for number in (0, processors):
        print(f"beside {number} busy processes, on {processors} processors, load {os.getloadavg()[0]:.1f}")
        with others(number):
            for items in chosen:
                show(items, options.rounds, options.benchmarks)
    print("one entry under five names, each measured by itself")
    ranked = [one for one in chosen if one.dataset != "programs-runtime-v0"]  # these take an hour
    equal = [show_equal(one, options.tries, min(3, options.benchmarks)) for one in ranked]
    return 0 if all(equal) else 1


if __name__ == "__main__":
    sys.exit(main())
