"""Writes bitcode that LLVM 10 reads, for CompilerGym beside ``agent_loop.py`` and ``peer_llvm.py``.

    PYTHON benchmarks/llvm10_programs.py FOLDER

The interpreter has ``llvmlite==0.36.0``, and there is ``clang-13``. The programs are those of
``gcc-kernels-v0`` at -O0, several in one or without some of their functions, to reach four sizes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from llvmlite import binding

SIZES = (242, 775, 6200, 10800)
SOURCES = Path(__file__).parents[1] / "envs" / "optarena" / "datasets" / "builtin" / "gcc-kernels-v0"
COMPILE = ("clang-13", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-o", "-")
NEWER = re.compile(r"\b(mustprogress|noundef|willreturn|nocallback|nosync|nofree) ?|, !llvm.loop !\d+")
NEWER_LINES = re.compile(r"^![0-9a-z_.]+ = .*\n", re.MULTILINE)
TYPED = re.compile(r"\b(sret|byval)\([^()]*\)")
DEFINITION = re.compile(r"^define .*?^}\n", re.MULTILINE | re.DOTALL)


def text_of(source: Path) -> str:
    told = subprocess.run([*COMPILE, str(source)], check=True, capture_output=True, text=True)  # noqa: S603
    return NEWER_LINES.sub("", NEWER.sub("", TYPED.sub(r"\1", told.stdout)))


def size_of(module: binding.ModuleRef) -> int:
    return sum(1 for function in module.functions for block in function.blocks for _ in block.instructions)


def program(texts: list[str], size: int) -> binding.ModuleRef:
    module = binding.parse_assembly(texts[0])
    for number, text in enumerate(texts[1:], start=1):
        if size_of(module) >= size:
            break
        module.link_in(binding.parse_assembly(text.replace("@main(", f"@main{number}(")))
    text = str(module)
    for match in reversed(list(DEFINITION.finditer(text))):
        head = re.sub(r"\b(internal|dso_local) ", "", match[0].partition(" {\n")[0])
        shorter = text.replace(match[0], head.replace("define", "declare", 1) + "\n")
        smaller = binding.parse_assembly(shorter)
        if size_of(smaller) >= size:
            text, module = shorter, smaller
    return module


def main() -> None:
    texts = [text_of(source) for source in sorted(SOURCES.glob("*.c"))]
    for size in SIZES:
        module = program(texts, size)
        Path(sys.argv[1], f"{size_of(module)}.bc").write_bytes(module.as_bitcode())


if __name__ == "__main__":
    main()
