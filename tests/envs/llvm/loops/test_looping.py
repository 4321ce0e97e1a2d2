"""Tests of decisions on loops."""

from __future__ import annotations

import re

import pytest

from optarena.llvm.loops.decisions import LOOPS, Decision, DecisionKind
from optarena.llvm.loops.looping import decide_loop
from optarena.llvm.loops.tables import loop_names
from optarena.llvm.module import Module
from tests.kit.llvm.loops import functions, loops

BY_NAME = {one.name: one for one in LOOPS.decisions if one.kind is DecisionKind.LOOP}
TRANSFORMING = [one for one in BY_NAME.values() if one.pipeline]


def row_of(module: Module, function: str, number: int = 0) -> int:
    names = loop_names(module)
    return [row for row, name in enumerate(names) if name.startswith(f"{function}:")][number]


def growth(program: bytes, function: str, decision: Decision, number: int = 0) -> int:
    with Module.parse(program) as module:
        before = module.instruction_count()
        assert decide_loop(module, row_of(module, function, number), decision)
        assert module.verify() is None
        return module.instruction_count() - before


@pytest.mark.parametrize("function", ["sum", "scale", "length", "constant", "nest"])
def test_unrolling_grows_with_the_number_of_copies(program: bytes, function: str) -> None:
    sizes = [growth(program, function, BY_NAME[f"unroll={count}"]) for count in (2, 4, 8, 16)]
    assert 0 < sizes[0] < sizes[1] < sizes[2] < sizes[3]
    # Twice as many further copies add twice as much.
    assert sizes[3] - sizes[2] == 2 * (sizes[2] - sizes[1])


def test_a_loop_without_a_constant_count_grows_by_its_body(program: bytes) -> None:
    assert [growth(program, "length", BY_NAME[f"unroll={count}"]) for count in (2, 4, 8, 16)] == [
        10,
        20,
        40,
        80,
    ]


def test_full_unrolling_ends_the_loop_or_does_nothing(program: bytes) -> None:
    with Module.parse(program) as module:
        count, before = len(loop_names(module)), module.bitcode()
        assert not decide_loop(
            module, row_of(module, "sum"), BY_NAME["unroll=full"]
        )  # LLVM would unroll by 8
        assert module.bitcode() == before
        assert decide_loop(module, row_of(module, "constant"), BY_NAME["unroll=full"])
        assert len(loop_names(module)) == count - 1


@pytest.mark.parametrize("width", [2, 4, 8, 16])
def test_vectorizing_makes_vectors_of_the_width(program: bytes, width: int) -> None:
    with Module.parse(program) as module:
        before = functions(module)
        assert decide_loop(module, row_of(module, "scale"), BY_NAME[f"vectorize={width}"])
        after = functions(module)
    assert set(re.findall(r"<\d+ x i32>", after["scale"])) == {f"<{width} x i32>"}
    assert {name for name in before if before[name] != after[name]} == {"scale"}


def test_interleaving_makes_no_vectors(program: bytes) -> None:
    with Module.parse(program) as module:
        assert decide_loop(module, row_of(module, "scale"), BY_NAME["interleave=4"])
        text = functions(module)["scale"]
    assert not re.search(r"<\d+ x", text)
    assert text.count("mul ") >= 4


@pytest.mark.parametrize("name", ["vectorize=4", "interleave=2"])
def test_the_order_of_floating_point_operations_is_kept(program: bytes, name: str) -> None:
    with Module.parse(program) as module:
        before = module.bitcode()
        assert not decide_loop(module, row_of(module, "add_floats"), BY_NAME[name])
        assert module.bitcode() == before


@pytest.mark.parametrize("decision", TRANSFORMING, ids=lambda one: one.name)
def test_only_the_function_of_the_loop_changes_and_nothing_of_ours_stays(
    program: bytes, decision: Decision
) -> None:
    with Module.parse(program) as module:
        rows = len(loop_names(module))
    done = 0
    for row in range(rows):
        with Module.parse(program) as module:
            before, names, bits = functions(module), loop_names(module), module.bitcode()
            happened = decide_loop(module, row, decision)
            after = functions(module)
            changed = {name for name in before if before[name] != after[name]}
            assert changed == ({names[row].partition(":")[0]} if happened else set())
            assert (module.bitcode() != bits) == happened
            assert "optarena" not in module.text()
            assert module.verify() is None
            done += happened
    assert done


def test_the_other_loop_of_a_nest_keeps_what_it_was_told(program: bytes) -> None:
    with Module.parse(program) as module:
        outer, inner = row_of(module, "nest", 0), row_of(module, "nest", 1)
        assert decide_loop(module, outer, BY_NAME["vectorize=off"])
        assert decide_loop(module, inner, BY_NAME["unroll=4"])
        found = [row for name, row in loops(module).items() if name.startswith("nest:")]
    assert [(row["depth"], row["vectorizing_off"], row["unrolling_off"]) for row in found] == [
        (1, 1, 0),
        (2, 0, 1),
        (2, 0, 1),
    ]  # the outer one, the inner one and what is left over of its iterations


def test_what_llvm_notes_stays_and_a_later_decision_goes_before_it(program: bytes) -> None:
    with Module.parse(program) as module:
        assert decide_loop(module, row_of(module, "scale"), BY_NAME["vectorize=4"])
        vectorized = loops(module)[loop_names(module)[row_of(module, "scale")]]
        assert vectorized["is_vectorized"]
        before = module.bitcode()
        assert not decide_loop(module, row_of(module, "scale"), BY_NAME["vectorize=8"])
        assert module.bitcode() == before
        assert decide_loop(module, row_of(module, "scale"), BY_NAME["unroll=2"])
        assert decide_loop(module, row_of(module, "scale"), BY_NAME["unroll=2"])  # and again


def test_off_forbids_it_to_the_passes_but_not_to_a_decision(program: bytes) -> None:
    with Module.parse(program) as module:
        row = row_of(module, "constant")
        assert decide_loop(module, row, BY_NAME["unroll=off"])
        assert not decide_loop(module, row, BY_NAME["unroll=off"])
        before = functions(module)["constant"]
        module.run("function(loop-unroll<O3>)")
        assert before.count("load") == functions(module)["constant"].count("load")
        assert decide_loop(module, row_of(module, "constant"), BY_NAME["unroll=4"])


def test_a_row_that_is_no_loop_has_no_effect(program: bytes) -> None:
    with Module.parse(program) as module:
        before = module.bitcode()
        for decision in BY_NAME.values():
            assert not decide_loop(module, len(loop_names(module)), decision)
        assert module.bitcode() == before


TWO_IN_ONE = b"""target triple = "x86_64-unknown-linux-gnu"
define i32 @both(i32 %n, i1 %c) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %k, %outer2 ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %k, %inner2 ]
  br label %body
body:
  %k = add i32 %j, 1
  %stop = icmp eq i32 %k, %n
  br i1 %stop, label %done, label %again
again:
  br i1 %c, label %inner2, label %outer2
inner2:
  br label %inner
outer2:
  br label %outer
done:
  ret i32 %k
}
"""
SHARED = TWO_IN_ONE.replace(b"label %inner2, label %outer2", b"label %inner, label %outer")
SHARED = re.sub(rb"(inner2|outer2):\n  br label %\w+\n", b"", SHARED)
SHARED = SHARED.replace(b"%k, %inner2", b"%k, %again").replace(b"%k, %outer2", b"%k, %again")


def test_a_branch_that_closes_two_loops_at_once_is_left_alone() -> None:
    with Module.parse(SHARED) as module:
        assert [row["depth"] for row in loops(module).values()] == [1, 2]
        before = module.bitcode()
        assert not any(decide_loop(module, row, BY_NAME["unroll=4"]) for row in (0, 1))
        assert module.bitcode() == before
        module.run("function(loop-simplify)")
        assert any(decide_loop(module, row, BY_NAME["unroll=4"]) for row in (0, 1))
        assert module.verify() is None


def test_a_program_that_comes_with_our_marks_is_no_exception() -> None:
    told = b"""
!0 = distinct !{!0, !1, !2, i32 7}
!1 = !{!"optarena.saved", i32 999}
!2 = !{!"optarena.chosen"}
"""
    program = TWO_IN_ONE.replace(b"label %body\n", b"label %body, !llvm.loop !0\n")
    program = program.replace(b"br label %inner\nouter2", b"br label %inner, !llvm.loop !0\nouter2")
    program = program.replace(b"br label %outer\ndone", b"br label %outer, !llvm.loop !0\ndone") + told
    done = 0
    for decision in BY_NAME.values():
        for row in (0, 1):
            with Module.parse(program) as module:
                assert module.verify() is None
                done += decide_loop(module, row, decision)
                assert module.verify() is None
    assert done > len(BY_NAME) // 2
