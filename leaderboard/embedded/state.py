"""The state folder: one lock, the secrets, and the paths of everything that a run writes."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import stat
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from leaderboard.embedded.errors import EmbeddedError, StateBusy
from leaderboard.embedded.placement import discard
from optarena.file_locks import lock

SOCKET_BYTES: Final = 107
"""The longest path of a Unix socket, without the final NUL."""

_LONGEST_SOCKET_NAME: Final = "/.s.PGSQL.5432"
_PLAIN = re.compile(r"[A-Za-z0-9/._-]+")
_RUN_RECORD: Final = "run.path"
_LOCK: Final = "lock"
_BEFORE_LOCK: Final = frozenset({"blobs", "static", "logs"})
"""What commands without a supervisor may have made in a state folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The random secrets of a state folder, in a file that only its owner can read."""

    database_password: str
    secret_key: str


class StateFolder:
    """A state folder, held by this process until ``release``.

    Args:
        path: The folder; created if it does not exist.

    Raises:
        StateBusy: Another supervisor holds it.
        EmbeddedError: It cannot be used, or has files of somebody else: ``clean`` would remove them.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        try:
            self._lock = self._opened()
        except OSError as error:
            raise EmbeddedError(
                f"{self.path} cannot be the state folder: {error.strerror}. Name another in $OPTARENA_STATE."
            ) from error
        if not lock(self._lock):
            holder = os.pread(self._lock, 20, 0).decode(errors="replace").strip() or "?"
            os.close(self._lock)
            raise StateBusy(
                f"OptArena already runs on {self.path} (process {holder}). Stop that one first "
                f"(Ctrl-C in its terminal, or: kill {holder}), or name another folder in $OPTARENA_STATE."
            )
        os.ftruncate(self._lock, 0)
        os.pwrite(self._lock, str(os.getpid()).encode(), 0)
        self._close_logs()

    def _opened(self) -> int:
        """The lock's file; the folder is made if it is not there."""
        # Root's servers run as another user, who must be able to enter the folder, not to list it.
        mode = 0o711 if os.geteuid() == 0 else 0o700
        if not self.path.exists():
            self.path.mkdir(parents=True, exist_ok=True)
            self.path.chmod(mode)
        names = {entry.name for entry in self.path.iterdir()}
        if _LOCK not in names and (others := sorted(names - _BEFORE_LOCK)):
            raise EmbeddedError(
                f"{self.path} is not a state folder of OptArena: it has {others[0]!r}. Name a new or an "
                "empty folder in $OPTARENA_STATE."
            )
        return os.open(self.path / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _close_logs(self) -> None:
        """Keep existing logs from other users: without a mail server they have links to new passwords."""
        if self.logs.is_dir():
            self.logs.chmod(0o700)
            for log in filter(Path.is_file, self.logs.iterdir()):
                log.chmod(0o600)

    def release(self) -> None:
        """Release the folder."""
        os.close(self._lock)

    @property
    def logs(self) -> Path:
        """Folder of the processes' logs."""
        return self.path / "logs"

    @property
    def blobs(self) -> Path:
        """Folder of the benchmarks' programs."""
        return self.path / "blobs"

    @property
    def static(self) -> Path:
        """Folder of the collected static files."""
        return self.path / "static"

    def secrets(self) -> Secrets:
        """The folder's secrets, made at the first call."""
        file = self.path / "secrets.json"
        if not file.exists():
            made = Secrets(database_password=secrets.token_urlsafe(32), secret_key=secrets.token_urlsafe(50))
            write_private(file, json.dumps(asdict(made)))
        try:
            return Secrets(**json.loads(file.read_text()))
        except (TypeError, ValueError) as error:
            raise EmbeddedError(f"{file} is damaged. Delete the state folder with: ./run clean") from error

    def sockets(self) -> Path:
        """The folder of the Unix sockets: in the state folder, or a short one under /tmp.

        The path of a socket has at most 107 bytes, and is part of URLs.
        """
        own = self.path / "run"
        if len(str(own)) + len(_LONGEST_SOCKET_NAME) <= SOCKET_BYTES and _PLAIN.fullmatch(str(own)):
            own.mkdir(mode=0o700, exist_ok=True)
            return own
        if known := self.sockets_elsewhere():
            return known
        made = tempfile.mkdtemp(prefix="optarena-", dir="/tmp")
        (self.path / _RUN_RECORD).write_text(json.dumps({"sockets": made, "state": str(self.path.resolve())}))
        return Path(made)

    def sockets_elsewhere(self) -> Path | None:
        """The folder under /tmp for the sockets of this folder, and not of one that this is a copy of."""
        try:
            record = json.loads((self.path / _RUN_RECORD).read_text())
        except (FileNotFoundError, ValueError):
            return None
        found = Path(record["sockets"])
        is_ours = record["state"] == str(self.path.resolve()) and _is_private_folder(found)
        return found if is_ours else None


def write_private(file: Path, text: str) -> None:
    """Write a file that only its owner can read, all or nothing."""
    partial = file.with_name(f"{file.name}.{os.getpid()}.new")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    partial.replace(file)


def remove_state(path: Path) -> None:
    """Remove a state folder and everything that was made for it elsewhere.

    Raises:
        StateBusy: A supervisor holds it.
        EmbeddedError: It is not a state folder, or a part of it cannot be removed.
    """
    if not path.exists():
        return
    folder = StateFolder(path)
    try:
        discard(folder.path)
        if sockets := folder.sockets_elsewhere():
            shutil.rmtree(sockets)
        for entry in sorted(folder.path.iterdir(), key=lambda one: one.name == _LOCK):
            # The lock is the last: without it the rest of an interrupted removal would seem somebody else's.
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        if folder.path.is_symlink():
            folder.path.unlink()  # where it leads to, such as another disk, is somebody else's folder
        else:
            folder.path.rmdir()
    except OSError as error:
        raise EmbeddedError(f"{path} cannot be removed: {error}. Remove the rest by hand.") from error
    finally:
        folder.release()


def _is_private_folder(path: Path) -> bool:
    """Whether this folder is ours: no other user could have put it there."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    owned = os.geteuid() in {0, found.st_uid}
    return stat.S_ISDIR(found.st_mode) and owned and stat.S_IMODE(found.st_mode) == 0o700  # noqa: PLR2004 - rwx------
