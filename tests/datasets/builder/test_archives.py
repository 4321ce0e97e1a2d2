"""Unpacking: nothing lands outside the folder, and what is refused leaves nothing behind."""

from __future__ import annotations

import io
import re
import stat
import tarfile
import tracemalloc
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.builder import sources
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
        (info("bad-1.0/link", tarfile.SYMTYPE, "../../etc/passwd"), r"a link to '\.\./\.\./etc/passwd'"),
        (info("bad-1.0/link", tarfile.SYMTYPE, "/etc/passwd"), "a link to '/etc/passwd'"),
        (info("bad-1.0/link", tarfile.LNKTYPE, "/etc/passwd"), "a link to '/etc/passwd'"),
        (info("bad-1.0/deep/link", tarfile.LNKTYPE, "../passwd"), r"a link to '\.\./passwd'"),
        (info("other-1.0/b.c"), "are not all in one folder but in: bad-1.0, other-1.0"),
        (info("beside.c"), "are not all in one folder but in: bad-1.0, beside.c"),
        (info("bad-1.0/a.c"), "a member 'bad-1.0/a.c' twice"),
        (info("bad-1.0/a.c/b.c"), "a member 'bad-1.0/a.c/b.c' twice"),
        (info("bad-1.0/device", tarfile.CHRTYPE), "a device"),
        (info("bad-1.0/pipe", tarfile.FIFOTYPE), "a device"),
    ],
)
def test_a_member_that_leads_out_or_is_no_file_is_refused(
    tmp_path: Path, extra: tarfile.TarInfo, said: str
) -> None:
    assert re.search(said, refused(tmp_path, archive({"a.c": "A"}, top="bad-1.0", extra=(extra,))))


def test_a_zip_with_a_climbing_name_or_a_link_is_refused(tmp_path: Path) -> None:
    for name, mode in (("bad-1.0/../../up.c", 0), ("bad-1.0/link", stat.S_IFLNK << 16)):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as packed:
            entry = zipfile.ZipInfo(name)
            entry.external_attr = mode
            packed.writestr(entry, "/etc/passwd")
        assert "'bad-1.0/" in refused(tmp_path, out.getvalue(), "bad-1.0.zip")
        (tmp_path / "bad-1.0.zip").unlink()


def test_a_cut_archive_is_refused(tmp_path: Path) -> None:
    whole = archive({"a.c": "A" * 5000 + "B" * 9999}, top="bad-1.0")
    assert "cannot be unpacked" in refused(tmp_path, whole[:-20])


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    assert "cannot be unpacked" in refused(tmp_path, b"<html>not found</html>")


def test_a_link_in_a_zip_is_read_no_further_than_any_path_is_long(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("good-1.0/a.c", "A")
        entry = zipfile.ZipInfo("good-1.0/link")
        entry.external_attr, entry.compress_type = stat.S_IFLNK << 16, zipfile.ZIP_DEFLATED
        packed.writestr(entry, "a/" * 50_000_000)
    (tmp_path / "good-1.0.zip").write_bytes(out.getvalue())
    unpack(tmp_path / "good-1.0.zip", tmp_path / "to")
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["a.c"]


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("bad-1.0/a.c", "A")
    content = bytearray(out.getvalue())
    content[6] |= 1  # the flag in the file's own header, and in the list at the end
    content[content.index(b"PK\1\2") + 8] |= 1
    assert "cannot be unpacked" in refused(tmp_path, bytes(content), "bad-1.0.zip")


def test_a_member_without_a_name_is_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("x", "A")
    content = out.getvalue().replace(b"x", b"\0")  # zipfile drops what follows a NUL
    assert "without a name" in refused(tmp_path, content, "bad-1.0.zip")


def test_files_have_the_same_time_everywhere(tmp_path: Path) -> None:
    file = tmp_path / "good-1.0.tar.gz"
    file.write_bytes(archive({"a.c": "A"}, top="good-1.0"))
    unpack(file, tmp_path / "to")
    assert (tmp_path / "to/a.c").stat().st_mtime_ns == 0


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zip"])
@given(data=st.data())
def test_a_damaged_archive_is_refused_or_read_but_nothing_else_happens(
    kind: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    content = bytearray(packed_as(kind))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file = folder / f"some.{'zip' if kind == 'zip' else 'tar.' + kind}"
    file.write_bytes(content)
    try:
        unpack(file, folder / "to")
    except SourceUnavailable:
        assert not (folder / "to").exists()


def packed_as(kind: str) -> bytes:
    files = {f"top/file{n}.c": b"int x;\n" * n for n in range(1, 4)}
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, text in files.items():
                packed.writestr(name, text)
    else:
        with tarfile.open(fileobj=out, mode=f"w:{kind}") as tar:  # type: ignore[call-overload] # of the three above
            for name, text in files.items():
                tar.addfile(info(name, size=len(text)), io.BytesIO(text))
    return out.getvalue()


def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MAX_BYTES", 1000)
    assert "has more than 1000 bytes" in refused(
        tmp_path, archive({"a.c": "A" * 999, "b.c": "BB"}, top="bad-1.0")
    )


def test_a_member_of_less_than_nothing_is_refused(tmp_path: Path) -> None:
    lowered = tarfile.TarInfo.create_pax_global_header({"size": "-1000"})
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as packed:
        out.write(lowered)
        packed.offset += len(lowered)
        packed.addfile(info("bad-1.0/a.c"))
    said = refused(tmp_path, out.getvalue(), "bad-1.0.tar")
    assert said == "bad-1.0.tar has a member 'bad-1.0/a.c' of -1000 bytes."


@pytest.mark.parametrize("kind", [tarfile.DIRTYPE, tarfile.SYMTYPE])
def test_an_archive_of_very_many_folders_or_links_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: bytes
) -> None:
    monkeypatch.setattr(sources, "MAX_MEMBERS", 1000)
    extra = tuple(info(f"bad-1.0/{number}", kind, "a.c") for number in range(1000))
    said = refused(tmp_path, archive({"a.c": "A"}, top="bad-1.0", extra=extra))
    assert said == "bad-1.0.tar.gz has too many members: more than 1000, folders and links included."


def test_a_zip_of_very_many_folders_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MAX_MEMBERS", 10)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for number in range(11):
            packed.writestr(f"bad-1.0/{number}/", "")
    assert "too many members: more than 10," in refused(tmp_path, out.getvalue(), "bad-1.0.zip")


def test_reading_an_archive_keeps_none_of_its_folders(tmp_path: Path) -> None:
    file = tmp_path / "good-1.0.tar.gz"
    extra = tuple(info(f"good-1.0/{number}", tarfile.DIRTYPE) for number in range(20_000))
    file.write_bytes(archive({"a.c": "A"}, top="good-1.0", extra=extra))
    del extra
    tracemalloc.start()
    try:
        unpack(file, tmp_path / "to")
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 << 20  # 20,000 of the reader's objects are 20 MB


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
