"""A whole server of real processes, and what those who use it have at hand."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx

from tests.kit.folders import EXAMPLES, PLUGINS, ROOT

if TYPE_CHECKING:
    from leaderboard.embedded import EmbeddedStack
    from leaderboard.embedded.server import Server
    from optarena.client import Client

MODULES: Final = ("sorting", "stack_compiler.environment", "job_scheduling.environment")
"""The plug-ins of the tests and of the examples."""
FEWER_PROGRAMS: Final = """
from dataclasses import replace
from leaderboard.portable.services import load_portable_boards
from optarena.specs import portable_board_specs
load_portable_boards(definitions=[replace(one, programs=3) for one in portable_board_specs()])
"""
"""Has portable entries measured on three programs, for ``Stack.manage("shell", "-c", ...)``."""


def with_plugins(environment: dict[str, str]) -> dict[str, str]:
    """Environment variables with which a process has the plug-ins of the tests and of the examples."""
    folders = (str(PLUGINS), str(EXAMPLES))
    found = [*folders, environment["PYTHONPATH"]]
    return {**environment, "OPTARENA_PLUGINS": ",".join(MODULES), "PYTHONPATH": os.pathsep.join(found)}


@dataclass
class Stack:
    """A whole server of real processes, with leases of seconds so that tests need not wait for minutes."""

    embedded: EmbeddedStack
    server: Server
    names: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    @property
    def url(self) -> str:
        return self.server.url

    def client(self, token: str = "") -> Client:
        from optarena.client import Client  # noqa: PLC0415 - only when a test needs it

        return Client(self.url, token)

    def user(self) -> Client:
        """A client of somebody who has just signed up."""
        name = f"user{next(self.names)}"
        with self.client() as stranger:
            return self.client(stranger.signup(name, f"correct horse {name} staple")["token"])

    def page(self, address: str) -> str:
        answer = httpx.get(f"{self.url}{address}", follow_redirects=True, timeout=60)
        assert answer.status_code == 200, address
        return answer.text

    def optarena(self, *arguments: str, **variables: str) -> str:
        """What the command ``optarena`` prints about this server."""
        done = subprocess.run(
            [str(Path(sys.executable).with_name("optarena")), *arguments],
            env={**self.server.environment, "OPTARENA_URL": self.url, "COLUMNS": "200", **variables},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def manage(self, *arguments: str, **variables: str) -> None:
        """Run a management command on the server's database."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "manage.py"), *arguments],
            env={**self.server.environment, **variables},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def query(self, statement: str, *parameters: object) -> list[tuple[object, ...]]:
        with self.embedded.postgres.connect() as connection:
            return connection.execute(statement.encode(), parameters).fetchall()
