"""Reads: the queue, a history; and the pages of the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.management import call_command

from optarena.specs import environment_specs
from runner import selectors
from runner.models import EnvironmentVersion, State, Verification
from runner.queue import leases, wakeups
from runner.selectors import QueueDepth
from tests.factories import make_user, make_work
from tests.kit.work import OUTCOME, Clock

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings


def test_the_queue_is_counted_for_each_class(db: None, clock: Clock, settings: Settings) -> None:
    assert selectors.queue_depths() == []
    rows = [make_work() for _ in range(4)]
    done = leases.lease(verification_id=rows[3].pk, worker="w", now=clock.now)
    assert done is not None
    leases.record(lease=done, outcome=OUTCOME, now=clock.now)
    leases.lease(verification_id=rows[0].pk, worker="w", now=clock.now)
    settings.OPTARENA_HARDWARE_CLASS = "h200-cuda"
    other = make_work()
    rows[1].refresh_from_db()
    others, own = selectors.queue_depths()
    assert others == QueueDepth(
        hardware_class="h200-cuda", queued=1, unprepared=0, running=0, oldest_queued_at=other.created_at
    )
    assert (own.hardware_class, own.queued, own.unprepared, own.running) == ("x86_64-cpu", 2, 0, 1)
    assert own.oldest_queued_at == rows[1].created_at


def test_a_history_is_in_order(work: Verification, clock: Clock) -> None:
    lease = leases.lease(verification_id=work.pk, worker="w", now=clock.now)
    assert lease is not None
    leases.advance(lease=lease, to=State.CHECKING, now=clock.now)
    assert list(work.events.values_list("to_state", flat=True)) == [
        "queued",
        "leased",
        "replaying",
        "checking",
    ]


def test_every_environment_has_its_version_after_a_migration(transactional_db: None) -> None:
    current = {(spec.slug, spec.digest) for spec in environment_specs()}
    EnvironmentVersion.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert set(EnvironmentVersion.objects.values_list("env_id", "digest")) == current


def test_a_changed_environment_is_another_version(db: None) -> None:
    EnvironmentVersion.objects.filter(env_id="llvm-ic-v0").update(digest="f" * 64)
    versions = wakeups.sync_environment_versions()
    assert len(versions) == len(environment_specs())
    assert EnvironmentVersion.objects.filter(env_id="llvm-ic-v0").count() == 2
    assert wakeups.sync_environment_versions() == versions


def test_the_admin_shows_everything_and_changes_nothing(work: Verification, client: Client) -> None:
    client.force_login(make_user("root", staff=True))
    page = client.get(f"/admin/runner/verification/{work.pk}/change/")
    assert page.status_code == 200
    assert "request" in page.content.decode()
    assert client.get("/admin/runner/verification/").status_code == 200
    assert client.get("/admin/runner/environmentversion/").status_code == 200
    assert client.get("/admin/runner/verification/add/").status_code == 403
    assert client.post(f"/admin/runner/verification/{work.pk}/delete/").status_code == 403
    assert (
        client.post(f"/admin/runner/verification/{work.pk}/change/", {"state": "failed"}).status_code == 403
    )
