"""Studies: a minimised sequence suffices, texts of states, and what `patch` needs to make one of another."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.datasets import datasets
from optarena.errors import InfrastructureFault, InvalidInput, ServiceError
from optarena.llvm.actions import UNSAFE
from optarena.llvm.description import FUNCTION_TEXT, VALUE_NUMBERS
from optarena.replay import replay
from optarena.specs import environment_spec
from optarena.studies import CONTEXT, Minimisation, Minimiser, TextDifference, text_difference
from optarena.study_states import SequenceTrials, texts_around
from tests.kit.numbers_env import FAKE, NUMBERS


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
    # One without effect may be needed all the same; a replay that cannot be repeated keeps everything.
    assert minimise(10, lambda kept: {2, 5} <= set(kept), [5, 6]).kept == (2, 5)
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


LLVM = environment_spec("llvm-ic-v0")
SUDOKU = datasets()["kernels-v0"].benchmark("benchmark://kernels-v0/sudoku")


def actions(*names: str) -> list[int]:
    return [LLVM.action_table.names.index(name) for name in names]


def test_the_text_before_and_after_a_step_is_the_programs() -> None:
    before, after = texts_around(LLVM, SUDOKU, actions("simplifycfg", "mem2reg"))
    assert before.count(" alloca ") > after.count(" alloca ")
    found = text_difference(before, after, numbers=LLVM.state_numbers)
    assert found.removed > found.added
    assert 0 < found.lines < text_difference(before, after).lines


@pytest.mark.parametrize(("slug", "word"), [("loop_tool-v0", "for"), ("gpu-kernels-v0", "define")])
def test_compilers_whose_programs_are_not_llvms_have_a_text_too(slug: str, word: str) -> None:
    spec = environment_spec(slug)
    uri = spec.benchmark or next(iter(datasets()[spec.dataset])).uri
    benchmark = datasets()[spec.dataset].benchmark(str(uri))
    before, after = texts_around(spec, benchmark, [0])
    assert word in before
    assert word in after


def test_without_an_action_or_a_text_there_is_nothing_to_compare() -> None:
    with pytest.raises(InvalidInput, match="no action"):
        texts_around(LLVM, SUDOKU, [])
    assert not FAKE.state_text
    with pytest.raises(InvalidInput, match="no text"):
        texts_around(FAKE, NUMBERS, [0])


def test_the_shorter_sequence_ends_as_the_whole_one_in_a_replay() -> None:
    whole = actions("mem2reg", "globaldce", "instcombine", "mem2reg", "simplifycfg", "strip-dead-prototypes")
    first = replay(environment=LLVM, benchmark=SUDOKU, actions=whole)
    minimiser = Minimiser.of(len(whole), idle=[step.index for step in first.steps if step.had_no_effect])
    with SequenceTrials.within(LLVM, SUDOKU) as trials:
        assert trials.digest(whole) == first.steps[-1].digest
        while (found := minimiser.done) is None:
            tried = [whole[position] for position in minimiser.candidate()]
            minimiser.answer(suffices=trials.digest(tried) == first.steps[-1].digest)
    second = replay(environment=LLVM, benchmark=SUDOKU, actions=[whole[position] for position in found.kept])
    assert 0 < len(found.kept) < len(whole)
    assert (second.steps[-1].digest, second.metrics) == (first.steps[-1].digest, first.metrics)


def test_a_sequence_on_which_the_compiler_crashes_has_no_digest() -> None:
    harmless, crash = UNSAFE.index("strip-dead-debug-info"), UNSAFE.index("trigger-crash-module")
    with SequenceTrials.within(environment_spec("llvm-unsafe-v0"), SUDOKU) as trials:
        assert trials.digest([harmless, crash]) is None
        assert trials.digest([harmless])
        with pytest.raises(ServiceError):
            trials.texts_around([harmless, crash])


def test_a_check_ends_everything() -> None:
    seen = []

    def check() -> None:
        seen.append(1)
        if len(seen) > 3:
            raise TimeoutError("It takes too long.")

    with pytest.raises(TimeoutError), SequenceTrials.within(LLVM, SUDOKU, check=check) as trials:
        trials.digest(actions(*["mem2reg"] * 10))
    assert len(seen) == 4


def test_a_failure_of_an_action_that_a_replay_had_applied_is_the_machinerys() -> None:
    crash = UNSAFE.index("trigger-crash-module")
    with pytest.raises(InfrastructureFault):
        texts_around(environment_spec("llvm-unsafe-v0"), SUDOKU, [crash])


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


def test_changes_are_headed_by_the_part_that_they_are_in() -> None:
    one, two, gone = (
        "\n".join([f"define void @{name}() {{", "  a", "  b", "}", ""]) for name in ("f", '"g h"', "x")
    )
    found = text_difference(
        f"\n\n{one}{gone}\n\n\n\n\n\n{two}",
        f"\n\n{one}\n\n\n\n\n\n{two.replace('a', 'c')}end",
        parts=FUNCTION_TEXT,
    )
    heads = [line.partition(" @@")[2] for line in found.text.split("\n") if line.startswith("@@")]
    assert heads == [" x", " g h"]


@given(before=TEXTS, after=TEXTS)
def test_what_is_shown_of_equal_lines_is_the_second_text(before: str, after: str) -> None:
    found = text_difference(before, after, numbers="[abc]")
    lines = after.splitlines()
    made = [line[1:] for line in found.text.split("\n") if line[:1] in " +"] if found.text else []
    places = iter(lines)
    assert all(line in places for line in made), "They are a part of it, in order."
    assert found.after - found.added == found.before - found.removed >= found.renumbered


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


def test_its_result_travels_as_json() -> None:
    found = Minimisation(kept=(0, 4), minimal=True, trials=9)
    assert Minimisation.from_json(json.loads(json.dumps(found.as_dict())), actions=5) == found
