"""The queue of replays and who works on it, as people see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from leaderboard.models import PortableReplay, SubmissionItem
from leaderboard.selectors.waits import about
from optarena.specs import device_specs, environment_specs
from runner import conf
from runner.forecasts import loads, next_in_turn
from runner.models import Verification
from runner.selectors import QueueDepth, live_runners, queue_depths, runners_last_seen, unknown_work
from runner.states import RUNNING, State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from leaderboard.models import PortableEntry
    from optarena.specs import EnvironmentSpec
    from runner.forecasts import Load
    from runner.models import Runner
    from runner.selectors import UnknownWork

RECENT: Final = 20
LISTED: Final = 20
"""Replays that run, and that wait for a hardware class, which the queue's page lists."""
_DRIVER: Final = "nvidia_driver"
_PYTHON: Final = "python"
_SHOWN: Final = (
    *("state", "reason", "attempt", "progress_phase", "progress_done", "progress_total", "finished_at"),
    *("created_at", "environment_version__env_id", "benchmark_uri", "benchmark__kind", "benchmark__name"),
)


def queue_overview(*, details: bool = True) -> dict[str, Any]:
    """Each hardware class that has work or a runner; since when the oldest replay waits.

    For each class: how many replays wait, of how many owners, and run; which runners are live, and how many
    replays those do at once that are not paused; when what waits now has probably ended; how many another
    class prepares first; and, where replays wait and no runner takes work (``stuck``), when one was last
    seen. Replays wait for the ``unknown_versions`` although no live runner has them.

    Args:
        details: Whether owners, expected times and unknown versions are wanted, for which everything that
            waits is read.
    """
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
    """How many of a device's line wait for workers of another class first, and for which; None if none."""
    if depth is None or not depth.unprepared:
        return None
    name = conf.hardware_class()
    able = [one for one in runners.get(name, []) if one.paused_at is None]
    return {"number": depth.unprepared, "name": name, "stuck": not able}


def runner_row(runner: Runner) -> dict[str, Any]:
    """A runner as the public sees it: without its name, which contains its host, and without UUIDs."""
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
    """JSON data that a worker wrote itself: whatever it is not, it must not break the page for everybody."""
    return given if isinstance(given, dict) else {}


def item_runner(item: SubmissionItem) -> dict[str, Any] | None:
    """The runner that an item was replayed on last; None before that."""
    runner = item.verification.runner if item.verification else None
    return None if runner is None else runner_row(runner)


def _software(machine: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    """The kernel, the device's driver and the compilers; ``versions`` has all of them."""
    packages = {name: name for device in device_specs() for name in device.packages}
    compilers = {title.lower(): title for title in (_compiler(spec) for spec in environment_specs())}
    titles = {_DRIVER: "NVIDIA driver", **packages, **compilers, _PYTHON: "Python"}
    named = [f"{title} {versions[key]}" for key, title in titles.items() if versions.get(key)]
    return ", ".join([f"Linux {machine.get('kernel', '')}", *named])


def _compiler(spec: EnvironmentSpec) -> str:
    return spec.compiler.rpartition(" ")[0]


@dataclass(frozen=True, slots=True)
class QueueRow:
    """One replay, and who waits for it or has its result; nobody where no entry needs it.

    Attributes:
        verification: The replay.
        item: The first item that needs it.
        portable: The first portable entry that needs it, where no item does.
    """

    verification: Verification
    item: SubmissionItem | None
    portable: PortableEntry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueOrder:
    """What the queue's page lists, of each the first ones.

    Attributes:
        running: The replays that run, longest waiting first.
        following: Those that wait, in the order in which they probably start, by hardware class.
        newest: The newest requests, whatever has become of them.
    """

    running: tuple[QueueRow, ...]
    following: Mapping[str, tuple[QueueRow, ...]]
    newest: tuple[QueueRow, ...]


def queue_order(overview: Mapping[str, Any]) -> QueueOrder:
    """The replays of a queue, of which ``queue_overview`` gave the classes."""
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
    """The first item of each of these replays that has any."""
    rows = SubmissionItem.objects.filter(verification__in=verification_ids)
    first = rows.order_by("verification_id", "pk").distinct("verification_id")
    shown = ("verification_id", "position", "submission__agent", "submission__owner__username")
    return {item.verification_id: item for item in first.select_related("submission__owner").only(*shown)}


def _portable_of(verification_ids: Sequence[UUID]) -> dict[UUID, PortableEntry]:
    """The first portable entry of each of these replays that has any."""
    rows = PortableReplay.objects.filter(verification__in=verification_ids)
    first = rows.order_by("verification_id", "pk").distinct("verification_id")
    shown = ("verification_id", "program__entry__agent", "program__entry__owner__username")
    found = first.select_related("program__entry__owner").only(*shown)
    return {one.verification_id: one.program.entry for one in found}
