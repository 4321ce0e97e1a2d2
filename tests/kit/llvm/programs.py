"""Programs on which feature helpers are compared with their references."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import optarena
from optarena.llvm.module import Module
from tests.kit.folders import ROOT

DATA: Final = ROOT / "tests/envs/llvm/data"
FRONT_END: Final = ("--target=x86_64-unknown-linux-gnu", "-Xclang", "-disable-llvm-passes", "-emit-llvm")
"""What makes clang give a program as benchmarks are: for the machine of all replays, unoptimised."""
KERNELS: Final = Path(optarena.__file__).parent / "datasets/builtin/kernels-v0"
OPCODES: Final = (DATA / "features/opcodes.ll").read_bytes()
EMPTY: Final = b'target triple = "x86_64-unknown-linux-gnu"\n'
PIPELINES: Final = (
    "function(mem2reg,loop(loop-rotate))",
    "default<O3>",
    "function(break-crit-edges,reg2mem)",
    "cgscc(inline),function(sroa,jump-threading,loop-unroll<O3>)",
    "default<Oz>,function(lower-switch,structurizecfg)",
)


def states() -> Iterator[tuple[str, Module]]:
    """Every kernel before and after passes, and the programs made for tests."""
    for name, program in _states().items():
        with Module.parse(program) as module:
            yield name, module


@cache
def _states() -> dict[str, bytes]:
    states = {"opcodes": OPCODES, "empty": EMPTY, "random": random_program()}
    for index, path in enumerate(sorted(KERNELS.glob("*.bc"))):
        states[path.stem] = path.read_bytes()
        pipeline = PIPELINES[index % len(PIPELINES)]
        with Module.parse(states[path.stem]) as module:
            module.run(pipeline)
            states[f"{path.stem} after {pipeline}"] = module.bitcode()
    return states


@cache
def random_program() -> bytes:
    """Functions of any control flow: unreachable blocks, loops with several entries, endless ones."""
    chance = random.Random(20)  # noqa: S311 - programs, no secrets
    functions = [_random_function(number, chance) for number in range(150)]
    return b"\n".join([EMPTY, b"declare void @g()", *functions])


def _random_function(number: int, chance: random.Random) -> bytes:
    size = chance.randint(1, 9)
    linkage = chance.choice(["", "internal "])
    lines = [f"define {linkage}i32 @f{number}(i32 %x, i1 %c, ptr %p) {{"]
    for block in range(size):
        lines.append(f"b{block}:")
        lines += [_random_instruction(f"v{block}.{i}", chance) for i in range(chance.randint(0, 3))]
        lines.append(_random_terminator(size, chance))
    return "\n".join([*lines, "}"]).encode()


def _random_instruction(name: str, chance: random.Random) -> str:
    return chance.choice(
        [
            f"  %{name} = add i32 %x, {chance.randint(0, 2)}",
            f"  %{name} = load i32, ptr %p",
            f"  %{name} = call i32 @f{chance.randint(0, 149)}(i32 1, i1 %c, ptr %p)",
            f"  %{name} = call i32 %p(ptr @f{chance.randint(0, 149)})",
            "  call void @g()",
        ]
    )


def _random_terminator(size: int, chance: random.Random) -> str:
    if size == 1 or chance.random() < 1 / size:
        return chance.choice(["  ret i32 %x", "  unreachable"])
    targets = [f"label %b{chance.randint(1, size - 1)}" for _ in range(3)]
    return chance.choice(
        [
            f"  br {targets[0]}",
            f"  br i1 %c, {targets[0]}, {targets[1]}",
            f"  switch i32 %x, {targets[0]} [ i32 7, {targets[1]} i32 -8, {targets[2]} ]",
        ]
    )
