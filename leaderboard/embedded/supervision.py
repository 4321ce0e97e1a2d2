"""Starts what has ended again, after pauses that grow, and gives up on a process that ends for good."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from leaderboard.embedded.errors import EmbeddedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from leaderboard.embedded.process import Process

RESTARTS: Final = 5
"""Deaths of one process within the window, after which it is given up."""
WINDOW_SECONDS: Final = 120.0
_FIRST_PAUSE_SECONDS: Final = 1.0
_REMEDY: Final = "Everything else goes on. Find the cause in its log, then stop and start the whole server."


@dataclass(eq=False)
class Supervised:
    """One process, and what has happened to it.

    Attributes:
        process: The process.
        start: Starts it; for a server, also waits until it answers.
        deaths: When it ended, within the window.
        due: When it is started again; None while it runs.
        given_up: Whether it is not started any more.
    """

    process: Process
    start: Callable[[], None]
    deaths: list[float] = field(default_factory=list)
    due: float | None = None
    given_up: bool = False


class Supervisor:
    """Watches processes.

    Args:
        watched: The processes; one is started before those that follow it.
        given_up: A file with the names of those that are not started any more, for the readiness check.
    """

    def __init__(self, watched: Sequence[Supervised], given_up: Path) -> None:
        self._watched = tuple(watched)
        self._file = given_up
        self._file.unlink(missing_ok=True)

    def check(self, report: Callable[[str], None]) -> None:
        """Start what has ended, now or after its pause, and report it; keep the logs short."""
        for one in self._watched:
            one.process.limit_log()
            if one.given_up or one.process.running:
                continue
            if one.due is None:
                self._count_death(one, report)
            if one.due is not None and time.monotonic() >= one.due:
                self._restart(one, report)

    def _count_death(self, one: Supervised, report: Callable[[str], None]) -> None:
        now = time.monotonic()
        one.deaths = [*(death for death in one.deaths if now - death < WINDOW_SECONDS), now]
        name, ending = one.process.name, one.process.ending()
        if len(one.deaths) > RESTARTS:
            one.given_up = True
            one.process.kill()
            report(f"{name} {ending}; it ends again and again and is given up. {_REMEDY}")
            report(one.process.log_tail())
            self._write_down(report)
            return
        # The first death is answered at once: most have a cause that has passed.
        pause = 0.0 if len(one.deaths) == 1 else _FIRST_PAUSE_SECONDS * 2 ** (len(one.deaths) - 2)
        one.due = now + pause
        report(f"{name} {ending}; it is being restarted" + (f" in {pause:.0f} s" if pause else ""))

    def _write_down(self, report: Callable[[str], None]) -> None:
        names = [each.process.name for each in self._watched if each.given_up]
        try:
            self._file.write_text("".join(f"{each}\n" for each in names), encoding="utf-8")
        except OSError as error:  # the readiness check does not know it then; the rest goes on
            report(f"{self._file} could not be written: {error.strerror}")

    def _restart(self, one: Supervised, report: Callable[[str], None]) -> None:
        one.due = None
        one.process.kill()
        try:
            one.start()
        except (EmbeddedError, OSError) as error:
            # It has ended again, or hangs, or there is no room for its log; the next check counts it.
            report(str(error))
            one.process.kill()
