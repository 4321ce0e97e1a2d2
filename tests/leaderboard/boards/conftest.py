"""A small board with real rows, two users, and their ways in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from leaderboard.accounts.services import create_token
from leaderboard.services.boards import load_boards
from optarena.specs import BoardSpec
from tests.kit.boards import DATASET, World, make_dataset
from tests.kit.noisy_boards import load_noisy_board, make_noisy_world

if TYPE_CHECKING:
    from collections.abc import Iterator

    from leaderboard.models import Board


@pytest.fixture
def world(db: None) -> World:
    """A board over three programs, all of them 400 unoptimised and 100 at -Oz, and two users."""
    make_dataset()
    [board] = load_boards(
        definitions=[
            BoardSpec(
                slug="test-ic",
                title="Test board",
                description="For tests.",
                dataset=DATASET,
                environment="llvm-ic-v0",
                metric="ir_instructions",
                baseline_level="Oz",
            )
        ]
    )
    return World(
        board=board,
        user=User.objects.create_user("ada", password="a password of ada"),  # noqa: S106 - of a test
        other=User.objects.create_user("bob", password="a password of bob"),  # noqa: S106 - of a test
    )


@pytest.fixture
def noisy(db: None) -> World:
    """The board of loop_tool on CPUs, without any entry, and two users."""
    return make_noisy_world("loop_tool-cpu")


@pytest.fixture
def noisy_board(db: None) -> Board:
    """The board of loop_tool on CPUs, beside that of ``world``."""
    return load_noisy_board("loop_tool-cpu")


@pytest.fixture
def api(world: World) -> APIClient:
    """The API with ada's token."""
    client = APIClient()
    _, text = create_token(user=world.user, name="test")
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client


@pytest.fixture
def anonymous() -> APIClient:
    """The API without a token."""
    return APIClient()


@pytest.fixture
def pages(world: World) -> Iterator[Client]:
    """A browser in which ada is logged in."""
    client = Client()
    client.force_login(world.user)
    yield client
    client.logout()
