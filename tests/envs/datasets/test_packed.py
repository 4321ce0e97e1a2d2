"""Programs that a dataset's folder holds packed."""

from __future__ import annotations

import errno
import lzma
from typing import TYPE_CHECKING

import pytest

from optarena.datasets.dataset import PACKED, pack, read_program

if TYPE_CHECKING:
    from pathlib import Path

PROGRAM = b"int x;\n" * 5_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "one.units"


def packed(file: Path, data: bytes) -> Path:
    place = file.with_name(file.name + PACKED)
    place.write_bytes(data)
    return place


def test_a_packed_program_is_read_like_the_program(file: Path) -> None:
    packed(file, pack(PROGRAM))
    assert read_program(file, len(PROGRAM)) == PROGRAM
    file.write_bytes(b"the program itself")
    assert read_program(file, len(PROGRAM)) == b"the program itself"


def test_a_program_beyond_the_limit_is_not_unpacked(file: Path) -> None:
    packed(file, lzma.compress(bytes(50_000_000)))
    with pytest.raises(OSError, match="it has more than 20000 bytes") as caught:
        read_program(file, 20_000)
    assert caught.value.errno == errno.EFBIG


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"int x;\n" * 9, "it is not packed correctly"),
        (pack(PROGRAM)[:-9], "it is cut off"),
        (pack(PROGRAM) + b"x", "it is cut off, or has something behind its end"),
    ],
)
def test_a_damaged_packed_program_is_refused(file: Path, data: bytes, problem: str) -> None:
    packed(file, data)
    with pytest.raises(OSError, match=problem):
        read_program(file, len(PROGRAM))


def test_a_missing_program_is_named_without_the_suffix(file: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"one\.units'"):
        read_program(file, 10)
