"""Detects whether a module changed: a fingerprint of all that its bitcode holds, without writing the bitcode.

A C helper (see ``native``) reads LLVM's own structures. It is used only after a check that their layout is
the one that the helper expects; with another layout, there are no fingerprints.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from optarena.llvm import helpers
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from collections.abc import Callable

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
        self._functions = _functions() if is_layout_known() else None
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
    _functions()
    return True


@lru_cache(maxsize=1)
def _functions() -> _Functions:
    def function(name: str, result: Any, *arguments: Any) -> Any:  # noqa: ANN401 # types of ctypes
        return ctypes.CFUNCTYPE(result, *arguments)(helpers.address(name))

    return _Functions(
        new=function("optarena_fingerprint_new", _POINTER),
        free=function("optarena_fingerprint_free", None, _POINTER),
        take=function("optarena_fingerprint", ctypes.c_int, _POINTER, _POINTER, _Numbers),
    )
