"""The files that the manual shows: its chapters, and the sources to which they lead; nothing else is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from leaderboard.settings.environment import BASE_DIR

if TYPE_CHECKING:
    from collections.abc import Iterator

_GUIDES: Final = ("ARCHITECTURE.md", "THREAT_MODEL.md", "CONTRIBUTING.md", "CHANGELOG.md")
_OVERVIEW: Final = "README.md"
# The chapters of `docs/` without a number, in this order after those with one.
_UNNUMBERED: Final = ("methodology", "surprises", "faq", "stability", "roadmap", "glossary", "extending")
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
    numbered = [path for path in docs if _NUMBER.match(path.stem)]
    others = [path for path in docs if path not in numbered]
    places = {name: place for place, name in enumerate(_UNNUMBERED)}
    others.sort(key=lambda path: (places.get(path.stem, len(places)), path.stem))
    for path in (root / _OVERVIEW, *numbered, *others, *(root / name for name in _GUIDES)):
        if path.is_file() and docs:
            text = path.read_text(encoding="utf-8")
            title = _TITLE.search(text)
            slug = _NUMBER.sub("", path.stem).lower().replace("_", "-")
            yield Chapter(
                slug="overview" if path.name == _OVERVIEW else slug,
                path=PurePosixPath(path.relative_to(root)),
                title=title[1].replace("`", "") if title else path.stem,
                text=text,
            )


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
