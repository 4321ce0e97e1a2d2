"""LLVM IR as HTML with a class for each kind of word; the style sheet gives the colours, light and dark."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from pygments.lexers.asm import LlvmLexer
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
_LEXER: Final = LlvmLexer(stripnl=False, ensurenl=False)


@lru_cache(maxsize=256)
def highlighted(text: str) -> SafeString:
    """Text as HTML; every character of it is escaped. Marking a page takes long; the same one comes again."""
    return mark_safe("".join(_pieces(text)))  # noqa: S308 - each piece is escaped where it is made


def _pieces(text: str) -> Iterator[str]:
    for kind, value in _LEXER.get_tokens(text):
        css = next((css for token, css in _CLASSES.items() if kind in token), "")
        yield f'<span class="{css}">{escape(value)}</span>' if css else str(escape(value))
