"""Preprocess sources, and stage the files that a compiler may read.

The compiler only gets relative names, so that no folder of this machine gets into its output.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from datasets.builder.files import SourceUnavailable, ToolchainMissing
from datasets.builder.sources import Sources
from datasets.builder.suite import PackagePath, Program, Suite, ToolchainSpec
from datasets.builder.toolchain import CompileError, Processes
from optarena import limits
from optarena.errors import ToolMissing
from optarena.gcc import pinned
from optarena.gcc.toolchain import GccToolchain, find
from optarena.gcc.units import Unit, pack

# The hash of the names and contents of GCC's own headers: those of the package libgcc-12-dev.
HEADERS_SHA256: Final = "6eb5d8ae2e88b5b726d6ccc70c23df7c01250599c6f1eae47332f8be69d5e7d0"
_HEADERS: Final = f"usr/lib/gcc/{pinned.MACHINE}/{pinned.MAJOR}/include"
# Of the options with which programs are compiled, those that define names.
_MACHINE: Final = ("-mtune=generic", "-march=x86-64", "-fPIE", "-w")
# Where it is defined, GCC's headers have intrinsics as functions, which do not compile at `-O0`.
_AT_EVERY_LEVEL: Final = "-U__OPTIMIZE__"
_SECONDS: Final = 60.0
# Flags that every compilation of `gcc-v0` has as well, or includes, or that mean nothing to GCC.
_KNOWN: Final = (
    *("-std=c11", "-std=gnu17", "-fno-ident", "-fno-stack-protector", "-ffp-contract=off", "-g0", "-w"),
    *("-Xclang", "-disable-llvm-passes", "-disable-O0-optnone", "-nostdlibinc"),
)
# Beginnings of flags that a preprocessed source has the effects of, or that do not change code.
_PREPROCESSORS: Final = ("-D", "-U", "-O", "-W", "--target=")


class Preprocessor:
    # The suite's flags that define names are the preprocessor's as well.

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
        # The units of a program, each without what it included, in the order of linking.
        flags = [*program.flags, *laid_out.flags]
        return pack(Unit(unit.name, self._preprocessed(unit.path, flags)) for unit in laid_out.units)

    def _preprocessed(self, source: Path, flags: Sequence[str]) -> bytes:
        command = [*self.gcc.command("cc1"), "-E", "-P", "-quiet", *self._flags, *flags, source.name]
        try:
            done = self._processes.run_tool(
                command, cwd=source.parent, seconds=_SECONDS, memory_bytes=limits.TOOL_MEMORY_BYTES
            )
        except TimeoutError as error:
            raise CompileError(f"cc1 needed {error} to preprocess {source.name}") from error
        if done.code:
            said = done.stderr.decode(errors="replace").strip()
            raise CompileError(f"cc1 cannot preprocess {source.name}: {' '.join(said.splitlines()[:1])}")
        return done.stdout if done.stdout.endswith(b"\n") else done.stdout + b"\n"


def lost_flags(flags: Sequence[str]) -> list[str]:
    # The flags that GCC's compilations of a source would not have, since a benchmark has no flags.
    lost, following = [], iter(flags)
    for flag in following:
        if flag == "-include":
            next(following, None)
        elif flag not in _KNOWN and not flag.startswith(_PREPROCESSORS):
            lost.append(flag)
    return lost


def pinned_gcc() -> GccToolchain:
    try:
        return find()
    except ToolMissing as error:
        raise ToolchainMissing(str(error)) from error


def own_headers(root: Path = Path("/")) -> Path:
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


_AT: Final = re.compile(r"@(\w+)@")
_DEFINE01: Final = re.compile(r"^([ \t]*)#([ \t]*)cmakedefine01[ \t]+(\w+).*$", re.MULTILINE)
_DEFINE: Final = re.compile(r"^([ \t]*)#([ \t]*)cmakedefine[ \t]+(\w+)(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    name: str  # In messages and keys, the same on every machine.
    path: Path
    is_own: bool


@dataclass(frozen=True, slots=True)
class Staged:
    units: tuple[TranslationUnit, ...]  # The package's first.
    flags: tuple[str, ...]  # For this machine: include folders, and the names that replace them.
    # Folders that a file may include from: the packages, and the program's own files.
    roots: tuple[Path, ...]
    identity: str  # Of the content of all files, the same on every machine.


@contextmanager
def staged_program(program: Program, suite: Suite, sources: Sources) -> Iterator[Staged]:
    # The files lie there for as long as the block lasts.
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory(prefix="optarena-build-")))
        own, generated = root / "own", root / "generated"
        own.mkdir()
        generated.mkdir()
        folders = {name: sources.unpacked(suite.package(name)) for name in sorted(program.packages)}
        for header in program.headers:
            target = generated / header.path
            target.parent.mkdir(parents=True, exist_ok=True)
            text = header.text
            if header.template is not None:
                try:
                    template = _place(header.template, folders).read_text(encoding="utf-8")
                except (OSError, UnicodeDecodeError) as error:
                    place = f"The template {header.template.path} of the package {header.template.package}"
                    raise SourceUnavailable(f"{place} cannot be read: {error}.") from error
                text = filled(template, dict(header.values))
            target.write_bytes(text.encode())
        for name, content in program.support.items():
            (own / name).write_bytes(content)
        units = []
        for file in program.files:
            path = _place(file, folders)
            if not path.is_file():
                raise SourceUnavailable(f"The package {file.package} does not have the file {file.path}.")
            units.append(TranslationUnit(file.unit_name, path, is_own=False))
        if program.source:
            path = own / Path(program.source).name
            path.write_bytes(program.text)
            units.append(TranslationUnit(program.source, path, is_own=True))
        for path in (*own.iterdir(), *generated.rglob("*")):
            os.utime(path, (0, 0))  # __TIMESTAMP__
        flags = _flags(program, root, folders) if program.package else ()
        roots = (root, *folders.values())
        texts = {header.path: (generated / header.path).read_bytes() for header in program.headers}
        made_of = {
            "packages": {name: suite.package(name).sha256 for name in sorted(program.packages)},
            "include": [str(place) for place in program.include],
            "headers": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
            "support": {
                name: hashlib.sha256(text).hexdigest() for name, text in sorted(program.support.items())
            },
        }
        identity = hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()
        yield Staged(tuple(units), flags, roots, identity)


def _flags(program: Program, root: Path, folders: dict[str, Path]) -> tuple[str, ...]:
    include = [root / "generated", root / "own", *(_place(one, folders) for one in program.include)]
    names = {root: ".", **{folder: name for name, folder in folders.items()}}
    return (
        *(f"-I{folder}" for folder in include),
        *(f"-ffile-prefix-map={folder}={name}" for folder, name in names.items()),
    )


def _place(path: PackagePath, folders: dict[str, Path]) -> Path:
    return folders[path.package] / path.path


def filled(template: str, values: dict[str, str]) -> str:
    # Fill a template by the rules of CMake's `configure_file`.

    def value(name: str) -> str:
        return values.get(name, "0")

    text = _DEFINE01.sub(lambda m: f"{m[1]}#{m[2]}define {m[3]} {value(m[3])}", template)
    text = _DEFINE.sub(
        lambda m: f"{m[1]}#{m[2]}define {m[3]}{m[4]}" if value(m[3]) != "0" else f"/* #undef {m[3]} */", text
    )
    return _AT.sub(lambda m: value(m[1]), text)
