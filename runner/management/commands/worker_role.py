"""Create, change or drop the database role of workers."""

from __future__ import annotations

import re
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Final

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import ProgrammingError, connection, transaction
from django.db.models import Model
from psycopg import sql
from psycopg.errors import InsufficientPrivilege

from runner.errors import InvalidRoleError
from runner.models import (
    Calibration,
    Demand,
    Payer,
    Runner,
    Study,
    Turn,
    UnannouncedEnd,
    Verification,
    VerificationAttempt,
    VerificationEvent,
)

_NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,62}")
_RESERVED: Final = ("public", "none")
_RESERVED_BEGINNING: Final = "pg_"
_PASSWORD: Final = 16
_CONNECTIONS: Final = 100
# Rights that a new role lacks. Only a superuser could take all of them away.
_OTHER_RIGHTS: Final = """
SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
FROM pg_roles WHERE rolname = %s
"""
# The apps whose tables such a worker reads. None knows a user.
_READ: Final = ("runner", "datasets")
# What a verification is of; a worker changes the other columns.
_IDENTITY: Final = frozenset(
    {
        "id",
        "environment_version",
        "environment_digest",
        "benchmark",
        "benchmark_uri",
        "benchmark_sha256",
        "actions",
        "action_space",
        "actions_sha256",
        "workloads_sha256",
        "wanted_metrics",
        "repeats",
        "blocks",
        "superseded_at",
        "hardware_class",
        "created_at",
    }
)
# What a study asks; a worker changes the other columns.
_QUESTION: Final = frozenset(
    {
        *("id", "kind", "identity", "verification", "played", "steps", "hardware_class"),
        *("environment_digest", "automatic", "payer", "created_at", "woken_at"),
    }
)


@transaction.atomic
def set_worker_role(*, name: str, password: str) -> None:
    # Row-level security limits what the role may change to the rows that it has leased.
    _check(name, password)
    try:
        _set(name, password)
    except ProgrammingError as error:
        if not isinstance(error.__cause__, InsufficientPrivilege):
            raise
        told = error.__cause__.diag
        raise InvalidRoleError(
            f"The server's own role lacks a right: {told.message_primary}. {told.message_detail or ''} Give "
            "it this right, or run the command with another role in OPTARENA_DATABASE_URL."
        ) from error


def _set(name: str, password: str) -> None:
    role = sql.Identifier(name)
    with connection.cursor() as cursor:
        cursor.execute(_OTHER_RIGHTS, [name])
        known = cursor.fetchone()
        if known and known[0]:
            raise InvalidRoleError(f"The role {name!r} is an administrator's; give another name.")
        secret = connection.connection.pgconn.encrypt_password(
            password.encode(), name.encode(), b"scram-sha-256"
        )
        for statement in (
            sql.SQL("ALTER ROLE {}" if known else "CREATE ROLE {}").format(role)
            + sql.SQL(" LOGIN NOINHERIT CONNECTION LIMIT {} PASSWORD {}").format(
                _CONNECTIONS, secret.decode()
            ),
            sql.SQL("REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {}").format(role),
            *_grants(role),
        ):
            cursor.execute(statement.as_string(connection.connection))


def _check(name: str, password: str) -> None:
    if not _NAME.fullmatch(name):
        raise InvalidRoleError(f"{name!r} is not a role's name; use at most 63 of a-z, 0-9 and _.")
    if name in _RESERVED or name.startswith(_RESERVED_BEGINNING):
        raise InvalidRoleError(
            f"The name {name!r} is reserved by PostgreSQL; give one that does not begin with "
            f"{_RESERVED_BEGINNING!r} and is none of {', '.join(_RESERVED)}."
        )
    if name == connection.settings_dict["USER"]:
        raise InvalidRoleError(f"{name!r} is the server's own role; give another name.")
    if len(password) < _PASSWORD:
        raise InvalidRoleError(f"The password has {len(password)} characters; use at least {_PASSWORD}.")


def _grants(role: sql.Identifier) -> list[sql.Composed]:
    read = [model for app in _READ for model in apps.get_app_config(app).get_models()]
    return [
        *(sql.SQL("GRANT SELECT ON {} TO {}").format(_table(model), role) for model in read),
        _update(Verification, _IDENTITY, role),
        _update(Study, _QUESTION, role),
        *(
            sql.SQL("GRANT INSERT ON {} TO {}").format(_table(model), role)
            for model in (VerificationEvent, VerificationAttempt, UnannouncedEnd, Turn, Calibration)
        ),
        *(
            sql.SQL("GRANT {} ON {} TO {}").format(sql.SQL(rights), _table(model), role)
            for model, rights in ((Runner, "INSERT, DELETE"), (Demand, "DELETE"))
        ),
        _update(Runner, frozenset({"id", "role"}), role),
        _update(Demand, frozenset({"id", "verification", "payer", "hardware_class", "created_at"}), role),
        _update(Payer, frozenset({"id", "name"}), role),
        _update(Turn, frozenset({"id", "payer", "hardware_class"}), role),
    ]


def _update(model: type[Model], fixed: frozenset[str], role: sql.Identifier) -> sql.Composed:
    columns = [field.column for field in model._meta.concrete_fields if field.name not in fixed]  # noqa: SLF001 - Django's documented model API
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    return sql.SQL("GRANT UPDATE ({}) ON {} TO {}").format(names, _table(model), role)


def _table(model: type[Model]) -> sql.Identifier:
    return sql.Identifier(model._meta.db_table)  # noqa: SLF001 - Django's documented model API


class Command(BaseCommand):
    """Creates the role, or renews its password and rights; run it again after every upgrade."""

    help = "Create a database role that can take work and write the results of its own work only."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the role: a-z, 0-9 and _; one for each machine")
        parser.add_argument(
            "--password-file", type=Path, help="a file with the password; without it, one is made and printed"
        )

    def handle(self, *, name: str, password_file: Path | None, **options: object) -> None:  # noqa: ARG002 - Django's own options
        try:
            given = password_file.read_text(encoding="utf-8").strip() if password_file else ""
            password = given if password_file else secrets.token_urlsafe(24)
            set_worker_role(name=name, password=password)
        except (OSError, UnicodeDecodeError, InvalidRoleError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"The role {name} can take work.")
        if password_file is None:
            self.stdout.write(f"Its password is {password}")
