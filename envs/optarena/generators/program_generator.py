"""Generates random programs: each function uses the numbers, arrays and earlier functions available to it.

Every program is free of undefined behaviour and ends: loops have limits that their bodies do not change;
functions call earlier ones, or themselves with a decreasing depth.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from optarena.generators import tree
from optarena.generators.tree import LONG, WORD, Constant, LValue, Read, SplitMix64, Storage, Variable, Write

_OPERATIONS: Final = (
    ("add", 24), ("sub", 12), ("mul", 10), ("xor", 12), ("and", 10), ("or", 8), ("lshr", 6), ("shl", 5),
    ("ashr", 3), ("udiv", 2), ("urem", 3), ("sdiv", 1), ("srem", 1),
)  # fmt: skip
_PREDICATES: Final = ("eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sge")
_MOST_WORK: Final = 1500  # statements that one call may execute, multiplied by how often the call is executed
_DEPTH: Final = 7


class ExpressionGrower:
    """A function under construction, and the values that can be used in it.

    ``costs`` has, for each earlier function, the largest number of statements that a call executes.
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

    def local(self, name: str, width: int, length: int = 0) -> Variable:  # not readable yet
        slot = len(self.function.variables)
        made = Variable(f"{name}{slot}", slot, (width,), length)
        self.function.variables.append(made)
        return made

    def own(self, variable: Variable) -> None:
        self.readable.append(variable)
        self.writable.append(variable)

    def mark(self) -> int:
        return len(self._seen)

    def forget(self, mark: int) -> None:
        # Expressions of a block may use its counters and must not be repeated after it.
        del self._seen[mark:]

    def operation(self) -> str:
        return self.random.weighted(_OPERATIONS)

    def constant(self, width: int) -> Constant:  # as in hand-written code: small, a mask, or any
        random = self.random
        kind = random.below(8)
        if kind < 4:  # noqa: PLR2004 # half of them
            return Constant(random.below(17), width)
        if kind == 4:  # noqa: PLR2004 # an eighth of them
            return Constant(2 ** random.between(1, 16) - 1, width)
        return Constant(random.below(2**16 if kind < 7 else 2**32), width)  # noqa: PLR2004 # an eighth

    def converted(self, node: tree.Expression, width: int) -> tree.Expression:
        if node.width == width:
            return node
        return tree.Convert(node, width, signed=self.random.chance(30))

    def element(self, array: Variable) -> LValue:  # often the one at a loop's counter
        fitting = [one for one, limit in self.counters if limit <= array.length]
        if fitting and self.random.chance(75):
            return LValue(array, Read(LValue(self.random.pick(fitting))), bounded=True)
        if self.random.chance(25):
            return LValue(array, Constant(self.random.below(array.length), WORD), bounded=True)
        return LValue(array, self.expression(WORD, 1))

    def condition(self) -> tree.Expression:
        if self.random.chance(15):
            left, right = self._comparison(WORD, 1), self._comparison(WORD, 1)
            return tree.Logical(self.random.chance(50), left, right)
        return self._comparison(self.random.pick((WORD, WORD, LONG)), 2)

    def digest(self, width: int) -> tree.Expression:  # depends on most values computed so far
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
        if depth == 0 or self.random.chance(15):
            return self._leaf(width)
        kinds: list[tuple[Callable[[int, int], tree.Expression], int]] = [
            (self._binary, 60),
            (self._trivial, 3),
            (self._again, 8),
            (self._comparison, 3),
            (self._choose, 3),
            (lambda width, depth: self.expression(LONG if width == WORD else WORD, depth), 8),
            (self._call_earlier, 6),
            (self._read_element, 12),
        ]
        grown = self.random.weighted(kinds)(width, depth - 1)
        if grown.width != width:
            grown = self.converted(grown, width)
        self._seen.append(grown)
        return grown

    def call(self, number: int) -> tree.Expression:  # a function calls itself with a smaller depth
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

    def _record(self, parameter: Variable) -> Variable:  # there is at least one, the global one
        known = [*self.records, *(one for one in self.program.globals if one.is_record)]
        return self.random.pick([one for one in known if one.widths == parameter.widths])

    def _array(self, parameter: Variable) -> Variable:
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
        # Without an effect, or with a known result.
        left = self.expression(width, depth)
        operation, right = self.random.pick((("mul", 1), ("add", 0), ("and", 0), ("or", 0), ("mul", 2)))
        return tree.Binary(operation, left, Constant(right, width), width)

    def _again(self, width: int, depth: int) -> tree.Expression:
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

    def _call_earlier(self, width: int, depth: int) -> tree.Expression:  # unless that is too much work
        cheap = [
            number for number, cost in enumerate(self._costs) if cost * self.weight + self.cost < _MOST_WORK
        ]
        return self.call(self.random.pick(cheap)) if cheap else self.expression(width, depth)

    def _read_element(self, width: int, _: int) -> tree.Expression:
        arrays = [*self.arrays, *(one for one in self.program.globals[1:] if one.length)]
        place = self.element(self.random.pick(arrays))
        return self.converted(Read(place, signed=self.random.chance(30)), width)


INPUTS: Final = 8  # numbers that `main` reads by volatile loads: no optimiser knows them
DEPTH_BITS: Final = 3  # of the depth with which a recursive function is called
_FUNCTIONS: Final = (1, 7)
# Of one function: at least, at most, and the weight of this choice.
_STATEMENTS: Final = ((4, 9, 3), (8, 16, 4), (16, 40, 2))
_MOST_NESTED: Final = 3
_MOST_TRIPS: Final = 16
_MOST_WEIGHT: Final = 400  # the largest number of times that a statement may be executed in one call
_LENGTHS: Final = (8, 16, 16, 32)
_WIDTHS: Final = ((8, 2), (16, 2), (32, 4), (64, 2))


def grow(random: SplitMix64) -> tree.GeneratedProgram:
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
        name, slot, (width,), length, Storage.GLOBAL, initial=initial, volatile=volatile, constant=constant
    )


class FunctionGrower(ExpressionGrower):
    def helper(self) -> None:
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

    def main(self) -> None:  # it calls all other functions and prints the results
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

    def _fold(self, total: Variable, value: tree.Expression) -> tree.Statement:  # by total * 31 + value
        long = value if value.width == LONG else tree.Convert(value, LONG)
        product = tree.Binary("mul", Read(LValue(total)), Constant(31, LONG), LONG)
        return Write(LValue(total), tree.Binary("add", product, long, LONG))

    def _fold_all(self, total: Variable, variable: Variable) -> list[tree.Statement]:
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

    def _recursion(self) -> list[tree.Statement]:  # if (depth != 0) { v = f(depth - 1, …); … }
        variable = self.random.pick([one for one in self.writable if one.storage is Storage.LOCAL])
        again = self.call(self.function.number)
        width = variable.widths[0]
        value = tree.Binary("xor", Read(LValue(variable)), self.converted(again, width), width)
        deeper = tree.Compare("ne", Read(LValue(self.depth)), Constant(0, WORD))
        return [tree.If(deeper, (Write(LValue(variable), value),))]

    def _statements(self, count: int) -> list[tree.Statement]:
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

    def _float(self) -> list[tree.Statement]:  # reset the number when it becomes too large to stay exact
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
        return [*body, tree.For(counter, limit, step, self._loop_body(trips, (counter, trips)))]

    def _while(self) -> list[tree.Statement]:  # any condition, and a bounded number of iterations
        fuel, trips = self.local("fuel", WORD), self.random.between(3, 10)
        place = LValue(fuel)
        full = tree.Compare("ne", Read(place), Constant(0, WORD))
        condition = tree.Logical(False, full, self.condition())
        burn = Write(place, tree.Binary("sub", Read(place), Constant(1, WORD), WORD))
        begin = Write(place, Constant(trips, WORD))
        return [begin, tree.While(condition, (burn, *self._loop_body(trips, None)))]

    def _loop_body(self, trips: int, counter: tuple[Variable, int] | None) -> tree.Block:
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
