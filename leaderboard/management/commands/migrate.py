"""``manage.py migrate`` while the server is used: it never waits long for what others wait for too."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.core.management.base import CommandError
from django.core.management.commands import migrate
from django.db import OperationalError, connections
from django.db.migrations.exceptions import IrreversibleError
from django.db.models.signals import pre_migrate
from psycopg.errors import DeadlockDetected, LockNotAvailable

from datasets.migration_operations import RefuseReversal, lock_timeout

LOCK_TIMEOUT: Final = "5s"
"""Whoever needs the same table waits behind a migration that waits for it."""


class Command(migrate.Command):
    """Django's command, with a limit on every lock, and a look at what cannot be undone before it begins."""

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ANN401 - Django's signature
        """Migrate; after an error, the same command goes on where this one ended."""
        once = apps.get_app_config("leaderboard")  # the signal is sent for every app, with the same plan
        pre_migrate.connect(_refuse_early, sender=once)
        try:
            with lock_timeout(connections[options["database"]], LOCK_TIMEOUT):
                super().handle(*args, **options)
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected | LockNotAvailable):
                raise
            raise CommandError(
                f"A migration did not get a table within {LOCK_TIMEOUT}, because somebody uses it. Run the "
                "command again: it goes on where it ended. If it ends here every time, look for a long "
                "transaction in pg_stat_activity, such as a backup's."
            ) from error
        except IrreversibleError as error:
            raise CommandError(str(error)) from error
        finally:
            pre_migrate.disconnect(_refuse_early, sender=once)


def _refuse_early(using: str, plan: list[tuple[Any, bool]], **kwargs: Any) -> None:  # noqa: ANN401, ARG001 - a receiver's signature
    for migration, backwards in plan:
        for operation in migration.operations:
            if backwards and isinstance(operation, RefuseReversal):
                operation.check(connections[using])
