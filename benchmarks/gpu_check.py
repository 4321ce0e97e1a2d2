"""Checks and times GPU kernels on a GPU: ``python benchmarks/gpu_check.py [--quick]``.

The report has the device; for each kernel as given, at -O0 to -O3 and after random sequences of passes,
whether its output is right, its cold and warm time with the interval of 95 %, and the shares of the speeds of
a copy of as many bytes and of as many operations in registers; counters, or why there are none; what a search
finds beyond -O3; and a block as the board measures it. The exit code is 1 if an output is wrong or no GPU is
usable. Not yet run on a device.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import optarena
from optarena.cuda.variables import STAND_IN
from optarena.datasets import datasets
from optarena.errors import CountersUnavailable, DeviceUnavailable, ServiceError
from optarena.gpu_kernels import device_jobs, programs
from optarena.gpu_kernels.actions import PASSES, PIPELINES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.env import CompilerEnv

DATASET = "gpu-kernels-v0"
SEED = 23
MOST_PASSES = 40
SEARCH_SECONDS = 600.0
PAIRS = 2
REASONS = 5
"""Of stalls, the most frequent ones, that are printed."""
IS_EMULATED = bool(os.environ.get(STAND_IN, "").strip())
"""On a stand-in, small cases and IR take the place of large ones and of machine code: to test this script."""
CASE = "odd" if IS_EMULATED else programs.TIMED


def names(only: Sequence[str]) -> list[str]:
    """The kernels to check."""
    return [one.name for one in datasets()[DATASET] if not only or one.name in only]


def code(env: CompilerEnv) -> bytes:
    """What the device loads."""
    if IS_EMULATED:
        return programs.parse(env.observation["ir"].encode()).ir.encode()
    return bytes(env.observation["cubin"])


def variants(env: CompilerEnv, count: int) -> Iterator[tuple[str, bytes]]:
    """The kernel of an environment in all forms to check, by name."""
    uri = env.benchmark.uri
    env.reset()
    yield "as given", code(env)
    with optarena.make("gpu-levels-v0", benchmark=uri, reward_space=None) as levels:
        levels.reset()
        for level in levels.action_table.names:
            levels.step(levels.action_table.names.index(level))
            yield level, code(levels)
    if not IS_EMULATED:
        yield "-O3", bytes(env.observation["reference_cubin"])
    drawn = random.Random(f"{SEED} {uri}")  # noqa: S311 # nothing secret
    for number in range(count):
        env.reset()
        env.multistep([drawn.randrange(len(PIPELINES)) for _ in range(drawn.randint(3, MOST_PASSES))])
        yield f"random {number}", code(env)


def line(name: str, answer: dict[str, Any]) -> str:
    """A row: microseconds with the half interval in per cent, and the shares of the references' speeds."""
    cells = []
    for temperature in ("cold", "warm"):
        reading = answer[temperature]
        median, span = reading["median_seconds"], reading["interval_seconds"]
        spread = "  ?  " if span is None else f"{100 * (span[1] - span[0]) / (2 * median):4.1f}%"
        mark = "!" if reading["throttled"] else " "
        shares = " ".join(share(answer[one], temperature, median) for one in ("copy", "computing"))
        cells.append(
            f"{1e6 * median:11.2f} us ±{spread}{mark} {shares} {reading['flops_per_second'] / 1e9:9.1f}"
        )
    return f"  {name:14}{' '.join(cells)}  right"


def share(reference: dict[str, float] | None, temperature: str, median: float) -> str:
    """The speed as a share of a reference's; a dash for a kernel that computes nothing."""
    return "     -" if reference is None else f"{reference[temperature] / median:6.3f}"


def report_kernel(name: str, count: int) -> int:
    """Check and time one kernel in all its forms; the number of wrong ones."""
    wrong = 0
    print(f"{name}: form, then cold and warm: time, interval, shares of copy and of computing, GFLOP/s")
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None) as env:
        env.reset()
        program = programs.parse(env.benchmark.program())
        for form, machine_code in variants(env, count):
            job = device_jobs.job(program.kernel, program.case(CASE), machine_code)
            try:
                print(line(form, device_jobs.run(job)), flush=True)
            except DeviceUnavailable:
                raise
            except ServiceError as error:
                wrong += 1
                print(f"  {form:14}WRONG: {type(error).__name__}: {error}", flush=True)
    return wrong


def report_search(name: str, seconds: float) -> None:
    """Change a sequence again and again, and keep what is faster beside -O3 on the device."""
    drawn = random.Random(f"{SEED} search {name}")  # noqa: S311 # nothing secret
    best, tried = 0.0, 0
    kept: list[int] = []
    ends = time.monotonic() + seconds
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None) as env:
        env.reset()
        program = programs.parse(env.benchmark.program())
        reference = code(env) if IS_EMULATED else bytes(env.observation["reference_cubin"])
        while time.monotonic() < ends:
            actions = changed(kept, drawn)
            env.reset()
            env.multistep(actions)
            if env.error is not None:
                continue
            job = device_jobs.job(
                program.kernel, program.case(CASE), code(env), reference=reference, pairs=PAIRS
            )
            try:
                ratio = sum(device_jobs.run(job)["pairs"]) / PAIRS
            except ServiceError as error:
                print(f"  {name}: {PASSES.commandline(actions)}: {type(error).__name__}: {error}")
                continue
            tried += 1
            if ratio > best:
                best, kept = ratio, actions
    print(f"  {name:18}{tried:5} tried, best {best:6.3f} of -O3: {PASSES.commandline(kept)}", flush=True)


def changed(actions: Sequence[int], drawn: random.Random) -> list[int]:
    """A sequence beside another one, or a new one."""
    found = list(actions)
    if not found or drawn.random() < 1 / 4:
        return [drawn.randrange(len(PASSES.names)) for _ in range(drawn.randint(3, MOST_PASSES))]
    for _ in range(drawn.randint(1, 3)):
        if drawn.random() < 1 / 3 and len(found) > 1:
            del found[drawn.randrange(len(found))]
        else:
            found.insert(drawn.randint(0, len(found)), drawn.randrange(len(PASSES.names)))
    return found


def report_counters(chosen: Sequence[str]) -> None:
    """Print samples of each kernel as given by the reasons of stalls, or why there are none."""
    for name in chosen:
        with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None) as env:
            env.reset()
            program = programs.parse(env.benchmark.program())
            job = device_jobs.job(program.kernel, program.case(CASE), code(env), sampled=True)
        try:
            found = device_jobs.counters(job)
        except CountersUnavailable as error:
            print(f"counters: none, reason {error.reason}. {error}")
            return
        shares = sorted(found["reasons"].items(), key=lambda one: -one[1])[:REASONS]
        told = ", ".join(f"{reason} {samples}" for reason, samples in shares)
        print(f"  {name:18}{found['samples']:9} samples, {found['dropped']} dropped: {told}", flush=True)


def report_device() -> None:
    """Print the device, by the first job.

    Raises:
        DeviceUnavailable: There is none.
    """
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/vector-add", reward_space=None) as env:
        env.reset()
        program = programs.parse(env.benchmark.program())
        machine = device_jobs.run(device_jobs.job(program.kernel, program.case(CASE), code(env)))["machine"]
    print("machine")
    for key, value in machine.items():
        print(f"  {key:24}{value}")


def report_block() -> None:
    """Print a block as the board measures it."""
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/stencil", reward_space=None) as env:
        env.reset()
        program = programs.parse(env.benchmark.program())
        given = code(env)
        reference = given if IS_EMULATED else bytes(env.observation["reference_cubin"])
    start = time.perf_counter()
    job = device_jobs.job(program.kernel, program.case(CASE), given, reference=reference, pairs=PAIRS)
    answer = device_jobs.run(job)
    print(f"a block of the board: {time.perf_counter() - start:.1f} s, pairs {answer['pairs']}")


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="3 random sequences, 20 s of search")
    parser.add_argument("--kernels", nargs="*", default=(), help="only these kernels")
    parser.add_argument("--search", type=float, help="seconds of search for each kernel; 600 by default")
    options = parser.parse_args()
    chosen, wrong = names(options.kernels), 0
    seconds = options.search if options.search is not None else 20.0 if options.quick else SEARCH_SECONDS
    try:
        report_device()
        report_counters(chosen)
        for name in chosen:
            wrong += report_kernel(name, 3 if options.quick else 20)
        print("search beyond -O3")
        for name in chosen:
            report_search(name, seconds)
        report_block()
    except DeviceUnavailable as error:
        raise SystemExit(str(error)) from error
    print(f"{wrong} wrong outputs")
    if IS_EMULATED:
        raise SystemExit(f"EMULATED by {STAND_IN}: the times above mean nothing.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
