"""Starting and ending the process of a zygote: its folder, its environment, its death.

The child gets no credential: its environment is an allow-list, its working directory is ``/``, and of
this process's descriptors it gets the control socket and the folder alone.
"""

from __future__ import annotations

import contextlib
import fcntl
import io
import json
import os
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from optarena import paths

_BOOT: Final = Path(__file__).with_name("zygote_boot.py")
_ENVIRONMENT: Final = (
    "HOME",
    "LD_LIBRARY_PATH",
    "OPTARENA_CACHE",
    "OPTARENA_DEBUG",
    "OPTARENA_LIBLLVM",
    "OPTARENA_LOGS",
    "OPTARENA_SITE_DATA",
    "OPTARENA_TRANSIENT_CACHE",
)
"""What a zygote inherits; server settings, which hold secrets, are not among it."""
_FOLDERS: Final = "services"
_END_SECONDS: Final = 5.0
_STALE_AFTER_SECONDS: Final = 60.0
_TAIL_BYTES: Final = 4096


@dataclass(slots=True)
class Launched:
    """A running zygote and what belongs to it.

    Attributes:
        process: The process.
        control: This end of the control socket.
        directory: Its folder, locked by the zygote as long as it lives.
        stderr: Its standard error.
    """

    process: subprocess.Popen[bytes]
    control: socket.socket
    directory: str
    stderr: io.FileIO

    def stderr_tail(self) -> str:
        """The last lines it wrote."""
        data = os.pread(self.stderr.fileno(), _TAIL_BYTES, 0)
        return data.decode(errors="replace").strip()

    def end(self) -> None:
        """End the process with all its workers, and remove its folder."""
        with contextlib.suppress(OSError):  # it has ended already
            self.control.shutdown(socket.SHUT_RDWR)  # close alone is not seen while a forked process holds it
        try:
            self.process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.control.close()
        self.stderr.close()
        shutil.rmtree(self.directory, ignore_errors=True)  # the zygote has removed it, unless it was killed

    def let_go(self) -> None:
        """In a process forked from this one: forget it without touching it."""
        self.control.close()
        self.stderr.close()
        self.process.returncode = 0  # it is not our child, so there is nothing to reap or to warn about


def launch() -> Launched:
    """Start a zygote; it waits for its first order.

    Raises:
        OSError: The process or its folder cannot be made.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    stderr = io.FileIO(os.memfd_create("zygote"), "r+")
    directory, lock = _make_directory()
    descriptors = [theirs.fileno(), lock]
    command = [sys.executable, "-s", "-P", str(_BOOT), *map(str, [*descriptors, os.getpid()])]
    try:
        process = subprocess.Popen(  # noqa: S603 # this package's own script
            command,
            stdin=subprocess.DEVNULL,
            stdout=stderr.fileno(),
            stderr=stderr.fileno(),
            env=_environment(),
            cwd="/",
            pass_fds=descriptors,
            start_new_session=True,
        )
    except OSError:
        ours.close()
        stderr.close()
        shutil.rmtree(directory)
        raise
    finally:
        theirs.close()
        os.close(lock)
    return Launched(process, ours, directory, stderr)


def first_order(session_type: str) -> bytes:
    """The first packet for a zygote: what to load, and where this process finds modules."""
    return json.dumps(
        {"session_type": session_type, "sys_path": [os.path.abspath(path) for path in sys.path]}  # noqa: PTH100 # "" is the working directory
    ).encode()


def _environment() -> dict[str, str]:
    inherited = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", **inherited}


def _make_directory() -> tuple[str, int]:
    """A new folder, and a descriptor of it that holds a lock: it is in use as long as anyone has it open."""
    parent = paths.transient_cache() / _FOLDERS
    if _is_private(parent):
        _remove_stale(parent)
        directory = parent / f"{os.getpid()}-{secrets.token_hex(8)}"
        directory.mkdir(mode=0o700)
    else:
        directory = Path(tempfile.mkdtemp(prefix="optarena-"))
    lock = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    fcntl.flock(lock, fcntl.LOCK_EX)
    return str(directory), lock


def _is_private(folder: Path) -> bool:
    """Whether the folder is ours alone, made if need be; others may have put one in the way."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owners = [(info.st_uid, info.st_mode) for info in (folder.stat(), folder.parent.stat())]
    except OSError:
        return False
    return all(uid == os.geteuid() and not mode & stat.S_IWOTH for uid, mode in owners)


def _remove_stale(parent: Path) -> None:
    """Remove the folders that killed processes have left: nobody holds their lock."""
    for directory in parent.iterdir():
        with contextlib.suppress(OSError):  # in use, or another process was faster
            if time.time() - directory.stat().st_mtime < _STALE_AFTER_SECONDS:
                continue
            descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(directory, ignore_errors=True)
            finally:
                os.close(descriptor)
