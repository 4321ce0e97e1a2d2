"""Workers: each row is one life of one of them."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from optarena import limits


class Runner(models.Model):
    """One life of one worker, from its start. It is live if it was seen within a lease's time.

    Attributes:
        name: The worker's name in Celery, ``celery@host``.
        hardware_class: The class whose work it takes.
        fingerprint: Identifies its machine: processor, cores, kernel, GPUs.
        versions: Versions of the programs that its results depend on.
        processes: How many replays it does at once.
        seen_at: When it last reported that it is live.
        stopped_at: When it was stopped regularly; None while it runs, and where it was lost.
        life: Identifies this life to the worker's own processes.
        digests: The versions of environments that it has, whose work it takes; None for all.
        self_test: Its last test of itself: ``passed``, ``at``, ``seconds`` and ``checks``.
        paused_at: Since when it takes no work; None while it does.
        pause_reason: Why it takes none, for everybody.
        faults: Ids of the verifications that failed here in a row because of the infrastructure.
        role: The database role that it wrote this row with; the database itself keeps it.
    """

    name = models.CharField(max_length=limits.WORKER_NAME_LENGTH)
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    fingerprint = models.JSONField()
    versions = models.JSONField()
    processes = models.PositiveIntegerField(default=1, db_default=1)
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)
    life = models.UUIDField(null=True, unique=True)
    digests = models.JSONField(null=True)
    self_test = models.JSONField(null=True)
    paused_at = models.DateTimeField(null=True)
    pause_reason = models.TextField(blank=True, db_default="")
    faults = models.JSONField(default=list, db_default=[])
    role = models.CharField(max_length=limits.DATABASE_ROLE_LENGTH, blank=True, db_default="", editable=False)

    class Meta:
        ordering = ("hardware_class", "name", "started_at")
        indexes: ClassVar = [models.Index(name="runner_runner_seen", fields=["hardware_class", "seen_at"])]

    def __str__(self) -> str:
        return f"{self.name} ({self.hardware_class})"
