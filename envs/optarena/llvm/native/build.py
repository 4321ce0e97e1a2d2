"""Makes the shipped IR again from its C source: ``python -m optarena.llvm.native.build <clang>``.

For developers of this package only; nothing imports it at run time.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Final

from optarena.llvm.native import SOURCES

FOLDER: Final = Path(__file__).parent
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


def compile_source(name: str, clang: Path) -> str:
    """Textual IR of the C source ``name``, made by the given clang (22.1.8)."""
    command = [str(clang.absolute()), *_FLAGS, "-S", "-emit-llvm", f"{name}.c", "-o", "-"]
    done = subprocess.run(command, cwd=FOLDER, check=True, capture_output=True, text=True)  # noqa: S603 - ours
    return done.stdout


def main() -> None:
    """Writes the IR of every source beside it."""
    for name in SOURCES:
        (FOLDER / f"{name}.ll").write_text(compile_source(name, Path(sys.argv[1])))


if __name__ == "__main__":
    main()
