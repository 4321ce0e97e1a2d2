"""Where packages come from, and that what was unpacked before is believed only if it is whole."""

from __future__ import annotations

import gzip
import os
import sys
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from datasets.builder.files import SourceUnavailable
from datasets.builder.reading import read_suite
from datasets.builder.sources import Sources, without_user

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from datasets.builder.suite import Package
    from tests.kit.packaged import Shelf


class Index:
    """A package index that sends whatever a test says.

    Attributes:
        send: Given what writes to the socket and the path that was asked for, answers.
        url: Its address.
    """

    send: Callable[[Callable[[bytes], object], str], object]
    url: str = ""

    def page(self, body: bytes, *head: str, status: int = 200) -> bytes:
        """A whole answer."""
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
    """Have pip be set up for another index."""
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
    assert (
        without_user("of https://me:secret@example.org/a, ftp://x@y/") == "of https://example.org/a, ftp://y/"
    )
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
    "http://[::1",
    "http://127.0.0.1:99999/simple",
    "http://127.0.0.1:port/simple",
    "http://me:secret@[::1/simple",
    "http://me:secret/word@127.0.0.1/simple",
    "me:secret@127.0.0.1/simple",
    "http://ex\x01ample/",
    "ftp://127.0.0.1:9/",
    "http://",
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


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("no me:secret@x.org/a", "no x.org/a"),
        ("http://me:se/cret@x.org/a b", "http://x.org/a b"),
        ("http://me:s@cret@x.org/", "http://x.org/"),
        ("http://x.org/a and y", "http://x.org/a and y"),
    ],
)
def test_whatever_a_password_has_is_left_out(text: str, clean: str) -> None:
    assert without_user(text) == clean


JSON = "Content-Type: application/vnd.pypi.simple.v1+json"
PAGES: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "no-host": (b'<a href="http://[::1/x.tar.gz">x</a>', ()),
    "control": (b'<a href="http://ex\x01ample/sums-1.0.tar.gz">x</a>', ()),
    "escape": (b'<a href="http://\x1b[2Jx/sums-1.0.tar.gz">x</a>', ()),
    "other-scheme": (b'<a href="gopher://x/sums-1.0.tar.gz">x</a>', ()),
    "no-html": (b"<![if x]><![x", ()),
    "no-text": (b"\xff\xfe", ()),
    "no-charset": (b"x", ("Content-Type: text/html; charset=hex",)),
    "no-gzip": (b"x", ("Content-Encoding: gzip",)),
    "nested": (b"[" * 200_000, (JSON,)),
    "list": (b"[]", (JSON,)),
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


def test_an_index_may_send_elsewhere_and_compress(shelf: Shelf, package: Package, index: Index) -> None:
    links = gzip.compress(f'<a href="/{package.archive}">x</a>'.encode())

    def send(write: Callable[[bytes], object], path: str) -> None:
        if path.startswith("/simple"):
            write(index.page(b"", "Location: /elsewhere/", status=302))
            return
        page = (shelf.index / package.archive).read_bytes() if path.endswith(".gz") else links
        write(index.page(page, *(() if path.endswith(".gz") else ("Content-Encoding: gzip",))))

    index.send = send
    assert Sources(shelf.index / "cache").archive(package).is_file()
