"""A worker's database role can take work and write about its own leases; the database refuses the rest."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from leaderboard.models import SubmissionItem
from runner.machines import presence
from runner.machines.machine import Machine
from runner.machines.presence import SelfTest
from runner.management.commands.worker_role import set_worker_role
from runner.models import Calibration, Demand, Runner, State, Study, UnannouncedEnd, Verification
from runner.queue import leases, transitions
from runner.queue import studies as study_queue
from runner.selectors import calibration_history
from tests.factories import make_calibration, make_token, make_user, make_work
from tests.kit.work import OUTCOME, leased, next_lease

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)

ROLE, OTHER, SERVER = "optarena_test_worker", "optarena_test_other", "optarena_test_server"
NAME = "celery@a"
PASSWORD = "a password of enough characters"  # noqa: S105 - of a role of tests
DENIED = psycopg.errors.InsufficientPrivilege
"""No right to the table or the column, or a row that row-level security refuses."""


def run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@pytest.fixture(autouse=True)
def _roles(transactional_db: None) -> Iterator[None]:
    set_worker_role(name=ROLE, password=PASSWORD)
    yield
    for name in (OTHER, ROLE, SERVER):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
            if cursor.fetchone():
                run(f"DROP OWNED BY {name}", f"DROP ROLE {name}")


class Worker:
    """What a worker does with a role of its own."""

    def __init__(self, role: str) -> None:
        self.role = role
        self.life = uuid.uuid4()

    def connect(self) -> psycopg.Connection:
        given = connection.settings_dict
        return psycopg.connect(
            host=given["HOST"], user=self.role, password=PASSWORD, dbname=given["NAME"], autocommit=True
        )

    def run(self, statement: str, *parameters: object) -> int:
        with self.connect() as made:
            return made.execute(statement.encode(), parameters).rowcount

    def __enter__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET SESSION AUTHORIZATION {self.role}")

    def __exit__(self, *_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("RESET SESSION AUTHORIZATION")

    def appear(self) -> Runner:
        return presence.announce_runner(
            name=f"celery@{self.role}",
            hardware_class="x86_64-cpu",
            machine=Machine(fingerprint={}, versions={}),
            life=self.life,
        )

    def take(self) -> leases.Lease:
        return next_lease(self.role, life=self.life)


@pytest.fixture
def worker() -> Worker:
    """A worker with a role of its own, which is live."""
    made = Worker(ROLE)
    with made:
        made.appear()
    return made


@pytest.fixture
def other() -> Worker:
    set_worker_role(name=OTHER, password=PASSWORD)
    made = Worker(OTHER)
    with made:
        made.appear()
    return made


def test_it_does_all_that_a_worker_does(worker: Worker, settings: Settings) -> None:
    settings.OPTARENA_WORKER_SETTLES = False
    rows = [make_work() for _ in range(4)]
    with worker:
        lease = worker.take()
        leases.heartbeat(lease=lease)
        leases.report_progress(lease=lease, done=1, total=2)
        leases.record(lease=lease, outcome=OUTCOME)
        leases.fail(lease=worker.take(), reason="env:crash", detail="It crashed.")
        leases.give_back(lease=worker.take(), reason="infra:internal", detail="It broke off.")
        leases.hand_over(lease=worker.take(), prepared={"job": {"cubin": "f0VMRg=="}})
        runner = Runner.objects.get()
        presence.renew_runner(runner_id=runner.pk)
        presence.dismiss_runner(runner_id=runner.pk)
        worker.appear()
    for row in rows:
        row.refresh_from_db()
    assert [row.state for row in rows] == [State.RECORDED, State.FAILED, State.QUEUED, State.QUEUED]
    assert [row.attempt for row in rows] == [0, 0, 1, 0]
    assert rows[3].prepared == {"job": {"cubin": "f0VMRg=="}}
    assert runner.role == ROLE
    assert UnannouncedEnd.objects.count() == 2


def test_the_server_announces_what_it_recorded_once(
    worker: Worker, settings: Settings, finished: list[Verification]
) -> None:
    settings.OPTARENA_WORKER_SETTLES = False
    row = make_work()
    with worker:
        leases.record(lease=worker.take(), outcome=OUTCOME)
    assert finished == []
    assert UnannouncedEnd.objects.count() == 1
    assert transitions.announce_ends() == ()
    assert finished == [row]
    assert UnannouncedEnd.objects.count() == 0
    assert transitions.announce_ends() == ()
    assert finished == [row]


REFUSED = (
    "SELECT username, password FROM auth_user",
    "SELECT * FROM accounts_apitoken",
    "SELECT * FROM django_session",
    "SELECT owner_id FROM leaderboard_submission",
    "SELECT * FROM leaderboard_submissionitem",
    "UPDATE leaderboard_submissionitem SET verdict = 'verified'",
    "UPDATE leaderboard_standing SET score = 9",
    "DELETE FROM runner_verification",
    "DELETE FROM runner_verificationevent",
    "DELETE FROM runner_unannouncedend",
    "UPDATE runner_verification SET actions = '[]'",
    "UPDATE runner_verification SET benchmark_sha256 = ''",
    "UPDATE runner_verificationevent SET reason = ''",
    "UPDATE runner_runner SET role = 'optarena'",
    "UPDATE runner_calibration SET drift = ''",
    "DELETE FROM runner_calibration",
    "UPDATE datasets_benchmark SET sha256 = ''",
    "UPDATE datasets_baseline SET value = 1",
    "INSERT INTO runner_environmentversion (env_id, digest, spec) VALUES ('a', 'b', '{}')",
    "CREATE TABLE mine (id int)",
    "CREATE ROLE another",
    "ALTER TABLE runner_verification DISABLE TRIGGER ALL",
    "SET ROLE optarena",
    "COPY runner_verification TO PROGRAM 'cat'",
    "SELECT pg_read_file('/etc/passwd')",
)


def test_the_database_refuses_everything_else(worker: Worker) -> None:
    make_token(make_user())
    make_work()
    for statement in REFUSED:
        with pytest.raises(DENIED):
            worker.run(statement)


def test_it_cannot_touch_another_workers_lease_or_a_result(worker: Worker, other: Worker) -> None:
    make_work()
    with other:
        lease = other.take()
    change = "UPDATE runner_verification SET detail = 'mine', runner_id = runner_id WHERE id = %s"
    assert worker.run(change, lease.verification_id) == 0
    leases.record(lease=lease, outcome=OUTCOME)
    assert other.run(change, lease.verification_id) == 0
    with pytest.raises(DENIED):
        worker.run(
            "INSERT INTO runner_verificationevent"
            " (verification_id, seq, from_state, to_state, actor, reason, detail, at)"
            " VALUES (%s, 99, '', 'failed', 'me', '', '', now())",
            lease.verification_id,
        )
    with pytest.raises(DENIED):
        worker.run("INSERT INTO runner_unannouncedend VALUES (%s)", lease.verification_id)


def test_its_calibrations_are_a_history_of_its_own(worker: Worker, other: Worker) -> None:
    for one in (worker, other):
        with one:
            row = make_calibration(NAME)
        row.refresh_from_db()
        assert row.role == one.role
        with one:
            found = calibration_history(
                name=NAME, hardware_class="x86_64-cpu", machine=row.machine, version=row.version
            )
            assert len(found) == 1
    forged = (
        "INSERT INTO runner_calibration"
        " (name, hardware_class, at, machine, fingerprint, version, vector, conditions, tries, drift, role)"
        " SELECT name, hardware_class, at, machine, fingerprint, version, vector, conditions, tries, drift,"
        " %s"
        " FROM runner_calibration LIMIT 1"
    )
    assert worker.run(forged, OTHER) == 1
    assert Calibration.objects.filter(role=OTHER).count() == 1


def test_a_failed_self_test_leaves_alone_what_another_worker_has_leased_since(
    worker: Worker, other: Worker
) -> None:
    rows = [make_work() for _ in range(2)]
    for one, number in ((worker, 2), (other, 1)):
        Verification.objects.update(available_at=rows[0].created_at)
        Demand.objects.update(available_at=rows[0].created_at)
        with one:
            for lease in [one.take() for _ in range(number)]:
                leases.give_back(lease=lease, reason="infra:internal", detail="It broke off.")
    failed = SelfTest(checks=[{"name": "sandbox", "ok": False, "detail": "", "seconds": 0.1}], seconds=0.1)
    with worker:
        runner = Runner.objects.get(life=worker.life)
        presence.record_self_test(runner_id=runner.pk, tested=failed)
    runner.refresh_from_db()
    assert runner.paused_at is not None
    assert sorted(Verification.objects.values_list("attempt", flat=True)) == [0, 2]


UNREADABLE = ("infinity", "-infinity", "294000-01-01", "4000-01-01 BC")


def test_a_calibration_is_of_now(worker: Worker) -> None:
    make_calibration(NAME)
    statement = (
        "INSERT INTO runner_calibration"
        " (at, name, hardware_class, machine, fingerprint, version, vector, conditions, tries, drift)"
        " SELECT %s, name, hardware_class, machine, fingerprint, version, vector, conditions, tries, ''"
        " FROM runner_calibration"
    )
    for at in (*UNREADABLE, "2020-01-01"):
        with pytest.raises(DENIED):
            worker.run(statement, at)


def test_it_writes_nothing_that_cannot_be_read(worker: Worker) -> None:
    """One such row would end each pass of the sweeper."""
    make_work()
    with worker:
        worker.take()
    changes = [
        ("UPDATE runner_runner SET seen_at = %s", UNREADABLE),
        ("UPDATE runner_runner SET paused_at = %s", UNREADABLE),
        ("UPDATE runner_verification SET woken_at = %s", UNREADABLE),
        ("UPDATE runner_demand SET available_at = %s", UNREADABLE),
        ("UPDATE runner_runner SET digests = %s", ("5", "[5]", "[[]]", "null", '"x"')),
    ]
    for change, values in changes:
        for value in values:
            with pytest.raises(psycopg.errors.CheckViolation):
                worker.run(change, value)
    assert worker.run("UPDATE runner_runner SET digests = NULL") == 1, "it does not say which it has"


def test_it_gives_its_work_back_when_its_machine_has_changed(worker: Worker) -> None:
    row, runner = make_work(), Runner.objects.get(role=ROLE)
    with worker:
        worker.take()
        assert presence.pause_drifted(runner_id=runner.pk, reason="Calibration: it is slow.") == 1
    row.refresh_from_db()
    runner.refresh_from_db()
    assert (row.state, row.attempt) == (State.QUEUED, 0)
    assert runner.pause_reason == "Calibration: it is slow."


def test_it_cannot_take_work_in_the_name_of_another(worker: Worker, other: Worker) -> None:
    row = make_work()
    theirs = Runner.objects.get(role=OTHER)
    with pytest.raises(DENIED):
        worker.run("UPDATE runner_verification SET runner_id = %s WHERE id = %s", theirs.pk, row.pk)
    assert worker.run("UPDATE runner_runner SET pause_reason = 'gone' WHERE id = %s", theirs.pk) == 0
    assert worker.run("DELETE FROM runner_runner WHERE id = %s", theirs.pk) == 0


def test_a_temporary_table_of_the_same_name_changes_nothing(worker: Worker, other: Worker) -> None:
    make_work()
    with other:
        lease = other.take()
    with worker.connect() as made:
        made.execute("CREATE TEMP TABLE runner_runner AS SELECT * FROM public.runner_runner")
        made.execute(b"UPDATE pg_temp.runner_runner SET role = %s", [ROLE])
        changed = made.execute(
            b"UPDATE public.runner_verification SET detail = 'mine' WHERE id = %s", [lease.verification_id]
        )
        assert changed.rowcount == 0


def test_no_table_that_it_reads_knows_a_user() -> None:
    """The apps whose tables are granted do not refer to those above."""
    assert SubmissionItem._meta.app_label == "leaderboard"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT DISTINCT table_name FROM information_schema.role_table_grants WHERE grantee = %s", [ROLE]
        )
        tables = {table for (table,) in cursor.fetchall()}
    assert {name.partition("_")[0] for name in tables} == {"runner", "datasets"}


def recorded_study() -> Study:
    row = make_work()
    lease = leased(row, "server")
    leases.record(lease=lease, outcome=OUTCOME)
    row.refresh_from_db()
    return study_queue.request_study(kind=Study.Kind.DIFFERENCE, subject=row, steps=1, payer="user:1")


def test_it_takes_a_study_and_writes_its_answer(worker: Worker) -> None:
    study = recorded_study()
    with worker:
        lease = next_lease(worker.role, life=worker.life)
        leases.heartbeat(lease=lease)
        study_queue.interrupt_study(lease=lease, progress={})
        lease = next_lease(worker.role, life=worker.life)
        study_queue.end_study(lease=lease, result={"text": ""})
    study.refresh_from_db()
    assert (study.state, study.result) == ("done", {"text": ""})


def test_it_changes_no_study_of_another_worker_and_none_that_has_ended(worker: Worker, other: Worker) -> None:
    recorded_study()
    with other:
        lease = next_lease(other.role, life=other.life)
    forged = "UPDATE runner_study SET state = 'done', result = '{}', finished_at = now(), lease_token = NULL"
    forged += ", lease_expires_at = NULL"
    assert worker.run(forged) == 0
    with other:
        leases.fail(lease=lease, reason="env:crash", detail="It crashed.")
    assert other.run("UPDATE runner_study SET detail = 'nothing'") == 0


def test_it_asks_no_question(worker: Worker) -> None:
    study = recorded_study()
    for statement in (
        "UPDATE runner_study SET steps = 7",
        "UPDATE runner_study SET kind = 'minimised'",
        "DELETE FROM runner_study",
        "INSERT INTO runner_study SELECT * FROM runner_study",
    ):
        with pytest.raises(DENIED):
            worker.run(statement)
    study.refresh_from_db()
    assert study.steps == 1


@contextmanager
def server(rights: str) -> Iterator[None]:
    """A server whose own role has the tables and these rights, and is no superuser."""
    run(f"CREATE ROLE {SERVER} {rights}", f"GRANT optarena TO {SERVER}")
    run(f"SET SESSION AUTHORIZATION {SERVER}")
    try:
        yield
    finally:
        run("RESET SESSION AUTHORIZATION")


def test_it_makes_a_role_or_gives_it_another_password(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "password"
    secret.write_text("another password, long enough\n")
    call_command("worker_role", ROLE, "--password-file", str(secret))
    given = connection.settings_dict
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(host=given["HOST"], user=ROLE, password=PASSWORD, dbname=given["NAME"])
    call_command("worker_role", OTHER)
    assert "Its password is " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "password", "problem"),
    [
        ("Optarena; DROP", PASSWORD, "is not a role's name"),
        (
            "pg_worker",
            PASSWORD,
            "'pg_worker' is reserved by PostgreSQL; give one that does not begin with 'pg_'",
        ),
        ("public", PASSWORD, "'public' is reserved by PostgreSQL"),
        ("none", PASSWORD, "'none' is reserved by PostgreSQL"),
        ("optarena", PASSWORD, "the server's own role"),
        (ROLE, "short", "has 5 characters"),
    ],
)
def test_it_refuses_what_is_unsuitable(tmp_path: Path, name: str, password: str, problem: str) -> None:
    secret = tmp_path / "password"
    secret.write_text(password)
    with pytest.raises(CommandError, match=problem):
        call_command("worker_role", name, "--password-file", str(secret))
    with pytest.raises(CommandError, match="No such file"):
        call_command("worker_role", ROLE, "--password-file", str(tmp_path / "none"))


@pytest.mark.parametrize("right", ["SUPERUSER", "CREATEROLE", "CREATEDB", "REPLICATION", "BYPASSRLS"])
def test_a_role_with_other_rights_is_no_workers(right: str) -> None:
    run(f"ALTER ROLE {ROLE} {right}")
    with pytest.raises(CommandError, match="is an administrator's; give another name"):
        call_command("worker_role", ROLE)


def test_a_server_that_is_no_superuser_makes_a_role_and_renews_it() -> None:
    with server("CREATEROLE"):
        call_command("worker_role", OTHER)
        call_command("worker_role", OTHER)


@pytest.mark.parametrize(
    ("rights", "name", "problem"),
    [
        ("", OTHER, "Only roles with the CREATEROLE attribute may create roles. Give it this right, or run"),
        (
            "CREATEROLE",
            ROLE,
            f'and the ADMIN option on role "{ROLE}" may alter this role. Give it this right',
        ),
    ],
)
def test_a_server_without_the_right_is_told_which_it_is(rights: str, name: str, problem: str) -> None:
    with server(rights), pytest.raises(CommandError, match=problem):
        call_command("worker_role", name)
