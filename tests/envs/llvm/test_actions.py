"""LLVM's actions of all spaces: their tables, their command lines, and what they do to modules."""

from __future__ import annotations

import itertools
import json
import random
import re
import shlex
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from crashing import CRASH, TABLE  # found by the line above, here and in sessions
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.datasets import Benchmark, datasets
from optarena.env import CompilerEnv
from optarena.env.confined import judge
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, SessionLimitExceeded, UnknownName
from optarena.llvm.action_sets import FunctionActions, ParameterActions, defined_function, inliner_attributes
from optarena.llvm.actions import CURATED, SEPARATOR, UNSAFE, PassTable
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module
from optarena.llvm.session import LlvmSession
from optarena.llvm.tables import FUNCTIONS, PARAMETERS
from optarena.service.converters.spaces import Commandline
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import environment_spec
from optarena.validation import validate_state
from tests.kit.examples import slow

GOLDEN = Path(__file__).parent / "data/llvm-passes-v0.json"
LEVELS = {"module", "cgscc", "function", "loopnest", "loop"}
DANGERS = {"crash", "hang", "growth", "miscompile", "nondeterministic", "code-generation", "no-use"}
TABLES = pytest.mark.parametrize("table", [CURATED, UNSAFE], ids=lambda table: table.name)
KERNELS = list(datasets()["kernels-v0"])
SOME_KERNELS = pytest.mark.parametrize(
    "benchmark", [*KERNELS[:2], *slow(KERNELS[2:])], ids=lambda one: one.name
)
SEQUENCES = st.lists(st.integers(0, len(CURATED) - 1), max_size=50)


@TABLES
def test_entries_are_complete_and_unique(table: PassTable) -> None:
    assert len(set(table.names)) == len({action.pipeline for action in table.actions}) == len(table) > 40
    for index, action in enumerate(table.actions):
        assert action.index == index == table.index(action.name)
        assert action.level in LEVELS
        assert re.fullmatch(r"[A-Z].*[^.]\.", action.description), action.name
        assert bool(action.danger) == (table is UNSAFE)
        assert action.danger in DANGERS | {""}


def test_no_excluded_pass_is_curated() -> None:
    assert not {action.pipeline for action in CURATED.actions} & {
        action.pipeline for action in UNSAFE.actions
    }


def test_the_unsafe_table_has_every_danger() -> None:
    assert {action.danger for action in UNSAFE.actions} == DANGERS


@TABLES
def test_pipelines_stand_for_themselves_at_module_level(table: PassTable) -> None:
    """So that they can be joined: a bare name would take the level of the first one."""
    for action in table.actions:
        manager = {"module": "", "cgscc": "cgscc(", "function": "function("}.get(
            action.level, "function(loop"
        )
        assert action.pipeline.startswith(manager), action.name
        assert ("(" in action.pipeline) == (action.level != "module")
        assert "," not in action.pipeline


def test_a_pass_that_breaks_programs_is_not_curated() -> None:
    """After early-cse<memssa> and dse, newgvn broke or hung three of the twelve kernels."""
    assert UNSAFE.action(UNSAFE.index("newgvn")).danger == "miscompile"
    with pytest.raises(UnknownName):
        CURATED.index("newgvn")


def test_the_curated_table_is_the_published_one() -> None:
    """A change makes a new environment version.

    To publish one, write the file anew:

    ``python -c "from tests.envs.llvm.test_actions import *; GOLDEN.write_text(golden_text())"``
    """
    assert GOLDEN.read_text() == golden_text()


def golden_text() -> str:
    """The version of the curated table, an action a line."""
    spec = CURATED.version_spec()
    actions = ",\n".join(f"  {json.dumps(action)}" for action in spec.pop("actions"))
    return f'{json.dumps(spec, indent=1)[:-2]},\n "actions": [\n{actions}\n ]\n}}\n'


def test_the_version_says_nothing_of_descriptions() -> None:
    spec = UNSAFE.version_spec()
    assert json.loads(json.dumps(spec)) == spec
    assert spec["actions"][0] == [UNSAFE.actions[0].name, UNSAFE.actions[0].pipeline]
    assert spec["engine_version"] == "22.1.8"
    assert spec["target_machine"]["triple"] == "x86_64-unknown-linux-gnu"
    assert UNSAFE.actions[0].description not in json.dumps(spec)


@given(SEQUENCES)
def test_command_lines_round_trip(sequence: list[int]) -> None:
    line = CURATED.commandline(sequence)
    assert CURATED.parse(line) == tuple(sequence)
    assert CURATED.parse(line.replace("'", "")) == tuple(sequence)
    assert CURATED.parse(shlex.join(shlex.split(line))) == tuple(sequence)
    assert CURATED.parse(f"  {line}\n") == tuple(sequence)


def test_command_lines_by_hand() -> None:
    sequence = [CURATED.index("mem2reg"), CURATED.index("inline")]
    line = "opt -passes='function(mem2reg),invalidate<all>,cgscc(inline)' input.bc -o output.bc"
    assert CURATED.commandline(sequence) == line
    assert CURATED.commandline([]) == "opt input.bc -o output.bc"
    assert CURATED.parse("opt input.bc -o output.bc") == ()


@pytest.mark.parametrize(
    "line",
    [
        "",
        "opt",
        "gcc -O2 input.bc -o output.bc",
        "opt -passes=globaldce",
        "opt -passes=globaldce in.bc -o output.bc",
        "opt -passes='globaldce input.bc -o output.bc",
        "opt -passes=globaldce' input.bc -o output.bc",
        "opt -passes=globaldce,invalidate<all>, globalopt input.bc -o output.bc",
        "opt -passes=globaldce input.bc -o output.bc; rm -rf x",
        "opt -passes=globaldce -passes=globaldce input.bc -o output.bc",
    ],
)
def test_a_command_line_of_another_form_is_refused(line: str) -> None:
    with pytest.raises(InvalidCommandline, match=r"wrong form.*Write it as"):
        CURATED.parse(line)


@pytest.mark.parametrize(
    ("pipeline", "message"),
    [
        ("mem2reg", r"'mem2reg'.*Write 'function\(mem2reg\)'"),
        (
            "globaldce,invalidate<all>,function(mem2rg)",
            r"Pass 2.*function\(mem2rg\).*Did you mean .function\(mem2reg\)",
        ),
        ("globaldce,globalopt", "between two passes"),
        ("default<Oz>", r"'default<Oz>', is not in llvm-passes-v0"),
        ("function(structurizecfg)", "is not in llvm-passes-v0"),
        ("globaldce,invalidate<all>,", "Pass 2 of the command line, ''"),
        ("x" * 1000, "x{200}'"),
        ("function(sroa)", r"Write 'function\(sroa<modify-cfg>\)'"),
        ("function<eager-inv>(sroa)", r"Write 'function\(sroa<modify-cfg>\)'"),
        ("module(function(instcombine))", r"Write 'function\(instcombine<no-verify-fixpoint>\)'"),
        ("module(globaldce)", "Write 'globaldce'"),
        ("module(cgscc<max-devirt=4>(inline))", r"Write 'cgscc\(inline\)'"),
        ("inline<only-mandatory>", r"Write 'cgscc\(inline<only-mandatory>\)'"),
        ("loop(licm)", r"Write 'function\(loop-mssa\(licm\)\)'"),
        ("function(loop(licm))", r"Write 'function\(loop-mssa\(licm\)\)'"),
        ("function(loop-mssa(loop-rotate))", r"Write 'function\(loop\(loop-rotate\)\)'"),
        ("function(sroa,gvn)", "between two passes"),
        (
            "function(sroa<x>)",
            r"Did you mean 'function\(sroa<modify-cfg>\)' or 'function\(sroa<preserve-cfg>\)'",
        ),
        ("loop(lcim)", r"Did you mean 'function\(loop-mssa\(licm\)\)'"),
    ],
)
def test_an_unknown_pass_is_named_in_the_error(pipeline: str, message: str) -> None:
    with pytest.raises(InvalidCommandline, match=message) as caught:
        CURATED.parse(f"opt -passes='{pipeline}' input.bc -o output.bc")
    assert caught.value.field == "commandline"
    assert caught.value.remedy
    assert len(str(caught.value)) < 500


def test_a_very_long_command_line_is_parsed_or_refused_quickly() -> None:
    line = CURATED.commandline([3] * 100_000)
    start = time.process_time()
    assert len(CURATED.parse(line)) == 100_000
    for hostile in (
        line[:-1],
        "opt" + " " * 5_000_000 + "x",
        "opt -passes=" + "'" * 5_000_000,
        "(" * 5_000_000,
        f"opt -passes={'function(' * 400_000}x{')' * 400_000} input.bc -o output.bc",
    ):
        with pytest.raises(InvalidCommandline):
            CURATED.parse(hostile)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("index", [-1, len(CURATED), 10**20])
def test_an_index_outside_of_the_table_is_refused(index: int) -> None:
    with pytest.raises(InvalidAction, match=rf"no action {index}\. Actions are numbers from 0 to"):
        CURATED.commandline([0, index])


def test_an_unknown_name_is_refused_with_the_nearest_ones() -> None:
    with pytest.raises(UnknownName, match=r"'mem2rag'.*Did you mean .*'mem2reg'"):
        CURATED.index("mem2rag")
    with pytest.raises(UnknownName, match="Did you mean 'sroa'"):
        CURATED.index("function(sroa)")


def test_every_curated_action_keeps_programs_valid(mixed: bytes, mixed_o3: bytes) -> None:
    for program, action in itertools.product((mixed, mixed_o3), CURATED.actions):
        with Module.parse(program) as module:
            module.run(action.pipeline)
            assert module.verify() is None, action.name


@TABLES
def test_every_pipeline_is_known_to_the_engine(table: PassTable) -> None:
    empty = b'target triple = "x86_64-unknown-linux-gnu"\n'
    for action in table.actions:
        if action.name != "trigger-crash-module":  # crashes on an empty module, too
            with Module.parse(empty) as module:
                module.run(action.pipeline)


@pytest.mark.parametrize("seed", range(4))
def test_joined_passes_do_what_they_do_one_by_one(seed: int, mixed: bytes, mixed_o3: bytes) -> None:
    sequence = random_sequence(seed)
    with (
        Module.parse((mixed, mixed_o3)[seed % 2]) as stepwise,
        Module.parse((mixed, mixed_o3)[seed % 2]) as joined,
    ):
        for index in sequence:
            stepwise.run(CURATED.action(index).pipeline)
        joined.run(SEPARATOR.join(CURATED.action(index).pipeline for index in sequence))
        assert stepwise.bitcode() == joined.bitcode()
        assert stepwise.verify() is None


@pytest.mark.opt
@pytest.mark.parametrize("seed", [*range(2), *slow(range(2, 20))])
def test_the_command_line_does_the_same_in_opt(seed: int, mixed: bytes, plain: bytes, opt: str) -> None:
    check_in_opt((mixed, plain)[seed % 2], random_sequence(seed + 1000), opt)


@pytest.mark.opt
@SOME_KERNELS
def test_the_command_line_does_the_same_in_opt_for_every_kernel(benchmark: Benchmark, opt: str) -> None:
    """Sequences that begin as programs do when they are optimised, and others."""
    program = benchmark.program()
    for seed, names in enumerate(((), ("sroa",), ("sroa", "inline", "simplifycfg"))):
        sequence = random_sequence(f"{benchmark.name} {seed}")
        beginning = [CURATED.index(name) for name in names]
        check_in_opt(program, [*beginning, *sequence], opt)


def check_in_opt(program: bytes, sequence: list[int], opt: str) -> None:
    """Step by step, joined in this process and by the command line in ``opt``: the same module."""
    command = [opt, *shlex.split(CURATED.commandline(sequence))[1:]]
    assert command[-3:] == ["input.bc", "-o", "output.bc"]
    command[-3:] = ["-", "-o", "-"]
    output = subprocess.run(command, input=program, check=True, capture_output=True).stdout
    with Module.parse(program) as ours, Module.parse(program) as joined, Module.parse(output) as theirs:
        for index in sequence:
            ours.run(CURATED.action(index).pipeline)
        joined.run(SEPARATOR.join(CURATED.action(index).pipeline for index in sequence))
        assert ours.bitcode() == joined.bitcode(), sequence
        assert ours.digest() == theirs.digest(), sequence
        assert ours.instruction_count() == theirs.instruction_count()


def random_sequence(seed: int | str) -> list[int]:
    rng = random.Random(seed)  # noqa: S311 - a test repeats its choices
    return [rng.randrange(len(CURATED)) for _ in range(rng.randint(5, 40))]


@pytest.mark.parametrize(
    "line",
    [
        "opt input.bc -o output.bc",
        "opt  input.bc -o output.bc",
        "opt -passes='' input.bc -o output.bc",
        "opt -passes= input.bc -o output.bc",
    ],
)
def test_the_command_line_of_no_actions_is_read_in_each_of_its_forms(line: str) -> None:
    assert CURATED.parse(line) == ()
    assert CURATED.parse(CURATED.commandline([])) == ()


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


def test_every_pass_runs_on_every_function(mixed: bytes, mixed_o3: bytes) -> None:
    for program, index in itertools.product((mixed, mixed_o3), range(len(FUNCTIONS.names))):
        with Module.parse(program) as module:
            session = session_on(module)
            for number in range(len(session.function_names)):
                SETS["llvm-functions-v0"].apply(session, event(index, number))
            assert module.verify() is None, FUNCTIONS.names[index]


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
@SOME_KERNELS
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


COMMANDLINE = "llvm-commandline-v0"
STRUCTURED = {table.name: table for table in (PARAMETERS, FUNCTIONS)}
SPACES = [COMMANDLINE, *STRUCTURED]


@pytest.fixture(scope="module")
def env() -> Iterator[CompilerEnv]:
    with CompilerEnv("llvm-ic-v0", benchmark="kernels-v0/sudoku") as made:
        yield made


def reset_to(env: CompilerEnv, space: str) -> CompilerEnv:
    env.reset(options={"action_space": space})
    return env


def first_words(space: str) -> list[Any]:
    if space == COMMANDLINE:
        return [CURATED.index(name) for name in ("sroa", "inline", "instcombine")]
    if space == PARAMETERS.name:
        return list(PARAMETERS.parse("llvm-parameters sroa inline<threshold=100> simplifycfg<no-keep-loops>"))
    return list(FUNCTIONS.parse("llvm-functions sroa@0 mem2reg@1 early-cse<memssa>@0"))


@pytest.mark.parametrize("space", SPACES)
def test_states_go_there_and_back(env: CompilerEnv, space: str) -> None:
    actions = first_words(space)
    reset_to(env, space).multistep(actions)
    state, digest = env.state, env.observation["IrSha1"]
    assert list(env.actions) == actions
    assert env.environment.parse(env.commandline())[1] == tuple(actions)
    with env.fork() as fork:
        assert fork.observation["IrSha1"] == digest
        fork.step(actions[0])
        assert fork.commandline() != env.commandline()
    env.reset()
    assert env.observation["IrSha1"] != digest
    env.apply(state)
    assert (env.observation["IrSha1"], env.commandline()) == (digest, state.commandline)
    assert validate_state(state, environment="llvm-ic-v0").ok


@pytest.mark.parametrize("space", SPACES)
def test_every_sample_is_an_action(env: CompilerEnv, space: str) -> None:
    reset_to(env, space).action_space.seed(7)
    for _ in range(15):
        _, _, terminated, _, info = env.step(env.action_space.sample())
        assert not terminated, info
    assert env.environment.parse(env.commandline())[1] == tuple(env.actions)


def test_the_command_line_space_names_pipelines(env: CompilerEnv) -> None:
    space = reset_to(env, COMMANDLINE).action_space
    assert isinstance(space, Commandline)
    assert space.names == tuple(action.pipeline for action in CURATED.actions)
    actions = [3, 1, 4, 1, 5]
    assert space.from_string(space.to_string(actions)) == actions
    env.multistep(actions)
    commandline, digest = env.commandline(), env.observation["IrSha1"]
    env.reset(options={"action_space": CURATED.name})
    env.multistep(actions)
    assert (env.commandline(), env.observation["IrSha1"]) == (commandline, digest)


@pytest.mark.parametrize("space", STRUCTURED)
def test_structured_spaces_are_choices(env: CompilerEnv, space: str) -> None:
    sizes = STRUCTURED[space].sizes
    assert reset_to(env, space).action_space == gymnasium.spaces.MultiDiscrete(list(sizes))
    env.step(np.zeros(len(sizes), dtype=np.int32))
    env.step([size - 1 for size in sizes])
    assert env.actions[0] == (0,) * len(sizes)
    assert env.actions[1] == STRUCTURED[space].check([size - 1 for size in sizes])


@pytest.mark.parametrize("space", STRUCTURED)
def test_bad_actions_are_refused_and_change_nothing(env: CompilerEnv, space: str) -> None:
    sizes = STRUCTURED[space].sizes
    zeros = [0] * len(sizes)
    good = first_words(space)[0]
    reset_to(env, space).step(good)
    before = env.observation["IrSha1"]
    for form in (None, 3, 1.5, "sroa", [], [0], [*zeros, 0], np.zeros((3, 3), dtype=int)):
        with pytest.raises(InvalidAction, match=f"Give {len(sizes)} integers"):
            env.step(form)
    for component, size in enumerate(sizes):
        for value in (-1, size, 10**30, 0.0, None, "0"):
            bad: list[Any] = [*zeros[:component], value, *zeros[component + 1 :]]
            with pytest.raises(InvalidAction, match=rf"{value!r}, component {component} at pos") as caught:
                env.multistep([good, bad])
            assert caught.value.remedy == f"Give an integer from 0 to {size - 1}."
    assert (list(env.actions), env.observation["IrSha1"]) == ([good], before)
    assert not env.step(good)[2]


def test_a_crash_ends_the_episode_and_names_the_action(digits: Benchmark) -> None:
    spec = replace(
        environment_spec("llvm-ic-v0"),
        service="crashing:CrashingSession",
        action_table=TABLE,
        further_tables=(),
    )
    with CompilerEnv(spec, benchmark=digits) as env:
        env.reset()
        env.step((1, 0))
        _, _, terminated, _, info = env.step((0, 1))
        assert terminated
        assert info["error_type"] == "crash"
        assert f"action 1 ({CRASH}@1)" in info["error_details"]
        env.reset()
        assert not env.step((1, 0))[2]
