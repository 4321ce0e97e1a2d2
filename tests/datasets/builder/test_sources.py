"""Packages and files: where they come from, how they are unpacked, and when what is kept is believed."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import tarfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from datasets.builder.files import (
    SourceUnavailable,
    replace_folder,
    store_content,
    stored_content,
    tree_digest,
    whole_file,
    whole_folder,
    write_whole,
)
from datasets.builder.sources import Sources, unpack, without_user
from datasets.builder.suite import Package, read_suite, refused_flags
from datasets.builder.toolchain import CompileError, Processes
from optarena import limits
from optarena.errors import InvalidDocument
from tests.kit.packaged import Shelf, archive

if TYPE_CHECKING:
    from datasets.builder.build import Workshop


class Index:
    """A package index that sends whatever a test says.

    Attributes:
        send: Given what writes to the socket and the path that was asked for, answers.
        url: Its address.
    """

    send: Callable[[Callable[[bytes], object], str], object]
    url: str = ""

    def page(self, body: bytes, *head: str, status: int = 200) -> bytes:
        kind = () if any(line.startswith("Content-Type") for line in head) else ("Content-Type: text/html",)
        lines = (f"HTTP/1.1 {status} Fine", *kind, *head, "Connection: close", "", "")
        return "\r\n".join(lines).encode() + body


@pytest.fixture
def index(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Iterator[Index]:
    """The only index that pip knows in this test; the shelf was set before it."""
    found = Index()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            with suppress(OSError):  # the other side has gone
                found.send(self.wfile.write, self.path)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    ask(monkeypatch, f"{found.url}/simple")
    yield found
    server.shutdown()


def ask(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", address)


@pytest.fixture
def package(shelf: Shelf) -> Package:
    return read_suite(shelf.suite()).package("sums")


@pytest.mark.parametrize("value", ["True", "1", "yes", "ON"])
def test_no_index_is_asked_where_pip_is_told_to_ask_none(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", value)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    assert Sources(tmp_path / "cache").archive(package).is_file()


def test_a_message_has_no_password(package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text, clean in (
        ("of https://me:secret@example.org/a, ftp://x@y/", "of https://example.org/a, ftp://y/"),
        ("no me:secret@x.org/a", "no x.org/a"),
        ("http://me:se/cret@x.org/a b", "http://x.org/a b"),
        ("http://me:s@cret@x.org/", "http://x.org/"),
        ("http://x.org/a and y", "http://x.org/a and y"),
    ):
        assert without_user(text) == clean
    monkeypatch.setenv("PIP_NO_INDEX", "0")
    monkeypatch.setenv("PIP_FIND_LINKS", "http://me:secret@127.0.0.1:9/")
    monkeypatch.setenv("PIP_INDEX_URL", "http://me:secret@127.0.0.1:9/simple")
    with pytest.raises(SourceUnavailable) as caught:
        Sources(tmp_path / "cache").archive(package)
    assert "secret" not in str(caught.value)


def test_without_pip_nothing_can_be_fetched(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pip._internal.commands", None)
    with pytest.raises(SourceUnavailable, match=r"pip does not give its index \(import of pip"):
        Sources(tmp_path / "cache").archive(package)


def test_settings_that_pip_cannot_use_are_an_error(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_TIMEOUT", "soon")
    with pytest.raises(SourceUnavailable, match=r"pip does not give its index \(exit code \d\)"):
        Sources(tmp_path / "cache").archive(package)


@pytest.mark.parametrize("damage", ["changed", "removed", "added", "touched", "undigested"])
def test_an_unpacked_package_that_was_changed_is_unpacked_again(
    package: Package, tmp_path: Path, damage: str
) -> None:
    folder = Sources(tmp_path / "cache").unpacked(package)
    file = folder / "src/sum.c"
    whole = file.read_bytes()
    if damage == "changed":
        file.write_bytes(whole.replace(b"t +=", b"t -="))
        os.utime(file, (0, 0))
    elif damage == "removed":
        file.unlink()
    elif damage == "added":
        (folder / "include/stdio.h").touch()
    elif damage == "touched":
        os.utime(file)
    else:
        folder.with_name("all.sha256").unlink()
    assert Sources(tmp_path / "cache").unpacked(package) == folder
    assert file.read_bytes() == whole
    assert file.stat().st_mtime_ns == 0
    assert not (folder / "include/stdio.h").exists()


def test_a_package_that_cannot_be_had_is_asked_for_once(
    shelf: Shelf, package: Package, tmp_path: Path
) -> None:
    file = shelf.index / package.archive
    content = file.read_bytes()
    file.unlink()
    kept = Sources(tmp_path / "cache")
    for _ in range(2):
        with pytest.raises(SourceUnavailable, match="does not have"):
            kept.unpacked(package)
        file.write_bytes(content)
    assert Sources(tmp_path / "cache").unpacked(package).is_dir()


ADDRESSES = (
    "nonsense",
    "http://127.0.0.1:99999/simple",
    "http://me:secret@[::1/simple",
    "http://me:secret/word@127.0.0.1/simple",
    "http://ex\x01ample/",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_index_that_is_none_is_named_without_its_password(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    ask(monkeypatch, address)
    with pytest.raises(SourceUnavailable, match=package.archive) as caught:
        Sources(tmp_path / "cache").archive(package)
    assert "secret" not in str(caught.value)
    assert str(caught.value).isprintable()


JSON = "Content-Type: application/vnd.pypi.simple.v1+json"
PAGES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "no-host": (b'<a href="http://[::1/x.tar.gz">x</a>', ()),
    "control": (b'<a href="http://ex\x01ample/sums-1.0.tar.gz">x</a>', ()),
    "no-html": (b"<![if x]><![x", ()),
    "no-text": (b"\xff\xfe", ()),
    "no-gzip": (b"x", ("Content-Encoding: gzip",)),
    "nested": (b"[" * 200_000, (JSON,)),
    "numbers": (b'{"files": [{"url": 5}]}', (JSON,)),
    "no-json": (b"{", (JSON,)),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_nobody_can_use_is_an_error(
    package: Package, tmp_path: Path, index: Index, name: str
) -> None:
    body, head = PAGES[name]
    index.send = lambda write, _: write(index.page(body, *head))
    with pytest.raises(SourceUnavailable, match=package.archive) as caught:
        Sources(tmp_path / "cache").archive(package)
    assert str(caught.value).isprintable()


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
        str(path.relative_to(tmp_path / "to")): (path.read_text(), path.stat().st_mtime_ns)
        for path in (tmp_path / "to").rglob("*")
        if path.is_file()
    }
    assert found == {"src/a.c": ("A", 0), "b.h": ("B", 0)}


def test_what_is_cut_or_encrypted_or_no_archive_is_refused(tmp_path: Path) -> None:
    whole = archive({"a.c": "A" * 5000 + "B" * 9999}, top="bad-1.0")
    for content in (whole[:-20], b"<html>not found</html>"):
        assert "cannot be unpacked" in refused(tmp_path, content)
    (tmp_path / "bad-1.0.tar.gz").unlink()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        packed.writestr("bad-1.0/a.c", "A")
    encrypted = bytearray(out.getvalue())
    encrypted[6] |= 1  # the flag in the file's own header, and in the list at the end
    encrypted[encrypted.index(b"PK\1\2") + 8] |= 1
    assert "cannot be unpacked" in refused(tmp_path, bytes(encrypted), "bad-1.0.zip")


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


def test_a_file_has_the_permissions_that_the_users_files_have(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "deep/er/file", b"content")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "deep/er/file").stat().st_mode) == 0o640
    assert [path.name for path in (tmp_path / "deep/er").iterdir()] == ["file"]


@pytest.mark.parametrize("damage", [b"", b"{", b"\n"])
def test_kept_content_that_was_damaged_is_not_believed(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "kept"
    assert stored_content(file) is None
    store_content(file, b"some content")
    assert stored_content(file) == b"some content"
    whole = file.read_bytes()
    for content in (damage, whole + damage + b"x", whole[:-1], whole.replace(b"some", b"sime")):
        file.write_bytes(content)
        assert stored_content(file) is None


def test_a_folders_digest_tells_names_content_and_times(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    file = tmp_path / "a/b.c"
    file.write_text("x")
    os.utime(file, (0, 0))
    first = tree_digest(tmp_path)
    file.write_text("y")
    os.utime(file, (0, 0))
    changed = tree_digest(tmp_path)
    file.write_text("x")
    assert len({first, changed, tree_digest(tmp_path)}) == 3
    os.utime(file, (0, 0))
    assert tree_digest(tmp_path) == first
    (tmp_path / "stray").touch()
    assert tree_digest(tmp_path) != first


def test_a_folder_that_cannot_be_put_in_place_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "to").write_text("a file")
    with pytest.raises(OSError, match="Not a directory"), whole_folder(tmp_path / "to") as folder:
        (folder / "x").touch()
    (tmp_path / "to").unlink()
    (tmp_path / "to").mkdir()
    (tmp_path / "to/first").touch()
    with whole_folder(tmp_path / "to") as folder:
        (folder / "second").touch()
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["first"]


def test_the_old_folder_stays_where_the_new_one_cannot_take_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, target = tmp_path / "work/fresh", tmp_path / "target"
    fresh.mkdir(parents=True)
    target.mkdir()
    (target / "old").touch()
    rename = Path.rename

    def failing(self: Path, to: Path) -> Path:
        if self == fresh:
            raise KeyboardInterrupt
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(KeyboardInterrupt):
        replace_folder(fresh, target)
    assert [path.name for path in target.iterdir()] == ["old"]


def build(suite: Path, place: Path, **options: Any) -> None:
    call_command("build_dataset", suite, output=place / "out", cache=place / "cache", jobs=2, **options)


def test_a_file_of_this_machine_cannot_be_included(shelf: Shelf, tmp_path: Path, native: Workshop) -> None:
    assert native.toolchain.spec.clang
    outside = tmp_path / "some where/out#side$.h"
    outside.parent.mkdir()
    outside.write_text("#define OUTSIDE 1\n")
    driver = shelf.suite() / "drivers/sums.c"
    driver.write_text(f'#include "{outside}"\n{driver.read_text()}')
    with pytest.raises(CommandError) as caught:
        build(driver.parents[1], tmp_path)
    assert f"sums.c includes {outside}, which belongs neither to the suite nor" in str(caught.value)


REFUSED_FLAGS = (
    "-MD|-MF file|-o file|-march=native|-mcpu=x|-mtune=native|-O3|--target=arm64|-fplugin=x.so|"
    "-fpass-plugin=x.so|-Xclang -load|@file|-save-temps=cwd|-Wp,-MD,file|-include /etc/x.h|-include|"
    "-I/usr/include|-frecord-gcc-switches|-fno-record-gcc-switches|-frecord-command-line|"
    "-fno-sanitize=all|-fno-sanitize=shift|-fsanitize=shift|-fno-sanitize-recover=all|"
    "-fproc-stat-report=file|-foptimization-record-file=file|-fsave-optimization-record|"
    "-fopt-info-all=file|-fstack-usage|-ftest-coverage|-fprofile-generate|-fcs-profile-generate|"
    "-fcoverage-mapping|-fcallgraph-info|-fdump-tree-all|-ftime-trace=file|-ftime-report|"
    "-fcrash-diagnostics-dir=x|-fdebug-prefix-map=a=b|-fmodules|-fembed-bitcode|"
    "-ffile-prefix-map=a=b|-fmacro-prefix-map=a=b|-fuse-ld=lld|-fthinlto-index=x|-flto=thin|"
    "-fvisibility=hidden|-frandom-seed=1|-fnew-flag-of-another-version|-fno-ident\n|-fplugin-arg-x-y|"
    "-m32|-mx32|-mrecord-mcount|-mllvm=x"
)


@pytest.mark.parametrize("flags", [one.split(" ") for one in REFUSED_FLAGS.split("|")])
def test_flags_that_name_outputs_machines_or_files(flags: list[str]) -> None:
    assert list(refused_flags(flags))
    of_a_toolchain = flags[0].startswith(("--target=", "-O"))
    assert of_a_toolchain or list(refused_flags(flags, toolchain=True))


def test_flags_of_the_language_are_taken() -> None:
    flags = ["-Df(x)=/y", "-UN", "-std=c11", "-fno-builtin", "-Wall", "-mno-sse3", "-include", "a/b.h"]
    assert list(refused_flags(flags)) == []
    code = (
        "-fno-builtin-memcpy -fwrapv -fno-strict-aliasing -fsigned-char -ffp-contract=off -fno-ident "
        "-fno-stack-protector -ffreestanding -fno-math-errno -fno-common -fPIC -fno-exceptions "
        "-ftls-model=local-exec -fno-delete-null-pointer-checks -fno-unroll-loops -mfpmath=sse -mno-red-zone"
    )
    assert list(refused_flags(code.split())) == []
    assert list(refused_flags(code.split(), toolchain=True)) == []


@pytest.mark.parametrize("is_file", [False, True])
def test_what_is_no_dataset_is_not_replaced(shelf: Shelf, tmp_path: Path, *, is_file: bool) -> None:
    place = tmp_path / "out/sums-v0"
    precious = place if is_file else place / "precious.txt"
    precious.parent.mkdir(parents=True)
    precious.write_text("precious")
    with pytest.raises(CommandError, match=r"sums-v0 exists and does not have the dataset's .* move it away"):
        build(shelf.suite(), tmp_path)
    assert precious.read_text() == "precious"


def test_a_process_gets_only_so_much_memory(tmp_path: Path) -> None:
    done = Processes().run(
        ["/bin/sh", "-c", "sleep 0.3; ulimit -v"], cwd=tmp_path, seconds=9, env={}, memory_bytes=1 << 30
    )
    assert done.stdout == b"1048576\n"


def test_a_compiler_without_memory_is_named(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "TOOL_MEMORY_BYTES", 400 << 20)
    (tmp_path / "big.c").write_text(
        "#define A(x) x,x,x,x,x,x,x,x,x,x\nint a[] = { A(A(A(A(A(A(A(1))))))) };\n"
    )
    with pytest.raises(CompileError, match=r"clang (needed more than 419430400 bytes|was ended by SIG)"):
        workshop.toolchain.bitcode(tmp_path / "big.c")


@pytest.mark.parametrize("name", ["drivers/sums.c", "drivers/zz.h", "suite.toml"])
def test_only_plain_files_are_read(shelf: Shelf, name: str) -> None:
    file = shelf.suite() / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    with pytest.raises(InvalidDocument) as caught:
        read_suite(file.parent if name == "suite.toml" else file.parents[1])
    [problem] = caught.value.problems
    assert "it is not a regular file" in problem.message
    assert name in f"{problem.message} {problem.value}"


def test_a_file_gets_its_name_last_and_not_after_an_error(tmp_path: Path) -> None:
    """The lock file is ready before its dataset is replaced."""
    target = tmp_path / "lock.json"
    target.write_text("old")
    during: set[str] = set()

    def fail() -> None:
        with whole_file(target, b"new"):
            during.update(path.read_text() for path in tmp_path.iterdir())
            assert target.read_text() == "old"
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert during == {"old", "new"}
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]
