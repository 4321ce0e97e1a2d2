"""Full garbage collections stay short however much the server keeps."""

from __future__ import annotations

import gc
import weakref
from typing import TYPE_CHECKING

import pytest

from leaderboard.web_server import garbage
from leaderboard.web_server.garbage import Freezer

if TYPE_CHECKING:
    from collections.abc import Iterator


class Circle:
    """Something that refers to itself, as the objects of a request do."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture
def freezer() -> Iterator[Freezer]:
    """One that watches; afterwards the tests' process is as it was."""
    made = Freezer()
    made.start()
    yield made
    made.stop()
    gc.unfreeze()


def test_what_made_a_full_collection_long_is_examined_once(
    freezer: Freezer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "SLOW_SECONDS", 0.0)
    before = gc.get_freeze_count()
    kept = [[number] for number in range(50_000)]
    gc.collect(1)
    assert gc.get_freeze_count() < before + len(kept)
    gc.collect()
    freezer.rest()
    assert gc.get_freeze_count() > before + len(kept)
    assert not any(one is kept for one in gc.get_objects())


def test_what_is_alive_only_while_a_request_is_answered_is_freed(
    freezer: Freezer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "SLOW_SECONDS", 0.0)
    answered = Circle()
    gc.collect()
    gone = weakref.ref(answered)
    del answered
    freezer.rest()
    assert gone() is None


@pytest.mark.usefixtures("freezer")
def test_a_short_collection_frees_all_that_refers_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "SLOW_SECONDS", 1e9)
    before = gc.get_freeze_count()
    circle: list[object] = []
    circle.append(circle)
    del circle
    assert gc.collect() >= 1
    assert gc.get_freeze_count() <= before
