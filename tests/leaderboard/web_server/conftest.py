"""The application of these tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.kit.small_server import LARGE, Application

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def application(tmp_path: Path) -> Iterator[Application]:
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(LARGE)
    application = Application(file)
    yield application
    application.wait.set()
