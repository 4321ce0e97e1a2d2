"""The release ``steps-v0`` is what ``baselines.steps`` makes of the committed results and of walks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

import optarena.data
from baselines import steps
from optarena.data.tables import StepData, read_releases
from optarena.datasets import datasets

if TYPE_CHECKING:
    from pathlib import Path


PROGRAM = "benchmark://programs-v0/siphash"


def of_program(data: StepData) -> list[tuple[object, ...]]:
    """The steps of one program, without numbers that depend on the others."""
    frame = data.frame()
    columns = ("index", "action", "had_effect", "cost_before", "cost_after", "digest_before", "digest_after")
    chosen = frame[frame["program"] == PROGRAM]
    return list(chosen[list(columns)].itertuples(index=False, name=None))


def test_the_script_makes_the_steps_of_the_release(tmp_path: Path) -> None:
    made = steps.make(tmp_path, [datasets().benchmark(PROGRAM)], Console(quiet=True), 2)
    found = of_program(read_releases([made]))
    assert len(found) > 300
    assert found == of_program(optarena.data.load(steps.NAME))
