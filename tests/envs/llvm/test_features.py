"""Features, counts, properties, graphs and tokens of programs, beside references in Python."""

from __future__ import annotations

import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

from optarena.env import CompilerEnv
from optarena.errors import InvalidInput, ToolMissing
from optarena.llvm import features, native
from optarena.llvm.actions import CURATED
from optarena.llvm.derived import VECTORS
from optarena.llvm.feature_names import (
    AUTOPHASE_NAMES,
    EDGE_KINDS,
    INSTCOUNT_NAMES,
    NODE_KINDS,
    OPCODES,
    PROPERTY_NAMES,
)
from optarena.llvm.features import AUTOPHASE_SIZE, listed
from optarena.llvm.graph_export import to_networkx
from optarena.llvm.lexing import KINDS, tokens
from optarena.llvm.module import Module, compile_helpers
from optarena.llvm.observations import block_frequencies
from optarena.service.converters import event_to_member, space_to_gymnasium
from tests.kit.every_service import DIGITS
from tests.kit.llvm import programs
from tests.kit.llvm.autophase_reference import reference
from tests.kit.llvm.graph_reference import Reference
from tests.kit.llvm.observing import member, space_of, view

DATA = Path(__file__).parent / "data"


PIPELINES = ("function(mem2reg)", "function(lower-switch)", "default<O3>", "function(reg2mem)")

CORNER_CASES = b"""target triple = "x86_64-unknown-linux-gnu"
declare i32 @personality(...)
declare i64 @number(i32)
declare void @nothing()
define i128 @wide(i128 %x, i1 %c) {
  %a = add i128 %x, 18446744073709551617
  %b = xor i128 1, %a
  %n = xor i1 %c, true
  %s = select i1 %n, i128 0, i128 %b
  ret i128 %s
}
define void @calls(ptr %f) personality ptr @personality {
  %direct = call i64 @number(i32 1)
  %indirect = call i64 %f(i32 0)
  %other_type = call i32 @number(i64 1)
  call void @nothing()
  invoke void @nothing() to label %fine unwind label %pad
fine:
  ret void
pad:
  %p = landingpad { ptr, i32 } cleanup
  %e = extractvalue { ptr, i32 } %p, 0
  resume { ptr, i32 } %p
}
define i32 @edges(i32 %x) {
entry:
  switch i32 %x, label %end [ i32 0, label %end
                              i32 1, label %end
                              i32 2, label %next ]
next:
  br i1 true, label %end, label %next
end:
  %p = phi i32 [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ %x, %next ]
  %q = phi i32 [ 0, %entry ], [ 0, %entry ], [ 0, %entry ], [ 5, %next ]
  %f = freeze i32 %p
  %v = shl <2 x i32> splat (i32 1), <i32 0, i32 1>
  ret i32 %f
unreached:
  unreachable
}
define internal void @block(ptr %address) {
  indirectbr ptr blockaddress(@block, %one), [label %one, label %one]
one:
  ret void
}
"""


def vector(name: str, module: Module) -> list[int]:
    return listed(features.numbers(module, name))


def test_the_names_are_56_and_unique() -> None:
    assert len(AUTOPHASE_NAMES) == len(set(AUTOPHASE_NAMES)) == AUTOPHASE_SIZE == 56


def test_the_helper_equals_the_reference_before_and_after_passes(mixed: bytes, mixed_o3: bytes) -> None:
    programs = [
        mixed,
        mixed_o3,
        Path(native.__file__).with_name("features.ll").read_bytes(),
        *(p.read_bytes() for p in DATA.glob("*.ll")),
    ]
    for program in programs:
        with Module.parse(program) as module:
            assert vector("Autophase", module) == reference(module)
            for pipeline in PIPELINES:
                module.run(pipeline)
                assert vector("Autophase", module) == reference(module), pipeline


def test_the_helper_equals_the_reference_after_many_actions(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        for action in CURATED.actions[::3]:
            module.run(action.pipeline)
            assert vector("Autophase", module) == reference(module), action.name


def test_corner_cases_by_hand() -> None:
    with Module.parse(CORNER_CASES) as module:
        assert module.verify() is None
        found = vector("Autophase", module)
        assert found == reference(module)
    features = dict(zip(AUTOPHASE_NAMES, found, strict=True))
    assert features["TotalFuncs"] == 4
    assert features["NumCallInst"] == 4
    assert features["returnInt"] == 1  # not the indirect one, nor the one by another type
    assert features["TotalMemInst"] == 5  # four calls and an invoke
    assert features["morePreds"] == 1  # the switch counts for each of its edges
    assert features["BeginPhi"] == 1
    assert features["ArgsPhi"] == 8
    assert features["BBNumArgsHi"] == 1
    assert features["testUnary"] == 2  # freeze and extractvalue


def test_a_module_without_functions_has_no_features() -> None:
    with Module.parse(b'target triple = "x86_64-unknown-linux-gnu"\n') as module:
        assert vector("Autophase", module) == [0] * AUTOPHASE_SIZE


def test_counting_features_leaves_the_module_as_it_is(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        before = module.bitcode()
        vector("Autophase", module)
        assert module.bitcode() == before


def test_compiling_starts_no_thread() -> None:
    compile_helpers()
    before = set(Path("/proc/self/task").iterdir())
    with Module.parse(CORNER_CASES) as module:
        vector("Autophase", module)
    assert set(Path("/proc/self/task").iterdir()) <= before  # those of earlier tests may end


FIRST = """
import sys
import optarena
sandbox = sys.argv[1] == "True"
with optarena.make("llvm-v0", benchmark="benchmark://kernels-v0/sha256", sandbox=sandbox) as env:
    env.reset()
    print([env.observation[name] for name in ("ProgramGraph", "FunctionProperties", "Loops", "CallSites")])
"""


def test_the_first_session_of_a_process_can_observe_what_few_need() -> None:
    seen = [
        subprocess.run(
            [sys.executable, "-c", FIRST, str(sandbox)], check=True, capture_output=True, text=True
        )
        for sandbox in (True, False)
    ]
    assert seen[0].stdout == seen[1].stdout != ""


NAMES = (
    *("BlockFrequency", "Remarks"),
    *("Ir2vec", "Ir2vecFunctions", "Ir2vecCounts", "Ir2vecFunctionCounts"),
    *("InstCount", "InstCountDict", "InstCountNorm", "AutophaseDict"),
    *("FunctionProperties", "ProgramGraph"),
)


@pytest.fixture(scope="module")
def env() -> Iterator[CompilerEnv]:
    env = gymnasium.make("optarena/llvm-v0", benchmark="benchmark://kernels-v0/json").unwrapped
    assert isinstance(env, CompilerEnv)
    yield env
    env.close()


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_member_of_its_space_at_reset_and_at_a_step(env: CompilerEnv, name: str) -> None:
    space = env.observation.spaces[name]
    observation, _ = env.reset(seed=0, options={"observation_space": name})
    assert env.observation_space == space
    assert observation in space
    assert env.step(0)[0] in space


def test_all_tell_of_the_same_program(env: CompilerEnv) -> None:
    env.reset(options={"observation_space": None})
    counts = env.observation["InstCount"]
    named = env.observation["InstCountDict"]
    assert named == dict(zip(INSTCOUNT_NAMES, counts.tolist(), strict=True))
    assert np.allclose(env.observation["InstCountNorm"] * counts[0], counts[1:])
    assert (
        env.observation["AutophaseDict"]["TotalInsts"] == counts[0] == env.observation["IrInstructionCount"]
    )
    table = env.observation["FunctionProperties"]
    assert len(table["function"]) == named["TotalFuncsCount"]
    assert table["LoadInstCount"].sum() == named["LoadCount"]
    assert np.count_nonzero(env.observation["ProgramGraph"]["node_kind"] == 0) == counts[0]


LOOPS = b"""target triple = "x86_64-unknown-linux-gnu"
define void @loops(i1 %c) {
entry:
  br label %outer
outer:
  br label %inner
inner:
  br i1 %c, label %inner, label %latch
latch:
  br i1 %c, label %inner, label %next
next:
  br i1 %c, label %outer, label %other
other:
  br i1 %c, label %other, label %left
left:
  br i1 %c, label %right, label %exit
right:
  br i1 %c, label %left, label %exit
exit:
  ret void
dead:
  br label %dead
}
define internal void @jumps_into_a_cycle(i1 %c) {
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br label %a
}
"""


def test_the_table_equals_what_llvm_itself_finds_before_and_after_passes(opt: str) -> None:
    command = [
        *(opt, "-passes=print<func-properties>", "-enable-detailed-function-properties"),
        "-disable-output",
    ]
    for number, (state, module) in enumerate(programs.states()):
        if number >= 3 and number % 4:
            continue  # of kernels, which come before and after passes by turns
        done = subprocess.run(command, input=module.bitcode(), check=True, capture_output=True)
        rows = re.split(r"Printing analysis results of CFA for function '(.*)':", done.stderr.decode())[1:]
        found = [dict(re.findall(r"(\w+): (-?\d+)", text)) for text in rows[1::2]]
        names, columns = features.function_properties(module)
        assert names == rows[::2], state
        for name in PROPERTY_NAMES:
            assert columns[name] == [int(row[name]) for row in found], (state, name)


def test_loops_by_hand() -> None:
    with Module.parse(LOOPS) as module:
        assert module.verify() is None
        names, columns = features.function_properties(module)
    assert names == ["loops", "jumps_into_a_cycle"]
    assert columns["TopLevelLoopCount"] == [3, 0]  # a cycle with two entries is no natural loop
    assert columns["MaxLoopDepth"] == [2, 0]  # the two back edges to one header are one loop
    assert columns["BasicBlockCount"] == [9, 3]  # not the one that is never reached
    assert columns["Uses"] == [1, 0]


def test_the_observation_is_a_dict_of_columns() -> None:
    table = view("FunctionProperties", LOOPS)
    assert set(table) == {"function", *PROPERTY_NAMES}
    assert table["function"] == ["loops", "jumps_into_a_cycle"]
    matrix = np.stack([table[name] for name in PROPERTY_NAMES], axis=1)
    assert matrix.shape == (2, 25)
    assert matrix.dtype == np.int64


def test_names_that_are_not_ascii_are_escaped() -> None:
    program = programs.EMPTY + b'define void @"f\\C3\\BCr"() { ret void }'
    value = member("FunctionProperties", program)
    assert value["function"] == ("f\\xc3\\xbcr",)
    assert value in space_to_gymnasium(space_of("FunctionProperties").space)


SMALL = (
    programs.EMPTY
    + b"""
declare i32 @outside(i32)
define i32 @main(i32 %x) {
  %a = add i32 %x, -5
  %c = icmp eq i32 %a, %a
  br i1 %c, label %yes, label %no
yes:
  %r = call i32 @helper(i32 %a)
  ret i32 %r
no:
  ret i32 -5
}
define internal i32 @helper(i32 %n) {
  %r = call i32 @outside(i32 %n)
  ret i32 %r
}
"""
)


def test_the_columns_equal_the_reference_before_and_after_passes() -> None:
    for name, module in programs.states():
        functions, nodes, edges = features.program_graph(module)
        reference = Reference(module)
        assert functions == reference.functions, name
        assert list(zip(*nodes.values(), strict=True)) == reference.nodes, name
        assert Counter(zip(*edges.values(), strict=True)) == Counter(reference.edges), name


def test_a_graph_by_hand() -> None:
    graph = to_networkx(view("ProgramGraph", SMALL))
    texts = [graph.nodes[node]["text"] for node in graph]
    assert texts[:10] == ["root", "outside", "Add", "ICmp", "Br", "Call", "Ret", "Ret", "Call", "Ret"]
    assert texts[10:] == ["i32", "i32", "i32", "i1", "i32", "i32", "i32"]
    edges = {(one, two, data["kind"], data["position"]) for one, two, data in graph.edges(data=True)}
    assert {edge[:2] + edge[3:] for edge in edges if edge[2] == "control"} == {
        *((2, 3, 0), (3, 4, 0), (4, 5, 0), (4, 7, 1), (5, 6, 0), (8, 9, 0))
    }
    assert {edge[:2] for edge in edges if edge[2] == "call"} == {
        *((0, 2), (6, 0), (7, 0)),  # from outside, as main is not local
        *((5, 8), (9, 5), (8, 1), (1, 8)),
    }
    assert {(10, 2, "data", 0), (11, 2, "data", 1), (12, 3, "data", 0), (12, 3, "data", 1)} <= edges
    assert (11, 7, "data", 0) in edges  # equal constants are one node
    plain = {"opcode": None, "function": None, "block": None, "value": None}
    assert graph.nodes[0] == plain | {"kind": "root", "type": None, "text": "root"}
    assert graph.nodes[11] == plain | {"kind": "constant", "type": "i32", "text": "i32", "value": -5}
    call = {"kind": "instruction", "type": "i32", "text": "Call", "opcode": "Call", "value": None}
    assert graph.nodes[8] == call | {"function": "helper", "block": 3}


def test_the_same_program_gives_the_same_columns() -> None:
    for name in ("opcodes", "random"):
        program = {"opcodes": programs.OPCODES, "random": programs.random_program()}[name]
        with Module.parse(program) as one, Module.parse(program) as two:
            assert features.program_graph(one) == features.program_graph(two)
            before = one.bitcode()
            features.program_graph(one)
            assert one.bitcode() == before


def test_the_graph_is_a_member_of_its_space() -> None:
    message = space_of("ProgramGraph")
    space = space_to_gymnasium(message.space)
    assert message.deterministic
    for value in (
        event_to_member(message.default_observation, message.space),
        member("ProgramGraph", programs.OPCODES),
        member("ProgramGraph", programs.EMPTY),
    ):
        assert value in space
    assert {**value, "node_kind": value["node_kind"].astype(float)} not in space


@pytest.mark.parametrize("form", [view, member])
def test_networkx_gets_every_node_and_edge(form: Any) -> None:
    columns = form("ProgramGraph", programs.OPCODES)
    graph = to_networkx(columns)
    nx: Any = importlib.import_module("networkx")  # it has no types
    assert isinstance(graph, nx.MultiDiGraph)
    assert [NODE_KINDS.index(graph.nodes[node]["kind"]) for node in graph] == columns["node_kind"].tolist()
    edges = sorted(graph.edges(keys=True, data=True), key=lambda edge: edge[2])
    assert [edge[2] for edge in edges] == list(range(len(columns["edge_kind"])))
    assert [edge[0] for edge in edges] == columns["edge_source"].tolist()
    assert [edge[1] for edge in edges] == columns["edge_target"].tolist()
    assert [EDGE_KINDS.index(edge[3]["kind"]) for edge in edges] == columns["edge_kind"].tolist()
    assert [edge[3]["position"] for edge in edges] == columns["edge_position"].tolist()


def test_a_dict_that_is_no_graph_is_refused() -> None:
    with pytest.raises(InvalidInput, match="lacks node_kind") as caught:
        to_networkx({"Autophase": [1]})
    assert caught.value.field == "graph"


def test_without_networkx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ToolMissing, match=r"optarena\[graph\]"):
        to_networkx({})


INSTRUCTION = re.compile(r'  (?:%(?:"[^"]*"|\S+) = )?(?:tail |musttail |notail )?([a-z_]+)')
UNUSUAL = {"AtomicCmpXchg": "cmpxchg", "VAArg": "va_arg"}
DERIVED = {observation.name: observation for observation in VECTORS}


def counts_of_text(module: Module) -> Counter[str]:
    names = {UNUSUAL.get(name, name.lower()): f"{name}Count" for name in OPCODES}
    counts: Counter[str] = Counter()
    for body in re.findall(r"^define .*?^}$", module.text(), re.MULTILINE | re.DOTALL):
        found = [names[match[1]] for match in map(INSTRUCTION.match, body.split("\n")) if match]
        counts.update(found)
        counts["TotalInstsCount"] += len(found)
        counts["TotalFuncsCount"] += 1
        labels = [re.match(r"\S+:", line) for line in body.split("\n")[1:]]
        counts["TotalBlocksCount"] += sum(label is not None for label in labels) + (labels[0] is None)
    return counts


def test_the_names_are_71_and_unique_and_have_every_opcode() -> None:
    assert len(INSTCOUNT_NAMES) == len(set(INSTCOUNT_NAMES)) == 71
    assert len(set(OPCODES.values())) == len(OPCODES) == 68
    assert INSTCOUNT_NAMES[:5] == (
        *("TotalInstsCount", "TotalBlocksCount", "TotalFuncsCount"),
        *("RetCount", "BrCount"),
    )


def test_the_counts_are_those_of_the_text_before_and_after_passes() -> None:
    for name, module in programs.states():
        counts = counts_of_text(module)
        assert vector("InstCount", module) == [counts[name] for name in INSTCOUNT_NAMES], name
        assert counts["TotalInstsCount"] == module.instruction_count(), name


def test_every_opcode_that_programs_can_hold_is_counted() -> None:
    with Module.parse(programs.OPCODES) as module:
        counts = dict(zip(INSTCOUNT_NAMES, vector("InstCount", module), strict=True))
    assert [name for name, count in counts.items() if not count] == ["UserOp1Count", "UserOp2Count"]
    assert counts["PtrToAddrCount"] == counts["FreezeCount"] == counts["CallBrCount"] == 1


def test_the_normalised_vector_is_each_count_as_a_share_of_the_instructions() -> None:
    norm = DERIVED["InstCountNorm"]
    for _, module in programs.states():
        counts = np.array(vector("InstCount", module))
        shares = norm.compute(None, {"InstCount": counts})  # type: ignore[arg-type] # uses no environment
        assert shares in norm.space
        assert np.allclose(shares * max(counts[0], 1), counts[1:], rtol=1e-6)
        assert shares[2:].sum() == pytest.approx(min(counts[0], 1), abs=1e-5)
    assert norm.default in norm.space


LINE = '%x.1 = call noundef i32 @"a b"(ptr !nonnull, float 1.0e+00, i8 -3) #0, !dbg !12 ; why\nexit:\n'


def test_each_token_has_its_kind() -> None:
    assert [(token.kind, token.value) for token in tokens(LINE)] == [
        ("local", "%x.1"),
        ("punctuation", "="),
        ("keyword", "call"),
        ("keyword", "noundef"),
        ("type", "i32"),
        ("global", '@"a b"'),
        ("punctuation", "("),
        ("type", "ptr"),
        ("metadata", "!nonnull"),
        ("punctuation", ","),
        ("type", "float"),
        ("float", "1.0e+00"),
        ("punctuation", ","),
        ("type", "i8"),
        ("integer", "-3"),
        ("punctuation", ")"),
        ("attributes", "#0"),
        ("punctuation", ","),
        ("metadata", "!dbg"),
        ("metadata", "!12"),
        ("label", "exit:"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('c"a\\00"', "bytes"),
        ("$comdat", "comdat"),
        ("0x4000000000000000", "float"),
        ("0xK3FFF8000000000000000", "float"),
        ("...", "ellipsis"),
        ("^3", "summary"),
        ('"a:b"', "string"),
        ("x86_fp80", "type"),
        ("13:", "label"),
        ("~", "unknown"),
    ],
)
def test_rare_forms_are_one_token(text: str, kind: str) -> None:
    (token,) = tokens(text)
    assert (token.kind, token.value, KINDS[token.id]) == (kind, text, kind)


def test_nothing_but_comments_and_white_space_is_lost() -> None:
    text = DIGITS.read_text()
    found = list(tokens(text))
    assert "unknown" not in {token.kind for token in found}
    without_comments = re.sub(r'("[^"\n]*")|;[^\n]*', lambda match: match[1] or "", text)
    assert re.sub(r"\s", "", "".join(token.value for token in found)) == re.sub(r"\s", "", without_comments)


def test_frequencies_are_those_that_opt_prints(env: CompilerEnv, opt: str, tmp_path: Path) -> None:
    env.reset(options={"observation_space": None})
    env.step(env.action_table.names.index("mem2reg"))
    digest, found = env.observation["IrSha1"], json.loads(env.observation["BlockFrequency"])
    assert env.observation["IrSha1"] == digest
    program = tmp_path / "program.bc"
    program.write_bytes(env.observation["Bitcode"])
    command = [opt, "-passes=print<block-freq>", "-disable-output", str(program)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    parts = [part.splitlines() for part in printed.split("block-frequency-info: ")[1:]]
    counts = {
        name: [int(one) for one in re.findall(r"int = (\d+)", "".join(lines))] for name, *lines in parts
    }
    assert found == {name: [one / every[0] for one in every] for name, every in counts.items()}
    assert max(map(max, found.values())) > 30


def test_frequencies_need_no_file_for_the_standard_error() -> None:
    read, write = os.pipe()
    saved = os.dup(2)
    try:
        os.dup2(write, 2)
        with Module.parse(CORNER_CASES) as module:
            found = block_frequencies(module)
        os.write(2, b"still")
    finally:
        os.dup2(saved, 2)
        for descriptor in (saved, write):
            os.close(descriptor)
    with os.fdopen(read, "rb") as pipe:
        assert pipe.read() == b"still"
    assert all(counts[0] == 1.0 for counts in found.values())
