"""Reads of the runner: the queue, who works on it, and one verification's history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    Func,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Now

from runner import conf
from runner.machines.calibration import HISTORY, times_of
from runner.machines.machine import identity_of, models_of
from runner.models import RUNNING, Calibration, Runner, State, Verification, VerificationAttempt
from runner.work.confirmation import unprepared


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueDepth:
    # unprepared ones are queued, and a worker for CPUs must prepare them.
    hardware_class: str
    queued: int
    unprepared: int
    running: int
    oldest_queued_at: datetime | None


def queue_depths() -> list[QueueDepth]:
    # Does not read ended verifications.
    queued = Q(state=State.QUEUED)
    rows = (
        Verification.objects.filter(queued | Q(state__in=RUNNING))
        .order_by("hardware_class")
        .values("hardware_class")
        .annotate(
            queued=Count("pk", filter=queued),
            unprepared=Count("pk", filter=queued & unprepared()),
            running=Count("pk", filter=~queued),
            oldest_queued_at=Min("created_at", filter=queued),
        )
    )
    return [QueueDepth(**row) for row in rows]


def attempts_of(verification_id: UUID) -> QuerySet[VerificationAttempt]:
    # Those that did not record a result.
    return VerificationAttempt.objects.filter(verification=verification_id).order_by("number")


def live_runners(hardware_class: str | None = None, *, now: datetime | None = None) -> QuerySet[Runner]:
    # Seen within a lease's time, and not stopped.
    live = Runner.objects.filter(seen_at__gt=(now or Now()) - conf.lease_time(), stopped_at__isnull=True)
    return live if hardware_class is None else live.filter(hardware_class=hardware_class)


def able_runners(
    hardware_class: str, *, digest: str | None = None, now: datetime | None = None
) -> QuerySet[Runner]:
    # Those that are not paused and, given a digest, take the work of this version of an environment.
    able = live_runners(hardware_class, now=now).filter(paused_at__isnull=True)
    return able if digest is None else able & runners_with(digest, hardware_class)


def runners_with(digest: str, hardware_class: str) -> QuerySet[Runner]:
    # A worker that does not say which versions it has takes whatever there is.
    has = Q(digests__contains=[digest]) | Q(digests=None)
    return Runner.objects.filter(has, hardware_class=hardware_class)


def lives_on_present_machines(hardware_class: str) -> list[int]:
    # All lives, also past ones. Machines are alike if all is equal that times depend on: processor, kernel,
    # microcode, driver.
    present = {_identity(one) for one in able_runners(hardware_class)}
    lives = Runner.objects.filter(hardware_class=hardware_class).only("fingerprint", "versions")
    return [one.pk for one in lives if _identity(one) in present] if present else []


def other_models(hardware_class: str, models: tuple[str, ...]) -> list[str]:
    # Results that were superseded do not count, and neither do machines that do not tell their model.
    counted = Verification.objects.filter(
        runner=OuterRef("pk"), state=State.RECORDED, superseded_at__isnull=True
    )
    live = Q(seen_at__gt=Now() - conf.lease_time(), stopped_at__isnull=True, paused_at__isnull=True)
    rows = Runner.objects.filter(live | Exists(counted), hardware_class=hardware_class).only("fingerprint")
    given = (row.fingerprint if isinstance(row.fingerprint, dict) else {} for row in rows)
    found = {known for fingerprint in given if (known := models_of(fingerprint)) and known != models}
    return sorted({name for known in found for name in known})


def unlike_models(hardware_class: str, fingerprint: Mapping[str, Any]) -> str:
    # For everybody. Empty if times are comparable, and of a class that measures on no GPU.
    device, own = conf.device_of(hardware_class), models_of(fingerprint)
    others = other_models(hardware_class, own) if device and own else []
    if device is None or not others:
        return ""
    return (
        f"The hardware class {hardware_class} measures on {', '.join(others)}, and this machine "
        f"has {', '.join(own)}: times of different models are not compared. Give this model a class "
        f"of its own, by OPTARENA_{device.name.upper()}_HARDWARE_CLASS of an installation of its own."
    )


def _identity(runner: Runner) -> str:
    # Whatever a worker wrote of itself: it must not stop the sweeper.
    fingerprint, versions = (
        given if isinstance(given, dict) else {} for given in (runner.fingerprint, runner.versions)
    )
    return identity_of(fingerprint, versions)


def able_runner(life: UUID) -> int | None:
    # None while it is paused or has not reported yet.
    able = Runner.objects.filter(life=life, paused_at__isnull=True)
    return able.values_list("pk", flat=True).first()


def recent_runners() -> QuerySet[Runner]:
    # Live workers, and of each other name the last life if it was seen lately.
    lately = Runner.objects.filter(seen_at__gt=Now() - conf.RUNNER_KEPT)
    later = Runner.objects.filter(
        name=OuterRef("name"),
        hardware_class=OuterRef("hardware_class"),
        started_at__gt=OuterRef("started_at"),
    )
    live = Q(seen_at__gt=Now() - conf.lease_time(), stopped_at__isnull=True)
    return lately.filter(live | ~Exists(later)).order_by("hardware_class", "-seen_at", "pk")


def calibrations_of(worker: Runner | Calibration) -> QuerySet[Calibration]:
    return Calibration.objects.filter(
        name=worker.name, hardware_class=worker.hardware_class, role=worker.role
    ).order_by("-at", "-pk")


def last_calibration(column: str) -> Subquery:
    rows = Calibration.objects.filter(
        name=OuterRef("name"), hardware_class=OuterRef("hardware_class"), role=OuterRef("role")
    )
    return Subquery(rows.order_by("-at", "-pk").values(column)[:1])


def calibration_history(
    *, name: str, hardware_class: str, machine: str, version: str
) -> list[dict[str, float]]:
    # In this role's calibrations.
    rows = Calibration.objects.filter(
        name=name,
        hardware_class=hardware_class,
        role=Func(template="current_user::text", output_field=CharField()),
    )
    return _history(rows, machine=machine, version=version)


def history_beside(latest: Calibration) -> list[dict[str, float]]:
    # Also the history that it would belong to without its drift.
    return _history(calibrations_of(latest), machine=latest.machine, version=latest.version)


def _history(rows: QuerySet[Calibration], *, machine: str, version: str) -> list[dict[str, float]]:
    of_machine = rows.filter(machine=machine, version=version, drift="")
    vectors = of_machine.order_by("-at", "-pk").values_list("vector", flat=True)
    return [times for vector in vectors[:HISTORY] if (times := times_of(vector))]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownWork:
    # hardware_class is the class that measures it.
    hardware_class: str
    environment: str
    digest: str
    queued: int


def unknown_work(live: Iterable[Runner]) -> list[UnknownWork]:
    # Its next class has live workers, and none has the version.
    known = known_digests(live)
    preparing = Case(When(unprepared(), then=Value(conf.preparing_class())), default=F("hardware_class"))
    rows = (
        Verification.objects.filter(state=State.QUEUED)
        .annotate(waits_for=preparing)
        .filter(waits_for__in=list(known))
        .order_by("hardware_class", "environment_version__env_id", "environment_digest", "waits_for")
        .values_list("hardware_class", "environment_version__env_id", "environment_digest", "waits_for")
        .annotate(queued=Count("pk"))
    )
    return [
        UnknownWork(hardware_class=hardware, environment=environment, digest=digest, queued=queued)
        for hardware, environment, digest, waits_for, queued in rows
        if (digests := known[waits_for]) is not None and digest not in digests
    ]


def known_digests(runners: Iterable[Runner]) -> dict[str, set[str] | None]:
    # None where a worker does not say which: it takes whatever there is.
    known: dict[str, set[str] | None] = {}
    for runner in runners:
        so_far = known.setdefault(runner.hardware_class, set())
        both = None if runner.digests is None or so_far is None else so_far.union(runner.digests)
        known[runner.hardware_class] = both
    return known


def runners_last_seen() -> dict[str, datetime]:
    rows = Runner.objects.order_by().values("hardware_class").annotate(last=Max("seen_at"))
    return {row["hardware_class"]: row["last"] for row in rows}
