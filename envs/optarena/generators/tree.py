"""The programs of ``synthetic-v0`` as trees, which are generated, evaluated and written as LLVM IR.

They are in a small language without undefined behaviour. Integers are 32 or 64 bits wide and wrap around;
values in memory may be narrower. A shift takes its amount modulo the width, a division divides by its right
operand with the lowest bit set (a signed one by the lowest 7 bits of that), an index is taken modulo the
length, which is a power of two. Floating-point numbers are integers so small that every operation is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import ClassVar, Final, TypeAlias, TypeVar

# Used as a width: double precision.
FLOAT: Final = 0
WORD, LONG = 32, 64
# The largest absolute value of a floating-point variable.
FLOAT_BOUND: Final = 65536
# Bits of a signed division's right operand that count, beside the lowest.
SIGNED_DIVISOR: Final = 0x7F


class Storage(Enum):
    LOCAL = "local"
    GLOBAL = "global"
    # elsewhere: the function receives its address as a parameter.
    POINTER = "pointer"


@dataclass(frozen=True, slots=True)
class Variable:
    """A scalar, an array or a record."""

    name: str
    slot: int  # its number in its function, or among the globals
    widths: tuple[int, ...]  # the only width of a scalar or an array; the widths of a record's fields
    length: int = 0  # 0 for all but arrays
    storage: Storage = Storage.LOCAL
    initial: tuple[int, ...] = ()
    volatile: bool = False  # reads must not be optimised away
    constant: bool = False  # nothing writes to it

    @property
    def is_record(self) -> bool:
        return len(self.widths) > 1

    @property
    def is_scalar(self) -> bool:
        return not self.length and not self.is_record


@dataclass(frozen=True, slots=True)
class LValue:
    """One number in memory: a scalar, an element of an array, or a field of a record."""

    variable: Variable
    index: Expression | None = None
    field: int = 0
    bounded: bool = False  # the index is always below the length

    @property
    def width(self) -> int:
        return self.variable.widths[self.field]


@dataclass(frozen=True, slots=True)
class Constant:
    value: int
    width: int


@dataclass(frozen=True, slots=True)
class Read:  # the value of a place, extended to 32 bits if it is narrower
    place: LValue
    signed: bool = False

    @property
    def width(self) -> int:
        return max(self.place.width, WORD) if self.place.width else FLOAT


@dataclass(frozen=True, slots=True)
class Binary:
    # An operation of LLVM on two numbers of one width; see the module for shifts and divisions.
    operation: str
    left: Expression
    right: Expression
    width: int


@dataclass(frozen=True, slots=True)
class Compare:  # 1 or 0, by a predicate of icmp or fcmp
    predicate: str
    left: Expression
    right: Expression
    width: ClassVar[int] = WORD


@dataclass(frozen=True, slots=True)
class Convert:  # of an integer that becomes FLOAT, only the lowest 12 bits count
    operand: Expression
    width: int
    signed: bool = False


@dataclass(frozen=True, slots=True)
class Logical:  # 1 or 0: both hold, or either does; the right one is evaluated only if it matters
    either: bool
    left: Expression
    right: Expression
    width: ClassVar[int] = WORD


@dataclass(frozen=True, slots=True)
class Choose:  # the other one is not evaluated
    condition: Expression
    yes: Expression
    no: Expression
    width: int


@dataclass(frozen=True, slots=True)
class Call:
    function: int  # its number in the program
    # a number for each scalar parameter, a variable for each array or record
    arguments: tuple[Expression | Variable, ...]
    width: int


Expression: TypeAlias = Constant | Read | Binary | Compare | Convert | Logical | Choose | Call


@dataclass(frozen=True, slots=True)
class Write:  # stores the lowest bits of a number
    place: LValue
    value: Expression


@dataclass(frozen=True, slots=True)
class Copy:  # to an array of the same type
    to: Variable
    source: Variable


@dataclass(frozen=True, slots=True)
class If:
    condition: Expression
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class For:  # for (counter = 0; counter < limit; counter += step) body
    counter: Variable
    limit: Expression
    step: int
    body: Block


@dataclass(frozen=True, slots=True)
class While:  # while (condition) body
    condition: Expression
    body: Block


@dataclass(frozen=True, slots=True)
class Switch:
    value: Expression
    cases: tuple[tuple[int, Block], ...]
    default: Block


@dataclass(frozen=True, slots=True)
class Leave:  # ends the innermost loop, or only its present iteration
    loop: bool


@dataclass(frozen=True, slots=True)
class Return:
    value: Expression


@dataclass(frozen=True, slots=True)
class Print:  # a 64-bit number in hexadecimal, a line for each
    value: Expression


Statement: TypeAlias = Write | Copy | If | For | While | Switch | Leave | Return | Print
Block: TypeAlias = tuple[Statement, ...]


@dataclass(slots=True)
class Function:
    """A function; its variables are the parameters, by their slots, and then its own."""

    name: str
    number: int
    width: int
    parameters: list[Variable] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    body: Block = ()
    recursive: bool = False


@dataclass(slots=True)
class GeneratedProgram:
    """A whole program; the last function is ``main``."""

    globals: list[Variable] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)


_T = TypeVar("_T")

_MASK: Final = 2**64 - 1
_STEP: Final = 0x9E3779B97F4A7C15
_MIX: Final = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
_LAST_SHIFT: Final = 31
_PERCENT: Final = 100


class SplitMix64:
    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def bits(self) -> int:
        self._state = mixed = (self._state + _STEP) & _MASK
        for shift, factor in _MIX:
            mixed = ((mixed ^ (mixed >> shift)) * factor) & _MASK
        return mixed ^ (mixed >> _LAST_SHIFT)

    def below(self, count: int) -> int:  # the numbers are almost equally likely
        return (self.bits() * count) >> 64

    def between(self, low: int, high: int) -> int:
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        return self.below(_PERCENT) < percent

    def pick(self, items: Sequence[_T]) -> _T:
        return items[self.below(len(items))]

    def weighted(self, items: Sequence[tuple[_T, int]]) -> _T:
        left = self.below(sum(weight for _, weight in items))
        for item, weight in items:
            left -= weight
            if left < 0:
                return item
        raise AssertionError("the weights are counted above")
