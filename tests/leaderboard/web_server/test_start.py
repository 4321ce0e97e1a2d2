"""The start of the web server: what later requests would wait for is done before the first."""

from __future__ import annotations

import argparse
import gc
import socket

import pytest

from leaderboard.web_server.__main__ import address, listening, load


def test_garbage_collections_leave_the_loaded_program_alone() -> None:
    freezer = load()
    try:
        assert gc.get_freeze_count() > 100_000
    finally:
        freezer.stop()
        gc.unfreeze()


@pytest.mark.parametrize("text", ["8000", "localhost", "127.0.0.1:0", "127.0.0.1:99999", "[::]:http"])
def test_what_is_not_an_address_is_named(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"127\.0\.0\.1:8000"):
        address(text)


def test_all_addresses_of_either_family_reach_it() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = argparse.Namespace(fd=None, bind=address(f"[::]:{port}"))
    with listening(options):
        for host in ("127.0.0.1", "::1"):
            socket.create_connection((host, port), timeout=10).close()
        with pytest.raises(SystemExit, match="cannot listen"):
            listening(options)
