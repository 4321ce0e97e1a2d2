"""Assembles PTX by NVIDIA's ptxas, and disassembles cubins by nvdisasm. Neither needs a GPU.

Ptxas is a tool of sessions, confined or not. The library nvJitLink would need no process, but it assembles
parts that are to be linked, as ``ptxas -c`` does, and some kernels then take up to a third longer.
"""

from __future__ import annotations

import contextlib
import filecmp
import os
import re
import stat
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

from optarena import paths
from optarena.cuda.missing import find_packaged, is_sandboxed
from optarena.datasets.store import write_whole
from optarena.errors import InvalidInput, ServiceError, ToolMissing
from optarena.gpu_kernels import pinned
from optarena.isolation.tool_files import access_to
from optarena.isolation.tools import RunningTool, ToolAccess, ToolFailed

EXTRA: Final = "gpu-compile"
_NAME: Final = "ptxas"
_FOR_ALL: Final = 0o755
LEVELS: Final = (0, 1, 2, 3)
_SPILLS: Final = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
_STACK: Final = re.compile(r"(\d+) bytes cumulative stack size")
_SHARED: Final = re.compile(r"(\d+) bytes smem")


class AssemblerFailed(ServiceError):
    """ptxas refuses the PTX that LLVM made of a kernel; the message has ptxas's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembled:
    cubin: bytes
    registers: int  # of a thread
    stack_bytes: int  # local memory of a thread: arrays that are not in registers, and spilled ones
    spill_bytes: int  # spilled registers that instructions store and load, counted in the code
    shared_bytes: int  # of a block


def access() -> ToolAccess:
    # A session must have found it before it is confined.
    return _found()[1]


@cache
def _found() -> tuple[Path, ToolAccess]:  # the error is the same in every session, and is not cached
    program = pinned_program(_NAME)
    if os.geteuid() == 0 and not _is_everybodys(program):
        program = _everybodys_copy(program)
    return program, access_to({_NAME: program})


def _is_everybodys(program: Path) -> bool:
    folders = all(folder.stat().st_mode & stat.S_IXOTH for folder in program.resolve().parents)
    return folders and program.stat().st_mode & _FOR_ALL == _FOR_ALL


def _everybodys_copy(program: Path) -> Path:
    # Confined sessions of root have another user, and root's own folders are closed to it.
    _, folder = paths.toolchains(f"{_NAME}-{pinned.CUDA}")
    copy = folder / _NAME
    # Where there can be none, a confined session says what it needs.
    with contextlib.suppress(OSError):
        if not copy.exists() or not filecmp.cmp(program, copy):
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(copy, program.read_bytes())
            copy.chmod(_FOR_ALL)
        return copy
    return program


def pinned_program(name: str, *others: str) -> Path:
    """A program of the pinned package of nvcc, which may need the same version of other packages.

    Raises:
        ToolMissing: A package or the program is missing, or is of another version.
    """
    try:
        for package in (pinned.DISTRIBUTION, *others):
            installed = metadata.version(package)
            if installed != pinned.CUDA:
                raise _missing(name, f"{package} {installed} is installed, and results need {pinned.CUDA}.")
        return find_packaged(pinned.DISTRIBUTION, name)
    except metadata.PackageNotFoundError as error:
        raise _missing(name, f"The package {error.name} is not installed.") from None
    except FileNotFoundError as error:
        raise _missing(name, str(error)) from None


def _missing(name: str, problem: str) -> ToolMissing:
    return ToolMissing(
        f"{name} is needed for what GPUs run, and is missing. {problem}",
        field="observation_space",
        remedy=f"Install it: pip install 'optarena[{EXTRA}]'. IR and PTX can be observed without it.",
    )


_lock: Final = threading.Lock()  # sessions of one process share a folder


def assemble(ptx: str, kernel: str, level: int, folder: Path | None = None) -> Assembled:
    """Assemble a kernel; ``folder`` is that of a session, and a temporary one if it is None.

    Raises:
        AssemblerFailed: ptxas refuses the PTX.
        ToolMissing: There is no ptxas of the pinned version.
        SessionTimeout, SessionOutOfMemory, SessionKilled: As for other tools.
    """
    program, allowed = _found()
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="optarena-ptxas-") as place:
            return assemble(ptx, kernel, level, Path(place))
    stem = f"kernel-{os.getpid()}"  # copies of a session that try actions share its folder
    given, made = folder / f"{stem}.ptx", folder / f"{stem}.cubin"
    options = (f"-arch={pinned.ARCHITECTURE}", f"-O{level}", "--verbose")
    with _lock:
        try:
            given.write_text(ptx, encoding="utf-8")
            tool = RunningTool(
                _NAME,
                [str(program), *options, given.name, "--output-file", made.name],
                access=allowed,
                folder=folder,
                label=stem,
            )
            tool.finish()
            return read_usage(tool.remarks, kernel, made.read_bytes())
        except ToolFailed as error:
            raise AssemblerFailed(f"ptxas cannot assemble the kernel: {error.said[:1000]}") from error
        finally:
            for file in (given, made):
                file.unlink(missing_ok=True)


def read_usage(remarks: str, kernel: str, cubin: bytes) -> Assembled:
    # With all functions that the kernel calls, which LLVM may have left as such.
    used = re.search(
        rf"Function properties for {re.escape(kernel)}\n[^\n]*\n[^\n]*: Used (\d+) registers([^\n]*)", remarks
    )
    if used is None:
        raise AssemblerFailed(f"ptxas does not say what the kernel needs: {remarks[-500:]}")
    stack, shared = (found.search(used[2]) for found in (_STACK, _SHARED))
    return Assembled(
        cubin=cubin,
        registers=int(used[1]),
        stack_bytes=int(stack[1]) if stack else 0,
        spill_bytes=sum(int(one) for found in _SPILLS.findall(remarks) for one in found),
        shared_bytes=int(shared[1]) if shared else 0,
    )


DISASSEMBLER: Final = "nvidia-cuda-nvdisasm"
_DISASSEMBLY_SECONDS: Final = 60.0


def disassemble(cubin: bytes) -> str:
    # By nvdisasm: a program of its own, which starts for about a second.
    if is_sandboxed():
        raise InvalidInput(
            "sass is not available in a confined session, which may not start nvdisasm.",
            field="observation_space",
            value="sass",
            remedy="Use an environment with sandbox=False; features and cubin work in both.",
        )
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [str(_disassembler()), "--print-code", file.name]
        try:
            done = subprocess.run(  # noqa: S603 # NVIDIA's program on a file of ours
                command, capture_output=True, text=True, timeout=_DISASSEMBLY_SECONDS, check=False
            )
        except subprocess.TimeoutExpired as error:
            raise ServiceError(f"nvdisasm did not end within {_DISASSEMBLY_SECONDS:g} s.") from error
    if done.returncode:
        raise ServiceError(f"nvdisasm ended with code {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


@cache
def _disassembler() -> Path:
    try:
        return find_packaged(DISASSEMBLER, "nvdisasm")
    except FileNotFoundError:
        raise ToolMissing(
            f"sass needs nvdisasm of the package {DISASSEMBLER}, which is missing.",
            field="observation_space",
            value="sass",
            remedy=f"Install it: pip install 'optarena[{EXTRA}]'.",
        ) from None
