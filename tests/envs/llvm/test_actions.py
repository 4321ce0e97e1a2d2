"""Tests of the action tables and of the command lines they stand for."""

from __future__ import annotations

import json
import random
import re
import shlex
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.datasets import Benchmark, datasets
from optarena.errors import InvalidAction, InvalidCommandline, UnknownName
from optarena.llvm.actions import CURATED, SEPARATOR, UNSAFE, Action, PassTable
from optarena.llvm.module import Module

GOLDEN = Path(__file__).parent / "data/llvm-passes-v0.json"
LEVELS = {"module", "cgscc", "function", "loopnest", "loop"}
DANGERS = {"crash", "hang", "growth", "miscompile", "nondeterministic", "code-generation", "no-use"}
TABLES = pytest.mark.parametrize("table", [CURATED, UNSAFE], ids=lambda table: table.name)
KERNELS = list(datasets()["kernels-v0"])
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


@pytest.mark.parametrize("action", CURATED.actions, ids=lambda action: action.name)
def test_every_curated_action_runs_alone_and_keeps_programs_valid(
    action: Action, mixed: bytes, mixed_o3: bytes
) -> None:
    for program in (mixed, mixed_o3):
        with Module.parse(program) as module:
            module.run(action.pipeline)
            assert module.verify() is None


@TABLES
def test_every_pipeline_is_known_to_the_engine(table: PassTable) -> None:
    empty = b'target triple = "x86_64-unknown-linux-gnu"\n'
    for action in table.actions:
        if action.name != "trigger-crash-module":  # crashes on an empty module, too
            with Module.parse(empty) as module:
                module.run(action.pipeline)


@pytest.mark.parametrize("seed", range(12))
def test_joined_by_the_separator_passes_do_what_they_do_one_by_one(
    seed: int, mixed: bytes, mixed_o3: bytes
) -> None:
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
@pytest.mark.parametrize("seed", range(20))
def test_the_command_line_does_the_same_in_opt(seed: int, mixed: bytes, plain: bytes, opt: str) -> None:
    check_in_opt((mixed, plain)[seed % 2], random_sequence(seed + 1000), opt)


@pytest.mark.opt
@pytest.mark.parametrize("benchmark", KERNELS, ids=lambda one: one.name)
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
