"""Finds the loops and calls of a module, by C helpers (``native/loops.c`` and ``native/call_sites.c``).

Rows are numbered anew in each state: a transformation adds and removes loops, which shifts later rows.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from optarena.llvm.loops.columns import CALL_SITE_COLUMNS, LOOP_COLUMNS
from optarena.llvm.module import Module, helper_address, printable_name

_LOOP_WIDTH: Final = len(LOOP_COLUMNS)
_CALL_WIDTH: Final = len(CALL_SITE_COLUMNS)
_FUNCTION: Final = LOOP_COLUMNS.index("function")
_HEADER: Final = LOOP_COLUMNS.index("header")
_CALLER: Final = CALL_SITE_COLUMNS.index("caller")
_BLOCK: Final = CALL_SITE_COLUMNS.index("block")
_POSITION: Final = CALL_SITE_COLUMNS.index("position")
_CALLEE: Final = CALL_SITE_COLUMNS.index("callee")
_HANDLE: Final = ctypes.c_void_p
_WORDS: Final = ctypes.POINTER(ctypes.c_int64)


@dataclass(frozen=True, slots=True)
class Latch:
    # A back edge. `terminator` is the instruction that jumps, at which LLVM keeps the loop's metadata.
    loop: int
    terminator: int


@dataclass(frozen=True, slots=True)
class CallSite:
    # `instruction` is the call, an LLVMValueRef.
    instruction: int
    row: tuple[int, ...]


def loop_rows(module: Module, rows: int) -> list[int]:
    # One row after the other, padded with zeros.
    memory, _ = _loop_memory(module)
    table = (ctypes.c_int64 * (rows * _LOOP_WIDTH))()
    _find_loops()(module.handle, memory, table, rows, None)
    return list(table)


def latches(module: Module) -> list[Latch]:
    memory, edges = _loop_memory(module)
    pairs = (ctypes.c_int64 * (2 * edges + 2))()
    _find_loops()(module.handle, memory, None, 0, pairs)
    found = []
    for loop, terminator in zip(pairs[::2], pairs[1::2], strict=True):
        if not terminator:
            break
        found.append(Latch(loop, terminator))
    return found


def call_sites(module: Module, rows: int | None = None) -> list[CallSite]:
    memory = (ctypes.c_int64 * _bound("optarena_call_sites_memory", _HANDLE)(module.handle))()
    find = _bound("optarena_call_sites", _HANDLE, _WORDS, _WORDS, ctypes.c_int64, _WORDS)
    if rows is None:
        rows = find(module.handle, memory, None, 0, None)
    table, calls = (ctypes.c_int64 * (rows * _CALL_WIDTH))(), (ctypes.c_int64 * rows)()
    count = find(module.handle, memory, table, rows, calls)
    found = zip(calls, zip(*[iter(table)] * _CALL_WIDTH, strict=True), strict=True)
    return [CallSite(instruction, row) for instruction, row in found][:count]


def call_site_rows(module: Module, rows: int) -> list[int]:
    found = [value for site in call_sites(module, rows) for value in site.row]
    return found + [0] * (rows * _CALL_WIDTH - len(found))


def loop_names(module: Module) -> list[str]:
    # The header is its block's number.
    names = _names(module)
    memory, _ = _loop_memory(module)
    count = _find_loops()(module.handle, memory, None, 0, None)
    table = loop_rows(module, count)
    functions, headers = table[_FUNCTION::_LOOP_WIDTH], table[_HEADER::_LOOP_WIDTH]
    return [f"{names[function]}:{header}" for function, header in zip(functions, headers, strict=True)]


def call_site_names(module: Module) -> list[str]:
    names = _names(module)
    return [
        f"{names[row[_CALLER]]}:{row[_BLOCK]}:{row[_POSITION]}->{names[row[_CALLEE]]}"
        for row in (site.row for site in call_sites(module))
    ]


def _names(module: Module) -> list[str]:
    return [printable_name(name) for name in module.function_names()]


def _loop_memory(module: Module) -> tuple[ctypes.Array[ctypes.c_int64], int]:
    # Memory for the helper, and the largest number of back edges that the module can have.
    edges = ctypes.c_int64()
    words = _bound("optarena_loops_memory", _HANDLE, _WORDS)(module.handle, ctypes.byref(edges))
    return (ctypes.c_int64 * words)(), edges.value


def _find_loops() -> Callable[..., Any]:
    return _bound("optarena_loops", _HANDLE, _WORDS, _WORDS, ctypes.c_int64, _WORDS)


@lru_cache(maxsize=8)
def _bound(name: str, *arguments: Any) -> Callable[..., Any]:  # noqa: ANN401 # types of ctypes
    return ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)(helper_address(name))
