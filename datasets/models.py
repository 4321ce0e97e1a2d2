"""Rows that describe datasets.

Programs themselves are blobs in storage, named by their sha256. A frozen dataset version never changes again,
so that results stay comparable for years.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Concat, Lower
from django.urls import reverse
from django.utils.functional import cached_property

from optarena import limits
from optarena.datasets.manifest import SPLITS
from optarena.specs.benchmark import GENERATOR_SCHEME

if TYPE_CHECKING:
    from django_stubs_ext.db.models.manager import RelatedManager

_sha256 = RegexValidator(r"\A[0-9a-f]{64}\Z", "A sha256 has 64 lower-case hexadecimal digits.")


class Dataset(models.Model):
    # A family of dataset versions, such as `kernels`.
    name = models.SlugField(max_length=limits.STORED_FAMILY_LENGTH, unique=True)
    title = models.CharField(max_length=limits.DATASET_TITLE_LENGTH)

    versions: RelatedManager[DatasetVersion]

    class Meta:
        verbose_name = "family of datasets"
        verbose_name_plural = "families of datasets"
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class StorageKind(models.TextChoices):
    STORED = "stored", "stored"
    PARAMETRIC = "parametric", "parametric"


class DatasetVersion(models.Model):
    # One version of a dataset, such as `kernels-v0`, which boards and URIs name. The figures of all
    # benchmarks together are written once, when the version is loaded: `kind` to `parameter_max`, and
    # `statistics` (see `services`). `manifest` is the manifest without its benchmarks; its exact bytes are
    # `manifest_blob`. `folder_deprecation` is the `deprecation` that its folder asked for when it was loaded
    # last, whatever an operator has decided.
    dataset = models.ForeignKey(Dataset, on_delete=models.PROTECT, related_name="versions")
    version = models.PositiveIntegerField()
    name = models.SlugField(max_length=limits.DATASET_NAME_LENGTH, unique=True)
    title = models.CharField(max_length=limits.DATASET_TITLE_LENGTH)
    description = models.TextField(blank=True)
    licence = models.CharField(max_length=limits.LICENCE_LENGTH)
    manifest = models.JSONField()
    manifest_sha256 = models.CharField(max_length=limits.SHA256_LENGTH, validators=[_sha256])
    manifest_blob = models.ForeignKey("Blob", on_delete=models.PROTECT, null=True, related_name="+")
    archive_blob = models.ForeignKey("Blob", on_delete=models.PROTECT, null=True, related_name="+")
    frozen = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    released = models.DateField(null=True)
    deprecated = models.TextField(blank=True)
    successor = models.SlugField(max_length=limits.DATASET_NAME_LENGTH, blank=True)
    folder_deprecation = models.TextField(default="", db_default="", blank=True)
    kind = models.CharField(
        max_length=limits.KIND_LENGTH, choices=StorageKind.choices, default=StorageKind.STORED
    )
    benchmark_count = models.PositiveIntegerField(default=0)
    member_count = models.PositiveBigIntegerField(default=0)
    size_bytes = models.PositiveBigIntegerField(default=0)
    parameter_min = models.PositiveBigIntegerField(null=True)
    parameter_max = models.PositiveBigIntegerField(null=True)
    statistics = models.JSONField(default=dict)

    benchmarks: RelatedManager[Benchmark]

    class Meta:
        verbose_name = "dataset"
        ordering = ("name",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["dataset", "version"], name="datasets_version_unique")
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("datasets:dataset", args=[self.name])

    @property
    def split_counts(self) -> list[tuple[str, int]]:
        counts = self.statistics.get("splits", {})
        return [(split, counts[split]) for split in SPLITS if split in counts]

    @property
    def licence_of_programs(self) -> str:
        # It may differ from the dataset's own, which is shown if those of the programs differ.
        found = list(self.statistics.get("licences", {}))
        return found[0] if len(found) == 1 else self.licence

    @cached_property
    def successor_url(self) -> str:
        # Empty if there is none, or it is not loaded.
        found = DatasetVersion.objects.filter(name=self.successor).first() if self.successor else None
        return "" if found is None else found.get_absolute_url()

    @property
    def deprecation(self) -> str:
        successor = f" Use {self.successor} instead." if self.deprecated and self.successor else ""
        return f"{self.deprecated}{successor}"


class Blob(models.Model):
    # Named by their own hash and therefore never rewritten.
    sha256 = models.CharField(max_length=limits.SHA256_LENGTH, primary_key=True, validators=[_sha256])
    size_bytes = models.PositiveBigIntegerField()
    media_type = models.CharField(max_length=limits.MEDIA_TYPE_LENGTH)
    storage_key = models.CharField(max_length=limits.STORAGE_KEY_LENGTH, unique=True)

    class Meta:
        verbose_name = "stored file"

    def __str__(self) -> str:
        return self.sha256[:12]


class Benchmark(models.Model):
    # A *stored* benchmark has a blob. A *parametric* one stands for every member of a range: its URI ends in
    # `{n}`, and `parameter_min` to `parameter_max` may stand there. `workloads_sha256` is empty for a range
    # whose members are generated, since each has its own workloads.
    Kind = StorageKind

    version = models.ForeignKey(DatasetVersion, on_delete=models.PROTECT, related_name="benchmarks")
    position = models.PositiveIntegerField()
    uri = models.CharField(max_length=limits.URI_LENGTH, unique=True)
    name = models.CharField(max_length=limits.BENCHMARK_NAME_LENGTH)
    title = models.CharField(max_length=limits.BENCHMARK_TITLE_LENGTH)
    description = models.TextField(blank=True)
    domain = models.CharField(max_length=limits.DOMAIN_LENGTH, blank=True)
    language = models.CharField(max_length=limits.LANGUAGE_LENGTH, blank=True)
    licence = models.CharField(max_length=limits.LICENCE_LENGTH)
    kind = models.CharField(max_length=limits.KIND_LENGTH, choices=StorageKind.choices)
    sha256 = models.CharField(max_length=limits.SHA256_LENGTH, validators=[_sha256])
    size_bytes = models.PositiveBigIntegerField(default=0)
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, null=True, related_name="benchmarks")
    parameter_min = models.PositiveBigIntegerField(null=True)
    parameter_max = models.PositiveBigIntegerField(null=True)
    run_seconds = models.FloatField(null=True)
    source = models.JSONField(default=dict)
    split = models.CharField(max_length=limits.SPLIT_LENGTH, blank=True)
    tags = models.JSONField(default=list)
    workloads_sha256 = models.CharField(
        max_length=limits.SHA256_LENGTH, default="", db_default="", blank=True, validators=[_sha256]
    )
    # Lower-case text for searches, so that they need not convert every row.
    search = models.GeneratedField(
        expression=Lower(Concat("name", Value("\n"), "title")),
        output_field=models.TextField(),
        db_persist=True,
    )

    baselines: RelatedManager[Baseline]
    workloads: RelatedManager[Workload]
    preview: Preview

    class Meta:
        ordering = ("version", "position")
        indexes: ClassVar = [
            models.Index(fields=["version", field, "position"], name=f"datasets_benchmark_{field}")
            for field in ("domain", "split", "licence")
        ]
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
        return reverse("datasets:benchmark", args=[self.version.name, self.name])

    @property
    def is_generated(self) -> bool:
        # The bytes of such members are known only once the generator has run.
        return self.uri.startswith(f"{GENERATOR_SCHEME}://")


class Baseline(models.Model):
    # A value at one of the compiler's own levels; O0 is the program as given.
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="baselines")
    metric = models.CharField(max_length=limits.METRIC_NAME_LENGTH)
    level = models.CharField(max_length=limits.BASELINE_LEVEL_LENGTH)
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
        return int(self.value) if self.value.is_integer() else self.value


class Workload(models.Model):
    # Every optimised form must repeat the output and the exit code.
    benchmark = models.ForeignKey(Benchmark, on_delete=models.CASCADE, related_name="workloads")
    name = models.CharField(max_length=limits.WORKLOAD_NAME_LENGTH)
    position = models.PositiveSmallIntegerField()
    args = models.JSONField(default=list)
    stdin = models.TextField(blank=True)
    expected_stdout = models.TextField(blank=True)
    exit_code = models.SmallIntegerField(default=0)
    files = models.JSONField(default=dict)  # content in base 64, by path

    class Meta:
        ordering = ("benchmark", "position")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["benchmark", "name"], name="datasets_workload_name_unique")
        ]

    def __str__(self) -> str:
        return self.name


class Preview(models.Model):
    # Computed when its dataset is loaded. `features` has the counts of each observation: name to number.
    benchmark = models.OneToOneField(Benchmark, on_delete=models.CASCADE, related_name="preview")
    ir_head = models.TextField()
    ir_lines = models.PositiveIntegerField()
    features = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.ir_lines} lines"
