"""Preprocesses a program's units by the pinned GCC, so that its sources include nothing any more.

Instead of this machine's declarations of the C library, cc1 is given the suite's and GCC's own headers, which
are pinned by their hash.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import ToolchainMissing
from datasets.builder.processes import tool_environment
from datasets.builder.toolchain import CompileError
from optarena import limits
from optarena.errors import ToolMissing
from optarena.gcc import pinned
from optarena.gcc.toolchain import find
from optarena.gcc.units import Unit, pack

if TYPE_CHECKING:
    from collections.abc import Sequence

    from datasets.builder.processes import Processes
    from datasets.builder.staging import Staged
    from datasets.builder.suite import Program, ToolchainSpec
    from optarena.gcc.toolchain import GccToolchain

HEADERS_SHA256: Final = "6eb5d8ae2e88b5b726d6ccc70c23df7c01250599c6f1eae47332f8be69d5e7d0"
"""The hash of the names and contents of GCC's own headers: those of the package libgcc-12-dev."""
_HEADERS: Final = f"usr/lib/gcc/{pinned.MACHINE}/{pinned.MAJOR}/include"
_MACHINE: Final = ("-mtune=generic", "-march=x86-64", "-fPIE", "-w")
"""Of the options with which programs are compiled, those that define names."""
_AT_EVERY_LEVEL: Final = "-U__OPTIMIZE__"
"""Where it is defined, GCC's headers have intrinsics as functions, which do not compile at ``-O0``."""
_SECONDS: Final = 60.0
_KNOWN: Final = (
    *("-std=c11", "-std=gnu17", "-fno-ident", "-fno-stack-protector", "-ffp-contract=off", "-g0", "-w"),
    *("-Xclang", "-disable-llvm-passes", "-disable-O0-optnone", "-nostdlibinc"),
)
"""Flags that every compilation of ``gcc-v0`` has as well, or includes, or that mean nothing to GCC."""
_PREPROCESSORS: Final = ("-D", "-U", "-O", "-W", "--target=")
"""Beginnings of flags that a preprocessed source has the effects of, or that do not change code."""


class Preprocessor:
    """The preprocessor of the pinned GCC.

    Args:
        spec: The suite's requirements; its flags that define names are the preprocessor's as well.
        declarations: Folder of the package with the C library's declarations, for suites that name one.
        processes: Starts it.

    Attributes:
        gcc: The toolchain.

    Raises:
        ToolchainMissing: The pinned GCC or its headers are not installed.
    """

    def __init__(self, spec: ToolchainSpec, declarations: Path | None, processes: Processes) -> None:
        self.gcc = pinned_gcc()
        self._processes = processes
        places = [own_headers()]
        if declarations is not None:
            places += [declarations / one for one in spec.header_folders]
        self._flags = [
            *_MACHINE,
            *(flag for flag in spec.flags if flag.startswith(("-D", "-U", "-O", "-std="))),
            _AT_EVERY_LEVEL,
            "-nostdinc",
            *(part for place in places for part in ("-isystem", str(place))),
            *([f"-ffile-prefix-map={declarations}=."] if declarations else []),
        ]

    def container(self, program: Program, laid_out: Staged) -> bytes:
        """The units of a program that is laid out, each without what it included, in the order of linking.

        Raises:
            CompileError: One of them cannot be preprocessed.
            InvalidInput: They cannot be packed.
        """
        flags = [*program.flags, *laid_out.flags]
        return pack(Unit(unit.name, self._preprocessed(unit.path, flags)) for unit in laid_out.units)

    def _preprocessed(self, source: Path, flags: Sequence[str]) -> bytes:
        command = [*self.gcc.command("cc1"), "-E", "-P", "-quiet", *self._flags, *flags, source.name]
        try:
            with tempfile.TemporaryDirectory(prefix="optarena-build-") as scratch:
                done = self._processes.run(
                    command,
                    cwd=source.parent,
                    seconds=_SECONDS,
                    env=tool_environment(Path(scratch)),
                    memory_bytes=limits.TOOL_MEMORY_BYTES,
                )
        except TimeoutError as error:
            raise CompileError(f"cc1 needed {error} to preprocess {source.name}") from error
        if done.code:
            said = done.stderr.decode(errors="replace").strip()
            raise CompileError(f"cc1 cannot preprocess {source.name}: {' '.join(said.splitlines()[:1])}")
        return done.stdout if done.stdout.endswith(b"\n") else done.stdout + b"\n"


def lost_flags(flags: Sequence[str]) -> list[str]:
    """The flags that GCC's compilations of a source would not have, since a benchmark has no flags."""
    lost, following = [], iter(flags)
    for flag in following:
        if flag == "-include":
            next(following, None)
        elif flag not in _KNOWN and not flag.startswith(_PREPROCESSORS):
            lost.append(flag)
    return lost


def pinned_gcc() -> GccToolchain:
    """The pinned GCC.

    Raises:
        ToolchainMissing: It is not installed.
    """
    try:
        return find()
    except ToolMissing as error:
        raise ToolchainMissing(str(error)) from error


def own_headers(root: Path = Path("/")) -> Path:
    """The folder of GCC's own headers, below a system's root.

    Raises:
        ToolchainMissing: It is not there, or has other headers.
    """
    folder = root / _HEADERS
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.h")):
        digest.update(f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    if digest.hexdigest() != HEADERS_SHA256:
        raise ToolchainMissing(
            f"{folder} does not have the headers of {pinned.COMPILER}, with which programs are preprocessed: "
            f"install Debian 12's package libgcc-{pinned.MAJOR}-dev."
        )
    return folder
