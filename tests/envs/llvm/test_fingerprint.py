"""Tests of fingerprints: they are equal exactly when bitcode is."""

from __future__ import annotations

import ctypes
import random
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from optarena.datasets import datasets
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.llvm.features import Fingerprints, is_layout_known
from optarena.llvm.module import Module
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

DATA = Path(__file__).parent / "data"
EVERYTHING = (DATA / "everything.ll").read_bytes()
HARMLESS = ("strip", "strip-nondebug", "strip-dead-debug-info")
"""Actions of the unsafe table that end."""
P = ctypes.c_void_p
BLOCK_ADDRESSES = b"""target triple = "x86_64-unknown-linux-gnu"
@table = internal constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
define i32 @f(ptr %to) {
  %equal = icmp eq ptr %to, blockaddress(@f, %two)
  indirectbr ptr %to, [label %one, label %two]
one:
  ret i32 1
two:
  ret i32 2
}
"""
FOREIGN_BLOCK_ADDRESS = (
    BLOCK_ADDRESSES
    + b"""define ptr @g(i1 %which) {
  %either = select i1 %which, ptr blockaddress(@f, %one), ptr null
  ret ptr %either
}
"""
)


@pytest.fixture(scope="module")
def fingerprints() -> Iterator[Fingerprints]:
    made = Fingerprints()
    yield made
    made.close()


class Llvm:
    """libLLVM by the names of its own documents; text, numbers and handles as they come."""

    def __init__(self, module: Module) -> None:
        self.module = module.handle
        self._library = ctypes.CDLL(str(library().path))
        self.context = self.GetModuleContext(self.module)

    def __getattr__(self, name: str) -> Callable[..., int]:
        function = self._library[f"LLVM{name}"]
        function.restype = P
        return lambda *values: function(*map(_argument, values))

    def kind(self, name: str) -> int:
        return self.GetMDKindIDInContext(self.context, name, len(name)) & 0xFFFFFFFF

    def string(self, text: str) -> int:
        return self.MetadataAsValue(self.context, self.MDStringInContext2(self.context, text, len(text)))

    def local(self, name: str) -> int:
        function = self.GetNamedFunction(self.module, "main")
        block = self.GetFirstBasicBlock(function)
        while block:
            value = self.GetFirstInstruction(block)
            while value:
                length = ctypes.c_size_t()
                pointer = self.GetValueName2(value, ctypes.byref(length))
                if ctypes.string_at(pointer, length.value).decode() == name:
                    return value
                value = self.GetNextInstruction(value)
            block = self.GetNextBasicBlock(block)
        raise AssertionError(name)

    def plain(self, position: int) -> int:
        """An instruction of ``plain``."""
        value = self.GetFirstInstruction(self.GetFirstBasicBlock(self.function("plain")))
        for _ in range(position):
            value = self.GetNextInstruction(value)
        return value

    def function(self, name: str = "main") -> int:
        return self.GetNamedFunction(self.module, name)

    def variable(self, name: str) -> int:
        return self.GetNamedGlobal(self.module, name)

    def attribute(self, name: str) -> int:
        return self.CreateStringAttribute(self.context, name, len(name), "", 0)

    def number(self, value: int) -> int:
        return self.ConstInt(self.Int32TypeInContext(self.context), value, 0)


def _argument(value: Any) -> Any:  # what ctypes takes
    if isinstance(value, str):
        return ctypes.c_char_p(value.encode())
    return ctypes.c_uint64(value) if isinstance(value, int) else value


CHANGES: Final[dict[str, Callable[[Llvm], object]]] = {
    "alignment of a load": lambda x: x.SetAlignment(x.local("first"), 2),
    "alignment of a variable": lambda x: x.SetAlignment(x.variable("other"), 32),
    "volatile": lambda x: x.SetVolatile(x.local("first"), 1),
    "no signed wrap": lambda x: x.SetNSW(x.plain(0), 0),
    "no unsigned wrap": lambda x: x.SetNUW(x.plain(0), 1),
    "disjoint": lambda x: x.SetIsDisjoint(x.plain(2), 0),
    "not negative": lambda x: x.SetNNeg(x.plain(1), 0),
    "same sign": lambda x: x.SetICmpSameSign(x.plain(4), 0),
    "in bounds": lambda x: x.SetIsInBounds(x.local("field"), 0),
    "fast mathematics": lambda x: x.SetFastMathFlags(x.local("scaled"), 4),
    "ordering": lambda x: x.SetOrdering(x.local("atomic"), 7),
    "scope": lambda x: x.SetAtomicSyncScopeID(x.local("atomic"), 0),
    "ordering of a failure": lambda x: x.SetCmpXchgFailureOrdering(x.local("swap"), 4),
    "weak exchange": lambda x: x.SetWeak(x.local("swap"), 1),
    "operand": lambda x: x.SetOperand(x.local("next"), 1, x.number(2)),
    "operands' order": lambda x: (
        x.SetOperand(x.plain(0), 0, x.GetParam(x.function("plain"), 1)),
        x.SetOperand(x.plain(0), 1, x.GetParam(x.function("plain"), 0)),
    ),
    "a variable for an argument of the same number": lambda x: x.SetOperand(
        x.local("first"), 0, x.variable("vtable")
    ),
    "incoming block": lambda x: x.AddIncoming(
        x.local("result"),
        ctypes.byref(P(x.number(4))),
        ctypes.byref(P(x.GetEntryBasicBlock(x.function()))),
        1,
    ),
    "successor": lambda x: x.SetSuccessor(
        x.GetBasicBlockTerminator(x.GetEntryBasicBlock(x.function())),
        1,
        x.GetInstructionParent(x.local("result")),
    ),
    "case": lambda x: x.SetSwitchCaseValue(
        x.GetBasicBlockTerminator(x.GetEntryBasicBlock(x.function())), 1, x.number(9)
    ),
    "tail call": lambda x: x.SetTailCall(x.local("called"), 0),
    "calling convention of a call": lambda x: x.SetInstructionCallConv(x.local("called"), 8),
    "calling convention": lambda x: x.SetFunctionCallConv(x.function("plain"), 8),
    "attribute of a call": lambda x: x.AddCallSiteAttribute(x.local("called"), -1, x.attribute("new")),
    "attribute of an argument": lambda x: x.AddAttributeAtIndex(x.function(), 1, x.attribute("new")),
    "attribute of a declaration": lambda x: x.AddAttributeAtIndex(
        x.function("allocate"), -1, x.attribute("x")
    ),
    "personality": lambda x: x.SetPersonalityFn(x.function(), x.function("may_throw")),
    "new personality": lambda x: x.SetPersonalityFn(x.function("plain"), x.function("personality")),
    "prefix": lambda x: x.SetPrefixData(x.function("plain"), x.number(7)),
    "collector": lambda x: x.SetGC(x.function("plain"), "statepoint-example"),
    "cleanup": lambda x: x.SetCleanup(x.local("caught"), 0),
    "name of an instruction": lambda x: x.SetValueName2(x.local("next"), "after", 5),
    "name of a block": lambda x: x.SetValueName2(x.GetInstructionParent(x.local("next")), "again_", 6),
    "name of an argument": lambda x: x.SetValueName2(x.GetParam(x.function(), 0), "many", 4),
    "no name": lambda x: x.SetValueName2(x.local("next"), "", 0),
    "name of a function": lambda x: x.SetValueName2(x.function("plain"), "simple", 6),
    "linkage": lambda x: x.SetLinkage(x.variable("entry"), 5),
    "visibility": lambda x: x.SetVisibility(x.variable("entry"), 1),
    "unnamed address": lambda x: x.SetUnnamedAddress(x.variable("entry"), 2),
    "thread": lambda x: x.SetThreadLocalMode(x.variable("entry"), 1),
    "constant": lambda x: x.SetGlobalConstant(x.variable("entry"), 1),
    "external": lambda x: x.SetExternallyInitialized(x.variable("entry"), 1),
    "section": lambda x: x.SetSection(x.variable("other"), "their"),
    "group": lambda x: x.SetComdatSelectionKind(x.GetComdat(x.variable("inline")), 3),
    "initialiser": lambda x: x.SetInitializer(x.variable("inline"), x.number(6)),
    "range of an address": lambda x: x.SetInitializer(
        x.variable("entry"), x.GetOperand(x.GetInitializer(x.variable("entry")), 0)
    ),
    "aliasee": lambda x: x.AliasSetAliasee(x.GetNamedGlobalAlias(x.module, "also", 4), x.variable("other")),
    "source file": lambda x: x.SetSourceFileName(x.module, "new", 3),
    "assembler": lambda x: x.SetModuleInlineAsm2(x.module, "nop", 3),
    "target": lambda x: x.SetTarget(x.module, "x86_64-linux-gnu"),
    "layout of data": lambda x: x.SetDataLayout(x.module, "e-m:e-i64:64"),
    "metadata of an instruction": lambda x: x.SetMetadata(x.local("first"), 1, None),
    "more metadata": lambda x: x.SetMetadata(
        x.local("next"),
        x.kind("llvm.access.group"),
        x.MDNodeInContext(x.context, ctypes.byref(P(x.string("group"))), 1),
    ),
    "metadata changed in place": lambda x: x.ReplaceMDNodeOperandWith(
        x.GetMetadata(
            x.GetBasicBlockTerminator(x.GetInstructionParent(x.local("next"))), x.kind("llvm.loop")
        ),
        1,
        x.ValueAsMetadata(x.string("other")),
    ),
    "named metadata": lambda x: x.AddNamedMetadataOperand(
        x.module, "llvm.ident", x.MDNodeInContext(x.context, ctypes.byref(P(x.string("new"))), 1)
    ),
    "kind of metadata that nothing has": lambda x: x.kind("new.kind"),
    "order of blocks": lambda x: x.MoveBasicBlockBefore(
        x.GetInstructionParent(x.local("result")), x.GetInstructionParent(x.local("next"))
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_change_of_anything_shows(change: Callable[[Llvm], object], fingerprints: Fingerprints) -> None:
    with Module.parse(EVERYTHING) as module:
        before, bitcode = fingerprints.take(module), module.bitcode()
        assert fingerprints.take(module) == before
        change(Llvm(module))
        assert module.bitcode() != bitcode
        assert fingerprints.take(module)[0] != before[0]


def test_what_is_taken_back_does_not_show(fingerprints: Fingerprints) -> None:
    with Module.parse(EVERYTHING) as module:
        before, bitcode = fingerprints.take(module), module.bitcode()
        llvm = Llvm(module)
        llvm.SetPersonalityFn(llvm.function("plain"), llvm.function("personality"))
        llvm.SetPersonalityFn(llvm.function("plain"), None)
        llvm.SetOperand(llvm.local("next"), 1, llvm.number(2))
        llvm.SetOperand(llvm.local("next"), 1, llvm.number(1))
        builder = llvm.CreateBuilderInContext(llvm.context)
        llvm.PositionBuilderBefore(builder, llvm.local("next"))
        llvm.InstructionEraseFromParent(llvm.BuildAlloca(builder, llvm.Int32TypeInContext(llvm.context), ""))
        llvm.DisposeBuilder(builder)
        assert module.bitcode() == bitcode
        assert fingerprints.take(module) == before


def follow(program: bytes, pipelines: Iterable[str], fingerprints: Fingerprints) -> tuple[int, int]:
    """Run passes, comparing after each; how many of them had an effect, and how many had none."""
    effects = [0, 0]
    with Module.parse(program) as module:
        before, bitcode = fingerprints.take(module)[0], module.bitcode()
        for pipeline in pipelines:
            module.run(pipeline)
            (after, count), now = fingerprints.take(module), module.bitcode()
            assert count == module.instruction_count()
            assert (after == before) == (now == bitcode), pipeline
            effects[now == bitcode] += 1
            before, bitcode = after, now
    return effects[0], effects[1]


def test_fingerprints_are_equal_exactly_when_bitcode_is(mixed: bytes, fingerprints: Fingerprints) -> None:
    chance, pipelines = random.Random(7), [action.pipeline for action in CURATED.actions]  # noqa: S311 # the same each time
    effects = [follow(EVERYTHING, pipelines, fingerprints), follow(mixed, reversed(pipelines), fingerprints)]
    for benchmark in datasets()["kernels-v0"]:
        some = chance.sample(pipelines, 15)
        effects.append(follow(benchmark.program(), some, fingerprints))
    assert min(sum(column) for column in zip(*effects, strict=True)) > len(pipelines)


@pytest.mark.parametrize("name", HARMLESS)
def test_names_of_structures_count(name: str, fingerprints: Fingerprints) -> None:
    pipeline = UNSAFE.action(UNSAFE.index(name)).pipeline
    follow(EVERYTHING, [pipeline, pipeline], fingerprints)


@pytest.mark.parametrize("name", ["programs-v0/lua", "programs-smoke-v0/lzfse"])
def test_addresses_of_blocks_in_real_programs_count(name: str, fingerprints: Fingerprints) -> None:
    chance = random.Random(8)  # noqa: S311 # the same each time
    some = chance.sample([action.pipeline for action in CURATED.actions], 12)
    program = datasets().benchmark(f"benchmark://{name}").program()
    with Module.parse(program) as module:
        assert "blockaddress" in module.text()
    with_effect, without = follow(program, ["mem2reg", *some, *some], fingerprints)
    assert min(with_effect, without) > 3


def test_the_places_of_blocks_whose_addresses_are_taken_count(fingerprints: Fingerprints) -> None:
    with Module.parse(BLOCK_ADDRESSES) as module:
        before, bitcode = fingerprints.take(module)[0], module.bitcode()
        assert before is not None
        llvm = Llvm(module)
        one, two = (llvm.GetOperand(llvm.GetInitializer(llvm.variable("table")), place) for place in (0, 1))
        llvm.SetInitializer(
            llvm.variable("table"), llvm.ConstArray2(P(llvm.TypeOf(one)), ctypes.byref((P * 2)(two, one)), 2)
        )
        assert module.bitcode() != bitcode
        assert fingerprints.take(module)[0] != before


def test_debug_information_and_addresses_of_foreign_blocks_have_no_fingerprint(
    fingerprints: Fingerprints,
) -> None:
    layout = resources.files("optarena.llvm.native") / "layout_program.ll"
    for program in (FOREIGN_BLOCK_ADDRESS, layout.read_bytes()):
        with Module.parse(program) as module:
            assert fingerprints.take(module) == (None, module.instruction_count())


def test_the_structures_are_laid_out_as_the_helper_reads_them() -> None:
    assert is_layout_known()


def test_a_closed_one_still_counts(mixed: bytes) -> None:
    closed = Fingerprints()
    closed.close()
    closed.close()
    with Module.parse(mixed) as module:
        assert closed.take(module) == (None, module.instruction_count())
