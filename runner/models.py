"""Rows of the runner: environment versions, verifications with their append-only event log, and workers.

A verification knows no user, no claim and no board. The database itself holds the invariants of a
state; ``runner.services.transitions`` is the only writer of one.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.db import models
from django.db.models import Q

from optarena import limits
from runner.states import RUNNING, TERMINAL, State

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

_RUNNING = sorted(RUNNING)
_TERMINAL = sorted(TERMINAL)


class EnvironmentVersion(models.Model):
    """An environment's version when results were measured; each digest has a row."""

    env_id = models.SlugField(max_length=limits.ENVIRONMENT_ID_LENGTH)
    digest = models.CharField(max_length=limits.SHA256_LENGTH)
    spec = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("env_id", "created_at")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["env_id", "digest"], name="runner_environment_version_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.env_id} {self.digest[:12]}"


class Verification(models.Model):
    """One replay of one action sequence on one benchmark, done once for everybody who needs it.

    Its identity is (environment digest, benchmark sha256, actions, hardware class): environments with the
    same digest measure the same, even under different names.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    environment_version = models.ForeignKey(
        EnvironmentVersion, on_delete=models.PROTECT, related_name="verifications"
    )
    environment_digest = models.CharField(max_length=limits.SHA256_LENGTH)
    benchmark = models.ForeignKey(
        "datasets.Benchmark", on_delete=models.PROTECT, related_name="verifications"
    )
    benchmark_uri = models.CharField(max_length=limits.VERIFICATION_URI_LENGTH)
    benchmark_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    actions = models.JSONField()
    actions_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)

    state = models.CharField(
        max_length=limits.VERIFICATION_STATE_LENGTH, choices=State.choices, default=State.QUEUED
    )
    reason = models.CharField(max_length=limits.REASON_LENGTH, blank=True)
    detail = models.TextField(blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    last_seq = models.PositiveIntegerField(default=1)

    available_at = models.DateTimeField()
    woken_at = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    heartbeat_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=limits.WORKER_NAME_LENGTH, blank=True)

    progress_phase = models.CharField(max_length=limits.PHASE_LENGTH, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)

    result = models.JSONField(null=True)
    metrics = models.JSONField(null=True)
    sandbox = models.JSONField(null=True)

    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    events: RelatedManager[VerificationEvent]

    class Meta:
        ordering = ("-created_at", "id")
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="runner_verification_identity",
                fields=["environment_digest", "benchmark_sha256", "actions_sha256", "hardware_class"],
                condition=~Q(state=State.CANCELLED) & ~Q(reason__startswith="infra:"),
            ),
            models.CheckConstraint(
                name="runner_verification_state_known", condition=Q(state__in=sorted(State.values))
            ),
            models.CheckConstraint(
                name="runner_verification_lease_iff_running",
                condition=Q(
                    state__in=_RUNNING,
                    lease_token__isnull=False,
                    lease_expires_at__isnull=False,
                    heartbeat_at__isnull=False,
                )
                | (
                    ~Q(state__in=_RUNNING)
                    & Q(lease_token__isnull=True, lease_expires_at__isnull=True, heartbeat_at__isnull=True)
                ),
            ),
            models.CheckConstraint(
                name="runner_verification_reason_iff_failed",
                condition=(Q(state=State.FAILED) & ~Q(reason="")) | (~Q(state=State.FAILED) & Q(reason="")),
            ),
            models.CheckConstraint(
                name="runner_verification_finished_iff_terminal",
                condition=Q(state__in=_TERMINAL, finished_at__isnull=False)
                | (~Q(state__in=_TERMINAL) & Q(finished_at__isnull=True)),
            ),
            models.CheckConstraint(
                name="runner_verification_recorded_has_result",
                condition=~Q(state=State.RECORDED) | Q(result__isnull=False, metrics__isnull=False),
            ),
            models.CheckConstraint(
                name="runner_verification_never_emulated",
                condition=Q(result__isnull=True) | ~Q(result__measurement__emulated=True),
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                name="runner_verification_queue",
                fields=["hardware_class", "created_at", "id"],
                condition=Q(state=State.QUEUED),
            ),
            models.Index(
                name="runner_verification_leases",
                fields=["lease_expires_at"],
                condition=Q(state__in=_RUNNING),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_uri} {self.state} ({self.id})"

    @property
    def is_terminal(self) -> bool:
        """Whether its state is terminal."""
        return self.state in TERMINAL


class VerificationEvent(models.Model):
    """One step in a verification's life. The database refuses to change or delete one."""

    verification = models.ForeignKey(Verification, on_delete=models.PROTECT, related_name="events")
    seq = models.PositiveIntegerField()
    from_state = models.CharField(max_length=limits.VERIFICATION_STATE_LENGTH, blank=True)
    to_state = models.CharField(max_length=limits.VERIFICATION_STATE_LENGTH, choices=State.choices)
    actor = models.CharField(max_length=limits.ACTOR_LENGTH)
    reason = models.CharField(max_length=limits.REASON_LENGTH, blank=True)
    detail = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ("verification", "seq")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["verification", "seq"], name="runner_event_seq_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.from_state or '-'} -> {self.to_state}"


class Runner(models.Model):
    """One life of one worker, from its start. It is live if it was seen within a lease's time.

    Attributes:
        name: The worker's name in Celery, ``celery@host``.
        hardware_class: The class whose work it takes.
        fingerprint: Identifies its machine: processor, cores, kernel, GPUs.
        versions: Versions of the programs that its results depend on.
        seen_at: When it last reported that it is live.
        stopped_at: When it was stopped regularly; None while it runs, and where it was lost.
    """

    name = models.CharField(max_length=limits.WORKER_NAME_LENGTH)
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    fingerprint = models.JSONField()
    versions = models.JSONField()
    started_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("hardware_class", "name", "started_at")
        indexes: ClassVar = [models.Index(name="runner_runner_seen", fields=["hardware_class", "seen_at"])]

    def __str__(self) -> str:
        return f"{self.name} ({self.hardware_class})"
