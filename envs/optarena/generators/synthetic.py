"""The generator of ``synthetic-v0``, which needs only libLLVM, to parse and check the IR.

A program that takes too many steps, or that ``-Oz`` does not make smaller, is dropped, and another one is
generated from the same seed. So every member can be evaluated, run and scored.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, cast

from optarena.datasets.parametric import Generated
from optarena.generators import tree
from optarena.generators.program_generator import grow
from optarena.generators.tree import SplitMix64
from optarena.llvm import pinned
from optarena.llvm.module import Module, optimised, prepare
from optarena.specs.benchmark import Workload

_ATTRIBUTES: Final = (
    'minsize nounwind optsize uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" '
    '"stack-protector-buffer-size"="8" "target-cpu"="x86-64" '
    '"target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic"'
)
_PRINTED: Final = r"%016llx\0A\00"
_PRINTED_LENGTH: Final = 9
_PRINTF: Final = "declare i32 @printf(ptr noundef, ...) #1"
_MEMCPY: Final = (
    "declare void @llvm.memcpy.p0.p0.i64(ptr noalias writeonly captures(none), "
    "ptr noalias readonly captures(none), i64, i1 immarg)"
)
_SHIFTS: Final = frozenset({"shl", "lshr", "ashr"})
_UNSIGNED: Final = frozenset({"udiv", "urem"})
_SIGNED: Final = frozenset({"sdiv", "srem"})
_CONVERTED: Final = 0xFFF


def text_of(program: tree.GeneratedProgram) -> str:
    lines = [pinned.TARGET]
    lines += [_global(one) for one in program.globals]
    lines.append(f'@printed = private unnamed_addr constant [{_PRINTED_LENGTH} x i8] c"{_PRINTED}", align 1')
    for function in program.functions:
        lines += _FunctionWriter(program, function).lines()
    lines += [_PRINTF, _MEMCPY, f"attributes #0 = {{ {_ATTRIBUTES} }}", "attributes #1 = { nounwind }"]
    return "\n".join(lines) + "\n"


def _type(width: int) -> str:
    return f"i{width}" if width else "double"


def _whole(variable: tree.Variable) -> str:
    if variable.is_record:
        return f"{{ {', '.join(map(_type, variable.widths))} }}"
    element = _type(variable.widths[0])
    return f"[{variable.length} x {element}]" if variable.length else element


def _global(variable: tree.Variable) -> str:
    how = "constant" if variable.constant else "global"
    values = [
        f"{_type(variable.widths[0 if variable.length else number])} {value}"
        for number, value in enumerate(variable.initial)
    ]
    content = values[0].partition(" ")[2]
    if variable.is_record:
        content = f"{{ {', '.join(values)} }}"
    elif variable.length:
        content = f"[{', '.join(values)}]"
    return f"@{variable.name} = internal {how} {_whole(variable)} {content}"


def _visit(visitor: object, node: object) -> Any:  # noqa: ANN401 # whatever the visitor makes of it
    return getattr(visitor, f"_{type(node).__name__.lower()}")(node)


class _FunctionWriter:
    """Writes one function, line by line; each instruction's value and each block gets a new number."""

    def __init__(self, program: tree.GeneratedProgram, function: tree.Function) -> None:
        self._program = program
        self._function = function
        self._lines: list[str] = []
        self._numbers = 0
        self._block = "entry"
        # Whether code here can be reached: not after a jump, until the next block begins.
        self._is_open = True
        # For each enclosing loop: the label of its next iteration, and the label after it.
        self._loops: list[tuple[str, str]] = []

    def lines(self) -> list[str]:
        function, count = self._function, len(self._function.parameters)
        kinds = [f"{self._parameter(one)} noundef %a{one.slot}" for one in function.parameters]
        linkage = "" if function.name == "main" else "internal "
        head = f"define {linkage}{_type(function.width)} @{function.name}({', '.join(kinds)}) #0 {{"
        for variable in function.variables[:count]:
            self._do(f"%{variable.name} = alloca {self._parameter(variable)}")
        for variable in function.variables[count:]:
            self._do(f"%{variable.name} = alloca {_whole(variable)}")
        for variable in function.parameters:
            self._do(f"store {self._parameter(variable)} %a{variable.slot}, ptr %{variable.name}")
        self._statements(function.body)
        return [head, "entry:", *self._lines, "}"]

    @staticmethod
    def _parameter(variable: tree.Variable) -> str:
        return "ptr" if variable.storage is tree.Storage.POINTER else _type(variable.widths[0])

    def _do(self, instruction: str) -> None:
        if self._is_open:
            self._lines.append(f"  {instruction}")

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _value(self, instruction: str) -> str:
        name = f"%t{self._number()}"
        self._do(f"{name} = {instruction}")
        return name

    def _label(self) -> str:
        return f"b{self._number()}"

    def _begin(self, label: str) -> None:
        self._lines.append(f"{label}:")
        self._block, self._is_open = label, True

    def _go(self, label: str) -> None:
        self._do(f"br label %{label}")
        self._is_open = False

    def _base(self, variable: tree.Variable) -> str:
        if variable.storage is tree.Storage.GLOBAL:
            return f"@{variable.name}"
        if variable.storage is tree.Storage.POINTER:
            return self._value(f"load ptr, ptr %{variable.name}")
        return f"%{variable.name}"

    def _address(self, place: tree.LValue) -> str:
        variable = place.variable
        if variable.is_scalar:
            return self._base(variable)
        if place.index is None:
            base = self._base(variable)
            return self._value(
                f"getelementptr inbounds nuw {_whole(variable)}, ptr {base}, i32 0, i32 {place.field}"
            )
        index = self._expression(place.index)
        if not place.bounded:
            index = self._value(f"and i32 {index}, {variable.length - 1}")
        index = self._value(f"zext i32 {index} to i64")
        base, element = self._base(variable), _type(place.width)
        if variable.storage is tree.Storage.POINTER:
            return self._value(f"getelementptr inbounds {element}, ptr {base}, i64 {index}")
        return self._value(f"getelementptr inbounds {_whole(variable)}, ptr {base}, i64 0, i64 {index}")

    def _expression(self, node: tree.Expression) -> str:
        return cast("str", _visit(self, node))

    def _constant(self, node: tree.Constant) -> str:
        return str(node.value) if node.width else repr(float(node.value))

    def _read(self, node: tree.Read) -> str:
        width, how = node.place.width, "volatile " if node.place.variable.volatile else ""
        value = self._value(f"load {how}{_type(width)}, ptr {self._address(node.place)}")
        if not 0 < width < tree.WORD:
            return value
        return self._value(f"{'sext' if node.signed else 'zext'} {_type(width)} {value} to i32")

    def _binary(self, node: tree.Binary) -> str:
        left, right, kind = self._expression(node.left), self._expression(node.right), _type(node.width)
        if node.operation in _SHIFTS:
            right = self._mask_operand("and", right, node.right, node.width - 1)
        elif node.operation in _SIGNED:
            right = self._mask_operand("and", right, node.right, tree.SIGNED_DIVISOR)
        is_odd = isinstance(node.right, tree.Constant) and node.right.value % 2 == 1
        if node.operation in _UNSIGNED | _SIGNED and not is_odd:
            right = self._value(f"or {kind} {right}, 1")
        return self._value(f"{node.operation} {kind} {left}, {right}")

    def _mask_operand(self, operation: str, operand: str, node: tree.Expression, bits: int) -> str:
        # An operand of which only some bits count, as a front end writes it: constants need no operation.
        if isinstance(node, tree.Constant) and node.value & bits == node.value:
            return operand
        return self._value(f"{operation} {_type(node.width)} {operand}, {bits}")

    def _compare(self, node: tree.Compare | tree.Logical) -> str:
        return self._value(f"zext i1 {self._condition(node)} to i32")

    _logical = _compare

    def _condition(self, node: tree.Expression) -> str:
        if isinstance(node, tree.Compare):
            left, right = self._expression(node.left), self._expression(node.right)
            name = "icmp" if node.left.width else "fcmp"
            return self._value(f"{name} {node.predicate} {_type(node.left.width)} {left}, {right}")
        if not isinstance(node, tree.Logical):
            return self._value(f"icmp ne {_type(node.width)} {self._expression(node)}, 0")
        more, end = self._label(), self._label()
        left, begun = self._condition(node.left), self._block
        ways = (end, more) if node.either else (more, end)
        self._do(f"br i1 {left}, label %{ways[0]}, label %{ways[1]}")
        self._begin(more)
        right, ended = self._condition(node.right), self._block
        self._go(end)
        self._begin(end)
        known = "true" if node.either else "false"
        return self._value(f"phi i1 [ {known}, %{begun} ], [ {right}, %{ended} ]")

    def _convert(self, node: tree.Convert) -> str:
        operand, given = self._expression(node.operand), node.operand.width
        if node.width == tree.FLOAT:
            bits = self._mask_operand("and", operand, node.operand, _CONVERTED)
            return self._value(f"uitofp {_type(given)} {bits} to double")
        if given == tree.FLOAT:
            return self._value(f"fptosi double {operand} to {_type(node.width)}")
        if given == node.width:
            return operand
        wider = "sext" if node.signed else "zext"
        name = wider if given < node.width else "trunc"
        return self._value(f"{name} {_type(given)} {operand} to {_type(node.width)}")

    def _choose(self, node: tree.Choose) -> str:
        yes, no, end = self._label(), self._label(), self._label()
        self._do(f"br i1 {self._condition(node.condition)}, label %{yes}, label %{no}")
        ways = []
        for label, branch in ((yes, node.yes), (no, node.no)):
            self._begin(label)
            ways.append(f"[ {self._expression(branch)}, %{self._block} ]")
            self._go(end)
        self._begin(end)
        return self._value(f"phi {_type(node.width)} {', '.join(ways)}")

    def _call(self, node: tree.Call) -> str:
        given = []
        for one in node.arguments:
            if isinstance(one, tree.Variable):
                given.append(f"ptr noundef {self._base(one)}")
            else:
                given.append(f"{_type(one.width)} noundef {self._expression(one)}")
        name = self._program.functions[node.function].name
        return self._value(f"call {_type(node.width)} @{name}({', '.join(given)}) #1")

    def _statements(self, block: tree.Block) -> None:
        for statement in block:
            _visit(self, statement)

    def _write(self, node: tree.Write) -> None:
        value, width = self._expression(node.value), node.place.width
        if width < node.value.width:
            value = self._value(f"trunc {_type(node.value.width)} {value} to {_type(width)}")
        self._do(f"store {_type(width)} {value}, ptr {self._address(node.place)}")

    def _copy(self, node: tree.Copy) -> None:
        size = node.to.length * node.to.widths[0] // 8
        to, source = self._base(node.to), self._base(node.source)
        self._do(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {size}, i1 false)")

    def _if(self, node: tree.If) -> None:
        then, end = self._label(), self._label()
        other = self._label() if node.otherwise else end
        self._do(f"br i1 {self._condition(node.condition)}, label %{then}, label %{other}")
        self._body(then, node.then, end)
        if node.otherwise:
            self._body(other, node.otherwise, end)
        self._begin(end)

    def _body(self, label: str, block: tree.Block, after: str) -> None:
        self._begin(label)
        self._statements(block)
        self._go(after)

    def _for(self, node: tree.For) -> None:
        test, body, following, end = (self._label() for _ in range(4))
        place = tree.LValue(node.counter)
        self._write(tree.Write(place, tree.Constant(0, tree.WORD)))
        self._go(test)
        self._begin(test)
        holds = self._condition(tree.Compare("ult", tree.Read(place), node.limit))
        self._do(f"br i1 {holds}, label %{body}, label %{end}")
        self._loops.append((following, end))
        self._body(body, node.body, following)
        self._loops.pop()
        self._begin(following)
        step = tree.Constant(node.step, tree.WORD)
        self._write(tree.Write(place, tree.Binary("add", tree.Read(place), step, tree.WORD)))
        self._go(test)
        self._begin(end)

    def _while(self, node: tree.While) -> None:
        test, body, end = (self._label() for _ in range(3))
        self._go(test)
        self._begin(test)
        self._do(f"br i1 {self._condition(node.condition)}, label %{body}, label %{end}")
        self._loops.append((test, end))
        self._body(body, node.body, test)
        self._loops.pop()
        self._begin(end)

    def _switch(self, node: tree.Switch) -> None:
        value, end, default = self._expression(node.value), self._label(), self._label()
        labels = [(number, self._label()) for number, _ in node.cases]
        kind = _type(node.value.width)
        cases = " ".join(f"{kind} {number}, label %{label}" for number, label in labels)
        self._do(f"switch {kind} {value}, label %{default} [ {cases} ]")
        for (_, label), (_, block) in zip(labels, node.cases, strict=True):
            self._body(label, block, end)
        self._body(default, node.default, end)
        self._begin(end)

    def _leave(self, node: tree.Leave) -> None:
        following, end = self._loops[-1]
        self._go(end if node.loop else following)

    def _return(self, node: tree.Return) -> None:
        self._do(f"ret {_type(self._function.width)} {self._expression(node.value)}")
        self._is_open = False

    def _print(self, node: tree.Print) -> None:
        value = self._expression(node.value)
        self._do(f"call i32 (ptr, ...) @printf(ptr noundef @printed, i64 noundef {value}) #1")


# What follows computes the output of a program by evaluating its tree. Each node becomes a Python function of
# the frame, the list of the variables of one call: numbers, or lists for arrays and records. The function of
# a block returns how the block was left.
Frame: TypeAlias = list[Any]
Evaluated: TypeAlias = "Callable[[Frame], Any]"

# How a block is left: at its end, for the next round of a loop, out of the loop, out of the function.
_ENDED, _NEXT_ROUND, _LEFT, _RETURNED = range(4)


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def _divisor(right: int) -> int:
    return right & tree.SIGNED_DIVISOR | 1


def _quotient(left: int, right: int, width: int) -> int:  # rounds towards zero
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

    def expression(self, node: tree.Expression | tree.Statement) -> Evaluated:
        return cast("Evaluated", _visit(self, node))

    def block(self, block: tree.Block) -> Evaluated:
        parts, run, count = tuple(map(self.expression, block)), self._run, len(block)

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


MOST_STATEMENTS: Final = 4000  # evaluating them takes some hundredths of a second
_ATTEMPT_BITS: Final = 32  # the number of the attempt is above the seed's bits


def generate(seed: int) -> Generated:
    attempt = -1
    while True:
        attempt += 1
        tree = grow(SplitMix64(seed | attempt << _ATTEMPT_BITS))
        try:
            printed = evaluate(tree, MOST_STATEMENTS)
        except TooLong:
            continue
        program = prepare(_without_names(text_of(tree)))
        if _can_be_optimised(program):
            return Generated(program=program, workloads=(Workload(name="default", expected_stdout=printed),))


def _without_names(text: str) -> bytes:  # as from a front end that drops the names of local values
    with Module.parse(text.encode()) as named:
        bitcode = named.bitcode()
    with Module.parse(bitcode, discard_names=True) as module:
        return module.bitcode()


def _can_be_optimised(program: bytes) -> bool:
    with Module.parse(program) as before, optimised(program, "Oz") as after:
        return after.instruction_count() < before.instruction_count()
