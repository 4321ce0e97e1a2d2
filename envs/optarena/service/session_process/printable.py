"""Text of callers made fit for a line of a log or a terminal: nothing in it can pass for something else."""

from __future__ import annotations


def printable(text: str, *, keep: str = "") -> str:
    r"""A text whose control and other invisible characters are written as escapes, such as ``\x1b``.

    Args:
        text: Anything.
        keep: Characters to be left as they are: line feeds, where a text may have lines.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in keep else _escaped(one) for one in text)


def _escaped(one: str) -> str:
    return one.encode("unicode_escape").decode("ascii")
