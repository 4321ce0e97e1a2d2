"""Tests of the just-in-time compiler."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path

import pytest

from optarena.errors import ServiceError
from optarena.llvm.module import Jit, Module

TWICE = b"""target triple = "x86_64-unknown-linux-gnu"
declare i32 @given(i32)
define i32 @twice(i32 %x) {
  %a = call i32 @given(i32 %x)
  %b = mul i32 %a, 2
  ret i32 %b
}
"""
INT_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


def test_a_defined_symbol_is_called() -> None:
    given = INT_FUNCTION(lambda x: x + 1)
    jit = Jit()
    jit.define({"given": ctypes.cast(given, ctypes.c_void_p).value or 0})
    jit.add_module(Module.parse(TWICE))
    assert INT_FUNCTION(jit.address("twice"))(20) == 42
    jit.close()
    jit.close()


def test_the_symbols_of_a_library_are_called() -> None:
    jit = Jit()
    jit.add_library_symbols(Path("libc.so.6"))
    jit.add_module(Module.parse(TWICE.replace(b"@given", b"@abs")))
    assert INT_FUNCTION(jit.address("twice"))(-4) == 8
    jit.close()


def test_a_missing_symbol_is_named_and_the_process_lives() -> None:
    jit = Jit()
    jit.add_module(Module.parse(TWICE))
    with pytest.raises(ServiceError, match="given"):
        jit.address("twice")
    with pytest.raises(ServiceError, match="other"):
        jit.address("other")
    jit.close()


def test_a_missing_library_is_an_error() -> None:
    jit = Jit()
    with pytest.raises(ServiceError, match=r"libnowhere\.so"):
        jit.add_library_symbols(Path("libnowhere.so"))
    jit.close()


def test_the_module_belongs_to_the_compiler_afterwards() -> None:
    module = Module.parse(TWICE)
    jit = Jit()
    jit.add_module(module)
    with pytest.raises(ValueError, match="closed"):
        module.text()
    module.close()
    jit.close()


def test_compilers_free_what_they_own() -> None:
    def cycle() -> None:
        jit = Jit()
        jit.add_library_symbols(Path("libc.so.6"))
        jit.add_module(Module.parse(TWICE.replace(b"@given", b"@abs")))
        assert jit.address("twice")
        jit.close()

    for _ in range(30):
        cycle()
    gc.collect()
    before = int(Path("/proc/self/statm").read_text().split()[1])
    for _ in range(150):
        cycle()
    gc.collect()
    assert (int(Path("/proc/self/statm").read_text().split()[1]) - before) * 4096 < 3_000_000
