"""Registers the runner app, and keeps its environment versions up to date with the code."""

from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class RunnerConfig(AppConfig):
    name = "runner"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        post_migrate.connect(_sync_environment_versions, sender=self, dispatch_uid="runner.sync")


def _sync_environment_versions(using: str, **_: object) -> None:
    from django.db import connections  # noqa: PLC0415 - models exist only after all apps are ready

    from runner.models import EnvironmentVersion  # noqa: PLC0415 - as above
    from runner.queue.wakeups import sync_environment_versions  # noqa: PLC0415 - as above

    # The signal is also sent when the app's tables do not exist: `migrate auth`, `migrate runner zero`.
    table = EnvironmentVersion._meta.db_table  # noqa: SLF001 - Django's documented model API
    if table in connections[using].introspection.table_names():
        sync_environment_versions()
