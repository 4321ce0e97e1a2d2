"""What a verification costs by phase, compared with the bare replay of the same work.

    python benchmarks/verification.py [--works N] [--entries 10 2000] [--seed N]

Each piece of work, a random sequence on a program of kernels-v0, is replayed by ``optarena.replay.replay``
alone, and verified by one worker for each board, all in processes of their own and in turns. Boards differ in
the number of their entries, each of which has an item for every program. The worker's time is that from its
request for a lease until the result is stored with verdict and standing; the request for the verification is
the web server's. The ratio is the median of the works' ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.append(str(Path(__file__).resolve().parents[1]))

from measuring import aim, show  # the folder above holds what they import
from scratch import scratch_database  # as above
from server import fill  # as above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optarena.specs.results import Progress

AIM: Final = 1.15
LENGTHS: Final = (10, 60)
ENVIRONMENT: Final = "llvm-ic-v0"
METRIC: Final = "ir_instructions"
REPLAY: Final = ("session start", "actions", "verifier", "workloads", "metrics", "session end")
WORKER: Final = ("lease", "load", *REPLAY, "progress written", "record", "settle", "standings", "rest")
_PHASE_AFTER: Final = {"replaying": "verifier", "checking": "metrics", "measuring": "session end"}
_PHASE_DURING: Final = {"replaying": "actions", "checking": "workloads", "measuring": "metrics"}

Work = tuple[str, tuple[int, ...]]
"""The name of a program, and actions."""


class Stopwatch:
    """Seconds and statements by phase; what is timed inside another phase does not count there."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.statements: Counter[str] = Counter()
        self._inner = [0.0]
        self._phases = ["rest"]

    def clear(self) -> None:
        """Begin again."""
        self.seconds.clear()
        self.statements.clear()

    def count(self, execute: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 - as Django calls it
        """Count a statement, as a wrapper of the connection to the database."""
        self.statements[self._phases[-1]] += 1
        return execute(*arguments)

    @contextmanager
    def timing(self, phase: str) -> Iterator[None]:
        """Count the time inside."""
        began = time.perf_counter()
        self._inner.append(0.0)
        self._phases.append(phase)
        try:
            yield
        finally:
            took = time.perf_counter() - began
            self._phases.pop()
            self.seconds[phase] += took - self._inner.pop()
            self._inner[-1] += took

    def wrap(self, owner: Any, name: str, phase: str) -> None:  # noqa: ANN401 - a module or a class
        """Count every call of a function."""

        def timer(function: Callable[..., Any]) -> Callable[..., Any]:
            @wraps(function)
            def timed(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as the function
                with self.timing(phase):
                    return function(*arguments, **options)

            return timed

        self.replace(owner, name, timer)

    @staticmethod
    def replace(owner: Any, name: str, change: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:  # noqa: ANN401 - as above
        """Put a changed function in the place of one that exists."""
        setattr(owner, name, change(getattr(owner, name)))

    def watched(self, replay: Callable[..., Any]) -> Callable[..., Any]:
        """A replay whose phases are counted, by the progress that it reports."""

        def watched(*, on_progress: Callable[[Progress], None] = lambda _: None, **options: Any) -> Any:  # noqa: ANN401 - as the replay
            phase, mark = "session start", time.perf_counter()

            def told(progress: Progress) -> None:
                nonlocal phase, mark
                self.seconds[phase] += time.perf_counter() - mark
                with self.timing("progress written"):
                    on_progress(progress)
                table = _PHASE_DURING if progress.done < progress.total else _PHASE_AFTER
                phase, mark = table[progress.phase], time.perf_counter()

            try:
                return replay(on_progress=told, **options)
            finally:
                self.seconds[phase] += time.perf_counter() - mark

        return watched


@dataclass(frozen=True)
class Sample:
    """What one work cost, by phase; ``total`` is the whole."""

    seconds: dict[str, float]
    statements: Counter[str]

    @property
    def total(self) -> float:
        """Seconds of the whole."""
        return self.seconds["total"]


@dataclass
class Side:
    """One way to do the works, and what each of them cost."""

    name: str
    pool: ProcessPoolExecutor
    do: Callable[[Work], Sample | None]
    samples: list[Sample] = field(default_factory=list)

    def take(self, work: Work) -> Sample | None:
        """Do one work in its process."""
        return self.pool.submit(self.do, work).result()

    def median(self, phase: str) -> float:
        """Milliseconds of a phase."""
        return statistics.median(one.seconds.get(phase, 0.0) for one in self.samples) * 1000

    def statements(self, phase: str) -> str:
        """How many statements a phase makes, in words."""
        number = statistics.median(one.statements[phase] for one in self.samples)
        return f"{number:.0f} statements" if number else ""


def replay_alone(work: Work) -> Sample | None:
    """The bare replay, in this process; nothing if it fails its checks."""
    from optarena.datasets import datasets  # noqa: PLC0415 - in a process of its own
    from optarena.replay import replay  # noqa: PLC0415 - as above

    watch = Stopwatch()
    name, actions = work
    benchmark = datasets().benchmark(f"benchmark://kernels-v0/{name}")
    began = time.perf_counter()
    # What a worker measures for the board.
    measured = {"environment": ENVIRONMENT, "benchmark": benchmark, "actions": actions, "metrics": [METRIC]}
    result = watch.watched(replay)(**measured)
    total = time.perf_counter() - began
    return Sample({**watch.seconds, "total": total}, Counter()) if result.ok else None


_of_worker: dict[str, Any] = {}
"""What a worker's process keeps: its stopwatch and its board."""


def become_worker(slug: str) -> None:
    """Make this process the worker of a board: its replays are its own by a class of hardware of its own."""
    os.environ["OPTARENA_HARDWARE_CLASS"] = f"{slug}-cpu"
    import django  # noqa: PLC0415 - its settings are read from the variable above

    django.setup()
    from leaderboard.services import standings, verdicts  # noqa: PLC0415 - needs Django
    from runner import driver, programs, services  # noqa: PLC0415 - as above

    watch = Stopwatch()
    watch.wrap(services, "lease_next", "lease")
    watch.wrap(driver.LeasedReplay, "_load", "load")
    watch.wrap(programs.Programs, "of", "load")
    watch.wrap(services, "record", "record")
    watch.wrap(verdicts, "settle", "settle")
    watch.wrap(standings, "change", "standings")
    watch.replace(driver, "replay", watch.watched)
    _of_worker.update(slug=slug, watch=watch, programs=programs.Programs())


def verify(work: Work) -> Sample | None:
    """Submit one work and carry it out, in this worker's process; nothing if it fails its checks."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django
    from django.db import connection  # noqa: PLC0415 - as above

    from leaderboard.services.intake import Incoming, receive  # noqa: PLC0415 - as above
    from runner import driver, services  # noqa: PLC0415 - as above

    slug, watch = _of_worker["slug"], _of_worker["watch"]
    name, actions = work
    item = {"benchmark": f"benchmark://kernels-v0/{name}", "actions": actions}
    body = json.dumps({"board": slug, "agent": "ada", "items": [item]}).encode()
    owner = User.objects.get(username=slug)
    began = time.perf_counter()
    receive(owner=owner, incoming=Incoming(body=body, format="json"))
    request = time.perf_counter() - began
    watch.clear()
    began = time.perf_counter()
    with connection.execute_wrapper(watch.count):
        lease = services.lease_next(worker=slug)
        if lease is None:
            raise SystemExit("The replay cannot be leased.")
        driver.LeasedReplay(lease, _of_worker["programs"]).carry()
    total = time.perf_counter() - began
    if not _is_recorded(lease):
        return None
    rest = total - sum(watch.seconds.values())
    seconds = {**watch.seconds, "request": request, "rest": rest, "total": total}
    return Sample(seconds, Counter(watch.statements))


def _is_recorded(lease: Any) -> bool:  # noqa: ANN401 - the class is known with Django only
    from runner.models import Verification  # noqa: PLC0415 - needs Django

    row = Verification.objects.get(pk=lease.verification_id)
    if row.finished_at is None or row.reason.startswith("infra:"):
        raise SystemExit(f"{row}: {row.reason} {row.detail}")
    return row.state == "recorded"


def draw(number: int, seed: int) -> list[Work]:
    """So many works that all differ."""
    from optarena.datasets import datasets  # noqa: PLC0415 - only here
    from optarena.llvm.actions import CURATED  # noqa: PLC0415 - as above

    rng = random.Random(seed)  # noqa: S311 - to be drawn again, not to be secret
    names = [benchmark.name for benchmark in datasets()["kernels-v0"]]
    return [
        (rng.choice(names), tuple(rng.randrange(len(CURATED)) for _ in range(rng.randint(*LENGTHS))))
        for _ in range(number)
    ]


def make_boards(entries: Sequence[int]) -> list[str]:
    """Boards of kernels-v0 with so many entries each; their slugs."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django
    from django.core.management import call_command  # noqa: PLC0415 - as above

    from leaderboard.services.boards import load_boards  # noqa: PLC0415 - as above
    from optarena.specs import BoardSpec  # noqa: PLC0415 - as above

    call_command("load_dataset", "kernels-v0", verbosity=0)
    slugs = {f"full{number}": number for number in entries}
    for slug, number in slugs.items():
        definition = BoardSpec(
            slug=slug,
            title=slug,
            description=slug,
            dataset="kernels-v0",
            environment=ENVIRONMENT,
            metric=METRIC,
            baseline_level="Oz",
        )
        load_boards(definitions=[definition])
        _fill(slug, User.objects.create_user(slug), number)
    return list(slugs)


def _fill(slug: str, owner: Any, number: int) -> None:  # noqa: ANN401 - the model is known with Django only
    from leaderboard.models import Board  # noqa: PLC0415 - needs Django

    fill(Board.objects.get(slug=slug), owner, number)


def measure(sides: Sequence[Side], works: Sequence[Work]) -> None:
    """Do each work on every side, in changing order; one that fails its checks is left out."""
    order = list(sides)
    for number, work in enumerate(works):
        taken = {side.name: side.take(work) for side in order}
        order.append(order.pop(0))
        passed = {name: sample for name, sample in taken.items() if sample is not None}
        if passed and len(passed) < len(taken):
            raise SystemExit(f"{work} passes its checks on one side only.")
        if number and passed:  # the first one also starts the processes
            for side in sides:
                side.samples.append(passed[side.name])


def report(alone: Side, boards: Sequence[Side]) -> None:
    """The tables."""
    print(f"the bare replay: the median of {len(alone.samples)}")
    for phase in REPLAY:
        show(phase, alone.median(phase))
    show("total", alone.median("total"))
    for side in boards:
        print(f"{side.name}: the median of {len(side.samples)}")
        show("request (the web server's)", side.median("request"))
        for phase in WORKER:
            show(phase, side.median(phase), side.statements(phase))
        pairs = list(zip(side.samples, alone.samples, strict=True))
        ratio = statistics.median(one.total / bare.total for one, bare in pairs)
        show("total", side.median("total"))
        show("x the bare replay", ratio, aim(ratio, AIM), unit="  ")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--works", type=int, default=101)
    parser.add_argument("--entries", type=int, nargs="+", default=[10, 2_000])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(
        f"verification, {os.cpu_count()} processors, Python {platform.python_version()}, {given.works} works"
    )
    context = get_context("spawn")
    with scratch_database():
        alone = Side("alone", ProcessPoolExecutor(1, mp_context=context), replay_alone)
        boards = [
            Side(
                f"one worker, a board of {entries:,} entries",
                ProcessPoolExecutor(1, mp_context=context, initializer=become_worker, initargs=(slug,)),
                verify,
            )
            for entries, slug in zip(given.entries, make_boards(given.entries), strict=True)
        ]
        try:
            measure([alone, *boards], draw(given.works, given.seed))
        finally:
            for side in (alone, *boards):
                side.pool.shutdown()
    report(alone, boards)


if __name__ == "__main__":
    main()
