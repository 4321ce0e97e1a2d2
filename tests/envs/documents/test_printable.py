"""Text of callers in logs and messages."""

from __future__ import annotations

import pytest

from optarena.documents.texts import printable


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain: é ٣ 漢 \\x1b", "plain: é ٣ 漢 \\x1b"),
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x1b[31mred\x00\x7f\x9b", r"\x1b[31mred\x00\x7f\x9b"),
        ("turned \u202e round \u2028 half \udcff", r"turned \u202e round \u2028 half \udcff"),
        ("", ""),
    ],
)
def test_what_cannot_be_seen_is_escaped(text: str, escaped: str) -> None:
    assert printable(text) == escaped


def test_lines_may_be_kept() -> None:
    assert printable("a\nb\tc\x1b", keep="\n\t") == "a\nb\tc\\x1b"
