"""``manage.py worker_role``: who may make which roles."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from runner.management.commands.worker_role import set_worker_role

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

ROLE, OTHER, SERVER = "optarena_test_worker", "optarena_test_other", "optarena_test_server"
PASSWORD = "a password of enough characters"  # noqa: S105 - of a role of tests


def run(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def drop(*names: str) -> None:
    for name in names:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [name])
            if cursor.fetchone():
                run(f"DROP OWNED BY {name}", f"DROP ROLE {name}")


@pytest.fixture(autouse=True)
def _roles(transactional_db: None) -> Iterator[None]:
    set_worker_role(name=ROLE, password=PASSWORD)
    yield
    drop(OTHER, ROLE, SERVER)


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
