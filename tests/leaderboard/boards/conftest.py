"""A small board with real rows, two users, and their ways in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.factories import make_board, make_dataset, make_token, make_user
from tests.kit.boards import World
from tests.kit.noisy_boards import load_noisy_board, make_noisy_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.models import Board


@pytest.fixture
def world(db: None) -> World:
    """A board over three programs, all of them 400 unoptimised and 100 at -Oz, and two users."""
    make_dataset()
    return World(board=make_board(), user=make_user("ada"), other=make_user("bob"))


@pytest.fixture
def noisy(db: None) -> World:
    return make_noisy_world("loop_tool-cpu")


@pytest.fixture
def noisy_board(db: None) -> Board:
    return load_noisy_board("loop_tool-cpu")


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
