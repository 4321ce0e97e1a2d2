"""The reward formulas, against the definitions written out."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.specs.rewards import Scale, cost_rewards, reward_on_error

REWARDS = cost_rewards("IrInstructionCount", cost="IrInstructionCount", metric="ir_instructions")
costs = st.integers(0, 10**7)


def test_the_five_rewards_of_a_cost_are_named_after_it() -> None:
    assert list(REWARDS) == [
        "IrInstructionCount",
        "IrInstructionCountNorm",
        "IrInstructionCountO3",
        "IrInstructionCountOz",
        "IrInstructionCountLogOz",
    ]
    assert REWARDS["IrInstructionCountO3"].scale is Scale.BASELINE


@given(initial=costs, before=costs, after=costs, baseline=costs)
def test_each_reward_is_as_defined(initial: int, before: int, after: int, baseline: int) -> None:
    def reward(name: str) -> float:
        levels = {"O0": initial, "O3": baseline, "Oz": baseline}
        return REWARDS[name].at(levels).between(before, after)

    assert reward("IrInstructionCount") == before - after
    assert reward("IrInstructionCountNorm") == (before - after) / max(initial, 1)
    assert reward("IrInstructionCountO3") == (before - after) / max(initial - baseline, 1)
    assert reward("IrInstructionCountOz") == (before - after) / max(initial - baseline, 1)
    assert reward("IrInstructionCountLogOz") == pytest.approx(math.log(max(before, 1) / max(after, 1)))


@given(initial=st.integers(2, 10**7), data=st.data())
def test_an_episode_that_equals_the_baseline_earns_one(initial: int, data: st.DataObject) -> None:
    baseline = data.draw(st.integers(0, initial - 1))
    path = [initial, *data.draw(st.lists(costs, max_size=20)), baseline]
    function = REWARDS["IrInstructionCountOz"].at({"O0": initial, "Oz": baseline})
    steps = [function.between(before, after) for before, after in itertools.pairwise(path)]
    assert function.total(baseline) == 1.0
    assert math.fsum(steps) == pytest.approx(1.0, rel=1e-6, abs=1e-6)


@given(path=st.lists(st.integers(1, 10**7), min_size=1), baseline=st.integers(1, 10**7))
def test_log_ratios_sum_up_to_the_logarithm_of_the_boards_ratio(path: list[int], baseline: int) -> None:
    function = REWARDS["IrInstructionCountLogOz"].at({"Oz": baseline})
    steps = [function.between(before, after) for before, after in itertools.pairwise([baseline, *path])]
    assert math.fsum(steps) == pytest.approx(math.log(baseline / path[-1]), abs=1e-9)
    assert function.total(path[-1]) == pytest.approx(math.fsum(steps), abs=1e-9)


@given(st.floats(-1e6, 1e6))
def test_an_error_takes_back_what_was_won_and_no_more(earned: float) -> None:
    assert earned + reward_on_error(earned) == min(earned, 0.0)
