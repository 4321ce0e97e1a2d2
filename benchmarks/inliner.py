"""Measures an episode of `llvm-inliner-v0` beside a bare run of `default<Oz>`, which makes the same program.

    python benchmarks/inliner.py [--repeats N]

All are timed in turns, and medians count. Aim, by the clock: at most 1.5 times the bare run, and 20 us a
decision. It says something only where two cores are free. So the CPU time of this process, its zygote and the
session is printed, too, which is longer: while one process works, the other one looks for its message without
sleeping. The scheduler's own count is read: ``/proc/PID/stat`` has hundredths of a second.
"""

from __future__ import annotations

import argparse
import os
import statistics
from collections.abc import Callable
from pathlib import Path

from kit import aim, milliseconds, show

from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.llvm.inliner.columns import DEFAULT
from optarena.llvm.inliner_session import Dialogue, prepare
from optarena.llvm.module import Module, compile_helpers, optimised

PROGRAMS = ("kernels-v0/json", "programs-v0/qoi", "programs-v0/argon2", "programs-v0/h3", "programs-v0/cmark")
MOST_TIMES, MOST = 1.5, 20.0


def spent(pid: int) -> dict[int, float]:
    """The CPU milliseconds of a process and of those below it."""
    found: dict[int, float] = {}
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        found[pid] = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6
        below = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:  # the session of an earlier episode has just ended
        return {}
    for child in below:
        found |= spent(child)
    return found


def timed(function: Callable[[], object]) -> tuple[float, float]:
    """The milliseconds of a call: CPU time, and by the clock."""
    before = spent(os.getpid())
    clock = milliseconds(function)
    return sum(after - before.get(pid, 0.0) for pid, after in spent(os.getpid()).items()), clock


def bare(program: bytes) -> int:
    with optimised(program, "Oz") as module:
        return module.instruction_count()


def asked(program: bytes) -> tuple[int, int]:
    calls = 0
    with Module.parse(program) as module:
        run = Dialogue(module, "default<Oz>")
        while not run.has_ended:
            run.answer(run.advice)
            calls += 1
        return calls, module.instruction_count()


def main() -> None:
    """Measure each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeats", type=int, default=20)
    repeats = parser.parse_args().repeats
    compile_helpers()
    prepare()
    for name in PROGRAMS:
        benchmark = datasets().benchmark(f"benchmark://{name}")
        calls, count = asked(benchmark.program())
        if count != bare(benchmark.program()):
            raise SystemExit(f"{name}: another program than that of -Oz")
        print(f"{name}: {calls} decisions, {count} instructions; load {os.getloadavg()[0]:.1f}")
        measure(benchmark, calls, repeats)


def measure(benchmark: Benchmark, calls: int, repeats: int) -> None:
    """Run each way in turns."""
    program, actions = benchmark.program(), [DEFAULT] * calls
    taken: dict[str, list[tuple[float, float]]] = {}
    with CompilerEnv("llvm-inliner-v0", benchmark=benchmark) as env:
        ways: dict[str, Callable[[], object]] = {
            "bare": lambda: bare(program),
            "the inliner asks": lambda: asked(program),
            "multistep()": lambda: env.multistep(actions),
            "step()": lambda: [env.step(one) for one in actions],
        }
        for _ in range(repeats):
            for way, run in ways.items():
                env.reset(options={"observation_space": None, "reward_space": None})
                taken.setdefault(way, []).append(timed(run))
    medians = {
        way: [statistics.median(times) for times in zip(*found, strict=True)] for way, found in taken.items()
    }
    alone_cpu, alone = medians.pop("bare")
    for way, (cpu, waited) in medians.items():
        over, beyond = ((waited - times * alone) / calls * 1000 for times in (MOST_TIMES, 1))
        ratio = f"{waited / alone:.2f} times the bare run of {alone:.1f} ms, {cpu / alone_cpu:.2f} by CPU"
        show(way, waited, f"{ratio}; {beyond:.0f} us a decision; beyond 1.5 times: {aim(over, MOST)}")


if __name__ == "__main__":
    main()
