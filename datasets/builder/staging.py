"""Arranges a program's files for the compiler: its own source, unpacked packages, and generated headers.

The compiler only gets relative names, so that no folder of this machine gets into its output.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from datasets.builder.errors import SourceUnavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from datasets.builder.sources import Sources
    from datasets.builder.suite import Header, PackagePath, Program, Suite

_AT: Final = re.compile(r"@(\w+)@")
_DEFINE01: Final = re.compile(r"^([ \t]*)#([ \t]*)cmakedefine01[ \t]+(\w+).*$", re.MULTILINE)
_DEFINE: Final = re.compile(r"^([ \t]*)#([ \t]*)cmakedefine[ \t]+(\w+)(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TranslationUnit:
    """One file to compile.

    Attributes:
        name: Its name in messages and keys, the same on every machine.
        path: Its path on this machine.
        is_own: Whether it is the suite's own source.
    """

    name: str
    path: Path
    is_own: bool


@dataclass(frozen=True, slots=True)
class Staged:
    """A program whose files are arranged.

    Attributes:
        units: The files to compile, the package's first.
        flags: Flags for this machine: include folders, and the names that replace them.
        roots: Folders that a file may include from: the packages, and the program's own files.
        identity: Identifies the content of all files, the same on every machine: packages by their hashes,
            own files and generated headers by their content.
    """

    units: tuple[TranslationUnit, ...]
    flags: tuple[str, ...]
    roots: tuple[Path, ...]
    identity: str


@contextmanager
def staged(program: Program, suite: Suite, sources: Sources) -> Iterator[Staged]:
    """Arranges a program's files for as long as the block lasts.

    Raises:
        SourceUnavailable: A package is not available, or lacks a file that the suite names.
    """
    with ExitStack() as stack:
        root = Path(stack.enter_context(TemporaryDirectory(prefix="optarena-build-")))
        own, generated = root / "own", root / "generated"
        own.mkdir()
        generated.mkdir()
        folders = {name: sources.unpacked(suite.package(name)) for name in sorted(program.packages)}
        for header in program.headers:
            _generate(header, generated, folders)
        for name, content in program.support.items():
            (own / name).write_bytes(content)
        units = [_unit(file, folders) for file in program.files]
        if program.source:
            path = own / Path(program.source).name
            path.write_bytes(program.text)
            units.append(TranslationUnit(program.source, path, is_own=True))
        for path in (*own.iterdir(), *generated.rglob("*")):
            os.utime(path, (0, 0))  # __TIMESTAMP__
        flags = _flags(program, root, folders) if program.package else ()
        roots = (root, *folders.values())
        yield Staged(tuple(units), flags, roots, _identity(program, suite, generated))


def _flags(program: Program, root: Path, folders: dict[str, Path]) -> tuple[str, ...]:
    include = [root / "generated", root / "own", *(_place(one, folders) for one in program.include)]
    names = {root: ".", **{folder: name for name, folder in folders.items()}}
    return (
        *(f"-I{folder}" for folder in include),
        *(f"-ffile-prefix-map={folder}={name}" for folder, name in names.items()),
    )


def _identity(program: Program, suite: Suite, generated: Path) -> str:
    texts = {header.path: (generated / header.path).read_bytes() for header in program.headers}
    made_of = {
        "packages": {name: suite.package(name).sha256 for name in sorted(program.packages)},
        "include": [str(place) for place in program.include],
        "headers": {name: hashlib.sha256(text).hexdigest() for name, text in texts.items()},
        "support": {name: hashlib.sha256(text).hexdigest() for name, text in sorted(program.support.items())},
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def _unit(file: PackagePath, folders: dict[str, Path]) -> TranslationUnit:
    path = _place(file, folders)
    if not path.is_file():
        raise SourceUnavailable(f"The package {file.package} does not have the file {file.path}.")
    return TranslationUnit(file.unit_name, path, is_own=False)


def _place(path: PackagePath, folders: dict[str, Path]) -> Path:
    return folders[path.package] / path.path


def _generate(header: Header, folder: Path, folders: dict[str, Path]) -> None:
    target = folder / header.path
    target.parent.mkdir(parents=True, exist_ok=True)
    if header.template is None:
        target.write_bytes(header.text.encode())
        return
    source = _place(header.template, folders)
    try:
        text = source.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        place = f"The template {header.template.path} of the package {header.template.package}"
        raise SourceUnavailable(f"{place} cannot be read: {error}.") from error
    target.write_bytes(filled(text, dict(header.values)).encode())


def filled(template: str, values: dict[str, str]) -> str:
    """A header's template with its names filled in, by the rules of CMake's ``configure_file``."""

    def value(name: str) -> str:
        return values.get(name, "0")

    text = _DEFINE01.sub(lambda m: f"{m[1]}#{m[2]}define {m[3]} {value(m[3])}", template)
    text = _DEFINE.sub(
        lambda m: f"{m[1]}#{m[2]}define {m[3]}{m[4]}" if value(m[3]) != "0" else f"/* #undef {m[3]} */", text
    )
    return _AT.sub(lambda m: value(m[1]), text)
