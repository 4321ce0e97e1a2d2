"""The generator of ``synthetic-v0``, which needs only libLLVM, to parse and check the IR.

A program that takes too many steps, or that ``-Oz`` does not make smaller, is dropped, and another one is
generated from the same seed. So every member can be evaluated, run and scored.
"""

from __future__ import annotations

from typing import Final

from optarena.datasets.generated import Generated
from optarena.generators.evaluator import TooLong, evaluate
from optarena.generators.ir_writer import text_of
from optarena.generators.program_generator import grow
from optarena.generators.splitmix import SplitMix64
from optarena.llvm.module import Module, optimised, prepare
from optarena.specs.benchmark import Workload

MOST_STATEMENTS: Final = 4000
"""Steps of one run; evaluating them takes some hundredths of a second."""
_ATTEMPT_BITS: Final = 32
"""The number of the attempt is above the seed's bits."""


def generate(seed: int) -> Generated:
    """The program of a seed, with its output.

    Args:
        seed: From 0 to 2**32 - 1.

    Raises:
        PlatformNotSupported: LLVM does not run on this machine.
    """
    attempt = -1
    while True:
        attempt += 1
        tree = grow(SplitMix64(seed | attempt << _ATTEMPT_BITS))
        try:
            printed = evaluate(tree, MOST_STATEMENTS)
        except TooLong:
            continue
        program = prepare(_without_names(text_of(tree)))
        if _can_be_optimised(program):
            return Generated(program=program, workloads=(Workload(name="default", expected_stdout=printed),))


def _without_names(text: str) -> bytes:
    """Bitcode in which local values have no names, as from a front end that drops them."""
    with Module.parse(text.encode()) as named:
        bitcode = named.bitcode()
    with Module.parse(bitcode, discard_names=True) as module:
        return module.bitcode()


def _can_be_optimised(program: bytes) -> bool:
    with Module.parse(program) as before, optimised(program, "Oz") as after:
        return after.instruction_count() < before.instruction_count()
