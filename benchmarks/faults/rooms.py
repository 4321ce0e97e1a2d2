"""What a kernel lets this process take apart: mounts and networks of its own.

With the right to do so, the whole run moves into new namespaces: its small disks and its networks are seen by
nobody else, and are gone with its last process.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from pathlib import Path

_INSIDE: Final = "OPTARENA_CHAOS_INSIDE"
_MIB: Final = 1 << 20
_UNSHARE: Final = ("unshare", "--mount", "--net", "--")
_PROBE: Final = ("sh", "-c", "mount -t tmpfs none /mnt && ip link add chaos0 type veth peer name chaos1")


def inside() -> bool:
    """Whether this process is in namespaces of its own."""
    return bool(os.environ.get(_INSIDE))


def enter() -> None:
    """Start this program again in namespaces of its own, if it is not in them and this machine allows it."""
    if inside():
        _run("ip", "link", "set", "lo", "up")
    elif shutil.which("ip") and shutil.which("nsenter") and _works(*_UNSHARE, *_PROBE):
        os.environ[_INSIDE] = "1"
        _become([*_UNSHARE, sys.executable, *sys.orig_argv[1:]])


def _become(command: list[str]) -> NoReturn:
    os.execvp(command[0], command)  # noqa: S606 - this very program


def _works(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0  # noqa: S603 - ours
    except OSError:
        return False


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - ours


class Disk:
    """A folder on a small disk of its own, which can be filled; or a plain folder, which cannot."""

    def __init__(self, folder: Path, *, mebibytes: int, mode: int, apart: bool) -> None:
        self.folder = folder
        self.apart = apart
        self._filler = folder / "filler"
        folder.mkdir(parents=True)
        if apart:
            options = f"size={mebibytes}m,mode={mode:o}"
            _run("mount", "-t", "tmpfs", "-o", options, "none", str(folder))
        folder.chmod(mode)

    def fill(self) -> None:
        """Leave no byte free, although others write meanwhile."""
        with self._filler.open("ab") as file:
            step = _MIB
            while step:
                try:
                    os.posix_fallocate(file.fileno(), file.tell(), step)
                    file.seek(0, os.SEEK_END)
                except OSError:  # not so many bytes are left
                    step //= 2

    def free(self) -> None:
        """Give the bytes back."""
        self._filler.unlink(missing_ok=True)

    def close(self) -> None:
        """Unmount it."""
        if self.apart:
            with suppress(subprocess.CalledProcessError):  # gone with the namespace in any case
                _run("umount", "--lazy", str(self.folder))


class Network:
    """A network namespace for a worker, joined with this one by one cable."""

    HERE: Final = "10.213.0.1"
    THERE: Final = "10.213.0.2"

    def __init__(self) -> None:
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--", "sh", "-c", "ip link set lo up && echo ready && exec sleep infinity"],  # noqa: S607 - from the system
            stdout=subprocess.PIPE,
        )
        assert self._holder.stdout is not None  # noqa: S101 - for the type checker
        self._holder.stdout.readline()
        there = str(self._holder.pid)
        _run("ip", "link", "add", "chaos0", "type", "veth", "peer", "name", "chaos1", "netns", there)
        _run("ip", "addr", "add", f"{self.HERE}/30", "dev", "chaos0")
        _run("ip", "link", "set", "chaos0", "up")
        _run(*self.inside, "ip", "addr", "add", f"{self.THERE}/30", "dev", "chaos1")
        _run(*self.inside, "ip", "link", "set", "chaos1", "up")

    @property
    def inside(self) -> tuple[str, ...]:
        """What a command line begins with to run at the other end."""
        return ("nsenter", f"--net=/proc/{self._holder.pid}/ns/net", "--")

    def cut(self) -> None:
        """Pull the cable: every packet is lost, and nobody is told."""
        _run("ip", "link", "set", "chaos0", "down")

    def mend(self) -> None:
        """Put it back."""
        _run("ip", "link", "set", "chaos0", "up")

    def close(self) -> None:
        """End the namespace."""
        self._holder.kill()
        self._holder.wait()
