"""The start of the web server: what later requests would wait for is done before the first."""

from __future__ import annotations

import gc

from leaderboard.web_server.__main__ import load


def test_garbage_collections_leave_the_loaded_program_alone() -> None:
    freezer = load()
    try:
        assert gc.get_freeze_count() > 100_000
    finally:
        freezer.stop()
        gc.unfreeze()
