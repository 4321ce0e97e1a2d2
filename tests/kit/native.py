"""Regenerates the LLVM IR of the package's C sources: ``python -m tests.kit.native CLANG SOURCE.c ...``.

The IR that clang 22.1.8 makes is shipped and compiled just in time, so that users need no compiler.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

_FLAGS: Final = (
    "--target=x86_64-unknown-linux-gnu",
    "-std=c17",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-nostdlibinc",
    "-fno-ident",
    "-fno-asynchronous-unwind-tables",
    "-fno-stack-protector",
)


def compile_source(source: Path, clang: Path) -> str:
    """Textual IR of a C source, made by the given clang (22.1.8)."""
    # The file's name is part of the IR, and its folder is not.
    command = [str(clang.absolute()), *_FLAGS, "-S", "-emit-llvm", source.name, "-o", "-"]
    done = subprocess.run(command, cwd=source.parent, check=True, capture_output=True, text=True)
    return done.stdout


def main() -> None:
    """Write the IR of each source next to it."""
    clang, *sources = map(Path, sys.argv[1:])
    for source in sources:
        source.with_suffix(".ll").write_text(compile_source(source, clang))


if __name__ == "__main__":
    main()
