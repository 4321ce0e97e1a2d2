"""``manage.py sweeper``: queues the work of lost workers again, until it is stopped."""

from __future__ import annotations

import signal
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import FrameType

import structlog
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError
from django.db import connection

from runner import conf
from runner.queue.sweeping import SweepReport, sweep
from runner.queue.transitions import announce_ends

_log = structlog.get_logger(__name__)


class Command(BaseCommand):
    """Sweeps every ``OPTARENA_SWEEP_SECONDS``. Outlives restarts of the database and of the broker."""

    requires_system_checks = ()  # they would load every view
    help = "Queue verifications of lost workers again and send lost wake-ups again, in a loop."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="make one pass and exit; fail on an error")
        parser.add_argument(
            "--heartbeat", type=Path, metavar="FILE", help="touch this file at the start and after each pass"
        )
        parser.add_argument(
            "--check", type=Path, metavar="FILE", help="only check that a sweeper with this --heartbeat works"
        )

    def handle(self, *, once: bool, heartbeat: Path | None, check: Path | None, **_: object) -> None:
        if check is not None:
            _check(check)
            return
        if once:
            self._once()
            return
        _beat(heartbeat)
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
                _safely(partial(_pass, heartbeat))
            _safely(announce_ends)
            stop.wait(min(conf.ANNOUNCE_SECONDS, conf.sweep_seconds()))
        _log.info("sweeper stopped")

    def _once(self) -> None:
        report = sweep()
        self.stdout.write(f"{report}")
        if errors := (*report.errors, *announce_ends()):
            raise CommandError(f"The next pass tries again what failed: {'; '.join(errors)}")


def _pass(heartbeat: Path | None) -> None:
    report = sweep()
    _beat(heartbeat)
    if report != SweepReport():
        _log.info("swept", **asdict(report))


def _beat(heartbeat: Path | None) -> None:
    try:
        if heartbeat is not None:
            heartbeat.touch()
    except OSError as error:
        message = f"{heartbeat} cannot be written; give --heartbeat another file: {error}"
        raise CommandError(message) from error


def _check(heartbeat: Path) -> None:
    try:
        age = time.time() - heartbeat.stat().st_mtime
    except OSError as error:
        message = f"No sweeper has touched {heartbeat}; start one with --heartbeat {heartbeat}: {error}"
        raise CommandError(message) from error
    most = conf.sweep_seconds() + conf.LONGEST_PASS_SECONDS
    if age > most:
        message = f"No pass has ended for {age:.0f} s; it may take {most:.0f} s. Read the sweeper's log."
        raise CommandError(message)


def _safely(act: Callable[[], object]) -> None:
    try:
        act()
    except DatabaseError as error:
        if connection.is_usable():  # as after a deadlock, or on a full disk
            _log.exception("a pass failed")
        else:
            _log.warning("no pass: the database does not answer", error=str(error))
    finally:
        # A pass may be the first after a restart of the database; a kept connection would fail it.
        connection.close()
