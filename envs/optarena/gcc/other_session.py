"""The session types of other GCCs: ``optarena.gcc.other_session:Gcc_CODE``, with the code of a place.

A session process knows its type by name alone, so the name says which GCC it is.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

from optarena import limits
from optarena.errors import InvalidInput, ServiceError, SessionOutOfMemory, SessionTimeout, ToolMissing
from optarena.gcc import build_options, pinned
from optarena.gcc.options import NAME, ChoiceTable, GccOption, RelativeTable, safe_table, whole_table
from optarena.gcc.session import GccActions, GccSession, action_space, observed_by
from optarena.gcc.toolchain import GccToolchain, RunnableGcc
from optarena.isolation.tool_files import access_to
from optarena.isolation.tools import ToolAccess, ToolFailed
from optarena.service.processes import folders

PREFIX: Final = "docker:"
_IMAGE: Final = re.compile(r"[A-Za-z0-9][\w.:/@-]{0,254}", re.ASCII)
_FOLDER: Final = "/optarena"
_DOCKER_OUTPUT_CHARACTERS: Final = 4096
_ITS_OWN_FAILURE: Final = 125  # the exit code of `docker run` where the container was not started
_BY_SIGNAL: Final = 128  # what `docker run` adds to the number of the signal that ended the program


@dataclass(frozen=True, slots=True)
class DockerToolchain:
    """A GCC in an image, which is on this machine: none is pulled.

    A container sees the session's folder and nothing else of this machine. Its CPU time and memory are those
    of a tool, and its time is extended like a tool's.
    """

    client: str
    image: str
    programs: Mapping[str, str]

    @property
    def access(self) -> ToolAccess | None:  # a confined session cannot reach Docker
        return None

    @staticmethod
    def start(client: str, image: str, *options: str) -> list[str]:
        # The limits hold in the container, which goes on if its client is killed.
        cpu, memory = max(1, int(_cpu_seconds())), limits.SESSION_MEMORY_BYTES
        limited = f"--ulimit=cpu={cpu}:{cpu + 1}", f"--memory={memory}"
        return [client, "run", "--rm", "--pull=never", "--network=none", *limited, *options, image]

    def command(self, name: str) -> list[str]:
        return [*self.start(self.client, self.image), self.programs[name]]

    def run(self, name: str, commands: Sequence[Sequence[str]], folder: Path, *, wall_seconds: float) -> None:
        for arguments in commands:
            self._run(name, arguments, folder, wall_seconds)

    def _run(self, name: str, arguments: Sequence[str], folder: Path, wall_seconds: float) -> None:
        options = (
            f"--volume={folder.absolute()}:{_FOLDER}",
            f"--workdir={_FOLDER}",
            f"--user={os.geteuid()}:{os.getegid()}",
        )
        command = [*self.start(self.client, self.image, *options), self.programs[name], *arguments]
        started = time.monotonic()
        try:
            ended = folders.run(command, seconds=limits.seconds(wall_seconds))
        except TimeoutError as error:
            raise SessionTimeout(f"{name} in {PREFIX}{self.image}: {error}") from error
        except OSError as error:
            raise ServiceError(f"{self.client} cannot be started: {error}") from error
        said = ended.said.strip()[-_DOCKER_OUTPUT_CHARACTERS:]
        if ended.code == _ITS_OWN_FAILURE:
            raise ServiceError(f"Docker does not run {name} of {self.image}: {said}")
        if ended.code:
            raise _failure(name, ended.code, said, time.monotonic() - started)


def _cpu_seconds() -> float:
    return limits.seconds(limits.CODE_CPU_SECONDS)


def _failure(name: str, code: int, said: str, seconds: float) -> ServiceError:
    # A container ends by SIGKILL for CPU time and for memory; it cannot have used up its CPU time earlier.
    cpu, memory = f"CPU time of {_cpu_seconds():g} s", limits.SESSION_MEMORY_BYTES
    if code == _BY_SIGNAL + signal.SIGXCPU:
        return SessionTimeout(f"{name} used its {cpu}.")
    if code != _BY_SIGNAL + signal.SIGKILL:
        return ToolFailed(name, code, said)
    if seconds >= _cpu_seconds():
        return SessionTimeout(f"{name} used its {cpu} or its {memory / 2**30:g} GiB of memory.")
    return SessionOutOfMemory(f"{name} used its {memory / 2**30:g} GiB of memory, or somebody killed it.")


FIELD: Final = "gcc_bin"
OLDEST: Final = 7
_SECONDS: Final = 30.0
_ERROR_CHARACTERS: Final = 300
_MACHINE: Final = "x86_64"
_VERSION: Final = re.compile(r"(\d{1,3})\.\d{1,3}(\.\d{1,3})?")
_SUM: Final = re.compile(r"([0-9a-f]{64}) [ *]")
# Keeps a program that is not a GCC from filling the disk with what it prints.
_LIMITED: Final = ("/bin/sh", "-c", 'ulimit -f 8192 && exec "$@"', "sh")
_GNU17_SINCE: Final = 8


@dataclass(frozen=True, slots=True)
class GccPlace:
    program: str  # the driver; of an image, the client of Docker
    image: str = ""  # empty for a GCC of this machine

    @classmethod
    def parse(cls, text: object) -> GccPlace:
        given = str(text) if isinstance(text, (str, Path)) else ""
        if not given.strip() or not given.isprintable():
            remedy = f"Give the path or the name of a gcc, or '{PREFIX}IMAGE'."
            raise InvalidInput(f"{FIELD} is {text!r:.200}.", field=FIELD, value=text, remedy=remedy)
        if given.startswith(PREFIX):
            image, client = given.removeprefix(PREFIX), shutil.which("docker")
            if not _IMAGE.fullmatch(image):
                remedy = f"Give '{PREFIX}NAME:TAG', for example '{PREFIX}gcc:13'."
                message = f"{FIELD} names the image {image[:200]!r}, which is not the name of one."
                raise InvalidInput(message, field=FIELD, value=image, remedy=remedy)
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
        return f"{self.program}\n{self.image}".encode().hex()

    @classmethod
    def of_code(cls, code: str) -> GccPlace:
        program, _, image = bytes.fromhex(code).decode().partition("\n")
        return cls(program, image)

    def __str__(self) -> str:
        return f"{PREFIX}{self.image}" if self.image else self.program

    def query_program(self, *arguments: str) -> str:
        program = DockerToolchain.start(self.program, self.image) if self.image else [self.program]
        command = [*_LIMITED, *program, *arguments]
        variables = {**os.environ, "LC_ALL": "C"}
        try:
            ended = folders.run(command, seconds=_SECONDS, environment=variables)
        except (OSError, TimeoutError) as error:
            raise _missing(f"{self} cannot be asked what it is: {error}", str(self)) from error
        if ended.code:
            said = (ended.said or ended.printed).strip()[-_ERROR_CHARACTERS:] or f"it ended with {ended.code}"
            raise _missing(f"{self} does not answer {arguments[-1]!r}: {said.rstrip('.')}.", str(self))
        return ended.printed.strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherGcc:
    place: GccPlace
    version: str
    hashes: Mapping[str, str]  # the sha256 of cc1, as and ld
    options: tuple[GccOption, ...]
    toolchain: RunnableGcc

    @property
    def identity(self) -> str:
        return " ".join([self.version, *(f"{name}:{sha256}" for name, sha256 in self.hashes.items())])

    @property
    def front_end(self) -> tuple[str, ...]:  # GCC 7 does not know the newest C
        is_old = int(self.version.partition(".")[0]) < _GNU17_SINCE
        return tuple("-std=gnu11" if is_old and word == "-std=gnu17" else word for word in pinned.FRONT_END)

    @property
    def levels(self) -> tuple[str, ...]:  # as far as the pinned one has them
        level = next(one for one in self.options if one.kind == "level")
        return tuple(one for one in build_options.LEVELS if f"-{one}" in level.choices and one != "Og")


@cache
def ask(place: GccPlace) -> OtherGcc:
    compiler = ("gcc",) if place.image else ()
    version = place.query_program(*compiler, "-dumpfullversion")
    found = _VERSION.fullmatch(version)
    if found is None or int(found[1]) < OLDEST:
        remedy = f"Name a GCC of version {OLDEST} or later."
        raise _missing(f"{place} is not such a GCC: its version is {version[:100]!r}.", str(place), remedy)
    machine = place.query_program(*compiler, "-dumpmachine")
    if not machine.startswith(f"{_MACHINE}-"):
        remedy = f"Name a GCC for {_MACHINE}."
        raise _missing(f"{place} compiles for {machine[:100]}.", str(place), remedy)
    programs = {
        name: place.query_program(*compiler, f"-print-prog-name={name}") for name in ("cc1", "as", "ld")
    }
    toolchain, hashes = (_image_toolchain if place.image else _local_toolchain)(place, programs)
    options = _options(place, toolchain)
    return OtherGcc(place=place, version=version, hashes=hashes, options=options, toolchain=toolchain)


def _local_toolchain(place: GccPlace, programs: Mapping[str, str]) -> tuple[RunnableGcc, Mapping[str, str]]:
    paths = {}
    for name, program in programs.items():
        found = shutil.which(program)
        if found is None:
            raise _missing(f"{place} has no {name}.", str(place), "Install all of its packages.")
        paths[name] = Path(found).resolve()  # a confined process may read the files, and no links
    access = access_to(paths)
    return GccToolchain(place=str(place), programs=paths, loader=(), access=access), access.hashes


def _image_toolchain(place: GccPlace, programs: Mapping[str, str]) -> tuple[RunnableGcc, Mapping[str, str]]:
    script = 'for program; do sha256sum "$(command -v "$program")" || exit; done'
    said = place.query_program("sh", "-c", script, "sh", *programs.values())
    sums = _SUM.findall(said)
    if len(sums) != len(programs):
        raise _missing(f"{place} does not tell the sha256 of its cc1, as and ld.", str(place))
    return DockerToolchain(place.program, place.image, programs), dict(zip(programs, sums, strict=True))


def _options(place: GccPlace, toolchain: RunnableGcc) -> tuple[GccOption, ...]:
    # With the rules of the pinned one's table.
    try:
        options = tuple(build_options.describe_options(toolchain, build_options.LEVELS[:1]))
    except subprocess.TimeoutExpired as error:
        problem = f"did not end within {error.timeout:g} s when it was asked for its options."
        raise _missing(f"The cc1 of {place} {problem}", str(place)) from error
    except subprocess.CalledProcessError as error:
        said = error.stderr.strip()[-_ERROR_CHARACTERS:] or f"it ended with {error.returncode}"
        problem = f"does not say its options: {said.rstrip('.')}."
        raise _missing(f"The cc1 of {place} {problem}", str(place)) from error
    except OSError as error:
        raise _missing(f"The cc1 of {place} cannot be started: {error.strerror}.", str(place)) from error
    if not options[0].choices:  # those of -O, which every GCC lists
        raise _missing(f"The cc1 of {place} does not say its options.", str(place))
    return options


def _missing(problem: str, value: str, remedy: str = "Name another GCC.") -> ToolMissing:
    return ToolMissing(problem, field=FIELD, value=value, remedy=remedy)


_PREFIX: Final = "Gcc_"


class OtherGccSession(GccSession):
    """A session of another GCC; its subclasses have the actions and observations of one each."""

    known: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def preload(cls) -> None:
        """The GCC was asked when the type was made."""


def name_of(place: GccPlace) -> str:
    return f"{__name__}:{_PREFIX}{place.code}"


def tables_of(other: OtherGcc) -> tuple[ChoiceTable, RelativeTable]:
    # The options that boards would take if it were the pinned one.
    safe = safe_table(other.version, other.options)
    return ChoiceTable(safe), RelativeTable(whole_table(safe, NAME))


def __getattr__(name: str) -> type[OtherGccSession]:  # PEP 562
    try:
        place = GccPlace.of_code(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None
    except ValueError:
        place = None
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    other = ask(place)
    tables: tuple[GccActions, ...] = tables_of(other)
    observed = observed_by(tables, other.levels)
    members = {
        "__module__": __name__,
        "compiler_version": f"GCC {other.version}",
        "toolchain": other.toolchain,
        "identity": other.identity,
        "front_end": other.front_end,
        "tables": tables,
        "observed": observed,
        "action_spaces": [action_space(table) for table in tables],
        "observation_spaces": [one.message for one in observed.values()],
    }
    return type(name, (OtherGccSession,), members)
