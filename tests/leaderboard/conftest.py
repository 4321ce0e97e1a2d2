"""What every test of the server starts with."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

from tests.kit.arena import Arena, arena_in

if TYPE_CHECKING:
    from pytest_django import DjangoDbBlocker


@pytest.fixture(autouse=True)
def _fresh_throttles() -> None:
    """One test's attempts must not count against the next one's."""
    cache.clear()


@pytest.fixture(scope="module")
def arena(
    broker: str,
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Arena]:
    """The rows behind the addresses, made once; tests undo what they change."""
    with django_db_blocker.unblock(), arena_in(tmp_path_factory.mktemp("arena")) as made:
        yield made
