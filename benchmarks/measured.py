"""What verifying an item of a board of measured times costs, and how exact it is.

    python benchmarks/measured.py [--benchmarks N] [--rounds 3]

Some programs of ``kernels-runtime-v0`` and some sizes of loop_tool are replayed as a runner replays them,
first while nothing else runs, then beside busy processes, one on each processor. Printed are the seconds of
each part, how many items one runner ends in an hour, and how wide the 95 % confidence interval of a ratio is
after 5, 9 and 15 blocks, as a share of the ratio.
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

from optarena.datasets import datasets
from optarena.measuring.estimates import of_blocks
from optarena.replay import replay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.specs.results import Progress

BLOCKS: Final = (5, 9, 15)
ITEMS: Final = {
    "llvm-runtime-v0": (
        ("sroa", "instcombine", "simplifycfg", "gvn"),
        tuple(
            f"benchmark://kernels-runtime-v0/{name}"
            for name in ("sudoku", "sha256", "matrix", "json", "bignum", "quicksort")
        ),
    ),
    "loop_tool-v0": (
        ("toggle_mode", "up"),
        tuple(f"benchmark://loop_tool-cpu-v0/{size}" for size in (1024, 16384, 1048576)),
    ),
}


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


def measured(environment: str, uri: str, actions: list[int]) -> tuple[dict[str, float], list[float]]:
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


def show(environment: str, rounds: int, limit: int) -> None:
    """Replay the items of one environment, and print what they cost."""
    from optarena.specs import environment_spec  # noqa: PLC0415 - after the environments are registered

    names, uris = ITEMS[environment]
    actions = [environment_spec(environment).action_table.names.index(name) for name in names]
    parts: dict[str, list[float]] = {}
    widths: dict[int, list[float]] = {count: [] for count in BLOCKS}
    whole = []
    for uri in uris[:limit]:
        ratios: list[float] = []
        for _ in range(rounds):
            seconds, found = measured(environment, uri, actions)
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
    print(f"  {environment}: {statistics.median(whole):.2f} s for an item ({told}); {hour:.0f} items an hour")
    for count, found in widths.items():
        if found:
            print(f"    {count:2} blocks: ratio ±{statistics.median(found):.2%} (at most {max(found):.2%})")


def main() -> None:
    """Measure on an idle and on a busy machine."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--benchmarks", type=int, default=6)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    processors = os.cpu_count() or 1
    for number in (0, processors):
        print(f"beside {number} busy processes, on {processors} processors, load {os.getloadavg()[0]:.1f}")
        with others(number):
            for environment in ITEMS:
                show(environment, options.rounds, options.benchmarks)


if __name__ == "__main__":
    main()
