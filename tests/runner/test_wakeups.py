"""Wake-ups: after the commit only, and never at the cost of a request."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from celery import current_app
from django.db import transaction
from kombu import Connection
from kombu.utils import functional

from runner import conf, tasks
from runner.machines import presence
from runner.machines.machine import Machine
from runner.queue import leases, wakeups
from tests.factories import make_benchmark, make_work

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import timedelta


@pytest.fixture
def sent(broker: str, settings: Any) -> Iterator[Any]:
    """Takes the messages of a queue of this test's own out of the real broker."""
    queue = f"test{uuid.uuid4().hex}"
    settings.OPTARENA_HARDWARE_CLASS = f"some-{queue}"
    with Connection(broker) as connection:
        channel = connection.default_channel

        def take() -> list[tuple[list[Any], dict[str, Any]]]:
            found = []
            while (raw := channel.client.rpop(queue)) is not None:
                message = json.loads(raw)
                body = json.loads(
                    channel.decode_body(message["body"], message["properties"]["body_encoding"])
                )
                found.append((body[0], message["headers"]))
            return found

        yield take
        channel.client.delete(queue)


def test_a_worker_is_woken_after_the_commit(transactional_db: None, sent: Any) -> None:
    with transaction.atomic():
        row = make_work()
        assert sent() == []
    [(arguments, headers)] = sent()
    assert arguments == [str(row.pk)]
    assert (headers["task"], headers["eta"]) == ("runner.tasks.verify", None)


def test_what_is_rolled_back_wakes_nobody(transactional_db: None, sent: Any) -> None:
    with transaction.atomic():
        make_work()
        transaction.set_rollback(True)
    assert sent() == []


def test_work_that_exists_wakes_nobody_again(transactional_db: None, sent: Any) -> None:
    row = make_work()
    assert len(sent()) == 1
    make_work(row.actions)
    assert sent() == []


def test_no_more_wake_ups_wait_than_workers_need(transactional_db: None, sent: Any) -> None:
    rows = [make_work([number]) for number in range(conf.WAKE_AT_ONCE + 3)]
    told = [arguments for arguments, _ in sent()]
    assert told == [[str(row.pk)] for row in rows[: conf.WAKE_AT_ONCE]]
    late = make_work([99])
    assert [arguments for arguments, _ in sent()] == [[str(late.pk)]]


def test_a_wake_up_that_nobody_can_use_ends(
    transactional_db: None, sent: Any, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = make_work()
    presence.announce_runner(
        name="busy",
        hardware_class=settings.OPTARENA_HARDWARE_CLASS,
        machine=Machine(fingerprint={}, versions={}),
    )
    monkeypatch.setattr("runner.work.workers.life", uuid.uuid4)  # a worker that gets no work
    told: list[tuple[list[Any], dict[str, Any]]] = []
    while (messages := sent()) and len(told) < 2 * conf.PASSED_ON_AT_MOST:
        told += messages
        tasks.verify(*messages[0][0])
    assert [arguments[0] for arguments, _ in told] == [str(row.pk)] * (1 + conf.PASSED_ON_AT_MOST)
    assert all(headers["eta"] for _, headers in told[1:])


def test_a_retry_is_announced_for_its_time(transactional_db: None, sent: Any) -> None:
    row = make_work()
    sent()
    lease = leases.lease(verification_id=row.pk, worker="w")
    assert lease is not None
    leases.give_back(lease=lease, reason="infra:internal", detail="")
    [(_, headers)] = sent()
    assert headers["eta"] is not None


@pytest.fixture
def dead_broker(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """An address at which nobody listens."""
    address = f"redis+socket://{tmp_path}/none.sock"
    monkeypatch.setattr(current_app.conf, "broker_url", address)


def test_without_a_broker_requests_succeed_at_once(
    transactional_db: None,
    dead_broker: None,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(functional, "sleep", slept.append)
    make_benchmark()
    rows = [make_work() for _ in range(20)]
    assert sum(slept) == 0
    assert len({row.pk for row in rows}) == 20
    # One try; the others do not wait for the same disappointment.
    assert caplog.text.count("wake-up not sent") == 1


def test_the_broker_is_tried_again_after_a_pause(
    dead_broker: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(conf, "BROKER_PAUSE_SECONDS", 0.0)
    for _ in range(2):
        assert not wakeups.wake(uuid.uuid4(), "some-cpu")
    assert caplog.text.count("wake-up not sent") == 2


@pytest.mark.parametrize(
    ("hardware", "queue"), [("x86_64-cpu", "cpu"), ("h200-cuda", "cuda"), ("plain", "plain")]
)
def test_a_queue_is_called_after_the_kind_of_machine(hardware: str, queue: str) -> None:
    assert conf.queue_of(hardware) == queue


def test_times_are_bounded() -> None:
    longest: timedelta = conf.wake_again()
    assert conf.heartbeat_seconds() * 3 <= conf.lease_time().total_seconds() < longest.total_seconds() + 1
