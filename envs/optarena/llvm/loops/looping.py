"""Carries a decision on one loop out, and on that loop alone.

LLVM is told what to do by properties of the loop, and of all other loops of the function that they are to be
left alone; what was said for that purpose is taken back afterwards. What LLVM itself notes stays, as that a
loop is unrolled or vectorized already.
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from optarena.llvm.libllvm import library
from optarena.llvm.loops.decisions import Hint
from optarena.llvm.loops.properties import LoopProperties
from optarena.llvm.loops.tables import latches
from optarena.llvm.module import Module

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.llvm.loops.decisions import Decision
    from optarena.llvm.loops.properties import Property
    from optarena.llvm.loops.tables import Latch

_CHOSEN: Final = Hint("optarena.chosen")
_SAVED: Final = "optarena.saved"
_OURS: Final = "optarena."
# The pass rotates a loop at any cost if its vectorization is forced, and others for free if size matters.
_ROTATED: Final = Hint("llvm.loop.vectorize.enable", 1, 1)
_PREPARATION: Final = "loop-simplify,lcssa,loop(loop-rotate)"
_FOR_SIZE: Final = ("minsize", "optsize")
_OF_FUNCTION: Final = 2**32 - 1  # LLVMAttributeFunctionIndex


@lru_cache(maxsize=1)
def keep_order() -> None:
    """Have LLVM keep the order of floating-point operations even where vectorization is forced.

    It takes a forced vectorization for leave to add up in another order, which gives other sums. The option
    is one of the process: to be set before the first program, so that all states come about alike.
    """
    words = (ctypes.c_char_p * 2)(b"optarena", b"-hints-allow-reordering=false")
    library().ParseCommandLineOptions(len(words), words, b"")


def decide(module: Module, row: int, decision: Decision) -> bool:
    """Carry a decision on a loop out; whether that was done.

    What LLVM will do cannot be known before, and a pass leaves traces in the function even if it then gives
    the loop up. So the decision is tried on a copy; where it is not carried out, the module stays untouched.
    """
    keep_order()
    edges = latches(module)
    own = {edge.terminator for edge in edges if edge.loop == row}
    if not own or any(edge.loop != row and edge.terminator in own for edge in edges):
        return False  # no loop; or a branch that closes two at once: what it is told would be said of both
    if not decision.pipeline:
        return _tell(module, row, decision)
    with Module.parse(module.bitcode()) as trial:
        if not _Transformation(trial, row, decision).run():
            return False
    return _Transformation(module, row, decision).run()


def _tell(module: Module, row: int, decision: Decision) -> bool:
    """Note a property for the passes to come."""
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
    """One decision on one loop, carried out once.

    Args:
        module: The module.
        row: Row of the loop, which exists.
        decision: With a pipeline.
    """

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
        """Carry the decision out if LLVM does; whether it did."""
        self._mark()
        with _attributes(self._function, add=_FOR_SIZE[:1]):
            self._module.run_on_function(self._function, _PREPARATION)
        chosen = self._chosen()
        self._instruct(chosen)
        with _attributes(self._function, remove=_FOR_SIZE):
            self._module.run_on_function(self._function, self._decision.pipeline)
        left = [self._properties.of(self._properties.node(one)) for one in self._chosen()]
        done = bool(chosen) and self._is_done(left)
        self._restore(done=done)
        return done

    def _is_done(self, left: Sequence[Sequence[Property]]) -> bool:
        """Whether LLVM has done it, by what is now said of the loops that the chosen one has become."""
        if self._decision.ends:
            return not left
        return not any(one.name in self._forced for found in left for one in found)

    def _mark(self) -> None:
        """Mark the loop as chosen, silence the others, and remember what all were told."""
        properties = self._properties
        silent = [properties.new(hint) for hint in self._decision.others]
        rotated = [properties.new(_ROTATED), properties.new(_CHOSEN)]
        chosen = self._marked(properties.node(self._own[0]), rotated)
        made: dict[int | None, int] = {}
        for edge in self._edges:
            node = properties.node(edge.terminator)
            if edge.loop == self._row:
                properties.attach(edge.terminator, chosen)
                continue
            if node not in made:
                made[node] = self._marked(node, silent)
            properties.attach(edge.terminator, made[node])

    def _marked(self, node: int | None, said: Sequence[Property]) -> int:
        properties = self._properties
        number = properties.new(Hint(_SAVED, len(self._saved)))
        self._saved.append(node)
        before = [one for one in properties.of(node) if not one.name.startswith(_OURS)]
        return properties.make([*self._kept(before), *said, number])

    def _kept(self, before: Sequence[Property]) -> list[Property]:
        replaced = (*self._decision.replaces, _ROTATED.name)
        return [one for one in before if not one.name.startswith(replaced)]

    def _instruct(self, chosen: Sequence[int]) -> None:
        """Say to the chosen loop, now rotated, what the decision wants of it."""
        properties = self._properties
        said = [properties.new(hint) for hint in self._decision.hints]
        for terminator in chosen[:1]:
            node = properties.make([*self._kept(properties.of(properties.node(terminator))), *said])
            for other in chosen:
                properties.attach(other, node)

    def _chosen(self) -> list[int]:
        """The back edges of the loop that was chosen, or of those that it has become."""
        return [edge.terminator for edge in latches(self._module) if self._is_chosen(edge)]

    def _is_chosen(self, edge: Latch) -> bool:
        node = self._properties.node(edge.terminator)
        return any(one.name == _CHOSEN.name for one in self._properties.of(node))

    def _restore(self, *, done: bool) -> None:
        """Take back what was said; copies of a loop are told again what it was told."""
        properties = self._properties
        made: dict[int | None, int | None] = {}
        for terminator in properties.terminators(self._function):
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
            return node  # not one of ours, even if the program says so
        original = self._saved[numbers[0]]
        if not (done and any(one.name == _CHOSEN.name for one in found)):
            return original
        left = [one for one in found if not one.name.startswith(_OURS) and one.name not in self._forced]
        if {one.metadata for one in left} == {one.metadata for one in properties.of(original)}:
            return original
        return properties.make(left) if left else None


@contextmanager
def _attributes(function: int, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Iterator[None]:
    """A function with other attributes for a while."""
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
