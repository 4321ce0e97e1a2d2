"""Program text as HTML with a class for each kind of word; the style sheet gives the colours."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String
from pygments.util import ClassNotFound

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def _pieces(text: str, language: str) -> Iterator[str]:
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:  # a format of a plug-in, or a block of plain text
        yield str(escape(text))
        return
    for kind, value in lexer.get_tokens(text):
        css = next((css for token, css in _CLASSES.items() if kind in token), "")
        yield "\n".join(_piece(line, css) for line in value.split("\n"))


def _piece(line: str, css: str) -> str:
    # Within a line, so that each can be marked.
    return f'<span class="{css}">{escape(line)}</span>' if css and line else str(escape(line))
