"""Rows that describe datasets. Programs themselves are blobs in storage, named by their sha256.

A frozen dataset version never changes again: results are compared across years by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

_sha256 = RegexValidator(r"\A[0-9a-f]{64}\Z", "A sha256 has 64 lower-case hexadecimal digits.")


class Dataset(models.Model):
    """A family of dataset versions, such as ``kernels``."""

    name = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)

    versions: RelatedManager[DatasetVersion]

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class DatasetVersion(models.Model):
    """One version of a dataset, such as ``kernels-v0``: what boards and URIs name."""

    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    name = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=100)
    manifest = models.JSONField()
    manifest_sha256 = models.CharField(max_length=64, validators=[_sha256])
    frozen = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    benchmarks: RelatedManager[Benchmark]

    class Meta:
        ordering = ("name",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dataset", "version"], name="datasets_version_unique"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """The dataset's page."""
        return reverse("datasets:dataset", args=[self.name])


class Blob(models.Model):
    """Bytes in blob storage, named by their own hash and therefore never rewritten."""

    sha256 = models.CharField(max_length=64, primary_key=True, validators=[_sha256])
    size_bytes = models.PositiveBigIntegerField()
    media_type = models.CharField(max_length=100)
    storage_key = models.CharField(max_length=200, unique=True)

    def __str__(self) -> str:
        return self.sha256[:12]


class Benchmark(models.Model):
    """One program, or one range of computed programs.

    A *stored* benchmark has a blob. A *parametric* one stands for every member of a range: its URI ends
    in ``{n}``, and ``parameter_min`` to ``parameter_max`` may stand there.
    """

    class Kind(models.TextChoices):
        """Where the program comes from."""

        STORED = "stored", "stored"
        PARAMETRIC = "parametric", "parametric"

    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="benchmarks")
    position = models.PositiveIntegerField()
    uri = models.CharField(max_length=250, unique=True)
    name = models.CharField(max_length=150)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    domain = models.CharField(max_length=60, blank=True)
    language = models.CharField(max_length=40, blank=True)
    licence = models.CharField(max_length=100)
    kind = models.CharField(max_length=12, choices=Kind.choices)
    sha256 = models.CharField(max_length=64, validators=[_sha256])
    size_bytes = models.PositiveBigIntegerField(default=0)
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, related_name="benchmarks")
    parameter_min = models.PositiveBigIntegerField(null=True)
    parameter_max = models.PositiveBigIntegerField(null=True)
    run_seconds = models.FloatField(null=True)
    source = models.JSONField(default=dict)

    baselines: RelatedManager[Baseline]
    workloads: RelatedManager[Workload]

    class Meta:
        ordering = ("version", "position")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "name"], name="datasets_benchmark_name_unique"),
            models.UniqueConstraint(
                fields=["version", "position"], name="datasets_benchmark_position_unique"
            ),
            models.CheckConstraint(
                name="datasets_benchmark_kind",
                condition=Q(
                    kind="stored", blob__isnull=False, parameter_min__isnull=True, parameter_max__isnull=True
                )
                | Q(kind="parametric", blob__isnull=True, parameter_max__gte=F("parameter_min")),
            ),
        ]

    def __str__(self) -> str:
        return self.uri

    def get_absolute_url(self) -> str:
        """The benchmark's page."""
        return reverse("datasets:benchmark", args=[self.version.name, self.name])


class Baseline(models.Model):
    """What the compiler makes of a benchmark at one of its own levels; O0 is the program as given."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="baselines")
    metric = models.CharField(max_length=60)
    level = models.CharField(max_length=20)
    value = models.FloatField()

    class Meta:
        ordering = ("benchmark", "metric", "level")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["benchmark", "metric", "level"], name="datasets_baseline_unique"),
            models.CheckConstraint(name="datasets_baseline_positive", condition=Q(value__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.level} {self.number}"

    @property
    def number(self) -> int | float:
        """The value, as an integer where it is one."""
        return int(self.value) if self.value.is_integer() else self.value


class Workload(models.Model):
    """One run of the program, with the output and exit code that every optimised form must repeat."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="workloads")
    name = models.CharField(max_length=80)
    position = models.PositiveSmallIntegerField()
    args = models.JSONField(default=list)
    stdin = models.TextField(blank=True)
    expected_stdout = models.TextField(blank=True)
    exit_code = models.SmallIntegerField(default=0)

    class Meta:
        ordering = ("benchmark", "position")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["benchmark", "name"], name="datasets_workload_name_unique"),
        ]

    def __str__(self) -> str:
        return self.name
