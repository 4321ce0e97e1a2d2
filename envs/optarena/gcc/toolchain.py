"""Finds the pinned GCC on this machine. It is accepted by the hashes of its programs, wherever it lies.

The places, in this order: ``$OPTARENA_GCC``, the folders into which ``optarena gcc install`` unpacks it, and
the system's own. Session processes import this module.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from optarena import paths
from optarena.errors import ToolMissing
from optarena.gcc import pinned
from optarena.isolation.tool_files import CACHE, LOADER, libraries_of, sha256_of
from optarena.isolation.tools import RunningTool, ToolAccess

VARIABLE: Final = "OPTARENA_GCC"
INSTALL: Final = "optarena gcc install"
LIBC: Final = "libc"  # the folder, in a bundle, of its own C library and loader
_FOLDER: Final = f"gcc-{pinned.BUILD}"
_REMEDY: Final = (
    f"Get it by `{INSTALL}`, which needs no root, or install Debian 12's packages cpp-{pinned.MAJOR} and "
    f"binutils; ${VARIABLE} may name the folder that has it."
)
_MOST_AT_ONCE: Final = 8
_Stamps: TypeAlias = "tuple[tuple[int, int] | None, ...]"
# In a bundle, or in a whole system.
_PLACES: Final[dict[str, tuple[str, ...]]] = {
    "cc1": ("cc1", f"usr/lib/gcc/{pinned.MACHINE}/{pinned.MAJOR}/cc1"),
    "as": ("as", f"usr/bin/{pinned.MACHINE}-as", "usr/bin/as"),
    "ld": ("ld", f"usr/bin/{pinned.MACHINE}-ld", "usr/bin/ld"),
}


class RunnableGcc(Protocol):
    @property
    def access(self) -> ToolAccess | None:
        """What its programs may read and execute on this machine; None if it cannot be confined."""

    def command(self, name: str) -> list[str]:
        """The beginning of a command line that runs one of its programs where no files are needed."""

    def run(self, name: str, commands: Sequence[Sequence[str]], folder: Path, *, wall_seconds: float) -> None:
        """Run one of its programs in a folder, once for each command, maybe at the same time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GccToolchain:
    place: str  # where it was found, for people
    programs: Mapping[str, Path]
    # what comes before a program on its command line: the loader and the folders of its libraries
    loader: tuple[str, ...]
    access: ToolAccess

    def command(self, name: str) -> list[str]:
        return [*self.loader, str(self.programs[name])]

    def run(self, name: str, commands: Sequence[Sequence[str]], folder: Path, *, wall_seconds: float) -> None:
        running: deque[RunningTool] = deque()
        program, at_once = self.command(name), min(len(os.sched_getaffinity(0)), _MOST_AT_ONCE)
        try:
            for number, arguments in enumerate(commands):
                if len(running) == at_once:
                    running.popleft().finish()
                label = f"tool-{number % at_once}"
                running.append(
                    RunningTool(
                        name,
                        [*program, *arguments],
                        access=self.access,
                        folder=folder,
                        label=label,
                        wall_seconds=wall_seconds,
                    )
                )
            while running:
                running.popleft().finish()
        finally:
            for tool in running:
                tool.abandon()


def install_folder() -> Path:
    return paths.new_toolchain(_FOLDER)


def candidates() -> Iterator[tuple[str, Path]]:  # each has a name for people
    named = os.environ.get(VARIABLE, "").strip()
    if named:
        yield f"${VARIABLE} ({named})", Path(os.path.expanduser(named)).absolute()  # noqa: PTH111 # it leaves an unknown user's folder
        return
    for folder in dict.fromkeys(paths.toolchains(_FOLDER)):
        yield str(folder), folder
    yield "the system", Path("/")


def find() -> GccToolchain:
    problems = []
    for place, folder in candidates():
        found = examine(place, folder)
        if isinstance(found, GccToolchain):
            return found
        problems.append(f"{place}: {found}.")
    raise ToolMissing(
        f"{pinned.COMPILER} was not found. {' '.join(problems)}", field=VARIABLE, remedy=_REMEDY
    )


def examine(place: str, folder: Path) -> GccToolchain | str:  # a text says why it is not there
    try:
        programs = _programs(folder)
        return programs if isinstance(programs, str) else _known_toolchain(place, folder, programs)
    except OSError as error:
        return f"{error.filename or folder} cannot be read ({error.strerror})"
    except ToolMissing as error:
        return error.message.rstrip(".")


# Toolchains that ran, and their files as they were then: asking the loader takes longer than a look.
_known: Final[dict[tuple[str, Path], tuple[GccToolchain, _Stamps]]] = {}


def _known_toolchain(place: str, folder: Path, programs: Mapping[str, Path]) -> GccToolchain:
    toolchain, stamps = _known.get((place, folder), (None, ()))
    if toolchain is None or toolchain.programs != programs or stamps != _stamps(folder, toolchain):
        toolchain = _runnable(place, folder, programs)
        _known[place, folder] = toolchain, _stamps(folder, toolchain)
    return toolchain


def _stamps(folder: Path, toolchain: GccToolchain) -> _Stamps:
    # Size and time of change; None for a file that is gone.
    found: list[tuple[int, int] | None] = []
    for path in (folder, *toolchain.access.files, *toolchain.access.data):
        try:
            status = path.stat()
        except OSError:
            found.append(None)
        else:
            found.append((status.st_size, status.st_mtime_ns))
    return tuple(found)


def _programs(folder: Path) -> dict[str, Path] | str:
    programs: dict[str, Path] = {}
    for name, wanted in pinned.PROGRAMS.items():
        path = next((folder / one for one in _PLACES[name] if (folder / one).is_file()), None)
        if path is None:
            return f"it has no {name}" if folder.is_dir() else "there is no such folder"
        found = _sha256(path, path.stat().st_size, path.stat().st_mtime_ns)
        if found != wanted:
            return f"{path} is another build (sha256 {found[:12]}…, and not {wanted[:12]}…)"
        programs[name] = path
    return programs


@lru_cache(maxsize=64)
def _sha256(path: Path, size: int, changed: int) -> str:
    del size, changed  # part of the key: a file that was replaced is read again
    return sha256_of(path)


def _runnable(place: str, folder: Path, programs: Mapping[str, Path]) -> GccToolchain:
    if folder == Path("/"):
        return _with_libraries(place, programs, LOADER, None)
    try:
        return _with_libraries(place, programs, LOADER, str(folder))
    except ToolMissing:
        own = folder / LIBC / LOADER.name
        if not own.is_file():
            raise
    return _with_libraries(place, programs, own, f"{folder}:{folder / LIBC}")


def _with_libraries(
    place: str, programs: Mapping[str, Path], loader: Path, where: str | None
) -> GccToolchain:
    files: dict[Path, None] = {}
    for path in programs.values():
        files.update(dict.fromkeys([path.resolve(), *libraries_of(path, loader=loader, folder=where)]))
    cached = (CACHE,) if os.access(CACHE, os.R_OK) else ()
    return GccToolchain(
        place=place,
        programs=programs,
        loader=() if where is None else (str(loader), "--library-path", where),
        access=ToolAccess(hashes=dict(pinned.PROGRAMS), files=tuple(files), data=cached),
    )
