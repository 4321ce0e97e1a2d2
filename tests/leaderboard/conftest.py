"""What every test of the server starts with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache

if TYPE_CHECKING:
    from pytest_django import Settings


@pytest.fixture(autouse=True)
def _fresh_throttles() -> None:
    """One test's attempts must not count against the next one's."""
    cache.clear()


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Settings) -> None:
    """Hashing a password takes a quarter of a second by design; tests that are not about it need not wait."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
