"""A value beside its reference, on a line for each pair, from zero on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from datasets.site.charts.scales import AxisScale, Frame, Tick, halves

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROW: Final = 26
_LEFT: Final = 64
_RIGHT: Final = 32
"""Room for half a dot and half a label at the end."""
_TOP: Final = 14
_AXIS: Final = 34


@dataclass(frozen=True, slots=True)
class Pair:
    """One line: its name, its height, and where its reference and its value stand."""

    label: str
    y: float
    reference: float
    value: float


@dataclass(frozen=True, slots=True)
class PairChart:
    """Pairs below each other, and labelled places on their axis."""

    frame: Frame
    pairs: tuple[Pair, ...]
    ticks: tuple[Tick, ...]


def pair_chart(
    pairs: Sequence[tuple[float, float]], *, labels: Sequence[str], width: int
) -> PairChart | None:
    """Draw pairs of a reference and a value, none negative; None where there is nothing to draw.

    Args:
        pairs: The pairs.
        labels: What each is called.
        width: Of the drawing, in user units.
    """
    highest = max((max(pair) for pair in pairs), default=0.0)
    if highest <= 0 or min(min(pair) for pair in pairs) < 0:
        return None
    bottom = _TOP + _ROW * len(pairs)
    frame = Frame(
        width=width, height=bottom + _AXIS, left=_LEFT, right=width - _RIGHT, top=_TOP, bottom=bottom
    )
    x = AxisScale(0, highest, frame.left, frame.right)
    drawn = tuple(
        Pair(label, _TOP + _ROW * (row + 0.5), x(reference), x(value))
        for row, (label, (reference, value)) in enumerate(zip(labels, pairs, strict=True))
    )
    return PairChart(frame, drawn, x.ticks(halves(0.0, highest), lambda value: format(value, ",.3g")))
