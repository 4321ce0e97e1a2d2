"""Program text as HTML with a class for each kind of word; the style sheet gives the colours."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String

if TYPE_CHECKING:
    from collections.abc import Iterator

_CLASSES: Final = {
    Comment: "ir-comment",
    Keyword.Type: "ir-type",
    Keyword: "ir-keyword",
    Name.Label: "ir-label",
    Name: "ir-name",
    String: "ir-text",
    Number: "ir-number",
}


@lru_cache(maxsize=256)
def highlighted(text: str, language: str) -> SafeString:
    """Text of a language that pygments knows as HTML; every character of it is escaped.

    Highlighting takes long, so that the result is cached.
    """
    return mark_safe("".join(_pieces(text, language)))  # noqa: S308 - each piece is escaped where it is made


def _pieces(text: str, language: str) -> Iterator[str]:
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    for kind, value in lexer.get_tokens(text):
        css = next((css for token, css in _CLASSES.items() if kind in token), "")
        yield f'<span class="{css}">{escape(value)}</span>' if css else str(escape(value))
