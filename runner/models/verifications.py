"""Environment versions, and verifications with their events and attempts.

A verification knows no user, no claim and no board. The database itself holds the invariants of a
state; ``runner.services.transitions`` is the only writer of one.
"""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q

from optarena import limits
from runner.states import RUNNING, TERMINAL, AttemptDecision, State

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

    from runner.models.payers import Demand

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

    Its identity is (environment digest, benchmark sha256, workloads sha256, actions, hardware class, wanted
    metrics): environments with the same digest measure the same, even under different names. A row answers
    requests for fewer metrics too. One that repeats another answers none, nor does one that is cancelled,
    superseded or failed because of the infrastructure; another of the same identity may exist beside it.

    Attributes:
        action_space: The name of the actions' space; empty for the environment's first. ``actions_sha256`` is
            of both.
        wanted_metrics: The metrics to measure, sorted; NULL for all.
        repeats: The row whose work it repeats, for more evidence; None of a row that answers requests.
        blocks: How many blocks to measure, where the environment measures any; None for the usual number.
        kept_blocks: The whole blocks of a measurement that was interrupted; None once the row has ended, and
            after a lease on an unsteady machine.
        prepared: The ``result`` so far and the ``job`` for the device, where another machine has prepared the
            measurement (``runner.preparation``); None once the row has ended.
        superseded_at: When it was decided that its end does not count any more; its state stays as it is.
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
    workloads_sha256 = models.CharField(
        max_length=limits.SHA256_LENGTH, default="", db_default="", blank=True
    )
    actions = models.JSONField()
    action_space = models.CharField(
        max_length=limits.ACTION_SPACE_LENGTH, default="", db_default="", blank=True
    )
    actions_sha256 = models.CharField(max_length=limits.SHA256_LENGTH)
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    wanted_metrics = ArrayField(models.CharField(max_length=limits.METRIC_NAME_LENGTH), null=True)
    repeats = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="repetitions", null=True, db_index=False
    )
    blocks = models.PositiveSmallIntegerField(null=True)

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
    runner = models.ForeignKey(
        "Runner", on_delete=models.PROTECT, related_name="verifications", null=True, db_index=False
    )

    progress_phase = models.CharField(max_length=limits.PHASE_LENGTH, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)

    kept_blocks = models.JSONField(null=True)
    prepared = models.JSONField(null=True)
    result = models.JSONField(null=True)
    metrics = models.JSONField(null=True)
    sandbox = models.JSONField(null=True)

    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    superseded_at = models.DateTimeField(null=True)

    events: RelatedManager[VerificationEvent]
    attempts: RelatedManager[VerificationAttempt]
    demands: RelatedManager[Demand]
    repetitions: RelatedManager[Verification]

    class Meta:
        ordering = ("-created_at", "id")
        constraints: ClassVar = [
            models.UniqueConstraint(
                name="runner_verification_first_of_work",
                fields=[
                    "environment_digest",
                    "benchmark_sha256",
                    "actions_sha256",
                    "workloads_sha256",
                    "hardware_class",
                    "wanted_metrics",
                ],
                condition=~Q(state=State.CANCELLED)
                & ~Q(reason__startswith="infra:")
                & Q(superseded_at__isnull=True, repeats__isnull=True),
                nulls_distinct=False,
            ),
            models.UniqueConstraint(
                name="runner_verification_one_repetition_at_once",
                fields=["repeats"],
                condition=Q(repeats__isnull=False, finished_at__isnull=True),
            ),
            models.CheckConstraint(
                name="runner_verification_superseded_after_its_end",
                condition=Q(superseded_at__isnull=True) | Q(finished_at__isnull=False),
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
            models.Index(name="runner_verification_newest", fields=["-created_at", "id"]),
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
            models.Index(
                name="runner_verification_runner", fields=["runner"], condition=Q(runner__isnull=False)
            ),
            models.Index(
                name="runner_verification_repeats", fields=["repeats"], condition=Q(repeats__isnull=False)
            ),
            models.Index(
                name="runner_verification_ends",
                fields=["state", "reason"],
                condition=Q(finished_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_uri} {self.state} ({self.id})"

    @property
    def is_terminal(self) -> bool:
        """Whether its state is terminal."""
        return self.state in TERMINAL

    @property
    def could_not_be_verified(self) -> bool:
        """Whether it ended because the infrastructure failed, so that nothing is known about the work."""
        return self.state == State.FAILED and self.reason.startswith("infra:")


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
        indexes: ClassVar = [
            BrinIndex(name="runner_event_times", fields=["at"]),
            models.Index(name="runner_event_sweeps", fields=["at"], condition=Q(actor="sweeper")),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.from_state or '-'} -> {self.to_state}"


class VerificationAttempt(models.Model):
    """One attempt of a worker that did not record a result. The database refuses to change or delete one.

    Attributes:
        id: Made by the worker, so that a write that is repeated adds no second row.
        number: Its place among the verification's attempts, from 1.
        lease_attempt: The verification's ``attempt`` during the lease.
        decision: What followed.
        reason: Why this attempt itself did not succeed; the verification may have ended for another reason.
        failed_step: Index of the action that failed, where one did.
        evidence: How it ran: time, load of the machine, sandbox.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    verification = models.ForeignKey(Verification, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveIntegerField()
    lease_attempt = models.PositiveSmallIntegerField()
    worker = models.CharField(max_length=limits.WORKER_NAME_LENGTH)
    started_at = models.DateTimeField()
    ended_at = models.DateTimeField()
    decision = models.CharField(max_length=limits.DECISION_LENGTH, choices=AttemptDecision.choices)
    reason = models.CharField(max_length=limits.REASON_LENGTH)
    detail = models.TextField(blank=True)
    failed_step = models.PositiveIntegerField(null=True)
    evidence = models.JSONField(default=dict)

    class Meta:
        ordering = ("verification", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["verification", "number"], name="runner_attempt_number_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.reason} -> {self.decision}"


class UnannouncedEnd(models.Model):
    """A verification whose end the layers above have not been told of: its worker may not write for them."""

    verification = models.OneToOneField(
        Verification, on_delete=models.CASCADE, related_name="+", primary_key=True
    )

    def __str__(self) -> str:
        return f"{self.verification_id}"
