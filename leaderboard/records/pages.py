"""Thin views of records: a page, and a feed."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

from django.contrib.syndication.views import Feed
from django.core.paginator import Page
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe

from leaderboard.boards import standings
from leaderboard.common.pagination import page_of
from leaderboard.models import Board, BoardRecord
from leaderboard.people import queries as people_queries
from leaderboard.records import queries as record_queries

if TYPE_CHECKING:
    _Feed = Feed[BoardRecord, tuple[Board | None, str]]
else:
    _Feed = Feed  # at runtime it takes no parameters

LINES_A_PAGE: Final = 25
# The newest records, which have pages; the API lists all. To count all would take seconds.
SHOWN: Final = 1_000
IN_FEED: Final = 50
_IN_ENTRY: Final = (
    *("at", "former_ratio", "board__slug"),
    *("item__ratio", "item__position", "item__benchmark_uri"),
    *("item__benchmark__name", "item__benchmark__kind"),
    *("item__submission__agent", "item__submission__owner__username"),
)


@require_safe
def records(request: HttpRequest) -> HttpResponse:
    board, owner = _asked_board(request), _asked_owner(request)
    found = record_queries.NewestRecords(record_queries.list_records(board=board, owner=owner), SHOWN)
    page: Page[BoardRecord] = page_of(found, LINES_A_PAGE, request)
    filters = {"board": board.slug if board else "", "owner": owner}
    query = urlencode({name: value for name, value in filters.items() if value})
    context = {"page": page, "board": board, "owner": owner, "query": query}
    return render(request, "leaderboard/records.html", context)


def _asked_owner(request: HttpRequest) -> str:
    name = request.GET.get("owner", "")
    if name and people_queries.find_person(name) is None:
        raise Http404(f"There is no user {name!r}.")
    return name


def _asked_board(request: HttpRequest) -> Board | None:
    slug = request.GET.get("board", "")
    found = standings.get_board(slug) if slug else None
    if slug and found is None:
        raise Http404(str(standings.unknown_board(slug)))
    return found


class RecordFeed(_Feed):
    feed_type = Atom1Feed
    title = "OptArena: records"
    subtitle = "Verified finds that were better than every record before them."
    link = reverse_lazy("leaderboard:records")

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> tuple[Board | None, str]:  # noqa: ANN401, ARG002 - Django's signature
        return _asked_board(request), _asked_owner(request)

    def items(self, obj: tuple[Board | None, str]) -> QuerySet[BoardRecord]:
        board, owner = obj
        return record_queries.list_records(board=board, owner=owner).only(*_IN_ENTRY)[:IN_FEED]

    def item_title(self, item: BoardRecord) -> str:
        return f"{item.item.benchmark_name} on {item.board.slug}: {item.ratio:.4f}"

    def item_description(self, item: BoardRecord) -> str:
        before = "the first result" if item.former_ratio is None else f"{item.former_ratio:.4f} before"
        submission = item.item.submission
        return f"Found by {submission.owner.username} with {submission.agent}; {before}."

    def item_link(self, item: BoardRecord) -> str:
        return item.item.get_absolute_url()

    def item_guid(self, item: BoardRecord) -> str:
        # Its item may set none other.
        return f"urn:optarena:record:{item.pk}"

    def item_updateddate(self, item: BoardRecord) -> datetime:
        return item.at

    def item_pubdate(self, item: BoardRecord) -> datetime:
        return item.at
