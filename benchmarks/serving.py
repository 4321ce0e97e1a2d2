"""A web server that is asked for pages, and the processor time that each answer costs.

Times on the clock depend on whatever else the machine does; processor time hardly does.
"""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import Self

_HOST: Final = "127.0.0.1"
_WAIT_SECONDS: Final = 60.0
_BACK_ENDS: Final = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"


@dataclass(frozen=True)
class Cost:
    """The milliseconds of one answer.

    Attributes:
        wall: Until its last byte arrived.
        busy: The processor time of the web server and of PostgreSQL.
    """

    wall: float
    busy: tuple[float, float]


class WebServer:
    """The web server on a free port, and one connection to it."""

    def __init__(self) -> None:
        self._socket = socket.create_server((_HOST, 0))
        descriptor = self._socket.fileno()
        self._process = subprocess.Popen(  # noqa: S603 - ours
            [sys.executable, "-m", "leaderboard.web_server", "--fd", str(descriptor)],
            cwd=Path(__file__).resolve().parents[1],
            pass_fds=[descriptor],
        )
        self._connection = http.client.HTTPConnection(
            _HOST, self._socket.getsockname()[1], timeout=_WAIT_SECONDS
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()
        self._process.terminate()
        self._process.wait()
        self._socket.close()

    def ask(self, path: str, cookies: str = "") -> Cost:
        """Ask for a page, and wait for all of it.

        Raises:
            SystemExit: The answer is an error.
        """
        before = self._busy()
        start = time.perf_counter()
        self._connection.request("GET", path, headers={"Cookie": cookies} if cookies else {})
        answer = self._connection.getresponse()
        content = answer.read()
        wall = 1000 * (time.perf_counter() - start)
        if answer.status != http.HTTPStatus.OK:
            raise SystemExit(f"{path}: {answer.status} {content[:500]!r}")
        web, database = (after - since for after, since in zip(self._busy(), before, strict=True))
        return Cost(wall, (web, database))

    def _busy(self) -> tuple[float, float]:
        return _processor_milliseconds([self._process.pid]), _processor_milliseconds(_back_ends())


def _back_ends() -> list[int]:
    """The processes of PostgreSQL that answer clients, this one excepted."""
    from django.db import connection  # noqa: PLC0415 - needs Django

    with connection.cursor() as cursor:
        cursor.execute(f"{_BACK_ENDS} AND pid <> pg_backend_pid()")
        return [pid for (pid,) in cursor.fetchall()]


def _processor_milliseconds(processes: Iterable[int]) -> float:
    """The processor time of all threads of these processes so far."""
    nanoseconds = 0
    for process in processes:
        for thread in Path(f"/proc/{process}/task").iterdir():
            nanoseconds += int((thread / "schedstat").read_text().split()[0])
    return nanoseconds / 1e6
