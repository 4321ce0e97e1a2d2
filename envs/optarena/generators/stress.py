"""The generator of ``llvm-stress-v0``: LLVM's own stress tester; only a target is added to its modules."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Final

from optarena.datasets.parametric import Generated, GeneratorFailed
from optarena.errors import ToolMissing
from optarena.generators.description import STRESS_OPTIONS
from optarena.llvm import pinned, toolchain

_NAMES: Final = ("llvm-stress-22", "llvm-stress", "/usr/lib/llvm-22/bin/llvm-stress")
_SECONDS: Final = 60.0
_VERSION: Final = re.compile(r"LLVM version (\d+\.\d+\.\d+)")
_REMARK: Final = "The program has no main() and cannot be run."
_REMEDY: Final = (
    f"Install llvm-stress of LLVM {pinned.ENGINE_VERSION} (Debian: apt-get install llvm-22), or use "
    "synthetic-v0, which needs no other tool."
)


def generate(seed: int) -> Generated:
    # Imported late: it starts a process, which reading the cache does not need.
    from optarena.llvm.linking import Part, link  # noqa: PLC0415 # starts a process

    tool = _tool()
    with tempfile.TemporaryDirectory(prefix="optarena-stress-") as folder:
        made = Path(folder, "made.ll")
        command = [tool, f"--seed={seed}", *STRESS_OPTIONS, "-o", made.name]
        try:
            ended = toolchain.run(command, folder=Path(folder), seconds=_SECONDS)
            problem = ended.problem if ended.code or not made.is_file() else ""
        except TimeoutError as error:
            problem = str(error)
        if problem:
            message = f"llvm-stress makes no module from the seed {seed}: {problem}."
            raise GeneratorFailed(message, field="benchmark", value=seed, remedy="Use another seed.")
        text = made.read_bytes()
    target = f'target triple = "{pinned.TRIPLE}"\n'.encode()
    part = Part(name=f"seed {seed} of llvm-stress", data=target + text)
    return Generated(program=link([part], seconds=_SECONDS), remark=_REMARK)


def _tool() -> str:
    path = toolchain.find_program(*_NAMES)
    if path is None:
        message = "The modules of llvm-stress-v0 need llvm-stress, which was not found on this machine."
        raise ToolMissing(message, field="llvm-stress", remedy=_REMEDY)
    found = _VERSION.search(toolchain.said_version(path))
    version = found[1] if found else "unknown version"
    if version != pinned.ENGINE_VERSION:
        message = (
            f"{path} is from LLVM {version}, but the modules of llvm-stress-v0 need that of LLVM "
            f"{pinned.ENGINE_VERSION}."
        )
        raise ToolMissing(message, field="llvm-stress", value=path, remedy=_REMEDY)
    return path
