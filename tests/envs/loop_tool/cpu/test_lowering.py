"""The IR says what the schedule says, and the machine code no more than the IR."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.loop_tool.cpu import compiling, lowering
from optarena.loop_tool.nest import Loop, Nest, Plan
from tests.kit.loop_tool.nests import nests

STORE = re.compile(r"store (?:<(\d+) x float>|float)")
WIDTH = 8


def ir_of(*loops: Loop, width: int = WIDTH) -> str:
    return lowering.lower(Plan.of(Nest(loops)), width)


def stores(text: str) -> list[int]:
    return [int(found[1] or 1) for found in STORE.finditer(text)]


@given(elements=st.integers(1, 64), width=st.sampled_from([1, 2, 4, 8, 16]))
def test_straight_line_code_is_made_of_powers_of_two_widest_first(elements: int, width: int) -> None:
    pieces = lowering.pieces(elements, width)
    assert sum(pieces) == elements
    assert pieces == sorted(pieces, reverse=True)
    assert all(piece <= width and piece & (piece - 1) == 0 for piece in pieces)
    assert len([piece for piece in pieces if piece < width]) == (elements % width).bit_count()


@pytest.mark.parametrize(
    ("loops", "expected"),
    [
        ((Loop(1024, threaded=True), Loop(1), Loop(1)), [1]),
        ((Loop(16), Loop(1), Loop(13)), [8, 4, 1]),
        ((Loop(16), Loop(8), Loop(8)), [8] * 8),
        ((Loop(16), Loop(9), Loop(8)), [8]),
        ((Loop(16), Loop(2), Loop(8, threaded=True)), [1]),
        ((Loop(16), Loop(2, threaded=True), Loop(8)), [8]),
        ((Loop(64),), [8] * 8),
        ((Loop(65),), [1]),
        ((Loop(16), Loop(65)), [1]),
        ((Loop(7, 3), Loop(1), Loop(12)), [8, 4, 1]),
    ],
)
def test_the_leaf_alone_becomes_straight_line_code(loops: tuple[Loop, ...], expected: list[int]) -> None:
    assert stores(ir_of(*loops)) == expected


def test_a_block_that_ends_inside_a_leaf_is_finished_one_by_one() -> None:
    assert stores(ir_of(Loop(3, 5, threaded=True), Loop(2, 1), Loop(4))) == [4, 1]


def test_a_narrower_host_gets_narrower_vectors() -> None:
    assert stores(ir_of(Loop(16), Loop(13), width=4)) == [4, 4, 4, 1]
    assert stores(ir_of(Loop(16), Loop(13), width=1)) == [1] * 13


@given(nest=nests(most=10_000_000))
def test_only_the_first_number_of_several_threaded_loops_is_divided(nest: Nest) -> None:
    text = lowering.lower(Plan.of(nest), WIDTH)
    levels = [level for level in Plan.of(nest).levels if level.threaded]
    assert text.count("udiv") == (len(levels) if len(levels) > 1 else 0)
    assert "udiv" not in text.partition("work")[2].partition(":")[2]


def back_edges(text: str) -> list[str]:
    """The jumps of IR to a block that stands before them, or to their own: one for each loop."""
    begun, found = set(), []
    for line in text.splitlines():
        if label := re.fullmatch(r"(\w+):", line):
            begun.add(label[1])
        elif set(re.findall(r"label %(\w+)", line)) & begun:
            found.append(line)
    return found


@given(nest=nests(most=100_000))
def test_every_loop_forbids_unrolling_and_vectorising(nest: Nest) -> None:
    text = lowering.lower(Plan.of(nest), WIDTH)
    marks = [re.search(r"!llvm\.loop (!\d+)$", line) for line in back_edges(text)]
    assert all(marks)
    names = [mark[1] for mark in marks if mark]
    assert sorted(names) == sorted(re.findall(r"^(!\d+) = distinct !\{\1, !0, !1\}$", text, re.MULTILINE))
    assert '!0 = !{!"llvm.loop.unroll.disable"}' in text
    assert '!1 = !{!"llvm.loop.vectorize.enable", i1 false}' in text


def test_the_loops_of_a_nest_are_all_there() -> None:
    assert len(back_edges(ir_of(Loop(7), Loop(5), Loop(70)))) == 3
    assert len(back_edges(ir_of(Loop(3, 5, threaded=True), Loop(2, 1), Loop(4)))) == 3


@pytest.mark.parametrize(
    "loops",
    [
        (Loop(100_000, threaded=True),),
        (Loop(100_000),),
        (Loop(1000), Loop(100)),
        (Loop(100, 37, threaded=True), Loop(10, 3, threaded=True), Loop(70, threaded=True)),
        (Loop(64, threaded=True), Loop(8, threaded=True), Loop(8, threaded=True)),
        (Loop(7, 3), Loop(11, 5), Loop(65)),
    ],
)
def test_the_machine_code_of_a_leaf_of_one_element_has_one_scalar_addition(loops: tuple[Loop, ...]) -> None:
    text = compiling.assembly(ir_of(*loops))
    additions = re.findall(r"\bv?add(ss|ps)|\bfadd\s+(\w)", text)
    assert additions in ([("ss", "")], [("", "s")])


@pytest.mark.parametrize("leaf", [2, 8, 13, 16, 24, 63, 64])
def test_the_machine_code_of_a_leaf_is_as_long_as_the_leaf(leaf: int) -> None:
    if "avx" not in compiling.host().features:
        pytest.skip("the additions of another processor are written otherwise")
    width = compiling.host().width
    text = compiling.assembly(ir_of(Loop(1000, threaded=True), Loop(1), Loop(leaf), width=width))
    assert len(re.findall(r"\bv?add[sp]s", text)) == leaf // width + (leaf % width).bit_count()


def test_only_the_reference_is_optimised() -> None:
    plain = lowering.reference(4096)
    assert re.search(r"\bv?addps", compiling.assembly(plain)) is None
    assert re.search(r"\bv?addps", compiling.assembly(plain, optimise=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%x = fadd float %y, %z", 1),
        ("%x = fadd <8 x float> %y, %z\n%u = fadd <4 x float> %v, %w", 8),
        ("load <16 x float>, ptr %a", 16),
        ("load <16 x i32>, ptr %a", 1),
        ("load <vscale x 4 x float>, ptr %a", 4),
    ],
)
def test_the_widest_vector_of_ir_is_found(text: str, expected: int) -> None:
    assert compiling.widest_vector(text) == expected


def test_schedules_have_vectors_as_wide_as_the_reference_and_no_wider() -> None:
    def registers(text: str) -> set[str]:
        return set(re.findall(r"%([xyz])mm", text))

    width = compiling.host().width
    reference = compiling.assembly(lowering.reference(1 << 20), optimise=True)
    assert registers(compiling.assembly(ir_of(Loop(1000), Loop(64), width=width))) == registers(reference)
