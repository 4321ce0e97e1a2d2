"""As a plug-in: makes measurements of loop_tool one block long, which is killed after a few seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from optarena.loop_tool import blocks

if TYPE_CHECKING:
    from optarena.specs.results import Measurement, MeasurementPlan

SECONDS = 8.0
_whole = blocks.measure_blocks


def measure_block(
    uri: str, actions: Sequence[int], plan: MeasurementPlan, *, seconds: float = SECONDS
) -> Measurement:
    return _whole(uri, actions, replace(plan, blocks=1), seconds=seconds)


blocks.measure_blocks = measure_block
