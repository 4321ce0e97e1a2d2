"""Feature vectors and tables of a module, computed by C helpers that the engine compiles (see ``native``)."""

from __future__ import annotations

import ctypes
import struct
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import SessionOutOfMemory
from optarena.llvm import helpers
from optarena.llvm import module as module_module
from optarena.llvm.feature_names import (
    AUTOPHASE_NAMES,
    EDGE_COLUMNS,
    NODE_COLUMNS,
    OPCODES,
    PROPERTY_NAMES,
    TOTAL_NAMES,
)
from optarena.llvm.module import Module
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["AUTOPHASE_NAMES", "autophase", "function_properties", "instcount", "program_graph"]

AUTOPHASE_SIZE: Final = len(AUTOPHASE_NAMES)

_Columns = dict[str, list[int]]
_Autophase = ctypes.c_int64 * AUTOPHASE_SIZE
_Counts = ctypes.c_int64 * (len(TOTAL_NAMES) + 128)
_COUNTED: Final = (*range(len(TOTAL_NAMES)), *(len(TOTAL_NAMES) + number for number in OPCODES.values()))
_Counted = ctypes.c_int64 * len(_COUNTED)
_OUT: Final = ctypes.POINTER(ctypes.c_int64)


class _Table(ctypes.Structure):
    """Rows of integers, one row after another."""

    _fields_ = (("values", ctypes.c_void_p), ("rows", ctypes.c_int64), ("room", ctypes.c_int64))

    def columns(self, names: tuple[str, ...]) -> _Columns:
        """The columns by name."""
        width = len(names)
        address = self.values
        flat = (ctypes.c_int64 * (self.rows * width)).from_address(address)[:] if address else []
        return {name: flat[column::width] for column, name in enumerate(names)}


class _Graph(ctypes.Structure):
    _fields_ = (("nodes", _Table), ("edges", _Table))


def autophase(module: Module) -> list[int]:
    """The 56 features of Autophase, in the order of ``AUTOPHASE_NAMES``."""
    return listed(autophase_numbers(module))


def autophase_numbers(module: Module) -> bytes:
    """The same as integers of 64 bits, one after the other."""
    vector = _Autophase()
    _helper("optarena_autophase", None, _OUT)(module.handle, vector)
    return bytes(vector)


def instcount(module: Module) -> list[int]:
    """The 71 counts of ``InstCount``, in the order of ``feature_names.INSTCOUNT_NAMES``."""
    counts = _Counts()
    _helper("optarena_instcount", None, _OUT)(module.handle, counts)
    return [counts[place] for place in _COUNTED]


def instcount_numbers(module: Module) -> bytes:
    """The same as integers of 64 bits, one after the other."""
    return bytes(_Counted(*instcount(module)))


@dataclass(frozen=True, slots=True)
class Raw:
    """What a helper writes for an observation.

    Attributes:
        helper: Its name; it takes a module, and the place to write to.
        length: How many integers of 64 bits it writes.
        places: The places of those that are the observation; None for all of them.
    """

    helper: str
    length: int
    places: tuple[int, ...] | None = None

    def chosen(self, numbers: bytes) -> bytes:
        """The observation, from all numbers that the helper writes."""
        if self.places is None:
            return numbers
        all_numbers = listed(numbers)
        return struct.pack(f"<{len(self.places)}q", *(all_numbers[place] for place in self.places))


RAW: Final = {
    "Autophase": Raw("optarena_autophase", AUTOPHASE_SIZE),
    "InstCount": Raw("optarena_instcount", len(_Counts()), _COUNTED),
}
"""The observations that are what a helper writes, by name."""


def listed(numbers: bytes) -> list[int]:
    """Integers of 64 bits, one after the other, as a list."""
    return memoryview(numbers).cast("q").tolist()


def function_properties(module: Module) -> tuple[list[str], _Columns]:
    """The properties of each defined function.

    Returns:
        The names of the functions in the module's order, and a column for each of ``PROPERTY_NAMES`` with
        one value for each function.

    Raises:
        SessionOutOfMemory: There is not enough memory.
    """
    helper = _helper("optarena_properties", ctypes.c_int64, _OUT)
    values = (ctypes.c_int64 * (helper(module.handle, None) * len(PROPERTY_NAMES)))()
    if helper(module.handle, values) < 0:
        raise SessionOutOfMemory("There is not enough memory for the properties of the program's functions.")
    names = [name for name, is_defined in _functions(module) if is_defined]
    width = len(PROPERTY_NAMES)
    return names, {name: values[column::width] for column, name in enumerate(PROPERTY_NAMES)}


def program_graph(module: Module) -> tuple[list[str], _Columns, _Columns]:
    """The graph of a program, as ``optarena.llvm.observations`` describes it.

    Returns:
        The names of all functions in the module's order, then the columns of nodes and those of edges.

    Raises:
        SessionOutOfMemory: There is not enough memory.
    """
    graph = _Graph()
    free = _helper("optarena_graph_free", None, None)
    try:
        if not _helper("optarena_graph", ctypes.c_int, ctypes.POINTER(_Graph))(module.handle, graph):
            raise SessionOutOfMemory("There is not enough memory for the program's graph.")
        names = [name for name, _ in _functions(module)]
        return names, graph.nodes.columns(NODE_COLUMNS), graph.edges.columns(EDGE_COLUMNS)
    finally:
        free(ctypes.byref(graph))


def _functions(module: Module) -> Iterator[tuple[str, bool]]:
    """The name of each function, and whether it is defined; characters that are not ASCII are escaped."""
    llvm = library()
    function, length = llvm.GetFirstFunction(module.handle), ctypes.c_size_t()
    while function:
        raw = ctypes.string_at(llvm.GetValueName2(function, ctypes.byref(length)), length.value)
        yield module_module.name(raw), not llvm.IsDeclaration(function)
        function = llvm.GetNextFunction(function)


@lru_cache
def _helper(name: str, result: Any, out: Any) -> Callable[..., Any]:  # noqa: ANN401 - types of ctypes
    arguments = (ctypes.c_void_p,) if out is None else (ctypes.c_void_p, out)
    return ctypes.CFUNCTYPE(result, *arguments)(helpers.address(name))


_POINTER: Final = ctypes.c_void_p
_Numbers = ctypes.c_uint64 * 2


@dataclass(frozen=True, slots=True)
class _Functions:
    new: Callable[[], int]
    free: Callable[[int], None]
    take: Callable[..., int]


class Fingerprints:
    """Takes the fingerprints of one module, one after the other.

    Two states of one module have equal fingerprints exactly if their bitcode is equal byte for byte, except
    with a probability of 2 to the power of -64. Fingerprints of different modules must not be compared.
    """

    def __init__(self) -> None:
        self._functions = _compiled_functions() if is_layout_known() else None
        self._memory = self._functions.new() if self._functions else 0
        self._numbers = _Numbers()

    def take(self, module: Module) -> tuple[int | None, int]:
        """The fingerprint of the module's present state, and its number of instructions.

        The fingerprint is None if the module holds something that the helper does not read, such as debug
        information or the address of another function's block; the bitcode covers these too.
        """
        if self._functions is None:
            return None, module.instruction_count()
        complete = self._functions.take(module.handle, self._memory, self._numbers)
        fingerprint, count = self._numbers
        return (fingerprint if complete else None), count

    @property
    def parts(self) -> tuple[int, int]:
        """The addresses of the helper and of its memory; there must be fingerprints."""
        return helpers.address("optarena_fingerprint"), self._memory

    def close(self) -> None:
        """Free the memory; further calls do nothing."""
        if self._functions is not None:
            self._functions.free(self._memory)
        self._functions = None


@lru_cache(maxsize=1)
def is_layout_known() -> bool:
    """Whether libLLVM's structures have the layout that the helper expects, checked on a test program."""
    check = ctypes.CFUNCTYPE(ctypes.c_int, _POINTER)(helpers.address("optarena_layout"))
    text = resources.files("optarena.llvm.native").joinpath("layout_program.ll").read_bytes()
    with Module.parse(text) as module:
        if check(module.handle):
            return False
    _compiled_functions()
    return True


@lru_cache(maxsize=1)
def _compiled_functions() -> _Functions:
    def function(name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401 # types of ctypes
        return ctypes.CFUNCTYPE(result, *arguments)(helpers.address(name))

    return _Functions(
        new=function("optarena_fingerprint_new", _POINTER),
        free=function("optarena_fingerprint_free", None, _POINTER),
        take=function("optarena_fingerprint", ctypes.c_int, _POINTER, _POINTER, _Numbers),
    )
