"""Measures the nests of the loop_tool environment on the CPU, and the time that readings take.

    python benchmarks/loop_tool.py [--turns N] [--budget SECONDS] [--only PART] [--sizes N ...]

Schedules are compared with a loop that gcc compiles for this machine (``-O3 -march=native``; clang without
gcc), called by the same native loop on the same buffers, in turns, so that a busy machine slows all of them.
Figures are medians of the turns, then the median of their ratios. *CPU share* is the share of the time that
each thread ran while samples were taken: 1 if nothing else ran on its CPU.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import gymnasium
from kit import aim, milliseconds, show, show_steps

import optarena  # noqa: F401 # registers the environments
from optarena.loop_tool.cpu import compiling, lowering
from optarena.loop_tool.cpu.backend import CpuBackend
from optarena.loop_tool.nest import Loop, Nest, Plan

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optarena.loop_tool.backend import Reading

ONE_THREAD: Final = tuple(1 << power for power in (10, *range(14, 21)))
TWO_THREADS: Final = tuple(1 << power for power in range(17, 21))
TELLING: Final = tuple(1 << power for power in (10, 14, 17, 20, 23))
READINGS: Final = (1, 1 << 10, 1 << 17, 1 << 20, 1 << 22, 1 << 23)
SLOW: Final = 1 << 23
BESIDE_COMPILER: Final = 0.95
SPEED_UP: Final = 1.8
COMPILE_MS: Final = 30.0
READING_MS: Final = 300.0
STEP_MS: Final = 0.2
_STEPS: Final = 100

SOURCE: Final = """
void nest(const float *restrict a, const float *restrict b, float *restrict c, long lo, long hi) {
    for (long i = 0; i < ELEMENTS; i++) c[i] = a[i] + b[i];
}
"""


class CompiledLoop(compiling.Native):
    def __init__(self, elements: int, compiler: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            library = Path(folder, "loop.so")
            options = ["-O3", "-march=native", "-shared", "-fPIC", f"-DELEMENTS={elements}L", "-x", "c", "-"]
            command = [compiler, *options, "-o", str(library)]
            subprocess.run(command, input=SOURCE, text=True, check=True)  # noqa: S603 # found on the PATH
            self._library = ctypes.CDLL(str(library))

    def address(self, name: str) -> int:
        return int(ctypes.cast(getattr(self._library, name), ctypes.c_void_p).value or 0)

    def close(self) -> None:
        """The library stays until the process ends."""


def find_compiler() -> str:
    folders = os.pathsep.join([os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)])
    for name in ("gcc", "clang", "clang-22"):
        if found := shutil.which(name, path=folders):
            return found
    raise SystemExit("Neither gcc nor clang was found. Install one of them to compare with.")


def turns_of(functions: Mapping[str, Callable[[], Reading]], turns: int) -> dict[str, list[float]]:
    # GFLOP/s; the order changes from turn to turn.
    found: dict[str, list[float]] = {name: [] for name in functions}
    order = list(functions.items())
    for _ in range(turns):
        order.append(order.pop(0))
        for name, function in order:
            found[name].append(function().gflops)
    return found


def ratio(above: list[float], below: list[float]) -> float:
    # The median of the ratios of values of the same turn.
    return statistics.median(one / other for one, other in zip(above, below, strict=True))


def at_least(value: float, limit: float) -> str:
    return f"aim >= {limit:g}: {'met' if value >= limit else 'MISSED'}"


def gflops(name: str, values: list[float], remark: str = "") -> None:
    spread = f"{min(values):.2f} to {max(values):.2f}"
    show(name, statistics.median(values), f"{spread}; {remark}" if remark else spread, "GFLOP/s")


def candidates(elements: int) -> dict[str, Nest]:  # for the best one-thread schedule for a power of two
    found = {}
    for leaf in (8, 16, 32, 64):
        found[f"{elements // leaf} x {leaf}"] = Nest((Loop(elements // leaf), Loop(leaf)))
    found[f"{elements // 256} x 4 x 64"] = Nest((Loop(elements // 256), Loop(4), Loop(64)))
    return found


def one_thread(sizes: list[int], turns: int, budget: float) -> None:
    compiler = find_compiler()
    version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True)  # noqa: S603 # ours
    print(f"Best schedule of one thread beside {version.stdout.splitlines()[0]}, -O3 -march=native")
    for elements in sizes or ONE_THREAD:
        backend, loop = CpuBackend(elements, budget_seconds=budget), CompiledLoop(elements, compiler)
        tried = {name: backend_reader(backend, nest) for name, nest in candidates(elements).items()}
        first = turns_of(tried, max(3, turns // 3))
        best = max(first, key=lambda name: statistics.median(first[name]))
        found = turns_of(
            {
                "best": tried[best],
                "C": lambda: backend.read_native(loop, "The C loop"),  # noqa: B023 # called at once
                "reference": backend.reference,
            },
            turns,
        )
        beside = ratio(found["best"], found["C"])
        gflops(
            f"{elements}: {best}", found["best"], f"{beside:.3f} of C, {at_least(beside, BESIDE_COMPILER)}"
        )
        gflops("  C loop", found["C"])
        beside = ratio(found["best"], found["reference"])
        remark = f"the best is {beside:.3f} of it, {at_least(beside, BESIDE_COMPILER)}"
        gflops("  reference: LLVM -O3", found["reference"], remark)
        backend.close()


def backend_reader(backend: CpuBackend, nest: Nest) -> Callable[[], Reading]:
    return lambda: backend.read(nest)


def two_threads(sizes: list[int], turns: int, budget: float) -> None:
    print("Two pinned threads beside one")
    for elements in sizes or TWO_THREADS:
        backend = CpuBackend(elements, workers=2, budget_seconds=budget)
        inner = (Loop(elements // 128), Loop(64))
        shares: list[float] = []

        def together(
            backend: CpuBackend = backend,
            nest: Nest = Nest((Loop(2, threaded=True), *inner)),  # noqa: B008 # frozen
            shares: list[float] = shares,
        ) -> Reading:
            reading = backend.read(nest)
            shares.append(backend.machine()["cpu_share"])
            return reading

        alone = backend_reader(backend, Nest((Loop(2), *inner)))
        found = turns_of({"one": alone, "two": together}, turns)
        speed_up = ratio(found["two"], found["one"])
        share = f"CPU share {statistics.median(shares):.2f}"
        remark = f"{speed_up:.2f} x one thread, {at_least(speed_up, SPEED_UP)}; {share}"
        gflops(f"{elements}: 2 [thread] x {elements // 128} x 64", found["two"], remark)
        gflops("  the same without [thread]", found["one"])
        backend.close()


def compare_schedules(sizes: list[int], turns: int, budget: float) -> None:
    # Several schedules of the same addition, from the initial one to good and bad ones.
    print(f"Some schedules, with up to {len(os.sched_getaffinity(0))} threads")
    for elements in sizes or TELLING:
        backend = CpuBackend(elements, budget_seconds=budget)
        third = elements // 3
        nests = {
            "at reset: N [thread] x 1 x 1": Nest.initial(elements),
            "N x 1 x 1": Nest((Loop(elements), Loop(1), Loop(1))),
            "N/8 x 8": Nest((Loop(elements // 8), Loop(8))),
            "N/64 x 64": Nest((Loop(elements // 64), Loop(64))),
            "N/64 [thread] x 64": Nest((Loop(elements // 64, threaded=True), Loop(64))),
            "N/64 x 64 [thread]": Nest((Loop(elements // 64), Loop(64, threaded=True))),
            "N/3 with a tail x 3": Nest((Loop(third, elements - 3 * third), Loop(3))),
        }
        found = turns_of({name: backend_reader(backend, nest) for name, nest in nests.items()}, turns)
        for name, values in found.items():
            gflops(f"{elements}: {name}", values)
        backend.close()


def compiling_time(sizes: list[int], turns: int, budget: float) -> None:
    # From a nest to native code, for schedules that are not in the cache.
    del sizes, budget
    print("Compiling, warm")
    compiling.process_driver()
    times: dict[str, list[float]] = {"without tails": [], "with tails, three threaded loops": []}
    for number in range(10 * turns):
        nests = (
            Nest((Loop(1000 + number, threaded=True), Loop(10), Loop(63))),
            Nest((Loop(100, 7 + number, threaded=True), Loop(70, 3, threaded=True), Loop(5, threaded=True))),
        )
        for name, nest in zip(times, nests, strict=True):
            made: list[compiling.Native] = []
            times[name].append(milliseconds(lambda: made.append(compiling.compile_nest(Plan.of(nest)))))  # noqa: B023 # called at once
            made[0].close()
    for name, values in times.items():
        median = statistics.median(values)
        show(name, median, f"slowest {max(values):.1f} ms; {aim(median, COMPILE_MS)}")
    reference = lowering.reference(1 << 20)
    show("reference, LLVM -O3", milliseconds(lambda: compiling.compile_ir(reference, optimise=True)))


def readings(sizes: list[int], turns: int, budget: float) -> None:
    # The first, with its buffers, and later ones.
    del budget
    print("One reading of flops")
    for elements in sizes or READINGS:
        reading_time(f"{elements}", Nest.initial(elements), turns)
    elements = sizes[-1] if sizes else SLOW
    reading_time(
        f"{elements}: N/64 x 64 [thread]", Nest((Loop(elements // 64), Loop(64, threaded=True))), turns
    )


def reading_time(name: str, nest: Nest, turns: int) -> None:
    first, second, samples, calls = [], [], [], []
    for _ in range(max(1, turns // 3)):
        backends: list[CpuBackend] = []
        opening = milliseconds(lambda: backends.append(CpuBackend(nest.elements)))  # noqa: B023 # called at once
        found: list[Reading] = []

        def read(backend: CpuBackend = backends[0], found: list[Reading] = found) -> None:
            found.append(backend.read(nest))

        first.append(opening + milliseconds(read))
        second.append(milliseconds(read))
        samples.append(len(found[1].seconds))
        calls.append(found[1].median_seconds * 1000)
        backends[0].close()
    later = statistics.median(second)
    show(f"{name}: first, buffers included", statistics.median(first), f"slowest {max(first):.0f} ms")
    of = f"samples: {statistics.median(samples):g}, a call takes {statistics.median(calls):.3g} ms"
    show("  later ones", later, f"{aim(later, READING_MS)}; {of}")


def steps(sizes: list[int], turns: int, budget: float) -> None:
    del sizes, budget
    print("A step without flops")
    with gymnasium.make("optarena/loop_tool-v0").unwrapped as env:
        env.reset(options={"benchmark": "benchmark://loop_tool-cpu-v0/1024", "reward_space": None})
        show_steps(lambda: env.step(0), _STEPS * turns, STEP_MS)


PARTS: Final[dict[str, Callable[[list[int], int, float], None]]] = {
    "one-thread": one_thread,
    "two-threads": two_threads,
    "schedules": compare_schedules,
    "compiling": compiling_time,
    "readings": readings,
    "steps": steps,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=11, help="turns of each comparison")
    parser.add_argument("--budget", type=float, default=0.03, help="seconds of each compared reading")
    parser.add_argument("--only", choices=list(PARTS), help="run only this part")
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[], help="other sizes: powers of two from 128"
    )
    arguments = parser.parse_args()
    backend = CpuBackend(1)
    backend.reference()
    facts = backend.machine()
    backend.close()
    pinned = "threads pinned" if facts["pinned"] else "THREADS NOT PINNED"
    cpus = (
        f"{facts['cpus']} CPUs of {facts['cores'] or 'unknown'} cores, vectors of {facts['vector_elements']}"
    )
    print(f"{facts['device']} ({facts['llvm_cpu']}), {cpus}, {pinned}, LLVM {facts['llvm']}")
    print(f"Load average at the start: {facts['load_average'][0]:.2f}; printed again at the end")
    for name, part in PARTS.items():
        if arguments.only in (None, name):
            part(arguments.sizes, arguments.turns, arguments.budget)
    print(f"Load average at the end: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
