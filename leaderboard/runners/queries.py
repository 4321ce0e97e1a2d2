"""Read the queue and the runners: places, expected waits, known runners, and notices for boards."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery

from datasets.site.formats import duration
from leaderboard.models import Board, PortableEntry, PortableReplay, Submission, SubmissionItem
from leaderboard.submissions.quotas import payer_of
from optarena.specs import device_spec, environment_specs, recorded_packages
from runner import conf
from runner.database import database_now
from runner.machines.calibration import limits_of, times_of
from runner.models import RUNNING, Calibration, Runner, State, Verification
from runner.queue.figures import Forecast, Load, forecast, forecast_of_new, loads, next_in_turn
from runner.selectors import (
    QueueDepth,
    UnknownWork,
    calibrations_of,
    history_beside,
    last_calibration,
    live_runners,
    queue_depths,
    recent_runners,
    runners_last_seen,
    unknown_work,
)


class Wait(NamedTuple):
    """The forecast of a submission that waits, on runners of a hardware class."""

    forecast: Forecast
    hardware_class: str

    @property
    def text(self) -> str:
        found = self.forecast
        place = "All replays that are left are running."
        if found.position is not None:
            place = f"Position {found.position:,} in the queue, which goes round by owner."
        if found.seconds_to_end is None:
            return f"{place} No runner of class {self.hardware_class} takes work now, so the time is unknown."
        runners = "1 runner is" if found.processes == 1 else f"{found.processes:,} runners are"
        work = "at work with replays of others" if found.is_least else "at work"
        start = ""
        if found.seconds_to_start is not None:
            start = f"starts in {_expected(found, found.seconds_to_start)} and "
        return f"{place} It {start}ends in {_expected(found, found.seconds_to_end)}; {runners} {work}."


def _expected(found: Forecast, seconds: float) -> str:
    return f"{'at least' if found.is_least else 'about'} {about(seconds)}"


def about(seconds: float) -> str:
    # Without more digits than a forecast deserves.
    return duration(max(1, round(seconds))).replace(".0 s", " s")


class NewWait(NamedTuple):
    """The forecast of a submission that was not sent yet; None if none of its replays would be new."""

    forecast: Forecast | None
    hardware_class: str

    @property
    def text(self) -> str:
        found = self.forecast
        if found is None:
            return "All of its replays are known or requested already, so it adds nothing to the queue."
        replays = f"{found.waiting:,} new replay{'s' if found.waiting != 1 else ''}"
        ahead = (found.position or 1) - 1
        before = f"{replays}, with {f'about {ahead:,}' if ahead else 'none'} waiting before the first"
        if found.seconds_to_end is None:
            return (
                f"{before}. No runner of class {self.hardware_class} takes work now, so the time is unknown."
            )
        return f"{before}; expected to end in {_expected(found, found.seconds_to_end)}."


def wait_of_new(*, user_id: int, board: Board, seconds: Sequence[float]) -> NewWait:
    # `seconds` has what each of its new replays is expected to take.
    name = hardware_class(board)
    if not seconds:
        return NewWait(None, name)
    payer, total = payer_of(user_id), math.fsum(seconds)
    return NewWait(
        forecast_of_new(payer=payer, number=len(seconds), seconds=total, hardware_class=name), name
    )


def wait_of(
    submission: Submission, *, processes: int | None = None, item: SubmissionItem | None = None
) -> Wait | None:
    # None for a submission or item that waits for no verdict. `processes`: how many replays its runners do at
    # once, where that is known.
    if submission.withdrawn_at is not None:
        return None
    pending = SubmissionItem.objects.filter(submission=submission, verdict=SubmissionItem.Verdict.PENDING)
    if item is not None:
        pending = pending.filter(pk=item.pk)
    name = hardware_class(submission.board)
    found = forecast(
        payer=payer_of(submission.owner_id),
        verifications=pending.order_by().values("verification"),
        hardware_class=name,
        processes=processes,
    )
    return None if found is None else Wait(found, name)


RECENT: Final = 20
LISTED: Final = 20  # Replays that run, and that wait for a hardware class, which the queue's page lists.
_DRIVER: Final = "nvidia_driver"
_PYTHON: Final = "python"
_SHOWN: Final = (
    *("state", "reason", "attempt", "progress_phase", "progress_done", "progress_total", "finished_at"),
    *("created_at", "environment_version__env_id", "benchmark_uri", "benchmark__kind", "benchmark__name"),
)


def queue_overview(*, details: bool = True) -> dict[str, Any]:
    # Each hardware class that has work or a runner. It is `stuck` where replays wait and no runner takes
    # work. Replays wait for the `unknown_versions` although no live runner has them. For `details`,
    # everything that waits is read.
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


def _preparing(depth: QueueDepth | None, runners: Mapping[str, list[Runner]]) -> dict[str, Any] | None:
    # Return how many replays for a device first wait for workers of another class, and for which class.
    if depth is None or not depth.unprepared:
        return None
    name = conf.hardware_class()
    able = [one for one in runners.get(name, []) if one.paused_at is None]
    return {"number": depth.unprepared, "name": name, "stuck": not able}


def runner_row(runner: Runner) -> dict[str, Any]:
    # As the public sees it: without its name, which contains its host, and without UUIDs.
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


def _object(given: object) -> dict[str, Any]:
    # JSON data that a worker wrote itself: whatever it is not, it must not break the page for everybody.
    return given if isinstance(given, dict) else {}


def item_runner(item: SubmissionItem) -> dict[str, Any] | None:
    runner = item.verification.runner if item.verification else None
    return None if runner is None else runner_row(runner)


def _software(machine: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    packages = {name: name for name in recorded_packages()}
    titles = (spec.release[0] for spec in environment_specs() if spec.release)
    compilers = {title.lower(): title for title in titles}
    named = {_DRIVER: "NVIDIA driver", **packages, **compilers, _PYTHON: "Python"}
    found = [f"{title} {versions[key]}" for key, title in named.items() if versions.get(key)]
    return ", ".join([f"Linux {machine.get('kernel', '')}", *found])


class QueueRow(NamedTuple):
    """One replay, and the first item that needs it, or else the first portable entry."""

    verification: Verification
    item: SubmissionItem | None
    portable: PortableEntry | None


def queue_order(overview: Mapping[str, Any]) -> dict[str, Any]:
    # What the queue's page lists, of each the first ones: the replays that run, longest waiting first; those
    # that wait by hardware class, in the order in which they probably start; the newest requests.
    waiting = {
        one["name"]: next_in_turn(one["name"], LISTED) for one in overview["busy_classes"] if one["waiting"]
    }
    rows = Verification.objects.select_related("environment_version", "benchmark").only(*_SHOWN)
    running = list(rows.filter(state__in=RUNNING).order_by("created_at", "id")[:LISTED])
    newest = list(rows.order_by("-created_at", "id")[:RECENT])
    queued = rows.in_bulk({pk for line in waiting.values() for pk in line}) if waiting else {}
    ids = [*(one.pk for one in (*running, *newest)), *queued]
    # The first item, and the first portable entry, of each of these replays.
    first = SubmissionItem.objects.filter(verification__in=ids).order_by("verification_id", "pk")
    shown = ("verification_id", "position", "submission__agent", "submission__owner__username")
    found = first.distinct("verification_id").select_related("submission__owner").only(*shown)
    items = {item.verification_id: item for item in found}
    replays = PortableReplay.objects.filter(verification__in=ids).order_by("verification_id", "pk")
    wanted = ("verification_id", "program__entry__agent", "program__entry__owner__username")
    several = replays.distinct("verification_id").select_related("program__entry__owner").only(*wanted)
    portable = {one.verification_id: one.program.entry for one in several}

    def listed(found: Iterable[Verification]) -> list[QueueRow]:
        return [QueueRow(one, items.get(one.pk), portable.get(one.pk)) for one in found]

    return {
        "running": listed(running),
        # A replay may have begun since its line was read.
        "following": {
            name: listed(queued[pk] for pk in line if pk in queued and queued[pk].state == State.QUEUED)
            for name, line in waiting.items()
        },
        "newest": listed(newest),
    }


class AtWork(NamedTuple):
    """The runners that take a board's replays: how many they do at once, and the notice if there are none."""

    notice: str
    processes: int


def hardware_class(board: Board) -> str:
    return conf.hardware_class(board.device)


def _kind(board: Board) -> str:
    device = device_spec(board.device)
    return device.title if device else "CPU"


def at_work(board: Board) -> AtWork:
    live = _live(board)
    processes = sum(one.processes for one in live if one.paused_at is None)
    return AtWork(_queue_notice(board, live), processes)


def _live(board: Board) -> list[Runner]:
    return list(live_runners(hardware_class(board)).only("digests", "paused_at", "processes"))


def _queue_notice(board: Board, live: Sequence[Runner]) -> str:
    # The notice beside replays that wait while no runner is live; empty where one is.
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


def board_notice(board: Board) -> dict[str, Any] | None:
    # The notice on a board's page that no runner is live, and whether replays wait.
    live, name = _live(board), hardware_class(board)
    text = _queue_notice(board, live)
    if not text:
        return None
    waits = Verification.objects.filter(state=State.QUEUED, hardware_class=name).exists()
    if not waits and live:
        text = f"No {_kind(board)} runner takes work now (hardware class {name}); see the queue."
    elif not waits:
        text = f"No {_kind(board)} runner is live (hardware class {name}). Replays will wait until one is."
    return {"text": text, "waits": waits}


def board_hardware(board: Board) -> dict[str, Any]:
    # The live runners as the queue shows them.
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


def known_runners() -> list[dict[str, Any]]:
    # Live runners and those that were seen in the last 30 days, by class, the latest first.
    now = database_now()
    return [_summary(runner, now) for runner in _with_latest(recent_runners())]


def known_runner(runner_id: int) -> dict[str, Any] | None:
    runner = _with_latest(Runner.objects.filter(pk=runner_id)).first()
    if runner is None:
        return None
    latest_first = list(calibrations_of(runner)[:SHOWN])
    history = history_beside(latest_first[0]) if latest_first else []
    calibrations = [_calibration(one, former) for one, former in zip_longest(latest_first, latest_first[1:])]
    summary = _summary(runner, database_now())
    return summary | {
        "facts": list(_facts(summary["machine"])),
        "self_test": _self_test(runner.self_test),
        "calibrations": calibrations,
        "courses": list(_courses(calibrations, history)),
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
    state = "live" if runner.paused_at is None else "paused"
    if runner.seen_at <= now - conf.lease_time():
        state = "lost"
    if runner.stopped_at is not None:
        state = "stopped"
    return runner_row(runner) | {
        "hardware_class": runner.hardware_class,
        "processes": runner.processes,
        "state": state,
        "stopped_at": runner.stopped_at,
        "confinement": confinement(given.sandbox),
        "calibrated_at": given.calibrated_at,
        "drift": given.drift or "",
    }


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


def _facts(machine: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    # Facts that a machine does not tell are left out. The kernel is part of the software.
    for key in (*_FACTS, *sorted(set(machine) - set(_FACTS))):
        if key == _KERNEL:
            continue
        value = machine.get(key)
        text = ", ".join(map(str, value)) if isinstance(value, list) else "" if value is None else str(value)
        if text:
            yield _FACTS.get(key, key), text


def _self_test(told: object) -> dict[str, Any] | None:
    # Without the messages of its checks, which name folders.
    if not isinstance(told, dict) or not isinstance(told.get("checks"), list):
        return None
    checks = [
        {"name": str(one.get("name", "")), "ok": bool(one.get("ok")), "seconds": _number(one.get("seconds"))}
        for one in told["checks"]
        if isinstance(one, dict)
    ]
    return {"passed": bool(told.get("passed")), "at": _moment(told.get("at")), "checks": checks}


def _moment(told: object) -> datetime | None:
    # A moment that a worker wrote; None for anything else, and beyond what Python can tell.
    try:
        at = datetime.fromisoformat(str(told))
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _number(told: object) -> float | None:
    # A number that a worker wrote; None for anything else, and beyond what a float can be.
    is_number = isinstance(told, (int, float)) and not isinstance(told, bool) and abs(told) <= _GREATEST
    return float(told) if is_number else None  # type: ignore[arg-type] # it is one


def _calibration(row: Calibration, before: Calibration | None) -> dict[str, Any]:
    # Of each workload, `seconds` is the least reading, and `spread` by which part the median is above.
    # `begins` says why a new history begins with it.
    conditions = row.conditions if isinstance(row.conditions, dict) else {}
    load, given = conditions.get("load_average"), row.vector
    entries: list[dict[str, Any]] = [
        {"name": name, "seconds": seconds, "spread": spread}
        for name, seconds in sorted(times_of(given).items())
        if (spread := _number(given[name].get("spread"))) is not None
    ]
    return {
        "at": row.at,
        "version": row.version,
        "entries": entries,
        "times": {one["name"]: one["seconds"] for one in entries},
        "milliseconds": {one["name"]: f"{1000 * one['seconds']:#.3g}" for one in entries},
        "load": _number(load[0]) if isinstance(load, list) and load else None,
        "tries": row.tries,
        "drift": row.drift,
        "begins": "" if before is None else _changed(before, row),
    }


def _changed(before: Calibration, row: Calibration) -> str:
    if before.version != row.version:
        return f"Calibration set {row.version}"
    if before.machine == row.machine:
        return ""
    old, new = (one.fingerprint if isinstance(one.fingerprint, dict) else {} for one in (before, row))
    names = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    return "Changed: " + (", ".join(_FACTS.get(key, key).lower() for key in names) or "driver")


def _courses(
    latest_first: Sequence[Mapping[str, Any]], history: Sequence[Mapping[str, float]]
) -> Iterator[dict[str, Any]]:
    # Each workload in all calibrations of the present history, the oldest first. `history` has the times
    # without drift by which the runner judges itself: a paused one tries so often that they may no longer be
    # among those that are shown. `usual` is its median, `limits` its least and longest usual time; None if it
    # is too short.
    begins = next((place for place, one in enumerate(latest_first, 1) if one["begins"]), None)
    present = latest_first[:begins]
    limits = limits_of(history)
    for name in present[0]["times"] if present else ():
        shown = [one for one in reversed(present) if name in one["times"]]
        found = limits.get(name)
        low_high = found and (math.exp(found.middle - found.limit), math.exp(found.middle + found.limit))
        yield {
            "name": name,
            "title": name.replace("_", " "),
            "seconds": [one["times"][name] for one in shown],
            "at": [one["at"] for one in shown],
            "usual": None if found is None else math.exp(found.middle),
            "limits": low_high,
        }
