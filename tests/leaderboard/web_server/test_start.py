"""The start of the web server, and its garbage collections: done when no request waits for them."""

from __future__ import annotations

import argparse
import gc
import socket
import weakref
from collections.abc import Iterator

import pytest

from leaderboard.web_server import __main__ as web
from leaderboard.web_server.__main__ import QUIET_SECONDS, address, collect_at_rest, listening_socket, load


class Circle:
    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def loaded() -> Iterator[None]:
    """As at the start; afterwards the tests' process is as it was."""
    before = gc.get_threshold()
    load()
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


def make_a_full_collection_due() -> None:
    for _ in range(web.MOST_YOUNG + 1):
        gc.collect(1)


@pytest.mark.usefixtures("loaded")
def test_garbage_collections_leave_the_loaded_program_alone() -> None:
    assert gc.get_freeze_count() > 100_000


@pytest.mark.usefixtures("loaded")
def test_garbage_is_freed_once_no_request_has_come_for_a_while() -> None:
    circle = Circle()
    old = weakref.ref(circle)
    gc.collect(1)
    del circle
    make_a_full_collection_due()
    collect_at_rest(QUIET_SECONDS / 2)
    assert old() is not None
    collect_at_rest(QUIET_SECONDS)
    assert old() is None
    before = gc.get_stats()[2]["collections"]
    collect_at_rest(QUIET_SECONDS)
    assert gc.get_stats()[2]["collections"] == before


@pytest.mark.usefixtures("loaded")
def test_a_server_without_a_moment_of_rest_collects_at_last() -> None:
    circle = Circle()
    old = weakref.ref(circle)
    del circle
    for _ in range(web.MOST_OVERDUE + 1):
        gc.collect(1)
    kept = [[number] for number in range(1_000_000)]  # Python waits until a quarter is new
    assert old() is None
    assert kept


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("most_examined", [10_000, 1_000_000])
def test_what_is_old_is_examined_no_more(monkeypatch: pytest.MonkeyPatch, most_examined: int) -> None:
    monkeypatch.setattr(web, "MOST_EXAMINED", most_examined)
    before = gc.get_freeze_count()
    kept = [[number] for number in range(50_000)]
    make_a_full_collection_due()
    collect_at_rest(QUIET_SECONDS)
    assert (gc.get_freeze_count() > before + len(kept)) == (most_examined < len(kept))


def test_what_is_not_an_address_is_named() -> None:
    for text in ("8000", "localhost", "127.0.0.1:0", "127.0.0.1:99999", "[::]:http"):
        with pytest.raises(argparse.ArgumentTypeError, match=r"127\.0\.0\.1:8000"):
            address(text)


def test_all_addresses_of_either_family_reach_it() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = argparse.Namespace(fd=None, bind=address(f"[::]:{port}"))
    with listening_socket(options):
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, port), timeout=10).close()
        with pytest.raises(SystemExit, match="cannot listen"):
            listening_socket(options)
