"""Programs for the tests of the LLVM room, and the tools of LLVM 22 where they are installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from optarena.llvm.module import Module
from tests.kit.llvm.programs import FRONT_END
from tests.kit.tools import in_ci

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def mixed(clang: Path) -> bytes:
    """``mixed.c`` for size, as a benchmark is built: its bitcode."""
    return compiled(clang, "-Oz")


@pytest.fixture(scope="session")
def mixed_o3(clang: Path) -> bytes:
    """``mixed.c`` for speed."""
    return compiled(clang, "-O3")


@pytest.fixture(scope="session")
def plain(mixed_o3: bytes) -> bytes:
    """The same without attributes, so that only the target machine says which CPU it is for."""
    with Module.parse(mixed_o3) as module:
        text = re.sub(r"^attributes.*", "", module.text(), flags=re.MULTILINE)
    with Module.parse(re.sub(r" #\d+", "", text).encode()) as module:
        return module.bitcode()


def compiled(clang: Path, level: str) -> bytes:
    command = [str(clang), *FRONT_END, level, "-c", "mixed.c", "-o", "-"]
    return subprocess.run(command, cwd=DATA, check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def miscompiled() -> bytes:
    """A program that ``structurizecfg`` breaks."""
    return (DATA / "miscompile.ll").read_bytes()


@pytest.fixture(scope="session")
def hanging() -> bytes:
    """A program on which ``attributor`` does not end."""
    return (DATA / "hang.ll").read_bytes()


@pytest.fixture(scope="session")
def growing() -> bytes:
    """A program that ``module-inline`` makes larger than the limit."""
    return (DATA / "growth.ll").read_bytes()


def installed(tool: str) -> str:
    """A tool of LLVM 22 of the system, from Debian's package llvm-22; continuous integration must have it."""
    path = shutil.which(f"{tool}-22") or ""
    if not path:
        reason = f"LLVM 22's {tool} is not installed: apt-get install llvm-22"
        pytest.fail(reason) if in_ci() else pytest.skip(reason)
    return path


@pytest.fixture(scope="session")
def opt() -> str:
    return installed("opt")


@pytest.fixture(scope="session")
def llc() -> str:
    return installed("llc")


@pytest.fixture(scope="session")
def llvm_ir2vec() -> str:
    return installed("llvm-ir2vec")
