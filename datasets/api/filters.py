"""Filters of lists. A value that no row has is a problem that names the existing values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import django_filters
from drf_spectacular.utils import extend_schema_field

from datasets import selectors
from datasets.models import Benchmark, DatasetVersion, StorageKind
from optarena import limits

if TYPE_CHECKING:
    from django.db.models import QuerySet

_TEXT: Final = {"type": "string"}
_LISTED: Final = 20


@extend_schema_field(_TEXT)
class FacetFilter(django_filters.ChoiceFilter):  # type: ignore[misc] # django-filter ships no types
    """A text that some benchmark of the dataset has."""


class DatasetFilter(django_filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    """Hides deprecated versions unless they are requested."""

    deprecated = django_filters.ChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        error_messages={"invalid_choice": "The value is neither `true` nor `false`."},
        help_text="`true` lists deprecated versions as well",
    )

    class Meta:
        model = DatasetVersion
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[DatasetVersion]) -> QuerySet[DatasetVersion]:
        """All versions, or by default those that are not deprecated."""
        asked = self.form.cleaned_data["deprecated"] == "true"
        return queryset if asked else queryset.filter(deprecated="")


class BenchmarkFilter(django_filters.FilterSet):  # type: ignore[misc] # as above
    """Benchmarks of one version by their properties."""

    domain = FacetFilter(help_text="The program's domain")
    language = FacetFilter(help_text="The program's language")
    licence = FacetFilter(help_text="The SPDX identifier of the program's licence")
    split = FacetFilter(help_text="`train`, `validation` or `test`, where the dataset is split")
    kind = django_filters.ChoiceFilter(
        choices=StorageKind.choices,
        error_messages={"invalid_choice": f"The kinds are: {', '.join(StorageKind.values)}."},
    )
    search = django_filters.CharFilter(
        method="find",
        max_length=limits.SEARCH_LENGTH,
        help_text="Part of the name or title, in upper or lower case",
    )

    class Meta:
        model = Benchmark
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - django-filter's own
        super().__init__(*args, **kwargs)
        version: DatasetVersion | None = getattr(self.request, "dataset_version", None)
        if version is None:  # the OpenAPI document is generated without one
            return
        for field, values in selectors.facets_of(version).items():
            chosen = self.filters[field]
            chosen.extra["choices"] = [(value, value) for value in values]
            known = ", ".join(list(values)[:_LISTED]) or "none"
            chosen.extra["error_messages"] = {
                "invalid_choice": f"No benchmark of {version.name} has this {field}. Use one of: {known}."
            }

    def find(self, rows: QuerySet[Benchmark], _name: str, value: str) -> QuerySet[Benchmark]:
        """The rows whose name or title contains the text."""
        return selectors.matching(rows, selectors.BenchmarkCriteria(search=value))
