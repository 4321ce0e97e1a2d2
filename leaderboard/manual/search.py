"""The search of the manual: the sections that have all words, the best first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from django.urls import reverse
from django.utils.html import format_html, format_html_join

from leaderboard.manual.files import manual_files
from leaderboard.manual.pages import rendered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

    from leaderboard.manual.files import Chapter
    from leaderboard.manual.pages import Heading

# Chapters about OptArena itself, after those for its users.
_LATER: Final = frozenset(
    {"architecture", "changelog", "contributing", "extending", "roadmap", "threat-model"}
)
# Words of questions, which say nothing about the answer.
_FILLERS: Final = frozenset(
    (
        *("a", "an", "and", "are", "can", "do", "does", "has", "have", "how", "i", "in", "is", "it", "my"),
        *("not", "of", "on", "or", "the", "to", "what", "when", "where", "which", "why", "with"),
    )
)
_MARKS: Final = "?!.,;:()[]\"'`“”"
_PLURAL: Final = re.compile(r"(?<=\w\w[^s])s$")
_OF_TITLE: Final = 20
_OF_CHAPTER: Final = 5
_MOST_COUNTED: Final = 5
_BEFORE, _AROUND = 60, 240


class Hit(NamedTuple):
    """What was found, such as a section of a chapter."""

    title: str
    address: str
    about: str
    excerpt: SafeString | str = ""


def search(query: str) -> list[Hit]:
    # The sections that contain every word in their text or titles, the best first.
    words = _words(query)
    found = []
    for chapter in manual_files().chapters.values() if words else ():
        page = rendered(chapter.path)
        address = reverse("manual:chapter", args=[chapter.slug])
        for heading, text in zip(page.headings, page.sections, strict=True):
            if score := _score(chapter, heading, text, words):
                place = f"{address}#{heading.anchor}"
                hit = Hit(heading.text, place, chapter.title, _excerpt(text, words))
                found.append((chapter.slug in _LATER, -score, hit))
    return [hit for *_, hit in sorted(found, key=lambda one: one[:2])]


def _words(query: str) -> list[str]:
    given = query.casefold().split()
    plain = [_PLURAL.sub("", bare) for word in given if (bare := word.strip(_MARKS))] or given
    return [word for word in plain if word not in _FILLERS] or plain


def _score(chapter: Chapter, heading: Heading, text: str, words: Sequence[str]) -> int:
    # 0 if a word is missing, or if all are in the chapter's title alone.
    text, title, of_chapter = text.casefold(), heading.text.casefold(), chapter.title.casefold()
    own = [_OF_TITLE * (word in title) + min(text.count(word), _MOST_COUNTED) for word in words]
    shared = [_OF_CHAPTER * (word in of_chapter) for word in words]
    if not any(own) or not all(one or other for one, other in zip(own, shared, strict=True)):
        return 0
    return sum(own) + sum(shared)


def _excerpt(text: str, words: Sequence[str]) -> SafeString:
    # Of whole words: the first match, what is before it, and what follows.
    pattern = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    first = pattern.search(text)
    at, behind = first.span() if first else (0, 0)
    start = text.rfind(" ", 0, max(0, at - _BEFORE)) + 1
    end = text.find(" ", max(behind, start + _AROUND))
    shown = text[start : end if end >= 0 else None]
    last, pieces = 0, []
    for match in pattern.finditer(shown):
        pieces += [(shown[last : match.start()],), (format_html("<mark>{}</mark>", match[0]),)]
        last = match.end()
    marked = format_html_join("", "{}", [*pieces, (shown[last:],)])
    ends = ("… " if start else "", " …" if end >= 0 else "")
    return format_html("{}{}{}", ends[0], marked, ends[1])
