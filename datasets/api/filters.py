"""What lists can be narrowed by. A value that nothing has is a problem that names those that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import django_filters
from drf_spectacular.utils import extend_schema_field

from datasets import selectors
from datasets.models import Benchmark, DatasetVersion, StorageKind
from optarena import limits
from optarena.errors import InvalidDocument, Problem
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

_TEXT: Final = {"type": "string"}
_LISTED: Final = 20
_PAGING: Final = ("cursor", "page_size")
"""What the pages of every list take."""


@extend_schema_field(_TEXT)
class FacetFilter(django_filters.ChoiceFilter):  # type: ignore[misc] # django-filter ships no types
    """A text that some benchmark of the dataset has."""


class StrictFilter(django_filters.FilterSet):  # type: ignore[misc] # django-filter ships no types
    """Refuses parameters that no list of this kind has: a misspelt filter would show everything."""

    def is_valid(self) -> bool:
        """Whether the values can be used.

        Raises:
            InvalidDocument: A parameter is unknown.
        """
        known = (*self.filters, *_PAGING)
        problems = [_unknown(name, value, known) for name, value in self.data.items() if name not in known]
        if problems:
            raise InvalidDocument(problems)
        return bool(super().is_valid())


def _unknown(name: str, value: str, known: Sequence[str]) -> Problem:
    error = unknown_name("parameter", name, known)
    return Problem.of(error, field=name[:100], value=value[:100])


class DatasetFilter(StrictFilter):
    """Hides deprecated versions unless they are asked for."""

    deprecated = django_filters.ChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        error_messages={"invalid_choice": "It is neither `true` nor `false`."},
        help_text="`true` lists deprecated versions as well",
    )

    class Meta:
        model = DatasetVersion
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[DatasetVersion]) -> QuerySet[DatasetVersion]:
        """All versions, or those that are not deprecated, also where nothing is asked."""
        asked = self.form.cleaned_data["deprecated"] == "true"
        return queryset if asked else queryset.filter(deprecated="")


class BenchmarkFilter(StrictFilter):
    """Benchmarks of one version by what they are."""

    domain = FacetFilter(help_text="What the program does")
    language = FacetFilter(help_text="What it is written in")
    licence = FacetFilter(help_text="Its SPDX identifier")
    split = FacetFilter(help_text="`train`, `validation` or `test`, where the dataset is split")
    kind = django_filters.ChoiceFilter(
        choices=StorageKind.choices,
        error_messages={"invalid_choice": f"There are these kinds: {', '.join(StorageKind.values)}."},
    )
    search = django_filters.CharFilter(
        method="find", max_length=limits.SEARCH_LENGTH, help_text="A part of the name or title, in any case"
    )

    class Meta:
        model = Benchmark
        fields: tuple[str, ...] = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - django-filter's own
        super().__init__(*args, **kwargs)
        version: DatasetVersion | None = getattr(self.request, "dataset_version", None)
        if version is None:  # the API's document is made without one
            return
        for field, values in selectors.facets_of(version).items():
            chosen = self.filters[field]
            chosen.extra["choices"] = [(value, value) for value in values]
            known = ", ".join(list(values)[:_LISTED]) or "none"
            chosen.extra["error_messages"] = {
                "invalid_choice": f"No benchmark of {version.name} has this {field}; there are: {known}."
            }

    def find(self, rows: QuerySet[Benchmark], _name: str, value: str) -> QuerySet[Benchmark]:
        """Those whose name or title has the text."""
        return selectors.matching(rows, selectors.BenchmarkCriteria(search=value))
