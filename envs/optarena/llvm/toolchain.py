"""The external programs that this package starts: a linker for observations, a compiler for sources.

They are searched for on the machine, never installed or assumed. Each runs without a shell, with no
environment variables but search paths, under limits of time, memory and file size. A program that takes too
long is killed with its process group; processes that it leaves running when it ends by itself are not. This
module does not load libLLVM, and a session process imports it.
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from optarena import limits
from optarena.errors import InfrastructureFault, ToolMissing
from optarena.machine_code.libllvm import find_library, required_cxx_libraries
from optarena.service.processes.exit_status import is_used_up

LINKER_VARIABLE: Final = "OPTARENA_LINKER"
CLANG_VARIABLE: Final = "OPTARENA_CLANG"
CLANG_MAJOR: Final = 22

_LINKERS: Final = ("cc", "gcc", "clang")
_SYSTEM_PATH: Final = "/usr/local/bin:/usr/bin:/bin"
_SAID_BYTES: Final = 64_000
_SHOWN_ERRORS: Final = 3
_SHOWN_CHARACTERS: Final = 1_000
_VERSION: Final = re.compile(r"clang version (\d+)\.(\d+\.\d+)")
_VERSION_SECONDS: Final = 60.0
# What programs print for --version, by path and time of change; kept only if they ended well.
_versions: Final[dict[tuple[str, int], str]] = {}
_PROBLEM: Final = re.compile(r"error: |undefined reference|multiple definition|cannot find ", re.IGNORECASE)
# Code is made for a fixed address; nothing that differs between two links of the same object is added.
_LINK_FLAGS: Final = ("-no-pie", "-Wl,--build-id=none")
_CXX_MARKS: Final = (b"\0_ZN", b"\0_Zn", b"\0_Zd", b"\0_ZS", b"\0__cxa_", b"\0__gxx_")
# The namespace std::__1.
LIBCXX_MARK: Final = b"St3__1"
# What the code of sanitizers, of coverage and of profiles calls.
_INSTRUMENTS: Final = re.compile(
    r"\b(?:__(?:start_|stop_)?(?:a|hwa|m|t|ty|n|rt|df)san_|__(?:dfsw|sanitizer|sancov|llvm_profile)_|llvm_gc(?:da|ov)_)"
)
_LINKER_REMEDY: Final = (
    "Install a C compiler with its linker and the C library's development files (Debian and Ubuntu: "
    f"apt-get install gcc libc6-dev), or name one by ${LINKER_VARIABLE}; ObjectTextSizeBytes needs no linker."
)
_CLANG_REMEDY: Final = (
    f"Install clang {CLANG_MAJOR} by `pip install 'optarena[build]'`, or name one by "
    f"${CLANG_VARIABLE} or, in Python, by the argument clang=."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    # `code` is the exit code, or minus the number of the signal; `said` the first 64 kB printed.
    code: int
    said: str

    @property
    def problem(self) -> str:
        # The first lines that name an error, or else the first line.
        lines = [line.strip() for line in self.said.splitlines() if line.strip()]
        errors = [line for line in lines if _PROBLEM.search(line)][:_SHOWN_ERRORS]
        how = f"exit code {self.code}" if self.code >= 0 else f"killed by {signal.Signals(-self.code).name}"
        return "; ".join(errors or lines[:1] or [how])[:_SHOWN_CHARACTERS]


class DoesNotLink(Exception):
    """The linker refuses the program; the message is the linker's."""


def instrumentation_remedy(text: str) -> str:
    # How to make a program that does not need the libraries of which the text has names, if any.
    if "__ubsan_" in text:
        return "Compile with -fsanitize-trap=all, or without -fsanitize=undefined."
    if not _INSTRUMENTS.search(text):
        return ""
    return (
        "Compile without -fsanitize=…, --coverage and -fprofile-…: programs are measured without the "
        "libraries of sanitizers and of profiles."
    )


def run(command: Sequence[str], *, folder: Path, seconds: float, cwd: Path | None = None) -> Finished:
    """Run a program to its end, with its temporary files in ``folder``.

    Raises:
        TimeoutError: The program took longer and was killed.
        OSError: The program cannot be started; ``PermissionError`` if this process is confined.
    """
    with tempfile.TemporaryFile(dir=folder) as printed:
        process = subprocess.Popen(  # noqa: S603 # found by this module or named by the user
            command,
            cwd=cwd or folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=printed,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
        try:
            _limit(process.pid, seconds)
            code = process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"{Path(command[0]).name} needed more than {seconds:g} s") from None
        finally:
            _end(process)
        printed.seek(0)
        return Finished(code=code, said=printed.read(_SAID_BYTES).decode(errors="replace"))


class Linker:
    # `command` is a compiler driver, and the flags that it always needs.

    def __init__(self, command: Sequence[str]) -> None:
        self.command = tuple(command)

    def link(self, code: bytes, folder: Path, *, seconds: float = limits.LINK_SECONDS) -> bytes:
        """Link an object file and the C library to an executable; new files in ``folder`` are removed.

        Raises:
            DoesNotLink: The linker refuses the file: it has no ``main``, or calls an unknown function.
            TimeoutError: Linking took too long.
            OSError: The linker cannot be started, or files cannot be written.
        """
        with tempfile.TemporaryDirectory(prefix="link-", dir=folder) as place:
            given, made = Path(place, "program.o"), Path(place, "program")
            given.write_bytes(code)
            libraries = _cxx_libraries(code)
            command = [*self.command, *_LINK_FLAGS, "-o", made.name, given.name, "-lm", *libraries]
            ended = run(command, folder=Path(place), seconds=seconds)
            if ended.code or not made.is_file():
                raise DoesNotLink(ended.problem)
            return made.read_bytes()


def _cxx_libraries(code: bytes) -> list[str]:
    if LIBCXX_MARK in code:
        return [str(path) for path in required_cxx_libraries(find_library())]
    return ["-lstdc++"] if any(mark in code for mark in _CXX_MARKS) else []


def find_linker() -> Linker:
    # $OPTARENA_LINKER, else cc, gcc or clang, else clang and lld of the wheel.
    named = os.environ.get(LINKER_VARIABLE, "").strip()
    if named:
        return Linker([_named(named, f"${LINKER_VARIABLE}", _LINKER_REMEDY)])
    for name in _LINKERS:
        path = shutil.which(name, path=_search_path())
        if path is not None:
            return Linker([path])
    clang, lld = (Path(sys.prefix, "bin", name) for name in ("clang", "ld.lld"))
    if clang.exists() and lld.exists():
        return Linker([str(clang), "-fuse-ld=lld"])
    raise ToolMissing("This machine has no linker.", field=LINKER_VARIABLE, remedy=_LINKER_REMEDY)


def find_program(*names: str) -> str | None:
    found = (shutil.which(name, path=_search_path()) for name in names)
    return next(filter(None, found), None)


def find_clang(named: str | Path | None = None) -> Path:
    # `named`, $OPTARENA_CLANG, that of the installed wheel, or clang-22.
    if named is not None:
        return _checked(_named(str(named), "clang", _CLANG_REMEDY))
    variable = os.environ.get(CLANG_VARIABLE, "").strip()
    if variable:
        return _checked(_named(variable, f"${CLANG_VARIABLE}", _CLANG_REMEDY))
    own = Path(sys.prefix, "bin", "clang")
    if own.exists():
        return _checked(str(own))
    path = shutil.which(f"clang-{CLANG_MAJOR}", path=_search_path())
    if path is None:
        raise ToolMissing(
            f"Sources are compiled with clang {CLANG_MAJOR}, which was not found on this machine.",
            field="clang",
            remedy=_CLANG_REMEDY,
        )
    return _checked(path)


def _named(name: str, by: str, remedy: str) -> str:
    path = shutil.which(name, path=_search_path())
    if path is None:
        message = f"{by} names {name!r}, which is not a program that can be started."
        raise ToolMissing(message, field=by.lstrip("$"), value=name, remedy=remedy)
    return str(Path(path).absolute())


def _checked(path: str) -> Path:
    said = said_version(path)
    found = _VERSION.search(said)
    if found is None or int(found[1]) != CLANG_MAJOR:
        version = f"clang {found[1]}.{found[2]}" if found else first_line(said) or "not clang"
        raise ToolMissing(
            f"{path} is {version}, but programs are made with clang {CLANG_MAJOR}: another version's IR "
            "differs.",
            field="clang",
            value=path,
            remedy=_CLANG_REMEDY,
        )
    return Path(path)


def said_version(path: str) -> str:
    # Asked once, until the program's file changes. Returns why it does not work where it does not.
    try:
        key = path, Path(path).stat().st_mtime_ns
        if key not in _versions:
            with tempfile.TemporaryDirectory(prefix="optarena-version-") as folder:
                ended = run([path, "--version"], folder=Path(folder), seconds=_VERSION_SECONDS)
            if ended.code:
                return ended.said
            _versions[key] = ended.said
    except OSError as error:
        # Where the program itself is to blame, the system names its file.
        if isinstance(error, TimeoutError) or (error.filename == path and not is_used_up(error)):
            return f"not a working program ({error})"
        message = f"{path} cannot be started: {error}. Try again when this machine has room for it."
        raise InfrastructureFault(message) from error
    return _versions[key]


def first_line(said: str) -> str:
    return said.partition("\n")[0].strip()[:100]


def _search_path() -> str:
    return f"{os.environ.get('PATH', '')}:{_SYSTEM_PATH}".lstrip(":")


def _environment(folder: Path) -> dict[str, str]:
    # Only the two variables of this process that say where programs and their libraries are.
    given = {"PATH": _search_path(), "LC_ALL": "C.UTF-8", "TMPDIR": str(folder), "HOME": str(folder)}
    if "LD_LIBRARY_PATH" in os.environ:
        given["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    return given


def _limit(pid: int, seconds: float) -> None:
    # Its descendants may even outlive this process.
    wanted = {
        resource.RLIMIT_CPU: int(seconds) + 1,
        resource.RLIMIT_AS: limits.TOOL_MEMORY_BYTES,
        resource.RLIMIT_FSIZE: limits.SESSION_FILE_BYTES,
        resource.RLIMIT_CORE: 0,
    }
    for kind, value in wanted.items():
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            _, ceiling = resource.prlimit(pid, kind)
            lowered = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
            resource.prlimit(pid, kind, (lowered, ceiling))


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
