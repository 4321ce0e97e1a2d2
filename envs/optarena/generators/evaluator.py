"""Computes the output of a synthetic program by evaluating its tree, without any compiler.

Each node becomes a Python function of the frame, the list of the variables of one call: numbers, or lists for
arrays and records. The function of a block returns how the block was left.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from optarena.generators import tree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Frame: TypeAlias = list[Any]
Evaluated: TypeAlias = "Callable[[Frame], Any]"

# How a block is left: at its end, for the next round of a loop, out of the loop, out of the function.
_ENDED, _NEXT_ROUND, _LEFT, _RETURNED = range(4)
_CONVERTED: Final = 0xFFF


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _divisor(right: int) -> int:
    return right & tree.SIGNED_DIVISOR | 1


def _quotient(left: int, right: int, width: int) -> int:
    # Rounds towards zero.
    number = _signed(left, width)
    size = abs(number) // _divisor(right)
    return -size if number < 0 else size


_INTEGERS: Final[dict[str, Callable[[int, int, int], int]]] = {
    "add": lambda left, right, _: left + right,
    "sub": lambda left, right, _: left - right,
    "mul": lambda left, right, _: left * right,
    "and": lambda left, right, _: left & right,
    "or": lambda left, right, _: left | right,
    "xor": lambda left, right, _: left ^ right,
    "shl": lambda left, right, width: left << right % width,
    "lshr": lambda left, right, width: left >> right % width,
    "ashr": lambda left, right, width: _signed(left, width) >> right % width,
    "udiv": lambda left, right, _: left // (right | 1),
    "urem": lambda left, right, _: left % (right | 1),
    "sdiv": _quotient,
    "srem": lambda left, right, width: _signed(left, width) - _quotient(left, right, width) * _divisor(right),
}
_FLOATS: Final[dict[str, Callable[[float, float], float]]] = {
    "fadd": operator.add,
    "fsub": operator.sub,
    "fmul": operator.mul,
}
_PREDICATES: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}


class TooLong(Exception):
    """The program takes more steps than allowed."""


@dataclass(slots=True)
class _Run:
    """The state that all functions of one run share."""

    limit: int
    world: list[Any]
    steps: int = 0
    printed: list[str] = field(default_factory=list)
    functions: list[Callable[[Sequence[Any]], Any]] = field(default_factory=list)


def evaluate(program: tree.GeneratedProgram, limit: int) -> bytes:
    # The last function is called; `limit` counts statements.
    world = [one.initial[0] if one.is_scalar else list(one.initial) for one in program.globals]
    run = _Run(limit, world)
    for function in program.functions:
        run.functions.append(_callable(function, run))
    run.functions[-1](())
    return "".join(run.printed).encode()


def _callable(function: tree.Function, run: _Run) -> Callable[[Sequence[Any]], Any]:
    own = function.variables[len(function.parameters) :]
    body = _Evaluator(run).block(function.body)

    def call(arguments: Sequence[Any]) -> Any:  # noqa: ANN401 # a number of either kind
        frame: Frame = [*arguments]
        frame += [None if one.is_scalar else [None] * (one.length or len(one.widths)) for one in own]
        frame.append(None)
        body(frame)
        return frame[-1]

    return call


class _Evaluator:
    """Turns the nodes of a function into Python functions."""

    def __init__(self, run: _Run) -> None:
        self._run = run

    def expression(self, node: tree.Expression) -> Evaluated:
        name = f"_{type(node).__name__.lower()}"
        return cast("Evaluated", getattr(self, name)(node))

    def block(self, block: tree.Block) -> Evaluated:
        parts, run, count = tuple(map(self._statement, block)), self._run, len(block)

        def execute(frame: Frame) -> int:
            run.steps += count
            if run.steps > run.limit:
                raise TooLong
            for part in parts:
                left: int = part(frame)
                if left:
                    return left
            return _ENDED

        return execute

    def _statement(self, node: tree.Statement) -> Evaluated:
        name = f"_{type(node).__name__.lower()}"
        return cast("Evaluated", getattr(self, name)(node))

    def _constant(self, node: tree.Constant) -> Evaluated:
        value = node.value if node.width else float(node.value)
        return lambda _: value

    def _container(self, variable: tree.Variable) -> Evaluated:
        # The list of an array or a record, or the scalar itself.
        world, slot = self._run.world, variable.slot
        is_global = variable.storage is tree.Storage.GLOBAL
        if variable.is_scalar:
            return (lambda _: world) if is_global else (lambda frame: frame)
        return (lambda _: world[slot]) if is_global else (lambda frame: frame[slot])

    def _offset(self, place: tree.LValue) -> Evaluated:
        variable = place.variable
        if place.index is None:
            number = variable.slot if variable.is_scalar else place.field
            return lambda _: number
        index, length = self.expression(place.index), variable.length
        return index if place.bounded else (lambda frame: index(frame) % length)

    def _read(self, node: tree.Read) -> Evaluated:
        container, offset = self._container(node.place.variable), self._offset(node.place)
        width = node.place.width
        if not node.signed or not 0 < width < tree.WORD:
            return lambda frame: container(frame)[offset(frame)]
        mask = 2**tree.WORD - 1
        return lambda frame: _signed(container(frame)[offset(frame)], width) & mask

    def _binary(self, node: tree.Binary) -> Evaluated:
        left, right, width = self.expression(node.left), self.expression(node.right), node.width
        if width == tree.FLOAT:
            floats = _FLOATS[node.operation]
            return lambda frame: floats(left(frame), right(frame))
        integers, mask = _INTEGERS[node.operation], 2**width - 1
        return lambda frame: integers(left(frame), right(frame), width) & mask

    def _compare(self, node: tree.Compare) -> Evaluated:
        left, right, width = self.expression(node.left), self.expression(node.right), node.left.width
        compare = _PREDICATES[node.predicate[-2:]]
        if node.predicate[0] != "s":
            return lambda frame: int(compare(left(frame), right(frame)))
        return lambda frame: int(compare(_signed(left(frame), width), _signed(right(frame), width)))

    def _convert(self, node: tree.Convert) -> Evaluated:
        operand, width, given = self.expression(node.operand), node.width, node.operand.width
        if width == tree.FLOAT:
            return lambda frame: float(operand(frame) & _CONVERTED)
        mask = 2**width - 1
        if given == tree.FLOAT:
            return lambda frame: int(operand(frame)) & mask
        if node.signed:
            return lambda frame: _signed(operand(frame), given) & mask
        return lambda frame: operand(frame) & mask

    def _logical(self, node: tree.Logical) -> Evaluated:
        left, right = self.expression(node.left), self.expression(node.right)
        if node.either:
            return lambda frame: int(bool(left(frame) or right(frame)))
        return lambda frame: int(bool(left(frame) and right(frame)))

    def _choose(self, node: tree.Choose) -> Evaluated:
        condition, yes, no = map(self.expression, (node.condition, node.yes, node.no))
        return lambda frame: yes(frame) if condition(frame) else no(frame)

    def _call(self, node: tree.Call) -> Evaluated:
        given = [
            self._container(one) if isinstance(one, tree.Variable) else self.expression(one)
            for one in node.arguments
        ]
        functions, number = self._run.functions, node.function
        return lambda frame: functions[number]([one(frame) for one in given])

    def _write(self, node: tree.Write) -> Evaluated:
        container, offset = self._container(node.place.variable), self._offset(node.place)
        value, width = self.expression(node.value), node.place.width
        mask = 2**width - 1

        def execute(frame: Frame) -> int:
            number = value(frame)
            container(frame)[offset(frame)] = number & mask if width else number
            return _ENDED

        return execute

    def _copy(self, node: tree.Copy) -> Evaluated:
        to, source = self._container(node.to), self._container(node.source)

        def execute(frame: Frame) -> int:
            to(frame)[:] = source(frame)
            return _ENDED

        return execute

    def _if(self, node: tree.If) -> Evaluated:
        condition = self.expression(node.condition)
        then, otherwise = self.block(node.then), self.block(node.otherwise)
        return lambda frame: then(frame) if condition(frame) else otherwise(frame)

    def _for(self, node: tree.For) -> Evaluated:
        slot, limit, body = node.counter.slot, self.expression(node.limit), self.block(node.body)

        def execute(frame: Frame) -> int:
            frame[slot] = 0
            while frame[slot] < limit(frame):
                left = body(frame)
                if left >= _LEFT:
                    return _ENDED if left == _LEFT else _RETURNED
                frame[slot] += node.step
            return _ENDED

        return execute

    def _while(self, node: tree.While) -> Evaluated:
        condition, body = self.expression(node.condition), self.block(node.body)

        def execute(frame: Frame) -> int:
            while condition(frame):
                left = body(frame)
                if left >= _LEFT:
                    return _ENDED if left == _LEFT else _RETURNED
            return _ENDED

        return execute

    def _switch(self, node: tree.Switch) -> Evaluated:
        value, default = self.expression(node.value), self.block(node.default)
        cases = {number: self.block(block) for number, block in node.cases}
        return lambda frame: cases.get(value(frame), default)(frame)

    def _leave(self, node: tree.Leave) -> Evaluated:
        left = _LEFT if node.loop else _NEXT_ROUND
        return lambda _: left

    def _return(self, node: tree.Return) -> Evaluated:
        value = self.expression(node.value)

        def execute(frame: Frame) -> int:
            frame[-1] = value(frame)
            return _RETURNED

        return execute

    def _print(self, node: tree.Print) -> Evaluated:
        value, printed = self.expression(node.value), self._run.printed

        def execute(frame: Frame) -> int:
            printed.append(f"{value(frame):016x}\n")
            return _ENDED

        return execute
