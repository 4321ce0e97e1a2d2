"""Rows of the runner, and the states of a verification with the edges between them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q, TextChoices

from optarena import limits

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager


class Calibration(models.Model):
    # It outlives the worker's row: the history of a machine is the rows of one name, class, role, version of
    # the set and machine (the SHA-256 of what times depend on). tries is above 1 where the machine seemed to
    # have changed; drift says how, for everybody, and only rows without it are history.
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
        verbose_name = "calibration of a machine"
        verbose_name_plural = "calibrations of machines"
        ordering = ("-at", "-id")
        indexes: ClassVar = [
            models.Index(name="runner_calibration_history", fields=["name", "hardware_class", "-at"])
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.at:%Y-%m-%d %H:%M}"


class State(TextChoices):
    QUEUED = "queued", "queued"
    LEASED = "leased", "leased"
    REPLAYING = "replaying", "replaying"
    CHECKING = "checking", "checking"
    MEASURING = "measuring", "measuring"
    RECORDED = "recorded", "recorded"
    FAILED = "failed", "failed"
    CANCELLED = "cancelled", "cancelled"


class AttemptDecision(TextChoices):
    RECORD = "record", "recorded"
    CONFIRM = "confirm", "repeated"
    FAIL = "fail", "failed"
    GIVE_BACK = "give-back", "given back"


class Authority(Enum):
    # Messages show the values.
    WORKER = "the worker holds the lease"
    SWEEPER = "the lease has expired"
    REQUESTER = "nobody waits for the result any more"


# The states of a running verification, in order.
PHASES: Final = (State.LEASED, State.REPLAYING, State.CHECKING, State.MEASURING)

RUNNING: Final = frozenset(PHASES)
TERMINAL: Final = frozenset({State.RECORDED, State.FAILED, State.CANCELLED})

_LOST_OR_BROKEN: Final = frozenset({Authority.WORKER, Authority.SWEEPER})

EDGES: Final[Mapping[tuple[State, State], frozenset[Authority]]] = {
    (State.QUEUED, State.LEASED): frozenset({Authority.WORKER}),
    (State.QUEUED, State.CANCELLED): frozenset({Authority.REQUESTER}),
    **{edge: frozenset({Authority.WORKER}) for edge in pairwise(PHASES)},
    (State.MEASURING, State.RECORDED): frozenset({Authority.WORKER}),
    **{(phase, State.QUEUED): _LOST_OR_BROKEN for phase in PHASES},
    **{(phase, State.FAILED): _LOST_OR_BROKEN for phase in PHASES},
    **{(phase, State.CANCELLED): frozenset({Authority.REQUESTER}) for phase in PHASES},
}


_RUNNING = sorted(RUNNING)
_TERMINAL = sorted(TERMINAL)


class EnvironmentVersion(models.Model):
    # Each digest has a row.
    env_id = models.SlugField(max_length=limits.ENVIRONMENT_ID_LENGTH)
    digest = models.CharField(max_length=limits.SHA256_LENGTH)
    spec = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "version of an environment"
        verbose_name_plural = "versions of environments"
        ordering = ("env_id", "created_at")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["env_id", "digest"], name="runner_environment_version_unique")
        ]

    def __str__(self) -> str:
        return f"{self.env_id} {self.digest[:12]}"


class LeasableWork(models.Model):
    # What workers lease: a verification, or a study of one. attempt counts how often a worker gave it back
    # because of the infrastructure, or was lost.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    environment_digest = models.CharField(max_length=limits.SHA256_LENGTH)
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    reason = models.CharField(max_length=limits.REASON_LENGTH, blank=True)
    detail = models.TextField(blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    available_at = models.DateTimeField()
    woken_at = models.DateTimeField(null=True)
    lease_token = models.UUIDField(null=True)
    lease_expires_at = models.DateTimeField(null=True)
    worker = models.CharField(max_length=limits.WORKER_NAME_LENGTH, blank=True)
    result = models.JSONField(null=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Verification(LeasableWork):
    # Its identity is (environment digest, benchmark sha256, workloads sha256, actions, hardware class, wanted
    # metrics): environments with the same digest measure the same, even under different names. A row answers
    # requests for fewer metrics too. One that repeats another answers none, nor does one that is cancelled,
    # superseded or failed because of the infrastructure; another of the same identity may exist beside it.
    environment_version = models.ForeignKey(
        EnvironmentVersion, on_delete=models.PROTECT, related_name="verifications"
    )
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
    wanted_metrics = ArrayField(models.CharField(max_length=limits.METRIC_NAME_LENGTH), null=True)
    repeats = models.ForeignKey(
        "self", on_delete=models.PROTECT, related_name="repetitions", null=True, db_index=False
    )
    blocks = models.PositiveSmallIntegerField(null=True)

    state = models.CharField(
        max_length=limits.VERIFICATION_STATE_LENGTH, choices=State.choices, default=State.QUEUED
    )
    last_seq = models.PositiveIntegerField(default=1)

    runner = models.ForeignKey(
        "Runner", on_delete=models.PROTECT, related_name="verifications", null=True, db_index=False
    )

    progress_phase = models.CharField(max_length=limits.PHASE_LENGTH, blank=True)
    progress_done = models.PositiveIntegerField(default=0)
    progress_total = models.PositiveIntegerField(default=0)

    kept_blocks = models.JSONField(null=True)
    prepared = models.JSONField(null=True)
    metrics = models.JSONField(null=True)
    sandbox = models.JSONField(null=True)

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
                condition=Q(state__in=_RUNNING, lease_token__isnull=False, lease_expires_at__isnull=False)
                | (~Q(state__in=_RUNNING) & Q(lease_token__isnull=True, lease_expires_at__isnull=True)),
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
        return self.state in TERMINAL

    @property
    def could_not_be_verified(self) -> bool:
        # The infrastructure failed, so nothing is known about the work.
        return self.state == State.FAILED and self.reason.startswith("infra:")


class VerificationEvent(models.Model):
    # The database refuses to change or delete one.
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
            models.UniqueConstraint(fields=["verification", "seq"], name="runner_event_seq_unique")
        ]
        indexes: ClassVar = [
            BrinIndex(name="runner_event_times", fields=["at"]),
            models.Index(name="runner_event_sweeps", fields=["at"], condition=Q(actor="sweeper")),
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.from_state or '-'} -> {self.to_state}"


class VerificationAttempt(models.Model):
    # Of a worker that did not record a result. The database refuses to change or delete one. The worker makes
    # the id, so that a write that is repeated adds no second row. The verification may have ended for another
    # reason.
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
            models.UniqueConstraint(fields=["verification", "number"], name="runner_attempt_number_unique")
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.reason} -> {self.decision}"


class UnannouncedEnd(models.Model):
    # Its worker may not write for the layers above, which have not been told of this end.
    verification = models.OneToOneField(
        Verification, on_delete=models.CASCADE, related_name="+", primary_key=True
    )

    def __str__(self) -> str:
        return f"{self.verification_id}"


class Payer(models.Model):
    # A higher layer chooses the name (user:17). The empty name is nobody's, and has no limit. used_seconds
    # are used or reserved at counted_at, and are given back as time passes.
    name = models.CharField(max_length=limits.PAYER_LENGTH, unique=True)
    used_seconds = models.FloatField(default=0.0)
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name = "budget of an owner"
        verbose_name_plural = "budgets of owners"
        constraints: ClassVar = [
            models.CheckConstraint(name="runner_payer_used_not_negative", condition=Q(used_seconds__gte=0))
        ]

    def __str__(self) -> str:
        return self.name


class Demand(models.Model):
    # A payer's wish for a verification, deleted at its end. Its id is its place in the payer's line. waiting,
    # class and available_at are copies, so that one index finds whose turn it is. seconds are reserved.
    verification = models.ForeignKey(Verification, on_delete=models.CASCADE, related_name="demands")
    payer = models.ForeignKey(Payer, on_delete=models.PROTECT, related_name="demands")
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    created_at = models.DateTimeField()
    waiting = models.BooleanField(default=True)
    available_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0.0)

    class Meta:
        verbose_name = "replay that an owner waits for"
        verbose_name_plural = "replays that owners wait for"
        ordering = ("id",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["verification", "payer"], name="runner_demand_once")
        ]
        indexes: ClassVar = [
            models.Index(
                name="runner_demand_line",
                fields=["hardware_class", "payer", "id"],
                include=["available_at", "seconds"],
                condition=Q(waiting=True),
            ),
            models.Index(
                name="runner_demand_running", fields=["hardware_class", "payer"], condition=Q(waiting=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer_id}: {self.verification_id}"


class Turn(models.Model):
    # When a payer's work was last leased by a worker of a hardware class.
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    payer = models.ForeignKey(Payer, on_delete=models.CASCADE, related_name="turns")
    taken_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["payer", "hardware_class"], name="runner_turn_once")
        ]

    def __str__(self) -> str:
        return f"{self.payer_id} ({self.hardware_class})"


class Runner(models.Model):
    # One life of one worker, from its start; it is live if it was seen within a lease's time. stopped_at is
    # None where it was lost, life identifies it to its own processes, digests are the versions of
    # environments that it has (None: all), faults the verifications that failed here in a row because of the
    # infrastructure. The database itself keeps role.
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


class StudyState(models.TextChoices):
    QUEUED = "queued", "queued"
    RUNNING = "running", "running"
    DONE = "done", "done"
    FAILED = "failed", "failed"


class Study(LeasableWork):
    """A question about a recorded replay, or about a state that is played, that further replays answer.

    Of a replay it is what the last of the first ``steps`` actions changes in the program's text, or which of
    all actions suffice for the same final state; of a state, what each action would give from there, or
    whether its outputs are right. Equal identities have one answer. ``progress`` is where an interrupted
    minimisation is, and what a look ahead has found so far.
    """

    class Kind(models.TextChoices):
        DIFFERENCE = "difference", "difference"
        MINIMISED = "minimised", "minimised"
        LOOK_AHEAD = "look-ahead", "look ahead"
        OUTPUTS = "outputs", "outputs"

    kind = models.CharField(max_length=limits.STUDY_KIND_LENGTH, choices=Kind.choices)
    identity = models.CharField(max_length=limits.SHA256_LENGTH)
    verification = models.ForeignKey(
        Verification, on_delete=models.CASCADE, related_name="studies", null=True, db_index=False
    )
    # A state that no verification has: runner.queue.work.PlayedState as plain data.
    played = models.JSONField(null=True)
    steps = models.PositiveIntegerField()
    automatic = models.BooleanField(default=False)
    # Who asked for it; none if it is automatic.
    payer = models.ForeignKey(
        "Payer", on_delete=models.PROTECT, related_name="studies", null=True, db_index=False
    )

    state = models.CharField(
        max_length=limits.STUDY_STATE_LENGTH, choices=StudyState.choices, default=StudyState.QUEUED
    )
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

    class Meta:
        verbose_name = "question about a result"
        verbose_name_plural = "questions about results"
        ordering = ("-created_at", "id")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["identity"], name="runner_study_once"),
            models.CheckConstraint(
                name="runner_study_of_replay_or_state",
                condition=Q(verification__isnull=False, played__isnull=True)
                | Q(verification__isnull=True, played__isnull=False),
            ),
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
        return f"{self.kind} of {self.verification_id or 'a state'}, {self.steps} steps: {self.state}"
