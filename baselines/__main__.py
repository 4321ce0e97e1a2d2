"""``./run baselines``: replays the committed results as a runner does, and prints how good they are."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from rich.console import Console
from rich.table import Table

from baselines.reading import ANOTHER_ENVIRONMENT, FOLDER, CommittedResult, committed, geometric_mean
from optarena.agents.evaluator import MAX_PROCESSES
from optarena.agents.reports import SearchFiles
from optarena.errors import OptArenaError
from optarena.specs import environment_spec
from optarena.suggestions import unknown_name
from optarena.validation import ValidationResult, validate_state

if TYPE_CHECKING:
    Work: TypeAlias = Callable[[CommittedResult, Console, int], bool]


def validated(result: CommittedResult, pool: ThreadPoolExecutor) -> list[ValidationResult]:
    return list(
        pool.map(lambda state: validate_state(state, environment=result.board.environment), result.states)
    )


def differs(result: CommittedResult, nproc: int) -> str:
    # Why the file is not the same, or nothing.
    run = result.report.run
    if run.carried_from:
        return "was carried over from another version of the environment, so its command may find others"
    with tempfile.TemporaryDirectory() as folder:
        found_in = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}  # for the examples
        for path, search in result.searches:
            file = Path(folder) / path.name
            words = [sys.executable, "-m", *shlex.split(search.run.command.removeprefix("python -m "))]
            words += ["--nproc", str(nproc), "--output", str(file)]
            done = subprocess.run(words, check=False, cwd=path.parent, env=found_in)  # noqa: S603 # a command of our own
            if done.returncode != 0:
                return f"cannot be compared: the search ended with exit code {done.returncode}, see above"
            if file.read_bytes() != path.read_bytes():
                return "differs" if path == result.path else f"began with {path.name}, which differs"
    return ""


def process_count(text: str) -> int:
    if text.isdecimal() and 1 <= int(text) <= MAX_PROCESSES:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_PROCESSES}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="./run baselines", description=__doc__)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--again", metavar="AGENT", help="repeat this agent's searches, and compare the files")
    what.add_argument(
        "--carry-over",
        action="store_true",
        help="replay results of another version of their environment in the present one",
    )
    parser.add_argument("names", nargs="*", metavar="BOARD/AGENT", help="only these, by their folders")
    cores = min(len(os.sched_getaffinity(0)), MAX_PROCESSES)
    parser.add_argument("--nproc", type=process_count, default=cores, help="(%(default)s)")
    arguments = parser.parse_args()
    console = Console()
    results = list(committed())
    if arguments.names:
        named = {one.name: one for one in results}
        for name in arguments.names:
            if name not in named:
                raise unknown_name("result among the baselines", name, list(named))
        results = [named[name] for name in arguments.names]
    if arguments.again:
        chosen = [one for one in results if one.agent == arguments.again]
        if not chosen:
            raise unknown_name("agent among the baselines", arguments.again, [one.agent for one in results])
        found = [f"{one.path} {why}." for one in chosen if (why := differs(one, arguments.nproc))]
        console.print("\n".join(found) or "All files are the same.")
        return 1 if found else 0
    work = moved if arguments.carry_over else validate_results
    good = [tried(work, one, console, arguments.nproc) for one in results]
    return 0 if all(good) else 1


def tried(work: Work, result: CommittedResult, console: Console, nproc: int) -> bool:
    # What keeps the work from ending, such as no compiler, is printed.
    try:
        return work(result, console, nproc)
    except OptArenaError as error:
        console.print(f"{result.name}: {error}", markup=False)
        return False


class Carried(NamedTuple):
    # `now` is None if the sequence fails in the present version; `why` says why.
    benchmark: str
    before: float
    now: float | None
    why: str


def carried(result: CommittedResult, found: Sequence[ValidationResult]) -> list[Carried]:
    changes, metric = [], result.board.metric
    for one in found:
        why = "; ".join(problem.message for problem in one.problems if problem.field != metric)
        value = None if one.replay is None or not one.replay.ok else one.replay.metrics.get(metric)
        if why or value is None:
            value, why = None, why or f"{metric} was not measured"
        changes.append(Carried(one.state.benchmark, one.state.claims[metric], value, why))
    return changes


def _write(result: CommittedResult, changes: Sequence[Carried]) -> None:
    # The report keeps the effort of the search, and says which version it searched in.
    values = {one.benchmark: one.now for one in changes if one.now is not None}
    metric, run = result.board.metric, result.report.run
    digest = environment_spec(result.board.environment).digest
    run = replace(run, environment_digest=digest, carried_from=run.carried_from or run.environment_digest)
    found = tuple(replace(one, value=values[one.benchmark]) for one in result.report.found)
    states = {one.benchmark: replace(one, claims={metric: values[one.benchmark]}) for one in result.states}
    SearchFiles(result.path, replace(result.report, run=run, found=found), states).save()


def moved(result: CommittedResult, console: Console, nproc: int) -> bool:
    # If one of the results fails in the present environment, nothing of this agent is written.
    name = result.name
    if ANOTHER_ENVIRONMENT not in result.stale():
        console.print(f"{name}: of the present version already.")
        return True
    with ThreadPoolExecutor(nproc) as pool:
        changes = carried(result, validated(result, pool))
    for one in changes:
        if one.now is None:
            console.print(f"{one.benchmark} fails: {one.why}")
        elif one.now != one.before:
            console.print(f"{one.benchmark}: {one.before:g} before, {one.now:g} now")
    failed = sum(one.now is None for one in changes)
    same = sum(one.now == one.before for one in changes)
    if failed:
        console.print(f"{name}: {failed} fail, so nothing was written. Repeat the search with its command.")
        return False
    _write(result, changes)
    console.print(f"{name}: {same} of {len(changes)} are unchanged; written to {result.path}")
    return True


def validate_results(result: CommittedResult, console: Console, nproc: int) -> bool:
    console.print(f"Replaying the {len(result.states)} results of {result.name} ...")
    with ThreadPoolExecutor(nproc) as pool:
        found = validated(result, pool)
    ratios = result.ratios
    table = Table(title=result.name, title_justify="left", box=None)
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
        f"{valid} of {len(found)} valid; {result.compilations} evaluations of each program, "
        f"{result.cpu_seconds:.0f} s of CPU time"
    )
    for sentence in result.stale():
        console.print(f"[yellow]stale:[/] {sentence}")
    return valid == len(found) and not result.stale()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OptArenaError, FileNotFoundError) as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
