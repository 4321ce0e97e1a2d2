"""Times the GPU kernels environment without a GPU: ``python benchmarks/gpu_kernels.py``; two minutes.

The report has: a step without ptxas, with ptxas, and with a state that was assembled before; what LLVM, ptxas
and nvdisasm take by themselves; the check of every kernel on the CPU; and what random passes make of the
static cost, compared with -O3.
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial

import optarena
from optarena.datasets import datasets
from optarena.gpu_kernels import emulation, engine, pinned, programs, ptxas
from optarena.gpu_kernels.actions import PIPELINES, REFERENCE_LEVEL
from optarena.gpu_kernels.features import thread_bytes

DATASET = "gpu-kernels-v1"
STEPS = 40
REPEATS = 5
SEQUENCES = 24
GOAL_OF_CHECKS = 10.0  # seconds for all kernels together


def took(work: Callable[[], object], repeats: int = REPEATS) -> float:
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def kernels() -> Iterator[tuple[str, programs.KernelProgram]]:
    for benchmark in datasets()[DATASET]:
        yield benchmark.name, programs.parse(benchmark.program())


def steps(name: str, observation: str | None, *, repeated: bool = False) -> float:
    # Milliseconds, the median of random steps. Where `repeated`, they alternate between two levels of ptxas,
    # so that each was assembled before.
    drawn = random.Random(name)  # noqa: S311 # nothing secret
    with optarena.make("gpu-kernels-v0", benchmark=f"{DATASET}/{name}", reward_space=None) as env:
        env.reset(options={"observation_space": observation})
        found = []
        for step in range(STEPS):
            action = len(PIPELINES) + 2 + step % 2 if repeated else drawn.randrange(len(PIPELINES))
            start = time.perf_counter()
            env.step(action)
            found.append(1e3 * (time.perf_counter() - start))
    return statistics.median(found)


def report_steps() -> None:
    print("a step, in ms, the median of random ones")
    print(f"  {'kernel':18}{'IR only':>10}{'with PTX':>10}{'with ptxas':>12}{'seen before':>13}")
    for name in ("vector-add", "matrix-product", "small-inverses"):
        cells = steps(name, "ir_instructions"), steps(name, "ptx"), steps(name, "features")
        again = steps(name, "features", repeated=True)
        print(f"  {name:18}{cells[0]:10.2f}{cells[1]:10.2f}{cells[2]:12.2f}{again:13.2f}")


def report_tools() -> None:
    print("each tool by itself, in ms: -O3 of LLVM, PTX, ptxas -O3, ptxas -O0, nvdisasm")
    for name, program in kernels():
        print(f"  {name:18}", *(f"{1e3 * one:9.1f}" for one in tool_times(program)))


def tool_times(program: programs.KernelProgram) -> list[float]:
    module = engine.KernelModule(program.ir)
    start = time.perf_counter()
    module.run("default<O3>")
    cells = [time.perf_counter() - start, took(module.ptx)]
    ptx, name = module.ptx(), program.kernel
    cells += [took(partial(ptxas.assemble, ptx, name, level)) for level in (3, 0)]
    cubin = ptxas.assemble(ptx, name, REFERENCE_LEVEL).cubin
    return [*cells, took(partial(ptxas.disassemble, cubin), 1)]


def report_checks() -> None:
    print("the check on the CPU, in s: two sizes, three orders of threads, compiling included")
    total = 0.0
    for name, program in kernels():

        def check(program: programs.KernelProgram = program) -> None:
            emulated = emulation.Emulated(program.ir, program.kernel)
            for case in ("odd", "even"):
                emulated.outputs(program.case(case))
            emulated.close()

        seconds = took(check, 3)
        total += seconds
        print(f"  {name:18}{seconds:8.3f}")
    verdict = "met" if total <= GOAL_OF_CHECKS else "MISSED"
    print(f"  {'all':18}{total:8.3f}  goal <= {GOAL_OF_CHECKS:g}: {verdict}")


def report_costs() -> None:
    print(f"bytes of registers and local memory of a thread, after {SEQUENCES} random sequences of passes")
    names = ("given", "-O3", "least", "median", "most")
    print(f"  {'kernel':18}", *(f"{name:>7}" for name in names), f"{'below -O3':>12}{'spilled':>9}")
    for name, program in kernels():
        drawn = random.Random(f"costs {name}")  # noqa: S311 # nothing secret
        found, spilled = [], 0
        for number in range(SEQUENCES + 2):
            module = engine.KernelModule(program.ir)
            if number == 1:
                module.run("default<O3>")
            for _ in range(drawn.randint(5, 40) if number > 1 else 0):
                module.run(drawn.choice(PIPELINES))
            assembled = ptxas.assemble(module.ptx(), program.kernel, REFERENCE_LEVEL)
            module.close()
            found.append(thread_bytes(assembled))
            spilled += assembled.spill_bytes > 0
        given, reference, *others = found
        below = sum(one < reference for one in others)
        print(
            f"  {name:18}{given:8}{reference:8}{min(others):8}{statistics.median(others):8g}{max(others):8}"
            f"{below:10}/{SEQUENCES}{spilled:9}"
        )


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    print(f"{platform.machine()}, Python {platform.python_version()}: {pinned.COMPILER}")
    report_steps()
    report_tools()
    report_checks()
    report_costs()


if __name__ == "__main__":
    main()
