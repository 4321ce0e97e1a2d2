"""Splits textual IR into its tokens, by the lexical rules of LLVM's language reference."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_STRING: Final = r'"[^"]*"'
_WORD: Final = r"[-a-zA-Z$._][-a-zA-Z$._0-9]*"
_NAMED: Final = rf"(?:{_STRING}|{_WORD}|[0-9]+)"
_FORMS: Final = (
    ("comment", "", r";[^\n]*"),
    ("label", "identifier", rf"(?:{_STRING}|[-a-zA-Z$._0-9]+):"),
    ("global", "identifier", rf"@{_NAMED}"),
    ("local", "identifier", rf"%{_NAMED}"),
    ("comdat", "identifier", rf"\$(?:{_STRING}|{_WORD})"),
    ("metadata", "metadata", r"!(?:[-a-zA-Z$._][-a-zA-Z$._0-9\\]*|[0-9]+)?"),
    ("attributes", "attribute", r"#[0-9]+"),
    ("summary", "metadata", r"\^[0-9]+"),
    ("bytes", "constant", rf"c{_STRING}"),
    ("string", "constant", _STRING),
    ("float", "constant", r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|[-+]?(?:0x[KLMHR]?|f0x)[0-9A-Fa-f]+"),
    ("integer", "constant", r"-?[0-9]+|[su]0x[0-9A-Fa-f]+"),
    ("ellipsis", "punctuation", r"\.\.\."),
    ("type", "type", r"(?:i[0-9]+|ptr|void|half|bfloat|float|double|fp128|x86_fp80|ppc_fp128|label|token)\b"),
    ("keyword", "keyword", r"[a-zA-Z_$.][-a-zA-Z0-9_$.]*"),
    ("punctuation", "punctuation", r"[=,*\[\]{}()<>|:/]"),
    ("unknown", "unknown", r"\S"),
)
KINDS: Final = tuple(kind for kind, _, _ in _FORMS)
"""The kinds of tokens; a token's id is the place of its kind."""
_CATEGORIES: Final = {kind: category for kind, category, _ in _FORMS}
_TOKEN: Final = re.compile("|".join(f"(?P<{kind}>{form})" for kind, _, form in _FORMS))


@dataclass(frozen=True, slots=True)
class Token:
    """One token: the place of its kind in ``KINDS``, its kind, the kind's category, and its text."""

    id: int
    kind: str
    category: str
    value: str


def tokens(text: str) -> Iterator[Token]:
    """The tokens of textual IR, in order, without comments; together with white space they are the text."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "unknown"
        if kind != "comment":
            yield Token(KINDS.index(kind), kind, _CATEGORIES[kind], match.group())
