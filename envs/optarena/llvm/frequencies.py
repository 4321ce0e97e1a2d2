"""How often LLVM expects each block to run, without having seen the program run.

The C interface has no such numbers, but a pass prints them to the standard error output, which in a session's
process is a file in memory.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from optarena.errors import ServiceError
from optarena.llvm.module import linked_list, printable_name, value_name
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from optarena.llvm.module import Module

_PRINTER: Final = "print<block-freq>"
_BLOCK: Final = re.compile(rb"^ - .*: float = \S+, int = (\d+)", re.MULTILINE)
_STDERR: Final = 2


def block_frequencies(module: Module) -> dict[str, list[float]]:
    """For each defined function, how often each block runs, in their order, when it is called once."""
    llvm = library()
    found: dict[str, list[float]] = {}
    with _standard_error() as take:
        for function in module.functions():
            if llvm.IsDeclaration(function):
                continue
            module.run(_PRINTER, function)
            counts = [int(count) for count in _BLOCK.findall(take())]
            blocks = sum(1 for _ in linked_list(llvm.GetFirstBasicBlock(function), llvm.GetNextBasicBlock))
            name = printable_name(value_name(function))
            if len(counts) != blocks:
                message = f"LLVM printed {len(counts)} frequencies of the {blocks} blocks of {name}."
                raise ServiceError(message)
            found[name] = [count / counts[0] for count in counts]
    return found


@contextmanager
def _standard_error() -> Iterator[Callable[[], bytes]]:
    # Gives a function that takes what was written since the last call. A confined process can make no file.
    saved = None
    if not stat.S_ISREG(os.fstat(_STDERR).st_mode):
        saved, file = os.dup(_STDERR), os.memfd_create("frequencies")
        os.dup2(file, _STDERR)
        os.close(file)
    begin = os.fstat(_STDERR).st_size

    def take() -> bytes:
        written = os.pread(_STDERR, os.fstat(_STDERR).st_size - begin, begin)
        os.ftruncate(_STDERR, begin)
        os.lseek(_STDERR, begin, os.SEEK_SET)
        return written

    try:
        yield take
    finally:
        if saved is not None:
            os.dup2(saved, _STDERR)
            os.close(saved)
