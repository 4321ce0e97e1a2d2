"""The tokens of textual IR."""

from __future__ import annotations

import re

import pytest

from optarena.llvm.lexing import KINDS, tokens
from tests.kit.every_service import DIGITS

LINE = '%x.1 = call noundef i32 @"a b"(ptr !nonnull, float 1.0e+00, i8 -3) #0, !dbg !12 ; why\nexit:\n'


def test_each_token_has_its_kind() -> None:
    assert [(token.kind, token.value) for token in tokens(LINE)] == [
        ("local", "%x.1"),
        ("punctuation", "="),
        ("keyword", "call"),
        ("keyword", "noundef"),
        ("type", "i32"),
        ("global", '@"a b"'),
        ("punctuation", "("),
        ("type", "ptr"),
        ("metadata", "!nonnull"),
        ("punctuation", ","),
        ("type", "float"),
        ("float", "1.0e+00"),
        ("punctuation", ","),
        ("type", "i8"),
        ("integer", "-3"),
        ("punctuation", ")"),
        ("attributes", "#0"),
        ("punctuation", ","),
        ("metadata", "!dbg"),
        ("metadata", "!12"),
        ("label", "exit:"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('c"a\\00"', "bytes"),
        ("$comdat", "comdat"),
        ("0x4000000000000000", "float"),
        ("0xK3FFF8000000000000000", "float"),
        ("...", "ellipsis"),
        ("^3", "summary"),
        ('"a:b"', "string"),
        ("x86_fp80", "type"),
        ("13:", "label"),
        ("~", "unknown"),
    ],
)
def test_rare_forms_are_one_token(text: str, kind: str) -> None:
    (token,) = tokens(text)
    assert (token.kind, token.value, KINDS[token.id]) == (kind, text, kind)


def test_nothing_but_comments_and_white_space_is_lost() -> None:
    text = DIGITS.read_text()
    found = list(tokens(text))
    assert "unknown" not in {token.kind for token in found}
    without_comments = re.sub(r'("[^"\n]*")|;[^\n]*', lambda match: match[1] or "", text)
    assert re.sub(r"\s", "", "".join(token.value for token in found)) == re.sub(r"\s", "", without_comments)
