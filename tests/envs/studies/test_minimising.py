"""Minimising ends with a part that suffices and of which nothing can be left out; it may be interrupted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.studies import Minimisation, Minimiser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def minimise(
    actions: int, suffices: Callable[[Sequence[int]], bool], idle: Sequence[int] = (), *, breaks: bool = False
) -> Minimisation:
    """Carry it out; with ``breaks``, from its JSON text after each trial."""
    minimiser = Minimiser.of(actions, idle=idle)
    while (found := minimiser.done) is None:
        minimiser.answer(suffices=suffices(minimiser.candidate()))
        if breaks:
            minimiser = Minimiser.from_json(json.loads(json.dumps(minimiser.as_dict())))
    return found


@given(data=st.data(), actions=st.integers(0, 60))
def test_exactly_the_needed_actions_are_kept(data: st.DataObject, actions: int) -> None:
    positions = st.sets(st.integers(0, max(0, actions - 1)))
    needed = sorted(data.draw(positions)) if actions else []
    idle = data.draw(positions) if actions else set()

    def suffices(kept: Sequence[int]) -> bool:
        return set(needed) <= set(kept)

    found = minimise(actions, suffices, sorted(idle))
    assert (list(found.kept), found.minimal) == (needed, True)
    assert minimise(actions, suffices, sorted(idle), breaks=True) == found


@given(st.integers(1, 24), st.integers(0, 2**24))
def test_no_single_action_of_the_end_can_be_left_out(actions: int, seed: int) -> None:
    def suffices(kept: Sequence[int]) -> bool:
        """Any rule that the whole sequence obeys, such as this one of pairs that belong together."""
        return all((one in kept) == ((one ^ 1) in kept) or not seed >> one & 1 for one in range(actions & ~1))

    found = minimise(actions, suffices)
    assert suffices(found.kept)
    for one in found.kept:
        assert not suffices([kept for kept in found.kept if kept != one])


def test_actions_without_effect_are_left_out_at_once() -> None:
    found = minimise(
        1_000, lambda kept: {3, 900} <= set(kept), [*range(3), *range(4, 900), *range(901, 1_000)]
    )
    assert found.kept == (3, 900)
    assert found.trials < 5


def test_an_action_without_effect_may_be_needed_all_the_same() -> None:
    assert minimise(10, lambda kept: {2, 5} <= set(kept), [5, 6]).kept == (2, 5)


def test_a_replay_that_cannot_be_repeated_keeps_everything() -> None:
    assert minimise(10, lambda _: False, [4]).kept == tuple(range(10))


def test_it_ends_at_the_limit_of_trials_with_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MINIMISED_TRIALS", 12)
    found = minimise(64, lambda kept: {1, 33, 60} <= set(kept))
    assert (found.trials, found.minimal) == (12, False)
    assert {1, 33, 60} <= set(found.kept)
    assert len(found.kept) < 64


def test_it_ends_at_the_limit_of_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MINIMISED_ACTIONS", 200)
    found = minimise(64, lambda kept: len(kept) == 64)
    assert (found.kept, found.minimal) == (tuple(range(64)), False)


def test_its_result_travels_as_json() -> None:
    found = Minimisation(kept=(0, 4), minimal=True, trials=9)
    assert Minimisation.from_json(json.loads(json.dumps(found.as_dict())), actions=5) == found


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {"kept": [1, 1], "minimal": True, "trials": 1},
        {"kept": [2, 1], "minimal": True, "trials": 1},
        {"kept": [5], "minimal": True, "trials": 1},
        {"kept": [-1], "minimal": True, "trials": 1},
        {"kept": ["1"], "minimal": True, "trials": 1},
        {"kept": [1], "minimal": 1, "trials": 1},
        {"kept": [1], "minimal": True, "trials": "1"},
    ],
)
def test_what_is_not_a_result_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"not|kept"):
        Minimisation.from_json(data, actions=5)


def test_another_document_is_not_the_state_of_one() -> None:
    with pytest.raises(ValueError, match="not the state"):
        Minimiser.from_json({"kept": []})
