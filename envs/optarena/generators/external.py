"""The generators of ``csmith-v0`` and ``llvm-stress-v0``, which need external tools.

Csmith writes C, clang 22 compiles it, and a first run records its output. None of the system's headers are
read. Csmith's own headers include some that clang brings; the others are defined here, with only the
declarations that the programs use. A program is therefore the same on every machine with this version of
Csmith and the pinned clang. Whether it ends in time is tested by running it, and may differ on a slower
machine. To modules of llvm-stress, LLVM's own stress tester, only a target is added.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Final

from optarena.datasets.parametric import Generated, GeneratorFailed
from optarena.errors import ToolMissing
from optarena.generators.description import CSMITH_OPTIONS, CSMITH_VERSION, STRESS_OPTIONS
from optarena.llvm import pinned, toolchain
from optarena.specs.benchmark import Workload

RUN_SECONDS: Final = 5.0
_TOOL_SECONDS: Final = 60.0
_COMPILE_SECONDS: Final = 120.0
_INCLUDE: Final = ("include/csmith", f"include/csmith-{CSMITH_VERSION}")
_HEADERS: Final = {
    "stdio.h": "int printf(const char *, ...);\n",
    "string.h": "int strcmp(const char *, const char *);\n",
    "math.h": "double fabs(double);\nfloat fabsf(float);\n",
    "assert.h": "#define assert(condition) ((void)0)\n",
}
_CSMITH_REMEDY: Final = (
    f"Install csmith {CSMITH_VERSION} with its headers (Debian: apt-get install csmith libcsmith-dev), or "
    "use synthetic-v0, which needs no other tool."
)
_STRESS_NAMES: Final = ("llvm-stress-22", "llvm-stress", "/usr/lib/llvm-22/bin/llvm-stress")
_STRESS_REMEDY: Final = (
    f"Install llvm-stress of LLVM {pinned.ENGINE_VERSION} (Debian: apt-get install llvm-22), or use "
    "synthetic-v0, which needs no other tool."
)
_VERSION: Final = re.compile(r"LLVM version (\d+\.\d+\.\d+)")


def csmith(seed: int) -> Generated:
    # Without a workload if the program does not end in time.
    # Imported late: both start processes, which reading the cache does not need.
    from optarena.llvm.execution import failure_of, run_program  # noqa: PLC0415 # starts processes
    from optarena.llvm.making import compile_program  # noqa: PLC0415 # starts processes

    path, headers = _csmith()
    toolchain.find_clang()
    with tempfile.TemporaryDirectory(prefix="optarena-csmith-") as folder:
        for name, content in _HEADERS.items():
            Path(folder, name).write_text(content, encoding="ascii")
        source = _c_program(path, seed, Path(folder))
        flags = ("-std=gnu11", "-I", folder, "-I", str(headers))
        program = compile_program(source, flags=flags, timeout=_COMPILE_SECONDS)
    execution = run_program(program, timeout=RUN_SECONDS)
    problem = failure_of(execution)
    if problem is not None:
        return Generated(program=program, remark=f"The program has no workload: when it was run, {problem}.")
    workload = Workload(name="default", expected_stdout=execution.stdout, exit_code=execution.exit_code or 0)
    return Generated(program=program, workloads=(workload,))


def llvm_stress(seed: int) -> Generated:
    # Imported late: it starts a process, which reading the cache does not need.
    from optarena.llvm.linking import Part, link  # noqa: PLC0415 # starts a process

    tool = toolchain.find_program(*_STRESS_NAMES)
    if tool is None:
        message = "The modules of llvm-stress-v0 need llvm-stress, which was not found on this machine."
        raise ToolMissing(message, field="llvm-stress", remedy=_STRESS_REMEDY)
    found = _VERSION.search(toolchain.said_version(tool))
    version = found[1] if found else "unknown version"
    if version != pinned.ENGINE_VERSION:
        message = (
            f"{tool} is from LLVM {version}, but the modules of llvm-stress-v0 need that of LLVM "
            f"{pinned.ENGINE_VERSION}."
        )
        raise ToolMissing(message, field="llvm-stress", value=tool, remedy=_STRESS_REMEDY)
    with tempfile.TemporaryDirectory(prefix="optarena-stress-") as folder:
        made = Path(folder, "made.ll")
        command = [tool, f"--seed={seed}", *STRESS_OPTIONS, "-o", made.name]
        _run(command, made, seed, "llvm-stress makes no module")
        text = made.read_bytes()
    part = Part(name=f"seed {seed} of llvm-stress", data=pinned.TARGET.encode() + b"\n" + text)
    program = link([part], seconds=_TOOL_SECONDS)
    return Generated(program=program, remark="The program has no main() and cannot be run.")


def _c_program(path: str, seed: int, folder: Path) -> Path:
    source = folder / "program.c"
    command = [path, "--seed", str(seed), *CSMITH_OPTIONS, "--output", source.name]
    _run(command, source, seed, "csmith makes no program")
    return source


def _run(command: list[str], made: Path, seed: int, failure: str) -> None:
    try:
        ended = toolchain.run(command, folder=made.parent, seconds=_TOOL_SECONDS)
        problem = ended.problem if ended.code or not made.is_file() else ""
    except TimeoutError as error:
        problem = str(error)
    if problem:
        message = f"{failure} from the seed {seed}: {problem}."
        raise GeneratorFailed(message, field="benchmark", value=seed, remedy="Use another seed.")


def _csmith() -> tuple[str, Path]:
    path = toolchain.find_program("csmith")
    if path is None:
        message = "The programs of csmith-v0 need csmith, which was not found on this machine."
        raise ToolMissing(message, field="csmith", remedy=_CSMITH_REMEDY)
    version = toolchain.first_line(toolchain.said_version(path)) or "not csmith"
    if version != f"csmith {CSMITH_VERSION}":
        message = f"{path} is {version}, but the programs of csmith-v0 need csmith {CSMITH_VERSION}."
        raise ToolMissing(message, field="csmith", value=path, remedy=_CSMITH_REMEDY)
    folders = [Path(path).resolve().parents[1] / name for name in _INCLUDE]
    found = next((folder for folder in folders if (folder / "csmith.h").is_file()), None)
    if found is None:
        message = f"The headers of {path} are not in {folders[0]}."
        raise ToolMissing(message, field="csmith", value=str(folders[0]), remedy=_CSMITH_REMEDY)
    return path, found
