"""``python -m baselines.steps``: makes the release ``steps-v0`` of step data, or checks that it is the same.

It has the committed results of the board ``llvm-ic`` on the smaller programs of programs-v0, random walks on
these and on units of the training split of units-v0, and on the latter what a local search found on its way.
units-v0 must be built before. With the same versions of the package, every machine makes the same rows.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.console import Console

from baselines.reading import committed
from optarena.agents.catalogue import agent_named, sources_of
from optarena.agents.evaluator import Evaluator
from optarena.agents.outcomes import Budget
from optarena.agents.searching import generator
from optarena.data.releases import BUILTIN, TABLES, Release, file_name, releases_in
from optarena.data.tables import ReleaseWriter, read_releases
from optarena.data.walks import DataSequence, SequenceTrace, in_environments, trace_sequence
from optarena.datasets import Benchmark, datasets
from optarena.specs import environment_spec
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.rewards import UNOPTIMISED

if TYPE_CHECKING:
    from optarena.env import CompilerEnv

NAME: Final = "steps-v0"
RELEASED: Final = "2026-11-29"
BOARD: Final = "llvm-ic"
SEED: Final = 0
# Instructions of the largest program of each dataset: an action takes a unit less than a millisecond, and the
# largest programs half a second.
LARGEST: Final = {"programs-v0": 30_000, "units-v0": 800}
RANDOM_WALKS: Final = {"programs-v0": 24, "units-v0": 28}
# Of the training split, so many in the order of their hashes.
UNITS: Final = 180
# Walks on these take long: passes make them grow.
LEFT_OUT: Final = frozenset(
    f"benchmark://units-v0/{name}"
    for name in (
        *("brotli/enc/encoder_dict", "capstone/arch/ARM/ARMMapping", "capstone/arch/PowerPC/PPCMapping"),
        *("capstone/arch/SystemZ/SystemZMapping", "capstone/arch/TriCore/TriCoreMapping"),
    )
)
LENGTH: Final = 40
SEARCHED: Final = 8
EVALUATIONS: Final = 24
_SPEC: Final = environment_spec("llvm-ic-v0")
_DESCRIPTION: Final = (
    "Steps of llvm-ic-v0: the committed results of OptArena's agents on the smaller programs of programs-v0, "
    "random walks on these and on units of the training split of units-v0, and what a local search found on "
    "the latter. Programs that share code are in one split."
)


def programs() -> list[Benchmark]:
    units = [one for one in _small("units-v0") if one.split == "train"]
    units.sort(key=lambda one: one.sha256)
    return [*_small("programs-v0"), *units[:UNITS]]


def _small(name: str) -> list[Benchmark]:
    sizes = ((one, one.baseline("ir_instructions", UNOPTIMISED) or 0.0) for one in datasets()[name])
    return [one for one, size in sizes if size <= LARGEST[name] and one.uri not in LEFT_OUT]


def random_walks(benchmark: Benchmark) -> Iterator[DataSequence]:
    rng = generator(SEED, f"random {benchmark.uri}")
    for number in range(RANDOM_WALKS[BenchmarkUri.parse(benchmark.uri).dataset]):
        drawn = rng.integers(len(_SPEC.action_table.names), size=LENGTH).tolist()
        yield DataSequence(
            benchmark=benchmark, actions=tuple(drawn), agent="random", origin=f"walks/random/{number}"
        )


def searched_walks(benchmark: Benchmark) -> list[DataSequence]:
    # Some of the sequences that were better than all before them, the best included.
    agent = agent_named("local")
    search = agent.make(sources_of(agent.known(_SPEC.action_table)), agent.settings({}))
    evaluator = Evaluator(_SPEC, benchmark, Budget(evaluations=EVALUATIONS))
    try:
        rng = generator(SEED, f"local {benchmark.uri}")
        found = [outcome.prefix for outcome in search(evaluator, evaluator.budget, rng)]
    finally:
        evaluator.close()
    chosen = found[:: -max(1, -(-len(found) // SEARCHED))][::-1]
    return [
        DataSequence(benchmark=benchmark, actions=one, agent="local", origin=f"walks/local/{number}")
        for number, one in enumerate(dict.fromkeys(chosen))
        if one
    ]


def committed_sequences() -> Mapping[str, list[DataSequence]]:
    # By the URI of their program.
    found: dict[str, list[DataSequence]] = defaultdict(list)
    for result in committed():
        if (result.board.slug, result.board.dataset) != (BOARD, "programs-v0"):
            continue
        for state in result.states:
            benchmark = datasets().benchmark(state.benchmark)
            sequence = DataSequence(
                benchmark=benchmark,
                actions=_SPEC.parse(state.commandline)[1],
                agent=result.agent,
                origin=f"baselines/{result.name}",
            )
            found[benchmark.uri] += [sequence] if sequence.actions else []
    return found


def make(parent: Path, benchmarks: Sequence[Benchmark], console: Console, nproc: int) -> Release:
    results = committed_sequences()

    def traces(env: CompilerEnv, benchmark: Benchmark) -> list[SequenceTrace]:
        known = results.get(benchmark.uri) or searched_walks(benchmark)
        sequences = [*known, *random_walks(benchmark)]
        return [trace_sequence(env, one) for one in sequences]

    described = Release(
        name=NAME, title="Steps", description=_DESCRIPTION, released=RELEASED, follows="", tables={}
    )
    with ReleaseWriter(parent, described) as writer:
        for number, found in enumerate(in_environments(_SPEC, traces, benchmarks, nproc=nproc), start=1):
            for one in found:
                writer.add(*one)
            console.print(f"{number} of {len(benchmarks)}: {found[0].program.uri}, {writer.steps:,} steps")
        return writer.finish()


def differences(one: Release, other: Release) -> Iterator[str]:
    first, second = read_releases([one]), read_releases([other])
    for name in TABLES:
        if not getattr(first, name).equals(getattr(second, name)):
            yield f"{file_name(name)} differs"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m baselines.steps", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the release differs")
    parser.add_argument("--output", type=Path, default=BUILTIN, help="the folder of releases (%(default)s)")
    parser.add_argument("--nproc", type=int, default=len(os.sched_getaffinity(0)), help="(%(default)s)")
    given = parser.parse_args()
    console = Console(stderr=True, highlight=False)
    if not given.check:
        release = make(given.output, programs(), console, given.nproc)
        console.print(
            f"{release.name}: {release.rows:,} steps, {release.size_bytes:,} bytes, {release.sha256}"
        )
        return 0
    with tempfile.TemporaryDirectory() as folder:
        made = make(Path(folder), programs(), console, given.nproc)
        found = list(differences(made, releases_in(given.output)[NAME]))
    for one in found:
        console.print(one)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
