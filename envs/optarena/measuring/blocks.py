"""Measurements in blocks: each is a fresh process, in which a candidate and its reference take turns.

Each process has its own addresses and pages, which affect times, so the process is the unit of repetition. A
block's ratio is the median over pairs of adjacent readings, one of each: what slows the machine for longer
slows both. Whether a block counts is decided by its reference alone, so no candidate can choose its blocks.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Self, TypeVar

from optarena.errors import InfrastructureFault
from optarena.measuring.estimates import LEAST_BLOCKS, spread_interval
from optarena.specs.results import UNSTEADY, Measurement, MeasurementPlan

# The standard deviation of a normal distribution, in median absolute deviations.
_AS_DEVIATION: Final = 1.4826


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRule:
    """How limits follow from a spread; all in logarithms, so 0.05 is about 5 %.

    Attributes:
        spreads: How many spreads (median absolute deviations, as standard deviations) a level may be off.
        least: A smaller deviation is always within the limits: a few levels do not tell a smaller spread.
        most: A larger deviation is never within the limits, however much all of them spread.
    """

    spreads: float
    least: float
    most: float

    def limits(self, levels: Sequence[float]) -> ControlLimits:
        """The limits around the median of some levels, which are logarithms; at least one."""
        middle = statistics.median(levels)
        deviation = _AS_DEVIATION * statistics.median(abs(level - middle) for level in levels)
        return ControlLimits(middle, min(max(self.spreads * deviation, self.least), self.most))


@dataclass(frozen=True, slots=True)
class ControlLimits:
    """What is within limits: at most ``limit`` off ``middle``, in logarithms."""

    middle: float
    limit: float

    def off(self, level: float) -> float:
        """By how much a level is off the middle."""
        return level - self.middle

    def includes(self, level: float) -> bool:
        """Whether a level is within the limits."""
        return abs(self.off(level)) <= self.limit


T = TypeVar("T")

BLOCKS: Final = 5
# How far a block's reference may be off those of the others.
REFERENCE_RULE: Final = ControlRule(spreads=4.0, least=0.05, most=0.3)
# A measurement is given up after so many times the wanted number of blocks, without those that it kept.
_MOST: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredBlock:
    """What one process measured.

    Attributes:
        pairs: For each pair of adjacent readings, the factor by which the candidate's is better.
        level: The reference's own level, a positive number, by which the block counts or not.
        machine: Facts about the machine, and its present state.
        emulated: Whether the device was only emulated.
        discarded: Why the block does not count; empty if it does.
    """

    candidate: Mapping[str, Any]
    reference: Mapping[str, Any]
    pairs: tuple[float, ...]
    level: float
    machine: Mapping[str, Any] = field(default_factory=dict)
    emulated: bool = False
    discarded: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any], common: Mapping[str, Any] | None = None) -> Self:
        """The block that ``as_dict`` wrote, with the facts that all had in common.

        Raises:
            KeyError, TypeError, ValueError: The data are not those of a block.
        """
        return cls(
            candidate=dict(data["candidate"]),
            reference=dict(data["reference"]),
            pairs=tuple(map(float, data["pairs"])),
            level=float(data["level"]),
            machine={**(common or {}), **data["machine"]},
            emulated=bool(data.get("emulated")),
            discarded=str(data.get("discarded", "")),
        )

    @property
    def ratio(self) -> float:
        """The factor by which the candidate is better than the reference."""
        return math.exp(statistics.median(map(math.log, self.pairs)))

    def as_dict(self, common: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The block as JSON data, without the facts that all blocks have in common."""
        own = {key: value for key, value in self.machine.items() if key not in (common or {})}
        told = {
            "ratio": self.ratio,
            "pairs": list(self.pairs),
            "candidate": dict(self.candidate),
            "reference": dict(self.reference),
            "level": self.level,
            "machine": own,
        }
        remarks = {"discarded": self.discarded, "emulated": self.emulated}
        return told | {name: remark for name, remark in remarks.items() if remark}


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """The names of what blocks give: the candidate's figure, the reference's, and their ratio.

    The reference's figures may have ``others``, of what is measured beside it.
    """

    value: str
    reference: str
    ratio: str
    others: Sequence[str] = ()


def read_in_turns(
    candidate: Callable[[], T],
    reference: Callable[[], T],
    *,
    pairs: int,
    halfway: Callable[[], object] = lambda: None,
) -> list[tuple[T, T]]:
    """Return readings of both in pairs; the order changes with each pair (ABBA).

    So a machine that becomes steadily slower favours neither. ``halfway`` is called amidst the pairs.
    """
    found = []
    for number in range(pairs):
        if number == pairs // 2:
            halfway()
        if number % 2 == 0:
            own = candidate()
            found.append((own, reference()))
        else:
            other = reference()
            found.append((candidate(), other))
    return found


def measure(block: Callable[[], MeasuredBlock], plan: MeasurementPlan, metrics: Metrics) -> Measurement:
    """Measure until so many blocks count as the plan wants; those that it kept are not measured again.

    Args:
        block: Measures one block in a fresh process.
        plan: How many blocks, and who is told.
        metrics: Their names.

    Returns:
        The geometric mean of the ratios, and both figures of the block with the median ratio. The details
        have the ``device``, the part of ``machine`` that all blocks share, whether the device was only
        ``emulated``, for each metric the ``interval`` in which another block is expected, the ``names`` of
        the metrics by their roles, and all ``blocks`` in their order, each with the rest of its ``machine``:
        its load, its clocks.

    Raises:
        InfrastructureFault: The machine is too unsteady: most references are beyond their limits.
    """
    blocks = BLOCKS if plan.blocks is None else plan.blocks
    done = apply_control_chart([MeasuredBlock.of(one) for one in plan.kept])
    most = len(done) + _MOST * blocks  # what another machine left says nothing about this one
    while (counting := sum(not one.discarded for one in done)) < blocks:
        if len(done) >= most:
            message = f"Of {len(done)} blocks, {counting} have a reference within its limits."
            raise InfrastructureFault(message, reason=UNSTEADY)
        for _ in range(blocks - counting):
            plan.between(min(len(done), blocks - 1), blocks)
            done.append(block())
            plan.keep(done[-1].as_dict())
        done = apply_control_chart(done)
    plan.between(blocks, blocks)
    return _measurement(done, metrics)


def apply_control_chart(done: Sequence[MeasuredBlock]) -> list[MeasuredBlock]:
    """Return the blocks with the control chart's decision: which of them count.

    The limits are around the median of the references' levels, in logarithms. The candidate's figures play no
    part.
    """
    if not done:
        return []
    levels = [math.log(one.level) for one in done]
    limits = REFERENCE_RULE.limits(levels)
    return [_judged(one, level, limits) for one, level in zip(done, levels, strict=True)]


def _judged(block: MeasuredBlock, level: float, limits: ControlLimits) -> MeasuredBlock:
    if limits.includes(level):
        return replace(block, discarded="")
    off = limits.off(level)
    most = math.expm1(math.copysign(limits.limit, off))  # on the same side: +35 % is as far as -26 %
    why = f"the reference is {math.expm1(off):+.1%} off the others' median; the limit is {most:+.1%}"
    return replace(block, discarded=why)


def pool_measurements(measurements: Sequence[Mapping[str, Any]]) -> Measurement:
    """Return the measurement that the blocks of several of the same program make together.

    Each keeps the decisions of its own control chart.

    Raises:
        KeyError, TypeError, ValueError: One has other details than ``measure`` writes.
    """
    done = [
        MeasuredBlock.of(block, details["machine"]) for details in measurements for block in details["blocks"]
    ]
    return _measurement(done, Metrics(**measurements[0]["names"]))


def _measurement(done: Sequence[MeasuredBlock], metrics: Metrics) -> Measurement:
    counting = [block for block in done if not block.discarded]
    middle = sorted(counting, key=lambda block: block.ratio)[(len(counting) - 1) // 2]
    machines = [block.machine for block in done]
    common = {
        key: value for key, value in machines[0].items() if all(one.get(key) == value for one in machines)
    }
    ratios = [block.ratio for block in counting]
    every = {
        metrics.value: [float(block.candidate[metrics.value]) for block in counting],
        metrics.reference: [float(block.reference[metrics.value]) for block in counting],
        metrics.ratio: ratios,
        **{name: [float(block.reference[name]) for block in counting] for name in metrics.others},
    }
    return Measurement(
        metrics={
            metrics.value: float(middle.candidate[metrics.value]),
            metrics.reference: float(middle.reference[metrics.value]),
            metrics.ratio: statistics.geometric_mean(ratios),
            **{name: float(middle.reference[name]) for name in metrics.others},
        },
        details={
            "device": str(common.get("device", "")),
            "machine": common,
            "emulated": any(block.emulated for block in done),
            "interval": {
                name: list(spread_interval(values))
                for name, values in every.items()
                if len(values) >= LEAST_BLOCKS
            },
            "names": asdict(metrics) | {"others": list(metrics.others)},
            "blocks": [block.as_dict(common) for block in done],
        },
    )
