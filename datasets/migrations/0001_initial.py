"""Datasets, their versions and benchmarks."""

import django.core.validators
from django.db import migrations, models
from django.db.models import Q, functions


_ID = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
_IS_SHA256 = django.core.validators.RegexValidator(
    "\\A[0-9a-f]{64}\\Z", "A sha256 has 64 lower-case hexadecimal digits."
)


def _key(to, related_name="+", *, on_delete=models.PROTECT, **options):
    return models.ForeignKey(to=to, related_name=related_name, on_delete=on_delete, **options)


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Dataset",
            fields=[
                _ID,
                ("name", models.SlugField(max_length=80, unique=True)),
                ("title", models.CharField(max_length=200)),
            ],
            options={
                "verbose_name": "family of datasets",
                "verbose_name_plural": "families of datasets",
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="Blob",
            fields=[
                (
                    "sha256",
                    models.CharField(
                        max_length=64, primary_key=True, serialize=False, validators=[_IS_SHA256]
                    ),
                ),
                ("size_bytes", models.PositiveBigIntegerField()),
                ("media_type", models.CharField(max_length=100)),
                ("storage_key", models.CharField(max_length=200, unique=True)),
            ],
            options={"verbose_name": "stored file"},
        ),
        migrations.CreateModel(
            name="DatasetVersion",
            fields=[
                _ID,
                ("version", models.PositiveIntegerField()),
                ("name", models.SlugField(max_length=100, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("licence", models.CharField(max_length=100)),
                ("manifest", models.JSONField()),
                ("manifest_sha256", models.CharField(max_length=64, validators=[_IS_SHA256])),
                ("frozen", models.BooleanField(default=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("dataset", _key("datasets.dataset", "versions")),
                ("archive_blob", _key("datasets.blob", null=True)),
                ("benchmark_count", models.PositiveIntegerField(default=0)),
                ("deprecated", models.TextField(blank=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[("stored", "stored"), ("parametric", "parametric")],
                        default="stored",
                        max_length=12,
                    ),
                ),
                ("manifest_blob", _key("datasets.blob", null=True)),
                ("member_count", models.PositiveBigIntegerField(default=0)),
                ("parameter_max", models.PositiveBigIntegerField(null=True)),
                ("parameter_min", models.PositiveBigIntegerField(null=True)),
                ("released", models.DateField(null=True)),
                ("size_bytes", models.PositiveBigIntegerField(default=0)),
                ("statistics", models.JSONField(default=dict)),
                ("successor", models.SlugField(blank=True, max_length=100)),
                ("folder_deprecation", models.TextField(blank=True, db_default="", default="")),
            ],
            options={
                "verbose_name": "dataset",
                "ordering": ("name",),
                "constraints": [
                    models.UniqueConstraint(fields=("dataset", "version"), name="datasets_version_unique")
                ],
            },
        ),
        migrations.CreateModel(
            name="Benchmark",
            fields=[
                _ID,
                ("position", models.PositiveIntegerField()),
                ("uri", models.CharField(max_length=250, unique=True)),
                ("name", models.CharField(max_length=150)),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("domain", models.CharField(blank=True, max_length=60)),
                ("language", models.CharField(blank=True, max_length=40)),
                ("licence", models.CharField(max_length=100)),
                (
                    "kind",
                    models.CharField(
                        choices=[("stored", "stored"), ("parametric", "parametric")], max_length=12
                    ),
                ),
                ("sha256", models.CharField(max_length=64, validators=[_IS_SHA256])),
                ("size_bytes", models.PositiveBigIntegerField(default=0)),
                ("parameter_min", models.PositiveBigIntegerField(null=True)),
                ("parameter_max", models.PositiveBigIntegerField(null=True)),
                ("run_seconds", models.FloatField(null=True)),
                ("source", models.JSONField(default=dict)),
                ("blob", _key("datasets.blob", "benchmarks", null=True)),
                ("version", _key("datasets.datasetversion", "benchmarks")),
                ("split", models.CharField(blank=True, max_length=20)),
                ("tags", models.JSONField(default=list)),
                (
                    "search",
                    models.GeneratedField(
                        db_persist=True,
                        expression=functions.Lower(functions.Concat("name", models.Value("\n"), "title")),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "workloads_sha256",
                    models.CharField(
                        blank=True, db_default="", default="", max_length=64, validators=[_IS_SHA256]
                    ),
                ),
            ],
            options={
                "ordering": ("version", "position"),
                "indexes": [
                    models.Index(fields=["version", "domain", "position"], name="datasets_benchmark_domain"),
                    models.Index(fields=["version", "split", "position"], name="datasets_benchmark_split"),
                    models.Index(
                        fields=["version", "licence", "position"], name="datasets_benchmark_licence"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("version", "name"), name="datasets_benchmark_name_unique"
                    ),
                    models.UniqueConstraint(
                        fields=("version", "position"), name="datasets_benchmark_position_unique"
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            blob__isnull=False,
                            kind="stored",
                            parameter_max__isnull=True,
                            parameter_min__isnull=True,
                        )
                        | Q(
                            blob__isnull=True, kind="parametric", parameter_max__gte=models.F("parameter_min")
                        ),
                        name="datasets_benchmark_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Baseline",
            fields=[
                _ID,
                ("metric", models.CharField(max_length=60)),
                ("level", models.CharField(max_length=20)),
                ("value", models.FloatField()),
                ("benchmark", _key("datasets.benchmark", "baselines", on_delete=models.CASCADE)),
            ],
            options={
                "ordering": ("benchmark", "metric", "level"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("benchmark", "metric", "level"), name="datasets_baseline_unique"
                    ),
                    models.CheckConstraint(condition=Q(value__gt=0), name="datasets_baseline_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Workload",
            fields=[
                _ID,
                ("name", models.CharField(max_length=80)),
                ("position", models.PositiveSmallIntegerField()),
                ("args", models.JSONField(default=list)),
                ("stdin", models.TextField(blank=True)),
                ("expected_stdout", models.TextField(blank=True)),
                ("exit_code", models.SmallIntegerField(default=0)),
                ("files", models.JSONField(default=dict)),
                ("benchmark", _key("datasets.benchmark", "workloads", on_delete=models.CASCADE)),
            ],
            options={
                "ordering": ("benchmark", "position"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("benchmark", "name"), name="datasets_workload_name_unique"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Preview",
            fields=[
                _ID,
                ("ir_head", models.TextField()),
                ("ir_lines", models.PositiveIntegerField()),
                ("features", models.JSONField(default=dict)),
                (
                    "benchmark",
                    models.OneToOneField(
                        on_delete=models.CASCADE, related_name="preview", to="datasets.benchmark"
                    ),
                ),
            ],
        ),
    ]
