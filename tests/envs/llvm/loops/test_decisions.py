"""Tests of the table of decisions and its text form."""

from __future__ import annotations

import random
from typing import Any

import pytest

from optarena.errors import InvalidAction, InvalidCommandline
from optarena.llvm.loops.decisions import LOOPS, ROWS, DecisionKind


def test_every_action_has_a_text_that_reads_back() -> None:
    actions = {LOOPS.check((decision, row)) for decision in range(LOOPS.sizes[0]) for row in range(ROWS)}
    text = LOOPS.commandline(sorted(actions))
    assert LOOPS.parse(text) == tuple(sorted(actions))
    assert len(text.split()) == 1 + len(actions) == 1 + len(set(text.split()[1:]))


def test_the_text_is_what_a_person_would_write() -> None:
    text = "llvm-loops pass:mem2reg loop3:unroll=4 loop0:vectorize=8 site2:inline loop63:unroll=off"
    assert LOOPS.commandline(LOOPS.parse(text)) == text
    assert LOOPS.parse("llvm-loops") == ()
    assert LOOPS.commandline(()) == "llvm-loops"


def test_the_row_of_a_pass_does_not_matter() -> None:
    index = LOOPS.names.index("pass:gvn")
    assert LOOPS.check((index, 17)) == LOOPS.check([index, 0]) == (index, 0)
    assert LOOPS.commandline([(index, 17)]) == "llvm-loops pass:gvn"


@pytest.mark.parametrize(
    ("action", "named"),
    [
        ((0, ROWS), "component 1"),
        ((len(LOOPS.decisions), 0), "component 0"),
        ((-1, 0), "component 0"),
        ((0, -1), "component 1"),
        ((0, 1.5), "component 1"),
        ((0, True), "component 1"),
        ((0,), "2 integers"),
        ((0, 0, 0), "2 integers"),
        (3, "2 integers"),
        ("unroll", "2 integers"),
        (None, "2 integers"),
    ],
)
def test_what_is_no_action_is_refused_by_name(action: Any, named: str) -> None:
    with pytest.raises(InvalidAction) as caught:
        LOOPS.check(action, 4)
    assert named in f"{caught.value} {caught.value.remedy}"
    assert "position 4" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("opt -passes='gvn' input.bc -o output.bc", "llvm-loops"),
        ("llvm-loops loop3:unroll=3", "loop:unroll="),
        ("llvm-loops loop64:unroll=4", "63"),
        ("llvm-loops loop3:inline", "site:inline"),
        ("llvm-loops site:inline", "site:inline"),
        ("llvm-loops pass3:gvn", "gvn"),
        ("llvm-loops pass:gvm", "pass:gvn"),
        ("llvm-loops loop03:unroll=4", "loop03"),
        ("llvm-loops loop٣:unroll=4", "loop"),
        ("", "llvm-loops"),
    ],
)
def test_what_is_no_command_line_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(InvalidCommandline) as caught:
        LOOPS.parse(text)
    assert named in f"{caught.value} {caught.value.remedy}"


def test_random_words_are_refused_or_read_back() -> None:
    alphabet = "loopsiteaspu:=0123456789unrlvc-\n\x00é"
    pick = random.Random(0)  # noqa: S311 - a test's words
    for _ in range(300):
        word = "".join(pick.choices(alphabet, k=pick.randrange(12)))
        try:
            actions = LOOPS.parse(f"llvm-loops {word}")
        except InvalidCommandline:
            continue
        assert LOOPS.parse(LOOPS.commandline(actions)) == actions


def test_the_order_of_the_decisions_is_that_of_this_version() -> None:
    unroll = tuple(f"loop:unroll={how}" for how in (2, 4, 8, 16, "full", "off"))
    vectorize = tuple(f"loop:vectorize={width}" for width in (2, 4, 8, 16))
    interleave = ("loop:interleave=2", "loop:interleave=4", "loop:vectorize=off")
    specific = (*unroll, *vectorize, *interleave, "site:inline", "site:noinline")
    passes = (
        *("mem2reg", "sroa", "early-cse", "instcombine", "simplifycfg", "loop-simplify", "lcssa"),
        *("loop-rotate", "indvars", "licm", "gvn", "adce", "dse", "loop-deletion", "globaldce"),
        *("deadargelim", "inline", "loop-unroll", "loop-vectorize", "slp-vectorizer"),
    )
    assert LOOPS.names == (*specific, *(f"pass:{name}" for name in passes))


def test_names_are_unique_and_described() -> None:
    assert len(set(LOOPS.names)) == len(LOOPS.decisions) == LOOPS.sizes[0]
    assert all(decision.description.endswith(".") for decision in LOOPS.decisions)
    assert all(decision.hints for decision in LOOPS.decisions if decision.kind is DecisionKind.LOOP)
