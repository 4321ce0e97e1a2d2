"""Finding the pinned GCC, and installing it from packages."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from optarena.errors import InvalidInput, ToolMissing
from optarena.gcc import commands, pinned, toolchain
from optarena.gcc.commands import install_gcc, members
from optarena.gcc.toolchain import GccToolchain, examine, find
from optarena.isolation.tool_files import sha256_of
from optarena.isolation.tools import run_tool
from tests.kit.gcc import pinned_gcc

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "a copy"
    folder.mkdir()
    for name, path in pinned_gcc().programs.items():
        shutil.copy2(path.resolve(), folder / name)
    return folder


def package(contents: Mapping[str, bytes], *, link: tuple[str, str] | None = None) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if link is not None:
            member = tarfile.TarInfo(f"./{link[0]}")
            member.type, member.linkname = tarfile.SYMTYPE, link[1]
            archive.addfile(member)
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar": data.getvalue()}
    archived = b"!<arch>\n"
    for name, content in parts.items():
        archived += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        archived += content + b"\n" * (len(content) % 2)
    return archived


def test_the_pinned_build_is_found_and_runs(tmp_path: Path) -> None:
    found = pinned_gcc()
    assert {name: sha256_of(path) for name, path in found.programs.items()} == pinned.PROGRAMS
    (tmp_path / "program.c").write_text("int main(void) { return 42; }\n")
    command = [*found.command("cc1"), *pinned.FRONT_END, "-O2", "program.c", "-o", "-"]
    assert b"movl\t$42, %eax" in run_tool("cc1", command, access=found.access, folder=tmp_path)


def test_a_folder_is_accepted_by_hashes_alone(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(copy))
    assert find().programs["cc1"] == copy / "cc1"
    with (copy / "as").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ToolMissing, match=r"/as is another build \(sha256 .*optarena gcc install"):
        find()
    (copy / "as").unlink()
    with pytest.raises(ToolMissing, match="it has no as"):
        find()
    for nowhere in (str(copy / "nowhere"), "~nobody-of-this-name/gcc"):
        monkeypatch.setenv("OPTARENA_GCC", nowhere)
        with pytest.raises(ToolMissing, match=rf"\$OPTARENA_GCC \({nowhere}\): there is no such folder"):
            find()


def test_a_folder_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same error as for a folder that is closed to this user; but root may read every folder."""
    folder = f"/{'x' * 300}"
    monkeypatch.setenv("OPTARENA_GCC", folder)
    with pytest.raises(ToolMissing, match=f"{folder}/cc1 cannot be read .File name too long"):
        find()


def test_a_truncated_bundle_is_named(copy: Path) -> None:
    (copy / "libisl.so.23").write_bytes(b"\x7fELF cut off")
    found = examine("the bundle", copy)
    assert isinstance(found, str)
    assert "cannot run on this machine" in found


def test_a_toolchain_is_examined_again_when_one_of_its_files_changes(copy: Path) -> None:
    """Workers ask before each lease, so what has not changed is not run again."""
    assert isinstance(examine("the bundle", copy), GccToolchain)
    [library] = [path for path in pinned_gcc().access.files if path.name.startswith("libisl.so.23")]
    shutil.copy2(library, copy / "libisl.so.23")
    found = examine("the bundle", copy)
    assert isinstance(found, GccToolchain)
    assert examine("the bundle", copy) is found
    assert copy / "libisl.so.23" in found.access.files
    (copy / "libisl.so.23").write_bytes(b"\x7fELF cut off")
    assert "cannot run on this machine" in str(examine("the bundle", copy))


def test_the_installed_folder_comes_before_the_system(
    copy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("OPTARENA_GCC", raising=False)
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    folder = toolchain.install_folder()
    assert folder == tmp_path / "site/toolchains" / f"gcc-{pinned.BUILD}"
    folder.parent.mkdir(parents=True)
    copy.rename(folder)
    assert find().programs["cc1"] == folder / "cc1"


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    found, folder = pinned_gcc(), tmp_path / "packages"
    folder.mkdir()
    made, places = [], {"ld": "usr/bin/ld"}
    for name, path in found.programs.items():
        file = folder / f"{name}.deb"
        file.write_bytes(package({f"usr/{name}": path.read_bytes()}))
        made.append(
            pinned.ToolchainPackage(
                name=name,
                version="1",
                sha256=sha256_of(file),
                optional=False,
                files={f"usr/{name}": places.get(name, name)},
            )
        )
    absent = pinned.ToolchainPackage(name="libc6", version="1", sha256="0" * 64, optional=True, files={})
    monkeypatch.setattr(pinned, "PACKAGES", (*made, absent))
    return folder


def test_packages_are_unpacked_by_hash(packages: Path, tmp_path: Path) -> None:
    (packages / "as.deb").rename(packages / "some other name.deb")
    (packages / "more.deb").write_bytes(b"not a package, and not asked for")
    before = os.umask(0o077)
    try:
        made = install_gcc(tmp_path / "for all/made", packages, lambda _: None)
    finally:
        os.umask(before)
    assert isinstance(made, GccToolchain)
    found = [tmp_path / "for all", *sorted((tmp_path / "for all").rglob("*"))]
    assert [path.name for path in found] == ["for all", "made", "as", "cc1", "usr", "bin", "ld"]
    assert {path.stat().st_mode & 0o777 for path in found} == {0o755}, "confined processes are other users"


def test_the_command_says_when_what_it_installs_is_not_used(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path / "nowhere"))
    arguments = ["install", "--if-missing", "--from", str(packages), "--to", str(tmp_path / "made")]
    done = CliRunner().invoke(commands.gcc, arguments)
    assert done.output.splitlines()[-1] == "It is used if $OPTARENA_GCC names this folder."
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path / "made"))
    assert CliRunner().invoke(commands.gcc, arguments).output == ""
    again = CliRunner().invoke(commands.gcc, [one for one in arguments if one != "--if-missing"])
    assert again.output == f"{pinned.COMPILER} is in {tmp_path / 'made'}.\n"


def test_a_changed_package_is_not_taken(packages: Path, tmp_path: Path) -> None:
    with (packages / "cc1.deb").open("ab") as file:
        file.write(b"\n")
    with pytest.raises(InvalidInput, match=r"cc1 1 with sha256 .* is not in the folder"):
        install_gcc(tmp_path / "made", packages, lambda _: None)
    with pytest.raises(InvalidInput, match="is not a folder"):
        install_gcc(tmp_path / "made", tmp_path / "nowhere", lambda _: None)
    assert not (tmp_path / "made").exists()


def test_a_folder_with_something_else_is_not_replaced(packages: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "letter").write_text("dear")
    with pytest.raises(InvalidInput, match="has letter, which is not part of a toolchain"):
        install_gcc(home, packages, lambda _: None)
    assert (home / "letter").read_text() == "dear"
    with pytest.raises(InvalidInput, match="is not a folder"):
        install_gcc(home / "letter", packages, lambda _: None)
    (packages / "folder.deb").mkdir()
    install_gcc(tmp_path / "made", packages, lambda _: None)
    (tmp_path / "made/cc1").write_bytes(b"another build")
    assert isinstance(install_gcc(tmp_path / "made", packages, lambda _: None), GccToolchain)


def test_members_are_files_and_links_are_not_followed(tmp_path: Path) -> None:
    file = tmp_path / "some.deb"
    file.write_bytes(package({"usr/bin/as": b"text"}, link=("usr/bin/ld", "/etc/passwd")))
    assert members(file, ["usr/bin/as"]) == {"usr/bin/as": b"text"}
    with pytest.raises(InvalidInput, match="usr/bin/ld is not a file of a usual size"):
        members(file, ["usr/bin/as", "usr/bin/ld"])
    with pytest.raises(InvalidInput, match="has no usr/bin/cc1"):
        members(file, ["usr/bin/cc1"])


@pytest.mark.parametrize("cut", [0, 5, 70, 300])
def test_a_cut_package_is_refused(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "some.deb"
    file.write_bytes(package({"usr/bin/as": b"text" * 1000})[:cut])
    with pytest.raises(InvalidInput, match=r"some\.deb cannot be unpacked"):
        members(file, ["usr/bin/as"])


CLIENT = """#!/bin/sh
for word; do last=$word; done
case "$*" in
*update*) exit 0 ;;
*download*) [ -e "{packages}/${{last%%=*}}.deb" ] || {{ echo "E: Unable to locate $last" >&2; exit 100; }}
    cp "{packages}/${{last%%=*}}.deb" . ;;
esac
"""


def test_the_package_client_gets_the_packages(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "apt-get"
    client.write_text(CLIENT.format(packages=packages))
    client.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda _: str(client))
    told: list[str] = []
    install_gcc(tmp_path / "made", None, told.append)
    assert told[:2] == ["Reading the lists of packages ...", "Getting cc1 1 ..."]
    (packages / "as.deb").unlink()
    with pytest.raises(ToolMissing, match="does not get as 1: E: Unable to locate as=1"):
        install_gcc(tmp_path / "other", None, told.append)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(ToolMissing, match="This machine has no apt-get"):
        install_gcc(tmp_path / "other", None, told.append)


def test_the_command_says_what_differs(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(copy))
    said = CliRunner().invoke(commands.gcc, []).output
    assert f"Pinned: {pinned.COMPILER}" in said
    assert f"used: {copy / 'cc1'}" in said
    (copy / "ld").write_bytes(b"another one")
    answer = CliRunner().invoke(commands.gcc, [])
    assert "ld is another build" in answer.output
    assert isinstance(answer.exception, ToolMissing)
    listed = CliRunner().invoke(commands.gcc, ["packages"]).output.splitlines()
    assert [line.split()[0] for line in listed] == [one.sha256 for one in pinned.PACKAGES]
