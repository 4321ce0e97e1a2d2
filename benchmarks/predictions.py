"""Expected durations of replays compared with real ones, and what a replay is allowed.

    python benchmarks/predictions.py [--longest SECONDS]

For a small, a middle and a large program of each shipped dataset, the script replays some sequences in the
sandbox and prints the expected seconds, the real ones, their ratio and the limit. A replay that takes longer
than ``--longest`` is stopped and shown as such. Nothing else should run meanwhile.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import time
from pathlib import Path
from typing import Final

import django
import kit  # noqa: F401 # lets the folder above be found

from optarena.datasets import Benchmark, datasets
from optarena.replay import Progress, replay
from optarena.specs import environment_spec

DATASETS: Final = ("kernels-v0", "programs-v0")
ENVIRONMENT: Final = "llvm-ic-v0"
LEVEL: Final = 84  # actions of a flattened -Oz


class TooLong(Exception):
    """A replay took longer than the script waits."""


def sequences() -> dict[str, list[int]]:
    names = environment_spec(ENVIRONMENT).action_table.names
    chance = random.Random(1)  # noqa: S311 - the same sequence each time
    return {
        "no action": [],
        f"{LEVEL} random": [chance.randrange(len(names)) for _ in range(LEVEL)],
        "20 x gvn": [names.index("gvn")] * 20,
        "1,000 x mem2reg": [names.index("mem2reg")] * 1000,
        "10,000 x reg2mem": [names.index("reg2mem")] * 10_000,
    }


def measure(benchmark: Benchmark, actions: list[int], longest: float) -> tuple[float, str]:
    start = time.monotonic()

    def check(progress: Progress) -> None:
        if time.monotonic() - start > longest:
            raise TooLong(f"stopped after {progress.done} actions")

    try:
        result = replay(environment=ENVIRONMENT, benchmark=benchmark, actions=actions, on_progress=check)
        end = result.reason or ""
    except TooLong as error:
        end = str(error)
    return time.monotonic() - start, end


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--longest", type=float, default=60.0)
    given = parser.parse_args()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "leaderboard.settings", "OPTARENA_LOG_LEVEL": "WARNING"}
    django.setup()
    from runner.queue.work import predicted_seconds, replay_seconds  # noqa: PLC0415 - needs Django

    print(f"predictions, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start")
    print(f"{'program':24}{'bytes':>10}  {'sequence':18}{'expected':>10}{'real':>10}{'ratio':>8}{'limit':>8}")
    ratios = []
    for dataset in DATASETS:
        programs = sorted(datasets().benchmarks([dataset]), key=lambda one: len(one.program()))
        for benchmark in (programs[0], programs[len(programs) // 2], programs[-1]):
            size = len(benchmark.program())
            for name, actions in sequences().items():
                known = benchmark.run_seconds or None
                expected = predicted_seconds(size_bytes=size, actions=len(actions), run_seconds=known)
                limit = replay_seconds(size_bytes=size, actions=len(actions), run_seconds=known)
                real, end = measure(benchmark, actions, given.longest)
                if not end:
                    ratios.append(expected / real)
                print(
                    f"{Path(benchmark.uri).name:24}{size:10,}  {name:18}{expected:10.2f}{real:10.2f}"
                    f"{expected / real:8.2f}{limit:8}  {end}",
                    flush=True,
                )
    if ratios:
        middle, least, most = statistics.median(ratios), min(ratios), max(ratios)
        print(f"ratio of expected to real, of what ended: median {middle:.2f}, {least:.2f} to {most:.2f}")
    print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
