"""Workers that are sick take no work, and cost the work nothing; those of another version leave it alone."""

from __future__ import annotations

import errno
import uuid
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from optarena.errors import InvalidInput, SandboxUnavailable, ToolMissing
from optarena.limits import INFRASTRUCTURE_RETRIES
from optarena.self_test import check_folders, check_memory, run_checks
from optarena.specs import environment_spec
from runner import conf, selectors
from runner.machines import presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest, examine_worker
from runner.models import Runner, State, Verification
from runner.queue import leases, sweeping, wakeups
from runner.queue.wakeups import own_digests
from runner.work import driver
from runner.work.confirmation import OF_THE_WORK, fault_reason, is_worker_fault
from tests.factories import make_busy, make_old_environment, make_work
from tests.kit.work import Clock, lease_row, leased, next_lease

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings


CPU = "x86_64-cpu"
GCC = environment_spec("gcc-v0")
LLVM = environment_spec("llvm-ic-v0")
PASSED = SelfTest(checks=[{"name": "folders", "ok": True, "detail": "", "seconds": 0.1}], seconds=0.1)
FAILED = SelfTest(
    checks=[{"name": "folders", "ok": False, "detail": "/secret is full", "seconds": 0.1}], seconds=0.1
)


def announce(life: UUID, tested: SelfTest = PASSED, *, digests: list[str] | None = None) -> Runner:
    machine = Machine(fingerprint={"cpu": "Some CPU", "cores": 4}, versions={"llvm": "22.1.8"})
    runner = presence.announce_runner(
        name="celery@host", hardware_class=CPU, machine=machine, life=life, tested=tested
    )
    if digests is not None:
        Runner.objects.filter(pk=runner.pk).update(digests=digests)
    return runner


@pytest.fixture
def life() -> UUID:
    return uuid.uuid4()


@pytest.fixture
def runner(db: None, life: UUID) -> Runner:
    return announce(life)


def fault(life: UUID, row: Verification, reason: str = "infra:internal") -> None:
    Verification.objects.filter(pk=row.pk).update(available_at=row.created_at)
    lease = leased(row, life=life)
    leases.give_back(lease=lease, reason=reason, detail="It broke off.")
    row.refresh_from_db()


def attempts(*rows: Verification) -> list[int]:
    return [Verification.objects.get(pk=row.pk).attempt for row in rows]


def test_only_a_worker_that_has_reported_takes_work(db: None, life: UUID) -> None:
    row = make_work()
    assert lease_row(verification_id=row.pk, worker="w", life=life) is None
    assert leases.lease_next(worker="w", life=life) is None
    runner = announce(life)
    next_lease(life=life)
    row.refresh_from_db()
    assert row.runner == runner


def test_a_worker_that_fails_its_test_takes_no_work_until_it_passes(db: None, life: UUID) -> None:
    make_work()
    runner = announce(life, FAILED)
    assert leases.lease_next(worker="w", life=life) is None
    assert not selectors.able_runners(CPU).exists()
    assert selectors.live_runners(CPU).exists()
    presence.record_self_test(runner_id=runner.pk, tested=FAILED)
    assert leases.lease_next(worker="w", life=life) is None
    presence.record_self_test(runner_id=runner.pk, tested=PASSED)
    assert leases.lease_next(worker="w", life=life) is not None


def test_a_worker_pauses_after_failures_on_different_items_in_a_row(runner: Runner, life: UUID) -> None:
    rows = [make_work() for _ in range(conf.FAULTS_IN_A_ROW)]
    for row in rows[:-1]:
        fault(life, row)
    assert selectors.able_runner(life) == runner.pk
    fault(life, rows[-1])
    assert selectors.able_runner(life) is None
    assert [*attempts(*rows)] == [1, 1, 0]
    runner.refresh_from_db()
    assert "The last 3 replays failed here" in runner.pause_reason
    assert leases.lease_next(worker="w", life=life) is None


def test_a_success_between_them_begins_the_row_again(runner: Runner, life: UUID) -> None:
    good = make_work()
    for row in (make_work(), make_work()):
        fault(life, row)
    lease = leased(good, life=life)
    leases.fail(lease=lease, reason="env:crash", detail="It crashed.")
    for row in (make_work(), make_work()):
        fault(life, row)
    assert selectors.able_runner(life) == runner.pk


@pytest.mark.parametrize("reason", sorted(OF_THE_WORK))
def test_work_that_is_heavy_or_odd_pauses_nobody(runner: Runner, life: UUID, reason: str) -> None:
    rows = [make_work() for _ in range(conf.FAULTS_IN_A_ROW + 1)]
    for row in rows:
        fault(life, row, reason)
    assert selectors.able_runner(life) == runner.pk
    assert attempts(*rows) == [1] * len(rows)


def test_the_same_item_again_and_again_is_its_own_fault(runner: Runner, life: UUID) -> None:
    row = make_work()
    for _ in range(INFRASTRUCTURE_RETRIES):
        fault(life, row)
    assert selectors.able_runner(life) == runner.pk
    fault(life, row)
    assert (row.state, row.reason) == (State.FAILED, "infra:internal")


def test_what_failed_before_a_failed_test_pays_nothing(runner: Runner, life: UUID) -> None:
    rows = [make_work() for _ in range(conf.FAULTS_IN_A_ROW)]
    for row in rows:
        fault(life, row)
    presence.record_self_test(runner_id=runner.pk, tested=FAILED)
    assert attempts(*rows) == [0, 0, 0]
    presence.record_self_test(runner_id=runner.pk, tested=FAILED)
    assert attempts(*rows) == [0, 0, 0]


def test_a_sick_worker_pauses_at_once_even_on_a_last_attempt(runner: Runner, life: UUID) -> None:
    row = make_work()
    Verification.objects.filter(pk=row.pk).update(attempt=INFRASTRUCTURE_RETRIES)
    fault(life, row, "infra:worker-unhealthy")
    assert (row.state, row.attempt) == (State.QUEUED, INFRASTRUCTURE_RETRIES)
    assert selectors.able_runner(life) is None


def test_work_that_makes_every_worker_pause_ends(runner: Runner, life: UUID) -> None:
    row = make_work()
    for number in range(conf.SPARED_AT_MOST + INFRASTRUCTURE_RETRIES + 1):
        assert row.state == State.QUEUED, number
        fault(life, row, "infra:worker-unhealthy")
        presence.record_self_test(runner_id=runner.pk, tested=PASSED)
    assert row.state == State.FAILED
    assert selectors.able_runner(life) == runner.pk


def failing(error: Exception) -> Callable[..., Any]:
    def broken(**arguments: Any) -> None:
        raise error

    return broken


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (SandboxUnavailable("no Landlock"), "infra:sandbox-unavailable"),
        (OSError(errno.ENOSPC, "No space left on device"), "infra:worker-unhealthy"),
        (
            InvalidInput("A folder is not private.", field="OPTARENA_TRANSIENT_CACHE", remedy="Change it."),
            "infra:worker-unhealthy",
        ),
    ],
)
def test_an_error_of_the_worker_pauses_it(
    runner: Runner, life: UUID, monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str
) -> None:
    row, other = make_work([], make_busy()), make_work([1], make_busy())
    monkeypatch.setattr(driver, "replay", failing(error))
    assert driver.drive(worker="w", life=life) == 1
    row.refresh_from_db()
    other.refresh_from_db()
    event = row.events.last()
    assert (row.state, row.attempt, event.reason) == (State.QUEUED, 0, reason)
    assert other.attempt == 0
    runner.refresh_from_db()
    assert reason in runner.pause_reason


def test_only_what_concerns_the_worker_shows_sickness() -> None:
    error = RuntimeError("it broke off")
    error.__cause__ = PermissionError(errno.EACCES, "Permission denied")
    assert is_worker_fault(error)
    assert not is_worker_fault(RuntimeError("it broke off"))
    assert not is_worker_fault(InvalidInput("Unreadable.", field="program", remedy="Correct it."))
    assert not is_worker_fault(FileNotFoundError(errno.ENOENT, "No such file"))


def test_a_worker_leaves_work_of_other_versions_alone(runner: Runner, life: UUID) -> None:
    other, own = make_work(), make_work()
    old = make_old_environment()
    Verification.objects.filter(pk=other.pk).update(environment_version=old, environment_digest=old.digest)
    assert lease_row(verification_id=other.pk, worker="w", life=life) is None
    lease = next_lease(life=life)
    assert lease.verification_id == own.pk
    assert leases.lease_next(worker="w", life=life) is None


@pytest.mark.django_db(transaction=True)
def test_equal_versions_of_another_name_are_replayed(runner: Runner, life: UUID) -> None:
    row = make_work([], make_busy())
    old = make_old_environment("llvm-former-name-v0")
    Verification.objects.filter(pk=row.pk).update(environment_version=old)
    assert driver.drive(worker="w", life=life) == 1
    row.refresh_from_db()
    assert (row.state, row.runner) == (State.RECORDED, runner)


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> list[UUID]:
    """The wake-ups of a broker that takes all of them."""
    sent: list[UUID] = []

    def take(ids: Sequence[UUID], *_: object) -> bool:
        sent.extend(ids)
        return True

    monkeypatch.setattr(wakeups, "wake", take)
    monkeypatch.setattr("runner.queue.sweeping.wake", take)
    return sent


def test_a_wake_up_goes_on_to_a_worker_that_has_the_version(
    runner: Runner, life: UUID, woken: list[UUID]
) -> None:
    row, old = make_work(), make_old_environment()
    Verification.objects.filter(pk=row.pk).update(environment_version=old, environment_digest=old.digest)
    assert driver.drive(worker="w", life=life) == 0
    assert not wakeups.pass_on(row.pk, life)
    announce(uuid.uuid4(), digests=[old.digest])
    assert wakeups.pass_on(row.pk, life)
    assert woken == [row.pk]


def test_a_paused_workers_wake_ups_reach_the_others(db: None, life: UUID, woken: list[UUID]) -> None:
    row = make_work()
    announce(life, FAILED)
    assert driver.drive(worker="w", life=life) == 0
    assert not wakeups.pass_on(row.pk, life)
    announce(uuid.uuid4())
    assert wakeups.pass_on(row.pk, life)
    assert woken == [row.pk]


def test_old_versions_do_not_keep_wake_ups_from_the_rest(
    runner: Runner, clock: Clock, woken: list[UUID]
) -> None:
    rows, old = [make_work() for _ in range(conf.WAKE_AGAIN_BATCH + 1)], make_old_environment()
    first = [row.pk for row in rows[:-1]]
    Verification.objects.filter(pk__in=first).update(environment_version=old, environment_digest=old.digest)
    Runner.objects.update(seen_at=clock.now)
    sweeping.sweep(now=clock.now)
    assert rows[-1].pk in woken
    assert len(woken) == 2
    [work] = selectors.unknown_work(selectors.live_runners(now=clock.now))
    assert (work.digest, work.queued) == (old.digest, len(first))


def test_a_worker_that_replayed_something_is_remembered(runner: Runner, life: UUID) -> None:
    make_work()
    assert leases.lease_next(worker="w", life=life) is not None
    presence.dismiss_runner(runner_id=runner.pk)
    idle = announce(uuid.uuid4())
    presence.dismiss_runner(runner_id=idle.pk)
    announce(uuid.uuid4())
    known = set(Runner.objects.values_list("pk", flat=True))
    assert runner.pk in known
    assert idle.pk not in known


def test_the_queue_shows_why_a_worker_is_paused(db: None, life: UUID, client: Client) -> None:
    make_work()
    announce(life, FAILED)
    page = client.get("/queue/").content.decode()
    assert "The worker&#x27;s self-test failed: folders." in page
    assert "all of them are paused" in page
    assert "/secret" not in page
    [listed] = client.get("/api/v1/queue/").json()["hardware_classes"]
    assert listed["stuck"] is True
    assert listed["runners"][0]["paused_at"] is not None
    assert listed["runners"][0]["pause_reason"] == "The worker's self-test failed: folders."


@pytest.mark.parametrize(
    ("fingerprint", "versions"),
    [
        ({"gpus": [{}]}, {}),
        ({"gpus": "many"}, {"python": ["3.11"]}),
        ([], "3.11"),
        ({"gpus": [None], "cpu": {}}, 0),
    ],
)
def test_whatever_a_worker_says_of_itself_the_queue_is_shown(
    runner: Runner, client: Client, fingerprint: object, versions: object
) -> None:
    Runner.objects.update(fingerprint=fingerprint, versions=versions)
    for address in ("/", "/queue/", "/api/v1/queue/"):
        assert client.get(address).status_code == 200


def test_the_queue_shows_what_waits_for_another_version(runner: Runner, client: Client) -> None:
    row, old = make_work(), make_old_environment()
    Verification.objects.filter(pk=row.pk).update(environment_version=old, environment_digest=old.digest)
    page = client.get("/queue/").content.decode()
    assert "1 replay waits for a runner with version <code>000000000000</code> of llvm-ic-v0" in page
    [listed] = client.get("/api/v1/queue/").json()["hardware_classes"]
    assert listed["unknown_versions"] == [{"environment": "llvm-ic-v0", "digest": old.digest, "queued": 1}]


def test_a_healthy_machine_passes(blob_root: Path) -> None:
    tested = examine_worker(CPU)
    assert tested.passed, tested
    names = [check["name"] for check in tested.checks]
    assert names[:5] == ["sandbox", "folders", "disk", "memory", "memory group"]
    assert {"environment llvm-v0", "environment loop_tool-v0"} <= set(names)
    assert {LLVM.digest} <= set(own_digests())
    assert GCC.why_unavailable() or (GCC.digest in own_digests() and "environment gcc-v0" in names)


def test_a_folder_that_anybody_may_write_to_fails_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blob_root: Path
) -> None:
    folder = tmp_path / "transient"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("OPTARENA_TRANSIENT_CACHE", str(folder))
    tested = examine_worker(CPU)
    assert tested.problem == "The worker's self-test failed: folders."
    assert str(folder) in tested.checks[-1]["detail"]
    assert str(folder) not in tested.problem
    folder.chmod(0o700)
    assert check_folders([]) == "The folders can be used."


def test_a_lost_folder_of_programs_fails_the_test(settings: Settings, tmp_path: Path) -> None:
    settings.STORAGES = {
        **settings.STORAGES,
        "blobs": {**settings.STORAGES["blobs"], "OPTIONS": {"location": tmp_path / "lost"}},
    }
    assert examine_worker(CPU).problem == "The worker's self-test failed: folders."


def test_a_machine_without_free_memory_fails_the_test(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:  100000 kB\nMemAvailable:  1000 kB\n")
    with pytest.raises(Exception, match="0 MiB of memory are free"):
        check_memory(meminfo)


def test_an_environment_that_gives_another_result_fails_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    from optarena import self_test  # noqa: PLC0415 - to change what it knows
    from optarena.specs import Probe, environment_spec  # noqa: PLC0415 - as above

    spec = environment_spec("llvm-v0")
    wrong = Probe(
        benchmark=spec.probe.benchmark, actions=spec.probe.actions, observed={"IrInstructionCount": 1}
    )
    monkeypatch.setattr(self_test, "_probed", lambda _: [(spec, wrong)])
    assert "1 is recorded" in run_checks()[-1]["detail"]


def test_a_named_place_for_memory_groups_that_cannot_be_used_fails_the_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blob_root: Path
) -> None:
    monkeypatch.setenv("OPTARENA_MEMORY_GROUPS", str(tmp_path))
    tested = examine_worker("x86_64-cpu")
    assert tested.problem == "The worker's self-test failed: memory group."
    assert str(tmp_path) in tested.checks[-1]["detail"]


def test_a_machine_without_it_does_everything_else(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path))
    assert GCC.digest not in own_digests()
    assert LLVM.digest in own_digests()
    assert "it has no cc1" in GCC.why_unavailable()
    assert fault_reason(ToolMissing("it has no cc1")) == "infra:toolchain-missing"
