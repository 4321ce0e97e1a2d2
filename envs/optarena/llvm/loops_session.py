"""The sessions of ``optarena/llvm-loops-v0`` and ``llvm-finer-v0``: with decisions on loops and calls."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from optarena.llvm.action_sets import StructuredActions
from optarena.llvm.loops.columns import CALL_SITE_COLUMNS
from optarena.llvm.loops.decisions import LOOPS, Decision, DecisionKind, DecisionTable, Hint
from optarena.llvm.loops.tables import call_sites, latches
from optarena.llvm.module import Module, linked_list
from optarena.llvm.observations import OBSERVED
from optarena.llvm.session import ACTION_SETS, LlvmSession
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.service.proto.compiler_gym_service_pb2 import ActionSpace, Benchmark, Event

_KIND: Final = b"llvm.loop"


@dataclass(frozen=True, slots=True)
class Property:
    # The name is empty for an operand without one, such as a source location; `metadata` is an
    # LLVMMetadataRef.
    name: str
    value: int | None
    metadata: int


class LoopProperties:
    def __init__(self, module: Module) -> None:
        self._llvm = library()
        self._context: int = self._llvm.GetModuleContext(module.handle)
        self._kind: int = self._llvm.GetMDKindIDInContext(self._context, _KIND, len(_KIND))

    def node(self, terminator: int) -> int | None:
        found: int | None = self._llvm.GetMetadata(terminator, self._kind)
        return found

    def attach(self, terminator: int, node: int | None) -> None:
        self._llvm.SetMetadata(terminator, self._kind, node)

    def of(self, node: int | None) -> tuple[Property, ...]:
        return tuple(self._read(operand) for operand in self._operands(node)[1:] if operand)

    def new(self, hint: Hint) -> Property:
        llvm, name = self._llvm, hint.name.encode()
        parts = [llvm.MDStringInContext2(self._context, name, len(name))]
        if hint.value is not None:
            kind = llvm.IntTypeInContext(self._context, hint.bits)
            parts.append(llvm.ValueAsMetadata(llvm.ConstInt(kind, hint.value, 0)))
        return Property(
            hint.name, hint.value, llvm.MDNodeInContext2(self._context, _array(parts), len(parts))
        )

    def make(self, properties: Iterable[Property]) -> int:
        llvm = self._llvm
        itself = llvm.TemporaryMDNode(self._context, None, 0)
        operands = [itself, *(one.metadata for one in properties)]
        node = llvm.MDNodeInContext2(self._context, _array(operands), len(operands))
        llvm.MetadataReplaceAllUsesWith(itself, node)
        made: int = llvm.MetadataAsValue(self._context, node)
        return made

    def _operands(self, node: int | None) -> Sequence[int | None]:
        if not node or not self._llvm.IsAMDNode(node):
            return ()
        operands = (ctypes.c_void_p * self._llvm.GetMDNodeNumOperands(node))()
        self._llvm.GetMDNodeOperands(node, operands)
        return list(operands)

    def _read(self, operand: int) -> Property:
        parts = self._operands(operand)
        name, value = self._text(parts[0]) if parts else "", None
        if name and len(parts) > 1 and parts[1] and self._llvm.IsAConstantInt(parts[1]):
            value = int(self._llvm.ConstIntGetZExtValue(parts[1]))
        return Property(name, value, self._llvm.ValueAsMetadata(operand))

    def _text(self, value: int | None) -> str:
        length = ctypes.c_uint()
        pointer = self._llvm.GetMDString(value, ctypes.byref(length)) if value else None
        return ctypes.string_at(pointer, length.value).decode(errors="replace") if pointer else ""


def _array(values: Sequence[int]) -> ctypes.Array[ctypes.c_void_p]:
    return (ctypes.c_void_p * len(values))(*values)


_CHOSEN_LOOP: Final = Hint("optarena.chosen")
_SAVED: Final = "optarena.saved"
_OURS: Final = "optarena."
# loop-rotate ignores its size limit if vectorization is forced; with minsize, other loops must not grow.
_ROTATED: Final = Hint("llvm.loop.vectorize.enable", 1, 1)
_PREPARATION: Final = "loop-simplify,lcssa,loop(loop-rotate)"
_FOR_SIZE: Final = ("minsize", "optsize")
_OF_FUNCTION: Final = 2**32 - 1  # LLVMAttributeFunctionIndex


@lru_cache(maxsize=1)
def keep_order() -> None:
    # By default, forced vectorization allows LLVM to reorder floating-point additions, which changes the
    # sums. The option holds for the whole process: set it before the first program, so that every state is
    # reached alike.
    words = (ctypes.c_char_p * 2)(b"optarena", b"-hints-allow-reordering=false")
    library().ParseCommandLineOptions(len(words), words, b"")


def decide_loop(module: Module, row: int, decision: Decision) -> bool:
    # LLVM's decision is not known in advance, and a pass changes the function even if it then gives the loop
    # up. So the decision is tried on a copy first.
    keep_order()
    edges = latches(module)
    own = {edge.terminator for edge in edges if edge.loop == row}
    if not own or any(edge.loop != row and edge.terminator in own for edge in edges):
        return False  # no loop, or one branch closes two loops: its metadata would hold for both
    if not decision.pipeline:
        return _set_hints(module, row, decision)
    with Module.parse(module.bitcode()) as trial:
        if not _Transformation(trial, row, decision).run():
            return False
    return _Transformation(module, row, decision).run()


def _set_hints(module: Module, row: int, decision: Decision) -> bool:
    # For later passes.
    properties = LoopProperties(module)
    own = [latch.terminator for latch in latches(module) if latch.loop == row]
    before = properties.of(properties.node(own[0]))
    told = {(one.name, one.value) for one in before if one.name.startswith(decision.replaces)}
    if told == {(hint.name, hint.value) for hint in decision.hints}:
        return False
    kept = [one for one in before if not one.name.startswith(decision.replaces)]
    node = properties.make([*kept, *map(properties.new, decision.hints)])
    for terminator in own:
        properties.attach(terminator, node)
    return True


class _Transformation:
    def __init__(self, module: Module, row: int, decision: Decision) -> None:
        self._module = module
        self._decision = decision
        self._properties = LoopProperties(module)
        self._forced = frozenset(hint.name for hint in decision.hints)
        edges = latches(module)
        self._own = [edge.terminator for edge in edges if edge.loop == row]
        self._function = _function_of(self._own[0])
        self._edges = [edge for edge in edges if _function_of(edge.terminator) == self._function]
        self._row = row
        self._saved: list[int | None] = []

    def run(self) -> bool:
        self._mark()
        with _attributes(self._function, add=_FOR_SIZE[:1]):
            self._module.run(_PREPARATION, self._function)
        chosen = self._chosen()
        self._give_hints(chosen)
        with _attributes(self._function, remove=_FOR_SIZE):
            self._module.run(self._decision.pipeline, self._function)
        left = [self._properties_at(one) for one in self._chosen()]
        done = bool(chosen) and self._is_done(left)
        self._restore(done=done)
        return done

    def _is_done(self, left: Sequence[Sequence[Property]]) -> bool:
        # By the properties of the loops that came from the chosen one.
        if self._decision.ends:
            return not left
        return not any(one.name in self._forced for found in left for one in found)

    def _mark(self) -> None:
        properties = self._properties
        silent = [properties.new(hint) for hint in self._decision.others]
        rotated = [properties.new(_ROTATED), properties.new(_CHOSEN_LOOP)]
        chosen = self._save_properties(properties.node(self._own[0]), rotated)
        made: dict[int | None, int] = {}
        for edge in self._edges:
            node = properties.node(edge.terminator)
            if edge.loop == self._row:
                properties.attach(edge.terminator, chosen)
                continue
            if node not in made:
                made[node] = self._save_properties(node, silent)
            properties.attach(edge.terminator, made[node])

    def _save_properties(self, node: int | None, said: Sequence[Property]) -> int:
        properties = self._properties
        number = properties.new(Hint(_SAVED, len(self._saved)))
        self._saved.append(node)
        before = [one for one in properties.of(node) if not one.name.startswith(_OURS)]
        return properties.make([*self._kept(before), *said, number])

    def _kept(self, before: Sequence[Property]) -> list[Property]:
        replaced = (*self._decision.replaces, _ROTATED.name)
        return [one for one in before if not one.name.startswith(replaced)]

    def _give_hints(self, chosen: Sequence[int]) -> None:
        properties = self._properties
        said = [properties.new(hint) for hint in self._decision.hints]
        for terminator in chosen[:1]:
            node = properties.make([*self._kept(self._properties_at(terminator)), *said])
            for other in chosen:
                properties.attach(other, node)

    def _chosen(self) -> list[int]:
        return [
            edge.terminator
            for edge in latches(self._module)
            if any(one.name == _CHOSEN_LOOP.name for one in self._properties_at(edge.terminator))
        ]

    def _properties_at(self, terminator: int) -> tuple[Property, ...]:
        return self._properties.of(self._properties.node(terminator))

    def _restore(self, *, done: bool) -> None:
        # Copies of a loop get the original loop's properties.
        properties = self._properties
        made: dict[int | None, int | None] = {}
        llvm = library()
        for block in linked_list(llvm.GetFirstBasicBlock(self._function), llvm.GetNextBasicBlock):
            terminator = llvm.GetBasicBlockTerminator(block)
            node = properties.node(terminator)
            if node not in made:
                made[node] = self._original(node, done=done)
            if made[node] != node:
                properties.attach(terminator, made[node])

    def _original(self, node: int | None, *, done: bool) -> int | None:
        properties = self._properties
        found = properties.of(node)
        numbers = [one.value for one in found if one.name == _SAVED and one.value is not None]
        if not numbers or numbers[0] >= len(self._saved):
            return node  # this property came with the program, under the name of ours
        original = self._saved[numbers[0]]
        if not (done and any(one.name == _CHOSEN_LOOP.name for one in found)):
            return original
        left = [one for one in found if not one.name.startswith(_OURS) and one.name not in self._forced]
        if {one.metadata for one in left} == {one.metadata for one in properties.of(original)}:
            return original
        return properties.make(left) if left else None


@contextmanager
def _attributes(function: int, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Iterator[None]:
    llvm = library()
    context = llvm.GetModuleContext(llvm.GetGlobalParent(function))
    changes = [
        (kind, name in add)
        for name in (*add, *remove)
        for kind in [llvm.GetEnumAttributeKindForName(name.encode(), len(name))]
        if (name in add) != bool(llvm.GetEnumAttributeAtIndex(function, _OF_FUNCTION, kind))
    ]

    def change(*, undo: bool) -> None:
        for kind, added in changes:
            if added != undo:
                attribute = llvm.CreateEnumAttribute(context, kind, 0)
                llvm.AddAttributeAtIndex(function, _OF_FUNCTION, attribute)
            else:
                llvm.RemoveEnumAttributeAtIndex(function, _OF_FUNCTION, kind)

    change(undo=False)
    try:
        yield
    finally:
        change(undo=True)


def _function_of(instruction: int) -> int:
    llvm = library()
    function: int = llvm.GetBasicBlockParent(llvm.GetInstructionParent(instruction))
    return function


_CHOSEN_CALL: Final = "optarena-chosen"
_HELD: Final = "optarena-held"
_NEVER: Final = "noinline"
_ALWAYS: Final = "alwaysinline"
_CALLEE_ALWAYS: Final = CALL_SITE_COLUMNS.index("callee_alwaysinline")


def decide_call(module: Module, row: int, decision: Decision) -> bool:
    # A call is inlined in a copy first, as loops are.
    sites = call_sites(module)
    if row >= len(sites):
        return False
    if not decision.pipeline:
        attributes, call = _CallAttributes(module), sites[row].instruction
        if attributes.has(call, _NEVER):
            return False
        attributes.remove(call, _ALWAYS)
        attributes.add(call, _NEVER)
        return True
    with Module.parse(module.bitcode()) as trial:
        if not _inline(trial, row, decision.pipeline):
            return False
    return _inline(module, row, decision.pipeline)


def _inline(module: Module, row: int, pipeline: str) -> bool:
    # Protects all other calls that would be inlined as well.
    attributes = _CallAttributes(module)
    for number, site in enumerate(call_sites(module)):
        attributes.unmark(site.instruction, _HELD)  # the original program may contain our marks
        attributes.unmark(site.instruction, _CHOSEN_CALL)
        if number != row and not attributes.has(site.instruction, _NEVER):
            if attributes.has(site.instruction, _ALWAYS) or site.row[_CALLEE_ALWAYS]:
                attributes.add(site.instruction, _NEVER)
                attributes.mark(site.instruction, _HELD)
        elif number == row:
            forbidden = attributes.has(site.instruction, _NEVER)
            told = attributes.has(site.instruction, _ALWAYS)
            attributes.remove(site.instruction, _NEVER)
            attributes.add(site.instruction, _ALWAYS)
            attributes.mark(site.instruction, _CHOSEN_CALL)
    module.run(pipeline)
    done = True
    for site in call_sites(module):
        if attributes.unmark(site.instruction, _HELD):
            attributes.remove(site.instruction, _NEVER)
        if attributes.unmark(site.instruction, _CHOSEN_CALL):
            done = False
            if not told:
                attributes.remove(site.instruction, _ALWAYS)
            if forbidden:
                attributes.add(site.instruction, _NEVER)
    return done


class _CallAttributes:
    def __init__(self, module: Module) -> None:
        self._llvm = library()
        self._context: int = self._llvm.GetModuleContext(module.handle)

    def has(self, call: int, name: str) -> bool:
        return bool(self._llvm.GetCallSiteEnumAttribute(call, _OF_FUNCTION, self._kind(name)))

    def add(self, call: int, name: str) -> None:
        attribute = self._llvm.CreateEnumAttribute(self._context, self._kind(name), 0)
        self._llvm.AddCallSiteAttribute(call, _OF_FUNCTION, attribute)

    def remove(self, call: int, name: str) -> None:
        if self.has(call, name):
            self._llvm.RemoveCallSiteEnumAttribute(call, _OF_FUNCTION, self._kind(name))

    def mark(self, call: int, text: str) -> None:
        attribute = self._llvm.CreateStringAttribute(self._context, text.encode(), len(text), b"", 0)
        self._llvm.AddCallSiteAttribute(call, _OF_FUNCTION, attribute)

    def unmark(self, call: int, text: str) -> bool:
        # Returns whether the call had it.
        if not self._llvm.GetCallSiteStringAttribute(call, _OF_FUNCTION, text.encode(), len(text)):
            return False
        self._llvm.RemoveCallSiteStringAttribute(call, _OF_FUNCTION, text.encode(), len(text))
        return True

    def _kind(self, name: str) -> int:
        kind: int = self._llvm.GetEnumAttributeKindForName(name.encode(), len(name))
        return kind


class LoopActions(StructuredActions[DecisionTable]):
    __slots__ = ()

    def apply(self, session: LlvmSession, action: Event) -> str:
        chosen = self._chosen(action)
        decision, row = self.table.decisions[chosen[0]], chosen[1]
        if decision.kind is DecisionKind.LOOP:
            decide_loop(session.module, row, decision)
        elif decision.kind is DecisionKind.SITE:
            decide_call(session.module, row, decision)
        else:
            session.module.run(decision.pipeline)
        return self.table.text(chosen)


class LlvmLoopsSession(LlvmSession):
    """A session whose actions are decisions on single loops and calls."""

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        keep_order()
        super().__init__(working_directory, action_space, benchmark)

    @classmethod
    def finish_preloading(cls) -> None:
        super().finish_preloading()
        cls.preload_rest()
        keep_order()


class LlvmFinerSession(LlvmLoopsSession):
    """A session with every action space of the curated passes, and decisions on single loops and calls."""


LlvmLoopsSession.set_spaces((LoopActions(LOOPS),), OBSERVED)
LlvmFinerSession.set_spaces((*ACTION_SETS, LoopActions(LOOPS)), OBSERVED)
