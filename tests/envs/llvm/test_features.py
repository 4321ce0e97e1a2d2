"""Tests of the compiled feature helper."""

from __future__ import annotations

from pathlib import Path

from optarena.llvm import native
from optarena.llvm.actions import CURATED
from optarena.llvm.features import AUTOPHASE_NAMES, AUTOPHASE_SIZE, autophase
from optarena.llvm.module import Module, compile_helpers
from tests.kit.llvm.autophase_reference import reference

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
            assert autophase(module) == reference(module)
            for pipeline in PIPELINES:
                module.run(pipeline)
                assert autophase(module) == reference(module), pipeline


def test_the_helper_equals_the_reference_after_every_action(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        for action in CURATED.actions:
            module.run(action.pipeline)
            assert autophase(module) == reference(module), action.name


def test_corner_cases_by_hand() -> None:
    with Module.parse(CORNER_CASES) as module:
        assert module.verify() is None
        found = autophase(module)
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
        assert autophase(module) == [0] * AUTOPHASE_SIZE


def test_counting_features_leaves_the_module_as_it_is(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        before = module.bitcode()
        autophase(module)
        assert module.bitcode() == before


def test_compiling_starts_no_thread() -> None:
    compile_helpers()
    before = len(list(Path("/proc/self/task").iterdir()))
    with Module.parse(CORNER_CASES) as module:
        autophase(module)
    assert len(list(Path("/proc/self/task").iterdir())) == before
