"""The LLVM IR that is shipped beside our C sources."""

from __future__ import annotations

from pathlib import Path

import pytest

import optarena
from tests.kit.native import compile_source

PACKAGE = Path(optarena.__file__).parent
SOURCES = sorted(PACKAGE.rglob("native/*.c"))


def test_three_rooms_have_sources() -> None:
    assert {source.relative_to(PACKAGE).parts[0] for source in SOURCES} == {
        "gpu_kernels",
        "llvm",
        "loop_tool",
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: str(source.relative_to(PACKAGE)))
def test_the_shipped_ir_is_what_the_pinned_clang_makes_of_the_source(source: Path, clang: Path) -> None:
    assert compile_source(source, clang) == source.with_suffix(".ll").read_text()
