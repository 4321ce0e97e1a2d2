"""Measures the loop that agents run: whole episodes, resets in a row, and several environments at once.

    python benchmarks/agent_loop.py [--compiler-gym PYTHON] [--against CHECKOUT] [--repeats N] [--sizes N ...]
                                    [--programs FILE ...]

The peers are those of ``peer_llvm.py``, and take turns in the same way. An episode is a reset of a program
that was used before and some random passes, with Autophase and the reward ``IrInstructionCountOz``. *again*
is a reset right after a reset, *straight* the first step after two of them, *cold* a new process that
imports the package, makes an environment and resets it for the first time. *memory* is what a further
environment in the same process takes while it rests, in MiB, with its part of the processes that wait for
the next episodes. The time of the bare passes, in one process and without an environment, is printed beside
them. *CPU* is that of client, zygote and sessions for 1,000 steps. At last several environments play at
once, each in a process of its own; their steps a second are those of all together. ``make_vec`` is as many
members in one process, beside as many processes; *waiting* is what would be left of the processes' rate if
they waited for the slowest of them after each step, as in a batch; it takes as many at once as there are
cores. Times are medians in milliseconds, with the lowest tenth before it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from peer_llvm import (
    BLOCKS,
    Side,
    add_peers,
    programs,
    show,
    side_commands,
    size_of,
    start_sides,
    variants,
    walk_of,
)

from optarena.llvm.actions import CURATED

LENGTHS: Final = (10, 45, 100)  # steps of an episode
ENVIRONMENTS: Final = (1, 2, 4, 8)
TYPICAL: Final = 45
STEPS: Final = 450  # of each turn
WALK: Final = 400
STARTS: Final = 8  # of new processes
FURTHER: Final = 4  # environments beside the first one
# Asks which passes a side has.
EVERY: Final = {"programs": [], "walk": list(CURATED.names), "repeats": 1, "measure": "known"}


def compare(sides: list[Side], program: str, names: list[str], repeats: int) -> None:
    order = {"program": program, "programs": [], "walk": names}
    for measure in ("again", "straight"):
        found, _ = in_turns(sides, {**order, "measure": measure, "repeats": 10 * repeats})
        show(measure, found)
    for length in LENGTHS:
        episodes = max(1, repeats * STEPS // length)
        found, cpu = in_turns(sides, {**order, "measure": "episodes", "length": length, "repeats": episodes})
        show(f"of {length}", found)
        thousand = [
            f"{name} {seconds / (BLOCKS * episodes * length / 1000):.2f} s" for name, seconds in cpu.items()
        ]
        print(f"    {'':8} CPU", "  ".join(thousand), flush=True)
    further = {**order, "measure": "memory", "length": TYPICAL, "repeats": FURTHER}
    show("memory", {side.name: side.measure(further)["samples"] for side in sides})


def in_turns(sides: list[Side], order: dict[str, Any]) -> tuple[dict[str, list[float]], dict[str, float]]:
    found: dict[str, list[float]] = {side.name: [] for side in sides}
    cpu = dict.fromkeys(found, 0.0)
    for side in sides:
        side.measure({**order, "repeats": 3})  # from now on the program is known
    for block in range(BLOCKS):
        for side in sides if block % 2 else reversed(sides):
            answer = side.measure(order)
            found[side.name] += answer["samples"]
            cpu[side.name] += answer["cpu"]
    return found, cpu


def start_cold(arguments: argparse.Namespace, program: str) -> None:
    order = {"program": program, "programs": [], "walk": [], "measure": "again", "repeats": 1}
    commands = side_commands(arguments)
    found: dict[str, list[float]] = {name: [] for name, *_ in commands}
    for block in range(STARTS):
        for command in commands if block % 2 else reversed(commands):
            begin = time.perf_counter()
            side = Side(*command)
            side.measure(order)
            found[side.name].append(1000 * (time.perf_counter() - begin))
            side.end()
    show("cold", found)


def play_at_once(arguments: argparse.Namespace, program: str, names: list[str]) -> None:
    players = [start_sides(arguments) for _ in range(max(ENVIRONMENTS))]
    episodes = max(1, arguments.repeats * STEPS // TYPICAL)
    order = {"program": program, "programs": [], "walk": names, "measure": "episodes", "length": TYPICAL}
    for sides in players:
        for side in sides:
            side.measure({**order, "repeats": 3})
    for number in ENVIRONMENTS:
        rates: dict[str, list[float]] = {side.name: [] for side in players[0]}
        vectors: dict[str, list[float]] = {name: [] for name in rates}
        bounds: list[float] = []
        for block in range(BLOCKS):
            for place in range(len(rates)) if block % 2 else reversed(range(len(rates))):
                playing = [sides[place] for sides in players[:number]]
                name, seconds = playing[0].name, seconds_together(playing, {**order, "repeats": episodes})
                rates[name].append(number * episodes * TYPICAL / seconds)
                vector = {**order, "measure": "vector", "repeats": episodes, "members": number}
                found = playing[0].measure(vector)["samples"]
                vectors[name] += [number * episodes * TYPICAL / taken * 1000 for taken in found]
            ours = [sides[0] for sides in players[:number]]
            bounds.append(left_by_waiting(ours, {**order, "repeats": episodes}))
        bound = f"waiting {statistics.median(bounds):.2f}"
        print(f"    {number} environments", *compare_rates(rates, vectors), bound, sep="  ", flush=True)
    for sides in players:
        for side in sides:
            side.end()


def seconds_together(playing: list[Side], order: dict[str, Any]) -> float:
    begin = time.perf_counter()
    for side in playing:
        side.send(order)
    for side in playing:
        side.receive()
    return time.perf_counter() - begin


def left_by_waiting(playing: list[Side], order: dict[str, Any]) -> float:
    cores = len(os.sched_getaffinity(0))
    times: list[list[float]] = []
    for first in range(0, len(playing), cores):
        together = playing[first : first + cores]
        for side in together:
            side.send({**order, "measure": "apart"})
        times += [side.receive()["samples"] for side in together]
    steps: list[tuple[float, ...]] = list(zip(*times, strict=True))
    shares = [sum(step) / min(cores, len(step)) for step in steps]
    return sum(shares) / sum(max(share, *step) for share, step in zip(shares, steps, strict=True))


def compare_rates(rates: dict[str, list[float]], vectors: dict[str, list[float]]) -> list[str]:
    medians = {name: statistics.median(samples) for name, samples in rates.items()}
    ours, *peers = medians
    cells = [f"{name} {rate:.0f} steps/s" for name, rate in medians.items()]
    cells += [f"x {medians[ours] / medians[one]:.2f}" for one in peers]
    for name, samples in vectors.items():
        if samples:
            rate = statistics.median(samples)
            cells.append(f"make_vec {name} {rate:.0f} steps/s x {rate / medians[name]:.2f}")
    return cells


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_peers(parser)
    parser.add_argument("--repeats", type=int, default=1, help="how many times as much is measured")
    arguments = parser.parse_args()
    sides = start_sides(arguments)
    played = []
    with tempfile.TemporaryDirectory() as folder:
        for data in programs(arguments):
            (program,) = variants(Path(folder), data, 1)
            known = [set(side.measure({**EVERY, "program": program})["samples"]) for side in sides]
            names, bare = walk_of(data, WALK, set.intersection(*known))
            print(f"{size_of(data)} instructions; bare passes {bare / 200:.3f} ms a step", flush=True)
            compare(sides, program, names, arguments.repeats)
            played.append((program, names))
        for side in sides:
            side.end()
        program, names = played[0]
        start_cold(arguments, program)
        print("environments at once, of the smallest program")
        play_at_once(arguments, program, names)


if __name__ == "__main__":
    main()
