"""Which rows of a board are asked for, in which order, and of when: the same for page, API and CSV."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F, FloatField, OuterRef, Q, Subquery, Sum
from django.db.models.functions import Coalesce, Lower

from leaderboard.common.queries import flag
from leaderboard.effort import EFFORT_CLASSES, UNREPORTED
from leaderboard.models import BestResult
from leaderboard.ordering import BOARD_ORDER
from leaderboard.selectors.filters import unknown_filters
from optarena import limits
from optarena.documents.places import shown
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import unknown_name
from runner.clock import database_now

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django.db.models import Expression, QuerySet

    from leaderboard.models import Standing

CHOICES: Final = ("all", "effort", "trained", "owner", "text", "sort", "as_of")
"""The query parameters, of which each is optional."""
_EFFORTS: Final = (*(one.slug for one in EFFORT_CLASSES), UNREPORTED)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_CONTRIBUTION: Final = "contribution"
_COLUMNS: Final[dict[str, Expression | F]] = {
    "agent": Lower("submission__agent"),
    "owner": Lower("submission__owner__username"),
    "score": F("score"),
    "mean_improvement": F("mean_improvement"),
    "verified": F("verified"),
    "own_items": F("verified") - F("copied"),
    "effort": F("submission__compilations"),
    "walltime_seconds": F("submission__walltime_seconds"),
    "effective_actions": F("effective_actions"),
    "created": F("submitted_at"),
}
SORTABLE: Final = ("rank", *_COLUMNS, _CONTRIBUTION)
"""The columns by which a board can be sorted; without a choice it is in the order of ranks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChoice:
    """The rows of a board that are asked for.

    Attributes:
        every_entry: Every entry, and not only the best of each agent.
        effort: A class of effort, or ``unreported``; empty for all.
        trained: Whether the agents saw the programs in training; None for both.
        owner: A user name; empty for all.
        text: Part of an agent's name or description; empty for all.
        sort: A column of ``SORTABLE``, with a minus before it for descending order; empty for the ranks.
        as_of: The moment whose standings are asked for; None for now.
        given: The parameters as they were given, for addresses.
    """

    every_entry: bool = False
    effort: str = ""
    trained: bool | None = None
    owner: str = ""
    text: str = ""
    sort: str = ""
    as_of: datetime | None = None
    given: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def is_filtered(self) -> bool:
        """Whether only some of the entries are asked for."""
        return bool(self.effort or self.owner or self.text) or self.trained is not None

    @property
    def is_in_order(self) -> bool:
        """Whether the rows are those of the whole board, in the order of ranks."""
        return not self.is_filtered and not self.sort

    def filtered(self, rows: QuerySet[Standing]) -> QuerySet[Standing]:
        """Those of these rows that are asked for."""
        rows = self.narrowed(rows)
        return rows if self.every_entry else rows.filter(best_of_agent=True)

    def narrowed(self, rows: QuerySet[Standing]) -> QuerySet[Standing]:
        """Those of these rows that the filters let through, the best of their agents or not."""
        wanted = Q()
        if self.effort:
            wanted &= _of_effort(self.effort)
        if self.trained is not None:
            wanted &= Q(submission__trained_on_test_set=self.trained)
        if self.owner:
            wanted &= Q(submission__owner__username=self.owner)
        if self.text:
            wanted &= Q(submission__agent__icontains=self.text) | Q(
                submission__description__icontains=self.text
            )
        return rows.filter(wanted)

    def ordered(self, rows: QuerySet[Standing]) -> QuerySet[Standing]:
        """These rows in the order that is asked for; those without a value stand last."""
        column, down = self.sort.removeprefix("-"), self.sort.startswith("-")
        if not column:
            return rows.order_by(*BOARD_ORDER)
        key = Coalesce(_contribution(), 0.0) if column == _CONTRIBUTION else _COLUMNS[column]
        rows = rows.annotate(sort_key=key)
        first = F("sort_key").desc(nulls_last=True) if down else F("sort_key").asc(nulls_last=True)
        return rows.order_by(first, *BOARD_ORDER)


def _of_effort(name: str) -> Q:
    if name == UNREPORTED:
        return Q(submission__compilations=None)
    [one] = (one for one in EFFORT_CLASSES if one.slug == name)
    wanted = Q(submission__compilations__gte=one.least)
    return wanted if one.most is None else wanted & Q(submission__compilations__lte=one.most)


def _contribution() -> Subquery:
    """How much the logarithm of the virtual best's score falls without an entry, times the benchmarks."""
    own = BestResult.objects.filter(
        board=OuterRef("board"), submission=OuterRef("submission"), own=True
    ).order_by()
    summed = own.values("submission").annotate(gain=Sum(F("log_ratio") - F("log_without")))
    return Subquery(summed.values("gain"), output_field=FloatField())


def choice_of(given: Mapping[str, str]) -> BoardChoice:
    """The choice that query parameters make; others than ``CHOICES`` are not looked at.

    Raises:
        InvalidDocument: Some are not possible; its problems name all of them.
    """
    named = {name: given[name] for name in CHOICES if given.get(name) or (name == "all" and name in given)}
    read: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, text in named.items():
        try:
            read["every_entry" if name == "all" else name] = _READERS[name](text)
        except InvalidInput as error:
            problems.append(Problem.of(error, field=name, value=shown(text)))
    problems.extend(unknown_filters(board=None, owner=read.get("owner")))
    if not problems and read.get("as_of") and read.get("sort", "").endswith(_CONTRIBUTION):
        problems.append(_CONTRIBUTIONS_ARE_OF_NOW)
    if problems:
        raise InvalidDocument(problems)
    return BoardChoice(**read, given=named)


_CONTRIBUTIONS_ARE_OF_NOW: Final = Problem(
    field="sort",
    value=_CONTRIBUTION,
    message="Contributions of a past moment are not known.",
    remedy="Leave out either `as_of` or `sort`.",
)


def _read_text(text: str) -> str:
    if len(text) > limits.FILTER_LENGTH:
        raise InvalidInput("The text is too long.", remedy=f"Give at most {limits.FILTER_LENGTH} characters.")
    return text


def _read_effort(text: str) -> str:
    if text not in _EFFORTS:
        raise unknown_name("class of effort", text, _EFFORTS)
    return text


def _read_sort(text: str) -> str:
    if text == "rank":
        return ""
    column = text.removeprefix("-")
    if column not in SORTABLE or text == "-rank":
        error = unknown_name("column", text if text == "-rank" else column, SORTABLE)
        raise InvalidInput(error.message, remedy=f"{error.remedy} A minus before it turns the order round.")
    return text


def _read_moment(text: str) -> datetime:
    """A moment in ISO 8601, in UTC; a day is its beginning, and UTC is meant where no zone is given.

    The database does not know all zones that can be written, nor moments that are before the year 1 in UTC.
    """
    remedy = "Give a day such as 2026-11-23, or a moment such as 2026-11-23T18:00:00Z."
    try:
        if _DAY.fullmatch(text):
            moment = datetime.combine(date.fromisoformat(text), time(), UTC)
        else:
            moment = datetime.fromisoformat(text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput("This is neither a day nor a moment in ISO 8601.", remedy=remedy) from error
    if moment > database_now():  # which wrote when everything happened
        raise InvalidInput("This moment is in the future.", remedy="Give one that has passed.")
    return moment


_READERS: Final[dict[str, Callable[[str], Any]]] = {
    "all": partial(flag, "all"),
    "effort": _read_effort,
    "trained": partial(flag, "trained"),
    "owner": _read_text,
    "text": _read_text,
    "sort": _read_sort,
    "as_of": _read_moment,
}
