"""Measures an episode of `llvm-inliner-v0` beside a bare run of `default<Oz>`, which makes the same program.

    python benchmarks/inliner.py [--repeats N]

All are timed in turns, by the CPU time of this process and its children, so that a busy machine matters less.
Within the engine the shortest time counts. The kernel counts the children's in hundredths of a second, so of
episodes the mean counts. Aim: at most 1.5 times the bare run, and 20 us a decision.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import TYPE_CHECKING

from kit import aim, show

from optarena.agents.searching import cpu_seconds
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.llvm.inliner import dialogue
from optarena.llvm.inliner.columns import DEFAULT
from optarena.llvm.module import Module, compile_helpers, optimised

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.datasets import Benchmark

PROGRAMS = ("kernels-v0/json", "programs-v0/qoi", "programs-v0/argon2", "programs-v0/h3", "programs-v0/cmark")
MOST_TIMES, MOST = 1.5, 20.0


def cpu_milliseconds(function: Callable[[], object]) -> float:
    start = time.process_time()
    function()
    return (time.process_time() - start) * 1000


def bare(program: bytes) -> int:
    with optimised(program, "Oz") as module:
        return module.instruction_count()


def asked(program: bytes) -> tuple[int, int]:
    calls = 0
    with Module.parse(program) as module:
        run = dialogue.Dialogue(module, "default<Oz>")
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
    dialogue.prepare()
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
    taken: dict[str, list[float]] = {"bare": [], "asked": [], "multistep()": [], "step()": []}
    with CompilerEnv("llvm-inliner-v0", benchmark=benchmark) as env:
        ways: dict[str, Callable[[], object]] = {
            "multistep()": lambda: env.multistep(actions),
            "step()": lambda: [env.step(one) for one in actions],
        }
        for _ in range(repeats):
            taken["bare"].append(cpu_milliseconds(lambda: bare(program)))
            taken["asked"].append(cpu_milliseconds(lambda: asked(program)))
            for way, run in ways.items():
                env.reset(options={"observation_space": None, "reward_space": None})
                before = cpu_seconds()
                run()
                taken[way].append((cpu_seconds() - before) * 1000)
    compare("the inliner asks", min(taken["asked"]), min(taken["bare"]), calls)
    for way in ways:
        compare(way, statistics.fmean(taken[way]), statistics.fmean(taken["bare"]), calls)


def compare(way: str, milliseconds: float, alone: float, calls: int) -> None:
    """Print how much longer than the bare run one way took."""
    over = (milliseconds - MOST_TIMES * alone) / calls * 1000
    beyond = (milliseconds - alone) / calls * 1000
    ratio = f"{milliseconds / alone:.2f} times the bare run of {alone:.1f} ms"
    show(way, milliseconds, f"{ratio}, or {beyond:.0f} us a decision; beyond 1.5 times: {aim(over, MOST)}")


if __name__ == "__main__":
    main()
