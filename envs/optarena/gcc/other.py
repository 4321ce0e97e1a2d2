"""Other GCCs than the pinned one: any of version 7 or later for x86-64, of this machine or of an image.

What they are is asked of them: their version, their programs, and their options. No board takes their
results, so their options are not reviewed, and they may refuse some values.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput, ToolMissing
from optarena.gcc import build_options, pinned
from optarena.gcc.docker import PREFIX, DockerToolchain, checked_image
from optarena.gcc.options import GccOption
from optarena.gcc.toolchain import GccToolchain
from optarena.isolation.tool_files import access_to
from optarena.service.processes import bounded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optarena.gcc.toolchain import RunnableGcc

FIELD: Final = "gcc_bin"
OLDEST: Final = 7
_SECONDS: Final = 30.0
_SAID: Final = 300
_MACHINE: Final = "x86_64"
_VERSION: Final = re.compile(r"(\d{1,3})\.\d{1,3}(\.\d{1,3})?")
_SUM: Final = re.compile(r"([0-9a-f]{64}) [ *]")
_LIMITED: Final = ("/bin/sh", "-c", 'ulimit -f 8192 && exec "$@"', "sh")
"""Keeps a program that is not a GCC from filling the disk with what it prints."""
_GNU17_SINCE: Final = 8


@dataclass(frozen=True, slots=True)
class GccPlace:
    """Where another GCC is.

    Attributes:
        program: Its driver; of an image, the client of Docker.
        image: The image; empty for one of this machine.
    """

    program: str
    image: str = ""

    @classmethod
    def parse(cls, text: object) -> GccPlace:
        """The place that a user names: the path or the name of a driver, or ``docker:IMAGE``.

        Raises:
            InvalidInput: It has another form.
            ToolMissing: There is no such program, or no Docker.
        """
        given = str(text) if isinstance(text, (str, Path)) else ""
        if not given.strip() or not given.isprintable():
            remedy = f"Give the path or the name of a gcc, or '{PREFIX}IMAGE'."
            raise InvalidInput(f"{FIELD} is {text!r:.200}.", field=FIELD, value=text, remedy=remedy)
        if given.startswith(PREFIX):
            image, client = checked_image(given.removeprefix(PREFIX)), shutil.which("docker")
            if client is None:
                raise _missing("There is no docker on this machine.", given, "Install Docker, or name a gcc.")
            return cls(client, image)
        found = shutil.which(os.path.expanduser(given))  # noqa: PTH111 # it leaves an unknown user's folder
        if found is None:
            problem = f"There is no program {given[:200]!r} on this machine."
            raise _missing(problem, given, "Give the path or the name of a gcc that is installed.")
        return cls(str(Path(found).absolute()))

    @property
    def code(self) -> str:
        """The place as a part of an identifier; :meth:`of_code` reads it."""
        return f"{self.program}\n{self.image}".encode().hex()

    @classmethod
    def of_code(cls, code: str) -> GccPlace:
        """The place of a code.

        Raises:
            ValueError: It is not a code.
        """
        program, _, image = bytes.fromhex(code).decode().partition("\n")
        return cls(program, image)

    def __str__(self) -> str:
        return f"{PREFIX}{self.image}" if self.image else self.program

    def asked(self, *arguments: str) -> str:
        """What a program of it answers.

        Raises:
            ToolMissing: It cannot be started, fails, or does not end.
        """
        command = [*_LIMITED, *self._command(), *arguments]
        variables = {**os.environ, "LC_ALL": "C"}
        try:
            ended = bounded.run(command, seconds=_SECONDS, environment=variables)
        except (OSError, TimeoutError) as error:
            raise _missing(f"{self} cannot be asked what it is: {error}", str(self)) from error
        if ended.code:
            said = (ended.said or ended.printed).strip()[-_SAID:] or f"it ended with {ended.code}"
            raise _missing(f"{self} does not answer {arguments[-1]!r}: {said.rstrip('.')}.", str(self))
        return ended.printed.strip()

    def _command(self) -> list[str]:
        return DockerToolchain.start(self.program, self.image) if self.image else [self.program]


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherGcc:
    """A GCC that was asked what it is.

    Attributes:
        place: Where it is.
        version: Its version.
        hashes: The sha256 of ``cc1``, ``as`` and ``ld``.
        options: Its options.
        toolchain: Runs it.
    """

    place: GccPlace
    version: str
    hashes: Mapping[str, str]
    options: tuple[GccOption, ...]
    toolchain: RunnableGcc

    @property
    def major(self) -> int:
        """The first number of its version."""
        return int(self.version.partition(".")[0])

    @property
    def identity(self) -> str:
        """What tells it from every other GCC."""
        return " ".join([self.version, *(f"{name}:{sha256}" for name, sha256 in self.hashes.items())])

    @property
    def front_end(self) -> tuple[str, ...]:
        """What every compilation has before its options; GCC 7 does not know the newest C."""
        is_old = self.major < _GNU17_SINCE
        return tuple("-std=gnu11" if is_old and word == "-std=gnu17" else word for word in pinned.FRONT_END)

    @property
    def levels(self) -> tuple[str, ...]:
        """Its levels, as far as the pinned one has them."""
        level = next(one for one in self.options if one.kind == "level")
        return tuple(one for one in build_options.LEVELS if f"-{one}" in level.choices and one != "Og")


@cache
def ask(place: GccPlace) -> OtherGcc:
    """The GCC of a place.

    Raises:
        ToolMissing: It is not a GCC of version 7 or later for x86-64, or does not answer.
    """
    compiler = ("gcc",) if place.image else ()
    version = place.asked(*compiler, "-dumpfullversion")
    found = _VERSION.fullmatch(version)
    if found is None or int(found[1]) < OLDEST:
        remedy = f"Name a GCC of version {OLDEST} or later."
        raise _missing(f"{place} is not such a GCC: its version is {version[:100]!r}.", str(place), remedy)
    machine = place.asked(*compiler, "-dumpmachine")
    if not machine.startswith(f"{_MACHINE}-"):
        remedy = f"Name a GCC for {_MACHINE}."
        raise _missing(f"{place} compiles for {machine[:100]}.", str(place), remedy)
    programs = {name: place.asked(*compiler, f"-print-prog-name={name}") for name in ("cc1", "as", "ld")}
    toolchain, hashes = (_in_image if place.image else _here)(place, programs)
    options = _options(place, toolchain)
    return OtherGcc(place=place, version=version, hashes=hashes, options=options, toolchain=toolchain)


def _here(place: GccPlace, programs: Mapping[str, str]) -> tuple[RunnableGcc, Mapping[str, str]]:
    paths = {}
    for name, program in programs.items():
        found = shutil.which(program)
        if found is None:
            raise _missing(f"{place} has no {name}.", str(place), "Install all of its packages.")
        paths[name] = Path(found).resolve()  # a confined process may read the files, and no links
    access = access_to(paths)
    return GccToolchain(place=str(place), programs=paths, loader=(), access=access), access.hashes


def _in_image(place: GccPlace, programs: Mapping[str, str]) -> tuple[RunnableGcc, Mapping[str, str]]:
    script = 'for program; do sha256sum "$(command -v "$program")" || exit; done'
    said = place.asked("sh", "-c", script, "sh", *programs.values())
    sums = _SUM.findall(said)
    if len(sums) != len(programs):
        raise _missing(f"{place} does not tell the sha256 of its cc1, as and ld.", str(place))
    return DockerToolchain(place.program, place.image, programs), dict(zip(programs, sums, strict=True))


def _options(place: GccPlace, toolchain: RunnableGcc) -> tuple[GccOption, ...]:
    """All options of which GCC says the values, with the rules of the pinned one's table.

    Raises:
        ToolMissing: Its cc1 does not say them.
    """
    try:
        rows = list(build_options.described(toolchain, build_options.LEVELS[:1]))
    except subprocess.TimeoutExpired as error:
        problem = f"did not end within {error.timeout:g} s when it was asked for its options."
        raise _missing(f"The cc1 of {place} {problem}", str(place)) from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip()[-_SAID:] or f"it ended with {error.returncode}"
        problem = f"does not say its options: {said.rstrip('.')}."
        raise _missing(f"The cc1 of {place} {problem}", str(place)) from error
    except OSError as error:
        raise _missing(f"The cc1 of {place} cannot be started: {error.strerror}.", str(place)) from error
    if not rows[0].values:  # those of -O, which every GCC lists
        raise _missing(f"The cc1 of {place} does not say its options.", str(place))
    return tuple(
        GccOption(
            name=row.described.name,
            kind=row.described.kind,
            choices=tuple(row.words()),
            default=row.described.default,
            reason=row.reason,
            whole=row.whole(),
        )
        for row in rows
    )


def _missing(problem: str, value: str, remedy: str = "Name another GCC.") -> ToolMissing:
    return ToolMissing(problem, field=FIELD, value=value, remedy=remedy)
