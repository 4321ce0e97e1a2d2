"""Tests of the loaded bytes of LLVM's programs, which are compared with other compilers'."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

import optarena
from optarena.llvm.module import Module, optimised
from optarena.llvm.observations import loaded_size, position_independent_code
from optarena.machine_code import elf

if TYPE_CHECKING:
    from pathlib import Path

TABLE = b"""target triple = "x86_64-unknown-linux-gnu"
@names = internal constant [2 x ptr] [ptr @one, ptr @two]
@one = internal constant [4 x i8] c"one\\00"
@two = internal constant [4 x i8] c"two\\00"
@counter = internal global i32 7
@zeros = internal global [1000 x i8] zeroinitializer
define ptr @main(i64 %n) {
  %place = getelementptr [2 x ptr], ptr @names, i64 0, i64 %n
  %name = load ptr, ptr %place
  store i32 1, ptr @counter
  store i8 1, ptr @zeros
  ret ptr %name
}
"""


def test_code_is_position_independent(tmp_path: Path) -> None:
    linker = shutil.which("ld")
    if linker is None:
        pytest.skip("binutils are not installed")
    with Module.parse(TABLE) as module:
        text = module.text()
        file = tmp_path / "table.o"
        for code, expected in ((module.object_code(), 1), (position_independent_code(module), 0)):
            file.write_bytes(code)
            command = [linker, "-shared", "-o", str(tmp_path / "out"), str(file)]
            assert subprocess.run(command, check=False, capture_output=True).returncode == expected
        assert module.text() == text


def test_loaded_bytes_are_code_and_data_and_not_zeros() -> None:
    with Module.parse(TABLE) as module:
        code = position_independent_code(module)
        loaded = loaded_size(module)
    data = 2 * 8 + 2 * 4 + 4
    assert loaded == elf.executable_bytes(code) + data


def test_an_environment_observes_what_the_engine_computes() -> None:
    with optarena.make("llvm-loadsize-v0", benchmark="benchmark://kernels-v0/sudoku") as env:
        env.reset()
        program = env.benchmark.program()
        sizes = {}
        for level in ("O0", "Oz"):
            with optimised(program, level) as module:
                sizes[level] = loaded_size(module)
        assert env.observation["ObjectLoadSizeBytes"] == sizes["O0"]
        assert env.observation["ObjectLoadSizeBytesOz"] == sizes["Oz"]
        _, reward, *_ = env.step(env.environment.action_table.names.index("mem2reg"))
        saved = sizes["O0"] - int(env.observation["ObjectLoadSizeBytes"])
        assert saved > 0
        assert reward == pytest.approx(saved / (sizes["O0"] - sizes["Oz"]))
