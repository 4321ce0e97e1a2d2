"""Measures what GCC's environment adds to GCC: ``python benchmarks/gcc.py [--repeats N]``.

All that is compared is taken in turns, so that a busy machine slows both alike; medians are printed. Each
compilation is of another state, since a session keeps what it has compiled.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kit import aim, medians, show, show_steps

import optarena
from optarena.datasets import datasets
from optarena.gcc.compiling import Compiler
from optarena.gcc.options import CHOICES
from optarena.gcc.toolchain import find
from optarena.machine_code.execution import failure_of, run_object
from optarena.replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.datasets import Benchmark
    from optarena.gcc.env import GccEnv

KERNELS: Final = ("hashtable", "json", "fourier")
STEP_MS: Final = 0.2
COMPILER_MS: Final = 5.0
COMPILER_RATIO: Final = 1.05
AGAIN_MS: Final = 1.0
CONFINED_RATIO: Final = 1.03
VERIFICATION_RATIO: Final = 1.2
LONG: Final = 50


class States:
    """Different states, one after the other: ``-Oz`` and the number of a parameter that changes nothing."""

    def __init__(self) -> None:
        self._parameters = [word for word in CHOICES.options.by_word if word.startswith("--param=")]
        self._numbers = count()

    def next(self) -> tuple[str, ...]:
        first, second = divmod(next(self._numbers), len(self._parameters))
        words = {self._parameters[first].partition("=")[0]: "-Oz"}
        for word in (self._parameters[-1 - first], self._parameters[second]):
            words[word.rpartition("=")[0]] = word
        return tuple(words.values())

    def set(self, env: GccEnv) -> tuple[str, ...]:
        words = self.next()
        choices = [-1] * len(CHOICES.names)
        for word in words:
            option, choice = CHOICES.options.by_word[word]
            choices[option] = choice
        env.choices = choices
        return words


def environment(benchmark: Benchmark, *, sandbox: bool = False) -> GccEnv:
    # Without observation and reward, in an episode.
    env: Any = optarena.make("gcc-v0", benchmark=benchmark, sandbox=sandbox)
    env.reset(options={"observation_space": None, "reward_space": None})
    return env  # type: ignore[no-any-return] # GCC's environment


def steps(calls: int) -> None:
    benchmark = datasets().benchmark(f"benchmark://gcc-kernels-v0/{KERNELS[0]}")
    actions = [(5, 1), (5, 2)]
    with environment(benchmark) as env:

        def step() -> None:
            actions.reverse()
            env.step(actions[0])

        show_steps(step, calls, STEP_MS)


def compilations(name: str, repeats: int, folder: Path) -> None:
    # Compared with cc1 and as alone, and with confined sessions.
    benchmark = datasets().benchmark(f"benchmark://gcc-kernels-v0/{name}")
    alone, states = Compiler(find(), folder / name, benchmark.program()), States()
    print(f"{name}; load {os.getloadavg()[0]:.1f}", flush=True)
    with environment(benchmark) as env, environment(benchmark, sandbox=True) as confined:

        def observed(space: str, of: GccEnv) -> None:
            states.set(of)
            of.observe(space)

        functions: dict[str, Callable[[], object]] = {
            "cc1": lambda: alone.assembly(states.next()),
            "asm": partial(observed, "asm", env),
            "cc1 and as": lambda: alone.object_file(alone.assembly(states.next())),
            "obj": partial(observed, "obj", env),
            "confined": partial(observed, "obj", confined),
        }
        found = medians(functions, repeats)
        again = medians({"": lambda: env.observe("obj")}, max(repeats, 50))[""]
    for bare, space in (("cc1", "asm"), ("cc1 and as", "obj")):
        allowed = COMPILER_RATIO * found[bare] + COMPILER_MS
        show(f"  {bare} alone", found[bare])
        show(f"  {space}", found[space], aim(found[space], round(allowed, 1)))
    ratio = found["confined"] / found["obj"]
    show("  obj, confined", found["confined"], aim(ratio, CONFINED_RATIO, f"{ratio:.3f} x open; "))
    show("  obj of the same state again", again, aim(again, AGAIN_MS))


def verification(name: str, repeats: int, folder: Path) -> None:
    # Of a long command line, compared with one compilation and the workloads.
    benchmark = datasets().benchmark(f"benchmark://gcc-kernels-v0/{name}")
    words = ["-Oz", *(f"-fno-{one.name[2:]}" for one in CHOICES.options.options if one.kind == "flag")][:LONG]
    actions = CHOICES.parse(f"gcc {' '.join(words)} -c program.c -o program.o")
    compiler = Compiler(find(), folder / f"{name}-long", benchmark.program())

    def bare() -> None:
        code = compiler.object_file(compiler.assembly(words))
        for workload in benchmark.workloads:
            made = run_object(lambda: code, args=workload.args, stdin=workload.stdin)
            if failure_of(made) or made.stdout != workload.expected_stdout:
                raise RuntimeError(f"{name} prints something else.")

    def replayed() -> None:
        result = replay(environment="gcc-v0", benchmark=benchmark, actions=actions)
        if not result.ok:
            raise RuntimeError(f"{name}: {result.detail}")

    found = medians({"bare": bare, "replay": replayed}, repeats)
    show(f"{name}: one compilation and {len(benchmark.workloads)} workloads", found["bare"])
    ratio = found["replay"] / found["bare"]
    verdict = aim(ratio, VERIFICATION_RATIO, f"{ratio:.2f} x; ")
    show(f"{name}: verification of {len(actions)} options", found["replay"], verdict)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=15, help="of each compilation")
    repeats = parser.parse_args().repeats
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        steps(repeats * 50)
        for name in KERNELS:
            compilations(name, repeats, Path(folder))
        for name in KERNELS:
            verification(name, max(3, repeats // 3), Path(folder))
    print(f"{time.monotonic() - began:.0f} s; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
