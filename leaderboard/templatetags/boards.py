"""How numbers look on the pages: every figure is written by one of these filters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django import template

from leaderboard.models import benchmark_name
from leaderboard.selectors import level_text

if TYPE_CHECKING:
    from leaderboard.models import Board
    from runner.models import Verification

register = template.Library()
# A template writes an empty text where something on the way to a value does not exist.
Absent = str | None

NOTHING: Final = "–"  # noqa: RUF001 - a dash stands where there is no number
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


@register.filter
def score(value: float | Absent) -> str:
    """A ratio with four decimals, or a dash."""
    return NOTHING if isinstance(value, Absent) else f"{value:.4f}"


@register.filter
def signed_percent(value: float | Absent) -> str:
    """A share as a percentage with its sign; a true minus sign keeps columns straight."""
    if isinstance(value, Absent):
        return NOTHING
    text = f"{100 * value:+.2f} %"
    return text.replace("-", "−")  # noqa: RUF001 - the minus sign is meant


@register.filter
def number(value: float | Absent) -> str:
    """A count or a measured value with thousands separated."""
    if isinstance(value, Absent):
        return NOTHING
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.4g}"


@register.filter
def duration(seconds: float | Absent) -> str:
    """Seconds as people say them."""
    if isinstance(seconds, Absent):
        return NOTHING
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < _MINUTE:
        return f"{seconds:.1f} s"
    if seconds < _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds / _HOUR:.1f} h" if seconds < _DAY else f"{seconds / _DAY:.1f} days"


@register.filter
def level(name: str | None) -> str:
    """A compiler's own level as people write it: ``-O2``, but ``LPT``."""
    return level_text(name) if name else NOTHING


@register.filter
def yardstick(board: Board) -> str:
    """What a ratio of 1 stands for on a board."""
    return "the reference" if board.reference_metric else level_text(board.baseline_level)


@register.filter
def replayed(verification: Verification) -> str:
    """What the benchmark of a replay is called."""
    return benchmark_name(verification.benchmark, verification.benchmark_uri)


@register.filter
def get(mapping: dict[str, object] | None, key: str) -> object:
    """A value of a mapping by a key that is a variable; empty where there is none."""
    return (mapping or {}).get(key, "")
