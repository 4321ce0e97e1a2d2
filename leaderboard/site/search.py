"""The search of the whole site: boards, agents, people, datasets and programs, and the manual."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.contrib.auth.models import User
from django.db.models import Case, Exists, OuterRef, Q, TextField, Value, When
from django.db.models.functions import Concat, Lower

from datasets.models import Benchmark, DatasetVersion
from leaderboard.common.addresses import agent_address, person_address
from leaderboard.manual.search import Hit
from leaderboard.manual.search import search as search_manual
from leaderboard.models import Board, PortableBoard, PortableEntry, Submission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.db.models import QuerySet

MOST_SHOWN: Final = 10  # Of each section.


class Section(NamedTuple):
    name: str
    hits: list[Hit]
    is_cut: bool


def search(query: str) -> list[Section]:
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
