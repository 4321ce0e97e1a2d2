"""Markdown that strangers wrote, as HTML that can do nothing: no tags of theirs, no images, and few links."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.token import Token

_LINKS: Final = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_REL: Final = "nofollow noopener ugc"
_LEFT_OUT: Final = ("image", "heading", "lheading", "reference", "html_block", "html_inline", "hr")
"""Images would tell another site who reads; headings would stand among those of the page."""
_DEEPEST: Final = 20
"""Quotations and lists in each other: the parser drops what is deeper, and needs more stack to go on."""


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 - the parser's own name
        """Whether a link is one; any other stays the text that it is."""
        return _LINKS.match(url.strip()) is not None


_PARSER: Final = _Parser("commonmark", {"html": False, "breaks": True, "maxNesting": _DEEPEST})
_PARSER.disable(list(_LEFT_OUT))


def user_text(text: str) -> SafeString:
    """A text with emphasis, lists, quotations, code, and links to other sites and mail addresses.

    Links are not followed by search engines. Whatever else the text has is shown as it was written, and so is
    all of a text that nests quotations and lists deeper than ``_DEEPEST``.
    """
    parsed = _PARSER.parse(text)
    if any(token.nesting == 1 and token.level + 1 >= _DEEPEST for token in parsed):
        return mark_safe(linebreaks(text, autoescape=True))  # noqa: S308 - escaped
    for token in parsed:
        _mark_links(token.children or ())
    html: str = _PARSER.renderer.render(parsed, _PARSER.options, {})
    return mark_safe(html)  # noqa: S308 - the renderer escapes all text, and raw HTML is off


def _mark_links(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type == "link_open":
            token.attrSet("rel", _REL)
