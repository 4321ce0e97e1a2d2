"""The program graph in slow and plain Python: what the compiled helper must equal."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tests.kit.llvm import walk
from tests.kit.llvm.walk import c

if TYPE_CHECKING:
    from optarena.llvm.module import Module

_INSTRUCTION, _VARIABLE, _CONSTANT, _ROOT, _DECLARATION = range(5)
_CONTROL, _DATA, _CALL = range(3)
_INTEGER_KIND: Final = 8
_LABEL_KIND: Final = 7
_METADATA_KIND: Final = 14
_WIDEST: Final = 64


class Reference:
    """Nodes and edges as rows, in the order that the observation documents."""

    def __init__(self, module: Module) -> None:
        self.nodes: list[tuple[int, ...]] = [(_ROOT, 0, 0, 0, -1, -1, 0)]
        self.edges: list[tuple[int, int, int, int]] = []
        self._instructions: dict[int, int] = {}
        self._first: dict[int, int] = {}
        self._values: dict[int, int] = {}
        self._functions = walk.functions(module)
        self.functions = [walk.name(function) for function in self._functions]
        self._add_instructions()
        for number, function in enumerate(self._functions):
            for block in walk.blocks(function):
                self._connect(block, number)
        for function in self._functions:
            self._call(function)

    def _add_instructions(self) -> None:
        number = 0
        for index, function in enumerate(self._functions):
            self._first[function] = len(self.nodes)
            if c("IsDeclaration")(function):
                self.nodes.append((_DECLARATION, 0, 0, 0, index, -1, 0))
            for block in walk.blocks(function):
                self._first[block] = len(self.nodes)
                for instruction in walk.instructions(block):
                    self._instructions[instruction] = len(self.nodes)
                    opcode = c("GetInstructionOpcode")(instruction)
                    self.nodes.append((_INSTRUCTION, opcode, *_type(instruction), index, number, 0))
                number += 1

    def _connect(self, block: int, function: int) -> None:
        inside = [self._instructions[instruction] for instruction in walk.instructions(block)]
        self.edges += [(one, two, _CONTROL, 0) for one, two in pairwise(inside)]
        for position, successor in enumerate(walk.successors(block)):
            self.edges.append((inside[-1], self._first[successor], _CONTROL, position))
        for instruction in walk.instructions(block):
            for position, value in _uses(instruction):
                source = self._value(value, function)
                self.edges.append((source, self._instructions[instruction], _DATA, position))

    def _value(self, value: int, function: int) -> int:
        if value in self._values:
            return self._values[value]
        number = self._values[value] = len(self.nodes)
        if value in self._instructions:
            producer = self._instructions[value]
            block = self.nodes[producer][5]
            self.nodes.append((_VARIABLE, 0, *_type(value), function, block, 0))
            self.edges.append((producer, number, _DATA, 0))
        elif c("IsAArgument")(value):
            self.nodes.append((_VARIABLE, 0, *_type(value), function, -1, 0))
        else:
            self.nodes.append((_CONSTANT, 0, *_type(value), -1, -1, _number(value)))
        return number

    def _call(self, function: int) -> None:
        if not c("IsDeclaration")(function) and not walk.is_local(function):
            self._add_call(0, function)
        for block in walk.blocks(function):
            for instruction in walk.instructions(block):
                callee = walk.callee(instruction) if walk.is_call(instruction) else None
                if callee is not None:
                    self._add_call(self._instructions[instruction], callee)

    def _add_call(self, caller: int, callee: int) -> None:
        entry = self._first[callee]
        exits = [
            self._instructions[walk.instructions(block)[-1]]
            for block in walk.blocks(callee)
            if not walk.successors(block)
        ]
        if c("IsDeclaration")(callee):
            exits = [entry]
        self.edges.append((caller, entry, _CALL, 0))
        self.edges += [(exit_, caller, _CALL, 0) for exit_ in exits]


def _uses(instruction: int) -> list[tuple[int, int]]:
    """Position and value of what an instruction takes."""
    given = walk.operands(instruction)
    if walk.is_call(instruction) and walk.callee(instruction) is not None:
        given.pop()
    uses = [
        (position, value)
        for position, value in enumerate(given)
        if _type(value)[0] not in (_LABEL_KIND, _METADATA_KIND) and not c("IsAInlineAsm")(value)
    ]
    if walk.opcode(instruction) == "Switch":
        cases = c("GetNumSuccessors")(instruction)
        uses += [(case + 1, c("GetSwitchCaseValue")(instruction, case)) for case in range(1, cases)]
    return uses


def _type(value: int) -> tuple[int, int]:
    type_ = c("TypeOf")(value)
    kind = c("GetTypeKind")(type_)
    return kind, c("GetIntTypeWidth")(type_) if kind == _INTEGER_KIND else 0


def _number(constant: int) -> int:
    if not c("IsAConstantInt")(constant) or _type(constant)[1] > _WIDEST:
        return 0
    number: int = c("ConstIntGetSExtValue")(constant)
    return number
