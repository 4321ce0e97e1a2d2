"""A small program in C in a folder whose path has a space, and how tests of builds run tools there."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import pytest

from tests.kit.tools import Tool, in_ci

if TYPE_CHECKING:
    from pathlib import Path


MADE: Final = "27152\n"
"""What the program prints."""
NO_PASSES: Final = ("-Oz", "-Xclang", "-disable-llvm-passes")
SOURCES: Final = {
    "table.h": "extern int weights[64];\nint sum(const int *values, int count);\nint mix(int a, int b);\n",
    "table.c": """
#include "table.h"
static int twice(int one) { return one * 2; }
int weights[64];
int mix(int a, int b) { for (int i = 0; i < 8; i++) a = twice(a) ^ b; return a % 1000; }
int sum(const int *values, int count) {
  int total = 0;
  for (int i = 0; i < count; i++) total += values[i] > 3 ? twice(values[i]) : mix(values[i], i);
  return total;
}
""",
    "main.c": """
#include <stdio.h>
#include "table.h"
int main(void) {
  for (int i = 0; i < 64; i++) weights[i] = mix(i, 64 - i);
  printf("%d\\n", sum(weights, 64));
  return 0;
}
""",
}


def need(tool: Tool) -> str:
    """Where a tool is; the test is skipped without it, or fails where ``CI`` is set."""
    found = tool.find()
    if found is None:
        (pytest.fail if in_ci() else pytest.skip)(f"{tool.programs[0]} is missing")
    return found


@dataclass(frozen=True)
class Work:
    """The program's folder, and clang 22."""

    folder: Path
    clang: Path

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        for name, text in SOURCES.items():
            (self.folder / name).write_text(text)

    def run(
        self,
        *words: str | Path,
        code: int = 0,
        cwd: Path | None = None,
        env: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """Run a program, with further variables, and return what it printed to both outputs."""
        command = [str(word) for word in words]
        done = subprocess.run(
            command,
            cwd=cwd or self.folder,
            env={**os.environ, **env},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == code, f"{command}\n{done.stdout}"
        return done.stdout

    def compile(
        self, *words: str | Path, code: int = 0, env: Mapping[str, str] = MappingProxyType({})
    ) -> str:
        """Run clang."""
        return self.run(self.clang, *words, code=code, env=env)

    def read(self, name: str) -> bytes:
        """A file of the folder."""
        return (self.folder / name).read_bytes()
