"""Unpacking: nothing lands outside the folder, and what is refused leaves nothing behind."""

from __future__ import annotations

import io
import re
import stat
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.builder.files import SourceUnavailable
from datasets.builder.sources import unpack
from tests.kit.packaged import archive

if TYPE_CHECKING:
    from pathlib import Path


def info(name: str, kind: bytes = tarfile.REGTYPE, link: str = "", size: int = 0) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname, made.size = kind, link, size
    return made


def refused(tmp_path: Path, content: bytes, name: str = "bad-1.0.tar.gz") -> str:
    """Why an archive is refused; nothing may be left of it."""
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(SourceUnavailable) as caught:
        unpack(file, tmp_path / "to/here")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [file]
    assert not (tmp_path / "to/here").exists()
    return str(caught.value)


def test_files_are_unpacked_without_the_outermost_folder(tmp_path: Path) -> None:
    file = tmp_path / "good-1.0.tar.gz"
    links = (
        info("good-1.0/alias.c", tarfile.SYMTYPE, "src/a.c"),
        info("good-1.0/hard.c", tarfile.LNKTYPE, "good-1.0/src/a.c"),
    )
    file.write_bytes(archive({"src/a.c": "A", "b.h": "B"}, top="good-1.0", extra=links))
    unpack(file, tmp_path / "to")
    found = {
        str(path.relative_to(tmp_path / "to")): path.read_text()
        for path in (tmp_path / "to").rglob("*")
        if path.is_file()
    }
    assert found == {"src/a.c": "A", "b.h": "B"}


def test_only_the_wanted_folders_of_a_wheel_are_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "tool-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr("tool/include/a.h", "A")
        wheel.writestr("tool/include-more/b.h", "B")
        wheel.writestr("tool/bin/c", "C")
    unpack(file, tmp_path / "to", only=("tool/include",))
    assert [
        str(path.relative_to(tmp_path / "to")) for path in (tmp_path / "to").rglob("*") if path.is_file()
    ] == ["tool/include/a.h"]
    with pytest.raises(SourceUnavailable, match=r"has no files in tool/none"):
        unpack(file, tmp_path / "other", only=("tool/none",))


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (info("../outside.c"), r"a member '\.\./outside\.c', which leads out"),
        (info("bad-1.0/../../outside.c"), "which leads out of its folder"),
        (info("/etc/outside.c"), "a member '/etc/outside.c', which leads out"),
        (info("other-1.0/b.c"), "are not all in one folder but in: bad-1.0, other-1.0"),
        (info("beside.c"), "are not all in one folder but in: bad-1.0, beside.c"),
        (info("bad-1.0/a.c"), "cannot be unpacked: .*File exists"),
    ],
)
def test_a_member_that_leads_out_is_refused(tmp_path: Path, extra: tarfile.TarInfo, said: str) -> None:
    assert re.search(said, refused(tmp_path, archive({"a.c": "A"}, top="bad-1.0", extra=(extra,))))


def test_a_zip_with_a_climbing_name_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("bad-1.0/../../up.c", "A")
    assert "'bad-1.0/" in refused(tmp_path, out.getvalue(), "bad-1.0.zip")


def test_links_and_devices_are_left_out(tmp_path: Path) -> None:
    kinds = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE)
    extra = tuple(info(f"good-1.0/odd{number}", kind, "/etc/passwd") for number, kind in enumerate(kinds))
    (tmp_path / "good-1.0.tar.gz").write_bytes(archive({"a.c": "A"}, top="good-1.0", extra=extra))
    with zipfile.ZipFile(tmp_path / "good-1.0.zip", "w") as packed:
        packed.writestr("good-1.0/a.c", "A")
        link = zipfile.ZipInfo("good-1.0/link")
        link.external_attr = stat.S_IFLNK << 16
        packed.writestr(link, "/etc/passwd")
    for kind in ("tar.gz", "zip"):
        unpack(tmp_path / f"good-1.0.{kind}", tmp_path / kind)
        assert [path.name for path in (tmp_path / kind).iterdir()] == ["a.c"]


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    whole = archive({"a.c": "A" * 5000 + "B" * 9999}, top="bad-1.0")
    assert "cannot be unpacked" in refused(tmp_path, whole[:-20])


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    assert "cannot be unpacked" in refused(tmp_path, b"<html>not found</html>")


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("bad-1.0/a.c", "A")
    content = bytearray(out.getvalue())
    content[6] |= 1  # the flag in the file's own header, and in the list at the end
    content[content.index(b"PK\1\2") + 8] |= 1
    assert "cannot be unpacked" in refused(tmp_path, bytes(content), "bad-1.0.zip")


def test_files_have_the_same_time_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "good-1.0.tar.gz"
    file.write_bytes(archive({"a.c": "A"}, top="good-1.0"))
    unpack(file, tmp_path / "to")
    assert (tmp_path / "to/a.c").stat().st_mtime_ns == 0


@given(name=st.text(alphabet="./\\ab\0 ", min_size=1, max_size=12))
def test_whatever_a_member_is_called_nothing_lands_outside(
    name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("unpack")
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        tar.addfile(info(f"top/{name}", size=1), io.BytesIO(b"x"))
    (folder / "some.tar").write_bytes(out.getvalue())
    try:
        unpack(folder / "some.tar", folder / "deep/er/to")
    except SourceUnavailable:
        assert not (folder / "deep/er/to").exists()
    outside = [
        path for path in folder.rglob("*") if path.is_file() and "to" not in path.relative_to(folder).parts
    ]
    assert outside == [folder / "some.tar"]
