"""Looks ahead: the parts of a text with what a step changes, and actions that crash the compiler."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.datasets import datasets
from optarena.llvm.description import FUNCTION_TEXT, VALUE_NUMBERS
from optarena.replay import Failed
from optarena.specs import environment_spec
from optarena.studies import LookAheadResult, TextPart, text_parts
from optarena.study_states import SequenceTrials
from tests.kit.numbers_env import FAKE, NUMBERS

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
