"""What every test of the server starts with."""

from __future__ import annotations

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _fresh_throttles() -> None:
    """One test's attempts must not count against the next one's."""
    cache.clear()
