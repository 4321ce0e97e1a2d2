"""The rows of boards."""

from __future__ import annotations

from typing import ClassVar, Final

from django.db import models
from django.db.models import Q
from django.urls import reverse

from datasets.models import Benchmark
from leaderboard.boards.ranking import PROVISIONAL_NOTICE
from optarena import limits
from optarena.specs.benchmark import BenchmarkUri

# Its value stands for a benchmark that is not verified.
UNOPTIMISED_LEVEL: Final = "O0"


def benchmark_name(benchmark: Benchmark, uri: str) -> str:
    # A member of a range has no row of its own.
    if benchmark.kind == Benchmark.Kind.STORED:
        return benchmark.name
    return BenchmarkUri.parse(uri).path


class Board(models.Model):
    """A leaderboard: one dataset version, one environment version, one metric, and a reference.

    The reference is a level recorded in the dataset's manifest, or another metric of the same replay.
    ``benchmarks`` lists the URIs that the board compares; empty means all stored benchmarks of the dataset.
    """

    class State(models.TextChoices):
        OPEN = "open"
        FROZEN = "frozen"

    slug = models.SlugField(max_length=limits.STORED_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=limits.BOARD_TITLE_LENGTH)
    description = models.TextField(blank=True)
    dataset_version = models.ForeignKey(
        "datasets.DatasetVersion", on_delete=models.PROTECT, related_name="boards"
    )
    environment_version = models.ForeignKey(
        "runner.EnvironmentVersion", on_delete=models.PROTECT, related_name="boards"
    )
    metric = models.CharField(max_length=limits.BOARD_METRIC_LENGTH)
    baseline_level = models.CharField(max_length=limits.LEVEL_NAME_LENGTH, default="Oz", blank=True)
    reference_metric = models.CharField(
        max_length=limits.BOARD_METRIC_LENGTH, default="", db_default="", blank=True
    )
    benchmarks = models.JSONField(default=list, db_default=[], blank=True)
    device = models.CharField(max_length=limits.DEVICE_LENGTH, default="cpu", db_default="cpu")
    exact = models.BooleanField(default=True)
    provisional = models.BooleanField(default=False, db_default=False)
    # Why it was closed for good.
    withdrawn = models.TextField(default="", db_default="", blank=True)
    plausible_ratio = models.FloatField(default=1.5)
    # Sequences may be read by everybody so long after their verification.
    open_after_days = models.PositiveSmallIntegerField(default=30, db_default=30)
    state = models.CharField(max_length=limits.BOARD_STATE_LENGTH, choices=State.choices, default=State.OPEN)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("slug",)
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(Q(baseline_level="") & ~Q(reference_metric=""))
                | (~Q(baseline_level="") & Q(reference_metric="")),
                name="board_compares_with_one_thing",
            )
        ]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("leaderboard:board", args=[self.slug])

    @property
    def provisional_notice(self) -> str:
        return PROVISIONAL_NOTICE if self.provisional else ""

    @property
    def unranked(self) -> str:
        # Why no entry has a rank: how a sentence about the board ends.
        return f"withdrawn: {self.withdrawn}" if self.withdrawn else self.provisional_notice
