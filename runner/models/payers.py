"""For whom replays are made: payers, what they demand, and whose turn it was."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from optarena import limits
from runner.models.verifications import Verification


class Payer(models.Model):
    """Somebody for whom replays are made, and the seconds of workers that they have used lately.

    The runner does not know who it is: a higher layer chooses the name. The empty name is nobody's, and has
    no limit.

    Attributes:
        name: ``user:17``, for example.
        used_seconds: Seconds used or reserved at ``counted_at``; they are given back as time passes.
        counted_at: When they were counted.
    """

    name = models.CharField(max_length=limits.PAYER_LENGTH, unique=True)
    used_seconds = models.FloatField(default=0.0)
    counted_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="runner_payer_used_not_negative", condition=Q(used_seconds__gte=0)),
        ]

    def __str__(self) -> str:
        return self.name


class Demand(models.Model):
    """A payer's wish for a verification that has not ended. Several payers may wish for the same one.

    Its id is its place in the payer's line. It is deleted when the verification ends.

    Attributes:
        waiting: Whether the verification is queued; a copy, as are the class and ``available_at``, so that
            one index finds whose turn it is.
        started_at: When the present lease began; None while it waits.
        seconds: The expected duration, which was reserved.
    """

    verification = models.ForeignKey(Verification, on_delete=models.CASCADE, related_name="demands")
    payer = models.ForeignKey(Payer, on_delete=models.PROTECT, related_name="demands")
    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    created_at = models.DateTimeField()
    waiting = models.BooleanField(default=True)
    available_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    seconds = models.FloatField(default=0.0)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["verification", "payer"], name="runner_demand_once"),
        ]
        indexes: ClassVar = [
            models.Index(
                name="runner_demand_line",
                fields=["hardware_class", "payer", "id"],
                include=["available_at", "seconds"],
                condition=Q(waiting=True),
            ),
            models.Index(
                name="runner_demand_running",
                fields=["hardware_class", "payer"],
                condition=Q(waiting=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer_id}: {self.verification_id}"


class Turn(models.Model):
    """When a payer's work was last leased by a worker of a hardware class."""

    hardware_class = models.CharField(max_length=limits.HARDWARE_CLASS_LENGTH)
    payer = models.ForeignKey(Payer, on_delete=models.CASCADE, related_name="turns")
    taken_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["payer", "hardware_class"], name="runner_turn_once"),
        ]

    def __str__(self) -> str:
        return f"{self.payer_id} ({self.hardware_class})"
