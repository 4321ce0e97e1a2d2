"""Makes callers' text safe for a line of a log or a terminal."""

from __future__ import annotations


def printable(text: str, *, keep: str = "") -> str:
    r"""A text whose control and other invisible characters are written as escapes, such as ``\x1b``.

    Args:
        text: Any text.
        keep: Characters to leave as they are, such as line feeds in a text of several lines.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in keep else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")
