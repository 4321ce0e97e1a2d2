"""Runs the programs of a GCC in a Docker image, each in a container of its own without a network."""

from __future__ import annotations

import os
import re
import signal
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena import limits
from optarena.errors import InvalidInput, ServiceError, SessionOutOfMemory, SessionTimeout
from optarena.isolation.tools import ToolFailed
from optarena.service.processes import bounded

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from optarena.isolation.tools import ToolAccess

PREFIX: Final = "docker:"
_IMAGE: Final = re.compile(r"[A-Za-z0-9][\w.:/@-]{0,254}", re.ASCII)
_FOLDER: Final = "/optarena"
_SAID: Final = 4096
_ITS_OWN_FAILURE: Final = 125
"""The exit code of ``docker run`` where the container was not started."""
_BY_SIGNAL: Final = 128
"""What ``docker run`` adds to the number of the signal that ended the program."""


@dataclass(frozen=True, slots=True)
class DockerToolchain:
    """A GCC in an image; see :class:`optarena.gcc.toolchain.RunnableGcc`.

    A container sees the session's folder and nothing else of this machine. Its CPU time and memory are those
    of a tool, and its time is extended like a tool's.

    Attributes:
        client: The path of Docker's client.
        image: The image, which is on this machine: none is pulled.
        programs: The paths of ``cc1``, ``as`` and ``ld`` in it.
    """

    client: str
    image: str
    programs: Mapping[str, str]

    @property
    def access(self) -> ToolAccess | None:
        """None: a confined session cannot reach Docker."""
        return None

    @staticmethod
    def start(client: str, image: str, *options: str) -> list[str]:
        """The beginning of a command line that runs a program of an image.

        The limits hold in the container, which goes on if its client is killed.
        """
        cpu, memory = max(1, int(_cpu_seconds())), limits.SESSION_MEMORY_BYTES
        limited = f"--ulimit=cpu={cpu}:{cpu + 1}", f"--memory={memory}"
        return [client, "run", "--rm", "--pull=never", "--network=none", *limited, *options, image]

    def command(self, name: str) -> list[str]:
        """The beginning of a command line that runs one of the programs where no files are needed."""
        return [*self.start(self.client, self.image), self.programs[name]]

    def run(self, name: str, commands: Sequence[Sequence[str]], folder: Path, *, wall_seconds: float) -> None:
        """Run one of the programs in a folder, one run after the other; see :class:`RunnableGcc`.

        Raises:
            ServiceError: Docker does not start it.
            ToolFailed: It fails.
            SessionTimeout: It does not end in time.
            SessionOutOfMemory: It was killed early, as it is for too much memory.
        """
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
            ended = bounded.run(command, seconds=limits.seconds(wall_seconds))
        except TimeoutError as error:
            raise SessionTimeout(f"{name} in {PREFIX}{self.image}: {error}") from error
        except OSError as error:
            raise ServiceError(f"{self.client} cannot be started: {error}") from error
        said = ended.said.strip()[-_SAID:]
        if ended.code == _ITS_OWN_FAILURE:
            raise ServiceError(f"Docker does not run {name} of {self.image}: {said}")
        if ended.code:
            raise _failure(name, ended.code, said, time.monotonic() - started)


def _cpu_seconds() -> float:
    return limits.seconds(limits.CODE_CPU_SECONDS)


def _failure(name: str, code: int, said: str, seconds: float) -> ServiceError:
    """Why a program failed that took so many seconds of wall time.

    A container ends by SIGKILL for CPU time and for memory; it cannot have used up its CPU time earlier.
    """
    cpu, memory = f"CPU time of {_cpu_seconds():g} s", limits.SESSION_MEMORY_BYTES
    if code == _BY_SIGNAL + signal.SIGXCPU:
        return SessionTimeout(f"{name} used its {cpu}.")
    if code != _BY_SIGNAL + signal.SIGKILL:
        return ToolFailed(name, code, said)
    if seconds >= _cpu_seconds():
        return SessionTimeout(f"{name} used its {cpu} or its {memory / 2**30:g} GiB of memory.")
    return SessionOutOfMemory(f"{name} used its {memory / 2**30:g} GiB of memory, or somebody killed it.")


def checked_image(image: str) -> str:
    """The name of an image.

    Raises:
        InvalidInput: It is not one.
    """
    if _IMAGE.fullmatch(image):
        return image
    remedy = f"Give '{PREFIX}NAME:TAG', for example '{PREFIX}gcc:13'."
    message = f"gcc_bin names the image {image[:200]!r}, which is not the name of one."
    raise InvalidInput(message, field="gcc_bin", value=image, remedy=remedy)
