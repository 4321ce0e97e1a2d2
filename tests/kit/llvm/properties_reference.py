"""Properties of functions in slow and plain Python: what the compiled helper must equal.

Dominators and loops are found from their definitions, with sets.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from optarena.llvm.feature_names import PROPERTY_NAMES
from tests.kit.llvm import walk
from tests.kit.llvm.walk import c

if TYPE_CHECKING:
    from optarena.llvm.module import Module

_INTEGER_KIND: Final = 8
_MANY: Final = 2


def reference(module: Module) -> tuple[list[str], dict[str, list[int]]]:
    """The names of the defined functions, and the columns."""
    defined = walk.defined(module)
    rows = [_properties(function) for function in defined]
    return [walk.name(function) for function in defined], {
        name: [row[name] for row in rows] for name in PROPERTY_NAMES
    }


def _properties(function: int) -> Counter[str]:
    row: Counter[str] = Counter(Uses=walk.uses(function) + (not walk.is_local(function)))
    after = {block: walk.successors(block) for block in walk.blocks(function)}
    before = Counter(target for targets in after.values() for target in targets)
    entry = next(iter(after))
    reached = _reachable(entry, after, None)
    for block in reached:
        _count_edges(row, block, after, before)
        for instruction in walk.instructions(block):
            _count_instruction(row, instruction)
    loops = _loops(entry, {block: after[block] for block in reached})
    depth = {block: sum(block in body for body in loops.values()) for block in reached}
    row["TopLevelLoopCount"] = sum(depth[header] == 1 for header in loops)
    row["MaxLoopDepth"] = max(depth.values())
    return row


def _reachable(entry: int, after: dict[int, list[int]], avoided: int | None) -> set[int]:
    """The blocks that can be reached without entering a block."""
    found: set[int] = set()
    left = [entry]
    while left:
        block = left.pop()
        if block not in found and block != avoided:
            found.add(block)
            left.extend(after[block])
    return found


def _loops(entry: int, after: dict[int, list[int]]) -> dict[int, set[int]]:
    """The blocks of each loop, by its header, which dominates the sources of its back edges."""
    before: dict[int, list[int]] = {block: [] for block in after}
    for block, targets in after.items():
        for target in targets:
            before[target].append(block)
    loops: dict[int, set[int]] = {}
    for header in after:
        without = _reachable(entry, after, header)
        latches = [block for block in before[header] if block not in without]
        if latches:
            loops[header] = {header}.union(*(_reachable(latch, before, header) for latch in latches))
    return loops


def _count_edges(row: Counter[str], block: int, after: dict[int, list[int]], before: Counter[int]) -> None:
    last = walk.opcode(walk.instructions(block)[-1])
    count = len(after[block])
    row["BasicBlockCount"] += 1
    row["ControlFlowEdgeCount"] += count
    row["CriticalEdgeCount"] += sum(count > 1 and before[target] > 1 for target in after[block])
    row["SwitchInstructionCount"] += last == "Switch"
    row["UnconditionalBranchCount"] += (last, count) == ("Br", 1)
    row["ConditionalBranchCount"] += (last, count) == ("Br", _MANY)
    if last == "Switch" or (last, count) == ("Br", _MANY):
        row["BlocksReachedFromConditionalInstruction"] += count
    for number, what in ((count, "Successor"), (before[block], "Predecessor")):
        row[f"BasicBlocksWithSingle{what}"] += number == 1
        row[f"BasicBlocksWithTwo{what}s"] += number == _MANY
        row[f"BasicBlocksWithMoreThanTwo{what}s"] += number > _MANY


def _count_instruction(row: Counter[str], instruction: int) -> None:
    opcode = walk.opcode(instruction)
    row["TotalInstructionCount"] += 1
    row["LoadInstCount"] += opcode == "Load"
    row["StoreInstCount"] += opcode == "Store"
    row["CastInstructionCount"] += c("IsACastInst")(instruction) is not None
    row["IntegerInstructionCount"] += c("GetTypeKind")(c("TypeOf")(instruction)) == _INTEGER_KIND
    if walk.is_call(instruction):
        _count_call(row, instruction, opcode)


def _count_call(row: Counter[str], call: int, opcode: str) -> None:
    called, callee = c("GetCalledValue")(call), walk.callee(call)
    row["DirectCallsToDefinedFunctions"] += callee is not None and not c("IsDeclaration")(callee)
    if opcode != "Call":
        return
    row["IntrinsicCount"] += callee is not None and walk.name(callee).startswith("llvm.")
    indirect = c("IsAArgument")(called) is not None or c("IsAInstruction")(called) is not None
    row["IndirectCallCount" if indirect else "DirectCallCount"] += 1
