"""Workers report that they are live; one is live for a lease's time after that, by the database's clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Coalesce

from optarena import limits
from runner import conf
from runner.clock import database_now
from runner.models import Runner, Verification
from runner.selectors import unlike_models
from runner.services.environments import own_digests
from runner.services.transitions import in_lock_order
from runner.states import State
from runner.text import storable

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping
    from datetime import datetime

    from runner.machine import Machine
    from runner.self_test import SelfTest


@transaction.atomic
def announce_runner(  # noqa: PLR0913 - all by keyword
    *,
    name: str,
    hardware_class: str,
    machine: Machine,
    processes: int = 1,
    life: uuid.UUID | None = None,
    tested: SelfTest | None = None,
    drift: str = "",
    now: datetime | None = None,
) -> Runner:
    """Record that a worker is live, paused if it failed its test or drifted; forget its former lives.

    Args:
        name: The worker's name; two live workers may share one.
        hardware_class: The class whose work it takes.
        machine: The machine that it runs on.
        processes: How many replays it does at once.
        life: Identifies it to its own processes.
        tested: The worker's test of itself.
        drift: How its machine has changed, for everybody; empty if it has not.
        now: The time; None reads the database's clock.
    """
    at = now or database_now()
    drift = drift or (_unlike_others(hardware_class, machine.fingerprint) if tested else "")
    gone = Q(stopped_at__isnull=False) | Q(seen_at__lte=at - conf.lease_time())
    _forget(gone & Q(name=name, hardware_class=hardware_class) | Q(seen_at__lte=at - conf.RUNNER_KEPT))
    values = {
        "name": name[: limits.WORKER_NAME_LENGTH],
        "hardware_class": hardware_class,
        "fingerprint": storable(machine.fingerprint),
        "versions": storable(machine.versions),
        "processes": processes,
        "started_at": at,
        "seen_at": at,
        "stopped_at": None,
        "digests": own_digests(),
        **(_tested(tested, drift, at) if tested else {}),
    }
    return _written(life, values)


def _unlike_others(hardware_class: str, fingerprint: Mapping[str, Any]) -> str:
    """Why a worker may not measure; of two with different models that appear at once, one sees the other."""
    if conf.device_of(hardware_class) is None:
        return ""
    with connection.cursor() as cursor:  # until the end of the transaction
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"models of {hardware_class}"])
    return unlike_models(hardware_class, fingerprint)


def _forget(lives: Q) -> None:
    """Delete some lives of workers, without those that have replayed something."""
    unused = Runner.objects.filter(~Exists(Verification.objects.filter(runner=OuterRef("pk"))))
    unused.filter(lives).delete()


def _written(life: uuid.UUID | None, values: dict[str, Any]) -> Runner:
    """The row of a life; a worker repeats a report whose answer it lost."""
    if life is None:
        return Runner.objects.create(**values)
    runner, _ = Runner.objects.update_or_create(life=life, defaults=values)
    return runner


def renew_runner(*, runner_id: int, now: datetime | None = None) -> Runner | None:
    """Record that a worker is still live.

    Returns:
        Its row; None if the database does not know it, as a restored one may not: it has to register again.
    """
    at = now or database_now()
    Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=None)
    return Runner.objects.filter(pk=runner_id).first()


@transaction.atomic
def record_self_test(
    *, runner_id: int, tested: SelfTest, drift: str = "", now: datetime | None = None
) -> None:
    """Record a paused worker's test of itself: the pause ends if it passed and its machine is as before.

    If it failed, the failures before it were the worker's: they cost the work no attempt.

    Args:
        runner_id: The worker's row.
        tested: The test.
        drift: How its machine has changed, for everybody; empty if it has not.
        now: The time; None reads the database's clock.
    """
    at = now or database_now()
    if not tested.passed:
        _restore_attempts(runner_id)
    for row in Runner.objects.filter(pk=runner_id).only("hardware_class", "fingerprint"):
        drift = drift or _unlike_others(row.hardware_class, row.fingerprint)
    values = _tested(tested, drift, at)
    if values["paused_at"] is not None:
        values["paused_at"] = Coalesce("paused_at", values["paused_at"])
    Runner.objects.filter(pk=runner_id).update(faults=[], **values)


def _tested(tested: SelfTest, drift: str, now: datetime) -> dict[str, Any]:
    return {
        "self_test": storable({**tested.as_dict(), "at": now.isoformat()}),
        "paused_at": None if tested.passed and not drift else now,
        "pause_reason": storable(tested.problem or drift),
    }


@transaction.atomic
def _restore_attempts(runner_id: int) -> None:
    for faults in Runner.objects.filter(pk=runner_id).values_list("faults", flat=True):
        # What another worker has leased since is that one's: a role of its own may not change it.
        failed = Verification.objects.filter(
            pk__in=faults, state=State.QUEUED, attempt__gt=0, runner=runner_id
        )
        rows = [row.pk for row in in_lock_order(failed)]
        Verification.objects.filter(pk__in=rows).update(attempt=F("attempt") - 1)


def dismiss_runner(*, runner_id: int, now: datetime | None = None) -> None:
    """Record that a worker was stopped regularly."""
    at = now or database_now()
    Runner.objects.filter(pk=runner_id).update(seen_at=at, stopped_at=at)
