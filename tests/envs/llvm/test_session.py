"""The LLVM session, and the action tables beside the curated one."""

from __future__ import annotations

import hashlib
import json
import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena import limits
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput, SessionLimitExceeded
from optarena.isolation.limits import ProcessLimits
from optarena.llvm import features
from optarena.llvm.actions import CURATED, SEPARATOR, UNSAFE
from optarena.llvm.module import LEVELS, Module, baseline
from optarena.llvm.session import LlvmSession, LlvmUnsafeSession
from optarena.llvm.tables import (
    COMMANDLINE,
    EXCLUDED,
    FUNCTIONS,
    MAX_FUNCTIONS,
    PARAMETERS,
    FunctionTable,
    ParameterTable,
)
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.compiler_gym_service_pb2 import CommandlineSpace
from optarena.specs import environment_spec

SAFE = "optarena.llvm.session:LlvmSession"
UNSAFE_TYPE = "optarena.llvm.session:LlvmUnsafeSession"
SPACES = {space.name: space for space in LlvmSession.observation_spaces}


def started(
    program: bytes, kind: type[LlvmSession] = LlvmSession, folder: Path = Path("/nowhere")
) -> LlvmSession:
    return kind(folder, kind.action_spaces[0], benchmark_of(program))


def benchmark_of(program: bytes) -> pb.Benchmark:
    return pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))


def apply(session: LlvmSession, name: str) -> bool:
    event = pb.Event(int64_value=next(iter(session.action_sets.values())).table.index(name))
    session.check_action(event)
    end, space, no_effect = session.apply_action(event)
    assert (end, space) == (False, None)
    return no_effect


def observe(session: LlvmSession, name: str) -> pb.Event:
    return session.get_observation(SPACES[name])


def test_the_spaces_are_those_of_the_contract() -> None:
    scalars = [
        metric + level for metric in ("IrInstructionCount", "ObjectTextSizeBytes") for level in ("", *LEVELS)
    ]
    assert list(SPACES)[: len(scalars) + 4] == ["Ir", "IrSha1", "Bitcode", "Autophase", *scalars]
    for kind, table in ((LlvmSession, CURATED), (LlvmUnsafeSession, UNSAFE)):
        space = kind.action_spaces[0]
        assert space.name == table.name
        offered = CommandlineSpace.FromString(space.space.any_value.value)
        assert tuple(offered.name) == table.names


def test_observations_are_those_of_the_engine(mixed: bytes) -> None:
    session = started(mixed)
    apply(session, "mem2reg")
    with Module.parse(mixed) as module:
        module.run("function(mem2reg)")
        assert observe(session, "IrInstructionCount").int64_value == module.instruction_count()
        assert observe(session, "ObjectTextSizeBytes").int64_value == module.text_size()
        assert observe(session, "Ir").string_value == module.text()
        assert observe(session, "IrSha1").string_value == module.digest()
        assert observe(session, "Bitcode").byte_tensor.value == module.bitcode()
        assert list(observe(session, "Bitcode").byte_tensor.shape) == [len(module.bitcode())]
        assert list(observe(session, "Autophase").int64_tensor.value) == features.listed(
            features.numbers(module, "Autophase")
        )
        assert list(observe(session, "Autophase").int64_tensor.shape) == [56]
    session.close()


def test_numbers_are_those_of_the_messages(mixed: bytes) -> None:
    session = started(mixed)
    apply(session, "sroa")
    sizes = [name for name in SPACES if name.startswith(("IrInstructionCount", "ObjectTextSizeBytes"))]
    for name in ("Autophase", "InstCount", *sizes):
        numbers, event = session.get_numbers(SPACES[name]), observe(session, name)
        is_one = event.HasField("int64_value")
        told = [event.int64_value] if is_one else list(event.int64_tensor.value)
        assert numbers is not None
        assert features.listed(numbers) == told, name
    assert session.get_numbers(SPACES["Ir"]) is None
    session.close()


@pytest.mark.parametrize("level", LEVELS)
def test_baselines_are_of_the_program_as_given(mixed: bytes, level: str) -> None:
    session = started(mixed)
    expected = baseline(mixed, level)
    for _ in range(2):
        assert observe(session, f"IrInstructionCount{level}").int64_value == expected.ir_instructions
        assert observe(session, f"ObjectTextSizeBytes{level}").int64_value == expected.text_size_bytes
        apply(session, "mem2reg")
    session.close()


def test_no_effect_means_equal_bitcode_for_every_action(mixed: bytes) -> None:
    session = started(mixed)
    for name in CURATED.names:
        before = session.module.bitcode()
        assert apply(session, name) == (session.module.bitcode() == before), name
    session.close()


def test_observing_does_not_change_later_states(mixed: bytes, tmp_path: Path) -> None:
    watched, unwatched = started(mixed, folder=tmp_path), started(mixed)
    for name in ("sroa", "gvn"):
        for space in SPACES:
            observe(watched, space)
        assert apply(watched, name) == apply(unwatched, name)
    assert observe(watched, "Bitcode") == observe(unwatched, "Bitcode")


@pytest.mark.parametrize("index", [-1, len(CURATED)])
def test_an_index_outside_of_the_table_is_a_value_error(mixed: bytes, index: int) -> None:
    session = started(mixed)
    with pytest.raises(ValueError, match=f"no action {index}"):
        session.check_action(pb.Event(int64_value=index))
    session.close()


def test_a_program_that_is_too_large_is_refused() -> None:
    with pytest.raises(InvalidInput, match=f"At most {limits.MAX_BENCHMARK_BYTES}"):
        started(b";" * (limits.MAX_BENCHMARK_BYTES + 1))


@pytest.mark.soak
def test_growth_beyond_the_limit_is_refused(growing: bytes) -> None:
    session = started(growing, LlvmUnsafeSession)
    with pytest.raises(SessionLimitExceeded, match=r"1048582 instructions after module-inline; .* 1000000"):
        apply(session, "module-inline")
    session.close()


def ask(session_type: str, program: bytes, *names: str, cpu_seconds: float = 10) -> list[int]:
    table = UNSAFE if session_type == UNSAFE_TYPE else CURATED
    allowed = ProcessLimits(cpu_seconds_per_call=cpu_seconds)
    connection = ManagedConnection.open(session_type, limits=allowed, sandbox=True)
    try:
        start = pb.StartSessionRequest(benchmark=benchmark_of(program))
        session = connection.start_session(start).session_id
        count = list(SPACES).index("IrInstructionCount")
        counts = []
        for name in names:
            step = pb.StepRequest(
                session_id=session,
                action=[pb.Event(int64_value=table.index(name))],
                observation_space=[count],
            )
            counts.append(connection.step(step).observation[0].int64_value)
        return counts
    finally:
        connection.close()


def test_a_confined_session_computes_what_the_engine_computes(mixed: bytes) -> None:
    names = ("sroa", "inline", "instcombine", "gvn", "simplifycfg<late>", "loop-vectorize")
    expected = []
    with Module.parse(mixed) as module:
        for name in names:
            module.run(CURATED.action(CURATED.index(name)).pipeline)
            expected.append(module.instruction_count())
    assert ask(SAFE, mixed, *names) == expected


def test_every_curated_action_ends_quickly_where_an_unsafe_one_hangs(hanging: bytes) -> None:
    counts = ask(SAFE, hanging, *CURATED.names, cpu_seconds=5)
    assert len(counts) == len(CURATED)


Table = ParameterTable | FunctionTable

TABLES = pytest.mark.parametrize("table", [PARAMETERS, FUNCTIONS], ids=lambda table: table.name)
DANGERS = {"crash", "hang", "growth", "miscompile", "nondeterministic", "code-generation", "no-use"}
CHOICES = [
    (one, parameter, choice)
    for one in PARAMETERS.passes
    for parameter in one.parameters
    for choice in parameter.choices
]


def members(table: Table) -> st.SearchStrategy[tuple[int, ...]]:
    return st.tuples(*(st.integers(0, size - 1) for size in table.sizes))


def parsed(word: str) -> tuple[int, ...]:
    (action,) = PARAMETERS.parse(f"llvm-parameters {word}")
    return action


def test_the_passes_are_those_of_the_curated_table() -> None:
    bases = dict.fromkeys(name.partition("<")[0] for name in CURATED.names)
    assert PARAMETERS.names == tuple(bases)
    assert FUNCTIONS.names == tuple(
        action.name for action in CURATED.actions if action.level in {"function", "loop", "loopnest"}
    )
    assert COMMANDLINE.actions is CURATED.actions


PUBLISHED = "2cbee40e1727ec5b791d1c129e9529ddda693cd73215e76dfe0c26802b4526d1"
"""SHA-256 of what the numbers of the parameters' table mean."""


def test_the_numbers_mean_what_was_published() -> None:
    """What agents have learnt depends on them: a change needs a new name of the table."""
    meaning = [
        [one.name, one.pipeline, one.always, [parameter.choices for parameter in one.parameters]]
        for one in PARAMETERS.passes
    ]
    assert hashlib.sha256(json.dumps(meaning).encode()).hexdigest() == PUBLISHED


def test_the_sizes_are_the_published_ones() -> None:
    assert PARAMETERS.sizes == (91, 8, 3, 3, 3, 2, 2, 2, 2, 2, 2)
    assert FUNCTIONS.sizes == (87, MAX_FUNCTIONS) == (87, 64)
    assert sum(bool(one.parameters) for one in PARAMETERS.passes) == 17
    assert len(CHOICES) == 62
    assert (
        sum(math.prod(len(one.choices) + 1 for one in each.parameters) for each in PARAMETERS.passes) == 4492
    )


def test_parameters_are_complete_and_their_texts_unique() -> None:
    for one in PARAMETERS.passes:
        texts = [choice for parameter in one.parameters for choice in parameter.choices]
        assert len(set(texts)) == len(texts)
        assert ("{}" in one.pipeline) == bool(one.parameters)
        names = [parameter.name for parameter in one.parameters]
        assert len(set(names)) == len(names)
        for parameter in one.parameters:
            assert re.fullmatch(r"[a-z-]+", parameter.name)
            assert re.fullmatch(r"[A-Z].*[^.]\.", parameter.description), parameter.name


def test_no_excluded_parameter_is_in_the_table() -> None:
    included = {(one.name, choice) for one, _, choice in CHOICES}
    assert EXCLUDED
    for entry in EXCLUDED:
        assert (entry["pass"], entry["choice"]) not in included
        assert entry["danger"] in DANGERS
        assert re.fullmatch(r"[A-Z].*[^.]\.", entry["description"])


def test_without_choices_passes_are_those_of_the_curated_table() -> None:
    """But for the spelling: ``sroa`` alone is ``sroa<modify-cfg>``."""
    for one in PARAMETERS.passes:
        run = PARAMETERS.run(parsed(one.name))
        curated = CURATED.action(CURATED.index(one.name)).pipeline
        assert run.pipeline == curated.replace("<modify-cfg>", "")
        assert not run.attributes


def test_what_actions_mean_for_the_engine() -> None:
    run = PARAMETERS.run(parsed("loop-unroll<full-unroll-max=4;no-runtime;O3>"))
    assert run.pipeline == "function(loop-unroll<full-unroll-max=4;no-runtime;O3>)"
    assert PARAMETERS.run(parsed("licm<no-allowspeculation>")).pipeline == (
        "function(loop-mssa(licm<no-allowspeculation>))"
    )
    assert PARAMETERS.run(parsed("instcombine<max-iterations=3>")).pipeline == (
        "function(instcombine<no-verify-fixpoint;max-iterations=3>)"
    )
    run = PARAMETERS.run(parsed("inline<only-mandatory;threshold=50>"))
    assert run.pipeline == "cgscc(inline<only-mandatory>)"
    assert run.attributes == {"function-inline-threshold": "50"}
    assert FUNCTIONS.pipeline((FUNCTIONS.names.index("licm"), 3)) == "loop-mssa(licm)"


@TABLES
@given(data=st.data())
def test_texts_and_actions_round_trip(table: Table, data: st.DataObject) -> None:
    given_actions = data.draw(st.lists(members(table), max_size=20))
    canonical = tuple(table.check(action, None) for action in given_actions)
    assert tuple(map(table.check, canonical)) == canonical
    line = table.commandline(given_actions)
    assert line == table.commandline(canonical)
    assert table.parse(line) == canonical
    assert table.parse(f"  {line}\n") == canonical
    assert environment_spec("llvm-ic-v0").parse(line) == (table, canonical)


@given(data=st.data())
def test_the_order_of_parameters_does_not_matter(data: st.DataObject) -> None:
    action = data.draw(members(PARAMETERS))
    one = PARAMETERS.passes[action[0]]
    texts = [text for _, text in one.chosen(action[1:])]
    shuffled = ";".join(data.draw(st.permutations(texts)))
    assert parsed(one.name + (f"<{shuffled}>" if texts else "")) == PARAMETERS.check(action)


def test_choices_without_a_meaning_are_the_default() -> None:
    index = PARAMETERS.names.index("mem2reg")
    assert PARAMETERS.check((index, *(size - 1 for size in PARAMETERS.sizes[1:]))) == (index, *([0] * 10))
    index = PARAMETERS.names.index("gvn")
    assert PARAMETERS.check(np.array([index, 7, 1, 2, 0, 0, 0, 0, 0, 0, 1])) == (index, 0, 1, *([0] * 8))


@TABLES
@pytest.mark.parametrize("bad", [None, 3, 1.5, "abc", (), (1,), [0] * 12, {}, object()])
def test_an_action_of_another_form_is_refused(table: Table, bad: object) -> None:
    with pytest.raises(InvalidAction, match=rf"Give a tuple of {len(table.sizes)} integers"):
        table.check(bad, 0)


@TABLES
@pytest.mark.parametrize("bad", [-1, 91, 10**30, 1.0, None, "0", True])
def test_a_component_out_of_range_is_named(table: Table, bad: object) -> None:
    for component, size in enumerate(table.sizes):
        action: list[object] = [0] * len(table.sizes)
        action[component] = bad
        with pytest.raises(InvalidAction) as caught:
            table.commandline([[0] * len(table.sizes), action])
        assert repr(bad) in str(caught.value)
        assert f", component {component} at position 1" in str(caught.value)
        assert f"Give an integer from 0 to {size - 1}." in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "wrong form.*Write it as: llvm-parameters mem2reg"),
        ("opt input.bc -o output.bc", "wrong form"),
        ("llvm-functions sroa@1", "wrong form"),
        ("llvm-parameters mem2reg mem2rg", "Action 2 .*'mem2rg'.*not in llvm-parameters-v0.*'mem2reg'"),
        ("llvm-parameters inlin<threshold=50>", "Action 1 .*Did you mean 'inline'"),
        (
            "llvm-parameters loop-unroll<full-unroll-max=5>",
            "loop-unroll has no parameter 'full-unroll-max=5'",
        ),
        ("llvm-parameters gvn<no-pree>", "Action 1 .*Did you mean 'no-pre'"),
        ("llvm-parameters gvn<memoryssa>", "gvn has no parameter 'memoryssa'"),
        ("llvm-parameters mem2reg<>", "mem2reg has no parameter ''"),
        ("llvm-parameters gvn<no-pre;no-pre>", "sets 'pre' twice"),
        ("llvm-parameters inline<threshold=5;threshold=25>", "sets 'threshold' twice"),
        ("llvm-parameters gvn<no-pre", "Action 1 .*Did you mean 'gvn'"),
        ("llvm-parameters function(loop-unroll<O3>)", "Did you mean 'loop-unroll'"),
        ("llvm-parameters newgvn", "not in llvm-parameters-v0"),
        (f"llvm-parameters {'x' * 1000}", "x{200}'"),
    ],
)
def test_a_wrong_word_of_parameters_is_named(line: str, message: str) -> None:
    with pytest.raises(InvalidCommandline, match=message) as caught:
        PARAMETERS.parse(line)
    assert caught.value.field == "commandline"
    assert caught.value.remedy
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "wrong form.*Write it as: llvm-functions sroa@0"),
        ("llvm-parameters sroa", "wrong form"),
        (
            "llvm-functions sroa@1 sora@2",
            "Action 2 .*'sora@2'.*not in llvm-functions-v0.*Did you mean 'sroa'",
        ),
        ("llvm-functions sroa", "Action 1 .*'sroa'.*not written pass@number"),
        ("llvm-functions sroa@-1", "not written pass@number"),
        ("llvm-functions sroa@01", "not written pass@number"),
        ("llvm-functions sroa@\N{ARABIC-INDIC DIGIT ONE}", "not written pass@number"),
        ("llvm-functions sroa@64", "'sroa@64', but functions have numbers from 0 to 63"),
        ("llvm-functions function<eager-inv>(sroa)@0", "Did you mean 'sroa'"),
        ("llvm-functions inline@0", "not in llvm-functions-v0"),
        ("llvm-functions globaldce@0", "not in llvm-functions-v0"),
    ],
)
def test_a_wrong_word_of_functions_is_named(line: str, message: str) -> None:
    with pytest.raises(InvalidCommandline, match=message) as caught:
        FUNCTIONS.parse(line)
    assert caught.value.field == "commandline"
    assert caught.value.remedy


def test_each_text_form_says_which_table_it_is_of() -> None:
    spec = environment_spec("llvm-ic-v0")
    assert [table.name for table in spec.further_tables][:3] == [
        "llvm-commandline-v0", "llvm-parameters-v0", "llvm-functions-v0",
    ]  # fmt: skip
    assert spec.parse(CURATED.commandline([1, 2])) == (CURATED, (1, 2))
    assert COMMANDLINE.commandline([1, 2]) == CURATED.commandline([1, 2])


@pytest.mark.parametrize("program", ["mixed", "mixed_o3"])
def test_every_choice_runs_and_keeps_programs_valid(program: str, request: pytest.FixtureRequest) -> None:
    data: bytes = request.getfixturevalue(program)
    for one, parameter, choice in CHOICES:
        with Module.parse(data) as module:
            module.run("function(sroa,loop-simplify,lcssa)")
            module.run(PARAMETERS.run(parsed(f"{one.name}<{choice}>")).pipeline)
            assert module.verify() is None, (one.name, parameter.name, choice)


@pytest.mark.opt
def test_every_choice_does_the_same_in_opt(mixed_o3: bytes, opt: str) -> None:
    """All pipelines one after another, as one command line of the real ``opt``."""
    texts = [f"{one.name}<{choice}>" for one, parameter, choice in CHOICES if not parameter.attribute]
    pipelines = [PARAMETERS.run(parsed(text)).pipeline for text in texts]
    command = [opt, f"-passes={SEPARATOR.join(pipelines)}", "-", "-o", "-"]
    output = subprocess.run(command, input=mixed_o3, check=True, capture_output=True).stdout
    with Module.parse(mixed_o3) as ours, Module.parse(output) as theirs:
        for pipeline in pipelines:
            ours.run(pipeline)
        assert ours.digest() == theirs.digest()
        assert ours.instruction_count() == theirs.instruction_count()
