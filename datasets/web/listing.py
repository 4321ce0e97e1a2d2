"""The table of a dataset's benchmarks: the filter, the page, and links to the other pages."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import urlencode

from datasets import selectors
from datasets.selectors import BenchmarkCriteria
from optarena import limits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from datasets.models import Benchmark, DatasetVersion
    from datasets.selectors import Neighbours

PER_PAGE: Final = 40
MOST_COUNTED: Final = 1_000
"""Matches are counted up to this number: a search may match a hundred thousand rows."""
ANCHOR: Final = "benchmarks"
_POSITION: Final = re.compile(r"[0-9]{1,9}")
_LABELS: Final = {"domain": "Domain", "language": "Language", "licence": "Licence", "split": "Split"}


@dataclass(frozen=True, slots=True)
class Facet:
    """One filter of benchmarks: its values with their counts, and the chosen one."""

    field: str
    label: str
    values: tuple[tuple[str, int], ...]
    chosen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of a dataset's benchmarks.

    Attributes:
        rows: The benchmarks.
        choice: The requested filter.
        facets: The possible filters.
        summary: The range of these rows and the total, as text.
        previous_url: Address of the previous page, or empty.
        next_url: Address of the next page, or empty.
        first_url: Address of the first page if the requested one does not exist; else empty.
        can_search: Whether they are many enough to choose from.
        search_length: The longest allowed search.
    """

    search_length: ClassVar[int] = limits.SEARCH_LENGTH

    rows: Sequence[Benchmark]
    choice: BenchmarkCriteria
    facets: tuple[Facet, ...]
    summary: str = ""
    previous_url: str = ""
    next_url: str = ""
    first_url: str = ""
    can_search: bool = False


def listing(request: HttpRequest, version: DatasetVersion) -> Listing:
    """The page of benchmarks for a request."""
    fields = (*_LABELS, "search")
    choice = BenchmarkCriteria(
        **{name: request.GET.get(name, "").strip()[: limits.SEARCH_LENGTH] for name in fields}
    )
    # Long, and not useful in a list.
    rows = selectors.benchmarks_of(version).defer("source", "description")
    chosen = selectors.matching(rows, choice)
    after, before = _position(request, "after"), _position(request, "before")
    page = selectors.neighbours(chosen, size=PER_PAGE, after=after, before=before)
    is_outside = not page.rows and (page.before or page.after)
    facets = selectors.facets_of(version)
    return Listing(
        rows=page.rows,
        choice=choice,
        facets=_facets(facets, choice),
        summary=_summary(version, choice, page, facets),
        previous_url=_url(choice, before=page.rows[0].position) if page.before and page.rows else "",
        next_url=_url(choice, after=page.rows[-1].position) if page.after and page.rows else "",
        first_url=_url(choice) if is_outside else "",
        can_search=version.benchmark_count > PER_PAGE // 4 or bool(choice),
    )


def _position(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if _POSITION.fullmatch(text) else None


def _facets(found: dict[str, dict[str, int]], choice: BenchmarkCriteria) -> tuple[Facet, ...]:
    return tuple(
        Facet(name, label, _values(found[name], getattr(choice, name)), getattr(choice, name))
        for name, label in _LABELS.items()
        if len(found[name]) > 1 or getattr(choice, name)
    )


def _values(found: dict[str, int], chosen: str) -> tuple[tuple[str, int], ...]:
    """The values of a facet and the chosen one, which no benchmark need have."""
    return tuple(({chosen: 0} | found if chosen and chosen not in found else found).items())


def _summary(
    version: DatasetVersion, choice: BenchmarkCriteria, page: Neighbours, facets: dict[str, dict[str, int]]
) -> str:
    total, rows = f"{version.benchmark_count:,}", page.rows
    if not choice:
        return f"{rows[0].position + 1:,} to {rows[-1].position + 1:,} of {total}" if rows else ""
    asked = {name: text for name, text in asdict(choice).items() if text}
    name, text = next(iter(asked.items()))
    if len(asked) == 1 and name in facets:
        return f"{facets[name].get(text, 0):,} of {total}"
    if not page.before and not page.after:
        return f"{len(rows):,} of {total}"
    matches = selectors.matching(version.benchmarks.all(), choice)
    count = selectors.count_up_to(matches, MOST_COUNTED + 1)
    return f"{'more than ' if count > MOST_COUNTED else ''}{min(count, MOST_COUNTED):,} of {total}"


def _url(choice: BenchmarkCriteria, **page: int) -> str:
    asked = {name: text for name, text in asdict(choice).items() if text}
    return f"?{urlencode({**asked, **page})}#{ANCHOR}"
