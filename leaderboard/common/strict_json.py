"""JSON as the API reads it: nothing that two readers could understand differently, nothing unprintable."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from optarena import limits

_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


def load_strictly(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Parse a document.

    Raises:
        ValueError: It is not JSON, names a key twice, has NaN or infinity, is nested too deeply, or has
            half of a surrogate pair; the message says which.
    """
    _check_depth(text)
    value = json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    if _SURROGATE.search(text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("it has half of a surrogate pair, which is no character") from None
    return value


def _check_depth(text: str) -> None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        if match[0] in "[{":
            depth += 1
            if depth > limits.MAX_JSON_DEPTH:
                raise ValueError(f"it is nested more than {limits.MAX_JSON_DEPTH} levels deep")
        elif match[0] in "]}":
            depth -= 1


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value] # add returns None
        raise ValueError(f"the key {twice[:80]!r} stands twice in one object")
    return made


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")
