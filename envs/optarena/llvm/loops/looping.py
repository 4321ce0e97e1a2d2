"""Carries out a decision on one loop, and leaves all other loops as they are.

Properties in the loop's metadata tell LLVM what to do; those of all other loops of the function forbid their
transformation. These properties are removed afterwards. Properties that LLVM itself adds stay, such as that a
loop is unrolled or vectorized already.
"""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from optarena.llvm.loops.decisions import Hint
from optarena.llvm.loops.properties import LoopProperties
from optarena.llvm.loops.tables import latches
from optarena.llvm.module import Module
from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.llvm.loops.decisions import Decision
    from optarena.llvm.loops.properties import Property
    from optarena.llvm.loops.tables import Latch

_CHOSEN: Final = Hint("optarena.chosen")
_SAVED: Final = "optarena.saved"
_OURS: Final = "optarena."
# loop-rotate ignores its size limit if vectorization is forced; with minsize, other loops must not grow.
_ROTATED: Final = Hint("llvm.loop.vectorize.enable", 1, 1)
_PREPARATION: Final = "loop-simplify,lcssa,loop(loop-rotate)"
_FOR_SIZE: Final = ("minsize", "optsize")
_OF_FUNCTION: Final = 2**32 - 1  # LLVMAttributeFunctionIndex


@lru_cache(maxsize=1)
def keep_order() -> None:
    """Have LLVM keep the order of floating-point operations even if vectorization is forced.

    By default, forced vectorization allows LLVM to reorder additions, which changes the sums. The option
    holds for the whole process: set it before the first program, so that every state is reached in the same
    way.
    """
    words = (ctypes.c_char_p * 2)(b"optarena", b"-hints-allow-reordering=false")
    library().ParseCommandLineOptions(len(words), words, b"")


def decide(module: Module, row: int, decision: Decision) -> bool:
    """Carry out a decision on a loop; returns whether that was done.

    LLVM's decision is not known in advance, and a pass changes the function even if it then gives the loop
    up. So the decision is tried on a copy first; if LLVM does not carry it out, the module stays untouched.
    """
    keep_order()
    edges = latches(module)
    own = {edge.terminator for edge in edges if edge.loop == row}
    if not own or any(edge.loop != row and edge.terminator in own for edge in edges):
        return False  # no loop, or one branch closes two loops: its metadata would hold for both
    if not decision.pipeline:
        return _tell(module, row, decision)
    with Module.parse(module.bitcode()) as trial:
        if not _Transformation(trial, row, decision).run():
            return False
    return _Transformation(module, row, decision).run()


def _tell(module: Module, row: int, decision: Decision) -> bool:
    """Set a property of the loop for later passes."""
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
        row: Row of an existing loop.
        decision: A decision with a pipeline.
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
        """Carry out the decision if LLVM can; returns whether it did."""
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
        """Whether LLVM did it, by the properties of the loops that came from the chosen one."""
        if self._decision.ends:
            return not left
        return not any(one.name in self._forced for found in left for one in found)

    def _mark(self) -> None:
        """Mark the loop as chosen, forbid the others' transformation, and remember the properties of all."""
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
        """Give the chosen loop, now rotated, the decision's properties."""
        properties = self._properties
        said = [properties.new(hint) for hint in self._decision.hints]
        for terminator in chosen[:1]:
            node = properties.make([*self._kept(properties.of(properties.node(terminator))), *said])
            for other in chosen:
                properties.attach(other, node)

    def _chosen(self) -> list[int]:
        """The back edges of the chosen loop, or of the loops that came from it."""
        return [edge.terminator for edge in latches(self._module) if self._is_chosen(edge)]

    def _is_chosen(self, edge: Latch) -> bool:
        node = self._properties.node(edge.terminator)
        return any(one.name == _CHOSEN.name for one in self._properties.of(node))

    def _restore(self, *, done: bool) -> None:
        """Restore the original properties; copies of a loop get the original loop's properties."""
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
            return node  # this property came with the program, under the name of ours
        original = self._saved[numbers[0]]
        if not (done and any(one.name == _CHOSEN.name for one in found)):
            return original
        left = [one for one in found if not one.name.startswith(_OURS) and one.name not in self._forced]
        if {one.metadata for one in left} == {one.metadata for one in properties.of(original)}:
            return original
        return properties.make(left) if left else None


@contextmanager
def _attributes(function: int, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> Iterator[None]:
    """Change a function's attributes inside the ``with`` block."""
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
