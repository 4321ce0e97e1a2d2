"""A small board with real rows, two users, and their ways in."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.factories import make_token
from tests.kit.boards import World, make_world
from tests.kit.noisy_boards import make_noisy_world


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


@pytest.fixture
def anonymous() -> APIClient:
    return APIClient()


@pytest.fixture
def pages(world: World) -> Iterator[Client]:
    client = Client()
    client.force_login(world.user)
    yield client
    client.logout()
