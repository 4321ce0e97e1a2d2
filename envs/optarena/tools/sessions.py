"""The sessions of a server of tools: each has its tools, answers calls in their order, and ends unused."""

from __future__ import annotations

import contextlib
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio

from optarena.errors import InvalidInput
from optarena.tools.calls import call_tool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping

    from optarena.tools.compiler_tools import CompilerTools

    Make = Callable[[], CompilerTools]

__all__ = ["IDLE_SECONDS", "MAX_SESSIONS", "SESSION", "ToolSessions"]

IDLE_SECONDS: Final = 1800.0
MAX_SESSIONS: Final = 32
MAX_WAITING: Final = 16  # calls of one session
SESSION: Final = "session"
_UNUSED_SECONDS: Final = 60.0  # after which a session may give way to a new one
T = TypeVar("T")


@dataclass(slots=True)
class _Opened:
    tools: CompilerTools
    lock: anyio.Lock = field(default_factory=anyio.Lock)
    used: float = field(default_factory=time.monotonic)


class ToolSessions:
    """The sessions of a server, by name.

    Args:
        make: Makes the tools of a session.
        idle_seconds: How long a session may be unused.
        most: How many there may be.
    """

    def __init__(self, make: Make, *, idle_seconds: float = IDLE_SECONDS, most: int = MAX_SESSIONS) -> None:
        self._make = make
        self._idle_seconds = idle_seconds
        self._most = most
        self._opened: dict[str, _Opened] = {}
        self._opening = anyio.Lock()  # one at a time, so that there are never too many

    async def open(self, name: str = "") -> str:
        """Open a session; its name is drawn if none is given."""
        async with self._opening:
            if len(self._opened) >= self._most:
                await self._close_longest_unused()
            if len(self._opened) >= self._most:
                message = f"There are {self._most} sessions, as many as this server has."
                raise InvalidInput(message, field=SESSION, remedy="Close one, or try again later.")
            name = name or secrets.token_urlsafe(16)
            self._opened[name] = _Opened(await anyio.to_thread.run_sync(self._make))
            return name

    async def call(self, session: str, name: str, arguments: Mapping[str, Any]) -> str:
        """Call a tool of a session."""
        return await self.do(session, lambda tools: call_tool(tools, name, arguments))

    async def do(self, session: str, work: Callable[[CompilerTools], T]) -> T:
        """Do something with the tools of a session, once earlier calls are answered."""
        opened = self.opened(session)
        if opened.lock.statistics().tasks_waiting >= MAX_WAITING:
            message = f"{MAX_WAITING} calls of this session wait for an answer."
            raise InvalidInput(message, field=SESSION, value=session, remedy="Wait for the answers first.")
        async with opened.lock:
            try:
                return await anyio.to_thread.run_sync(work, opened.tools)
            finally:
                opened.used = time.monotonic()

    def opened(self, session: str) -> _Opened:
        """A session; InvalidInput if there is none of this name."""
        opened = self._opened.get(session) if isinstance(session, str) else None
        if opened is None:
            message = f"There is no session {session!r:.100}."
            remedy = "It was closed, or never opened: start gives another."
            raise InvalidInput(message, field=SESSION, value=session, remedy=remedy)
        return opened

    async def close(self, session: str) -> None:
        """End a session, after the call that it answers now."""
        opened = self._opened.pop(session, None)
        if opened is not None:
            with anyio.CancelScope(shield=True):
                async with opened.lock:
                    await anyio.to_thread.run_sync(opened.tools.close)

    async def _close_longest_unused(self) -> None:
        free = [one for one in self._opened.items() if not one[1].lock.locked()]
        name, opened = min(free, key=lambda one: one[1].used, default=("", None))
        if opened is not None and time.monotonic() - opened.used > _UNUSED_SECONDS:
            await self.close(name)

    async def close_unused(self) -> None:
        """End the sessions that are not used any more, as long as the server runs."""
        while True:
            await anyio.sleep(self._idle_seconds / 10)
            now = time.monotonic()
            for name, opened in list(self._opened.items()):
                if not opened.lock.locked() and now - opened.used > self._idle_seconds:
                    await self.close(name)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[ToolSessions]:
        """A context at whose end all sessions are closed."""
        async with anyio.create_task_group() as group:
            group.start_soon(self.close_unused)
            try:
                yield self
            finally:
                group.cancel_scope.cancel()
                for name in list(self._opened):
                    await self.close(name)
