"""What is measured of GCC's programs, the rewards, and the version of an environment. Pure data."""

from __future__ import annotations

from typing import Any, Final

from optarena.gcc import pinned
from optarena.gcc.actions import CHOICES, ChoiceTable
from optarena.machine_code.sizes import load_size, text_size
from optarena.specs import RewardSpec, Scale, cost_rewards

LOAD_SIZE: Final = load_size("load_size_bytes")
TEXT_SIZE: Final = text_size("text_size_bytes")
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
