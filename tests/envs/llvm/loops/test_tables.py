"""Tests of the loop table and the call table."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from optarena.llvm.loops.columns import CALL_SITE_COLUMNS, LOOP_COLUMNS, MAX_LOOPS
from optarena.llvm.loops.tables import call_site_rows, latches, loop_names, loop_rows
from optarena.llvm.module import Module
from tests.kit.llvm.loops import loops, sites
from tests.kit.llvm.programs import states

if TYPE_CHECKING:
    import pytest

PRINTED = re.compile(r" *(?:Parallel )?Loop at depth (\d+) containing: (.*)")


def printed_loops(text: str) -> Counter[tuple[str, int, int, int, int]]:
    """What LLVM's own printer says: function, depth, blocks, latches and exiting blocks of each loop."""
    found: Counter[tuple[str, int, int, int, int]] = Counter()
    function = ""
    for line in text.splitlines():
        if line.startswith("Loop info for function"):
            function = line.split("'")[1]
        match = PRINTED.fullmatch(line)
        if match:
            blocks = match[2]
            sizes = (blocks.count(",") + 1, blocks.count("<latch>"), blocks.count("<exiting>"))
            found[function, int(match[1]), *sizes] += 1
    return found


def test_the_loops_are_those_that_llvm_finds(capfd: pytest.CaptureFixture[str]) -> None:
    total = 0
    for name, module in states():
        functions = module.function_names()
        capfd.readouterr()
        module.run("function(print<loops>)")
        expected = printed_loops(capfd.readouterr().err)
        found = Counter(
            (functions[row["function"]], row["depth"], row["blocks"], row["latches"], row["exiting_blocks"])
            for row in loops(module).values()
        )
        assert found == expected, name
        total += sum(found.values())
    assert total > 500


def test_a_row_says_what_the_loop_is(program: bytes) -> None:
    with Module.parse(program) as module:
        found = loops(module)
    constant = next(row for name, row in found.items() if name.startswith("constant:"))
    assert constant["trip_count"] == 65  # its header also runs to find that the 64 iterations are over
    assert (constant["loads"], constant["stores"], constant["calls"]) == (1, 0, 0)
    assert (constant["depth"], constant["parent"], constant["latches"], constant["is_rotated"]) == (
        1,
        0,
        1,
        0,
    )
    outer, inner = (row for name, row in found.items() if name.startswith("nest:"))
    assert (outer["depth"], outer["inner_loops"], inner["depth"], inner["inner_loops"]) == (1, 1, 2, 0)
    assert list(found.values())[inner["parent"] - 1] == outer
    assert outer["instructions"] > inner["instructions"]
    add = next(row for name, row in found.items() if name.startswith("add_floats:"))
    assert (add["float_operations"], add["trip_count"]) == (1, 0)


def test_the_forms_that_passes_make_show_in_the_table(program: bytes) -> None:
    with Module.parse(program) as module:
        for_speed = module.text().replace("minsize", "").encode()
    with Module.parse(for_speed) as module:
        assert not any(row["is_rotated"] for row in loops(module).values())
        module.run("function(loop-simplify,loop(loop-rotate))")
        assert all(row["is_simplified"] and row["has_preheader"] for row in loops(module).values())
        assert all(row["is_rotated"] for row in loops(module).values())


def test_a_program_with_more_loops_than_rows_shows_the_first(unoptimised: bytes) -> None:
    with Module.parse(unoptimised) as module:
        everything = loop_rows(module, MAX_LOOPS)
        assert loop_rows(module, 2) == everything[: 2 * len(LOOP_COLUMNS)]
        assert {latch.loop for latch in latches(module)} == set(range(len(loop_names(module))))


def test_the_calls_of_defined_functions_are_listed(program: bytes) -> None:
    with Module.parse(program) as module:
        found = sites(module)
        flat = call_site_rows(module, len(found) + 1)
    callees = Counter(name.partition("->")[2] for name in found)
    assert callees == Counter(
        {"sum": 2, "tiny": 2, "factorial": 2, **dict.fromkeys(("scale", "nest", "length", "constant"), 1)}
        | {"add_floats": 1}
    )
    recursive = next(row for name, row in found.items() if name.startswith("factorial:"))
    assert recursive["is_recursive"]
    assert recursive["callee_calls_itself"]
    assert recursive["callee_uses"] == 2
    in_loop = next(row for name, row in found.items() if name.endswith("->tiny"))
    assert (in_loop["loop_depth"], in_loop["arguments"], in_loop["callee_is_internal"]) == (1, 1, 1)
    add = next(row for name, row in found.items() if name.endswith("->add_floats"))
    assert (add["arguments"], add["constant_arguments"], add["loop_depth"]) == (2, 2, 0)
    assert flat[-len(CALL_SITE_COLUMNS) :] == [0] * len(CALL_SITE_COLUMNS)


def test_looking_leaves_the_module_as_it_is(program: bytes) -> None:
    with Module.parse(program) as module:
        before = module.bitcode()
        loops(module)
        sites(module)
        assert module.bitcode() == before
