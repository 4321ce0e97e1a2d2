"""Reads and writes the ``!llvm.loop`` metadata at the back edges of loops.

The node of a loop is distinct and refers to itself, so that equal nodes are not merged. Its other operands
are the loop's properties, each a node with a name and perhaps a value. Nodes are never changed here: a new
node replaces the old one, which its context keeps, so that it can be restored.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from optarena.machine_code.libllvm import library

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from optarena.llvm.loops.decisions import Hint
    from optarena.llvm.module import Module

_KIND: Final = b"llvm.loop"


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a loop.

    Attributes:
        name: Empty for an operand without a name, such as a source location.
        value: The value if it is a number.
        metadata: The node, an ``LLVMMetadataRef``.
    """

    name: str
    value: int | None
    metadata: int


class LoopProperties:
    """The properties of the loops of a module.

    Args:
        module: The module; it must outlive this object.
    """

    def __init__(self, module: Module) -> None:
        self._llvm = library()
        self._context: int = self._llvm.GetModuleContext(module.handle)
        self._kind: int = self._llvm.GetMDKindIDInContext(self._context, _KIND, len(_KIND))

    def node(self, terminator: int) -> int | None:
        """The node at an instruction, or None."""
        found: int | None = self._llvm.GetMetadata(terminator, self._kind)
        return found

    def attach(self, terminator: int, node: int | None) -> None:
        """Set or remove the node at an instruction."""
        self._llvm.SetMetadata(terminator, self._kind, node)

    def of(self, node: int | None) -> tuple[Property, ...]:
        """The properties that a node lists."""
        return tuple(self._read(operand) for operand in self._operands(node)[1:] if operand)

    def new(self, hint: Hint) -> Property:
        """A property with the name and value of ``hint``."""
        llvm, name = self._llvm, hint.name.encode()
        parts = [llvm.MDStringInContext2(self._context, name, len(name))]
        if hint.value is not None:
            kind = llvm.IntTypeInContext(self._context, hint.bits)
            parts.append(llvm.ValueAsMetadata(llvm.ConstInt(kind, hint.value, 0)))
        return Property(
            hint.name, hint.value, llvm.MDNodeInContext2(self._context, _array(parts), len(parts))
        )

    def make(self, properties: Iterable[Property]) -> int:
        """A new node with these properties."""
        llvm = self._llvm
        itself = llvm.TemporaryMDNode(self._context, None, 0)
        operands = [itself, *(one.metadata for one in properties)]
        node = llvm.MDNodeInContext2(self._context, _array(operands), len(operands))
        llvm.MetadataReplaceAllUsesWith(itself, node)
        made: int = llvm.MetadataAsValue(self._context, node)
        return made

    def terminators(self, function: int) -> Iterator[int]:
        """The instructions at the ends of a function's blocks."""
        block = self._llvm.GetFirstBasicBlock(function)
        while block:
            yield self._llvm.GetBasicBlockTerminator(block)
            block = self._llvm.GetNextBasicBlock(block)

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
