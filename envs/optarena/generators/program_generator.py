"""Generates random programs: each function uses the numbers, arrays and earlier functions available to it.

Every program is free of undefined behaviour and ends: loops have limits that their bodies do not change;
functions call earlier ones, or themselves with a decreasing depth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.generators import tree
from optarena.generators.expressions import ExpressionGrower
from optarena.generators.tree import LONG, WORD, Constant, LValue, Read, Storage, Variable, Write

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.generators.splitmix import SplitMix64

INPUTS: Final = 8
"""Numbers that ``main`` reads by volatile loads: no optimiser knows them."""
DEPTH_BITS: Final = 3
"""Bits of the depth with which a recursive function is called."""
_FUNCTIONS: Final = (1, 7)
_STATEMENTS: Final = ((4, 9, 3), (8, 16, 4), (16, 40, 2))
"""Statements of one function: at least, at most, and the weight of this choice."""
_MOST_NESTED: Final = 3
_MOST_TRIPS: Final = 16
_MOST_WEIGHT: Final = 400
"""The largest number of times that a statement may be executed in one call."""
_LENGTHS: Final = (8, 16, 16, 32)
_WIDTHS: Final = ((8, 2), (16, 2), (32, 4), (64, 2))


def grow(random: SplitMix64) -> tree.GeneratedProgram:
    """A random program."""
    program = tree.GeneratedProgram(globals=_globals(random))
    costs: list[int] = []
    for number in range(random.between(*_FUNCTIONS)):
        grower = FunctionGrower(random, program, number, costs)
        program.functions.append(grower.function)
        grower.helper()
        costs.append(grower.cost)
    main = FunctionGrower(random, program, len(program.functions), costs)
    program.functions.append(main.function)
    main.main()
    return program


def _globals(random: SplitMix64) -> list[Variable]:
    made = [_array(random, "input", 0, width=WORD, length=INPUTS, volatile=True)]
    for name, low, high, constant in (("table", 1, 3, True), ("array", 1, 3, False)):
        made += [
            _array(random, f"{name}{one}", len(made) + one, constant=constant)
            for one in range(random.between(low, high))
        ]
    for one in range(random.between(1, 3)):
        width = random.pick((WORD, LONG))
        made.append(
            Variable(
                f"global{one}", len(made), (width,), storage=Storage.GLOBAL, initial=(random.below(1000),)
            )
        )
    if random.chance(60):
        widths = tuple(random.weighted(_WIDTHS) for _ in range(random.between(2, 5)))
        initial = tuple(random.below(100) for _ in widths)
        made.append(Variable("record", len(made), widths, storage=Storage.GLOBAL, initial=initial))
    return made


def _array(  # noqa: PLR0913 # the properties of an array, all by name
    random: SplitMix64,
    name: str,
    slot: int,
    *,
    width: int = 0,
    length: int = 0,
    volatile: bool = False,
    constant: bool = False,
) -> Variable:
    width, length = width or random.weighted(_WIDTHS), length or random.pick(_LENGTHS)
    if not constant and not volatile and random.chance(50):
        initial = (0,) * length
    else:
        initial = tuple(random.bits() >> (64 - width) for _ in range(length))
    return Variable(
        name,
        slot,
        (width,),
        length,
        Storage.GLOBAL,
        initial=initial,
        volatile=volatile,
        constant=constant,
    )


class FunctionGrower(ExpressionGrower):
    """Generates one function, statement by statement."""

    def helper(self) -> None:
        """Generate a function that others call."""
        random, function = self.random, self.function
        function.name = f"f{function.number}"
        function.width = random.pick((WORD, WORD, LONG))
        function.recursive = random.chance(18)
        self._parameters()
        begin = self._begin()
        low, high = random.weighted([((low, high), often) for low, high, often in _STATEMENTS])
        self.left = random.between(low, high)
        body = [*begin, *self._statements(self.left)]
        if function.recursive:
            body += self._recursion()
        body.append(tree.Return(self.digest(function.width)))
        function.body = tuple(body)
        if function.recursive:
            self.cost <<= DEPTH_BITS

    def main(self) -> None:
        """Generate ``main``, which calls all other functions and prints the results."""
        random, program = self.random, self.program
        self.function.name, self.function.width = "main", WORD
        body: list[tree.Statement] = []
        source = program.globals[0]
        for number in range(random.between(2, 4)):
            variable = self.local(f"in{number}", WORD)
            index = Constant(random.below(INPUTS), WORD)
            body.append(Write(LValue(variable), Read(LValue(source, index, bounded=True))))
            self.own(variable)
        body += self._begin()
        total = self.local("total", LONG)
        body.append(Write(LValue(total), Constant(random.below(2**32), LONG)))
        numbers = list(range(len(program.functions) - 1))
        for number in numbers:
            self.left = random.between(0, 3)
            body += self._statements(self.left)
            body.append(self._fold(total, self.call(number)))
            if random.chance(40):
                body.append(tree.Print(Read(LValue(total))))
        for variable in program.globals[1:]:
            body += self._fold_all(total, variable)
        body += [tree.Print(Read(LValue(total))), tree.Print(self.digest(LONG))]
        body.append(tree.Return(Constant(0, WORD)))
        self.function.body = tuple(body)

    def _fold(self, total: Variable, value: tree.Expression) -> tree.Statement:
        """``total = total * 31 + value``."""
        long = value if value.width == LONG else tree.Convert(value, LONG)
        product = tree.Binary("mul", Read(LValue(total)), Constant(31, LONG), LONG)
        return Write(LValue(total), tree.Binary("add", product, long, LONG))

    def _fold_all(self, total: Variable, variable: Variable) -> list[tree.Statement]:
        """Statements that fold everything a global holds into a number."""
        if variable.constant:
            return []
        if not variable.length:
            places = [LValue(variable, field=number) for number in range(len(variable.widths))]
            return [self._fold(total, Read(place)) for place in places]
        counter = self.local("k", WORD)
        element = LValue(variable, Read(LValue(counter)), bounded=True)
        body = (self._fold(total, Read(element)),)
        return [tree.For(counter, Constant(variable.length, WORD), 1, body)]

    def _parameters(self) -> None:
        random, function = self.random, self.function
        if function.recursive:
            self.depth = self._parameter("depth", Variable("", 0, (WORD,)))
            self.readable.append(self.depth)
        for _ in range(random.between(1, 3)):
            self.own(self._parameter("x", Variable("", 0, (random.pick((WORD, WORD, LONG)),))))
        if random.chance(55):
            width, length = random.weighted(_WIDTHS), random.pick(_LENGTHS)
            pointer = Variable("", 0, (width,), length, Storage.POINTER)
            self.arrays.append(self._parameter("p", pointer))
        records = [one for one in self.program.globals if one.is_record]
        if records and random.chance(50):
            pointer = Variable("", 0, records[0].widths, 0, Storage.POINTER)
            self.records.append(self._parameter("r", pointer))

    def _parameter(self, name: str, like: Variable) -> Variable:
        slot = len(self.function.variables)
        made = Variable(f"{name}{slot}", slot, like.widths, like.length, like.storage)
        self.function.parameters.append(made)
        self.function.variables.append(made)
        return made

    def _begin(self) -> list[tree.Statement]:
        """The function's own variables, each with its first value."""
        random, body = self.random, list[tree.Statement]()
        for _ in range(random.between(2, 5)):
            variable = self.local("v", random.pick((WORD, WORD, LONG)))
            body.append(Write(LValue(variable), self.expression(variable.widths[0], 1)))
            self.own(variable)
        for _ in range(random.between(0, 2)):
            known = self.local("c", WORD)
            body.append(Write(LValue(known), self.constant(WORD)))
            self.readable.append(known)
        if random.chance(30):
            number = self.local("d", tree.FLOAT)
            body.append(Write(LValue(number), Constant(random.below(100), tree.FLOAT)))
            self.floats.append(number)
        if random.chance(40):
            body += self._local_array()
        return body

    def _local_array(self) -> list[tree.Statement]:
        random = self.random
        tables = [one for one in self.program.globals if one.constant]
        if random.chance(50):
            table = random.pick(tables)
            copy = self.local("copy", table.widths[0], table.length)
            self.arrays.append(copy)
            return [tree.Copy(copy, table)]
        array = self.local("a", random.weighted(_WIDTHS), random.pick(_LENGTHS[:3]))
        counter = self.local("i", WORD)
        width = max(array.widths[0], WORD)
        self.counters.append((counter, array.length))
        self.weight *= array.length
        known = self.mark()
        value = self.expression(width, 2)
        self.forget(known)
        self.weight //= array.length
        self.counters.pop()
        self.arrays.append(array)
        element = LValue(array, Read(LValue(counter)), bounded=True)
        self.cost += array.length
        return [tree.For(counter, Constant(array.length, WORD), 1, (Write(element, value),))]

    def _recursion(self) -> list[tree.Statement]:
        """``if (depth != 0) { v = f(depth - 1, …); … }``."""
        variable = self.random.pick([one for one in self.writable if one.storage is Storage.LOCAL])
        again = self.call(self.function.number)
        width = variable.widths[0]
        value = tree.Binary("xor", Read(LValue(variable)), self.converted(again, width), width)
        deeper = tree.Compare("ne", Read(LValue(self.depth)), Constant(0, WORD))
        return [tree.If(deeper, (Write(LValue(variable), value),))]

    def _statements(self, count: int) -> list[tree.Statement]:
        """About ``count`` statements, as long as the function has some left."""
        body: list[tree.Statement] = []
        known = self.mark()
        while count > 0 and self.left > 0:
            count -= 1
            self.left -= 1
            self.cost += self.weight
            body += self._statement()
        self.forget(known)
        return body

    def _statement(self) -> list[tree.Statement]:
        kinds: list[tuple[Callable[[], list[tree.Statement]], int]] = [
            (self._write, 30),
            (self._update, 24),
            (self._element, 16),
        ]
        if self.floats:
            kinds.append((self._float, 12))
        if self.records:
            kinds.append((self._field, 8))
        if self.nested < _MOST_NESTED:
            kinds += [(self._if, 16), (self._switch, 5), (self._while, 3)]
        if self.nested < _MOST_NESTED and self.weight < _MOST_WEIGHT // _MOST_TRIPS:
            kinds.append((self._for, 14))
        return self.random.weighted(kinds)()

    def _write(self) -> list[tree.Statement]:
        variable = self.random.pick(self.writable)
        return [Write(LValue(variable), self.expression(variable.widths[0], 3))]

    def _update(self) -> list[tree.Statement]:
        variable = self.random.pick(self.writable)
        width = variable.widths[0]
        operation = self.operation()
        value = tree.Binary(operation, Read(LValue(variable)), self.expression(width, 2), width)
        return [Write(LValue(variable), value)]

    def _element(self) -> list[tree.Statement]:
        arrays = [*self.arrays, *(one for one in self.program.globals[1:] if one.length and not one.constant)]
        place = self.element(self.random.pick(arrays))
        width = max(place.width, WORD)
        value = self.expression(width, 2)
        if self.random.chance(40):
            value = tree.Binary(self.operation(), Read(place), value, width)
        return [Write(place, value)]

    def _field(self) -> list[tree.Statement]:
        record = self.random.pick(self.records)
        place = LValue(record, field=self.random.below(len(record.widths)))
        return [Write(place, self.expression(max(place.width, WORD), 2))]

    def _float(self) -> list[tree.Statement]:
        """A floating-point operation, and a reset if the number became too large to stay exact."""
        place = LValue(self.random.pick(self.floats))
        operand = tree.Convert(self.expression(WORD, 1), tree.FLOAT)
        operation = self.random.pick(("fadd", "fsub", "fmul", "fadd"))
        first: tree.Expression = Read(place)
        if self.random.chance(30):
            first = tree.Binary("fadd", Read(LValue(self.random.pick(self.floats))), first, tree.FLOAT)
        above = tree.Compare("ogt", Read(place), Constant(tree.FLOAT_BOUND, tree.FLOAT))
        below = tree.Compare("olt", Read(place), Constant(-tree.FLOAT_BOUND, tree.FLOAT))
        again = tree.Convert(self.expression(WORD, 1), tree.FLOAT)
        return [
            Write(place, tree.Binary(operation, first, operand, tree.FLOAT)),
            tree.If(tree.Logical(True, above, below), (Write(place, again),)),
        ]

    def _block(self, most: int) -> tree.Block:
        self.nested += 1
        block = self._statements(self.random.between(1, most))
        self.nested -= 1
        return tuple(block)

    def _if(self) -> list[tree.Statement]:
        condition = self.condition()
        then = self._block(4)
        if self.loops and self.random.chance(12):
            return [tree.If(condition, (*then, tree.Leave(self.random.chance(50))))]
        otherwise = self._block(3) if self.random.chance(40) else ()
        return [tree.If(condition, then, otherwise)]

    def _switch(self) -> list[tree.Statement]:
        random, bits = self.random, self.random.between(2, 3)
        value = tree.Binary("and", self.expression(WORD, 1), Constant(2**bits - 1, WORD), WORD)
        count = random.between(3, 2**bits - 1)
        cases = tuple((number, self._block(2)) for number in range(count))
        return [tree.Switch(value, cases, self._block(1))]

    def _for(self) -> list[tree.Statement]:
        random, body = self.random, list[tree.Statement]()
        counter = self.local("i", WORD)
        trips = random.pick((3, 4, 5, 8, 8, 10, _MOST_TRIPS))
        limit: tree.Expression = Constant(trips, WORD)
        if random.chance(50):
            variable, trips = self.local("n", WORD), 8
            bits = tree.Binary("and", self.expression(WORD, 1), Constant(trips - 1, WORD), WORD)
            body.append(Write(LValue(variable), tree.Binary("add", bits, Constant(1, WORD), WORD)))
            limit = Read(LValue(variable))
        step = random.pick((1, 1, 1, 2))
        return [*body, tree.For(counter, limit, step, self._looped(trips, (counter, trips)))]

    def _while(self) -> list[tree.Statement]:
        """A loop with any condition and a bounded number of iterations."""
        fuel, trips = self.local("fuel", WORD), self.random.between(3, 10)
        place = LValue(fuel)
        full = tree.Compare("ne", Read(place), Constant(0, WORD))
        condition = tree.Logical(False, full, self.condition())
        burn = Write(place, tree.Binary("sub", Read(place), Constant(1, WORD), WORD))
        begin = Write(place, Constant(trips, WORD))
        return [begin, tree.While(condition, (burn, *self._looped(trips, None)))]

    def _looped(self, trips: int, counter: tuple[Variable, int] | None) -> tree.Block:
        """A loop's body."""
        if counter is not None:
            self.counters.append(counter)
        self.loops += 1
        self.weight *= trips
        body = self._block(4)
        self.weight //= trips
        self.loops -= 1
        if counter is not None:
            self.counters.pop()
        return body
