"""The measurement of an item's noisy value: its blocks, and the machine.

Each environment measures in its own way and records its own facts, so every field here may be absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from leaderboard.selectors.repetitions import measurements_together
from optarena.specs.board import finite_number, measured_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from leaderboard.models import SubmissionItem

_DEPTH: Final = 4
"""Facts are named by the parts that contain them, up to this depth; deeper ones are not shown."""
_DEEPER: Final = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fresh process, which measured an item and its reference in turns.

    Attributes:
        number: Counts from 1, in the order in which they were measured.
        value: The median of the board's metric, in the metric's unit.
        reference: The median of the reference, in the same unit.
        ratio: The factor by which it is better than the reference.
        discarded: Why it does not count; empty if it does.
        readings: All readings of the item, in the order in which they were made.
        reference_readings: Those of the reference.
        samples: The number of timings of each.
        threads: Threads that shared the work.
        temperature: Whether the operands may have lain in a cache: ``warm`` or ``cold``.
        state: The state of the machine that differed between blocks, as label and text: its load, its clocks.
    """

    number: int
    value: float
    reference: float
    ratio: float | None
    discarded: str
    readings: tuple[float, ...]
    reference_readings: tuple[float, ...]
    samples: float | None
    threads: float | None
    temperature: str
    state: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measurement.

    Attributes:
        value: The value that counts, in the metric's unit.
        reference: The reference, in the same unit; None where it is a recorded value.
        interval: The smallest and the largest value of the blocks.
        blocks: All blocks.
        machine: Facts that identify the machine and did not change, as label and text.
    """

    value: float | None
    reference: float | None
    interval: tuple[float, float] | None
    blocks: tuple[Block, ...]
    machine: tuple[tuple[str, str], ...]

    @property
    def columns(self) -> frozenset[str]:
        """The names of the facts that any block recorded: environments differ in them."""
        names = ("threads", "temperature", "state", "readings")
        return frozenset(name for name in names if any(getattr(block, name) for block in self.blocks))


def measurement(item: SubmissionItem) -> Measured | None:
    """The measurement of an item; None where its metrics are exact, or before there is one."""
    metrics, found = measurements_together(item.verification)
    if not found:
        return None
    board = item.submission.board
    value = finite_number(metrics.get(board.metric))
    reference = finite_number(metrics.get(board.reference_metric))
    return Measured(
        value=value,
        reference=reference,
        interval=measured_intervals(found).get(board.metric),
        blocks=tuple(_blocks(found.get("blocks"), board.metric)),
        machine=tuple(_described(found.get("machine"))),
    )


def _blocks(rows: object, metric: str) -> Iterator[Block]:
    """The blocks that have both numbers; each keeps the number of its turn."""
    for number, row in enumerate(rows if isinstance(rows, list) else (), start=1):
        block, candidate, reference = _part(row), _part(row, "candidate"), _part(row, "reference")
        value, compared = finite_number(candidate.get(metric)), finite_number(reference.get(metric))
        if value is None or compared is None:
            continue
        yield Block(
            number=number,
            value=value,
            reference=compared,
            ratio=finite_number(block.get("ratio")),
            discarded=_text(block.get("discarded")),
            readings=_numbers(candidate.get("readings")),
            reference_readings=_numbers(reference.get("readings")),
            samples=finite_number(candidate.get("samples")),
            threads=finite_number(candidate.get("threads")),
            temperature=_text(candidate.get("temperature")),
            state=tuple(_described(block.get("machine"))),
        )


def _part(data: object, key: str = "") -> Mapping[str, Any]:
    """An object of JSON data, or its value at a key; empty where that is not an object."""
    if not isinstance(data, dict):
        return {}
    return _part(data.get(key)) if key else data


def _numbers(data: object) -> tuple[float, ...]:
    found = (finite_number(one) for one in (data if isinstance(data, list) else ()))
    return tuple(one for one in found if one is not None)


def _described(facts: object, within: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Label and text of each fact, the device first; those of a part after the part's name."""
    # The database keeps no order of its own.
    for key, value in sorted(_part(facts).items(), key=lambda fact: (fact[0] != "device", fact[0])):
        label = f"{within} {key}".strip().replace("_", " ")
        if isinstance(value, dict):
            yield from _described(value, label, depth + 1) if depth < _DEPTH else [(label, _DEEPER)]
        elif isinstance(value, list):
            yield label, ", ".join(map(_text, value)) or "none"
        elif text := _text(value):
            yield label, text


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict | list):
        return _DEEPER
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)
