"""Whatever an object file is, reading it ends with its sizes or with ``ValueError``."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from optarena.datasets import datasets
from optarena.llvm.module import Module
from optarena.machine_code import elf

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER = b"\x7fELF\x02\x01"
READERS: tuple[Callable[[bytes], Any], ...] = (
    elf.executable_bytes,
    elf.loaded_bytes,
    elf.needs_loader,
    elf.with_internal_hidden,
    lambda code: elf.section_bytes(code, ".text"),
)


@pytest.fixture(scope="module")
def whole() -> bytes:
    with Module.parse(datasets().benchmark("benchmark://kernels-v0/sha256").program()) as module:
        return module.object_code()


def read(code: bytes) -> list[Any]:
    said: list[Any] = []
    for reader in READERS:
        try:
            said.append(reader(code))
        except ValueError:
            said.append(None)
    return said


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xff" * 200)
@example(bytes(63 - len(HEADER)))
@example(bytes(200))
def test_any_bytes_behind_a_header(rest: bytes) -> None:
    read(HEADER + rest)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_ends_too_early_is_refused(whole: bytes, share: float) -> None:
    assert None not in read(whole)
    assert read(whole[: int(len(whole) * share)]) == [None] * len(READERS)


def test_sections_without_a_length_are_refused(whole: bytes) -> None:
    code = bytearray(whole)
    struct.pack_into("<H", code, 58, 0)
    assert read(bytes(code)) == [None] * len(READERS)
