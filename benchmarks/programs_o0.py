"""Our agents on programs-o0-v0, whose front end ran at -O0 as in most papers, and on programs-v0 beside it.

    python benchmarks/programs_o0.py [--agents oz-list portfolio-k1 portfolio local]

It prints the geometric mean of the ratios to `opt -Oz`, as boards do, and the arithmetic mean of the savings,
as papers do. An agent searches where benchmarks/results/programs_o0 lacks its results; programs-o0-v0 must be
built before. The results on programs-v0 are those in baselines/llvm-ic, with their evaluations.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import kit  # noqa: F401 # lets the folder above be found

from baselines.reading import committed, geometric_mean
from optarena.agents.reports import read_report
from optarena.datasets import datasets
from optarena.specs.board import saving
from optarena.state import read_states

FOLDER: Final = Path(__file__).parent / "results" / "programs_o0"
O0, SIZE = "programs-o0-v0", "programs-v0"
METRIC: Final = "ir_instructions"
AGENTS: Final = {
    "oz-list": "oz-list --evaluations 1",
    "portfolio-k1": "portfolio --evaluations 1 --set size=1 --portfolio single-v0",
    "portfolio": "portfolio --evaluations 8 --portfolio portfolio-v1",
    "local": "local --evaluations 400 --work 4000000 --portfolio portfolio-v1",
}


def search(name: str, path: Path) -> None:
    words = AGENTS[name].split()
    options = ["--dataset", O0, "--env", "llvm-ic-v0", "--nproc", "all", "--output", str(path)]
    subprocess.run([sys.executable, "-m", "optarena", "search", *words, *options], check=True)  # noqa: S603 - ours


def ratios(path: Path) -> dict[str, float]:
    found = {}
    for state in read_states(path.read_bytes(), format="csv", metrics=[METRIC]):
        baseline = datasets().benchmark(state.benchmark).baseline(METRIC, "Oz")
        found[state.benchmark.rpartition("/")[2]] = (baseline or 0.0) / state.claims[METRIC]
    return found


def described(found: Mapping[str, float], evaluations: int) -> str:
    values = list(found.values())
    savings = statistics.fmean(saving(one) for one in values)
    return f"{geometric_mean(values):10.4f}{100 * savings:9.2f} %{evaluations:10,}"


def reference() -> str:
    """How much larger `opt -Oz` leaves the programs of the -O0 front end."""
    pairs = [
        [datasets()[name].benchmark(one.name).baseline(METRIC, "Oz") or 0.0 for name in (O0, SIZE)]
        for one in datasets()[O0]
    ]
    larger = geometric_mean([first / second for first, second in pairs])
    return f"opt -Oz itself leaves {larger:.4f} times the instructions of {SIZE} (geometric mean)."


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--agents", nargs="+", choices=AGENTS, default=list(AGENTS))
    given = parser.parse_args()
    FOLDER.mkdir(exist_ok=True)
    known = {one.agent: one for one in committed() if one.name == f"llvm-ic/{one.agent}"}
    print(f"{len(datasets()[O0])} programs; ratios to opt -Oz of each dataset. {reference()}\n")
    print(f"{'':14}{O0:>31}{'':4}{SIZE:>31}")
    columns = f"{'geometric':>10}{'saving':>11}{'tried':>10}"
    print(f"{'agent':14}{columns}{'':4}{columns}")
    for name in given.agents:
        path = FOLDER / f"{name}.csv"
        if not path.exists():
            search(name, path)
        report = read_report(path)
        here = described(ratios(path), 0 if report is None else report.compilations)
        other = known.get(name)
        beside = "" if other is None else described(other.ratios, other.compilations)
        print(f"{name:14}{here}{'':4}{beside}", flush=True)
    best = max(ratios(FOLDER / f"{given.agents[-1]}.csv").items(), key=lambda one: one[1])
    print(f"\nThe largest ratio of {given.agents[-1]}: {best[1]:.4f}, on {best[0]}")


if __name__ == "__main__":
    main()
