r"""Converts what LLVM prints into text that can be stored, compared and shown.

Names and strings of a program are bytes. LLVM prints most bytes that are not ASCII as ``\FF``, but not all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_DIGITS: Final = frozenset(b"0123456789")
_STRAY: Final = re.compile("[\udc80-\udcff]")
_STRAY_BASE: Final = 0xDC00
_UNPRINTABLE: Final = re.compile(r"[^\n\x20-\x7e\xa1-\U0010ffff]|[\u2028\u2029\ud800-\udfff]")
_MESSAGE_CHARACTERS: Final = 500


def name(raw: bytes | str) -> str:
    r"""The text of a name, as bytes or decoded by ``surrogateescape``: bytes beyond ASCII as ``\xff``."""
    data = raw if isinstance(raw, bytes) else raw.encode(errors="surrogateescape")
    return data.decode("ascii", "backslashreplace")


def decoded(printed: bytes) -> str:
    """LLVM's output as text; bytes that are not UTF-8 are written as LLVM writes bytes in strings."""
    text = printed.decode(errors="surrogateescape")
    return _STRAY.sub(lambda stray: f"\\{ord(stray[0]) - _STRAY_BASE:02X}", text)


def canonical(printed: bytes) -> bytes:
    """The printed text of a module without names of local values, without its irrelevant lines."""
    return b"\n".join(_canonical_lines(printed))


def _canonical_lines(printed: bytes) -> Iterator[bytes]:
    """The lines of a module without names that define what the program does.

    Strings in IR contain no line breaks, so the start of a line identifies it: a comment, or, with a digit,
    the label of a block, followed by a comment that lists the predecessors.
    """
    for line in printed.split(b"\n"):
        if not line or line.startswith((b";", b"source_filename =")):
            continue
        yield line[: line.index(b":") + 1] if line[0] in _DIGITS else line


def message(text: str) -> str:
    """LLVM's message, which may quote a program's bytes: control characters are escaped, the end is cut."""
    escaped = _UNPRINTABLE.sub(lambda one: ascii(one[0])[1:-1], text.strip())
    return escaped if len(escaped) <= _MESSAGE_CHARACTERS else f"{escaped[:_MESSAGE_CHARACTERS]}…"
