"""Programs of about the sizes with which CompilerGym was measured, built from kernels-v0, always the same.

Small programs are kernels without some of their functions, large ones are several kernels in one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from optarena.datasets import datasets
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator

SIZES: Final = (242, 675, 6117, 10805)
"""Instructions of the programs that CompilerGym's figures were measured with."""

_CLOSE: Final = 1.03
_DEFINITION: Final = re.compile(r"^define .*?^}\n", re.MULTILINE | re.DOTALL)
_LINKAGE: Final = re.compile(r"\b(internal|private|dso_local|local_unnamed_addr|unnamed_addr) ")


def sized_programs(sizes: tuple[int, ...] = SIZES) -> dict[int, bytes]:
    """A program, as bitcode, for each of the sizes, by its number of instructions."""
    kernels = [benchmark.program() for benchmark in datasets()["kernels-v0"]]
    found = {}
    for size in sizes:
        with Module.parse(_reduced(kernels, size)) as module:
            found[module.instruction_count()] = module.bitcode()
    return found


def _reduced(kernels: list[bytes], size: int) -> bytes:
    """Kernels in one program, without some functions of the last one, to reach the size."""
    with Module.parse(kernels[0]) as module:
        for number, kernel in enumerate(kernels[1:], start=1):
            if module.instruction_count() >= size:
                break
            with Module.parse(kernel) as other:
                module.link(other.text().replace("@main(", f"@main{number}(").encode())
        text, count = module.text(), module.instruction_count()
    for definition in _definitions(text):
        with Module.parse(text.replace(definition, _declaration(definition)).encode()) as smaller:
            if smaller.instruction_count() >= size:
                text, count = smaller.text(), smaller.instruction_count()
        if count <= size * _CLOSE:
            break
    return text.encode()


def _definitions(text: str) -> Iterator[str]:
    yield from (match[0] for match in reversed(list(_DEFINITION.finditer(text))))


def _declaration(definition: str) -> str:
    head = definition.partition("\n")[0]
    return _LINKAGE.sub("", head.replace("define", "declare", 1)).removesuffix(" {") + "\n"
