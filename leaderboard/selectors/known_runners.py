"""Runners as the public sees them: what each is, what confines its work, and its calibrations."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from django.db.models import OuterRef, Subquery

from leaderboard.selectors.queue import runner_row
from runner import conf
from runner.clock import database_now
from runner.drift import limits_of, times_of
from runner.models import Runner, Verification
from runner.selectors import calibrations_of, history_beside, last_calibration, recent_runners

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from django.db.models import QuerySet

    from runner.models import Calibration

SHOWN: Final = 90
"""A runner's latest calibrations that its page shows, and the API."""
_KERNEL: Final = "kernel"
_FACTS: Final = {
    "cpu": "Processor",
    "cores": "Cores",
    "smt": "Hardware threads",
    "max_mhz": "Highest clock, MHz",
    "governor": "Clock governor",
    "microcode": "Microcode",
    "mitigations": "Mitigations",
    _KERNEL: "Linux",
    "gpus": "GPUs",
    "CUDA_VISIBLE_DEVICES": "Visible GPUs",
}
_MEBIBYTE: Final = 1 << 20
_GREATEST: Final = sys.float_info.max


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationEntry:
    """One workload of a calibration.

    Attributes:
        name: Its stable name.
        seconds: The least of its readings.
        spread: By which part their median is above.
    """

    name: str
    seconds: float
    spread: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow:
    """One calibration.

    Attributes:
        at: When it was made.
        version: The version of the calibration set.
        entries: Its workloads, by name.
        load: The machine's load average over the last minute; None where it is not known.
        tries: How often it was measured.
        drift: How the machine had changed; empty if it had not.
        begins: Why a new history begins with it; empty if it continues the one before.
    """

    at: datetime
    version: str
    entries: tuple[CalibrationEntry, ...]
    load: float | None
    tries: int
    drift: str
    begins: str = ""

    @property
    def times(self) -> dict[str, float]:
        """The seconds of each entry."""
        return {entry.name: entry.seconds for entry in self.entries}

    @property
    def milliseconds(self) -> dict[str, str]:
        """The time of each entry, for the page."""
        return {one.name: f"{1000 * one.seconds:#.3g}" for one in self.entries}


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """One workload in all calibrations of the present history.

    Attributes:
        name: Its stable name.
        seconds: Its times, the oldest first.
        at: When they were measured.
        usual: The median of the history; None where the history is too short.
        limits: The least and the longest time within the limits; None as before.
    """

    name: str
    seconds: tuple[float, ...]
    at: tuple[datetime, ...]
    usual: float | None
    limits: tuple[float, float] | None

    @property
    def title(self) -> str:
        """Its name for people."""
        return self.name.replace("_", " ")


def known_runners() -> list[dict[str, Any]]:
    """Live runners and those that were seen in the last 30 days, by class, the latest first."""
    now = database_now()
    return [_summary(runner, now) for runner in _with_latest(recent_runners())]


def known_runner(runner_id: int) -> dict[str, Any] | None:
    """One runner with its facts, its test of itself and its calibrations; None if it is not known."""
    runner = _with_latest(Runner.objects.filter(pk=runner_id)).first()
    if runner is None:
        return None
    latest_first = list(calibrations_of(runner)[:SHOWN])
    history = history_beside(latest_first[0]) if latest_first else []
    calibrations = calibration_rows(latest_first)
    summary = _summary(runner, database_now())
    return summary | {
        "facts": list(_facts(summary["machine"])),
        "self_test": _self_test(runner.self_test),
        "calibrations": calibrations,
        "courses": list(courses(calibrations, history)),
    }


def _with_latest(runners: QuerySet[Runner]) -> QuerySet[Runner]:
    """Runners with the sandbox of one of their results and with their last calibration."""
    results = Verification.objects.filter(runner=OuterRef("pk"), sandbox__isnull=False).order_by()
    return runners.annotate(
        sandbox=Subquery(results.values("sandbox")[:1]),
        calibrated_at=last_calibration("at"),
        drift=last_calibration("drift"),
    )


def _summary(runner: Runner, now: datetime) -> dict[str, Any]:
    given: Any = runner  # with what `_with_latest` annotates
    return runner_row(runner) | {
        "hardware_class": runner.hardware_class,
        "processes": runner.processes,
        "state": _state(runner, now),
        "stopped_at": runner.stopped_at,
        "confinement": confinement(given.sandbox),
        "calibrated_at": given.calibrated_at,
        "drift": given.drift or "",
    }


def _state(runner: Runner, now: datetime) -> str:
    if runner.stopped_at is not None:
        return "stopped"
    if runner.seen_at <= now - conf.lease_time():
        return "lost"
    return "live" if runner.paused_at is None else "paused"


def confinement(sandbox: object) -> str:
    """What confined one of a runner's replays, for people; empty before the first result."""
    if not isinstance(sandbox, dict) or not sandbox.get("confined"):
        return ""
    group, tools = sandbox.get("memory_group"), ", ".join(sandbox.get("tools") or ())
    named = {
        f"Landlock {sandbox.get('landlock')}": sandbox.get("landlock"),
        "seccomp": sandbox.get("seccomp"),
        "no new privileges": sandbox.get("no_new_privs"),
        "a user of its own": sandbox.get("uid_dropped"),
        "no capabilities": sandbox.get("capabilities_dropped"),
        f"{group // _MEBIBYTE} MiB of memory" if isinstance(group, int) else "": isinstance(group, int)
        and group,
        f"starts only {tools}": tools,
    }
    return ", ".join(name for name, holds in named.items() if holds)


def _facts(machine: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a machine is, in the order of the page; facts that it does not tell are left out.

    The kernel is part of the software.
    """
    for key in (*_FACTS, *sorted(set(machine) - set(_FACTS))):
        if key == _KERNEL:
            continue
        value = machine.get(key)
        text = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        if text:
            yield _FACTS.get(key, key), text


def _self_test(told: object) -> dict[str, Any] | None:
    """A worker's test of itself, without the messages of its checks, which name folders."""
    if not isinstance(told, dict) or not isinstance(told.get("checks"), list):
        return None
    checks = [
        {"name": str(one.get("name", "")), "ok": bool(one.get("ok")), "seconds": _number(one.get("seconds"))}
        for one in told["checks"]
        if isinstance(one, dict)
    ]
    return {"passed": bool(told.get("passed")), "at": _moment(told.get("at")), "checks": checks}


def _moment(told: object) -> datetime | None:
    """A moment that a worker wrote, in UTC; None for anything else, and beyond what Python can tell."""
    try:
        at = datetime.fromisoformat(str(told))
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _number(told: object) -> float | None:
    """A number that a worker wrote; None for anything else, and beyond what a float can be."""
    is_number = isinstance(told, (int, float)) and not isinstance(told, bool) and abs(told) <= _GREATEST
    return float(told) if is_number else None  # type: ignore[arg-type] # it is one


def calibration_rows(latest_first: Sequence[Calibration]) -> list[CalibrationRow]:
    """Calibrations as the page shows them, in the same order; each says where a history begins."""
    return [_calibration(one, before) for one, before in zip_longest(latest_first, latest_first[1:])]


def _calibration(row: Calibration, before: Calibration | None) -> CalibrationRow:
    conditions = row.conditions if isinstance(row.conditions, dict) else {}
    load = conditions.get("load_average")
    return CalibrationRow(
        at=row.at,
        version=row.version,
        entries=tuple(_entries(row.vector)),
        load=_number(load[0]) if isinstance(load, list) and load else None,
        tries=row.tries,
        drift=row.drift,
        begins="" if before is None else _changed(before, row),
    )


def _entries(vector: object) -> Iterator[CalibrationEntry]:
    """The entries of what a worker wrote itself, as far as they are times."""
    given: Any = vector  # with an object for each name that has a time
    for name, seconds in sorted(times_of(vector).items()):
        spread = _number(given[name].get("spread"))
        if spread is not None:
            yield CalibrationEntry(name=name, seconds=seconds, spread=spread)


def _changed(before: Calibration, row: Calibration) -> str:
    """What differs between two calibrations that belong to different histories."""
    if before.version != row.version:
        return f"Calibration set {row.version}"
    if before.machine == row.machine:
        return ""
    old, new = (one.fingerprint if isinstance(one.fingerprint, dict) else {} for one in (before, row))
    names = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    return "Changed: " + (", ".join(_FACTS.get(key, key).lower() for key in names) or "driver")


def courses(
    latest_first: Sequence[CalibrationRow], history: Sequence[Mapping[str, float]]
) -> Iterator[Course]:
    """Each workload in the calibrations that are shown of the present history.

    Args:
        latest_first: The calibrations that are shown.
        history: The times without drift by which the runner judges itself: a paused one tries so often that
            they may no longer be among those that are shown.
    """
    present = _present(latest_first)
    limits = limits_of(history)
    for name in present[0].times if present else ():
        shown = [one for one in reversed(present) if name in one.times]
        found = limits.get(name)
        yield Course(
            name=name,
            seconds=tuple(one.times[name] for one in shown),
            at=tuple(one.at for one in shown),
            usual=None if found is None else math.exp(found.middle),
            limits=None
            if found is None
            else (math.exp(found.middle - found.limit), math.exp(found.middle + found.limit)),
        )


def _present(latest_first: Sequence[CalibrationRow]) -> list[CalibrationRow]:
    present = []
    for one in latest_first:
        present.append(one)
        if one.begins:
            break
    return present
