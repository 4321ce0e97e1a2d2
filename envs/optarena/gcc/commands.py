"""``optarena gcc``: which GCC was found, and how to get the pinned one."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from optarena.documents.texts import one_line
from optarena.errors import InvalidInput, ToolMissing
from optarena.gcc import pinned
from optarena.gcc.toolchain import VARIABLE, GccToolchain, candidates, examine, find, install_folder
from optarena.isolation.tool_files import sha256_of
from optarena.service.processes import folders

_MAGIC: Final = b"!<arch>\n"
_HEADER_BYTES: Final = 60
_NAME: Final = slice(0, 16)
_SIZE: Final = slice(48, 58)
_MAX_MEMBER_BYTES: Final = 256 * 1024**2


def members(package: Path, names: Iterable[str]) -> dict[str, bytes]:
    # Links are not followed: a member must be a file itself.
    wanted = set(names)
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(_data(package.read_bytes())), mode="r:*") as archive:
            for member in archive:
                name = member.name.removeprefix("./")
                if name in wanted:
                    found[name] = _content(archive, member)
    except (OSError, tarfile.TarError, EOFError, ValueError) as error:
        raise _unusable(package, str(error)) from error
    if missing := sorted(wanted - found.keys()):
        raise _unusable(package, f"it has no {missing[0]}")
    return found


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    if not member.isreg() or member.size > _MAX_MEMBER_BYTES:
        raise ValueError(f"{member.name} is not a file of a usual size")
    file = archive.extractfile(member)
    return b"" if file is None else file.read()


def _data(archive: bytes) -> bytes:
    if not archive.startswith(_MAGIC):
        raise ValueError("it is not a Debian package")
    place = len(_MAGIC)
    while place + _HEADER_BYTES <= len(archive):
        header = archive[place : place + _HEADER_BYTES]
        size = int(header[_SIZE])
        place += _HEADER_BYTES
        if header[_NAME].startswith(b"data.tar"):
            if place + size > len(archive):
                raise ValueError("it is cut off")
            return archive[place : place + size]
        place += size + size % 2
    raise ValueError("it has no data.tar")


def _unusable(package: Path, problem: str) -> InvalidInput:
    return InvalidInput(
        f"{package.name} cannot be unpacked: {problem}.", field="from", value=str(package),
        remedy="Get the package again.",
    )  # fmt: skip


_CLIENT: Final = "apt-get"
_CLIENT_SECONDS: Final = 1800.0  # for all packages; the client itself gives up a server that does not answer
_SHOWN: Final = 400
_REMEDY: Final = (
    "Put the packages into a folder and name it by --from: `optarena gcc packages` lists them with their "
    "sha256. They are Debian 12's."
)


def install_gcc(target: Path, given: Path | None, say: Callable[[str], None]) -> GccToolchain:
    # The folder appears only when it is complete.
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
    # It is replaced as a whole, so it may be nothing but a toolchain's folder.
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
    # One start for many packages, since each start reads all lists for a second. If one is missing, the
    # client gets none, so those that may be missing are asked for apart.
    for optional in (False, True):
        wanted = [f"{one.name}={one.version}" for one in pinned.PACKAGES if one.optional == optional]
        say(f"Getting {', '.join(wanted)} ...")
        problem = _client([client, *options, "download", *wanted], folder)
        if problem and not optional:
            raise ToolMissing(f"{_CLIENT} does not get all packages: {problem}", field="from", remedy=_REMEDY)


def _client(command: Sequence[str], folder: Path) -> str:
    # Returns the client's complaint; empty if it has none.
    try:
        ended = folders.run(command, seconds=_CLIENT_SECONDS, directory=str(folder))
    except OSError as error:
        return str(error)
    said = (ended.said or ended.printed).strip().replace("\n", " ")
    return (said[-_SHOWN:] or f"exit code {ended.code}") if ended.code else ""


def _by_hash(folder: Path) -> dict[str, Path]:  # the names of files do not matter
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


def _make_for_all(folder: Path) -> None:  # whatever the umask: confined processes belong to other users
    for one in reversed([one for one in (folder, *folder.parents) if not one.exists()]):
        one.mkdir(exist_ok=True)
        one.chmod(0o755)


def _say(text: str) -> None:
    click.echo(one_line(text))


@click.group(invoke_without_command=True)
@click.pass_context
def gcc(context: click.Context) -> int | None:
    """Say which GCC is used, and how it differs from the pinned one."""
    if context.invoked_subcommand is not None:
        return None
    _say(f"Pinned: {pinned.COMPILER}")
    for name, sha256 in pinned.PROGRAMS.items():
        _say(f"  {name:3} sha256 {sha256}")
    used = False
    for place, folder in candidates():
        found = examine(place, folder)
        if isinstance(found, GccToolchain):
            _say(f"{place}: {'also there' if used else 'used'}: {found.programs['cc1']}")
            used = True
        else:
            _say(f"{place}: {found}")
    if not used:
        find()  # its error says what to do
    return None


@gcc.command()
@click.option("--from", "given", type=click.Path(path_type=Path), help="A folder with the packages.")
@click.option("--to", "target", type=click.Path(path_type=Path), help="Another folder to install it into.")
@click.option("--if-missing", is_flag=True, help="Do nothing where the pinned GCC is found already.")
def install(given: Path | None, target: Path | None, if_missing: bool) -> None:  # noqa: FBT001 # click's way
    """Install the pinned GCC for this user, without root."""
    if if_missing:
        with suppress(ToolMissing):
            find()
            return
    folder = (target or install_folder()).absolute()
    made = install_gcc(folder, given, _say)
    _say(f"{pinned.COMPILER} is in {made.place}.")
    if folder not in {place for _, place in candidates()}:
        _say(f"It is used if ${VARIABLE} names this folder.")


@gcc.command()
def packages() -> None:
    """List the packages that it is made of, each with its sha256."""
    for package in pinned.PACKAGES:
        kind = "  (only where the C library is older)" if package.optional else ""
        _say(f"{package.sha256}  {package.name}={package.version}{kind}")
