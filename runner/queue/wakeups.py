"""Wake workers, and keep the versions of environments that this program has."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from uuid import UUID

import structlog
from celery import current_app
from django.core.signals import request_finished, request_started
from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import receiver
from kombu import Connection, Queue, pools
from kombu.exceptions import OperationalError

from optarena.specs import environment_spec, environment_specs
from runner import conf
from runner.database import database_now
from runner.models import EnvironmentVersion, State, Study, StudyState, Verification
from runner.selectors import able_runners
from runner.work.confirmation import leasable, lines, waits_for


def current_environment_version(*, environment: str) -> EnvironmentVersion:
    spec = environment_spec(environment)
    version, _ = EnvironmentVersion.objects.get_or_create(
        env_id=spec.slug, digest=spec.digest, defaults={"spec": spec.version_spec()}
    )
    return version


def own_digests() -> list[str]:
    # A worker takes the work of no other version. An environment whose toolchain is missing here is not among
    # them.
    return sorted({spec.digest for spec in environment_specs() if not spec.why_unavailable()})


def sync_environment_versions() -> None:
    # Rows of former versions stay.
    kept = set(EnvironmentVersion.objects.values_list("env_id", "digest"))
    missing = [
        EnvironmentVersion(env_id=spec.slug, digest=spec.digest, spec=spec.version_spec())
        for spec in environment_specs()
        if (spec.slug, spec.digest) not in kept
    ]
    EnvironmentVersion.objects.bulk_create(missing, ignore_conflicts=True)


NO_DELAY: Final = timedelta(0)
_log = structlog.get_logger(__name__)


# After a failed try none is made until this time of the monotonic clock, in the whole process.
_pause: Final = {"until": 0.0}


def wake_on_commit(rows: Sequence[Verification], *, delay: timedelta = NO_DELAY) -> None:
    chosen: defaultdict[str, list[UUID]] = defaultdict(list)
    for row in rows:
        chosen[waits_for(row)].append(row.pk)
    if chosen:
        transaction.on_commit(lambda: [wake(ids, name, delay) for name, ids in chosen.items()], robust=True)


class _Request(threading.local):
    wakes: list[Callable[[], bool]] | None = None  # Of the request that this thread answers.


# The client waits only for the commit. The sweeper makes up for a wake-up that ends with this process.
_request: Final = _Request()


@receiver(request_finished)
def _send_kept(**_: object) -> None:
    kept, _request.wakes = _request.wakes, None
    for send in kept or ():
        try:
            send()
        except Exception:  # noqa: BLE001 - the answer has been sent
            _log.exception("wake-up not sent")


@receiver(request_started)
def _keep_wakes(**_: object) -> None:
    _send_kept()  # of a request whose answer was not closed
    _request.wakes = []


def wake(ids: Sequence[UUID], hardware_class: str, delay: timedelta = NO_DELAY, passed: int = 0) -> bool:
    # In a request it is sent after the answer; True then does not say that the broker took it.
    send = partial(_send, ids, hardware_class, delay, passed)
    if _request.wakes is None:
        return send()
    _request.wakes.append(send)
    return True


def _send(ids: Sequence[UUID], hardware_class: str, delay: timedelta, passed: int) -> bool:
    # A woken worker goes on with the rest of its queue, so more messages than workers are useless. Where
    # enough wait for such workers, no more are sent: who fetches one of them looks later than now, and so
    # sees what was committed before. False if the broker did not take all of them.
    if time.monotonic() < _pause["until"]:
        return False
    try:
        connection = _connection()
        with pools.producers[connection].acquire(block=True) as producer:
            queue = Queue(conf.queue_of(hardware_class), channel=producer.channel)
            number = conf.WAKE_AT_ONCE - (0 if delay else _waiting(queue, connection))
            for one in ids[: max(0, number)]:
                current_app.send_task(
                    conf.VERIFY_TASK,
                    args=[str(one), *([passed] if passed else [])],
                    queue=queue.name,
                    countdown=delay.total_seconds() or None,
                    ignore_result=True,
                    producer=producer,
                )
    except (OperationalError, OSError) as error:
        _pause["until"] = time.monotonic() + conf.BROKER_PAUSE_SECONDS
        _log.warning("wake-up not sent", verification=str(ids[0]), number=len(ids), error=str(error))
        return False
    return True


def _waiting(queue: Queue, connection: Connection) -> int:
    # 0 if the broker does not say. To ask whether it knows the queue would take one more question.
    try:
        answer: Any = queue.queue_declare()
    except (*connection.channel_errors, *connection.connection_errors):
        return 0
    return int(answer.message_count)


def free_verifications(now: datetime) -> QuerySet[Verification]:
    # What a worker of this class and version may lease.
    free = Verification.objects.filter(
        state=State.QUEUED, available_at__lte=now, environment_digest__in=own_digests()
    )
    return leasable(free)


def waiting_studies(now: datetime) -> QuerySet[Study]:
    waiting = Study.objects.filter(state=StudyState.QUEUED, available_at__lte=now)
    return waiting.order_by("automatic", "available_at", "id")


def free_studies(now: datetime) -> QuerySet[Study]:
    own = conf.own_hardware_class()
    return waiting_studies(now).filter(hardware_class=own, environment_digest__in=own_digests())


def wake_oldest() -> bool:
    # For what a worker of this class and version would lease next: studies count where no verification waits.
    now = database_now()
    free = free_verifications(now).order_by("created_at", "id")
    for line in (*(free.filter(hardware_class=name) for name in lines()), free_studies(now)):
        if (oldest := line.values_list("pk", flat=True).first()) is not None:
            return wake([oldest], conf.own_hardware_class())
    return False


def pass_on(verification_id: UUID, life: UUID | None, passed: int = 0) -> bool:
    # Nothing is sent where no other live worker takes such work: one that starts looks for it by itself. Nor
    # if it was passed on too often: those who could use it are busy, and go on with the queue by themselves.
    if passed >= conf.PASSED_ON_AT_MOST:
        return False
    now = database_now()
    waiting = Verification.objects.filter(pk=verification_id, state=State.QUEUED, available_at__lte=now)
    row = waiting.only("hardware_class", "environment_digest", "prepared").first()
    if row is None:
        return False
    name = waits_for(row)
    others = able_runners(name, digest=row.environment_digest, now=now)
    elsewhere = others if life is None else others.exclude(life=life)
    return elsewhere.exists() and wake([row.pk], name, conf.PASSED_ON_AFTER, passed + 1)


def _connection() -> Connection:
    # Celery keeps a pool of its own for connections with these options.
    connection: Connection = current_app.connection_for_write(
        transport_options={
            "socket_connect_timeout": conf.BROKER_TIMEOUT_SECONDS,
            "socket_timeout": conf.BROKER_TIMEOUT_SECONDS,
            # The second try follows at once: by default it comes after two seconds, in which a request waits.
            "max_retries": 1,
            "interval_start": 0,
        }
    )
    return connection
