"""Installs the pinned GCC into a folder, without root: from the machine's package client, or from files.

What counts are hashes: those of the packages, and after unpacking those of the programs. The package client
works in a folder of its own, and changes nothing of the system.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput, ToolMissing
from optarena.gcc import pinned
from optarena.gcc.packages import members
from optarena.gcc.toolchain import VARIABLE, GccToolchain, examine
from optarena.isolation.tool_files import sha256_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CLIENT: Final = "apt-get"
_CLIENT_SECONDS: Final = 300.0
_SHOWN: Final = 400
_REMEDY: Final = (
    "Put the packages into a folder and name it by --from: `optarena gcc packages` lists them with their "
    "sha256. They are Debian 12's."
)


def install(target: Path, given: Path | None, say: Callable[[str], None]) -> GccToolchain:
    """Unpack the pinned GCC into a folder, which appears only when it is complete.

    Args:
        target: The folder.
        given: A folder with the packages; None to get them by the package client.
        say: Tells what is going on.

    Returns:
        The toolchain.

    Raises:
        ToolMissing: There is no package client, or it does not have a package.
        InvalidInput: A package is missing in the given folder, or cannot be unpacked; or the target has
            something else, which would be lost.
        OSError: Files cannot be written.
    """
    _check_target(target)
    _make_for_all(target.parent)
    with tempfile.TemporaryDirectory(prefix=".gcc-", dir=target.parent) as place:
        folder = Path(place, "packages") if given is None else given
        if given is None:
            folder.mkdir()
            _download(folder, Path(place, "apt"), say)
        made = Path(place, "made")
        _unpack(_by_hash(folder), made, from_client=given is None)
        found = examine(str(target), made)
        if isinstance(found, str):
            raise ToolMissing(f"What was unpacked cannot be used: {found}.", field="from", remedy=_REMEDY)
        shutil.rmtree(target, ignore_errors=True)
        made.rename(target)
    found = examine(str(target), target)
    if isinstance(found, str):
        raise ToolMissing(f"{target}: {found}.", field=VARIABLE, remedy=_REMEDY)
    return found


def _check_target(target: Path) -> None:
    """Refuse a target that is not a toolchain's folder, since it is replaced as a whole.

    Raises:
        InvalidInput: It is a file, or has something that no package has.
    """
    ours = {Path(name).parts[0] for package in pinned.PACKAGES for name in package.files.values()}
    if target.is_dir():
        other = next((one.name for one in sorted(target.iterdir()) if one.name not in ours), "")
        problem = f"{target} has {other}, which is not part of a toolchain." if other else ""
    else:
        problem = f"{target} is not a folder." if os.path.lexists(target) else ""
    if problem:
        remedy = "Name a folder that does not exist: what is there is replaced."
        raise InvalidInput(problem, field="to", value=str(target), remedy=remedy)


def _download(folder: Path, root: Path, say: Callable[[str], None]) -> None:
    """Have the package client put the packages into a folder; its lists are in ``root``."""
    client = shutil.which(_CLIENT)
    if client is None:
        raise ToolMissing(
            f"This machine has no {_CLIENT} that could get the packages.", field="from", remedy=_REMEDY
        )
    for part in ("state/lists/partial", "cache/archives/partial"):
        (root / part).mkdir(parents=True)
    options = [
        "-qq",
        *("-o", f"Dir::State={root / 'state'}"),
        *("-o", f"Dir::Cache={root / 'cache'}"),
        *("-o", "Dir::State::status=/var/lib/dpkg/status"),
        *(("-o", "APT::Sandbox::User=root") if os.geteuid() == 0 else ()),
    ]
    say("Reading the lists of packages ...")
    problem = _client([client, *options, "update"], folder)
    if problem:
        raise ToolMissing(f"{_CLIENT} update fails: {problem}", field="from", remedy=_REMEDY)
    for package in pinned.PACKAGES:
        say(f"Getting {package.name} {package.version} ...")
        problem = _client([client, *options, "download", f"{package.name}={package.version}"], folder)
        if problem and not package.optional:
            raise ToolMissing(
                f"{_CLIENT} does not get {package.name} {package.version}: {problem}",
                field="from",
                remedy=_REMEDY,
            )


def _client(command: Sequence[str], folder: Path) -> str:
    """Run the package client; its complaint, empty if it was content."""
    try:
        done = subprocess.run(  # noqa: S603 # the machine's own client with our own arguments
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_CLIENT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it takes longer than {_CLIENT_SECONDS:g} s"
    except OSError as error:
        return str(error)
    said = (done.stderr or done.stdout).strip().replace("\n", " ")
    return (said[-_SHOWN:] or f"exit code {done.returncode}") if done.returncode else ""


def _by_hash(folder: Path) -> dict[str, Path]:
    """The packages in a folder, by the sha256 of their content; names mean nothing.

    Raises:
        InvalidInput: There is no such folder.
    """
    if not folder.is_dir():
        raise InvalidInput(f"{folder} is not a folder.", field="from", value=str(folder), remedy=_REMEDY)
    return {sha256_of(path): path for path in sorted(folder.glob("*.deb")) if path.is_file()}


def _unpack(packages: dict[str, Path], target: Path, *, from_client: bool) -> None:
    for package in pinned.PACKAGES:
        file = packages.get(package.sha256)
        if file is None and package.optional:
            continue
        if file is None:
            where = "what the package client got" if from_client else "the folder"
            raise InvalidInput(
                f"{package.name} {package.version} with sha256 {package.sha256} is not in {where}.",
                field="from",
                value=package.name,
                remedy=_REMEDY,
            )
        for name, content in members(file, package.files).items():
            path = target / package.files[name]
            _make_for_all(path.parent)
            path.write_bytes(content)
            path.chmod(0o755)


def _make_for_all(folder: Path) -> None:
    """Make a folder and those above it for every user, whatever the umask: confined processes are others."""
    for one in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        one.mkdir(exist_ok=True)
        one.chmod(0o755)
