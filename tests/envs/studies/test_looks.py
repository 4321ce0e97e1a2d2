"""Looks ahead: the parts of a text with what a step changes, and actions that crash the compiler."""

from __future__ import annotations

import json
import os
import re
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput
from optarena.llvm.description import FUNCTION_TEXT, VALUE_NUMBERS
from optarena.replay import Failed
from optarena.specs import environment_spec
from optarena.studies import (
    LookAheadResult,
    TextPart,
    found_candidates,
    played_text,
    read_played,
    text_parts,
)
from optarena.study_states import SequenceTrials
from tests.kit.gcc import needs_gcc
from tests.kit.numbers_env import FAKE, NUMBERS
from tests.kit.processes import session_pid

PART = r"(?ms)^<(?P<name>\w+)$.*?^>$"
NAMES = ("one", "two", "three")
LINES = st.lists(st.sampled_from(["a", "b", "c d"]), max_size=6)
TEXTS = st.dictionaries(st.sampled_from(NAMES), LINES).map(
    lambda parts: "".join("\n".join([f"<{name}", *lines, ">", ""]) for name, lines in parts.items())
)


def side(part: TextPart, left_out: str) -> list[str]:
    lines = (part.text or "").split("\n") if part.text else []
    return [line[1:] for line in lines if line[0] != left_out]


@given(before=TEXTS, after=TEXTS)
def test_each_part_has_both_its_texts(before: str, after: str) -> None:
    old, new = ({found["name"]: found[0] for found in re.finditer(PART, text)} for text in (before, after))
    parts = {part.name: part for part in text_parts(before, after, parts=PART)}
    assert set(parts) == {*old, *new, ""}
    for name in {*old, *new}:
        assert side(parts[name], "+") == old.get(name, "").splitlines()
        assert side(parts[name], "-") == new.get(name, "").splitlines()
        assert parts[name].changed == (old.get(name) != new.get(name))


def test_changed_parts_come_first_and_long_ones_are_left_out() -> None:
    long = "x" * limits.PLAYED_TEXT_BYTES
    before, after = (f"<one\n{long}\n>\n<two\nb\n>\n<three\n{word}\n>\n" for word in "cd")
    found = [(part.name, part.text is None) for part in text_parts(before, after, parts=PART)]
    assert found == [("three", False), ("one", True), ("two", False), ("", False)]


def test_what_the_compiler_numbers_anew_is_not_a_change() -> None:
    before = 'define i32 @f(i32 %0) {\n  %5 = add i32 %0, 1\n}\ndefine void @"g h"() {\n}\n'
    parts = text_parts(before, before.replace("%5", "%3"), parts=FUNCTION_TEXT, numbers=VALUE_NUMBERS)
    assert [(part.name, part.changed) for part in parts] == [("f", False), ("g h", False), ("", False)]
    assert "%3 = add" in (parts[0].text or "")


APPEND, NOTHING, FINISH, CRASH = range(4)


def test_actions_that_end_or_crash_are_told_and_the_others_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TRIED_ACTIONS", 4)
    with SequenceTrials.within(FAKE, NUMBERS, sandbox=False) as trials:
        *_, found = trials.look_ahead([APPEND, NOTHING])
        assert (found.costs, found.idle, found.total) == ((3, 4, 4), (2,), 4)
        told = [(one.action, one.cost, one.effect, one.error, one.ends) for one in found.tried]
        assert told[APPEND] == (APPEND, 5, True, "", False)
        assert told[NOTHING] == (NOTHING, 4, False, "", False)
        assert told[FINISH][-1]
        assert told[CRASH] == (CRASH, None, False, "crash", True)
        *_, over = trials.look_ahead([FINISH])
        assert (over.total, over.tried) == (0, ())
        with pytest.raises(Failed) as failure:
            list(trials.look_ahead([CRASH]))
        assert failure.value.reason == "env:crash"
    text = json.dumps(found.as_dict())
    assert LookAheadResult.from_json(json.loads(text), actions=2) == found


def test_a_confined_look_ahead_tells_the_same() -> None:
    spec, program = environment_spec("llvm-ic-v0"), datasets().benchmark("benchmark://kernels-v0/quicksort")
    actions = (90, 45, 30, 12, 60, 77)
    found = []
    for sandbox in (False, True):
        with SequenceTrials.within(spec, program, sandbox=sandbox) as trials:
            found.append([list(trials.look_ahead(one))[-1].tried for one in ((), actions)])
    assert found[0] == found[1]
    assert [len(tried) for tried in found[0]] == [len(spec.action_table.names)] * 2


@pytest.mark.parametrize(
    ("environment", "benchmark", "actions", "words"),
    [
        pytest.param("gcc-v0", "gcc-kernels-v0/sudoku", [(0, 6)], "tree-vrp", marks=needs_gcc),
        ("loop_tool-v0", "loop_tool-cpu-v0/4096", [0, 1], ""),
        ("llvm-inliner-v0", "kernels-v0/quicksort", [0], ""),
        ("gpu-levels-v0", "gpu-kernels-v1/matrix-product", [1], ""),
    ],
)
def test_each_action_gives_in_every_environment_what_a_step_would_give(
    environment: str, benchmark: str, actions: list[int], words: str
) -> None:
    spec = environment_spec(environment)
    program = datasets().benchmark(f"benchmark://{benchmark}")
    found = found_candidates(spec.action_table, words, actions)
    with SequenceTrials.within(spec, program, sandbox=False) as trials:
        *_, look = trials.look_ahead(actions, candidates=found and found[0])
        assert look.total == len(look.tried) == (2 if words else len(spec.action_table.names))
        for told in look.tried:
            *_, after = trials.look_ahead([*actions, told.action], candidates=[])
            assert told.cost == (after.costs[-1] if after.costs else None)
            assert told.summary == after.summary
            assert told.effect == (len(actions) + 1 not in after.idle)
    assert LookAheadResult.from_json(json.loads(json.dumps(look.as_dict())), actions=1) == look


def test_costs_of_decisions_are_those_of_the_end() -> None:
    spec = environment_spec("llvm-inliner-v0")
    program = datasets().benchmark("benchmark://kernels-v0/sha256")
    with SequenceTrials.within(spec, program, sandbox=False) as trials:
        *_, look = trials.look_ahead([])
        *_, end = trials.look_ahead([3])
    assert look.costs == (program.baselines["ir_instructions"]["Oz"],)
    assert end.costs[-1] == look.costs[0]
    assert [one.action for one in look.tried if one.ends] == [3]
    assert "calls" in look.summary
    assert (end.total, end.summary) == (0, "The run has ended after 86 calls.")


def test_an_action_whose_copy_is_lost_has_no_cost_and_the_others_are_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fork, copies = CompilerEnv.fork, []

    def losing(env: CompilerEnv) -> CompilerEnv:
        copies.append(fork(env))
        if len(copies) == 2:  # the first tells the cost of the state
            os.kill(session_pid(copies[-1]), signal.SIGKILL)
        return copies[-1]

    monkeypatch.setattr(CompilerEnv, "fork", losing)
    spec = environment_spec("llvm-inliner-v0")
    program = datasets().benchmark("benchmark://kernels-v0/quicksort")
    with SequenceTrials.within(spec, program, sandbox=False) as trials:
        *_, look = trials.look_ahead([])
    assert look.total == len(look.tried) == len(spec.action_table.names)
    assert sum(one.cost is None for one in look.tried) == 1


def test_a_text_finds_actions_where_there_are_too_many_to_try_all() -> None:
    table = environment_spec("gcc-v0").action_table
    vrp, no_vrp = (found_candidates(table, "tree vrp", ()) or ((), 0))[0]
    assert found_candidates(table, "Tree VRP", ()) == ((vrp, no_vrp), 2), "As the filter of other games."
    assert table.commandline([vrp, no_vrp]) == "gcc -fno-tree-vrp -c program.c -o program.o"
    chosen = found_candidates(table, "tree vrp", [no_vrp])
    unset = (no_vrp[0], 0)  # type: ignore[index] # a pair
    assert chosen == ((unset, vrp), 2), "What is chosen already is left out, and can be taken away."
    assert found_candidates(table, "no such option", ()) == ((), 0)
    first, total = found_candidates(table, "", ()) or ((), 0)
    assert (len(first), total) == (limits.FOUND_ACTIONS, 1_975)
    assert found_candidates(environment_spec("llvm-ic-v0").action_table, "sroa", ()) is None


@given(st.lists(st.one_of(st.integers(0, 10**6), st.tuples(st.integers(0, 400), st.integers(0, 99)))))
def test_a_game_is_read_as_it_is_written(actions: list[int | tuple[int, ...]]) -> None:
    assert read_played(played_text(actions)) == tuple(actions)


@pytest.mark.parametrize("text", ["1,,2", "-1", "1.", ".1", "1.x", "\u0663", "1e3", "9" * 400])
def test_what_is_no_number_of_an_action_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not the number of an action"):
        read_played(text)
