"""Steps, trials and fingerprints without Python: the same answers, and what is left to Python."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import random
import signal
import socket
import struct
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

import pytest

from optarena.datasets import datasets
from optarena.errors import InvalidInput, SessionLimitExceeded
from optarena.llvm import features, stepping
from optarena.llvm.action_sets import PassActions
from optarena.llvm.actions import CURATED, UNSAFE, PassTable
from optarena.llvm.features import Fingerprints, is_layout_known
from optarena.llvm.inliner.columns import DEFAULT
from optarena.llvm.inliner_session import LlvmInlinerSession, prepare
from optarena.llvm.module import Module
from optarena.llvm.observations import OBSERVED as OBSERVATIONS
from optarena.llvm.session import LlvmSession, LlvmUnsafeSession
from optarena.llvm.tables import FUNCTIONS, PARAMETERS, WordTable
from optarena.machine_code.libllvm import library
from optarena.service.processes.supervision import SharedProgress, progress_file, read_unit
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.frames import PlainCall, PlainOutcome, PlainStep
from optarena.service.session import PlainCalls
from tests.kit.every_service import DIGITS
from tests.kit.examples import slow
from tests.kit.processes import children

SPACES = [space.name for space in LlvmSession.observation_spaces]
OBSERVED = [SPACES.index(name) for name in ("InstCount", "IrInstructionCount", "Autophase")]
NUMBER = 7


class SessionWithABrokenPass(LlvmSession):
    """A session whose first pass does not exist."""


BROKEN = PassTable("broken", (replace(CURATED.action(0), pipeline="nosuchpass"),))
SessionWithABrokenPass.set_spaces((PassActions(BROKEN),), OBSERVATIONS)


class Stepping:
    def __init__(
        self, program: bytes, kind: type[LlvmSession] = LlvmSession, space: pb.ActionSpace | None = None
    ) -> None:
        given = pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))
        self.session = kind(Path("/nowhere"), space or kind.action_spaces[0], given)
        self._file = progress_file()
        self.progress = SharedProgress(self._file.fileno())

    def exchange(self, data: bytes) -> tuple[bytes, bytes]:
        """What it answers to some bytes, after which the stream ends; and what it leaves of them."""
        client, here = socket.socketpair()
        with client, here:
            client.sendall(data)
            client.shutdown(socket.SHUT_WR)
            self.session.answer_steps(PlainCalls(here.fileno(), NUMBER, None, self.progress.address))
            left = here.recv(1 << 16)
            here.shutdown(socket.SHUT_WR)
            return client.recv(1 << 16), left

    def by_python(self, *actions: int, observed: Sequence[int] = OBSERVED, call: int = 1) -> bytes:
        """The answer in the usual way."""
        effects = [self.session.apply_action(pb.Event(int64_value=action))[2] for action in actions]
        spaces = [self.session.observation_spaces[index] for index in observed]
        values = [number for space in spaces if (number := self.session.get_numbers(space)) is not None]
        return on_wire(PlainOutcome(False, all(effects), values).packed(call))

    @property
    def unit(self) -> int:
        return read_unit(self._file.fileno())

    def close(self) -> None:
        self._file.close()
        self.session.close()


@pytest.fixture
def start() -> Iterator[Callable[..., Stepping]]:
    with contextlib.ExitStack() as stack:

        def started(program: bytes, kind: type[LlvmSession] = LlvmSession) -> Stepping:
            made = Stepping(program, kind)
            stack.callback(made.close)
            return made

        yield started


def on_wire(data: bytes) -> bytes:
    return struct.pack("<I", len(data)) + data


def frame(*actions: int, observed: Sequence[int] = OBSERVED, number: int = NUMBER, cpu_ms: int = 0) -> bytes:
    return on_wire(PlainStep(number, actions, observed).packed(1, 60_000, cpu_ms))


def test_a_walk_through_all_passes_is_answered_as_by_python(
    start: Callable[..., Stepping], mixed: bytes
) -> None:
    chance = random.Random(3)  # noqa: S311 # the same each time
    actions = chance.sample(range(len(CURATED)), len(CURATED)) + chance.choices(range(len(CURATED)), k=100)
    without, usual = start(mixed), start(mixed)
    for action in actions:
        observed = OBSERVED[:1] if chance.random() < 0.7 else chance.sample(OBSERVED, len(OBSERVED))
        expected = usual.by_python(action, observed=observed)
        told = without.exchange(frame(action, observed=observed))
        assert told == (expected, b""), CURATED.names[action]
        assert without.unit == 1 + len(observed)
    assert without.exchange(frame()) == (usual.by_python(), b"")
    assert without.session.instruction_count() == usual.session.instruction_count()
    assert without.session.bitcode() == usual.session.bitcode()
    for action in actions[:20]:  # the same session goes on in the usual way
        assert without.by_python(action) == usual.by_python(action)


@pytest.mark.parametrize("kind", [LlvmSession, LlvmInlinerSession])
def test_a_session_is_freed_at_its_end_without_the_garbage_collector(
    kind: type[LlvmSession], mixed: bytes
) -> None:
    if kind is LlvmInlinerSession:
        prepare()
    one = Stepping(mixed, kind)
    one.exchange(frame(0))
    one.session.handle_session_parameter("llvm.get_runtimes_per_observation_count", "")
    found = weakref.ref(one.session)
    gc.disable()
    try:
        one.close()
        del one
        assert found() is None  # or the programs of many would be kept
    finally:
        gc.enable()


def has_ended(one: Stepping) -> bool:
    assert isinstance(one.session, LlvmInlinerSession)
    return one.session.dialogue.has_ended


def test_decisions_are_answered_without_python_between_the_first_and_the_last(
    start: Callable[..., Stepping],
) -> None:
    prepare()
    names = [space.name for space in LlvmInlinerSession.observation_spaces]
    numbers = ("InlinerFeatures", "InlinerAdvice", "InlinerCallee", "IrInstructionCount")
    observed = [names.index(name) for name in numbers]
    program = datasets().benchmark("benchmark://kernels-v0/json").program()
    chance = random.Random(5)  # noqa: S311 # the same each time
    usual, steps = start(program, LlvmInlinerSession), list[tuple[int, bytes]]()
    while not has_ended(usual):
        action = chance.randrange(DEFAULT + 1)
        steps.append((action, usual.by_python(action, observed=observed)))
    without = start(program, LlvmInlinerSession)
    for place, (action, answer) in enumerate(steps):
        asked = frame(action, observed=observed)
        if place in {0, len(steps) - 1}:
            assert without.exchange(asked) == (b"", asked)
            assert without.by_python(action, observed=observed) == answer
        else:
            assert without.exchange(asked) == (answer, b"")
        alone = without.by_python(observed=observed)
        assert has_ended(without) or without.exchange(frame(observed=observed)) == (alone, b"")
    assert without.session.bitcode() == usual.session.bitcode()


def wrong_frames() -> Iterator[tuple[str, bytes]]:
    """Bytes that are not one usual step, each with what is unusual."""
    usual = frame(0)
    yield "a length alone", usual[:4]
    yield "half a length", usual[:2]
    yield "cut", usual[:-1]
    yield "too long", struct.pack("<I", len(usual) - 3) + usual[4:] + b"\0"
    yield "a length beyond all memory", b"\xff\xff\xff\xff" + usual[4:]
    yield "two frames", usual * 2
    yield "a frame and a part", usual + b"\1"
    yield "another version", usual[:5] + b"\2" + usual[6:]
    yield "a message", on_wire(pb.StepRequest(session_id=NUMBER).SerializeToString())
    yield "another session", frame(0, number=NUMBER + 1)
    yield "another limit", frame(0, cpu_ms=1)
    yield "no such action", frame(len(CURATED))
    yield "a negative action", frame(-1)
    yield "several actions", frame(0, 1)
    yield "no such space", frame(0, observed=[len(SPACES)])
    yield "a space of text", frame(0, observed=[SPACES.index("Ir")])
    yield "many observations", frame(0, observed=OBSERVED * 3)
    yield "more actions than numbers", usual[:30] + b"\xff\xff\xff\xff" + usual[34:]
    yield "more observations than numbers", usual[:34] + b"\xff\xff\xff\xff" + usual[38:]


@pytest.mark.parametrize("data", [pytest.param(data, id=what) for what, data in wrong_frames()])
def test_an_unusual_step_stays_in_the_socket_and_changes_nothing(
    start: Callable[..., Stepping], data: bytes
) -> None:
    one = start(DIGITS.read_bytes())
    before = one.session.bitcode()
    assert one.exchange(data) == (b"", data)
    assert one.session.module.bitcode() == before
    assert one.unit == 0


def test_a_damaged_frame_is_answered_as_by_python_or_left_as_it_came(start: Callable[..., Stepping]) -> None:
    chance = random.Random(5)  # noqa: S311 # the same each time
    without, usual = start(DIGITS.read_bytes()), start(DIGITS.read_bytes())
    answered = 0
    for _ in range(1500):
        data = bytearray(frame(CURATED.index("mem2reg")))
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(data))] = chance.choice((0, 1, 2, 255, chance.randrange(256)))
        data = data[: chance.choice((len(data), len(data), chance.randrange(1, len(data))))]
        reply, left = without.exchange(bytes(data))
        if left:
            assert (reply, left) == (b"", data)
        else:
            call = PlainCall.unpacked(bytes(data[4:]))
            step = call.step
            expected = usual.by_python(*step.actions, observed=step.observations, call=call.call_id)
            assert reply == expected
            answered += 1
    assert 25 < answered < 1475
    assert without.session.bitcode() == usual.session.bitcode()


def test_a_pass_that_makes_the_program_too_large_is_left_to_python(start: Callable[..., Stepping]) -> None:
    one, action = start(DIGITS.read_bytes()), CURATED.index("mem2reg")
    one.session._pass_state.largest = 1
    assert one.exchange(frame(action)) == (b"", frame(action))
    before = one.session.module.bitcode()
    with pytest.raises(SessionLimitExceeded, match=r"instructions after mem2reg; it may grow to 1\."):
        one.by_python(action)
    assert one.session.module.bitcode() == before  # the pass has run, and does not run again


def test_an_error_of_a_pass_is_told_by_python(start: Callable[..., Stepping]) -> None:
    one = start(DIGITS.read_bytes(), SessionWithABrokenPass)
    before = one.session.bitcode()
    assert one.exchange(frame(0)) == (b"", frame(0))
    with pytest.raises(InvalidInput, match="nosuchpass"):
        one.by_python(0)
    assert one.session.module.bitcode() == before


def test_a_state_without_a_fingerprint_is_left_to_python(start: Callable[..., Stepping]) -> None:
    layout = resources.files("optarena.llvm.native") / "layout_program.ll"
    one = start(layout.read_bytes())
    assert one.exchange(frame(0)) == (b"", frame(0))
    assert one.unit == 0


@pytest.mark.parametrize("table", [PARAMETERS, FUNCTIONS], ids=lambda table: str(table.name))
def test_actions_other_than_passes_are_left_to_python(table: WordTable) -> None:
    (space,) = (space for space in LlvmSession.action_spaces if space.name == table.name)
    one = Stepping(DIGITS.read_bytes(), space=space)
    assert one.exchange(frame()) == (b"", frame())
    one.close()


def test_a_peer_that_is_gone_when_the_reply_is_sent_ends_nothing(start: Callable[..., Stepping]) -> None:
    one, same = start(DIGITS.read_bytes()), start(DIGITS.read_bytes())
    client, here = socket.socketpair()
    with here:
        client.sendall(frame(CURATED.index("mem2reg")))
        client.close()
        one.session.answer_steps(PlainCalls(here.fileno(), NUMBER, None, one.progress.address))
        assert here.recv(100) == b""
    same.by_python(CURATED.index("mem2reg"))
    assert one.session.bitcode() == same.session.bitcode()


def test_no_observation_has_more_numbers_than_the_helper_has_room_for() -> None:
    source = (resources.files("optarena.llvm.native") / "steps.c").read_text("utf-8")
    assert f"MOST_NUMBERS = {stepping._MOST_NUMBERS} }};" in source
    assert all(place < raw.length for raw in features.RAW.values() for place in raw.places or ())


@pytest.mark.parametrize(
    "data",
    [frame(CURATED.index("mem2reg"), cpu_ms=50_500), frame(observed=[], cpu_ms=50_500)],
    ids=["a pass", "nothing to do"],
)
def test_each_unit_of_work_and_each_step_has_the_limit(start: Callable[..., Stepping], data: bytes) -> None:
    one = start(DIGITS.read_bytes())
    client, here = socket.socketpair()
    with client, here:
        client.sendall(data)
        client.shutdown(socket.SHUT_WR)
        try:
            one.session.answer_steps(PlainCalls(here.fileno(), NUMBER, 50.5, one.progress.address))
            remaining, _ = signal.getitimer(signal.ITIMER_PROF)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        assert 45 < remaining <= 50.6
        assert here.recv(100) == b""


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


@pytest.mark.parametrize("name", ["programs-smoke-v0/lzfse", *slow(["programs-v0/lua"])])
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


def test_debug_information_and_foreign_addresses_have_no_fingerprint(fingerprints: Fingerprints) -> None:
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


TRIED = ("InstCount", "IrInstructionCount", "Autophase")
SPACES_BY_NAME = {space.name: space for space in LlvmSession.observation_spaces}
NO_CODE = b'\ndefine void @nowhere() {\n  call void asm sideeffect "bogus", ""()\n  ret void\n}\n'


@pytest.fixture
def _nothing_is_left() -> Iterator[None]:
    before = children(os.getpid())
    yield
    assert children(os.getpid()) <= before  # those of earlier tests may end


def started(program: bytes, kind: type[LlvmSession] = LlvmSession) -> LlvmSession:
    given = pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))
    return kind(Path("/nowhere"), kind.action_spaces[0], given)


def tried(
    session: LlvmSession,
    actions: Sequence[int],
    names: Sequence[str] = TRIED,
    cpu_seconds: float | None = 20.0,
) -> Mapping[int, tuple[bool, list[bytes]]]:
    """What the session answers, whose channel is a file of no use."""
    channel = os.open(os.devnull, os.O_RDONLY)
    try:
        spaces = [SPACES_BY_NAME[name] for name in names]
        walks = [[action] for action in actions]
        told = session.try_walks(walks, spaces, channel=channel, cpu_seconds=cpu_seconds)
        return {place: step for place, (step,) in told.items()}
    finally:
        os.close(channel)


@pytest.mark.usefixtures("_nothing_is_left")
@pytest.mark.parametrize("step", [6, *slow([1])])
def test_every_pass_is_answered_and_gives_what_a_step_gives(mixed: bytes, step: int) -> None:
    session = started(mixed)
    compared = [CURATED.index(name) for name in ("sroa", "instcombine", "globaldce", "inferattrs")]
    actions = [*compared, *range(0, len(CURATED), step)]
    answers = tried(session, actions)
    assert sorted(answers) == list(range(len(actions)))
    for place, action in enumerate(compared):
        with_one = started(mixed)
        _, _, had_no_effect = with_one.apply_action(pb.Event(int64_value=action))
        numbers = [with_one.get_numbers(SPACES_BY_NAME[name]) for name in TRIED]
        assert answers[place] == (had_no_effect, numbers)
        with_one.close()
    session.close()


@pytest.mark.usefixtures("_nothing_is_left")
def test_what_is_observed_twice_is_answered_twice(mixed: bytes) -> None:
    session = started(mixed)
    ((_, (first, count, second)),) = tried(
        session, [0], ("Autophase", "IrInstructionCount", "Autophase")
    ).values()
    assert first == second
    assert (len(first), len(count)) == (8 * features.AUTOPHASE_SIZE, 8)
    session.close()


@pytest.mark.usefixtures("_nothing_is_left")
def test_an_error_that_was_raised_long_ago_does_not_count() -> None:
    session = started(DIGITS.read_bytes() + NO_CODE)
    with pytest.raises(InvalidInput, match="invalid instruction mnemonic"):
        session.get_observation(SPACES_BY_NAME["ObjectTextSizeBytes"])
    assert set(tried(session, [0, 1])) == {0, 1}
    session.close()


@pytest.mark.usefixtures("_nothing_is_left")
def test_crashes_hangs_and_growth_have_no_answer(mixed: bytes, hanging: bytes) -> None:
    unsafe = started(mixed, LlvmUnsafeSession)
    crash, harmless = UNSAFE.index("trigger-crash-module"), UNSAFE.index("strip-nonlinetable-debuginfo")
    assert set(tried(unsafe, [harmless, crash, harmless])) == {0, 2}
    unsafe._pass_state.largest = 1
    assert not tried(unsafe, [harmless])
    unsafe.close()
    endless = started(hanging, LlvmUnsafeSession)
    assert set(tried(endless, [UNSAFE.index("attributor"), harmless], cpu_seconds=0.5)) == {1}
    endless.close()


@pytest.mark.usefixtures("_nothing_is_left")
def test_other_observations_are_left_to_the_usual_way(mixed: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    session = started(mixed)
    assert not tried(session, [0], ("IrInstructionCount", "Ir"))
    monkeypatch.setattr(stepping, "_PAGE", 1024)
    assert not tried(session, [0])
    monkeypatch.setattr(stepping, "_PAGE", 4096)
    assert tried(session, [0])
    session.close()
