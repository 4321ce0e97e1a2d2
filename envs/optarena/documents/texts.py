"""Printable texts, and how to make any text printable. Processes of sessions import this module."""

from __future__ import annotations

import re
from typing import Final

_JOINERS: Final = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"  # Invisible, but necessary in some scripts
# Categories of invisible characters that control terminals or the text around them.
_UNPRINTED: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_SPACES: Final = re.compile(r"\r\n|[\n\t]")
_LINES: Final = "\n\r\t\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"


def is_printable(text: str, *, lines: bool = False) -> bool:
    # Without control characters, halves of surrogate pairs, and characters that are invisible or change the
    # direction of writing, except for joiners.
    if text.isprintable():  # true for almost every text, and much faster
        return True
    # Each character once: a text may have millions.
    return all(_is_seen(one) or (lines and one in _LINES) for one in set(text))


def is_encodable(text: str) -> bool:
    # JSON can write half of a surrogate pair, which UTF-8 cannot.
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def has_word(text: str, word: str) -> bool:
    # Not within something longer, such as another URI.
    return re.search(rf"(?<![\w/.:-]){re.escape(word)}(?![\w/-])", text) is not None


def escape_surrogates(text: str) -> str:
    # Messages cannot carry halves of surrogate pairs.
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def printable(text: str, *, keep: str = "") -> str:
    if text.isprintable():
        return text
    return "".join(
        one if one in keep or _is_seen(one) else one.encode("unicode_escape").decode("ascii") for one in text
    )


def one_line(text: str) -> str:
    if text.isprintable():
        return text
    return printable(_SPACES.sub(" ", text))


def _is_seen(one: str) -> bool:
    if one.isprintable() or one in _JOINERS:
        return True
    import unicodedata  # noqa: PLC0415 - few texts need it, and processes of sessions start quicker without it

    return unicodedata.category(one) not in _UNPRINTED
