"""Measures steps, resets and forks of the LLVM environment beside a peer, in turns, in one run.

    python benchmarks/peer_llvm.py [--compiler-gym PYTHON] [--against CHECKOUT] [--repeats N] [--sizes N ...]
                                   [--programs FILE ...]

The peer is CompilerGym, if an interpreter is named that has it, and another checkout of this project, if one
is named; this interpreter runs it. Without a peer, only our own figures are printed. CompilerGym's LLVM 10
does not read the bitcode of LLVM 22, so it needs programs of its own, which LLVM 22 reads too. All sides get
the same files, walk by the passes that all of them have, and take turns, block by block. A ratio above 1
means that this checkout is faster. Times are medians in milliseconds, with the lowest tenth before it: on a
busy machine only ratios can be compared.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kit import SIZES, milliseconds, sized_programs

from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module

SIDE: Final = Path(__file__).with_name("peer_llvm_side.py")
MEASURES: Final = ("first", "idle", "walk", "seen", "unseen", "fork", "peek")
BLOCKS: Final = 4  # turns of each side for a measurement
SLOW_MS: Final = 400.0  # passes that take longer are left out of the walk: their time is LLVM's


class Side:
    def __init__(self, name: str, command: list[str], environment: dict[str, str]) -> None:
        self.name = name
        self._process: Any = subprocess.Popen(  # noqa: S603 # this project's own script
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environment},
        )

    def measure(self, order: dict[str, Any]) -> dict[str, Any]:
        self.send(order)
        return self.receive()

    def send(self, order: dict[str, Any]) -> None:
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The side {self.name} has ended; its message is above.")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        self._process.stdin.close()
        self._process.wait()


def start_sides(arguments: argparse.Namespace) -> list[Side]:
    return [Side(*one) for one in side_commands(arguments)]


def side_commands(arguments: argparse.Namespace) -> list[tuple[str, list[str], dict[str, str]]]:
    ours = {"here": Path(__file__).parents[1]}
    if arguments.against:
        ours["there"] = arguments.against.absolute()
    # As an installed package, whose modules are compiled, even if the caller wants no such files.
    kept = {"PYTHONDONTWRITEBYTECODE": ""}
    sides = [
        (name, [sys.executable, str(SIDE), "ours"], {"PYTHONPATH": str(checkout / "envs"), **kept})
        for name, checkout in ours.items()
    ]
    if arguments.compiler_gym:
        sides.append(("CompilerGym", [arguments.compiler_gym, str(SIDE), "compiler_gym"], {}))
    return sides


def add_peers(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--compiler-gym", help="an interpreter with CompilerGym 0.2.5")
    parser.add_argument("--against", type=Path, help="another checkout of this project")
    parser.add_argument("--programs", type=Path, nargs="+", help="bitcode to use instead")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="run only these sizes")


def variants(folder: Path, data: bytes, number: int) -> list[str]:
    # Files of the same program that differ in four bytes after its end, which LLVM does not read.
    paths = []
    for _ in range(number):
        paths.append(folder / f"{len(list(folder.iterdir()))}.bc")
        paths[-1].write_bytes(data + secrets.token_bytes(4))
    return [str(path) for path in paths]


def walk_of(data: bytes, length: int, known: set[str]) -> tuple[list[str], float]:
    # Random passes, and the milliseconds that they take without an environment, for 200 of them.
    chance = random.Random(1)  # noqa: S311 # the same walk each time
    names: list[str] = []
    total = 0.0
    with Module.parse(data) as module:
        while len(names) < length:
            action = CURATED.action(chance.randrange(len(CURATED)))
            if action.name not in known:
                continue
            taken = milliseconds(lambda: module.run(action.pipeline))  # noqa: B023 # called at once
            if taken < SLOW_MS:
                names.append(action.name)
                total += taken
    return names, total * 200 / length


def compare(sides: list[Side], folder: Path, data: bytes, arguments: argparse.Namespace) -> None:
    (program,) = variants(folder, data, 1)
    given = {"program": program, "programs": [], "walk": list(CURATED.names), "repeats": 1}
    known = [set(side.measure({**given, "measure": "known"})["samples"]) for side in sides]
    common = sorted(set.intersection(*known))
    names, bare = walk_of(data, arguments.walk, set(common))
    print(f"    bare passes of the walk {bare:.0f} ms; {len(common)} passes")
    for measure in arguments.only:
        found: dict[str, list[float]] = {side.name: [] for side in sides}
        for block in range(BLOCKS):
            for side in sides if block % 2 else reversed(sides):
                programs = variants(folder, data, 3) if measure == "unseen" else []
                order = {"measure": measure, "program": program, "programs": programs, "known": common}
                found[side.name] += side.measure({**order, "walk": names, "repeats": arguments.repeats})[
                    "samples"
                ]
        show(measure, found)


def show(measure: str, found: dict[str, list[float]]) -> None:
    # Each side's times, and how many times faster the first one is.
    medians = {name: statistics.median(samples) for name, samples in found.items()}
    lows = {name: sorted(samples)[len(samples) // 10] for name, samples in found.items()}
    ours, *peers = found
    cells = [f"{name} {lows[name]:.3f}/{medians[name]:.3f}" for name in found]
    ratios = [f"x {lows[one] / lows[ours]:.2f}/{medians[one] / medians[ours]:.2f}" for one in peers]
    print(f"    {measure:8}", "  ".join([*cells, *ratios]), flush=True)


def programs(arguments: argparse.Namespace) -> Iterator[bytes]:
    if arguments.programs:
        yield from (path.read_bytes() for path in arguments.programs)
    else:
        yield from sized_programs([size for size in SIZES if size in arguments.sizes]).values()


def size_of(data: bytes) -> int:
    with Module.parse(data) as module:
        return module.instruction_count()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_peers(parser)
    parser.add_argument("--repeats", type=int, default=5, help="repeats in each turn")
    parser.add_argument("--walk", type=int, default=200, help="passes of the walk")
    parser.add_argument(
        "--only", nargs="+", choices=MEASURES, default=list(MEASURES), help="measure only these"
    )
    arguments = parser.parse_args()
    sides = start_sides(arguments)
    with tempfile.TemporaryDirectory() as folder:
        for place, data in enumerate(programs(arguments)):
            print(f"{size_of(data)} instructions", flush=True)
            below = Path(folder, str(place))
            below.mkdir()
            compare(sides, below, data, arguments)
    for side in sides:
        side.end()


if __name__ == "__main__":
    main()
