"""The home page, the queue, the search and other pages of the site, and the files for crawlers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Concat, Lower
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from datasets.models import Benchmark, DatasetVersion
from datasets.selectors import dataset_versions, first_uri
from leaderboard.boards import queries as board_queries
from leaderboard.boards.pages import rise_charts
from leaderboard.common.addresses import agent_address, person_address
from leaderboard.manual.pages import Hit, manual_files
from leaderboard.manual.pages import search as search_manual
from leaderboard.models import Board, PortableBoard, PortableEntry, Submission
from leaderboard.puzzles import queries as puzzle_queries
from leaderboard.records import queries as record_queries
from leaderboard.runners import queries as runner_queries
from leaderboard.settings.environment import BASE_DIR
from leaderboard.submissions import queries as submission_queries
from optarena.errors import UnknownName
from optarena.limits import SEARCH_LENGTH
from optarena.specs import environment_spec, environment_specs

NEWEST_RECORDS: Final = 5
_CARDS: Final = 12  # Boards that the home page shows
_RECORDS_LOOKED_AT: Final = 50


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    boards = board_queries.list_boards()
    main = boards[0].board if boards else None
    rises = record_queries.best_over_time(main) if main else []
    context = {
        "boards": boards[:_CARDS],
        "further": len(boards[_CARDS:]),
        "board": main,
        "rises": rises,
        "rise_charts": rise_charts(main, rises, timezone.now()) if main else {},
        "counts": {
            "programs": Benchmark.objects.count(),
            "entries": sum(one.entries for one in boards),
            "verified": sum(one.verified for one in boards),
        },
        "puzzle": puzzle_queries.published().first(),
        "queue": runner_queries.queue_overview(details=False),
        "records": record_queries.better_records(NEWEST_RECORDS, among=_RECORDS_LOOKED_AT),
        "latest": submission_queries.list_submissions().select_related("board")[:5],
        "server": request.build_absolute_uri("/").rstrip("/"),
    }
    return render(request, "leaderboard/home.html", context)


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    asked = request.GET.get("q", "").strip()[:SEARCH_LENGTH]
    return render(request, "leaderboard/search.html", {"searched": asked, "sections": _found(asked)})


@require_safe
def environments(request: HttpRequest) -> HttpResponse:
    boards_of = board_queries.open_boards()
    listed = [(spec, boards_of.get(spec.slug, [])) for spec in environment_specs()]
    return render(request, "leaderboard/environments.html", {"environments": listed})


@require_safe
def environment(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        spec = environment_spec(slug)
    except UnknownName as error:
        raise Http404(str(error)) from error
    actions = board_queries.action_rows(spec)
    context = {
        "spec": spec,
        "actions": actions,
        "boards": board_queries.open_boards(spec.slug).get(spec.slug, []),
        "detailed": any(action["pipeline"] for action in actions),
        "example": spec.benchmark or first_uri(spec.dataset),
    }
    return render(request, "leaderboard/environment.html", context)


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    overview = runner_queries.queue_overview()
    context = {"queue": overview, "order": runner_queries.queue_order(overview)}
    return render(request, "leaderboard/queue.html", context)


_PAGES: Final = (
    *("leaderboard:home", "leaderboard:boards", "leaderboard:portable", "leaderboard:puzzle"),
    "datasets:list",
    *("leaderboard:environments", "leaderboard:records", "leaderboard:submissions"),
    *("leaderboard:queue", "leaderboard:runners"),
    *("manual:index", "manual:sources", "docs", "problems"),
)
_CLOSED: Final = (
    "/admin/",
    "/accounts/",
    "/api/v1/submissions/",
    "/api/v1/compare/",
    "/compare/",
    "/play/*?",
    "/search/",
    "/submissions/*?step=",
    "/submissions/*?effective=",
    "/submit/",
)


_LINK: Final = re.compile(r"\]\(([\w./-]+)\)")
_OWN_TEXTS: Final = {"AGENTS.md": "/AGENTS.md", "docs/openapi.yaml": "/api/v1/schema/"}


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in _CLOSED),
        f"Sitemap: {request.build_absolute_uri(reverse('leaderboard:sitemap'))}",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@require_safe
def sitemap(request: HttpRequest) -> HttpResponse:
    # Pages that last: not those of single results.
    addresses = [request.build_absolute_uri(address) for address in _addresses()]
    return render(request, "sitemap.xml", {"addresses": addresses}, content_type="application/xml")


@require_safe
def text_for_agents(request: HttpRequest, name: str) -> HttpResponse:
    # Its links to chapters lead to their pages here.
    path = BASE_DIR / name
    if not path.is_file():
        raise Http404(f"{name} is not installed.")

    def lead(link: re.Match[str]) -> str:
        chapter = manual_files().chapter_at(PurePosixPath(link[1]))
        address = _OWN_TEXTS.get(link[1]) or (chapter and reverse("manual:chapter", args=[chapter.slug]))
        return f"]({request.build_absolute_uri(address)})" if address else link[0]

    text = _LINK.sub(lead, path.read_text(encoding="utf-8"))
    kind = "markdown" if path.suffix == ".md" else "plain"
    return HttpResponse(text, content_type=f"text/{kind}; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:  # noqa: ARG001 - a view takes a request
    # For programs that look for it without reading a page.
    return redirect(static("site/favicon.ico"), permanent=True)


def _addresses() -> Iterator[str]:
    boards = Board.objects.order_by("slug").values_list("slug", flat=True)
    datasets = dataset_versions().values_list("name", flat=True)
    yield from map(reverse, _PAGES)
    yield from chain(
        (reverse("leaderboard:board", args=[slug]) for slug in boards),
        (reverse("datasets:dataset", args=[name]) for name in datasets),
        (reverse("leaderboard:environment", args=[spec.slug]) for spec in environment_specs()),
        (reverse("manual:chapter", args=[slug]) for slug in manual_files().chapters),
    )


MOST_SHOWN: Final = 10  # Of each section.


class Section(NamedTuple):
    name: str
    hits: list[Hit]
    is_cut: bool


def _found(query: str) -> list[Section]:
    # Those sections that have found something; each kind of rows costs one statement.
    words = query.split()
    if not words:
        return []
    found: dict[str, Iterable[Hit]] = {
        "Boards": _boards(words),
        "Agents": _agents(words),
        "People": _people(words),
        "Programs": _programs(words),
        "Manual": search_manual(query),
    }
    sections = []
    for name, rows in found.items():
        hits = list(rows)
        if hits:
            sections.append(Section(name, hits[:MOST_SHOWN], len(hits) > MOST_SHOWN))
    return sections


def _having(rows: QuerySet[Any], words: Sequence[str], name: str, *others: str) -> QuerySet[Any]:
    """Choose the rows whose texts have all words, first those whose name is, begins with or has all of them.

    The database writes all texts in lower case: it has other rules than Python. It also escapes wildcards.
    """
    texts = (part for other in others for part in (Value("\n"), other))
    text = Concat(name, *texts, output_field=TextField()) if others else name
    found = rows.annotate(named=Lower(name), text=Lower(text))
    lower = [Lower(Value(word)) for word in words]
    whole = Lower(Value(" ".join(words)))
    has_all = Q()
    for word in lower:
        found = found.filter(text__contains=word)
        has_all &= Q(named__contains=word)
    closeness = Case(
        When(named=whole, then=0), When(named__startswith=whole, then=1), When(has_all, then=2), default=3
    )
    ordered: QuerySet[Any] = found.annotate(closeness=closeness).order_by("closeness", name, "pk")
    return ordered


def _boards(words: Sequence[str]) -> Iterator[Hit]:
    for rows in (Board.objects, PortableBoard.objects):
        found = _having(rows.only("slug", "title"), words, "title", "slug", "description")
        yield from (Hit(one.title, one.get_absolute_url(), one.slug) for one in found[: MOST_SHOWN + 1])


def _agents(words: Sequence[str]) -> Iterator[Hit]:
    # An owner's agents of one group have one page.
    ranked = Submission.objects.filter(standing__isnull=False)
    for rows, group in ((ranked, "standing__agent_group"), (PortableEntry.objects.all(), "agent_group")):
        named = _having(rows, words, "agent", "owner__username")
        each = named.order_by(group, "closeness", "pk").distinct(group)
        chosen = (
            rows.filter(pk__in=each.values("pk")).select_related("owner").only("agent", "owner__username")
        )
        for one in _having(chosen, words, "agent", "owner__username")[: MOST_SHOWN + 1]:
            owner = one.owner.username
            is_ranked = isinstance(one, Submission)
            address = agent_address(owner, one.agent) if is_ranked else one.get_absolute_url()
            yield Hit(one.agent, address, f"by {owner}" if is_ranked else f"by {owner}, portable entry")


def _people(words: Sequence[str]) -> Iterator[Hit]:
    # Those whose names the boards show anyway.
    has_entries = (Exists(rows.objects.filter(owner=OuterRef("pk"))) for rows in (Submission, PortableEntry))
    known = User.objects.filter(next(has_entries) | next(has_entries), is_active=True)
    known = known.select_related("profile").only("username", "profile__affiliation")
    for one in _having(known, words, "username", "profile__affiliation")[: MOST_SHOWN + 1]:
        profile = getattr(one, "profile", None)
        yield Hit(one.username, person_address(one.username), profile.affiliation if profile else "")


def _programs(words: Sequence[str]) -> Iterator[Hit]:
    versions = DatasetVersion.objects.only("name", "title")
    for version in _having(versions, words, "name", "title")[: MOST_SHOWN + 1]:
        yield Hit(version.name, version.get_absolute_url(), f"dataset: {version.title}")
    programs = Benchmark.objects.select_related("version").only(
        "name", "title", "kind", "uri", "version__name"
    )
    for one in _having(programs, words, "name", "title", "uri")[: MOST_SHOWN + 1]:
        yield Hit(one.name, one.get_absolute_url(), f"{one.title}, in {one.version.name}")
