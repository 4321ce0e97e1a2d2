"""Tests of reading object files."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from optarena.llvm.module import Module
from optarena.machine_code.elf import executable_bytes

if TYPE_CHECKING:
    from pathlib import Path


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="ELF"):
        executable_bytes(b"MZ" + bytes(100))


def test_only_sections_with_instructions_count(mixed: bytes, tmp_path: Path) -> None:
    tool = shutil.which("size")
    if tool is None:
        pytest.skip("binutils are not installed")
    with Module.parse(mixed) as module:
        code = module.object_code()
    file = tmp_path / "mixed.o"
    file.write_bytes(code)
    listing = subprocess.run([tool, "-A", file], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listing.splitlines() if line.startswith(".text")]
    assert executable_bytes(code) == sum(int(row[1]) for row in rows) > 0


def test_a_function_in_a_section_of_its_own_counts() -> None:
    text = b'target triple = "x86_64-unknown-linux-gnu"\ndefine void @f()%s { ret void }\n'
    with Module.parse(text % b"") as plain, Module.parse(text % b' section ".cold"') as cold:
        assert cold.text_size() == plain.text_size() > 0
