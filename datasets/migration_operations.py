"""Operations of migrations that run while the server is used, and that may be interrupted and run again.

A migration that is one transaction is undone as a whole, so it needs nothing of this. It locks at most one
table that others use: workers lock several in different orders, and would wait for it in a circle. What reads
or writes a whole table is in a migration that is not one transaction, whose operations can be repeated.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Final

from django.contrib.postgres.operations import (
    AddIndexConcurrently,
    NotInTransactionMixin,
    RemoveIndexConcurrently,
)
from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.operations.base import Operation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor
    from django.db.migrations.state import ProjectState
    from django.db.models import BaseConstraint, Model

BATCH: Final = 1_000
"""Rows of one UPDATE: somebody may wait for any of them until its end."""


@contextmanager
def lock_timeout(connection: BaseDatabaseWrapper, limit: str) -> Iterator[None]:
    """Let every statement wait for locks at most this long; ``0`` is for ever."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        (former,) = cursor.fetchone()
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [limit])
    try:
        yield
    finally:
        if connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT set_config('lock_timeout', %s, false)", [former])


class BuildIndex(AddIndexConcurrently):
    """``AddIndexConcurrently`` that drops what an interruption left unfinished, and keeps what was finished.

    Nobody waits for its lock, so it waits for the end of all earlier transactions, however long.
    """

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Build it, unless it is there and valid."""
        if _is_valid(schema_editor, self.index.name):
            return
        with lock_timeout(schema_editor.connection, "0"):
            _drop(schema_editor, self.index.name)
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class DropIndex(RemoveIndexConcurrently):
    """The reverse of ``BuildIndex``."""

    def database_forwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,  # noqa: ARG002 - Django's signature
    ) -> None:
        """Drop it, if it is there."""
        self._ensure_not_in_transaction(schema_editor)
        _drop(schema_editor, self.name)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Build it, unless it is there and valid."""
        index = to_state.models[app_label, self.model_name_lower].get_index_by_name(self.name)
        BuildIndex(self.model_name, index).database_forwards(app_label, schema_editor, from_state, to_state)


class BuildUniqueIndex(NotInTransactionMixin, migrations.AddConstraint):
    """``BuildIndex`` of a unique constraint with a condition, which PostgreSQL keeps as an index."""

    atomic = False
    model_name: str
    constraint: BaseConstraint

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,
    ) -> None:
        """Build it, unless it is there and valid."""
        self._ensure_not_in_transaction(schema_editor)
        _build_unique(schema_editor, to_state.apps.get_model(app_label, self.model_name), self.constraint)

    def database_backwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,  # noqa: ARG002 - Django's signature
    ) -> None:
        """Drop it, if it is there."""
        self._ensure_not_in_transaction(schema_editor)
        _drop(schema_editor, self.constraint.name)


class DropUniqueIndex(NotInTransactionMixin, migrations.RemoveConstraint):
    """The reverse of ``BuildUniqueIndex``."""

    atomic = False
    model_name: str
    name: str

    def database_forwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,  # noqa: ARG002 - Django's signature
    ) -> None:
        """Drop it, if it is there."""
        self._ensure_not_in_transaction(schema_editor)
        _drop(schema_editor, self.name)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,
    ) -> None:
        """Build it, unless it is there and valid."""
        self._ensure_not_in_transaction(schema_editor)
        state = to_state.models[app_label, self.model_name_lower]
        model = to_state.apps.get_model(app_label, self.model_name)
        _build_unique(schema_editor, model, state.get_constraint_by_name(self.name))


class RunSQLAtOnce(migrations.RunSQL):
    """``RunSQL`` in a transaction of its own, in a migration that is not one."""

    atomic: ClassVar[bool] = True


class UpdateInBatches(Operation):
    """Runs an UPDATE for some rows of a table at a time, each in a transaction of its own."""

    reduces_to_sql = False
    reversible = True
    atomic = False

    def __init__(self, table: str, update: str) -> None:
        """``update`` has one parameter: the ids of the rows that it may change."""
        self.table = table
        self.update = update

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change no model."""

    def database_forwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,  # noqa: ARG002 - Django's signature
    ) -> None:
        """Walk through the table by the ids."""
        select = f"SELECT id FROM {self.table}"  # noqa: S608 - a migration's own text
        with schema_editor.connection.cursor() as cursor:
            cursor.execute(f"{select} ORDER BY id LIMIT {BATCH}")
            while ids := [row[0] for row in cursor.fetchall()]:
                cursor.execute(self.update, [ids])
                cursor.execute(f"{select} WHERE id > %s ORDER BY id LIMIT {BATCH}", [ids[-1]])

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Leave the rows: their columns go."""

    def describe(self) -> str:
        """What ``migrate --plan`` shows."""
        return f"Update {self.table} in batches"


class RefuseReversal(Operation):
    """Refuses to undo its migration, and all others in the same run, while some rows would not survive it.

    It is its migration's last operation. The command ``migrate`` asks before it undoes anything.
    """

    reduces_to_sql = False
    reversible = True

    def __init__(self, count: str, message: str) -> None:
        """``count`` is a query of the number of such rows, which ``message`` names as ``{number}``."""
        self.count = count
        self.message = message

    def check(self, connection: BaseDatabaseWrapper) -> None:
        """Refuse, or do nothing.

        Raises:
            IrreversibleError: There are such rows.
        """
        with connection.cursor() as cursor:
            cursor.execute(self.count)
            (number,) = cursor.fetchone()
        if number:
            raise IrreversibleError(self.message.format(number=number))

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Change no model."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        """Do nothing."""

    def database_backwards(
        self,
        app_label: str,  # noqa: ARG002 - Django's signature
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,  # noqa: ARG002 - Django's signature
        to_state: ProjectState,  # noqa: ARG002 - Django's signature
    ) -> None:
        """Refuse before the migration's other operations are undone."""
        self.check(schema_editor.connection)

    def describe(self) -> str:
        """What ``migrate --plan`` shows."""
        return "Refuse to be undone while rows would not survive it"


def _build_unique(
    schema_editor: BaseDatabaseSchemaEditor, model: type[Model], constraint: BaseConstraint
) -> None:
    if _is_valid(schema_editor, constraint.name):
        return
    statement = str(constraint.create_sql(model, schema_editor))
    with lock_timeout(schema_editor.connection, "0"):
        _drop(schema_editor, constraint.name)
        # Django has interpolated its values, so that there are no parameters.
        schema_editor.execute(
            statement.replace("CREATE UNIQUE INDEX", "CREATE UNIQUE INDEX CONCURRENTLY", 1), params=None
        )


def _is_valid(schema_editor: BaseDatabaseSchemaEditor, name: str) -> bool:
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid", [name])
        return cursor.fetchone() is not None


def _drop(schema_editor: BaseDatabaseSchemaEditor, name: str) -> None:
    with lock_timeout(schema_editor.connection, "0"):
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(name)}")
