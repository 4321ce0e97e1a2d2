"""Thousands of random episodes of the LLVM environment: which pass crashes, hangs, grows or miscompiles?

    python benchmarks/llvm_soak.py [--episodes N] [--actions N] [--seed N] [--generated N] [--nproc N]

Episodes run on the programs of kernels-v0 and on generated C programs, in turns. After each, the program is
verified and run on its workloads. For each failure, the shortest failing sequence is searched and printed.
With --log, episodes are recorded in a file as they end, and a stopped soak continues from there. Ctrl-C ends
the soak with the report so far. The exit code is 1 if anything failed, and 2 if the arguments are wrong.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import statistics
import sys
import time
from collections import Counter, defaultdict
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from llvm_episodes import Plan, Report, Soaker

from optarena.specs import environment_spec

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

STEPS: Final = 20
SLOWEST: Final = 15
_soaker: Soaker | None = None


def prepare(plan: Plan) -> None:
    """Begin a worker's process."""
    global _soaker  # noqa: PLW0603 - one per process of a pool
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends its workers
    _soaker = Soaker(plan)


def episode(number: int) -> Report:
    """One episode, in a worker."""
    assert _soaker is not None  # noqa: S101 - for the type checker
    return _soaker.episode(number)


def reports(plan: Plan, numbers: Sequence[int], nproc: int) -> Iterator[Report]:
    """The reports of episodes, as they end."""
    if nproc == 1:
        with closing(Soaker(plan)) as soaker:
            yield from map(soaker.episode, numbers)
        return
    with multiprocessing.get_context("spawn").Pool(nproc, prepare, (plan,)) as pool:
        yield from pool.imap_unordered(episode, numbers)


def logged(path: Path, plan: Plan) -> list[Report]:
    """The episodes that a log already has.

    Raises:
        SystemExit: The file is the log of another soak.
    """
    if not path.exists():
        path.write_text(json.dumps(describe(plan)) + "\n")
        return []
    first, *lines = path.read_text().splitlines()
    if json.loads(first) != describe(plan):
        print(f"{path} is the log of another soak: {first}", file=sys.stderr)
        sys.exit(2)
    return [Report.from_dict(json.loads(line)) for line in lines]


def describe(plan: Plan) -> dict[str, object]:
    """The parameters that identify a soak."""
    digest = environment_spec(plan.environment).digest
    return {
        "environment": plan.environment,
        "action space": plan.action_space or environment_spec(plan.environment).action_table.name,
        "digest": digest,
        "seed": plan.seed,
        "actions": plan.actions,
        "generated": plan.generated,
    }


def show(plan: Plan, done: Sequence[Report], seconds: float, nproc: int) -> None:
    """Print the figures."""
    failed = [report for report in done if report.failure]
    applied: Counter[str] = Counter()
    times: defaultdict[str, list[float]] = defaultdict(list)
    for report in done:
        for name, took in report.passes:
            applied[name] += 1
            times[name].append(took)
    total = sum(applied.values())
    for key, value in describe(plan).items():
        print(f"{key:12} {value}")
    print(f"{'CPUs':12} {os.cpu_count()}, {nproc} processes, {seconds:.0f} s")
    print(
        f"{'episodes':12} {len(done):,} of {plan.actions} actions: {total:,} passes, {len(applied)} different"
    )
    programs = {report.benchmark for report in done}
    runs = sum(report.runs for report in done)
    print(f"{'programs':12} {len(programs)}; {runs:,} runs on workloads compared")
    if done:
        show_times(done, times)
    show_failures(failed, applied, len(done))


def show_times(done: Sequence[Report], times: dict[str, list[float]]) -> None:
    """Print how long episodes and passes took, and how programs grew or shrank."""
    took = sorted(report.seconds for report in done)
    print(f"{'an episode':12} median {statistics.median(took) * 1e3:.0f} ms, longest {took[-1]:.1f} s")
    ratios = [report.after / report.before for report in done if report.after and report.before]
    if ratios:
        print(
            f"{'instructions':12} after / before: median {statistics.median(ratios):.2f}, "
            f"least {min(ratios):.2f}, most {max(ratios):.2f}"
        )
    print("\npass, of the slowest             times   median ms   longest ms")
    slowest = sorted(times, key=lambda name: -max(times[name]))[:SLOWEST]
    for name in slowest:
        values = times[name]
        print(f"{name:32} {len(values):5} {statistics.median(values) * 1e3:11.2f} {max(values) * 1e3:12.1f}")


def show_failures(failed: Sequence[Report], applied: Counter[str], episodes: int) -> None:
    """Print the failures: by kind, by the passes of the shortest sequences, and each of them."""
    kinds = Counter(report.failure.kind for report in failed if report.failure)
    print(f"\n{len(failed)} episodes failed ({len(failed) / max(1, episodes):.3%})")
    for kind, number in kinds.most_common():
        print(f"  {kind:26} {number:5}  {number / max(1, episodes):.3%} of the episodes")
    print("\nby pass of the shortest sequences (a long one's culprit need not be its last pass)")
    blamed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for report in failed:
        for name in set(report.failure.actions) if report.failure else ():
            blamed[name][report.failure.kind if report.failure else ""] += 1
    for name, found in sorted(blamed.items(), key=lambda item: -item[1].total()):
        what = ", ".join(f"{number} {kind}" for kind, number in found.most_common())
        print(f"  {name:30} {what}  ({found.total() / applied[name]:.3%} of {applied[name]} times)")
    if not failed:
        print("  none")
    for report in sorted(failed, key=lambda one: len(one.failure.actions) if one.failure else 0):
        if report.failure:
            print(f"\nepisode {report.number}, {report.benchmark}: {report.failure.kind}")
            print(f"  {' , '.join(report.failure.actions)}")
            print(f"  {report.failure.detail[:300]}")


def soak(plan: Plan, arguments: argparse.Namespace) -> tuple[list[Report], float]:
    """Run the episodes that the log does not have yet; returns the reports and the seconds."""
    done = logged(arguments.log, plan) if arguments.log else []
    known = {report.number for report in done}
    numbers = [number for number in range(arguments.episodes) if number not in known]
    begin = time.monotonic()
    with arguments.log.open("a") if arguments.log else nullcontext() as log:
        try:
            for report in watched(reports(plan, numbers, arguments.nproc), len(numbers)):
                done.append(report)
                if log:
                    print(json.dumps(report.as_dict()), file=log, flush=True)
        except KeyboardInterrupt:
            print(f"stopped after {len(done)} of {arguments.episodes} episodes", file=sys.stderr)
    return done, time.monotonic() - begin


def watched(found: Iterable[Report], total: int) -> Iterator[Report]:
    """The reports, with a line on standard error now and then, and for each failure."""
    begin = time.monotonic()
    for count, report in enumerate(found, start=1):
        if report.failure:
            text = f"{report.number} {report.failure.kind}: {', '.join(report.failure.actions)}"
            print(f"{text} on {report.benchmark}", file=sys.stderr, flush=True)
        if count * STEPS // total > (count - 1) * STEPS // total:
            seconds = time.monotonic() - begin
            print(f"{count:6} of {total} episodes, {seconds:.0f} s", file=sys.stderr, flush=True)
        yield report


def main() -> None:
    """Soak, and print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--episodes", type=int, default=3000)
    parser.add_argument("--actions", type=int, default=30, help="length of an episode")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generated", type=int, default=500, help="generated programs; 0 for none")
    parser.add_argument("--nproc", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--environment", default="llvm-v0", help="or llvm-unsafe-v0, to see it fail")
    parser.add_argument("--action-space", help="another action space of the environment")
    parser.add_argument("--clang", default=str(Path(sys.executable).with_name("clang-22")))
    parser.add_argument("--log", type=Path, help="file to record episodes in, and to continue from")
    arguments = parser.parse_args()
    if arguments.generated and not Path(arguments.clang).is_file():
        parser.error(f"{arguments.clang} does not exist: name clang by --clang, or give --generated 0")
    plan = Plan(
        environment=arguments.environment,
        action_space=arguments.action_space,
        seed=arguments.seed,
        actions=arguments.actions,
        generated=arguments.generated,
        clang=arguments.clang,
    )
    done, seconds = soak(plan, arguments)
    show(plan, done, seconds, arguments.nproc)
    sys.exit(1 if any(report.failure for report in done) else 0)


if __name__ == "__main__":
    main()
