"""Full garbage collections happen between requests, and stay short however much the server keeps."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from leaderboard.web_server import garbage
from leaderboard.web_server.garbage import QUIET_SECONDS, Freezer

if TYPE_CHECKING:
    from collections.abc import Iterator


class Circle:
    """Something that refers to itself, as the objects of a request do."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def freezer() -> Iterator[Freezer]:
    """One at work; afterwards the tests' process is as it was."""
    made = Freezer()
    made.start()
    yield made
    made.stop()
    gc.unfreeze()


def grown_old() -> weakref.ref[Circle]:
    """Garbage that only a full collection frees."""
    circle = Circle()
    gc.collect(1)
    return weakref.ref(circle)


def make_a_full_one_due() -> None:
    for _ in range(garbage.MOST_YOUNG + 1):
        gc.collect(1)


@pytest.mark.usefixtures("freezer")
def test_no_full_collection_happens_by_itself_for_long() -> None:
    before = gc.get_stats()[2]["collections"]
    kept = [[number] for number in range(2_000_000)]
    assert gc.get_stats()[2]["collections"] == before
    assert gc.get_stats()[1]["collections"] > 0
    assert kept


@pytest.mark.usefixtures("freezer")
def test_a_server_without_a_moment_of_rest_collects_at_last() -> None:
    old = grown_old()
    for _ in range(garbage.MOST_OVERDUE + 1):
        gc.collect(1)
    kept = [[number] for number in range(1_000_000)]  # Python waits until a quarter is new
    assert old() is None
    assert kept


def test_garbage_is_freed_once_no_request_has_come_for_a_while(freezer: Freezer) -> None:
    old = grown_old()
    make_a_full_one_due()
    freezer.rest(QUIET_SECONDS / 2)
    assert old() is not None
    freezer.rest(QUIET_SECONDS)
    assert old() is None


def test_nothing_is_examined_again_before_there_is_anything_new(freezer: Freezer) -> None:
    make_a_full_one_due()
    freezer.rest(QUIET_SECONDS)
    before = gc.get_stats()[2]["collections"]
    freezer.rest(QUIET_SECONDS)
    assert gc.get_stats()[2]["collections"] == before


def test_a_busy_server_collects_once_its_memory_has_grown(freezer: Freezer) -> None:
    old = grown_old()
    grown = bytearray(70 * 2**20)
    grown[::4096] = b"x" * len(grown[::4096])
    freezer.rest(0.0)
    assert old() is None


def test_what_makes_collections_long_is_examined_no_more(
    freezer: Freezer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "MOST_EXAMINED", 10_000)
    before = gc.get_freeze_count()
    kept = [[number] for number in range(50_000)]
    make_a_full_one_due()
    freezer.rest(QUIET_SECONDS)
    assert gc.get_freeze_count() > before + len(kept)
    assert not any(one is kept for one in gc.get_objects())


def test_little_is_not_exempt(freezer: Freezer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "MOST_EXAMINED", 1_000_000)
    before = gc.get_freeze_count()
    make_a_full_one_due()
    freezer.rest(QUIET_SECONDS)
    assert gc.get_freeze_count() <= before
