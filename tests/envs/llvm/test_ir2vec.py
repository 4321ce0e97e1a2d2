"""Embeddings by IR2Vec, beside those of LLVM's own tool."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import pytest

from optarena.errors import InvalidDocument, InvalidInput
from optarena.llvm import features, ir2vec
from optarena.llvm.feature_names import (
    IR2VEC_NAMES,
    IR2VEC_OPERANDS,
    IR2VEC_PREDICATES,
    IR2VEC_TYPES,
    OPCODES,
)
from optarena.llvm.ir2vec import builtin_ir2vec_vocabulary, read_ir2vec_vocabulary
from optarena.llvm.module import Module
from optarena.service.processes.exit_status import EXIT_OUT_OF_MEMORY
from tests.kit.llvm import programs
from tests.kit.llvm.observing import view

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Opcodes": tuple(OPCODES),
    "Types": IR2VEC_TYPES,
    "Arguments": (*IR2VEC_OPERANDS, *IR2VEC_PREDICATES),
}
# As LLVM weighs opcodes, types and arguments.
WEIGHTS = np.repeat([1.0, 0.5, 0.2], [len(names) for names in SECTIONS.values()])
Vectors = dict[str, Any]


def written(folder: Path, vectors: Mapping[str, list[float]]) -> Path:
    """A vocabulary of these vectors, as LLVM reads it."""
    sections = {
        section: {name: vectors[name] for name in names if name in vectors}
        for section, names in SECTIONS.items()
    }
    path = folder / "vocabulary.json"
    path.write_text(json.dumps(sections))
    return path


def told(tool: str, vocabulary: Path, program: bytes) -> list[list[float]]:
    """What LLVM's tool says of each function, with two decimals."""
    command = [tool, "embeddings", "--level=func", f"--ir2vec-vocab-path={vocabulary}"]
    done = subprocess.run(command, input=program, check=True, capture_output=True)
    return [
        [float(one) for one in row.split()] for row in re.findall(rb"^ \[(.*)\]$", done.stdout, re.MULTILINE)
    ]


def by_function(counts: Any) -> Any:
    return np.reshape(counts, (-1, len(IR2VEC_NAMES)))


CORNER_CASES = (
    programs.EMPTY
    + b"""
@global = global i32 0
@alias = alias i32 (), ptr @called
@ifunc = ifunc void (), ptr @resolver
declare i32 @__CxxFrameHandler3(...)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare void @llvm.assume(i1)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.dbg.value(metadata, metadata, metadata)
declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare target("spirv.Sampler") @sampler()
declare ppc_fp128 @double_double()
declare bfloat @brain()
declare half @half()
define ptr @resolver() {
  ret ptr null
}
define i32 @called() {
  ret i32 0
}
define i32 @operands(ptr %p, <2 x ptr> %v, i1 %c, ptr addrspace(1) %a, <vscale x 2 x i32> %s) !dbg !5 {
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  call void @llvm.dbg.value(metadata i1 %c, metadata !8, metadata !DIExpression()), !dbg !9
  %1 = call i32 @alias()
  call void @ifunc()
  call void asm sideeffect "nop", ""()
  call void %p()
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8) ]
  call void @llvm.experimental.noalias.scope.decl(metadata !10)
  %2 = icmp eq <2 x ptr> %v, zeroinitializer
  %3 = icmp ugt ptr @global, null
  %4 = select i1 %c, ptr @called, ptr @alias
  %5 = icmp ne ptr %p, blockaddress(@operands, %next)
  %6 = add i64 ptrtoint (ptr @global to i64), poison
  %7 = add <vscale x 2 x i32> %s, undef
  store ptr @called, ptr getelementptr (i8, ptr @global, i64 1)
  indirectbr ptr %p, [label %next, label %next]
next:
  switch i32 %1, label %end [ i32 1, label %end
                              i32 2, label %next ]
end:
  %8 = phi i32 [ 1, %next ], [ 1, %next ]
  ret i32 %8
unreached:
  br label %circle
circle:
  br label %circle
}
define void @types(ptr %p) {
  %1 = call x86_amx @llvm.x86.tilezero.internal(i16 8, i16 8)
  %2 = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %3 = call target("spirv.Sampler") @sampler()
  %4 = call ppc_fp128 @double_double()
  %5 = call bfloat @brain()
  %6 = call half @half()
  %7 = fcmp une half %6, 0.0
  %8 = load [2 x x86_fp80], ptr %p
  %9 = cmpxchg ptr %p, i32 1, i32 2 seq_cst seq_cst
  ret void
}
define void @handlers(ptr %f) personality ptr @__CxxFrameHandler3 {
  invoke void %f() to label %fine unwind label %dispatch
dispatch:
  %1 = catchswitch within none [label %handler] unwind label %cleanup
handler:
  %2 = catchpad within %1 [ptr null, i32 64, ptr null]
  call void %f() [ "funclet"(token %2) ]
  catchret from %2 to label %fine
cleanup:
  %3 = cleanuppad within none []
  cleanupret from %3 unwind to caller
fine:
  %4 = va_arg ptr %f, i32
  callbr void asm "", "!i"() to label %done [label %other]
done:
  ret void
other:
  fence seq_cst
  unreachable
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "operands", file: !1, unit: !0, type: !6)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocalVariable(name: "c", scope: !5, file: !1)
!9 = !DILocation(line: 1, scope: !5)
!10 = !{!11}
!11 = !{!11, !12}
!12 = !{!12}
"""
)


def test_the_counts_are_those_that_llvm_weighs_before_and_after_passes(
    llvm_ir2vec: str, tmp_path: Path
) -> None:
    unit = dict(zip(IR2VEC_NAMES, np.eye(len(IR2VEC_NAMES)).tolist(), strict=True))
    vocabulary = written(tmp_path, unit)
    with Module.parse(CORNER_CASES) as corner_cases:
        for state, module in chain([("corner cases", corner_cases)], programs.states()):
            names, counts = features.ir2vec_counts(module)
            rows = by_function(counts)
            found = told(llvm_ir2vec, vocabulary, module.bitcode())
            assert np.round(np.array(found).reshape(rows.shape) / WEIGHTS).tolist() == rows.tolist(), state
            assert features.listed(features.numbers(module, "Ir2vecCounts")) == rows.sum(axis=0).tolist()
            assert len(names) == len(module.function_names())


SMALL = (
    programs.EMPTY
    + b"""
declare i32 @outside(ptr)
define i32 @sum(ptr %p, i32 %n) {
entry:
  %none = icmp slt i32 %n, 1
  br i1 %none, label %end, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = load double, ptr %p
  %less = fcmp olt double %value, 1.0
  %one = call i32 @outside(ptr null)
  %next = add i32 %i, %one
  br i1 %less, label %loop, label %end
end:
  ret i32 %n
never:
  %product = mul i32 %n, %n
  br label %end
}
define void @nothing() {
  ret void
}
"""
)
# Constants are the numbers 1, 0 and 1.0, pointers %p and null; all others are variables, labels among them.
COUNTED = {
    "Ret": 1,
    "Br": 2,
    "Add": 1,
    "Load": 1,
    "ICmp": 1,
    "FCmp": 1,
    "PHI": 1,
    "Call": 1,
    "FloatTy": 1,
    "VoidTy": 3,
    "IntegerTy": 5,
    "Function": 1,
    "Pointer": 2,
    "Constant": 3,
    "Variable": 12,
    "FCMP_olt": 1,
    "ICMP_slt": 1,
}


def test_counts_by_hand() -> None:
    table = view("Ir2vecFunctionCounts", SMALL)
    assert table["function"] == ["sum", "nothing"]
    found = [
        {name: count for name, count in zip(IR2VEC_NAMES, row, strict=True) if count}
        for row in by_function(table["counts"]).tolist()
    ]
    assert found == [COUNTED, {"Ret": 1, "VoidTy": 1}]
    assert view("Ir2vecCounts", SMALL).tolist() == by_function(table["counts"]).sum(axis=0).tolist()


WITHOUT_MEMORY = """
import resource
from optarena.llvm import features
from optarena.llvm.module import Module, data_layout
from optarena.llvm.pinned import TRIPLE

blocks = "".join(f"b{number}:\\n br label %b{number + 1}\\n" for number in range(100_000))
text = f"define void @f() {{\\n br label %b0\\n{blocks}b100000:\\n ret void\\n}}\\n"
target = 'target datalayout = "%s"\\ntarget triple = "%s"\\n' % (data_layout(TRIPLE).decode(), TRIPLE)
with Module.parse((target + text).encode()) as module:
    assert sum(features.listed(features.numbers(module, "Ir2vecCounts"))) == 3 * 100_002 - 1
    resource.setrlimit(resource.RLIMIT_AS, (1, resource.RLIM_INFINITY))
    features.numbers(module, "Ir2vecCounts")
"""


def test_a_session_without_memory_ends_as_one() -> None:
    # Large blocks of memory are not used again.
    variables = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    command = [sys.executable, "-c", WITHOUT_MEMORY]
    done = subprocess.run(command, env=variables, capture_output=True, check=False)
    assert done.returncode == EXIT_OUT_OF_MEMORY, done.stderr.decode()


def test_embeddings_are_those_of_llvm(llvm_ir2vec: str, tmp_path: Path) -> None:
    """Of ten programs, each after some passes."""
    read = json.loads(ir2vec.BUILTIN.read_text())
    # The tool prints two decimals.
    larger = {
        name: [round(1e6 * one) for one in vector] for part in read.values() for name, vector in part.items()
    }
    vocabulary = written(tmp_path, larger)
    kernels = sorted(programs.KERNELS.glob("*.bc"))[:10]
    assert len(kernels) == 10
    made: Any = gymnasium.make("optarena/llvm-v0")
    with made.unwrapped as env:
        for number, kernel in enumerate(kernels):
            env.reset(options={"benchmark": f"benchmark://kernels-v0/{kernel.stem}"})
            env.multistep([number, number + 10, number + 20])
            table, module = env.observation["Ir2vecFunctions"], env.observation["Ir2vec"]
            found = np.array(told(llvm_ir2vec, vocabulary, env.observation["Bitcode"])) / 1e6
            np.testing.assert_allclose(table["vectors"], found, rtol=1e-6, atol=1e-5)
            np.testing.assert_allclose(module, found.sum(axis=0), rtol=1e-6, atol=1e-4)
            assert len(table["function"]) == len(found)


def test_each_is_a_member_of_its_space() -> None:
    made: Any = gymnasium.make("optarena/llvm-ic-v0", benchmark="benchmark://kernels-v0/sudoku")
    with made.unwrapped as env:
        for name in ("Ir2vec", "Ir2vecCounts", "Ir2vecFunctions", "Ir2vecFunctionCounts"):
            observation, _ = env.reset(options={"observation_space": name})
            assert observation in env.observation_space
            assert env.step(0)[0] in env.observation_space
            assert [given in env.observation_space for given, *_ in env.peek([1, 2])] == [True, True]


def test_a_vocabulary_of_ones_own(tmp_path: Path) -> None:
    """It has vectors of another size, not all names, and one that LLVM does not know."""
    path = written(
        tmp_path,
        {"Ret": [1.0, 0.0], "Add": [10.0, 0.0], "IntegerTy": [0.0, 2.0], "Constant": [0.0, 0.5]},
    )
    document = json.loads(path.read_text())
    document["Arguments"]["Label"] = [7.0, 7.0]
    path.write_text(json.dumps(document))
    vocabulary = read_ir2vec_vocabulary(path)
    assert len(vocabulary.missing) == len(IR2VEC_NAMES) - 4
    assert {"Br", "Variable"} <= set(vocabulary.missing)
    table = by_function(view("Ir2vecFunctionCounts", SMALL)["counts"])
    assert np.allclose(vocabulary.embed(table), [[11.0, 5 * 0.5 * 2.0 + 3 * 0.2 * 0.5], [1.0, 0.0]])
    with pytest.raises(InvalidInput, match=r"shape \(220,\).*counts\.reshape\(-1, 110\)"):
        vocabulary.embed(table.ravel())
    made = gymnasium.make("optarena/llvm-ic-v0", observation_space="Ir2vecCounts")
    with gymnasium.wrappers.TransformObservation(made, vocabulary.embed, vocabulary.space) as env:
        observation, _ = env.reset()
        assert observation.shape == (2,)
        assert observation in env.observation_space


VALID = {section: {names[0]: [1.0, 2.0], names[1]: [3.0, 4.0]} for section, names in SECTIONS.items()}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda _: b"", "not JSON"),
        (lambda _: b"[]", "must be an object"),
        (lambda _: b" " * 10_000_001, "more than 10,000,000 bytes"),
        (lambda given: given.pop("Types"), "value is missing"),
        (lambda given: given.update(Types={}), "Types of vocabulary.json has none of LLVM's names"),
        (lambda given: given.update(Types={"floatTy": [1.0, 2.0]}), "such as FloatTy"),
        (lambda given: given.update(Types=[1.0, 2.0]), "must be an object"),
        (lambda given: given["Opcodes"].update(Ret=1.0), "must be a list"),
        (lambda given: given["Opcodes"].update(Ret=[]), "at least 1"),
        (lambda given: given["Opcodes"].update(Ret=["a", 1.0]), "must be a number"),
        (lambda given: given["Opcodes"].update(Ret=[float("nan"), 1.0]), "finite"),
        (lambda given: given["Opcodes"].update(Ret=[1.0]), "different sizes: 1, 2"),
        (lambda given: given.update(Arguments={"Function": [1.0]}), "different sizes: 1, 2"),
        (lambda given: given.update(Operands={}), "Operands"),
    ],
)
def test_a_damaged_vocabulary_is_refused(tmp_path: Path, change: Any, message: str) -> None:
    document = json.loads(json.dumps(VALID))
    changed = change(document)
    path = tmp_path / "vocabulary.json"
    path.write_bytes(changed if isinstance(changed, bytes) else json.dumps(document).encode())
    with pytest.raises(InvalidDocument, match=message):
        read_ir2vec_vocabulary(path)


def test_the_vocabulary_of_the_package_is_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary = builtin_ir2vec_vocabulary()
    assert not vocabulary.vectors.flags.writeable
    assert set(IR2VEC_PREDICATES) <= set(vocabulary.missing)
    assert not set(vocabulary.missing) & {"Ret", "Call", "SRem", "LandingPad", "StructTy", *IR2VEC_OPERANDS}
    assert vocabulary.vectors.shape == (len(IR2VEC_NAMES), ir2vec.BUILTIN_SIZE)
    is_known = [name not in vocabulary.missing for name in IR2VEC_NAMES]
    assert np.allclose(np.linalg.norm(vocabulary.vectors, axis=1), WEIGHTS * is_known, atol=1e-3)
    changed = tmp_path / "ir2vec-v0.json"
    changed.write_bytes(ir2vec.BUILTIN.read_bytes() + b" ")
    monkeypatch.setattr(ir2vec, "BUILTIN", changed)
    with pytest.raises(InvalidInput, match="not the vocabulary of this package"):
        builtin_ir2vec_vocabulary.__wrapped__()
