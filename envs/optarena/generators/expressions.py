"""Generates the expressions of a function from the values that can be read at their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.generators import tree
from optarena.generators.tree import LONG, WORD, Constant, LValue, Read, Storage, Variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.generators.splitmix import SplitMix64

_OPERATIONS: Final = (
    ("add", 24), ("sub", 12), ("mul", 10), ("xor", 12), ("and", 10), ("or", 8), ("lshr", 6), ("shl", 5),
    ("ashr", 3), ("udiv", 2), ("urem", 3), ("sdiv", 1), ("srem", 1),
)  # fmt: skip
_PREDICATES: Final = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sge")
_MOST_WORK: Final = 1500
"""Statements that one call may execute, multiplied by how often the call is executed."""
_DEPTH: Final = 7


class ExpressionGrower:
    """A function under construction, and the values that can be used in it.

    Args:
        random: The source of all decisions.
        program: The program so far.
        number: The function's number.
        costs: For each earlier function, the largest number of statements that a call executes.

    Attributes:
        function: The function.
        readable: Numbers that can be read anywhere from now on.
        writable: The readable numbers that may be changed.
        counters: Counters of the enclosing loops, each with its limit.
        arrays: Arrays of the function's own and its parameters; the function's own are all initialised.
        records: Records that are parameters.
        floats: Floating-point numbers.
        depth: The depth of a recursive function.
        nested: The number of enclosing statements.
        loops: The number of enclosing loops.
        weight: The largest number of times that the present place is executed in one call.
        cost: The largest number of statements that a call executes so far.
        left: How many more statements may be generated.
    """

    def __init__(
        self, random: SplitMix64, program: tree.GeneratedProgram, number: int, costs: list[int]
    ) -> None:
        self.random = random
        self.program = program
        self.function = tree.Function(name="", number=number, width=WORD)
        self.readable: list[Variable] = []
        self.writable: list[Variable] = [one for one in program.globals if one.is_scalar]
        self.readable += self.writable
        self.counters: list[tuple[Variable, int]] = []
        self.arrays: list[Variable] = []
        self.records: list[Variable] = []
        self.floats: list[Variable] = []
        self.depth: Variable = self.readable[0]
        self.nested = self.loops = self.cost = self.left = 0
        self.weight = 1
        self._costs = costs
        self._seen: list[tree.Expression] = []

    def local(self, name: str, width: int, length: int = 0) -> Variable:
        """A new variable, which is not readable yet."""
        slot = len(self.function.variables)
        made = Variable(f"{name}{slot}", slot, (width,), length)
        self.function.variables.append(made)
        return made

    def own(self, variable: Variable) -> None:
        """Make an initialised number readable and writable."""
        self.readable.append(variable)
        self.writable.append(variable)

    def mark(self) -> int:
        """The start of a block, for ``forget``."""
        return len(self._seen)

    def forget(self, mark: int) -> None:
        """Forget the block's expressions, which may use its counters and must not be repeated after it."""
        del self._seen[mark:]

    def operation(self) -> str:
        """An operation on integers."""
        return self.random.weighted(_OPERATIONS)

    def constant(self, width: int) -> Constant:
        """A constant as in hand-written code: small, a mask, or any."""
        random = self.random
        kind = random.below(8)
        if kind < 4:  # noqa: PLR2004 # half of them
            return Constant(random.below(17), width)
        if kind == 4:  # noqa: PLR2004 # an eighth of them
            return Constant(2 ** random.between(1, 16) - 1, width)
        return Constant(random.below(2**16 if kind < 7 else 2**32), width)  # noqa: PLR2004 # an eighth

    def converted(self, node: tree.Expression, width: int) -> tree.Expression:
        """The same number in another width."""
        if node.width == width:
            return node
        return tree.Convert(node, width, signed=self.random.chance(30))

    def element(self, array: Variable) -> LValue:
        """An element of an array, often the one at a loop's counter."""
        fitting = [one for one, limit in self.counters if limit <= array.length]
        if fitting and self.random.chance(75):
            return LValue(array, Read(LValue(self.random.pick(fitting))), bounded=True)
        if self.random.chance(25):
            return LValue(array, Constant(self.random.below(array.length), WORD), bounded=True)
        return LValue(array, self.expression(WORD, 1))

    def condition(self) -> tree.Expression:
        """The condition of a branch."""
        if self.random.chance(15):
            left, right = self._comparison(WORD, 1), self._comparison(WORD, 1)
            return tree.Logical(self.random.chance(50), left, right)
        return self._comparison(self.random.pick((WORD, WORD, LONG)), 2)

    def digest(self, width: int) -> tree.Expression:
        """A number that depends on most values computed so far."""
        value: tree.Expression = self.constant(width)
        numbers = [one for one in self.writable if one.storage is Storage.LOCAL]
        for variable in numbers[:6]:
            read = self.converted(Read(LValue(variable)), width)
            value = tree.Binary(self.random.pick(("add", "xor", "sub")), value, read, width)
        for variable in self.floats:
            read = self.converted(tree.Convert(Read(LValue(variable)), WORD), width)
            value = tree.Binary("add", value, read, width)
        for array in self.arrays:
            read = self.converted(Read(self.element(array)), width)
            value = tree.Binary("xor", value, read, width)
        return value

    def expression(self, width: int, depth: int) -> tree.Expression:
        """A random expression with at most ``depth`` levels."""
        if depth == 0 or self.random.chance(15):
            return self._leaf(width)
        kinds: list[tuple[Callable[[int, int], tree.Expression], int]] = [
            (self._binary, 60),
            (self._trivial, 3),
            (self._again, 8),
            (self._comparison, 3),
            (self._choose, 3),
            (self._other_width, 8),
            (self._called, 6),
            (self._read_element, 12),
        ]
        grown = self.random.weighted(kinds)(width, depth - 1)
        if grown.width != width:
            grown = self.converted(grown, width)
        self._seen.append(grown)
        return grown

    def call(self, number: int) -> tree.Expression:
        """A call of a function; of itself with a smaller depth."""
        function = self.program.functions[number]
        arguments: list[tree.Expression | Variable] = []
        for parameter in function.parameters:
            if parameter.is_record:
                arguments.append(self._record(parameter))
            elif parameter.length:
                arguments.append(self._array(parameter))
            else:
                arguments.append(self.expression(parameter.widths[0], 1))
        if function.recursive:
            less = tree.Binary("sub", Read(LValue(self.depth)), Constant(1, WORD), WORD)
            most = tree.Binary("and", self.expression(WORD, 1), Constant(_DEPTH, WORD), WORD)
            arguments[0] = less if function is self.function else most
        if function is not self.function:
            self.cost += self.weight * self._costs[number]
        return tree.Call(number, tuple(arguments), function.width)

    def _record(self, parameter: Variable) -> Variable:
        """A record of a parameter's type; there is at least one, the global one."""
        known = [*self.records, *(one for one in self.program.globals if one.is_record)]
        return self.random.pick([one for one in known if one.widths == parameter.widths])

    def _array(self, parameter: Variable) -> Variable:
        """An array that fits a parameter; a new global one if there is none."""
        known = [
            one
            for one in (*self.arrays, *self.program.globals[1:])
            if not one.constant and (one.widths, one.length) == (parameter.widths, parameter.length)
        ]
        if known:
            return self.random.pick(known)
        slot = len(self.program.globals)
        initial = tuple(self.random.below(64) for _ in range(parameter.length))
        made = Variable(
            f"more{slot}", slot, parameter.widths, parameter.length, Storage.GLOBAL, initial=initial
        )
        self.program.globals.append(made)
        return made

    def _leaf(self, width: int) -> tree.Expression:
        random = self.random
        if random.chance(22):
            return self.constant(width)
        if self.counters and random.chance(30):
            return self.converted(Read(LValue(random.pick(self.counters)[0])), width)
        if self.records and random.chance(20):
            record = random.pick(self.records)
            place = LValue(record, field=random.below(len(record.widths)))
            return self.converted(Read(place, signed=random.chance(50)), width)
        if self.floats and random.chance(10):
            whole = tree.Convert(Read(LValue(random.pick(self.floats))), WORD)
            return self.converted(whole, width)
        return self.converted(Read(LValue(random.pick(self.readable))), width)

    def _binary(self, width: int, depth: int) -> tree.Expression:
        left, right = self.expression(width, depth), self.expression(width, depth)
        return tree.Binary(self.operation(), left, right, width)

    def _trivial(self, width: int, depth: int) -> tree.Expression:
        """An operation without an effect, or with a known result."""
        left = self.expression(width, depth)
        operation, right = self.random.pick((("mul", 1), ("add", 0), ("and", 0), ("or", 0), ("mul", 2)))
        return tree.Binary(operation, left, Constant(right, width), width)

    def _again(self, width: int, depth: int) -> tree.Expression:
        """An expression that was computed before, once more."""
        if not self._seen:
            return self.expression(width, depth)
        return self.random.pick(self._seen)

    def _comparison(self, _: int, depth: int) -> tree.Expression:
        width = self.random.pick((WORD, WORD, LONG))
        left = self.expression(width, depth)
        right = self.constant(width) if self.random.chance(50) else self.expression(width, depth)
        return tree.Compare(self.random.pick(_PREDICATES), left, right)

    def _choose(self, width: int, depth: int) -> tree.Expression:
        condition = self._comparison(width, 0)
        return tree.Choose(
            condition, self.expression(width, min(depth, 1)), self.expression(width, min(depth, 1)), width
        )

    def _other_width(self, width: int, depth: int) -> tree.Expression:
        return self.expression(LONG if width == WORD else WORD, depth)

    def _called(self, width: int, depth: int) -> tree.Expression:
        """A call of an earlier function, unless that is too much work."""
        cheap = [
            number for number, cost in enumerate(self._costs) if cost * self.weight + self.cost < _MOST_WORK
        ]
        return self.call(self.random.pick(cheap)) if cheap else self.expression(width, depth)

    def _read_element(self, width: int, _: int) -> tree.Expression:
        arrays = [*self.arrays, *(one for one in self.program.globals[1:] if one.length)]
        place = self.element(self.random.pick(arrays))
        return self.converted(Read(place, signed=self.random.chance(30)), width)
