"""Tests of what actions with parameters and on functions do, on modules and in sessions."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from optarena import limits
from optarena.datasets import datasets
from optarena.env.confined import judge
from optarena.errors import InvalidAction, InvalidInput, SessionLimitExceeded
from optarena.llvm.action_sets import FunctionActions, ParameterActions, defined_function, inliner_attributes
from optarena.llvm.actions import CURATED
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module
from optarena.llvm.session import LlvmSession
from optarena.llvm.tables import FUNCTIONS, PARAMETERS
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.datasets import Benchmark

KERNELS = list(datasets()["kernels-v0"])
SETS = {"llvm-parameters-v0": ParameterActions(PARAMETERS), "llvm-functions-v0": FunctionActions(FUNCTIONS)}
HEADER = 'target triple = "x86_64-unknown-linux-gnu"\n'
BODY = "\n".join(f"  %v{index + 1} = mul i32 %v{index}, %v{index}" for index in range(30))
CALLS = f"""{HEADER}
define internal i32 @callee(i32 %v0) CALLEE {{
{BODY}
  ret i32 %v30
}}
define i32 @first(i32 %x) CALLER {{
  %r = call i32 @callee(i32 %x)
  ret i32 %r
}}
define i32 @second(i32 %x) CALLER {{
  %r = call i32 @callee(i32 %x)
  ret i32 %r
}}
"""


def event(*components: int) -> pb.Event:
    return pb.Event(int64_tensor=pb.Int64Tensor(shape=[len(components)], value=components))


def session_on(module: Module) -> Any:  # a session's part that action sets may use
    return SimpleNamespace(module=module, function_names=module.function_names())


def started(program: bytes, space: str) -> LlvmSession:
    (message,) = (one for one in LlvmSession.action_spaces if one.name == space)
    benchmark = pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))
    return LlvmSession(Path("/nowhere"), message, benchmark)


def inlined(word: str, *, callee: str = "", caller: str = "") -> bool:
    """Whether an action inlines a function of 30 multiplications, which costs about 115."""
    program = CALLS.replace("CALLEE", callee).replace("CALLER", caller).encode()
    (action,) = PARAMETERS.parse(f"llvm-parameters {word}")
    with Module.parse(program) as module:
        SETS["llvm-parameters-v0"].apply(session_on(module), event(*action))
        assert module.verify() is None
        assert "function-inline-threshold" not in module.text()
        assert module.text().count("minsize") >= caller.count("minsize")
        return "call i32 @callee" not in module.text()


@pytest.mark.parametrize("caller", ["", "optsize", "minsize optsize"])
@pytest.mark.parametrize("callee", ["", "minsize optsize", "inlinehint"])
def test_the_threshold_decides_what_is_inlined(callee: str, caller: str) -> None:
    for threshold, expected in ((0, 0), (5, 0), (25, 0), (50, 0), (225, 1), (325, 1)):
        assert inlined(f"inline<threshold={threshold}>", callee=callee, caller=caller) == expected, threshold
    assert inlined("inline", caller=caller) == (not caller)
    assert not inlined("inline<only-mandatory;threshold=325>", caller=caller)


def test_the_threshold_moves_the_decision_on_real_programs() -> None:
    """A higher one leaves fewer functions."""
    left = []
    for threshold in (0, 25, 50, 100, 225):
        (action,) = PARAMETERS.parse(f"llvm-parameters inline<threshold={threshold}>")
        total = 0
        for benchmark in KERNELS[:4]:
            with Module.parse(benchmark.program()) as module:
                module.run("function(sroa,simplifycfg)")
                SETS["llvm-parameters-v0"].apply(session_on(module), event(*action))
                total += len(module.function_names())
        left.append(total)
    assert left == sorted(left, reverse=True)
    assert len(set(left)) == len(left)


def test_a_function_that_may_not_be_inlined_never_is() -> None:
    assert not inlined("inline<threshold=325>", callee="noinline")
    assert not inlined("inline<threshold=0>", callee="inlinehint")
    assert inlined("inline<threshold=0>", callee="alwaysinline")


def test_the_marks_of_functions_are_taken_back() -> None:
    attributes = 'inlinehint optsize "function-inline-threshold"="7" "other"="x"'
    program = CALLS.replace("CALLEE", attributes).replace("CALLER", "minsize").encode()
    with Module.parse(program) as module:
        before = module.bitcode()
        with inliner_attributes(module, {"function-inline-threshold": "50"}):
            groups = [line for line in module.text().splitlines() if line.startswith("attributes #")]
        assert len(groups) == 2
        assert all('inlinehint "function-inline-threshold"="50"' in group for group in groups)
        assert not any("size" in group for group in groups)
        assert module.bitcode() == before
        with pytest.raises(InvalidInput), inliner_attributes(module, {"function-inline-threshold": "50"}):
            module.run("no such pass")
        assert module.bitcode() == before


@pytest.mark.opt
@pytest.mark.parametrize("threshold", ["0", "50", "325"])
def test_a_marked_program_is_inlined_as_opt_does(threshold: str, mixed: bytes, opt: str) -> None:
    with Module.parse(mixed) as ours:
        with inliner_attributes(ours, {"function-inline-threshold": threshold}):
            command = [opt, "-passes=cgscc(inline)", "-", "-o", "-"]
            output = subprocess.run(command, input=ours.bitcode(), check=True, capture_output=True).stdout
            ours.run("cgscc(inline)")
            digest = ours.digest()
        with Module.parse(output) as theirs:
            assert theirs.digest() == digest != ours.digest()


def test_passes_on_a_function_leave_the_others_alone(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        names = module.function_names()
        before = functions_of(module)
        index = FUNCTIONS.names.index("sroa")
        said = SETS["llvm-functions-v0"].apply(session_on(module), event(index, 1))
        assert said == f"sroa@1 ({names[1]})"
        changed = [name for name, text in functions_of(module).items() if text != before[name]]
        assert changed == [names[1]]


def functions_of(module: Module) -> dict[str, str]:
    """The text of each function, without what is numbered for the whole module."""
    parts = module.canonical_text().split("\ndefine ")[1:]
    return {part.partition("@")[2].partition("(")[0]: part.partition("{")[2] for part in parts}


@pytest.mark.parametrize("name", FUNCTIONS.names)
def test_every_pass_runs_on_every_function(name: str, mixed: bytes, mixed_o3: bytes) -> None:
    for program in (mixed, mixed_o3):
        with Module.parse(program) as module:
            session = session_on(module)
            for number in range(len(session.function_names)):
                SETS["llvm-functions-v0"].apply(session, event(FUNCTIONS.names.index(name), number))
            assert module.verify() is None


def test_a_function_pass_on_all_functions_is_the_pass(mixed: bytes) -> None:
    for name in ("sroa", "early-cse<memssa>", "licm", "loop-rotate", "simplifycfg", "gvn"):
        with Module.parse(mixed) as one_by_one, Module.parse(mixed) as at_once:
            session = session_on(one_by_one)
            for number in range(len(session.function_names)):
                SETS["llvm-functions-v0"].apply(session, event(FUNCTIONS.names.index(name), number))
            at_once.run(CURATED.action(CURATED.index(name)).pipeline)
            assert one_by_one.digest() == at_once.digest(), name


def test_a_function_that_is_not_there_is_left_alone(digits: Benchmark) -> None:
    session = started(digits.program(), "llvm-functions-v0")
    names = session.function_names
    assert json.loads(observed(session, "Functions")) == names
    session.module.run("cgscc(inline),globaldce")
    now = json.loads(observed(session, "Functions"))
    assert [name for name in now if name] == session.module.function_names() != names
    index = FUNCTIONS.names.index("mem2reg")
    assert session.apply_action(event(index, now.index("main"))) == (False, None, False)
    for number in (now.index(None), len(names), 63):
        assert session.apply_action(event(index, number)) == (False, None, True)
    session.close()


def test_functions_are_found_by_strange_names() -> None:
    program = f'{HEADER}define void @"\\FF x"() {{\n  ret void\n}}\ndefine void @0() {{\n  ret void\n}}\n'
    session = started(program.encode(), "llvm-functions-v0")
    assert defined_function(session.module, session.function_names[0]) is not None
    assert defined_function(session.module, "") is None
    for number in (0, 1):
        assert session.apply_action(event(0, number)) == (False, None, True)
    assert json.loads(observed(session, "Functions")) == ["\\xff x", ""]
    session.close()


def observed(session: LlvmSession, name: str) -> str:
    (space,) = (one for one in session.observation_spaces if one.name == name)
    return session.get_observation(space).string_value


@pytest.mark.parametrize("space", SETS)
def test_actions_outside_of_the_space_are_refused(space: str, digits: Benchmark) -> None:
    session = started(digits.program(), space)
    sizes = SETS[space].table.sizes
    for bad in ([], [0], [0] * 20, [-1, *[0] * (len(sizes) - 1)], [*[0] * (len(sizes) - 1), sizes[-1]]):
        with pytest.raises(InvalidAction):
            session.check_action(event(*bad))
    session.check_action(event(*[size - 1 for size in sizes]))
    session.close()


def test_growth_is_refused_with_the_action_named(mixed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "IR_GROWTH_FLOOR", 0)
    monkeypatch.setattr(limits, "IR_GROWTH_FACTOR", 1)
    (action,) = PARAMETERS.parse("llvm-parameters inline<threshold=325>")
    session = started(mixed, "llvm-parameters-v0")
    with pytest.raises(SessionLimitExceeded, match=r"instructions after inline<threshold=325>; it may grow"):
        session.apply_action(event(*action))
    session.close()
    with Module.parse(mixed) as module:
        module.run("function(mem2reg)")
        session = started(module.bitcode(), "llvm-functions-v0")
    main = event(FUNCTIONS.names.index("reg2mem"), session.function_names.index("main"))
    with pytest.raises(SessionLimitExceeded, match=r"instructions after reg2mem@\d+ \(main\); it may grow"):
        session.apply_action(main)
    session.close()


@pytest.mark.parametrize("space", SETS)
@pytest.mark.parametrize("benchmark", KERNELS, ids=lambda one: one.name)
def test_random_episodes_keep_programs_valid_and_right(space: str, benchmark: Benchmark) -> None:
    rng = random.Random(f"{space} {benchmark.name}")  # noqa: S311 - a test repeats its choices
    table = SETS[space].table
    words = []
    with Module.parse(benchmark.program()) as module:
        session = session_on(module)
        sizes = [*table.sizes[:1], *(min(size, 20) for size in table.sizes[1:])]
        for _ in range(15):
            words.append(SETS[space].apply(session, event(*(rng.randrange(size) for size in sizes))))
            assert module.verify() is None, words
        program = module.bitcode()
    workload = benchmark.workloads[0]
    result = judge(workload, run_program(program, args=workload.args, stdin=workload.stdin))
    assert result.ok, (result, words)
