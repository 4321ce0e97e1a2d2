"""Decisions on loops and calls: their text, what they change, their tables, and the environment of them."""

from __future__ import annotations

import random
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidAction, InvalidCommandline
from optarena.llvm.description import run_workload
from optarena.llvm.loops.columns import CALL_SITE_COLUMNS, LOOP_COLUMNS, MAX_CALL_SITES, MAX_LOOPS
from optarena.llvm.loops.decisions import LOOPS, ROWS, Decision, DecisionKind
from optarena.llvm.loops.tables import call_site_names, call_site_rows, latches, loop_names, loop_rows
from optarena.llvm.loops_session import decide_call, decide_loop
from optarena.llvm.module import Module
from optarena.replay import judge, replay
from optarena.service.protocol.messages import VERIFY
from optarena.specs import environment_spec
from tests.kit.examples import slow
from tests.kit.llvm.loops import functions, loops, sites
from tests.kit.llvm.programs import FRONT_END, states

if TYPE_CHECKING:
    from optarena.specs.benchmark import Benchmark

DATA = Path(__file__).parent / "data"
REGISTERS = "function(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg)"


@pytest.fixture(scope="session")
def unoptimised(clang: Path) -> bytes:
    """The program as the front end gives it."""
    command = [str(clang), *FRONT_END, "-Oz", "-c", "loops.c", "-o", "-"]
    return subprocess.run(command, cwd=DATA, check=True, capture_output=True).stdout


@pytest.fixture(scope="session")
def program(unoptimised: bytes) -> bytes:
    """The program without memory for its variables."""
    with Module.parse(unoptimised) as module:
        module.run(REGISTERS)
        return module.bitcode()


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
def test_only_the_loops_function_changes_and_nothing_of_ours_stays(
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


def test_a_program_whose_loops_come_with_our_marks_is_no_exception() -> None:
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


KERNELS = list(datasets()["kernels-v0"])
SPEC = environment_spec("llvm-loops-v0")


@pytest.fixture(scope="module")
def env() -> Iterator[CompilerEnv]:
    with CompilerEnv(SPEC, benchmark=KERNELS[0]) as env:
        yield env


def test_the_spaces_are_what_is_declared(env: CompilerEnv) -> None:
    observation, _ = env.reset()
    assert env.action_space == gymnasium.spaces.MultiDiscrete([len(LOOPS.decisions), ROWS])
    assert observation in env.observation_space
    assert observation.shape == (MAX_LOOPS, len(LOOP_COLUMNS))
    exists = observation[:, LOOP_COLUMNS.index("exists")]
    names = env.observation["LoopNames"]
    assert exists.sum() == min(len(names), MAX_LOOPS)
    assert not observation[int(exists.sum()) :].any()
    calls = env.observation["CallSites"]
    assert calls.shape == (MAX_CALL_SITES, len(CALL_SITE_COLUMNS))
    assert calls[:, 0].sum() == min(len(env.observation["CallSiteNames"]), MAX_CALL_SITES)


def test_an_episode_can_be_written_down_and_read_back(env: CompilerEnv) -> None:
    env.reset(options={"benchmark": KERNELS[0]})
    text = "llvm-loops pass:sroa loop3:unroll=4 site2:inline pass:instcombine"
    for action in LOOPS.parse(text):
        env.step(np.array(action))
    assert env.state.commandline == text
    digest = env.observation["IrSha1"]
    result = replay(environment=SPEC, benchmark=KERNELS[0], actions=env.actions, sandbox=False)
    assert result.ok
    assert result.steps[-1].digest == digest


def test_a_row_that_does_not_exist_is_allowed_and_has_no_effect(env: CompilerEnv) -> None:
    env.reset()
    digest = env.observation["IrSha1"]
    assert len(env.observation["LoopNames"]) < ROWS
    for name in ("loop:unroll=4", "loop:vectorize=4", "loop:unroll=off"):
        _, reward, terminated, _, info = env.step((LOOPS.names.index(name), ROWS - 1))
        assert (reward, terminated, info["action_had_no_effect"]) == (0.0, False, True)
    assert env.observation["IrSha1"] == digest


@pytest.mark.parametrize("benchmark", [*KERNELS[:2], *slow(KERNELS[2:])], ids=lambda one: one.name)
def test_random_decisions_keep_programs_and_outputs(env: CompilerEnv, benchmark: Benchmark) -> None:
    pick = random.Random(benchmark.uri)  # noqa: S311 - a test's choices
    env.reset(options={"benchmark": benchmark})
    actions = list(LOOPS.parse("llvm-loops pass:sroa pass:instcombine pass:simplifycfg"))
    env.multistep(list(actions))
    specific = [index for index, one in enumerate(LOOPS.decisions) if one.kind is not DecisionKind.PROGRAM]
    for _ in range(12):
        table = {DecisionKind.LOOP: "LoopNames", DecisionKind.SITE: "CallSiteNames"}
        decision = pick.choice(specific)
        rows = len(env.observation[table[LOOPS.decisions[decision].kind]])
        actions.append((decision, pick.randrange(min(rows, ROWS))))
        _, _, terminated, _, _ = env.step(actions[-1])
        assert not terminated
    assert env.parameter(VERIFY) == ""
    for workload in benchmark.workloads:
        judged = judge(workload, run_workload(env, workload, sandbox=False))
        assert judged.reason is None, judged.detail


def test_what_llvm_is_only_told_is_an_effect_once(env: CompilerEnv) -> None:
    env.reset(options={"benchmark": KERNELS[0]})
    for word in ("loop0:unroll=off", "loop0:vectorize=off", "site0:noinline"):
        before = env.observation["Bitcode"]
        for expected in (False, True):
            _, _, _, _, info = env.step(LOOPS.parse(f"llvm-loops {word}")[0])
            assert info["action_had_no_effect"] is expected, word
        assert env.observation["Bitcode"] != before


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
