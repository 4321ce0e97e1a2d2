"""Reads of dataset versions and of their blobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Count, Q, Subquery
from django.db.models.fields.json import KeyTransform

from datasets.models import Benchmark, Blob, DatasetVersion
from optarena.datasets.parametric import MEMBER

if TYPE_CHECKING:
    from django.db.models import QuerySet

FACETS: Final = {"domain": "domains", "language": "languages", "licence": "licences", "split": "splits"}
"""The facets of benchmarks, and their keys in a version's statistics."""


def dataset_versions() -> QuerySet[DatasetVersion]:
    """All dataset versions by name, deprecated ones among them.

    ``licence_counts`` of each has the licences of its programs; None where they are computed.
    """
    counts = KeyTransform("licences", "statistics")
    return DatasetVersion.objects.annotate(licence_counts=counts).order_by("name")


def find_dataset_version(name: str) -> DatasetVersion | None:
    """The dataset version of this name; None if there is none."""
    return dataset_versions().filter(name=name).first()


def get_dataset_version(name: str) -> DatasetVersion:
    """The dataset version of this name.

    Raises:
        DatasetVersion.DoesNotExist: There is none.
    """
    return dataset_versions().get(name=name)


def first_uri(dataset: str) -> str:
    """The URI of the first benchmark of a dataset; empty if the dataset is not loaded."""
    # A subquery, and not a join: the first row is read by an index, where a join would sort all.
    version = DatasetVersion.objects.filter(name=dataset).values("pk")[:1]
    rows = Benchmark.objects.filter(version=Subquery(version)).only("uri", "parameter_min")
    first = rows.order_by("position").first()
    return "" if first is None else first.uri.replace(MEMBER, str(first.parameter_min))


def first_media_type(version: DatasetVersion) -> str:
    """The media type of a version's first stored program; empty if there is none."""
    rows = version.benchmarks.filter(blob__isnull=False).order_by("position")
    return rows.values_list("blob__media_type", flat=True).first() or ""


def facets_of(version: DatasetVersion) -> dict[str, dict[str, int]]:
    """The facets of a version's benchmarks: the number of benchmarks by field and value.

    Costs no query where the version has statistics. Ranges have none, and do not need any with one row.
    """
    found = {
        field: version.statistics.get(plural) or _counted(version, field) for field, plural in FACETS.items()
    }
    return {field: dict(sorted(values.items())) for field, values in found.items()}


def _counted(version: DatasetVersion, field: str) -> dict[str, int]:
    if version.statistics:
        return {}
    rows = version.benchmarks.exclude(**{field: ""}).order_by().values_list(field)
    return dict(rows.annotate(count=Count("pk")))


def all_blobs() -> QuerySet[Blob]:
    """Every blob by its hash."""
    return Blob.objects.order_by("sha256")


def datasets_of(blob: Blob) -> list[str]:
    """The names of the dataset versions that a blob belongs to."""
    uses = Q(benchmarks__blob=blob) | Q(manifest_blob=blob) | Q(archive_blob=blob)
    return list(
        DatasetVersion.objects.filter(uses).order_by("name").values_list("name", flat=True).distinct()
    )
