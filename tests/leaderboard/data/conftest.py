"""A small board with real rows, two users, and their ways in."""

from __future__ import annotations

from tests.kit.board_fixtures import anonymous, api, noisy, pages, world  # noqa: F401 - fixtures
