"""Feature vectors and tables of a module, computed by C helpers that the engine compiles (see ``native``)."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import chain
from operator import itemgetter
from typing import Any, Final

from optarena.errors import SessionOutOfMemory
from optarena.llvm.feature_names import (
    AUTOPHASE_NAMES,
    EDGE_COLUMNS,
    IR2VEC_OPERANDS,
    IR2VEC_PREDICATES,
    IR2VEC_TYPES,
    NODE_COLUMNS,
    OPCODES,
    PROPERTY_NAMES,
    TOTAL_NAMES,
)
from optarena.llvm.module import Module, helper_address, printable_name, value_name

AUTOPHASE_SIZE: Final = len(AUTOPHASE_NAMES)

_Columns = dict[str, list[int]]
_COUNTED: Final = (*range(len(TOTAL_NAMES)), *(len(TOTAL_NAMES) + number for number in OPCODES.values()))
_PREDICATES_AT: Final = 128 + len(IR2VEC_TYPES) + len(IR2VEC_OPERANDS)
_IR2VEC: Final = (
    *OPCODES.values(),
    *range(128, _PREDICATES_AT),
    *(_PREDICATES_AT + number for number in IR2VEC_PREDICATES.values()),
)
_IR2VEC_ROW: Final = _PREDICATES_AT + max(IR2VEC_PREDICATES.values()) + 1
_OUT: Final = ctypes.POINTER(ctypes.c_int64)


class _Table(ctypes.Structure):
    _fields_ = (("values", ctypes.c_void_p), ("rows", ctypes.c_int64), ("room", ctypes.c_int64))

    def columns(self, names: tuple[str, ...]) -> _Columns:
        width = len(names)
        address = self.values
        flat = (ctypes.c_int64 * (self.rows * width)).from_address(address)[:] if address else []
        return {name: flat[column::width] for column, name in enumerate(names)}


class _Graph(ctypes.Structure):
    _fields_ = (("nodes", _Table), ("edges", _Table))


@dataclass(frozen=True, slots=True)
class Raw:
    # `places` are those of the observation among the numbers that the helper writes; None for all.
    helper: str
    length: int
    places: tuple[int, ...] | None = None

    def chosen(self, numbers: bytes) -> bytes:
        if self.places is None:
            return numbers
        all_numbers = listed(numbers)
        return struct.pack(f"<{len(self.places)}q", *(all_numbers[place] for place in self.places))


RAW: Final = {
    "Autophase": Raw("optarena_autophase", AUTOPHASE_SIZE),
    "InstCount": Raw("optarena_instcount", len(TOTAL_NAMES) + 128, _COUNTED),
    "Ir2vecCounts": Raw("optarena_ir2vec", _IR2VEC_ROW, _IR2VEC),
}


def numbers(module: Module, name: str) -> bytes:
    raw = RAW[name]
    written = (ctypes.c_int64 * raw.length)()
    _helper(raw.helper, None, _OUT)(module.handle, written)
    return raw.chosen(bytes(written))


def listed(numbers: bytes) -> list[int]:
    return memoryview(numbers).cast("q").tolist()


def function_properties(module: Module) -> tuple[list[str], _Columns]:
    helper = _helper("optarena_properties", ctypes.c_int64, _OUT)
    values = (ctypes.c_int64 * (helper(module.handle, None) * len(PROPERTY_NAMES)))()
    if helper(module.handle, values) < 0:
        raise SessionOutOfMemory("There is not enough memory for the properties of the program's functions.")
    names = [printable_name(name) for name in module.function_names()]
    width = len(PROPERTY_NAMES)
    return names, {name: values[column::width] for column, name in enumerate(PROPERTY_NAMES)}


def ir2vec_counts(module: Module) -> tuple[list[str], list[int]]:
    # The counts of one function after the other.
    helper = _helper("optarena_ir2vec_functions", ctypes.c_int64, _OUT)
    values = ((ctypes.c_int64 * _IR2VEC_ROW) * helper(module.handle, None))()
    helper(module.handle, ctypes.cast(values, _OUT))
    names = [printable_name(name) for name in module.function_names()]
    return names, [*chain.from_iterable(map(itemgetter(*_IR2VEC), values))]


def program_graph(module: Module) -> tuple[list[str], _Columns, _Columns]:
    graph = _Graph()
    free = _helper("optarena_graph_free", None, None)
    try:
        if not _helper("optarena_graph", ctypes.c_int, ctypes.POINTER(_Graph))(module.handle, graph):
            raise SessionOutOfMemory("There is not enough memory for the program's graph.")
        names = [printable_name(value_name(function)) for function in module.functions()]
        return names, graph.nodes.columns(NODE_COLUMNS), graph.edges.columns(EDGE_COLUMNS)
    finally:
        free(ctypes.byref(graph))


@lru_cache
def _helper(name: str, result: Any, out: Any) -> Callable[..., Any]:  # noqa: ANN401 - types of ctypes
    arguments = (ctypes.c_void_p,) if out is None else (ctypes.c_void_p, out)
    return ctypes.CFUNCTYPE(result, *arguments)(helper_address(name))


_POINTER: Final = ctypes.c_void_p
_Numbers = ctypes.c_uint64 * 2


class Fingerprints:
    # Two states of one module have equal fingerprints exactly if their bitcode is equal byte for byte, except
    # with a probability of 2 to the power of -64. Fingerprints of different modules must not be compared.

    def __init__(self) -> None:
        self._functions = _compiled_functions() if is_layout_known() else None
        self._memory = self._functions["new"]() if self._functions else 0
        self._numbers = _Numbers()

    def take(self, module: Module) -> tuple[int | None, int]:
        # The fingerprint is None if the module holds something that the helper does not read, such as debug
        # information or the address of another function's block; the bitcode covers these too.
        if self._functions is None:
            return None, module.instruction_count()
        complete = self._functions["take"](module.handle, self._memory, self._numbers)
        fingerprint, count = self._numbers
        return (fingerprint if complete else None), count

    @property
    def parts(self) -> tuple[int, int]:
        return helper_address("optarena_fingerprint") if self._functions else 0, self._memory

    def close(self) -> None:
        if self._functions is not None:
            self._functions["free"](self._memory)
        self._functions = None


@lru_cache(maxsize=1)
def is_layout_known() -> bool:
    # The helper reads libLLVM's structures directly.
    check = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)(helper_address("optarena_layout"))
    text = resources.files("optarena.llvm.native").joinpath("layout_program.ll").read_bytes()
    with Module.parse(text) as module:
        if check(module.handle):
            return False
    _compiled_functions()
    return True


@lru_cache(maxsize=1)
def _compiled_functions() -> dict[str, Callable[..., int]]:
    return {
        "new": ctypes.CFUNCTYPE(_POINTER)(helper_address("optarena_fingerprint_new")),
        "free": ctypes.CFUNCTYPE(None, _POINTER)(helper_address("optarena_fingerprint_free")),
        "take": ctypes.CFUNCTYPE(ctypes.c_int, _POINTER, _POINTER, _Numbers)(
            helper_address("optarena_fingerprint")
        ),
    }
