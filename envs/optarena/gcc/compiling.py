"""Runs cc1, as and ld: from a program and the words of a command line to assembly and an object file.

Units are compiled side by side, and linked without what ``main`` does not reach.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from optarena import limits
from optarena.errors import InvalidInput
from optarena.gcc import pinned
from optarena.gcc.units import MAX_NAME, Unit, is_container, pack, unpack
from optarena.isolation.tools import ToolFailed
from optarena.machine_code import elf

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.gcc.toolchain import RunnableGcc

# Levels whose sizes are offered for programs of which no baseline is recorded.
LEVELS: Final = ("O0", "O1", "O2", "O3", "Os", "Oz")
SOURCE: Final = "program.c"
_ASSEMBLY: Final = "program.s"
_OBJECT: Final = "program.o"
_DUMPS: Final = f"{SOURCE}.*r.dfinish"
_UNIT_FILE: Final = re.compile(r"\b(unit-\d+)(\.[cso])(?=:)")
_LINK: Final = ("-r", "--gc-sections", "-e", "main", "-o", _OBJECT)
_SHOWN: Final = 500
_SHOWN_OPTION: Final = 80
_LONGEST_DERIVED: Final = MAX_NAME + len(".rtl")  # bytes of the name of what is made of a unit
# A message would else quote the line that it is about, of whatever file the program names.
_NO_QUOTES: Final = "-fno-diagnostics-show-caret"
_REFUSED: Final = (1, 4)  # cc1's exit codes for an error in the program, and for a program that makes it fail


_PRAGMA: Final = re.compile(
    rb"(?:^[ \t]*#[ \t]*pragma[ \t]+|_Pragma[ \t]*\([ \t]*\")GCC[ \t]+(push_options|pop_options|optimize)\b",
    re.MULTILINE,
)
# The gaps have limits, lest each attribute is searched to the end of the program.
_ATTRIBUTE: Final = re.compile(
    rb"__attribute__[ \t]*\(\([^;{]{0,200}?\b_*optimize_*[ \t]*\([^\n]{0,200}?\)\)"
)


class OwnOptions(NamedTuple):
    # What the program sets for all that follows, and for some functions only.
    everywhere: list[str]
    in_places: list[str]


def own_options(source: bytes) -> OwnOptions:
    levels: list[list[str]] = [[]]
    in_places = []
    for pragma in _PRAGMA.finditer(source):
        if pragma[1] == b"push_options":
            levels.append([])
        elif pragma[1] == b"optimize":
            levels[-1].append(_shown(source, pragma.start()))
        elif len(levels) > 1:
            in_places += levels.pop()
    in_places += [_shown(source, one.start()) for one in _ATTRIBUTE.finditer(source)]
    return OwnOptions([one for level in levels for one in level], in_places)


def _shown(source: bytes, start: int) -> str:
    line = source[start : start + _SHOWN_OPTION].strip().partition(b"\n")[0]
    return line.decode(errors="replace")


class Compiler:
    """A GCC at work on one program, of one or several units, in a folder."""

    def __init__(
        self,
        toolchain: RunnableGcc,
        folder: Path,
        source: bytes,
        front_end: Sequence[str] = pinned.FRONT_END,
        *,
        wall_seconds: float = limits.TOOL_WALL_SECONDS,
    ) -> None:
        self._toolchain = toolchain
        self._front_end = tuple(front_end)
        self._wall_seconds = wall_seconds
        self._is_whole = not is_container(source)
        self._units = (Unit(SOURCE, source),) if self._is_whole else unpack(source)
        self.folder = folder

    def check(self) -> None:
        for unit in self._units:
            if options := own_options(unit.data).everywhere:
                raise InvalidInput(
                    f"{unit.name} sets options of its own, which override the chosen ones: {options[0]}.",
                    field="program",
                    value=options[0],
                    remedy="Remove it. Between #pragma GCC push_options and pop_options it may stay.",
                )
        try:
            self._compile(lambda _: ["-fsyntax-only"])
        except ToolFailed as error:
            if error.code not in _REFUSED:
                raise
            raise InvalidInput(
                f"GCC cannot compile the program: {_first_errors(error.said)}.",
                field="program",
                remedy="Correct it. It must be preprocessed C: `gcc -E -P program.c > program.i` makes that.",
            ) from error

    def assembly(self, words: Sequence[str]) -> bytes:
        self._compile(lambda number: [*words, *self._unit_flags, "-o", self._file(number, ".s")])
        return self._pack_parts(".s", [self._read(number, ".s") for number in range(len(self._units))])

    def object_file(self, assembly: bytes) -> bytes:
        parts = (
            [assembly]
            if self._is_whole
            else [unit.data for unit in unpack(assembly, longest=_LONGEST_DERIVED)]
        )
        self._make_folder()
        for number, part in enumerate(parts):
            (self.folder / self._file(number, ".s")).write_bytes(part)
        objects = [self._file(number, ".o") for number in range(len(parts))]
        self._run("as", [["--64", "-o", one, self._file(at, ".s")] for at, one in enumerate(objects)])
        if not self._is_whole:
            self._link(objects)
        code = (self.folder / _OBJECT).read_bytes()
        return code if self._is_whole else elf.with_internal_hidden(code)

    def _link(self, objects: Sequence[str]) -> None:
        try:
            self._run("ld", [[*_LINK, *objects]])
        except ToolFailed as error:
            if error.code != 1:
                raise
            said = "; ".join(error.said.splitlines())[:_SHOWN]
            raise InvalidInput(
                f"The units of the program cannot be linked: {said.rstrip('.')}.",
                field="program",
                remedy="Define main in one unit, without static, and no other function or variable twice.",
            ) from error

    def rtl(self, words: Sequence[str]) -> bytes:  # a unit without functions has an empty line there
        dumps = []
        for number in range(len(self._units)):  # one by one: the dumps have one name
            asked = [*words, *self._unit_flags, "-fdump-rtl-dfinish", "-o", self._file(number, ".s")]
            self._write(number)
            self._run("cc1", [self._cc1(number, asked)])
            dumps.append(self._collect_dump() or (b"" if self._is_whole else b"\n"))
        return self._pack_parts(".rtl", dumps)

    @property
    def _unit_flags(self) -> tuple[str, ...]:
        return () if self._is_whole else pinned.UNIT_FLAGS

    def _compile(self, words: Callable[[int], list[str]]) -> None:
        # The largest unit first, lest it is left alone at the end.
        numbers = sorted(range(len(self._units)), key=lambda number: -len(self._units[number].data))
        for number in numbers:
            self._write(number)
        self._run("cc1", [self._cc1(number, words(number)) for number in numbers])

    def _run(self, name: str, commands: Sequence[Sequence[str]]) -> None:
        try:
            self._toolchain.run(name, commands, self.folder, wall_seconds=self._wall_seconds)
        except ToolFailed as error:
            raise ToolFailed(name, error.code, self._with_names(error.said)) from error

    def _cc1(self, number: int, words: Sequence[str]) -> list[str]:
        return [*self._front_end, _NO_QUOTES, *words, self._file(number, ".c")]

    def _file(self, number: int, suffix: str) -> str:
        # The same on every machine: objects have the name among their symbols.
        return f"program{suffix}" if self._is_whole else f"unit-{number}{suffix}"

    def _with_names(self, said: str) -> str:
        if self._is_whole:
            return said
        names = {f"unit-{number}": unit.name for number, unit in enumerate(self._units)}
        return _UNIT_FILE.sub(lambda file: names.get(file[1], file[1]) + file[2].removesuffix(".c"), said)

    def _read(self, number: int, suffix: str) -> bytes:
        return (self.folder / self._file(number, suffix)).read_bytes()

    def _write(self, number: int) -> None:  # the first time, in a copy, or if the folder was removed
        source = self.folder / self._file(number, ".c")
        if not source.exists():
            self._make_folder()
            source.write_bytes(self._units[number].data)

    def _make_folder(self) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _collect_dump(self) -> bytes:
        files = sorted(self.folder.glob(_DUMPS))
        try:
            return b"".join(file.read_bytes() for file in files)
        finally:
            for file in files:
                file.unlink(missing_ok=True)

    def _pack_parts(self, suffix: str, parts: Sequence[bytes]) -> bytes:
        if self._is_whole:
            return parts[0]
        units = [Unit(f"{unit.name}{suffix}", part) for unit, part in zip(self._units, parts, strict=True)]
        return pack(units, longest=_LONGEST_DERIVED)


def _first_errors(said: str) -> str:
    errors = [line.strip() for line in said.splitlines() if ": error: " in line or ": fatal error: " in line]
    return "; ".join(errors[:3] or said.splitlines()[:1])[:_SHOWN]
