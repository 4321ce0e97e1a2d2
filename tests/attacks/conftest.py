"""The board of the attacks, and who is logged in."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.kit.board_fixtures import api, noisy, world  # noqa: F401 - fixtures


@pytest.fixture(autouse=True)
def _fresh_throttles() -> None:
    cache.clear()
