"""Portfolios for builds: learned on translation units in C and C++, and what they gain on others.

    python manage.py build_dataset units-v0; python manage.py build_dataset units-cpp-v0
    python benchmarks/builds_portfolio.py test NAME|FILE
    python benchmarks/builds_portfolio.py learn FILE [--evaluations N] [--seed N]
    python benchmarks/builds_portfolio.py shorten FILE

A module is measured as a plugin measures it with `--metric text_size_bytes`: by the code of its
position-independent object, after the passes that a recipe requires, in a process of its own. ``test``
compares default<Oz> with the best of it and the first 1, 2, 4 and 8 sequences of a portfolio on the test
splits. ``learn`` changes the list of -Oz on each unit of the training splits, then takes, again and again,
the sequence that adds most to the best of those taken and default<Oz>. ``shorten`` leaves out passes that
help neither the units for which a sequence is best nor all together: each costs time in every build.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import multiprocessing
import os
import resource
import signal
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Final, TypeAlias

from optarena.agents.known_sequences import FOLDER, KnownSequence, Portfolio, read_portfolio, write_portfolio
from optarena.agents.searches import Changes
from optarena.agents.searching import generator
from optarena.datasets import Benchmark, datasets
from optarena.deploy import sources
from optarena.deploy.recipe import REQUIRED, default_sequence, pipeline_of
from optarena.errors import OptArenaError
from optarena.llvm import pinned
from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module, create_machine
from optarena.machine_code.elf import executable_bytes
from optarena.specs import environment_spec

DATASETS: Final = ("units-v0", "units-cpp-v0")
# Its digest says which version of the passes the sequences are for.
ENVIRONMENT: Final = "llvm-loadsize-v0"
LEVEL: Final = default_sequence(sources.LEVEL).pipeline
SHOWN: Final = (1, 2, 4, 8)
SHORTENED: Final = " Then `shorten` left out the passes that do not pay."
# As a plugin allows a trial.
_TRIAL_SECONDS: Final = 60
# Their builds are measured, too, and must not be what was learned from.
_LEFT_OUT: Final = ("zlib", "lz4")
# What is left out has to add more to a unit: a sequence costs one more compilation of every file of a build.
_LEAST_ADDED: Final = 1e-4

Actions: TypeAlias = "tuple[int, ...]"


class Unit:
    """A module after the required passes, and the sizes that are known of it."""

    def __init__(self, benchmark: Benchmark) -> None:
        self.uri, self.language = benchmark.uri, benchmark.language
        self._sizes: dict[str, float] = {}
        self._module = Module.parse(benchmark.program())
        self._machine = create_machine(self._module.triple, relocation=pinned.RELOCATION_PIC)
        self._run(REQUIRED)

    def size(self, pipeline: str) -> float:
        """The bytes of code that a pipeline leads to; infinite if it fails."""
        if pipeline not in self._sizes:
            self._sizes[pipeline] = self._tried(pipeline)
        return self._sizes[pipeline]

    def _run(self, pipeline: str) -> None:
        state = self._module.pass_state()
        state.machine = self._machine
        state.apply(pipeline)
        self._module.check_passes(state.error, pipeline)

    def _tried(self, pipeline: str) -> float:
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:  # whatever happens, the child must not go on as the parent
                signal.alarm(10 * _TRIAL_SECONDS)
                resource.setrlimit(resource.RLIMIT_CPU, (_TRIAL_SECONDS, _TRIAL_SECONDS))
                with suppress(OptArenaError):
                    self._run(pipeline)
                    size = executable_bytes(self._module.emit_in_place(self._machine))
                    os.write(writing, str(size).encode())
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        return float(text) if text else math.inf


def place(benchmark: Benchmark) -> bytes:
    return hashlib.sha256(benchmark.uri.encode()).digest()


def units(split: str, given: argparse.Namespace) -> list[Unit]:
    """As many units of each dataset, of all its programs in turn, in an order that depends on names alone."""
    found: list[Benchmark] = []
    for name in DATASETS:
        every = sorted(datasets()[name].split(split), key=place)
        seen: Counter[str] = Counter()
        ranked = []
        for one in every:
            program = one.name.partition("/")[0]
            if given.smallest <= one.size_bytes <= given.largest and program not in _LEFT_OUT:
                ranked.append((seen[program], one))
                seen[program] += 1
        found += [one for _, one in sorted(ranked, key=itemgetter(0))[: given.units]]
    return [Unit(one) for one in found]


def searched(unit: Unit, found: Sequence[Actions], evaluations: int, seed: int) -> Actions:
    """The best sequence of a local search on a unit."""
    start = read_portfolio(FOLDER / "oz-v0.toml", CURATED).sequences[0].actions
    known = (start, *found)
    rng = generator(seed, unit.uri)
    changes = Changes(rng, len(CURATED.names), known)
    best = min(known, key=lambda one: unit.size(pipeline_of(one)))
    for _ in range(evaluations):
        [tried] = changes.candidates(best, 1)
        now, then = unit.size(pipeline_of(tried)), unit.size(pipeline_of(best))
        if now < then:
            changes.succeeded(best, tried)
        if now <= then:
            best = tried
    return best


def learned(training: Sequence[Unit], candidates: dict[Actions, str], size: int) -> Iterable[KnownSequence]:
    """The candidates that add most to the level and to those before, the one that adds most first."""
    best = [unit.size(LEVEL) for unit in training]
    table = {one: [unit.size(pipeline_of(one)) for unit in training] for one in candidates}
    for _ in range(min(size, len(table))):
        chosen = max(table, key=lambda one: added(best, table[one]))
        sizes = table.pop(chosen)
        more = added(best, sizes)
        if more < _LEAST_ADDED * len(best):
            return
        best = [min(pair) for pair in zip(best, sizes, strict=True)]
        yield KnownSequence(actions=chosen, origin=candidates[chosen], added=more)


def added(before: Sequence[float], sizes: Sequence[float]) -> float:
    """The sum of the logarithms by which sizes are smaller than those before, where they are."""
    return math.fsum(math.log(old / new) for old, new in zip(before, sizes, strict=True) if new < old)


def shortened(number: int, sequences: Sequence[KnownSequence], training: Sequence[Unit]) -> KnownSequence:
    """A sequence without passes that help neither the units for which it is best, nor all together."""
    others = [pipeline_of(one.actions) for place, one in enumerate(sequences) if place != number]
    left = sequences[number].actions
    sizes = {unit: unit.size(pipeline_of(left)) for unit in training}
    best = [
        unit for unit, size in sizes.items() if size < min(unit.size(other) for other in (LEVEL, *others))
    ]
    every = together(sizes.values())

    def is_as_good(actions: Actions) -> bool:
        pipeline = pipeline_of(actions)
        return all(unit.size(pipeline) <= sizes[unit] for unit in best) and (
            together(unit.size(pipeline) for unit in training) <= every
        )

    length = 1 << max(0, len(left).bit_length() - 2)
    while length:
        first = 0
        while first < len(left):
            fewer = left[:first] + left[first + length :]
            if fewer and is_as_good(fewer):
                left = fewer
            else:
                first += length
        length //= 2
    return replace(sequences[number], actions=left)


def together(sizes: Iterable[float]) -> float:
    return math.fsum(map(math.log, sizes))


def shorten(given: argparse.Namespace) -> None:
    portfolio = read_portfolio(given.portfolio, CURATED)
    known = datasets()
    training = [Unit(known.benchmark(uri)) for uri in portfolio.trained_on]
    told = partial(shortened, sequences=portfolio.sequences, training=training)
    with multiprocessing.get_context("fork").Pool() as pool:
        found: dict[Actions, str] = {}
        numbers = range(len(portfolio.sequences))
        for was, one in zip(portfolio.sequences, pool.imap(told, numbers), strict=True):
            found[one.actions] = one.origin
            print(f"{one.origin}: {len(was.actions)} passes, {len(one.actions)} are needed", flush=True)
    again = replace(
        portfolio,
        sequences=tuple(learned(training, found, sources.MOST)),
        description=f"{portfolio.description.removesuffix(SHORTENED)}{SHORTENED}",
    )
    text = write_portfolio(again, environment_spec(ENVIRONMENT))
    given.portfolio.write_text(text, encoding="utf-8")


def learn(given: argparse.Namespace) -> None:
    training = units("train", given)
    candidates: dict[Actions, str] = {}
    for number, unit in enumerate(training, 1):
        best = searched(unit, tuple(candidates), given.evaluations, given.seed)
        candidates.setdefault(best, unit.uri)
        ratio = unit.size(LEVEL) / unit.size(pipeline_of(best))
        print(f"{number}/{len(training)} {unit.uri}: {unit.size(LEVEL):.0f} bytes, x {ratio:.4f}", flush=True)
    portfolio = Portfolio(
        name=given.portfolio.stem,
        kind="portfolio",
        table=CURATED.name,
        sequences=tuple(learned(training, candidates, sources.MOST)),
        trained_on=tuple(unit.uri for unit in training),
        description=(
            "Learned for the code of position-independent objects beside default<Oz>, by "
            f"benchmarks/builds_portfolio.py with {given.units} units of each language, "
            f"{given.evaluations} evaluations of each, and seed {given.seed}."
        ),
    )
    text = write_portfolio(portfolio, environment_spec(ENVIRONMENT))
    given.portfolio.write_text(text, encoding="utf-8")


def test(given: argparse.Namespace) -> None:
    sequences = list(sources.portfolio_sequences(str(given.portfolio)))
    tested = units("test", given)
    print(" " * 52 + "".join(f"{f'K = {k}':>9}" for k in SHOWN))
    for language in sorted({unit.language for unit in tested}):
        rows = [
            [unit.size(pipeline) for pipeline in (LEVEL, *(one.pipeline for one in sequences))]
            for unit in tested
            if unit.language == language
        ]
        level = [row[0] for row in rows]
        best = [[min(row[: k + 1]) for row in rows] for k in SHOWN]
        means = [math.exp(added(level, sizes) / len(rows)) for sizes in best]
        sums = [math.fsum(level) / math.fsum(sizes) for sizes in best]
        what = f"{language}, {len(rows)} units, {math.fsum(level):,.0f} bytes"
        for name, values in (("geometric mean", means), ("sum", sums)):
            print(f"{f'{what}: {name}':52}" + "".join(f"{value:9.4f}" for value in values))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("learn", "shorten", "test"))
    parser.add_argument("portfolio", type=Path, help="a file, or to test the name of one of the package's")
    parser.add_argument("--units", type=int, default=20, help="of each dataset")
    parser.add_argument("--smallest", type=int, default=8_000, help="bytes of a unit's bitcode")
    parser.add_argument("--largest", type=int, default=400_000, help="the same")
    parser.add_argument("--evaluations", type=int, default=100, help="of each unit")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    {"learn": learn, "shorten": shorten, "test": test}[chosen.what](chosen)
