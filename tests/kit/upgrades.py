"""Takes the database from the release before to the present one and back, and looks at what migrations do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.migrations.migration import Migration

    Key = tuple[str, str]
    Step = tuple[Migration, bool]
    Execute = Callable[[str, Any, bool, dict[str, Any]], Any]

RELEASED: Final = (
    ("datasets", "0003_previews_and_statistics"),
    ("leaderboard", "0004_standings_by_entry"),
    ("runner", "0003_presence"),
)
"""The last migrations of the release before."""
_LOCKED: Final = """
    SELECT DISTINCT relation::regclass::text FROM pg_locks
    WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relation::regclass::text = ANY(%s)
      AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
"""
_SCHEMA: Final = r"""
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default)
    FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT concat_ws(' ', tablename, policyname, cmd, qual, with_check) FROM pg_policies
    UNION ALL SELECT concat_ws(' ', relname, relrowsecurity)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT concat_ws(' ', proname, prosrc) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
"""
_READS: Final = re.compile(r"\s*(SELECT|SHOW|SET)\b", re.IGNORECASE)


def newest() -> list[Key]:
    """The last migrations of the present program."""
    return MigrationLoader(connection).graph.leaf_nodes()


def migrate(*targets: Key) -> None:
    """Apply or undo what lies between."""
    MigrationExecutor(connection).migrate(list(targets))


def migrate_in_pieces(*targets: Key) -> int:
    """As ``migrate``, but interrupted after each statement that changes something; how often that was.

    A migration that is one transaction is undone by the database, so it is not interrupted.
    """
    pieces, applied, after = 0, 0, 0
    while plan := _up_to_an_interruption(executor := MigrationExecutor(connection), targets):
        try:
            with connection.execute_wrapper(Interrupted(after)):
                executor.migrate(list(targets), plan)
        except Interruption:
            pieces += 1
            before, applied = applied, len(MigrationRecorder(connection).applied_migrations())
            after = after + 1 if applied == before else 1
        else:
            after = 0
    return pieces


def _up_to_an_interruption(executor: MigrationExecutor, targets: tuple[Key, ...]) -> list[Step]:
    """The next migrations, to the first that can be interrupted: Django renders the models for each."""
    plan = executor.migration_plan(list(targets))
    ends = (number for number, (migration, _) in enumerate(plan, 1) if not migration.atomic)
    return plan[: next(ends, len(plan))]


def schema() -> set[str]:
    """All that the database has, as text."""
    with connection.cursor() as cursor:
        cursor.execute(_SCHEMA)
        return {text for (text,) in cursor.fetchall()}


class Interruption(Exception):
    """Ends a migration."""


@dataclass
class Interrupted:
    """Ends the first migration after so many statements that change something, and a later one after one."""

    after: int

    def __call__(self, execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001 - Django's signature
        """Run a statement."""
        result = execute(sql, params, many, context)
        if re.match('(INSERT INTO|DELETE FROM) "django_migrations"', sql):
            self.after = 0
        elif not connection.in_atomic_block and not _READS.match(sql):
            self.after -= 1
            if self.after < 0:
                raise Interruption(sql)
        return result


@dataclass
class Watch:
    """Notes which statements keep others from the tables that existed before.

    Attributes:
        tables: Those that existed.
        locked: What the present transaction keeps others from.
        faults: What must not be.
    """

    tables: list[str]
    locked: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)

    def __call__(self, execute: Execute, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001 - Django's signature
        """Run a statement."""
        self.locked = self._locks()
        if self.locked and re.match(r"\s*(UPDATE|DELETE|WITH|INSERT INTO (?!.?django_))", sql):
            self.faults.append(f"writes rows while it keeps others from {self.locked}: {sql}")
        built = re.match(r'\s*CREATE (UNIQUE )?INDEX (?!CONCURRENTLY).* ON "?(\w+)', sql)
        if built and built[2] in self.tables:
            self.faults.append(f"builds an index while nobody can write: {sql}")
        result = execute(sql, params, many, context)
        if len(self._locks()) > 1:
            self.faults.append(f"keeps others from several tables: {self._locks()}: {sql}")
        return result

    def _locks(self) -> set[str]:
        if not connection.in_atomic_block:
            return set()
        with connection.connection.cursor() as cursor:  # not Django's, which would be watched
            return {name for (name,) in cursor.execute(_LOCKED, [self.tables]).fetchall()}
