"""Studies: what workers find out about recorded replays when no verification waits."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q

from optarena import limits
from runner.models.verifications import Verification


class StudyState(models.TextChoices):
    """How far a study is."""

    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class Study(models.Model):
    """A question about a recorded replay that further replays answer. It decides nothing.

    Attributes:
        kind: ``difference``: what the last of the first ``steps`` actions changes in the program's text.
            ``minimised``: which of all actions suffice for the same final state.
        identity: SHA-256 of what the answer depends on, so that the same question is answered once.
        verification: A replay that the question is about; others may have the same question.
        steps: How many of its actions the question is about.
        automatic: Whether nobody asked for it; such a one comes after all others.
        available_at: From when on a worker may take it; the one that waits longest comes first.
        attempt: How often a worker gave it back because of the infrastructure, or was lost.
        progress: Where an interrupted minimisation is.
        result: ``TextDifference`` or ``Minimisation`` as JSON data.
    """

    class Kind(models.TextChoices):
        """What is asked."""

        DIFFERENCE = "difference", "difference"
        MINIMISED = "minimised", "minimised"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=limits.STUDY_KIND_LENGTH, choices=Kind.choices)
    identity = models.CharField(max_length=limits.SHA256_LENGTH)
    verification = models.ForeignKey(
        Verification, on_delete=models.CASCADE, related_name="studies", db_index=False
    )
    steps = models.PositiveIntegerField()
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    environment_digest = models.CharField(max_length=limits.SHA256_LENGTH)
    automatic = models.BooleanField(default=False)

    state = models.CharField(
        max_length=limits.STUDY_STATE_LENGTH, choices=StudyState.choices, default=StudyState.QUEUED
    )
    reason = models.CharField(max_length=limits.REASON_LENGTH, blank=True)
    detail = models.TextField(blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    available_at = models.DateTimeField()
    woken_at = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=limits.WORKER_NAME_LENGTH, blank=True)
    # Without a constraint: workers forget the rows of their former lives, and may not write here then.
    runner = models.ForeignKey(
        "Runner",
        on_delete=models.DO_NOTHING,
        related_name="+",
        null=True,
        db_index=False,
        db_constraint=False,
    )
    progress = models.JSONField(null=True)
    result = models.JSONField(null=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "studies"
        ordering = ("-created_at", "id")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["identity"], name="runner_study_once"),
            models.CheckConstraint(
                name="runner_study_lease_iff_running",
                condition=Q(state="running", lease_token__isnull=False, lease_expires_at__isnull=False)
                | (~Q(state="running") & Q(lease_token__isnull=True, lease_expires_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="runner_study_ended_iff_finished",
                condition=Q(state="done", finished_at__isnull=False, result__isnull=False, reason="")
                | (Q(state="failed", finished_at__isnull=False, result__isnull=True) & ~Q(reason=""))
                | Q(
                    state__in=["queued", "running"], finished_at__isnull=True, result__isnull=True, reason=""
                ),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="runner_study_line",
                fields=["hardware_class", "automatic", "available_at", "id"],
                condition=Q(state="queued"),
            ),
            models.Index(
                name="runner_study_leases", fields=["lease_expires_at"], condition=Q(state="running")
            ),
            models.Index(name="runner_study_ends", fields=["kind", "finished_at"]),
            models.Index(name="runner_study_verification", fields=["verification"]),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.verification_id}, {self.steps} steps: {self.state}"
