"""The difference of two texts is what `patch` needs to make one of the other; whatever is cut is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.llvm.description import VALUE_NUMBERS
from optarena.studies import CONTEXT, TextDifference, text_difference

if TYPE_CHECKING:
    from collections.abc import Sequence

HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
TEXTS = st.lists(st.sampled_from(["a", "b", "c", "", "- d", "@@"]), max_size=40).map("\n".join)


def patched(before: Sequence[str], difference: str) -> list[str]:
    """A text after a unified difference was applied to it, as the format's definition says."""
    made: list[str] = []
    at = 0
    for line in difference.split("\n") if difference else ():
        if match := HUNK.fullmatch(line):
            start, length = int(match[1]), int(match[2] or "1")
            begin = start - 1 if length else start
            made += before[at:begin]
            at = begin
            new_start, new_length = int(match[3]), int(match[4] or "1")
            assert len(made) == (new_start - 1 if new_length else new_start)
        elif line[0] == "+":
            made.append(line[1:])
        else:
            assert before[at] == line[1:]
            made += [line[1:]] if line[0] == " " else []
            at += 1
    return made + list(before[at:])


@given(before=TEXTS, after=TEXTS)
def test_the_difference_makes_one_text_of_the_other(before: str, after: str) -> None:
    found = text_difference(before, after)
    old, new = before.splitlines(), after.splitlines()
    assert patched(old, found.text) == new
    lines = found.text.split("\n") if found.text else []
    assert (found.lines, found.shown, found.shortened) == (len(lines), len(lines), 0)
    assert found.added == sum(line[:1] == "+" for line in lines)
    assert found.removed == sum(line[:1] == "-" for line in lines)
    assert (found.before, found.after) == (len(old), len(new))
    assert TextDifference.from_json(found.as_dict()) == found


def test_a_change_has_a_few_lines_around_it() -> None:
    before = [f"line {number}" for number in range(100)]
    after = [*before[:50], "another", *before[51:]]
    found = text_difference("\n".join(before), "\n".join(after))
    assert found.text.split("\n") == [
        "@@ -48,7 +48,7 @@",
        *(f" {line}" for line in before[50 - CONTEXT : 50]),
        "-line 50",
        "+another",
        *(f" {line}" for line in before[51 : 51 + CONTEXT]),
    ]


def test_lines_that_differ_in_numbers_alone_count_as_equal() -> None:
    before = "f:\n%1 = alloca\n%2 = load %1\n%3 = add %2, 1\n7:   ; preds = %0\nret %3"
    after = "f:\n%1 = add %0, 1\n12:  ; preds = %0\nret %1"
    found = text_difference(before, after, numbers=VALUE_NUMBERS)
    assert found.text.split("\n") == [
        "@@ -1,6 +1,4 @@",
        " f:",
        "-%1 = alloca",
        "-%2 = load %1",
        " %1 = add %0, 1",
        " 12:  ; preds = %0",
        " ret %1",
    ]
    assert (found.removed, found.added, found.renumbered) == (2, 0, 3)
    assert text_difference(before, after).removed == 5


@given(before=TEXTS, after=TEXTS)
def test_what_is_shown_of_equal_lines_is_the_second_text(before: str, after: str) -> None:
    found = text_difference(before, after, numbers="[abc]")
    lines = after.splitlines()
    made = [line[1:] for line in found.text.split("\n") if line[:1] in " +"] if found.text else []
    places = iter(lines)
    assert all(line in places for line in made), "They are a part of it, in order."
    assert found.after - found.added == found.before - found.removed >= found.renumbered


def test_equal_texts_have_no_difference() -> None:
    found = text_difference("a\nb", "a\nb")
    assert (found.text, found.lines, found.before) == ("", 0, 2)


def test_of_a_long_difference_the_beginning_is_kept_and_all_is_counted() -> None:
    new = limits.DIFFERENCE_LINES + 500
    found = text_difference("", "\n".join(f"line {number}" for number in range(new)))
    assert (found.added, found.lines, found.shown) == (new, new + 1, limits.DIFFERENCE_LINES)
    assert found.text.count("\n") == limits.DIFFERENCE_LINES - 1


def test_a_difference_is_cut_by_its_bytes_too() -> None:
    line = "ü" * limits.DIFFERENCE_LINE_LENGTH
    found = text_difference("", "\n".join([line] * 1_000))
    assert found.shown < found.lines == 1_001
    assert limits.DIFFERENCE_BYTES * 0.99 < len(found.text.encode()) <= limits.DIFFERENCE_BYTES


def test_the_end_of_a_long_line_is_cut_off() -> None:
    found = text_difference("short", "x" * 5_000)
    assert found.shortened == 1
    assert found.text.endswith("… (5,000 characters)")


def test_parts_that_are_too_long_are_not_matched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ALIGNED_PAIRS", 100)
    before = ["first", *["a"] * 10, "middle", *["b", "c"] * 10, "last"]
    after = ["first", *["a"] * 9, "z", "middle", *["c", "b"] * 10, "last"]
    found = text_difference("\n".join(before), "\n".join(after))
    assert (found.aligned, found.added, found.removed) == (False, 1 + 20, 1 + 20)
    assert patched(before, found.text) == after


def test_a_long_text_is_matched_function_by_function() -> None:
    """Whole, it would be more pairs than are compared."""
    functions = [[f"define @f{number}", *["load", "store"] * 20, "}"] for number in range(1_000)]
    changed = [
        [*body[:10], "add", *body[10:]] if number % 100 == 7 else body
        for number, body in enumerate(functions)
    ]
    before, after = ("\n".join(line for body in one for line in body) for one in (functions, changed))
    assert len(before.splitlines()) ** 2 > limits.ALIGNED_PAIRS
    found = text_difference(before, after)
    assert (found.aligned, found.added, found.removed) == (True, 10, 0)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        {**text_difference("a", "b").as_dict(), "more": 1},
        {**text_difference("a", "b").as_dict(), "text": 1},
        {**text_difference("a", "b").as_dict(), "added": -1},
        {**text_difference("a", "b").as_dict(), "added": True},
        {**text_difference("a", "b").as_dict(), "aligned": None},
    ],
)
def test_what_is_not_a_difference_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not a difference"):
        TextDifference.from_json(data)
