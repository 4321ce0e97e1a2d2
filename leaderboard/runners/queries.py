"""Read the queue and the runners: places, expected waits, known runners, and notices for boards."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from django.db.models import OuterRef, Subquery

from datasets.site.formats import duration
from leaderboard.models import PortableReplay, SubmissionItem
from leaderboard.submissions.quotas import payer_of
from optarena.specs import device_spec, device_specs, environment_specs
from runner import conf
from runner.clock import database_now
from runner.machines.calibration import limits_of, times_of
from runner.models import RUNNING, Runner, State, Verification
from runner.queue.forecasts import forecast, forecast_of_new, loads, next_in_turn
from runner.selectors import (
    QueueDepth,
    calibrations_of,
    history_beside,
    last_calibration,
    live_runners,
    queue_depths,
    recent_runners,
    runners_last_seen,
    unknown_work,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from uuid import UUID

    from django.db.models import QuerySet

    from leaderboard.models import Board, PortableEntry, Submission
    from optarena.specs import EnvironmentSpec
    from runner.models import Calibration
    from runner.queue.forecasts import Forecast, Load
    from runner.selectors import UnknownWork


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    forecast: Forecast
    hardware_class: str

    @property
    def text(self) -> str:
        return f"{self._place()} {self._times()}"

    def _place(self) -> str:
        found = self.forecast
        if found.position is None:
            return "All replays that are left are running."
        return f"Position {found.position:,} in the queue, which goes round by owner."

    def _times(self) -> str:
        found = self.forecast
        if found.seconds_to_end is None:
            return f"No runner of class {self.hardware_class} takes work now, so the time is unknown."
        runners = "1 runner is" if found.processes == 1 else f"{found.processes:,} runners are"
        start = ""
        if found.seconds_to_start is not None:
            start = f"starts in about {about(found.seconds_to_start)} and "
        return f"It {start}ends in about {about(found.seconds_to_end)}; {runners} at work."


# Without more digits than a forecast deserves.
def about(seconds: float) -> str:
    return duration(max(1, round(seconds))).replace(".0 s", " s")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWait:
    forecast: Forecast | None  # None if none of its replays would be new.
    hardware_class: str

    @property
    def text(self) -> str:
        found = self.forecast
        if found is None:
            return "All of its replays are known or requested already, so it adds nothing to the queue."
        replays = f"{found.waiting:,} new replay{'s' if found.waiting != 1 else ''}"
        before = f"{replays}, with about {(found.position or 1) - 1:,} waiting before the first"
        if found.seconds_to_end is None:
            return (
                f"{before}. No runner of class {self.hardware_class} takes work now, so the time is unknown."
            )
        return f"{before}; expected to end in about {about(found.seconds_to_end)}."


def wait_of_new(*, user_id: int, board: Board, seconds: Sequence[float]) -> NewWait:
    name = conf.hardware_class(board.device)
    if not seconds:
        return NewWait(forecast=None, hardware_class=name)
    found = forecast_of_new(
        payer=payer_of(user_id), number=len(seconds), seconds=math.fsum(seconds), hardware_class=name
    )
    return NewWait(forecast=found, hardware_class=name)


# None for a submission or item that waits for no verdict. `processes`: how many replays its runners do at
# once, where that is known.
def wait_of(
    submission: Submission, *, processes: int | None = None, item: SubmissionItem | None = None
) -> Wait | None:
    if submission.withdrawn_at is not None:
        return None
    pending = SubmissionItem.objects.filter(submission=submission, verdict=SubmissionItem.Verdict.PENDING)
    if item is not None:
        pending = pending.filter(pk=item.pk)
    name = conf.hardware_class(submission.board.device)
    found = forecast(
        payer=payer_of(submission.owner_id),
        verifications=pending.order_by().values("verification"),
        hardware_class=name,
        processes=processes,
    )
    return None if found is None else Wait(forecast=found, hardware_class=name)


RECENT: Final = 20
LISTED: Final = 20  # Replays that run, and that wait for a hardware class, which the queue's page lists.
_DRIVER: Final = "nvidia_driver"
_PYTHON: Final = "python"
_SHOWN: Final = (
    *("state", "reason", "attempt", "progress_phase", "progress_done", "progress_total", "finished_at"),
    *("created_at", "environment_version__env_id", "benchmark_uri", "benchmark__kind", "benchmark__name"),
)


# Each hardware class that has work or a runner. It is `stuck` where replays wait and no runner takes work.
# Replays wait for the `unknown_versions` although no live runner has them. For `details`, everything that
# waits is read.
def queue_overview(*, details: bool = True) -> dict[str, Any]:
    depths = {depth.hardware_class: depth for depth in queue_depths()}
    runners: dict[str, list[Runner]] = {}
    live = list(live_runners())
    for runner in live:
        runners.setdefault(runner.hardware_class, []).append(runner)
    seen = runners_last_seen()
    waiting = loads() if details else {}
    unknown: dict[str, list[UnknownWork]] = {}
    for work in unknown_work(live) if depths and details else ():
        unknown.setdefault(work.hardware_class, []).append(work)
    classes = [
        _hardware_class(name, depths.get(name), runners.get(name, []), seen.get(name), waiting.get(name))
        | {"unknown_versions": unknown.get(name, []), "preparing": _preparing(depths.get(name), runners)}
        for name in sorted({*depths, *runners})
    ]
    oldest = [depth.oldest_queued_at for depth in depths.values() if depth.oldest_queued_at is not None]
    return {
        "hardware_classes": classes,
        "busy_classes": [one for one in classes if one["waiting"] or one["running"]],
        "oldest_waiting_since": min(oldest, default=None),
    }


def _hardware_class(
    name: str,
    depth: QueueDepth | None,
    runners: list[Runner],
    last_seen_at: datetime | None,
    load: Load | None,
) -> dict[str, Any]:
    waiting = depth.queued if depth else 0
    able = [one for one in runners if one.paused_at is None]
    processes = sum(one.processes for one in able)
    seconds = load.seconds / processes if load and processes else None
    return {
        "name": name,
        "waiting": waiting,
        "running": depth.running if depth else 0,
        "runners": [runner_row(one) for one in runners],
        "processes": processes,
        "owners": load.payers if load else 0,
        "expected_seconds": seconds,
        "expected": "" if seconds is None else about(seconds),
        "stuck": bool(waiting) and not able,
        "last_seen_at": last_seen_at,
    }


# How many of a device's line wait for workers of another class first, and for which.
def _preparing(depth: QueueDepth | None, runners: Mapping[str, list[Runner]]) -> dict[str, Any] | None:
    if depth is None or not depth.unprepared:
        return None
    name = conf.hardware_class()
    able = [one for one in runners.get(name, []) if one.paused_at is None]
    return {"number": depth.unprepared, "name": name, "stuck": not able}


# As the public sees it: without its name, which contains its host, and without UUIDs.
def runner_row(runner: Runner) -> dict[str, Any]:
    given, versions = _object(runner.fingerprint), _object(runner.versions)
    listed = given.get("gpus")
    gpus = [str(_object(gpu).get("name", "")) for gpu in listed] if isinstance(listed, list) else []
    return {
        "id": runner.pk,
        "machine": {**given, "gpus": gpus},
        "versions": versions,
        "title": ", ".join([*gpus, f"{given.get('cpu', '')}, {given.get('cores', '?')} cores"]),
        "software": _software(given, versions),
        "started_at": runner.started_at,
        "seen_at": runner.seen_at,
        "paused_at": runner.paused_at,
        "pause_reason": runner.pause_reason,
    }


# JSON data that a worker wrote itself: whatever it is not, it must not break the page for everybody.
def _object(given: object) -> dict[str, Any]:
    return given if isinstance(given, dict) else {}


def item_runner(item: SubmissionItem) -> dict[str, Any] | None:
    runner = item.verification.runner if item.verification else None
    return None if runner is None else runner_row(runner)


def _software(machine: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    packages = {name: name for device in device_specs() for name in device.packages}
    compilers = {title.lower(): title for title in (_compiler(spec) for spec in environment_specs())}
    titles = {_DRIVER: "NVIDIA driver", **packages, **compilers, _PYTHON: "Python"}
    named = [f"{title} {versions[key]}" for key, title in titles.items() if versions.get(key)]
    return ", ".join([f"Linux {machine.get('kernel', '')}", *named])


def _compiler(spec: EnvironmentSpec) -> str:
    return spec.compiler.rpartition(" ")[0]


# One replay, and who waits for it or has its result; nobody where no entry needs it.
@dataclass(frozen=True, slots=True)
class QueueRow:
    verification: Verification
    item: SubmissionItem | None
    portable: PortableEntry | None = None  # The first portable entry that needs it, where no item does.


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueOrder:
    running: tuple[QueueRow, ...]  # Longest waiting first.
    # In the order in which they probably start, by hardware class.
    following: Mapping[str, tuple[QueueRow, ...]]
    newest: tuple[QueueRow, ...]


def queue_order(overview: Mapping[str, Any]) -> QueueOrder:
    waiting = {
        one["name"]: next_in_turn(one["name"], LISTED) for one in overview["busy_classes"] if one["waiting"]
    }
    rows = Verification.objects.select_related("environment_version", "benchmark").only(*_SHOWN)
    running = list(rows.filter(state__in=RUNNING).order_by("created_at", "id")[:LISTED])
    newest = list(rows.order_by("-created_at", "id")[:RECENT])
    queued = rows.in_bulk({pk for line in waiting.values() for pk in line}) if waiting else {}
    ids = [*(one.pk for one in (*running, *newest)), *queued]
    items, portable = _items_of(ids), _portable_of(ids)

    def listed(found: Iterable[Verification]) -> tuple[QueueRow, ...]:
        return tuple(QueueRow(one, items.get(one.pk), portable.get(one.pk)) for one in found)

    return QueueOrder(
        running=listed(running),
        # A replay may have begun since its line was read.
        following={
            name: listed(queued[pk] for pk in line if pk in queued and queued[pk].state == State.QUEUED)
            for name, line in waiting.items()
        },
        newest=listed(newest),
    )


def _items_of(verification_ids: Sequence[UUID]) -> dict[UUID | None, SubmissionItem]:
    rows = SubmissionItem.objects.filter(verification__in=verification_ids)
    first = rows.order_by("verification_id", "pk").distinct("verification_id")
    shown = ("verification_id", "position", "submission__agent", "submission__owner__username")
    return {item.verification_id: item for item in first.select_related("submission__owner").only(*shown)}


def _portable_of(verification_ids: Sequence[UUID]) -> dict[UUID, PortableEntry]:
    rows = PortableReplay.objects.filter(verification__in=verification_ids)
    first = rows.order_by("verification_id", "pk").distinct("verification_id")
    shown = ("verification_id", "program__entry__agent", "program__entry__owner__username")
    found = first.select_related("program__entry__owner").only(*shown)
    return {one.verification_id: one.program.entry for one in found}


_CPU_TITLE: Final = "CPU"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardNotice:
    text: str
    waits: bool  # Whether a replay of its hardware class waits for a runner.


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    notice: str  # Empty where a runner is live.
    processes: int  # How many replays the runners that take work do at once.


def hardware_class(board: Board) -> str:
    return conf.hardware_class(board.device)


def _kind(board: Board) -> str:
    device = device_spec(board.device)
    return device.title if device else _CPU_TITLE


def queue_notice(board: Board) -> str:
    return at_work(board).notice


def at_work(board: Board) -> AtWork:
    live = _live(board)
    processes = sum(one.processes for one in live if one.paused_at is None)
    return AtWork(notice=_queue_notice(board, live), processes=processes)


def _live(board: Board) -> list[Runner]:
    return list(live_runners(hardware_class(board)).only("digests", "paused_at", "processes"))


def _queue_notice(board: Board, live: Sequence[Runner]) -> str:
    name, version = hardware_class(board), board.environment_version
    able = [one for one in live if one.paused_at is None]
    if any(one.digests is None or version.digest in one.digests for one in able):
        return ""
    if able:
        problem = f"has version {version.digest[:12]} of {version.env_id}"
    else:
        problem = "takes work, since each failed and tests itself again" if live else "is live"
    return (
        f"Waiting for a {_kind(board)} runner: no runner of hardware class {name} {problem}. Replays stay in "
        f"the queue and start when one {problem.partition(',')[0]}; you do not need to do anything."
    )


def board_notice(board: Board) -> BoardNotice | None:
    live = _live(board)
    waiting = _queue_notice(board, live)
    if not waiting:
        return None
    name = hardware_class(board)
    if Verification.objects.filter(state=State.QUEUED, hardware_class=name).exists():
        return BoardNotice(text=waiting, waits=True)
    if live:
        text = f"No {_kind(board)} runner takes work now (hardware class {name}); see the queue."
    else:
        text = f"No {_kind(board)} runner is live (hardware class {name}). Replays will wait until one is."
    return BoardNotice(text=text, waits=False)


def board_hardware(board: Board) -> dict[str, Any]:
    name = hardware_class(board)
    return {"name": name, "runners": [runner_row(one) for one in live_runners(name)]}


SHOWN: Final = 90  # A runner's latest calibrations that its page shows, and the API.
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
    name: str
    seconds: float  # The least of its readings.
    spread: float  # By which part their median is above.


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationRow:
    at: datetime
    version: str
    entries: tuple[CalibrationEntry, ...]
    load: float | None  # The load average over the last minute; None where it is not known.
    tries: int  # How often it was measured.
    drift: str  # How the machine had changed; empty if it had not.
    begins: str = ""  # Why a new history begins with it; empty if it continues the one before.

    @property
    def times(self) -> dict[str, float]:
        return {entry.name: entry.seconds for entry in self.entries}

    @property
    def milliseconds(self) -> dict[str, str]:
        return {one.name: f"{1000 * one.seconds:#.3g}" for one in self.entries}


# One workload in all calibrations of the present history, the oldest first.
@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    name: str
    seconds: tuple[float, ...]
    at: tuple[datetime, ...]
    usual: float | None  # The median of the history; None where it is too short.
    limits: tuple[float, float] | None  # The least and the longest usual time; None as before.

    @property
    def title(self) -> str:
        return self.name.replace("_", " ")


# Live runners and those that were seen in the last 30 days, by class, the latest first.
def known_runners() -> list[dict[str, Any]]:
    now = database_now()
    return [_summary(runner, now) for runner in _with_latest(recent_runners())]


def known_runner(runner_id: int) -> dict[str, Any] | None:
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


# Facts that a machine does not tell are left out. The kernel is part of the software.
def _facts(machine: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key in (*_FACTS, *sorted(set(machine) - set(_FACTS))):
        if key == _KERNEL:
            continue
        value = machine.get(key)
        text = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        if text:
            yield _FACTS.get(key, key), text


# Without the messages of its checks, which name folders.
def _self_test(told: object) -> dict[str, Any] | None:
    if not isinstance(told, dict) or not isinstance(told.get("checks"), list):
        return None
    checks = [
        {"name": str(one.get("name", "")), "ok": bool(one.get("ok")), "seconds": _number(one.get("seconds"))}
        for one in told["checks"]
        if isinstance(one, dict)
    ]
    return {"passed": bool(told.get("passed")), "at": _moment(told.get("at")), "checks": checks}


# A moment that a worker wrote; None for anything else, and beyond what Python can tell.
def _moment(told: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(told))
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


# A number that a worker wrote; None for anything else, and beyond what a float can be.
def _number(told: object) -> float | None:
    is_number = isinstance(told, (int, float)) and not isinstance(told, bool) and abs(told) <= _GREATEST
    return float(told) if is_number else None  # type: ignore[arg-type] # it is one


def calibration_rows(latest_first: Sequence[Calibration]) -> list[CalibrationRow]:
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


# What a worker wrote itself, as far as they are times.
def _entries(vector: object) -> Iterator[CalibrationEntry]:
    given: Any = vector  # with an object for each name that has a time
    for name, seconds in sorted(times_of(vector).items()):
        spread = _number(given[name].get("spread"))
        if spread is not None:
            yield CalibrationEntry(name=name, seconds=seconds, spread=spread)


def _changed(before: Calibration, row: Calibration) -> str:
    if before.version != row.version:
        return f"Calibration set {row.version}"
    if before.machine == row.machine:
        return ""
    old, new = (one.fingerprint if isinstance(one.fingerprint, dict) else {} for one in (before, row))
    names = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    return "Changed: " + (", ".join(_FACTS.get(key, key).lower() for key in names) or "driver")


# `history` has the times without drift by which the runner judges itself: a paused one tries so often that
# they may no longer be among those that are shown.
def courses(
    latest_first: Sequence[CalibrationRow], history: Sequence[Mapping[str, float]]
) -> Iterator[Course]:
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
