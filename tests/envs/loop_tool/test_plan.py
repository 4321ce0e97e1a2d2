"""The plan that both lowerings start from: whatever carries it out touches each element once."""

from __future__ import annotations

import math

import pytest
from hypothesis import given

from optarena.loop_tool.nest import MAX_LEAF, Level, Loop, Nest, Plan
from tests.kit.loop_tool.nests import nests


def visited(plan: Plan) -> list[int]:
    """The elements in the order of a machine with one thread, by the words of the plan."""
    seen: list[int] = []

    def below(levels: tuple[Level, ...], base: int, end: int) -> None:
        if not levels:
            assert end - base <= plan.leaf
            assert plan.ragged or end - base == plan.leaf
            seen.extend(range(base, end))
            return
        level = levels[0]
        bases = range(base, end, level.step)
        assert len(bases) <= level.trips
        assert plan.ragged or len(bases) == level.trips
        for start in bases:
            stop = min(start + level.step, end)
            assert level.ragged or stop == start + level.step
            below(levels[1:], start, stop)

    below(plan.levels, 0, plan.elements)
    return seen


@given(nest=nests())
def test_each_element_is_visited_once_and_in_order(nest: Nest) -> None:
    plan = Plan.of(nest)
    assert visited(plan) == list(range(nest.elements))


@given(nest=nests())
def test_the_leaf_holds_no_tail_no_thread_and_not_too_much(nest: Nest) -> None:
    plan = Plan.of(nest)
    assert 1 <= plan.leaf <= MAX_LEAF
    assert all(level.trips > 1 for level in plan.levels)
    assert plan.parallel == math.prod(level.trips for level in plan.levels if level.threaded)


@pytest.mark.parametrize(
    ("loops", "leaf"),
    [
        ([Loop(1024, threaded=True), Loop(1), Loop(1)], 1),
        ([Loop(256, threaded=True), Loop(1), Loop(4)], 4),
        ([Loop(256), Loop(1), Loop(4)], 4),
        ([Loop(16), Loop(4), Loop(8)], 32),
        ([Loop(1), Loop(4), Loop(8)], 32),
        ([Loop(2), Loop(4), Loop(8)], 64),
        ([Loop(3), Loop(4), Loop(8)], 32),
        ([Loop(3), Loop(1, 3), Loop(8)], 8),
        ([Loop(16), Loop(4, threaded=True), Loop(8)], 8),
        ([Loop(16), Loop(8), Loop(1, threaded=True)], 1),
        ([Loop(1), Loop(1), Loop(1024)], 1),
    ],
)
def test_what_becomes_straight_line_code(loops: list[Loop], leaf: int) -> None:
    assert Plan.of(Nest(tuple(loops))).leaf == leaf
