"""The formats of numbers on pages, one for each kind."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime

# A template passes an empty text if a part of a variable's path does not exist.
Absent = str | None

NOTHING: Final = "–"  # noqa: RUF001 - a dash means that there is no number
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def score(value: float | Absent) -> str:
    """A ratio with four decimals, or a dash."""
    return NOTHING if isinstance(value, Absent) else f"{value:.4f}"


def signed_percent(value: float | Absent) -> str:
    """A share as a percentage with its sign; a true minus sign keeps columns straight."""
    if isinstance(value, Absent):
        return NOTHING
    text = f"{100 * value:+.2f} %"
    return text.replace("-", "−")  # noqa: RUF001 - the minus sign is intended


def number(value: float | Absent) -> str:
    """A count or a measured value with thousands separated."""
    if isinstance(value, Absent):
        return NOTHING
    return f"{int(value):,}" if float(value).is_integer() else f"{value:,.4g}"


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


def iso(moment: datetime) -> str:
    """A moment for programs. Django's own filter ``date`` is slow in long lists."""
    return moment.isoformat()


def day(moment: datetime) -> str:
    """The day of a moment, as ``iso``."""
    return moment.date().isoformat()


def moment(when: datetime, detail: str = "minutes") -> str:
    """A moment for people, with its time zone, to the minute or with ``detail`` to the second."""
    return when.astimezone(UTC).strftime(
        "%Y-%m-%d %H:%M:%S UTC" if detail == "seconds" else "%Y-%m-%d %H:%M UTC"
    )


def short(value: float) -> str:
    """A number in few characters: ``512``, ``16k``, ``4M``."""
    for size, unit in ((2**30, "G"), (2**20, "M"), (2**10, "k")):
        if value >= size:
            return f"{value / size:.4g}{unit}"
    return f"{value:.4g}"


def percent(value: float) -> str:
    """A share as a percentage."""
    return f"{value:.0%}"


def small_percent(value: float | Absent) -> str:
    """A share as a percentage with two decimals, or a dash; 0 where there is none at all."""
    if isinstance(value, Absent):
        return NOTHING
    return f"{100 * value:.2f} %" if value else "0"
