"""The heartbeat thread: renews the lease, notices its loss, and gives up when the database is away."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError

from runner.errors import LeaseLostError
from runner.queue import leases, requests, sweeping
from runner.work.heartbeat import LeaseRenewer
from tests.factories import make_work

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_django import Settings

    from runner.queue.leases import Lease

pytestmark = pytest.mark.django_db(transaction=True)


def leased() -> Lease:
    lease = leases.lease(verification_id=make_work().pk, worker="w")
    assert lease is not None
    return lease


def soon(condition: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if condition():
            return True
        time.sleep(0.02)
    return False


def is_lost(heart: LeaseRenewer) -> bool:
    try:
        heart.check()
    except LeaseLostError:
        return True
    return False


def test_the_lease_is_renewed_while_the_context_lasts(settings: Settings) -> None:
    settings.OPTARENA_LEASE_SECONDS = 1
    lease = leased()
    with LeaseRenewer(lease) as heart:
        time.sleep(1.5)
        heart.check()
        assert sweeping.sweep().requeued == 0
    time.sleep(1.1)
    assert sweeping.sweep().requeued == 1


def test_a_lost_lease_is_noticed_at_the_next_beat(settings: Settings) -> None:
    settings.OPTARENA_LEASE_SECONDS = 3
    settings.OPTARENA_HEARTBEAT_SECONDS = 1
    lease = leased()
    with LeaseRenewer(lease) as heart:
        heart.check()
        requests.cancel(verification_id=lease.verification_id, actor="test")
        assert soon(lambda: is_lost(heart))


def test_without_a_database_the_lease_is_given_up_when_it_may_have_expired(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPTARENA_LEASE_SECONDS = 1

    def down(**arguments: object) -> None:
        raise OperationalError("the database is down")

    monkeypatch.setattr("runner.queue.leases.heartbeat", down)
    began = time.monotonic()
    with LeaseRenewer(leased()) as heart:
        heart.check()
        assert soon(lambda: is_lost(heart))
    assert time.monotonic() - began >= 1
