"""``manage.py sweeper``: queues the work of lost workers again, until it is stopped."""

from __future__ import annotations

import signal
import threading
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import structlog
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError
from django.db import connection

from runner import conf
from runner.services import SweepReport, announce_ends, sweep

if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Callable
    from types import FrameType

_log = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Sweeps every ``OPTARENA_SWEEP_SECONDS``. Outlives restarts of the database and of the broker."""

    requires_system_checks = ()  # they would load every view
    help = "Queue verifications of lost workers again and send lost wake-ups again, in a loop."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """``--once`` makes a single pass, for cron."""
        parser.add_argument("--once", action="store_true", help="make one pass and exit; fail on an error")

    def handle(self, *, once: bool, **options: Any) -> None:  # noqa: ANN401, ARG002 - Django's signature
        """Sweep once or until SIGTERM."""
        if once:
            self._once()
            return
        stop = threading.Event()

        def ask_to_stop(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - a handler's signature
            stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, ask_to_stop)
        _log.info("sweeper started", seconds=conf.sweep_seconds())
        next_pass = time.monotonic()
        while not stop.is_set():
            if time.monotonic() >= next_pass:
                next_pass = time.monotonic() + conf.sweep_seconds()
                _safely(_pass)
            _safely(announce_ends)
            stop.wait(min(conf.ANNOUNCE_SECONDS, conf.sweep_seconds()))
        _log.info("sweeper stopped")

    def _once(self) -> None:
        report = sweep()
        self.stdout.write(f"{report}")
        if errors := (*report.errors, *announce_ends().errors):
            raise CommandError(f"The next pass tries again what failed: {'; '.join(errors)}")


def _pass() -> None:
    report = sweep()
    if report != SweepReport():
        _log.info("swept", **asdict(report))


def _safely(act: Callable[[], object]) -> None:
    try:
        act()
    except DatabaseError as error:
        _log.warning("no pass: the database does not answer", error=str(error))
    finally:
        # A pass may be the first after a restart of the database; a kept connection would fail it.
        connection.close()
