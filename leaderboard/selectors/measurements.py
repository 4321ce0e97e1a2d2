"""How an item's value was measured, where that is noisy: its blocks, and the machine.

Each environment measures in its own way and adds what it likes, so that everything here may be absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optarena.claims import measured_intervals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from leaderboard.models import SubmissionItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fresh process, which measured an item and its reference in turns.

    Attributes:
        number: Counts from 1.
        value: The median of the board's metric, in the metric's unit.
        reference: The median of the reference, in the same unit.
        ratio: How many times better than the reference.
        counted: Whether its figures are the item's.
        samples: How often each was timed.
        threads: Threads that shared the work.
        temperature: Whether the operands may have lain in a cache: ``warm`` or ``cold``.
    """

    number: int
    value: float
    reference: float
    ratio: float | None
    counted: bool
    samples: int | None
    threads: int | None
    temperature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measurement.

    Attributes:
        value: What counts, in the metric's unit.
        reference: What it is compared with, in the same unit; None where that is a recorded value.
        interval: The ends of what the blocks measured.
        blocks: Each of them.
        machine: What tells the machine from others, as label and text.
    """

    value: float | None
    reference: float | None
    interval: tuple[float, float] | None
    blocks: tuple[Block, ...]
    machine: tuple[tuple[str, str], ...]


def measurement(item: SubmissionItem) -> Measured | None:
    """How an item was measured; None where its metrics are exact, or nothing is measured yet."""
    found = ((item.verification.result if item.verification else None) or {}).get("measurement")
    if not found:
        return None
    board = item.submission.board
    value = item.measured.get(board.metric)
    return Measured(
        value=value,
        reference=item.measured.get(board.reference_metric),
        interval=measured_intervals(found).get(board.metric),
        blocks=tuple(_blocks(found.get("blocks") or (), board.metric, value)),
        machine=tuple(_described(found.get("machine") or {})),
    )


def _blocks(rows: Sequence[dict[str, Any]], metric: str, value: float | None) -> Iterator[Block]:
    counted = False
    for number, row in enumerate(rows, start=1):
        candidate, reference = row["candidate"], row["reference"]
        first = not counted and candidate[metric] == value
        counted = counted or first
        yield Block(
            number=number,
            value=candidate[metric],
            reference=reference[metric],
            ratio=row.get("ratio"),
            counted=first,
            samples=candidate.get("samples"),
            threads=candidate.get("threads"),
            temperature=str(candidate.get("temperature") or ""),
        )


def _described(machine: Mapping[str, Any], within: str = "") -> Iterator[tuple[str, str]]:
    """Label and text of each fact, the device first; those of a part after the part's name."""
    # The database keeps no order of its own.
    for key, value in sorted(machine.items(), key=lambda fact: (fact[0] != "device", fact[0])):
        label = f"{within} {key}".strip().replace("_", " ")
        if isinstance(value, dict):
            yield from _described(value, label)
        elif isinstance(value, list):
            yield label, ", ".join(map(str, value)) or "none"
        elif isinstance(value, bool):
            yield label, "yes" if value else "no"
        elif value not in (None, ""):
            yield label, str(value)
