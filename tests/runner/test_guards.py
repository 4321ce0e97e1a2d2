"""What the database itself refuses, that the code has one writer of a state, and what may be read."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from optarena.specs import environment_specs
from runner import selectors
from runner.errors import EmulatedDeviceError
from runner.models import EnvironmentVersion, Verification, VerificationEvent
from runner.queue import leases, requests, wakeups
from runner.selectors import QueueDepth
from tests.factories import make_user, make_work
from tests.kit.folders import ROOT
from tests.kit.work import OUTCOME, Clock, lease_row, leased

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

APPS: Final = ("leaderboard", "runner", "datasets")


def refused(name: str, **values: Any) -> None:
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        Verification.objects.update(**values)


def test_a_row_is_as_its_state_says(work: Verification, clock: Clock) -> None:
    refused("state_known", state="running")
    refused("lease_iff_running", lease_token=uuid4())
    refused("reason_iff_failed", reason="env:crash")
    refused("reason_iff_failed", state="failed", finished_at=clock.now)
    refused("recorded_has_result", state="recorded", finished_at=clock.now)
    refused("recorded_has_result", state="recorded", finished_at=clock.now, result={"ok": True})
    refused("finished_iff_terminal", state="recorded", result={"ok": True}, metrics={})
    refused("finished_iff_terminal", finished_at=clock.now)


def test_a_running_row_has_a_whole_lease(work: Verification, clock: Clock) -> None:
    refused("lease_iff_running", state="leased")
    lease_row(verification_id=work.pk, worker="w", now=clock.now)
    refused("lease_iff_running", lease_token=None)
    refused("lease_iff_running", lease_expires_at=None)
    refused("lease_iff_running", state="queued")


def test_no_row_holds_what_an_imitated_device_measured(work: Verification, clock: Clock) -> None:
    emulated = {"ok": True, "measurement": {"device": "cuda", "emulated": True}}
    refused("never_emulated", result=emulated)
    refused("never_emulated", state="recorded", finished_at=clock.now, result=emulated, metrics={"gflops": 1})
    result: dict[str, Any]
    for result in ({"ok": True}, {"measurement": {}}, {"measurement": {"emulated": False}}):
        Verification.objects.update(result=result)


@pytest.mark.parametrize("mark", [True, 1, "yes"])
def test_no_service_stores_what_an_imitated_device_measured(
    work: Verification, clock: Clock, mark: object
) -> None:
    lease = leased(work, now=clock.now)
    outcome = replace(OUTCOME, result={"ok": True, "measurement": {"device": "cuda", "emulated": mark}})
    with pytest.raises(EmulatedDeviceError, match="'cuda', an emulated device"):
        leases.record(lease=lease, outcome=outcome, now=clock.now)
    with pytest.raises(EmulatedDeviceError):
        leases.fail(lease=lease, reason="env:crash", detail="", outcome=outcome, now=clock.now)
    work.refresh_from_db()
    assert (work.state, work.result, work.metrics) == ("leased", None, None)


@pytest.mark.parametrize("end", ["recorded", "failed", "cancelled"])
def test_an_end_is_final(work: Verification, clock: Clock, end: str) -> None:
    lease = leased(work, now=clock.now)
    if end == "recorded":
        leases.record(lease=lease, outcome=OUTCOME, now=clock.now)
    elif end == "failed":
        leases.fail(lease=lease, reason="env:crash", detail="", now=clock.now)
    else:
        requests.cancel_all(verification_ids=[work.pk], actor="test", now=clock.now)
    refused("history is only added to", detail="rewritten")


def test_events_are_only_added(work: Verification) -> None:
    with (
        pytest.raises(IntegrityError, match="UPDATE of runner_verificationevent is refused"),
        transaction.atomic(),
    ):
        VerificationEvent.objects.update(actor="somebody else")
    with (
        pytest.raises(IntegrityError, match="DELETE of runner_verificationevent is refused"),
        transaction.atomic(),
    ):
        VerificationEvent.objects.all().delete()
    assert work.events.get().actor == "request"


def test_two_live_rows_cannot_have_one_identity(work: Verification) -> None:
    copy = Verification.objects.get(pk=work.pk)
    copy.pk = uuid4()
    with pytest.raises(IntegrityError, match="runner_verification_first_of_work"), transaction.atomic():
        copy.save(force_insert=True)


def test_the_oldest_queued_row_is_found_by_an_index(db: None) -> None:
    for _ in range(3):
        make_work()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            "EXPLAIN SELECT id FROM runner_verification WHERE state = 'queued' AND hardware_class = 'x' "
            "ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED"
        )
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "runner_verification_queue" in plan
    assert "Sort" not in plan


def test_only_transition_assigns_a_state() -> None:
    write = re.compile(
        r"\b(?!(?:board|found|study)\b)\w+\.state\b(?:, [\w.]+)* = "  # boards and studies have their own
        r"|\bVerification\((?:[^()]|\([^()]*\))*\bstate="
        r"|\bVerification\.objects\b(?:(?!\n\n|\bobjects\b).)*\.update\([^)]*\bstate="
        r"|(?:bulk_update|setattr)\([^)]*['\"]state['\"]",
        re.DOTALL,
    )
    writers = {
        str(path.relative_to(ROOT)): found
        for app in APPS
        for path in sorted((ROOT / app).rglob("*.py"))
        if "migrations" not in path.parts and (found := write.findall(path.read_text()))
    }
    assert writers.keys() == {"runner/queue/transitions.py"}


def test_the_queue_is_counted_for_each_class(db: None, clock: Clock, settings: Settings) -> None:
    assert selectors.queue_depths() == []
    rows = [make_work() for _ in range(4)]
    done = leased(rows[3], now=clock.now)
    leases.record(lease=done, outcome=OUTCOME, now=clock.now)
    lease_row(verification_id=rows[0].pk, worker="w", now=clock.now)
    settings.OPTARENA_HARDWARE_CLASS = "h200-cuda"
    other = make_work()
    rows[1].refresh_from_db()
    others, own = selectors.queue_depths()
    assert others == QueueDepth(
        hardware_class="h200-cuda", queued=1, unprepared=0, running=0, oldest_queued_at=other.created_at
    )
    assert (own.hardware_class, own.queued, own.unprepared, own.running) == ("x86_64-cpu", 2, 0, 1)
    assert own.oldest_queued_at == rows[1].created_at


def test_every_environment_has_its_version_after_a_migration(transactional_db: None) -> None:
    current = {(spec.slug, spec.digest) for spec in environment_specs()}
    EnvironmentVersion.objects.all().delete()
    call_command("migrate", verbosity=0)
    assert set(EnvironmentVersion.objects.values_list("env_id", "digest")) == current


def test_a_changed_environment_is_another_version(db: None) -> None:
    EnvironmentVersion.objects.filter(env_id="llvm-ic-v0").update(digest="f" * 64)
    for _ in range(2):
        wakeups.sync_environment_versions()
        assert EnvironmentVersion.objects.filter(env_id="llvm-ic-v0").count() == 2
        assert EnvironmentVersion.objects.count() == len(environment_specs()) + 1


def test_the_admin_shows_everything_and_changes_nothing(work: Verification, client: Client) -> None:
    client.force_login(make_user("root", staff=True))
    page = client.get(f"/admin/runner/verification/{work.pk}/change/")
    assert page.status_code == 200
    assert "request" in page.content.decode()
    other = make_work([1])
    for asked in (str(work.pk), str(work.pk)[:8]):
        found = client.get("/admin/runner/verification/", {"q": asked}).content.decode()
        assert f">{str(work.pk)[:8]}</a>" in found, "a whole id breaks into four lines"
        assert str(other.pk)[:8] not in found
    assert client.get("/admin/runner/environmentversion/").status_code == 200
    assert client.get("/admin/runner/verification/add/").status_code == 403
    assert client.post(f"/admin/runner/verification/{work.pk}/delete/").status_code == 403
    assert (
        client.post(f"/admin/runner/verification/{work.pk}/change/", {"state": "failed"}).status_code == 403
    )
