"""The nest as a state machine: recorded sequences, and what holds for every sequence."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.loop_tool.nest import ACTIONS, DEPTH, MAX_ELEMENTS, Nest, Tuning

RECORDED = Path(__file__).parent / "data/recorded.jsonl.gz"
SEQUENCES = [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).splitlines()]
ELEMENTS = st.one_of(st.integers(1, 64), st.integers(1, 5_000), st.integers(1, MAX_ELEMENTS))
ACTION = st.integers(0, len(ACTIONS) - 1)


def tuned(elements: int, actions: list[int]) -> Tuning:
    tuning = Tuning.initial(elements)
    for action in actions:
        tuning = tuning.after(action)
    return tuning


@pytest.mark.parametrize("sequence", SEQUENCES, ids=[sequence["id"] for sequence in SEQUENCES])
def test_recorded_sequences_give_the_recorded_states(sequence: dict[str, object]) -> None:
    """Recorded from the environment this one follows, without trailing blanks and its mark of CPU threads."""
    tuning = Tuning.initial(sequence["size"])  # type: ignore[arg-type] # JSON data
    seen = [[str(tuning.nest), list(tuning.action_state)]]
    for name in sequence["actions"]:  # type: ignore[attr-defined] # JSON data
        tuning = tuning.after(ACTIONS.index(name))
        seen.append([str(tuning.nest), list(tuning.action_state)])
    assert seen == sequence["states"]


@given(elements=ELEMENTS, actions=st.lists(ACTION, max_size=80))
def test_every_nest_covers_every_element(elements: int, actions: list[int]) -> None:
    nest = tuned(elements, actions).nest
    assert nest.elements == elements
    assert len(nest.loops) == DEPTH
    assert nest.loops[-1].tail == 0
    for loop, inner in zip(nest.loops, nest.covered[1:], strict=True):
        assert loop.size >= 1
        assert 0 <= loop.tail < inner or (loop.tail, inner) == (0, 1)


@given(elements=ELEMENTS, actions=st.lists(ACTION, max_size=60), action=ACTION)
def test_an_action_changes_what_it_is_for_and_nothing_else(
    elements: int, actions: list[int], action: int
) -> None:
    before = tuned(elements, actions)
    after = before.after(action)
    threads = [[loop.threaded for loop in one.nest.loops] for one in (before, after)]
    match ACTIONS[action]:
        case "toggle_mode":
            assert after.mode != before.mode
            assert (after.nest, after.cursor) == (before.nest, before.cursor)
        case "toggle_thread":
            assert [i for i in range(DEPTH) if threads[0][i] != threads[1][i]] == [before.cursor]
            assert (after.mode, after.cursor) == (before.mode, before.cursor)
        case _ if before.mode == "select":
            step = 1 if ACTIONS[action] == "up" else -1
            assert after.cursor == (before.cursor + step) % DEPTH
            assert after.nest == before.nest
        case _:
            changed = [i for i in range(DEPTH) if before.nest.loops[i] != after.nest.loops[i]]
            assert set(changed) <= {before.cursor - 1, before.cursor}
            assert threads[0] == threads[1]
            assert (after.mode, after.cursor) == (before.mode, before.cursor)


@given(elements=ELEMENTS, actions=st.lists(ACTION, max_size=60))
def test_toggling_twice_changes_nothing(elements: int, actions: list[int]) -> None:
    tuning = tuned(elements, actions)
    for name in ("toggle_mode", "toggle_thread"):
        action = ACTIONS.index(name)
        assert tuning.after(action).after(action) == tuning


@given(elements=st.integers(1, 5_000), size=st.integers(1, 60))
def test_the_size_of_a_loop_is_taken_from_its_parent(elements: int, size: int) -> None:
    mode, up = ACTIONS.index("toggle_mode"), ACTIONS.index("up")
    nest = tuned(elements, [mode, up, mode, *[up] * (size - 1)]).nest
    reached = min(size, elements)
    assert (nest.loops[1].size, nest.loops[1].tail) == (reached, 0)
    assert (nest.loops[0].size, nest.loops[0].tail) == divmod(elements, reached)


def test_the_first_decrease_of_a_loop_with_a_tail_drops_the_tail_alone() -> None:
    mode, up, down = (ACTIONS.index(name) for name in ("toggle_mode", "up", "down"))
    # 5 elements, then loop 1 of 5, whose iterations loop 2 takes: 2 r 1 of 2.
    with_tail = tuned(5, [mode, up, mode, *[up] * 4, mode, up, mode, up])
    assert [(loop.size, loop.tail) for loop in with_tail.nest.loops] == [(1, 0), (2, 1), (2, 0)]
    on_it = with_tail.after(mode).after(down).after(mode)
    dropped = on_it.after(down)
    assert [(loop.size, loop.tail) for loop in dropped.nest.loops] == [(1, 1), (2, 0), (2, 0)]


@pytest.mark.parametrize("action", [-1, 4, 1_000])
def test_an_action_out_of_range_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=r"Out-of-range.*0 to 3"):
        Tuning.initial(8).after(action)


def test_the_first_nest_as_text() -> None:
    assert str(Nest.initial(1024)) == (
        "for a in 1024 : L0 [thread]\n"
        " for a' in 1 : L1\n"
        "  for a'' in 1 : L2\n"
        "   %0[a] <- read()\n"
        "  for a'' in 1 : L4\n"
        "   %1[a] <- read()\n"
        "  for a'' in 1 : L6\n"
        "   %2[a] <- add(%0, %1)\n"
        "  for a'' in 1 : L8\n"
        "   %3[a] <- write(%2)\n"
    )
