"""``./run baselines``: replays the committed results as a runner does, and prints how good they are."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from baselines.reading import CommittedResult, committed, geometric_mean
from optarena.validation import validate_state

if TYPE_CHECKING:
    from optarena.validation import ValidationResult


def validated(result: CommittedResult, pool: ThreadPoolExecutor) -> list[ValidationResult]:
    """Each row, replayed in the confined process with its workloads."""
    return list(
        pool.map(lambda state: validate_state(state, environment=result.board.environment), result.states)
    )


def repeats(result: CommittedResult, nproc: int) -> bool:
    """Whether the command of a search gives the same file again."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "results.csv"
        words = [sys.executable, "-m", *shlex.split(result.report.run.command)]
        words += ["--nproc", str(nproc), "--output", str(file)]
        subprocess.run(words, check=True)  # noqa: S603 # a committed command of our own
        return file.read_bytes() == result.path.read_bytes()


def main() -> int:
    """Validate, or repeat; the exit code is 1 if something is not as it is committed."""
    parser = argparse.ArgumentParser(prog="./run baselines", description=__doc__)
    parser.add_argument(
        "--again", metavar="AGENT", help="repeat this agent's searches, and compare the files"
    )
    parser.add_argument("--nproc", type=int, default=len(os.sched_getaffinity(0)), help="(%(default)s)")
    arguments = parser.parse_args()
    console = Console()
    if arguments.again:
        chosen = [one for one in committed() if one.agent == arguments.again]
        if not chosen:
            parser.error(f"there is no agent {arguments.again!r} among the baselines")
        differing = [str(one.path) for one in chosen if not repeats(one, arguments.nproc)]
        console.print("\n".join(f"{path} differs" for path in differing) or "All files are the same.")
        return 1 if differing else 0
    good = [shown(one, console, arguments.nproc) for one in committed()]
    return 0 if all(good) else 1


def shown(result: CommittedResult, console: Console, nproc: int) -> bool:
    """Validate one agent's results and print them; whether all of them are true."""
    console.print(f"Replaying {len(result.states)} results of {result.agent} on {result.board.slug} ...")
    with ThreadPoolExecutor(nproc) as pool:
        found = validated(result, pool)
    ratios = result.ratios
    table = Table(title=f"{result.agent} on {result.board.slug}", title_justify="left", box=None)
    for column in ("program", "ratio", "actions", "verdict"):
        table.add_column(column, justify="right" if column in {"ratio", "actions"} else "left")
    lengths = {one.benchmark: one.actions for one in result.report.found}
    for one in found:
        uri = one.state.benchmark
        verdict = "valid" if one.ok else "; ".join(problem.message for problem in one.problems)
        table.add_row(uri.rpartition("/")[2], f"{ratios[uri]:.4f}", str(lengths[uri]), verdict)
    console.print(table)
    every = sorted(ratios.values())
    valid = sum(one.ok for one in found)
    console.print(
        f"geometric mean {geometric_mean(every):.4f}, without the largest {geometric_mean(every[:-1]):.4f}; "
        f"{valid} of {len(found)} valid; {result.report.compilations} evaluations of each program, "
        f"{result.report.cpu_seconds:.0f} s of CPU time"
    )
    for sentence in result.stale():
        console.print(f"[yellow]stale:[/] {sentence}")
    return valid == len(found) and not result.stale()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
