"""Search in the manual: sections that contain every word, those whose titles do first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.html import format_html, format_html_join

from leaderboard.manual.files import manual_files
from leaderboard.manual.rendering import rendered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.utils.safestring import SafeString

    from leaderboard.manual.files import Chapter
    from leaderboard.manual.rendering import Heading

_OF_TITLE: Final = 20
_OF_CHAPTER: Final = 5
_MOST_COUNTED: Final = 5
_BEFORE, _AROUND = 60, 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A section that was found: its titles, address, and the text around the first word, words marked."""

    chapter: str
    title: str
    address: str
    excerpt: SafeString
    score: int


def search(query: str) -> list[Hit]:
    """The sections that contain every word of a query in their text or titles, the best first."""
    words = [word.casefold() for word in query.split()]
    found = (
        [hit for chapter in manual_files().chapters.values() for hit in _in(chapter, words)] if words else []
    )
    return sorted(found, key=lambda hit: -hit.score)


def _in(chapter: Chapter, words: Sequence[str]) -> Iterator[Hit]:
    page = rendered(chapter.path)
    address = reverse("manual:chapter", args=[chapter.slug])
    for heading, text in zip(page.headings, page.sections, strict=True):
        score = _score(chapter, heading, text, words)
        if score:
            yield Hit(
                chapter=chapter.title,
                title=heading.text,
                address=f"{address}#{heading.anchor}",
                excerpt=_excerpt(text, words),
                score=score,
            )


def _score(chapter: Chapter, heading: Heading, text: str, words: Sequence[str]) -> int:
    """A sum over the words; 0 if one is missing, or if all are in the chapter's title alone."""
    text, title, of_chapter = text.casefold(), heading.text.casefold(), chapter.title.casefold()
    own = [_OF_TITLE * (word in title) + min(text.count(word), _MOST_COUNTED) for word in words]
    shared = [_OF_CHAPTER * (word in of_chapter) for word in words]
    if not any(own) or not all(one or other for one, other in zip(own, shared, strict=True)):
        return 0
    return sum(own) + sum(shared)


def _excerpt(text: str, words: Sequence[str]) -> SafeString:
    places = [at for word in words if (at := text.casefold().find(word)) >= 0]
    start = max(0, min(places, default=0) - _BEFORE)
    start = start and text.find(" ", start) + 1
    shown = text[start : start + _AROUND]
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    last, pieces = 0, []
    for match in pattern.finditer(shown):
        pieces += [(shown[last : match.start()],), (format_html("<mark>{}</mark>", match[0]),)]
        last = match.end()
    marked = format_html_join("", "{}", [*pieces, (shown[last:],)])
    ends = ("… " if start else "", " …" if start + _AROUND < len(text) else "")
    return format_html("{}{}{}", ends[0], marked, ends[1])
