"""The board of the attacks, and who is logged in."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from tests.factories import make_token
from tests.kit.boards import World, make_world
from tests.kit.noisy_boards import make_noisy_world


@pytest.fixture(autouse=True)
def _fresh_throttles() -> None:
    cache.clear()


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture
def noisy(db: None) -> World:
    return make_noisy_world("loop_tool-cpu")


@pytest.fixture
def api(world: World) -> APIClient:
    client = APIClient()
    _, text = make_token(world.user)
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client
