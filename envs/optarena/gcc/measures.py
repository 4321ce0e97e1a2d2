"""What is measured of GCC's programs, the rewards, and the version of an environment. Pure data."""

from __future__ import annotations

from typing import Any, Final

from optarena import limits
from optarena.gcc import pinned
from optarena.gcc.actions import CHOICES, ChoiceTable
from optarena.specs import Metric, RewardSpec, Scale, cost_rewards

LOAD_SIZE: Final = Metric(
    name="load_size_bytes",
    title="Loaded bytes",
    unit="bytes",
    observation="load_size_bytes",
    cpu_seconds=limits.CODE_CPU_SECONDS,
)
"""Code, read-only data and data: code alone could be moved into jump tables."""
TEXT_SIZE: Final = Metric(
    name="text_size_bytes",
    title="Machine code size",
    unit="bytes",
    observation="text_size_bytes",
    cpu_seconds=limits.CODE_CPU_SECONDS,
)
METRICS: Final = (LOAD_SIZE, TEXT_SIZE)


def rewards(smallest: str = "Oz", *, is_recorded: bool = True) -> dict[str, RewardSpec]:
    """The rewards, by name.

    Args:
        smallest: The level for small code.
        is_recorded: Whether the datasets have baselines of this GCC.
    """
    levels = ("O3", smallest)
    made: dict[str, RewardSpec] = {}
    for prefix, metric in (("LoadSize", LOAD_SIZE), ("TextSize", TEXT_SIZE)):
        recorded = metric.name if is_recorded else ""
        made |= cost_rewards(prefix, cost=metric.observation, metric=recorded, levels=levels)
    for name, cost in (("LoadSize", LOAD_SIZE.observation), ("asm_size", ""), ("obj_size", "")):
        recorded = LOAD_SIZE.name if cost and is_recorded else ""
        made[name] = RewardSpec(name=name, cost=cost or name, metric=recorded, scale=Scale.DIFFERENCE)
    return made


def version(table: ChoiceTable = CHOICES) -> dict[str, Any]:
    """What the results of an environment depend on."""
    return {
        **pinned.version_spec(),
        "table": table.version_spec(),
        "metrics": [[metric.name, metric.observation, metric.version] for metric in METRICS],
    }
