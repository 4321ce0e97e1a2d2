"""The manual: the files that it shows, and nothing else, their rendering, the search in them, and views."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path as route
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join, strip_tags
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments.lexers import find_lexer_class_for_filename

from datasets.site.formats import highlighted
from leaderboard.settings.environment import BASE_DIR

_GUIDES: Final = ("ARCHITECTURE.md", "THREAT_MODEL.md", "CONTRIBUTING.md", "CHANGELOG.md")
_OVERVIEW: Final = "README.md"
# This list of the overview has the parts of the manual with their chapters, in their order.
_LISTED: Final = "## All chapters"
_PART: Final = re.compile(r"^\* \*\*(.+)\*\*: ((?:.+\n)(?:  .+\n)*)", re.MULTILINE)
_LAST_PART: Final = "The project"
_NUMBER: Final = re.compile(r"^\d+-")
_TITLE: Final = re.compile(r"^# (.+)$", re.MULTILINE)
_LINK: Final = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")
_SHOWN: Final = frozenset(
    (
        *(".c", ".cc", ".css", ".h", ".html", ".js", ".json", ".ll", ".md"),
        *(".proto", ".py", ".sh", ".toml", ".txt", ".yaml", ".yml"),
    )
)
_WHOLE: Final = frozenset({"CMakeLists.txt", "Dockerfile", "LICENSE", "Makefile"})
_LARGEST: Final = 400_000  # Bytes of a source that is shown.


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    slug: str
    part: str
    path: PurePosixPath
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class ManualFiles:
    root: Path
    chapters: dict[str, Chapter]
    # The files that chapters lead to, and those of the folders that they lead to, sorted.
    sources: tuple[PurePosixPath, ...]

    def chapter_at(self, path: PurePosixPath) -> Chapter | None:
        return next((one for one in self.chapters.values() if one.path == path), None)

    def folders(self) -> dict[PurePosixPath, list[PurePosixPath]]:
        found: dict[PurePosixPath, list[PurePosixPath]] = {}
        for path in self.sources:
            found.setdefault(path.parent, []).append(path)
        return found

    def read(self, path: PurePosixPath) -> str:
        return (self.root / path).read_text(encoding="utf-8", errors="replace")


@cache
def manual_files(root: Path = BASE_DIR) -> ManualFiles:
    # Without chapters where the manual is not installed.
    chapters = {one.slug: one for one in _chapters(root)}
    texts = [(one.path, one.text) for one in chapters.values()]
    return ManualFiles(root, chapters, tuple(sorted(_sources(root, texts))))


def leads_away(link: str) -> bool:
    # Tell whether a link leads to another site, or to a place in its own text.
    return "://" in link or link.startswith(("/", "#", "mailto:"))


def target_of(base: PurePosixPath, link: str) -> PurePosixPath | None:
    # Return the path relative to the root; None if it is outside.
    parts: list[str] = []
    for part in (base.parent / unquote(link)).parts:
        if part != "..":
            parts.append(part)
        elif not parts:
            return None
        else:
            parts.pop()
    return PurePosixPath(*parts)


def _chapters(root: Path) -> Iterator[Chapter]:
    docs = sorted((root / "docs").glob("*.md"))
    overview = root / _OVERVIEW
    listed = overview.read_text(encoding="utf-8").partition(_LISTED)[2] if overview.is_file() else ""
    parts = _PART.findall(listed)
    links = [(part, root / link) for part, text in parts for link in _LINK.findall(text)]
    places = {path: (place, part) for place, (part, path) in enumerate(links)}
    places[overview] = (-1, parts[0][0] if parts else _LAST_PART)
    last = (len(places), _LAST_PART)
    guides = (overview, *(root / name for name in _GUIDES))
    found = [path for path in (*docs, *guides) if path.is_file() and docs]
    for path in sorted(found, key=lambda path: places.get(path, last)):
        text = path.read_text(encoding="utf-8")
        title = _TITLE.search(text)
        yield Chapter(
            slug=_slug(path),
            part=places.get(path, last)[1],
            path=PurePosixPath(path.relative_to(root)),
            title=title[1].replace("`", "") if title else path.stem,
            text=text,
        )


def _slug(path: Path) -> str:
    return "overview" if path.name == _OVERVIEW else _NUMBER.sub("", path.stem).lower().replace("_", "-")


def _sources(root: Path, texts: list[tuple[PurePosixPath, str]]) -> set[PurePosixPath]:
    # Return what the texts link to, and what linked texts link to in turn.
    pages = {path for path, _ in texts}
    found: set[PurePosixPath] = set()
    while texts:
        base, text = texts.pop()
        for link in _LINK.findall(text):
            target = None if leads_away(link) else target_of(base, link)
            if target is None or target in pages:
                continue
            new = {one for one in _files(root, target) if one not in found}
            found |= new
            texts += [(one, (root / one).read_text(encoding="utf-8")) for one in new if one.suffix == ".md"]
    return found


def _files(root: Path, target: PurePosixPath) -> Iterator[PurePosixPath]:
    path = root / target
    if path.is_dir() and len(target.parts) > 1:
        inside = sorted(path.rglob("*"))
    elif path.is_dir():  # a whole part of the project: only what introduces each of its folders
        inside = sorted(path.glob("*/README.md"))
    else:
        inside = [path]
    for one in inside:
        is_known = one.suffix in _SHOWN or one.name in _WHOLE
        if is_known and one.is_file() and not one.is_symlink() and one.stat().st_size <= _LARGEST:
            relative = PurePosixPath(one.relative_to(root))
            if not any(part.startswith(".") or part == "__pycache__" for part in relative.parts):
                yield relative


_NOT_IN_ANCHORS: Final = re.compile(r"[^\w\- ]")
# Where words end that no space divides; code has spans inside its words.
_BLOCK: Final = re.compile(r"<(?=/?(?:p|li|t[dhr]|pre|h[1-6]|[ou]l|table|blockquote)\b)")
_BETWEEN_CELLS: Final = re.compile(r"</(t[dh])>\s*(?=<\1)")
_ENTITIES: Final = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'"), ("&amp;", "&"))
_FIRST: Final = 2  # The level of headings that contents list.


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    level: int
    text: str
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    html: SafeString
    headings: tuple[Heading, ...]
    sections: tuple[str, ...]  # The plain text below each heading, without that of the headings in it.
    dropped: tuple[str, ...]  # Links that lead to nothing in this installation, which are shown as text.

    @property
    def contents(self) -> list[Heading]:
        return [one for one in self.headings if one.level == _FIRST]


@cache
def rendered(path: PurePosixPath) -> Page:
    chapter = manual_files().chapter_at(path)
    return render_markdown(path, chapter.text if chapter else manual_files().read(path))


def render_markdown(path: PurePosixPath, text: str) -> Page:
    # HTML in the text is shown as text.
    parser = MarkdownIt(
        "commonmark",
        {"html": False, "highlight": lambda code, language, _: highlighted(code, language or "text")},
    ).enable("table")
    parsed = parser.parse(text)
    headings = tuple(_name_headings(parsed))
    dropped: list[str] = []
    for token in parsed:
        token.children = _with_links(path, token.children or [], dropped) if token.children else None
    html: str = _scrolling(parser.renderer.render(parsed, parser.options, {}))
    return Page(
        html=mark_safe(html),  # noqa: S308 - the renderer escapes all text, and raw HTML is off
        headings=headings,
        sections=tuple(_sections(parser, parsed)),
        dropped=tuple(dropped),
    )


def link_of(path: PurePosixPath) -> str | None:
    chapter = manual_files().chapter_at(path)
    if chapter is not None:
        return reverse("manual:chapter", args=[chapter.slug])
    if path in manual_files().sources:
        return reverse("manual:source", args=[path])
    inside = next((one for one in manual_files().sources if path in one.parents), None)
    return None if inside is None else f"{reverse('manual:sources')}#{folder_anchor(inside.parent)}"


def folder_anchor(path: PurePosixPath) -> str:
    return str(path).replace("/", "-").replace("_", "-")


def _scrolling(html: str) -> str:
    # Tables and code are regions that scroll, also by keyboard.
    numbers = itertools.count(1)
    code = re.sub(
        "<pre>", lambda _: f'<pre tabindex="0" role="region" aria-label="Code {next(numbers)}">', html
    )
    around = '<div class="table-scroll" tabindex="0" role="region" aria-label="Table {}">'
    tables = itertools.count(1)
    opened = re.sub("<table>", lambda _: f"{around.format(next(tables))}<table>", code)
    return opened.replace("</table>", "</table></div>")


def _name_headings(parsed: Sequence[Token]) -> Iterator[Heading]:
    used: dict[str, int] = {}
    for token, inline in itertools.pairwise(parsed):
        if token.type != "heading_open":
            continue
        title = "".join(child.content for child in inline.children or [])
        # As code-hosting sites make it.
        anchor = _NOT_IN_ANCHORS.sub("", title.strip().lower()).replace(" ", "-")
        used[anchor] = used.get(anchor, -1) + 1
        anchor += f"-{used[anchor]}" if used[anchor] else ""
        token.attrSet("id", anchor)
        yield Heading(level=int(token.tag[1:]), text=title, anchor=anchor)


def _with_links(path: PurePosixPath, children: list[Token], dropped: list[str]) -> list[Token]:
    kept, open_links = [], []
    for child in children:
        if child.type == "link_open":
            href = str(child.attrGet("href") or "")
            address: str | None = href
            if not leads_away(href):
                link, mark, anchor = href.partition("#")
                target = target_of(path, link)
                found = None if target is None else link_of(target)
                address = None if found is None else found + mark + anchor
            open_links.append(address is not None)
            if address is None:
                dropped.append(href)
                continue
            child.attrSet("href", address)
        elif child.type == "link_close" and not open_links.pop():
            continue
        kept.append(child)
    return kept


def _sections(parser: MarkdownIt, parsed: Sequence[Token]) -> Iterator[str]:
    starts = [at for at, token in enumerate(parsed) if token.type == "heading_open"]
    for start, end in itertools.pairwise([*starts, len(parsed)]):
        html = parser.renderer.render(parsed[start + 3 : end], parser.options, {})
        html = _BETWEEN_CELLS.sub(r" · \g<0>", html)
        plain = strip_tags(_BLOCK.sub(" <", html))
        for entity, sign in _ENTITIES:
            plain = plain.replace(entity, sign)
        yield " ".join(plain.split())


def code_page(path: PurePosixPath, text: str) -> SafeString:
    lexer = find_lexer_class_for_filename(path.name)
    language = lexer.aliases[0] if lexer is not None and lexer.aliases else "text"
    return highlighted(text, language) if text.strip() else SafeString(escape(text))


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    if query := request.GET.get("q"):  # the manual once had a search of its own
        return redirect(f"{reverse('leaderboard:search')}?{urlencode({'q': query})}", permanent=True)
    return render(request, "manual/index.html", {"chapters": manual_files().chapters.values()})


@require_safe
def chapter(request: HttpRequest, slug: str) -> HttpResponse:
    chapters = manual_files().chapters
    if slug not in chapters:
        raise Http404(f"The manual has no chapter {slug!r}; all are listed at /docs/.")
    order = list(chapters.values())
    place = order.index(chapters[slug])
    context = {
        "chapter": chapters[slug],
        "chapters": order,
        "page": rendered(chapters[slug].path),
        "before": order[place - 1] if place else None,
        "after": order[place + 1] if place + 1 < len(order) else None,
    }
    return render(request, "manual/chapter.html", context)


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    folders = [(path, folder_anchor(path), found) for path, found in manual_files().folders().items()]
    context = {"folders": folders, "repository": settings.OPTARENA_SOURCE_URL}
    return render(request, "manual/sources.html", context)


@require_safe
def source(request: HttpRequest, path: str) -> HttpResponse:
    found = PurePosixPath(path)
    if found not in manual_files().sources:
        raise Http404(f"The manual does not name a source {path!r}; those that it names are at /source/.")
    is_text = found.suffix == ".md"
    text = manual_files().read(found)
    context = {
        "path": found,
        "folder": folder_anchor(found.parent),
        "page": rendered(found) if is_text else None,
        "code": "" if is_text else code_page(found, text),
        "lines": text.count("\n"),
    }
    return render(request, "manual/source.html", context)


app_name = "manual"
urlpatterns = [
    route("docs/", index, name="index"),
    route("docs/methodology/", chapter, {"slug": "methodology"}, name="methodology"),
    route("docs/<slug:slug>/", chapter, name="chapter"),
    route("source/", sources, name="sources"),
    route("source/<path:path>/", source, name="source"),
]


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
