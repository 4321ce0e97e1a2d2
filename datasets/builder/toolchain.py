"""The compilers: the pinned clang for bitcode and native programs, and a system compiler's sanitizers.

Every compilation runs inside the source's folder with a bare file name, so that no path of this machine gets
into what is made.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import ToolchainMissing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.builder.suite import ToolchainSpec

NATIVE_LEVELS: Final = ("O0", "O2", "Oz")
_COMPILE_SECONDS: Final = 900
_SANITIZERS: Final = ("-O1", "-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_VERSION: Final = re.compile(r"clang version (\d+\.\d+\.\d+)")
_PROBE: Final = b"int main(void) { return 0; }\n"


class CompileError(Exception):
    """The compiler refused a program; the message is its first error."""


class Toolchain:
    """The pinned clang of one suite.

    Args:
        spec: What the suite asks for.
        headers: Folder of the package with the C library's declarations, for suites that name one.
        identity: Tells what is in that folder.

    Attributes:
        identity: Tells, the same on every machine, how a source is compiled.

    Raises:
        ToolchainMissing: It is not installed, or has another version than the suite is pinned to.
    """

    def __init__(self, spec: ToolchainSpec, headers: Path | None = None, *, identity: str = "") -> None:
        self.spec = spec
        self.identity = (*spec.flags, *spec.header_folders, identity)
        self._header_flags = _headers(spec, headers)
        self._clang = _find("clang")
        version = self._version()
        if version != spec.clang:
            raise ToolchainMissing(
                f"{self._clang} is clang {version}, but this suite is pinned to {spec.clang}: "
                "install the extra `build` of optarena."
            )

    def bitcode(self, source: Path, flags: Sequence[str] = ()) -> bytes:
        """Unoptimised bitcode of one source file.

        Args:
            source: The file.
            flags: Further flags, after the suite's.

        Raises:
            CompileError: It does not compile.
        """
        command = [self._clang, *self.spec.flags, *self._header_flags, *flags]
        return _run([*command, "-c", "-emit-llvm", "-o", "-", source.name], source.parent)

    def native(self, sources: Sequence[Path], level: str, to: Path, flags: Sequence[str] = ()) -> None:
        """Makes an executable program at one of ``NATIVE_LEVELS``.

        Raises:
            CompileError: It does not compile or link.
        """
        command = [self._clang, *self._language_flags, *self._header_flags, *flags, f"-{level}", "-w"]
        _executable(command, sources, to)

    def sanitized(self, sources: Sequence[Path], to: Path, flags: Sequence[str] = ()) -> bool:
        """Makes an executable that stops at undefined behaviour and bad memory accesses.

        It is another compiler's, with the C library's headers of this machine.

        Returns:
            Whether this machine has a compiler with the sanitizers.

        Raises:
            CompileError: It does not compile or link.
        """
        if self.sanitizer is None:
            return False
        standard = [flag for flag in self.spec.flags if flag.startswith(("-std=", "-ffp-contract="))]
        _executable([self.sanitizer, *standard, *_SANITIZERS, *flags], sources, to)
        return True

    def check_native(self, folder: Path) -> None:
        """Checks that programs can be linked and run here.

        Raises:
            ToolchainMissing: They cannot.
        """
        source = folder / "probe.c"
        source.write_bytes(_PROBE)
        try:
            self.native([source], "O0", folder / "probe")
            subprocess.run([folder / "probe"], check=True, timeout=_COMPILE_SECONDS)  # noqa: S603 - the probe above
        except (CompileError, OSError, subprocess.SubprocessError) as error:
            raise ToolchainMissing(
                f"Programs cannot be linked and run here: {error}. Install a linker and the C library's "
                "development files (Debian: gcc)."
            ) from error

    @cached_property
    def sanitizer(self) -> str | None:
        """The system's C compiler, if it can make programs with both sanitizers."""
        compiler = shutil.which("gcc")
        if compiler is None:
            return None
        try:
            _run([compiler, *_SANITIZERS, "-x", "c", "-o", "/dev/null", "-"], Path.cwd(), _PROBE)
        except CompileError:
            return None
        return compiler

    @property
    def _language_flags(self) -> list[str]:
        """The suite's flags without its level and without what is only for the front end."""
        kept = []
        flags = iter(self.spec.flags)
        for flag in flags:
            if flag == "-Xclang":
                next(flags, None)
            elif not flag.startswith("-O"):
                kept.append(flag)
        return kept

    def _version(self) -> str:
        found = _VERSION.search(_run([self._clang, "--version"], Path.cwd()).decode())
        return found[1] if found else "of an unknown version"


def _headers(spec: ToolchainSpec, folder: Path | None) -> list[str]:
    """Flags that make clang see these declarations of the C library and no others."""
    if folder is None:
        return []
    places = [str(folder / one) for one in spec.header_folders]
    return [
        "-nostdlibinc",
        *(part for place in places for part in ("-isystem", place)),
        f"-ffile-prefix-map={folder}=.",
    ]


def _executable(command: Sequence[str], sources: Sequence[Path], to: Path) -> None:
    """Compiles every source in its own folder and links them; objects of a source's name would collide."""
    objects = []
    for number, source in enumerate(sources):
        objects.append(str(to.absolute()) + f"-{number}.o")
        _run([*command, "-c", "-o", objects[-1], source.name], source.parent)
    _run([*command, "-o", str(to.absolute()), *objects, "-lm"], to.parent)


def _find(name: str) -> str:
    """A program of this Python's own environment, or else of the system."""
    own = Path(sys.executable).parent / name
    path = str(own) if own.exists() else shutil.which(name)
    if path is None:
        raise ToolchainMissing(f"There is no {name} here: install the extra `build` of optarena.")
    return path


def _run(command: Sequence[str], folder: Path, given: bytes = b"") -> bytes:
    try:
        done = subprocess.run(  # noqa: S603 - the compilers above on sources of the suite
            command, cwd=folder, input=given, capture_output=True, timeout=_COMPILE_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise CompileError(f"{Path(command[0]).name} needed more than {_COMPILE_SECONDS} s") from error
    if done.returncode:
        raise CompileError(_first_error(done.stderr.decode(errors="replace"), done.returncode))
    return done.stdout


def _first_error(text: str, code: int) -> str:
    lines = text.splitlines()
    errors = [line for line in lines if "error" in line]
    return (errors or lines or [f"exit code {code}"])[0].strip()
