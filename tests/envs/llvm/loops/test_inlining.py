"""Tests of decisions on calls."""

from __future__ import annotations

import pytest

from optarena.llvm.loops.decisions import LOOPS, Decision, DecisionKind
from optarena.llvm.loops.looping import decide_call
from optarena.llvm.loops.tables import call_site_names
from optarena.llvm.module import Module
from tests.kit.llvm.loops import functions, sites

INLINE, NOINLINE = (one for one in LOOPS.decisions if one.kind is DecisionKind.SITE)

CALLS = b"""target triple = "x86_64-unknown-linux-gnu"
declare void @outside()
define internal i32 @always(i32 %x) #0 { %r = add i32 %x, 1 ret i32 %r }
define internal i32 @never(i32 %x) #1 { %r = mul i32 %x, 3 ret i32 %r }
define internal i32 @plain(i32 %x) { %r = call i32 @always(i32 %x) ret i32 %r }
define internal i32 @many(i32 %x, ...) { %l = alloca ptr call void @llvm.va_start(ptr %l) ret i32 %x }
define i32 @main(ptr %f) {
  %a = call i32 @always(i32 1)
  %b = call i32 @always(i32 %a)
  %c = call i32 @never(i32 %b)
  %d = call i32 @plain(i32 %c)
  %e = call i32 (i32, ...) @many(i32 %d)
  %g = call i32 %f(i32 %e)
  call void @outside()
  %h = call i64 @plain(i64 0)
  ret i32 %g
}
attributes #0 = { alwaysinline }
attributes #1 = { noinline }
"""


def decided(program: bytes, name: str, number: int = 0) -> tuple[bool, dict[str, str], dict[str, str], bytes]:
    """Whether a call of ``name`` from main is inlined, the functions before and after, and the bitcode."""
    with Module.parse(program) as module:
        before = functions(module)
        rows = [row for row, site in enumerate(call_site_names(module)) if site.endswith(f"->{name}")]
        happened = decide_call(module, rows[number], INLINE)
        assert module.verify() is None
        assert "optarena" not in module.text()
        return happened, before, functions(module), module.bitcode()


def test_exactly_that_call_is_inlined(program: bytes) -> None:
    with Module.parse(program) as module:
        count = len(call_site_names(module))
    for row in range(count):
        with Module.parse(program) as module:
            names, before = call_site_names(module), functions(module)
            happened = decide_call(module, row, INLINE)
            after = functions(module)
            caller, callee = names[row].split(":")[0], names[row].partition("->")[2]
            assert happened == (callee != "factorial")
            changed = {name for name in before if before[name] != after[name]}
            assert changed == ({caller} if happened else set())
            if happened:
                assert before[caller].count(f"@{callee}(") - after[caller].count(f"@{callee}(") == 1
            assert module.verify() is None


def test_calls_that_would_be_inlined_anyway_are_held_meanwhile() -> None:
    happened, before, after, _ = decided(CALLS, "plain")
    assert happened
    assert after["plain"] == before["plain"]
    assert after["main"].count("@always(") == 3  # its own two, and that of the body of plain
    happened, before, after, _ = decided(CALLS, "always", 1)
    assert happened
    assert after["main"].count("@always(") == 1


def test_a_function_that_is_never_inlined_is_where_that_is_decided() -> None:
    happened, _, after, _ = decided(CALLS, "never")
    assert happened
    assert "@never(" not in after["main"]


def test_what_cannot_be_inlined_stays_as_it_is() -> None:
    happened, before, after, bitcode = decided(CALLS, "many")
    assert not happened
    assert before == after
    with Module.parse(CALLS) as module:
        assert module.bitcode() == bitcode


def test_only_direct_calls_by_the_functions_own_type_are_listed() -> None:
    with Module.parse(CALLS) as module:
        found = [name.partition("->")[2] for name in call_site_names(module)]
        rows = sites(module)
    assert found == ["always", "always", "always", "never", "plain", "many"]
    assert [row["callee_alwaysinline"] for row in rows.values()] == [1, 1, 1, 0, 0, 0]
    assert [row["callee_noinline"] for row in rows.values()] == [0, 0, 0, 1, 0, 0]
    assert [row["callee_is_variadic"] for row in rows.values()] == [0, 0, 0, 0, 0, 1]


def test_noinline_holds_against_the_pass_but_not_against_a_decision(program: bytes) -> None:
    with Module.parse(program) as module:
        row = next(i for i, name in enumerate(call_site_names(module)) if name.endswith("->length"))
        assert decide_call(module, row, NOINLINE)
        before = module.bitcode()
        assert not decide_call(module, row, NOINLINE)
        assert module.bitcode() == before
        module.run("cgscc(inline)")
        names = call_site_names(module)
        assert any(name.endswith("->length") for name in names)
        assert not any(name.endswith("->tiny") for name in names)
        row = next(i for i, name in enumerate(names) if name.endswith("->length"))
        assert decide_call(module, row, INLINE)
        assert not any(name.endswith("->length") for name in call_site_names(module))


@pytest.mark.parametrize("decision", [INLINE, NOINLINE], ids=lambda one: one.name)
def test_a_row_that_is_no_call_has_no_effect(program: bytes, decision: Decision) -> None:
    with Module.parse(program) as module:
        before = module.bitcode()
        assert not decide_call(module, len(call_site_names(module)), decision)
        assert module.bitcode() == before


def test_a_program_that_comes_with_our_marks_is_no_exception() -> None:
    marked = CALLS.replace(b"@plain(i32 %c)", b"@plain(i32 %c) #2").replace(
        b"@never(i32 %b)", b"@never(i32 %b) #2"
    )
    marked += b'attributes #2 = { noinline "optarena-chosen" "optarena-held" }'
    happened, _, after, _ = decided(marked, "never")
    assert happened
    assert "@plain(" in after["main"]
