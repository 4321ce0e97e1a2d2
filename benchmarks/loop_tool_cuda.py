"""Checks and times loop_tool on a GPU: ``python benchmarks/loop_tool_cuda.py``; a few minutes.

The report has: the machine; whether 200 random nests give the right sum; seven schedules from 2^10 to 2^26
elements, cold and warm, beside the board's reference, which is the device's own copy of as many bytes; and a
block as the board measures it, in a process of its own. The exit code is 1 if an output is wrong, the board's
process fails, or there is no usable GPU; then the report says what is missing. Missed goals are printed, but
are not errors.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable
from optarena.loop_tool.backend import IncorrectOutput
from optarena.loop_tool.cuda.backend import CudaBackend, open_device
from optarena.loop_tool.cuda.lowering import lower
from optarena.loop_tool.nest import Loop, Nest, Plan
from tests.kit.loop_tool import cuda_nests as nests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.loop_tool.cuda.backend import Timing

CHECKED = (1, 31, 257, 1000, 4097, 2**16, 2**17 + 3, 999_983, 2**20, 2**22 + 1)
NESTS_OF_EACH = 20
EXPONENTS = tuple(range(10, 27, 2))
LARGEST_OF_ONE_THREAD = 2**24  # beyond this size, one launch takes seconds
GOAL_OF_BEST = 0.95
LIMIT_OF_BAD = 0.05
BAD_FROM = 2**14  # the number of elements from which one thread must be slow
BOARD_SECONDS = 300
BOARD_ELEMENTS = 2**20
# Make the middle loop 4 long, and then move these iterations to the innermost loop.
BOARD_ACTIONS = [0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1]


def threaded(size: int, tail: int = 0) -> Loop:
    return Loop(size, tail, threaded=True)


ONE_THREAD = "one thread"
SCHEDULES: dict[str, Callable[[int], Nest]] = {
    "scalar, initial nest": Nest.initial,
    "leaf of 4": lambda n: Nest((threaded(n // 4), Loop(1), Loop(4))),
    "leaf of 16": lambda n: Nest((threaded(n // 16), Loop(1), Loop(16))),
    "1024 threads, serial chunks": lambda n: Nest((threaded(1024), Loop(1), Loop(n // 1024))),
    "serial outside, leaf of 4": lambda n: Nest((Loop(4), threaded(n // 16), Loop(4))),
    ONE_THREAD: lambda n: Nest((Loop(n), Loop(1), Loop(1))),
    "leaf of 3 with a tail": lambda n: Nest((threaded(n // 3, n % 3), Loop(3), Loop(1))),
}


def opened(elements: int) -> CudaBackend:
    backend = open_device(elements)
    if not isinstance(backend, CudaBackend):
        raise TypeError(f"{type(backend).__name__} is not a CudaBackend.")
    return backend


def report_machine() -> bool:
    backend = opened(1)
    machine = backend.machine()
    backend.close()
    print("machine")
    for name, value in machine.items():
        print(f"  {name:24}{value}")
    return not machine["emulated"]


def report_correctness(sizes: Sequence[int]) -> int:
    generator, wrong = nests.seeded(7), 0
    start = time.perf_counter()
    for elements in sizes:
        backend = opened(elements)
        for _ in range(NESTS_OF_EACH):
            nest = nests.reachable(generator, elements)
            try:
                backend.check(nest)
            except IncorrectOutput as error:
                wrong += 1
                print(f"  WRONG: {error}\n{nest}{lower(Plan.of(nest)).source}")
        backend.close()
    seconds = time.perf_counter() - start
    print(f"correctness: {len(sizes) * NESTS_OF_EACH} random nests, {wrong} wrong, {seconds:.1f} s")
    return wrong


def line(name: str, cold: Timing, warm: Timing, reference: tuple[float, float], note: str = "") -> str:
    # GFLOP/s with the interval in per cent, and how much of the copy's speed that is.
    cells = []
    for timing, seconds in zip((cold, warm), reference, strict=True):
        median = timing.reading.median_seconds
        spread = "  ?  "  # too few samples
        if timing.interval is not None:
            low, high = timing.interval
            spread = f"{100 * (high - low) / (2 * median):4.1f}%"
        mark = "!" if timing.samples.throttled else " "
        gflops, share = timing.reading.gflops, seconds / median
        cells.append(f"{gflops:10.3f} ±{spread}{mark} {1e6 * median:12.2f} us {share:6.3f}")
    return f"  {name:28}{'   '.join(cells)}  {note}".rstrip()


def report_size(elements: int) -> dict[str, tuple[float, float]]:
    backend = opened(elements)
    first = backend.reference_both()
    rows = {
        name: backend.read_both(make(elements))
        for name, make in SCHEDULES.items()
        if name != ONE_THREAD or elements <= LARGEST_OF_ONE_THREAD
    }
    again = backend.reference_both()  # the clocks may have changed in between
    backend.close()
    sides = [(getattr(first, side), getattr(again, side)) for side in ("cold", "warm")]
    cold, warm = (sum(timing.reading.median_seconds for timing in side) / 2 for side in sides)
    print(f"N = {elements}")
    print(line("copy of the same bytes", first.cold, first.warm, (cold, warm)))
    print(line("copy, once more", again.cold, again.warm, (cold, warm)))
    for name, both in rows.items():
        kernel = lower(Plan.of(SCHEDULES[name](elements)))
        note = f"threads {kernel.threads}, {32 * kernel.vector} bits"
        print(line(name, both.cold, both.warm, (cold, warm), note))
    if ONE_THREAD not in rows:
        print(f"  {ONE_THREAD:28}left out beyond N = {LARGEST_OF_ONE_THREAD}: a launch takes seconds")
    return {
        name: (cold / both.cold.reading.median_seconds, warm / both.warm.reading.median_seconds)
        for name, both in rows.items()
    }


def report_schedules(exponents: Sequence[int]) -> None:
    print("schedules, cold then warm: GFLOP/s, interval of 95 %, time of a launch, share of the copy's speed")
    print("  (! = heat or power lowered the clocks)")
    found = {2**exponent: report_size(2**exponent) for exponent in exponents}
    print(f"best schedule / copy, cold and warm; goal >= {GOAL_OF_BEST}")
    for elements, shares in found.items():
        best = [max(shares, key=lambda name: shares[name][side]) for side in (0, 1)]
        values = [shares[name][side] for side, name in enumerate(best)]
        verdicts = ", ".join(
            f"{value:.3f} ({name}) {'met' if value >= GOAL_OF_BEST else 'MISSED'}"
            for name, value in zip(best, values, strict=True)
        )
        print(f"  N = {elements:9}: {verdicts}")
    print(f"one thread / best, cold and warm; goal <= {LIMIT_OF_BAD} from N = {BAD_FROM} on")
    for elements, shares in found.items():
        if ONE_THREAD in shares:
            print(f"  N = {elements:9}: {', '.join(judged_bad(elements, shares))}")


def judged_bad(elements: int, shares: dict[str, tuple[float, float]]) -> list[str]:
    best = [max(share[side] for share in shares.values()) for side in (0, 1)]
    ratios = [shares[ONE_THREAD][side] / best[side] for side in (0, 1)]
    if elements < BAD_FROM:
        return [f"{ratio:.5f}" for ratio in ratios]
    return [f"{ratio:.5f} {'met' if ratio <= LIMIT_OF_BAD else 'MISSED'}" for ratio in ratios]


def report_board(elements: int) -> int:
    job = {"benchmark": f"benchmark://loop_tool-cuda-v0/{elements}", "actions": BOARD_ACTIONS}
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "optarena.loop_tool.blocks"],
        input=json.dumps(job),
        capture_output=True,
        text=True,
        timeout=BOARD_SECONDS,
        check=False,
    )
    seconds = time.perf_counter() - start
    try:
        result = json.loads(done.stdout)
        ratio = result["candidate"]["gflops"] / result["reference"]["gflops"]
    except (ValueError, KeyError):
        print(f"board: FAILED with code {done.returncode}: {done.stdout}{done.stderr}")
        return 1
    print(f"board: job to result in {seconds:.1f} s, ratio {ratio:.3f}")
    print(f"  {json.dumps(result)}")
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--exponents", type=int, nargs="+", default=EXPONENTS, help="of 2: sizes to time")
    parser.add_argument("--checked", type=int, nargs="+", default=CHECKED, help="sizes to check nests of")
    parser.add_argument("--board", type=int, default=BOARD_ELEMENTS, help="size of the board's block")
    options = parser.parse_args()
    try:
        real = report_machine()
    except DeviceUnavailable as error:
        raise SystemExit(str(error)) from error
    wrong = report_correctness(options.checked)
    report_schedules(options.exponents)
    failed = report_board(options.board)
    if not real:
        raise SystemExit(f"EMULATED by {STAND_IN}: the times above mean nothing; do not record them.")
    sys.exit(1 if failed or wrong else 0)


if __name__ == "__main__":
    main()
