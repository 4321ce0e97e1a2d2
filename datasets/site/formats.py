"""Numbers, times, program text and the text of users, as pages show them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache, lru_cache
from html import escape
from typing import Final

from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

# A template passes an empty text if a part of a variable's path does not exist.
Absent = str | None

NOTHING: Final = "–"  # noqa: RUF001 - a dash means that there is no number
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def score(value: float | Absent) -> str:
    return NOTHING if isinstance(value, Absent) else f"{value:.4f}"


def signed_percent(value: float | Absent) -> str:
    # A true minus sign keeps columns straight; 0 where there is no difference at all.
    if isinstance(value, Absent):
        return NOTHING
    text = f"{100 * value:+.2f} %" if value else "0"
    return text.replace("-", "−")  # noqa: RUF001 - the minus sign is intended


def number(value: float | Absent) -> str:
    if isinstance(value, Absent):
        return NOTHING
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.4g}"


def duration(seconds: float | Absent) -> str:
    if isinstance(seconds, Absent):
        return NOTHING
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds / _HOUR:.1f} h" if seconds < _DAY else f"{seconds / _DAY:.1f} days"


def wait(seconds: float) -> str:
    # Rounded up, so that nobody comes back too early.
    if seconds <= 2 * _MINUTE:
        return f"{math.ceil(seconds)} s"
    minutes = math.ceil(seconds / _MINUTE)
    return f"{minutes} min" if seconds <= 2 * _HOUR else f"{minutes // 60} h {minutes % 60} min"


def iso(moment: datetime) -> str:
    # Django's own filter `date` is slow in long lists.
    return moment.isoformat()


def day(moment: datetime) -> str:
    return moment.date().isoformat()


def moment(when: datetime, detail: str = "minutes") -> str:
    # To the minute, or with `detail` to the second.
    return when.astimezone(UTC).strftime(
        "%Y-%m-%d %H:%M:%S UTC" if detail == "seconds" else "%Y-%m-%d %H:%M UTC"
    )


def short(value: float) -> str:
    # `512`, `16k`, `4M`
    for size, unit in ((2**30, "G"), (2**20, "M"), (2**10, "k")):
        if value >= size:
            return f"{value / size:.4g}{unit}"
    return f"{value:.4g}"


def percent(value: float) -> str:
    return f"{100 * value:.0f} %"


def small_percent(value: float | Absent) -> str:
    # 0 where there is none at all.
    if isinstance(value, Absent):
        return NOTHING
    return f"{100 * value:.2f} %" if value else "0"


_LINKS: Final = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_REL: Final = "nofollow noopener ugc"
# Images would tell another site who reads; headings would stand among those of the page.
_LEFT_OUT: Final = ("image", "heading", "lheading", "reference", "html_block", "html_inline", "hr")
# Quotations and lists in each other: the parser drops what is deeper, and needs more stack to go on.
_DEEPEST: Final = 20


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name
        return _LINKS.match(url.strip()) is not None


_PARSER: Final = _Parser("commonmark", {"html": False, "breaks": True, "maxNesting": _DEEPEST})
_PARSER.disable(list(_LEFT_OUT))


def user_text(text: str) -> SafeString:
    # Search engines do not follow the links. Whatever else the text has is shown as it was written, and so is
    # all of a text that nests quotations and lists deeper than `_DEEPEST`.
    parsed = _PARSER.parse(text)
    if any(token.nesting == 1 and token.level + 1 >= _DEEPEST for token in parsed):
        return mark_safe(linebreaks(text, autoescape=True))  # noqa: S308 - escaped
    for token in parsed:
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", _REL)
    html: str = _PARSER.renderer.render(parsed, _PARSER.options, {})
    return mark_safe(html)  # noqa: S308 - the renderer escapes all text, and raw HTML is off


_KEPT_LINES: Final = 16_384
_KEPT_LENGTH: Final = 200  # of a line
_NUMBERS: Final = re.compile(r"((?<=[%!@#])[0-9]+\b|^[0-9]+(?=:))")
_NUMBER: Final = "7777777777"  # stands for any of them
_CLASSES: Final = {
    Comment: "hl-comment",
    Keyword.Type: "hl-type",
    Keyword: "hl-keyword",
    Name.Label: "hl-label",
    Name: "hl-name",
    String: "hl-text",
    Number: "hl-number",
}


@lru_cache(maxsize=256)
def highlighted(text: str, language: str) -> SafeString:
    # Highlighting takes long, so that the result is cached. Plain if pygments does not know the language.
    return mark_safe("".join(_pieces(text, language)))  # noqa: S308 - each piece is escaped where it is made


def highlighted_line(line: str, language: str) -> SafeString:
    # For languages whose lines can be read one by one. States of a program have most lines in common.
    kept = _highlighted_line if len(line) <= _KEPT_LENGTH else _coloured.__wrapped__
    return kept(line, language)


@lru_cache(maxsize=_KEPT_LINES)
def _highlighted_line(line: str, language: str) -> SafeString:
    # Most new lines differ from others only in the numbers of values and labels, which are coloured alike.
    parts = _NUMBERS.split(line)
    pieces = _coloured(_NUMBER.join(parts[::2]), language).split(_NUMBER)
    if len(pieces) != len(parts[::2]):  # that number is in the line, too
        return _coloured(line, language)
    parts[::2] = pieces
    return mark_safe("".join(parts))  # noqa: S308 - the others are digits


@lru_cache(maxsize=_KEPT_LINES)
def _coloured(line: str, language: str) -> SafeString:
    # The end of the line ends a comment.
    return mark_safe("".join(_pieces(f"{line}\n", language)).removesuffix("\n"))  # noqa: S308 - as above


def _pieces(text: str, language: str) -> Iterator[str]:
    lexer = _lexer(language)
    if lexer is None:
        yield escape(text)
        return
    for kind, value in lexer.get_tokens(text):
        css, shown = _css(kind), escape(value)
        if not css:
            yield shown
        elif "\n" in shown:  # within a line, so that each can be marked
            lines = shown.split("\n")
            yield "\n".join(f'<span class="{css}">{line}</span>' if line else line for line in lines)
        else:
            yield f'<span class="{css}">{shown}</span>'


@cache
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:  # a format of a plug-in, or a block of plain text
        return None


@cache
def _css(kind: _TokenType) -> str:
    return next((css for token, css in _CLASSES.items() if kind in token), "")
