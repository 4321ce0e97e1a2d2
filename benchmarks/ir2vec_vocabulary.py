"""Trains the vocabulary of the observations ``Ir2vec`` on translation units in C and C++.

    python manage.py build_dataset units-v0; python manage.py build_dataset units-cpp-v0
    python benchmarks/ir2vec_vocabulary.py FILE [--epochs N] [--seed N] [--tool llvm-ir2vec-22]

LLVM's own tool (Debian's package llvm-22) gives the triplets of the smaller units of the training splits,
as given and after -Oz and -O3: an opcode with its type, its operands by place, and the next opcode. As for
IR2Vec, TransE (Bordes et al., NeurIPS 2013) learns vectors from the different triplets, so that head +
relation is near tail. Entries that are in none are left out, all predicates among them.

At its end it prints how often the right tail is among the 1, 3 and 10 nearest entries, when those of other
known triplets do not count: for types, next opcodes and the first four operands in the test splits that
training has not seen, with the vectors before and after training.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import subprocess
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from optarena.datasets import Benchmark, datasets
from optarena.llvm.feature_names import IR2VEC_NAMES, IR2VEC_TYPES, OPCODES
from optarena.llvm.ir2vec import BUILTIN_SIZE
from optarena.llvm.module import Module

DATASETS: Final = ("units-v0", "units-cpp-v0")
LARGEST: Final = 100_000
"""Bytes of a unit's bitcode."""
LEVELS: Final = ("", "Oz", "O3")
DECIMALS: Final = 4
_MARGIN: Final = 4.0
_RATE: Final = 0.001
_BATCH: Final = 128
_TESTED_RELATIONS: Final = 6
_SHOWN: Final = (1, 3, 10)

Array = np.ndarray[Any, np.dtype[np.float64]]
Numbers = np.ndarray[Any, np.dtype[np.int64]]


def triplets(benchmark: Benchmark, tool: str) -> set[tuple[int, ...]]:
    """Of a unit at all levels: head, tail and relation, by number."""
    found: set[tuple[int, ...]] = set()
    for level in LEVELS:
        with Module.parse(benchmark.program()) as module:
            if level:
                module.optimise(level)
            program = module.bitcode()
        command = [tool, "triplets", "-"]
        done = subprocess.run(command, input=program, check=True, capture_output=True)  # noqa: S603 # as given
        found |= {tuple(map(int, line.split())) for line in done.stdout.splitlines()[1:]}
    return found


def collected(split: str, tool: str) -> Numbers:
    """The different triplets of a split of all datasets, in one order."""
    units = [
        unit for name in DATASETS for unit in datasets()[name].split(split) if unit.size_bytes <= LARGEST
    ]
    with multiprocessing.get_context("fork").Pool() as pool:
        found = set().union(*pool.imap_unordered(partial(triplets, tool=tool), units))
    print(f"{split}: {len(units)} units, {len(found)} different triplets", flush=True)
    return np.array(sorted(found))


def start(rng: np.random.Generator, count: int) -> Array:
    bound = 6 / np.sqrt(BUILTIN_SIZE)
    return normalised(rng.uniform(-bound, bound, (count, BUILTIN_SIZE)))


def normalised(vectors: Array) -> Array:
    lengths: Array = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / lengths


def improve(entries: Array, relations: Array, true: Numbers, false: Numbers) -> None:
    """Make one step of TransE: true triplets come nearer, false ones go away, unless a margin is between."""

    def difference(rows: Numbers) -> Array:
        head, tail, relation = rows.T
        found: Array = entries[head] + relations[relation] - entries[tail]
        return found

    near, far = difference(true), difference(false)
    close = np.abs(near).sum(axis=1) + _MARGIN > np.abs(far).sum(axis=1)
    for rows, signs, sign in ((true, np.sign(near), -_RATE), (false, np.sign(far), _RATE)):
        head, tail, relation = rows[close].T
        change = sign * signs[close]
        np.add.at(entries, head, change)
        np.add.at(relations, relation, change)
        np.add.at(entries, tail, -change)
    entries[:] = normalised(entries)


def train(given: Numbers, epochs: int, rng: np.random.Generator) -> tuple[Array, Array]:
    entries, relations = start(rng, len(IR2VEC_NAMES)), start(rng, int(given[:, 2].max()) + 1)
    present = np.unique(given[:, :2])
    for _ in range(epochs):
        order = rng.permutation(given)
        for first in range(0, len(order), _BATCH):
            true = order[first : first + _BATCH]
            false = true.copy()
            # Either the head or the tail is replaced.
            false[np.arange(len(true)), rng.integers(2, size=len(true))] = rng.choice(present, len(true))
            improve(entries, relations, true, false)
    return entries, relations


def shown_hits(entries: Array, relations: Array, training: Numbers, testing: Numbers) -> str:
    """How often the right tail of triplets that are new is among the first."""
    present, seen = np.unique(training[:, :2]), set(map(tuple, training.tolist()))
    known = seen | set(map(tuple, testing.tolist()))
    ranks = []
    for head, tail, relation in known - seen:
        if relation >= _TESTED_RELATIONS or not {head, tail} <= set(present.tolist()):
            continue
        others = [one for one in present if one != tail and (head, one, relation) not in known]
        wanted = entries[head] + relations[relation]
        distance = np.abs(wanted - entries[tail]).sum()
        ranks.append(int((np.abs(wanted - entries[others]).sum(axis=1) < distance).sum()))
    hits = (f"{sum(rank < most for rank in ranks) / len(ranks):.3f} at {most}" for most in _SHOWN)
    return f"of {len(ranks)} new triplets: {', '.join(hits)}"


def written(entries: Array, training: Numbers) -> str:
    """The vocabulary as LLVM reads it, with an entry on each line."""
    present = np.unique(training[:, :2]).tolist()
    vectors = {IR2VEC_NAMES[one]: entries[one].round(DECIMALS).tolist() for one in present}
    print(f"left out: {', '.join(name for name in IR2VEC_NAMES if name not in vectors)}")
    names = {"Opcodes": tuple(OPCODES), "Types": IR2VEC_TYPES}
    names["Arguments"] = IR2VEC_NAMES[sum(map(len, names.values())) :]
    sections = (
        f'"{section}": {{\n'
        + ",\n".join(f'"{one}": {json.dumps(vectors[one])}' for one in ones if one in vectors)
        + "\n}"
        for section, ones in names.items()
    )
    return "{" + ",\n".join(sections) + "}\n"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("file", type=Path)
    parser.add_argument("--epochs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tool", default="llvm-ir2vec-22")
    given = parser.parse_args()
    training, testing = collected("train", given.tool), collected("test", given.tool)
    before = train(training, 0, np.random.default_rng(given.seed))
    entries, relations = train(training, given.epochs, np.random.default_rng(given.seed))
    print(f"before training, {shown_hits(*before, training, testing)}")
    print(f"after training, {shown_hits(entries, relations, training, testing)}")
    text = written(entries, training)
    given.file.write_text(text, encoding="utf-8")
    print(f"sha256 {hashlib.sha256(text.encode()).hexdigest()}")


if __name__ == "__main__":
    main()
