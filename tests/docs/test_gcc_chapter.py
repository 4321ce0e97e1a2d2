"""The chapter on GCC: the figures of the committed hill climb are those that it tells."""

from __future__ import annotations

import random
from typing import Any

from baselines.reading import committed, geometric_mean
from optarena import make
from optarena.gcc.options import UNSET
from tests.kit.folders import ROOT
from tests.kit.gcc import needs_gcc

TEXT = (ROOT / "docs/15-gcc.md").read_text().partition("## A hill climb")[2].partition("\n## ")[0]
[CLIMB] = [one for one in committed() if (one.board.slug, one.agent) == ("gcc-codesize", "hill-climb")]
COST = "load_size_bytes"


def test_the_chapter_has_the_committed_figures() -> None:
    ratios, lengths = sorted(CLIMB.ratios.values()), [one.actions - 1 for one in CLIMB.report.found]
    mean = geometric_mean(ratios)
    assert mean >= 1.05
    assert f"**{mean:.4f}**" in TEXT
    assert f"from {ratios[0]:.3f} to {ratios[-1]:.3f}" in TEXT
    assert f"{min(lengths)} to {max(lengths)} options" in TEXT
    assert CLIMB.report.run.command in TEXT


@needs_gcc
def test_no_option_of_a_drawn_command_line_can_go() -> None:
    [state] = random.sample(CLIMB.states, 1)
    env: Any = make("gcc-v0", benchmark=state.benchmark)
    with env:
        env.reset()
        env.multistep(env.environment.action_table.parse(state.commandline))
        found = env.choices
        assert env.observation[COST] == state.claims[COST]
        for option, choice in enumerate(found[1:], start=1):
            if choice != UNSET:
                env.choices = (*found[:option], UNSET, *found[option + 1 :])
                assert env.observation[COST] > state.claims[COST], state
