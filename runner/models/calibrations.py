"""What workers measured about their own machines."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from optarena import limits


class Calibration(models.Model):
    """One calibration of one worker's machine. It outlives the worker's row: the history is the machine's.

    The history of a machine is the rows of one worker's name, class, role, version of the set and
    ``machine``.

    Attributes:
        name: The worker's name in Celery, ``celery@host``.
        hardware_class: The class whose work it takes.
        machine: SHA-256 of what the times depend on: ``Machine.identity``.
        fingerprint: The machine's fingerprint then.
        version: The version of the calibration set.
        vector: For each entry its ``seconds`` and their ``spread``.
        conditions: What the machine was doing: ``load_average``, ``mhz``, ``processor``.
        tries: How often it was measured; more than once only where it seemed to have changed.
        drift: How it has changed, for everybody; empty if it has not. Only rows without it are history.
        role: The database role that wrote the row; the database itself keeps it.
    """

    name = models.CharField(max_length=limits.WORKER_NAME_LENGTH)
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    at = models.DateTimeField()
    machine = models.CharField(max_length=limits.SHA256_LENGTH)
    fingerprint = models.JSONField()
    version = models.TextField()
    vector = models.JSONField()
    conditions = models.JSONField()
    tries = models.PositiveSmallIntegerField()
    drift = models.TextField(blank=True)
    role = models.CharField(max_length=limits.DATABASE_ROLE_LENGTH, blank=True, db_default="", editable=False)

    class Meta:
        ordering = ("-at", "-id")
        indexes: ClassVar = [
            models.Index(name="runner_calibration_history", fields=["name", "hardware_class", "-at"])
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.at:%Y-%m-%d %H:%M}"
