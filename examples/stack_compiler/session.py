"""An optimiser for a small stack language; a program's state is its text, one instruction per line."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from optarena.service import CompilationSession
from optarena.service.proto.compiler_gym_service_pb2 import (
    ActionSpace,
    Benchmark,
    Event,
    Int64Box,
    Int64Range,
    Int64Tensor,
    NamedDiscreteSpace,
    ObservationSpace,
    Space,
    StringSpace,
)

if TYPE_CHECKING:
    from pathlib import Path

MAX_INSTRUCTIONS = 10_000
INSTRUCTIONS: dict[str, tuple[int, int, Callable[..., list[int]]]] = {
    "push": (0, 1, lambda number: [number]),
    "load": (0, 1, lambda argument: [argument]),
    "add": (2, 1, lambda a, b: [a + b]),
    "sub": (2, 1, lambda a, b: [a - b]),
    "mul": (2, 1, lambda a, b: [a * b]),
    "neg": (1, 1, lambda a: [-a]),
    "dup": (1, 2, lambda a: [a, a]),
    "swap": (2, 2, lambda a, b: [b, a]),
    "drop": (1, 0, lambda _: []),
    "print": (1, 0, lambda _: []),
}
"""How many values each instruction takes from the stack, how many it pushes, and which."""
NUMBER = re.compile("-?[0-9]{1,20}")
SYNTAX = re.compile(f"push {NUMBER.pattern}|load [a-z]+|add|sub|mul|neg|dup|swap|drop|print")
FOLD = "="  # means a push of the number that the old code leaves on the stack
REWRITES = {
    "fold-constants": {"push .+; push .+; (add|sub|mul);": FOLD, "push .+; neg;": FOLD},
    "remove-identities": {"push 0; (add|sub);": "", "push 1; mul;": ""},
    "strength-reduce": {"push 2; mul;": "dup; add;", "push -1; mul;": "neg;"},
    "annihilate": {"push 0; mul;": "drop; push 0;"},
    "cancel": {"neg; neg;": "", "swap; swap;": "", "neg; add;": "sub;", "neg; sub;": "add;"},
    "remove-dead": {
        "(push .+|load .+|dup); drop;": "",
        "(add|sub|mul); drop;": "drop; drop;",
        "neg; drop;": "drop;",
    },
    "commute": {"swap; (add|mul);": r"\1;", "(push .+); (load .+); (add|mul);": r"\2; \1; \3;"},
    "reassociate": {r"(push .+); (add|mul); (push .+); \2;": r"\1; \3; \2; \2;"},
    "reuse-loads": {r"((push|load) .+); \1;": r"\1; dup;"},
}
"""The rewrites: regular expressions over the program's text and their replacements; ``;`` ends a line."""


def parse(source: str) -> str:
    """The program in its canonical text.

    Raises:
        ValueError: The program is not well formed; the message names the line.
    """
    lines: list[str] = []
    depth = 0
    for number, raw in enumerate(source.split("\n"), start=1):
        line = " ".join(raw.partition("#")[0].split())
        if not line:
            continue
        name, _, operand = line.partition(" ")
        if not SYNTAX.fullmatch(line):
            raise ValueError(f"line {number}: {line[:80]!r} is not one of {', '.join(INSTRUCTIONS)}")
        if name == "push" and wrapped(int(operand)) != int(operand):
            raise ValueError(f"line {number}: {operand} does not fit 64 bits")
        taken, given, _ = INSTRUCTIONS[name]
        if depth < taken:
            raise ValueError(f"line {number}: {name} takes {taken} values, but the stack holds {depth}")
        if len(lines) == MAX_INSTRUCTIONS:
            raise ValueError(f"line {number}: a program has at most {MAX_INSTRUCTIONS} instructions")
        depth += given - taken
        lines.append(f"push {int(operand)}\n" if name == "push" else f"{line}\n")
    return "".join(lines)


def execute(code: str, arguments: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """Run a program; returns the values that it leaves on the stack, and those that it prints."""
    stack: list[int] = []
    printed: list[int] = []
    for line in code.splitlines():
        name, _, operand = line.partition(" ")
        taken, _, result = INSTRUCTIONS[name]
        values = [stack.pop() for _ in range(taken)][::-1]
        if name == "print":
            printed += values
        if operand:
            values = [arguments[operand] if name == "load" else int(operand)]
        stack += map(wrapped, result(*values))
    return stack, printed


def wrapped(value: int) -> int:
    """The value modulo 2^64, as a signed number."""
    return (value + 2**63) % 2**64 - 2**63


def rewrite(code: str, name: str) -> str:
    """The program after one sweep of a rewrite, from its first line to its last."""
    rules = {_lines(old): _lines(new) for old, new in REWRITES[name].items()}

    def replacement(found: re.Match[str]) -> str:
        old = next(old for old in rules if re.fullmatch(old, found[0]))
        if rules[old] == FOLD:
            return f"push {execute(found[0], {})[0][0]}\n"
        return re.sub(old, rules[old], found[0])

    return re.sub(f"^(?:{'|'.join(rules)})", replacement, code, flags=re.MULTILINE)


def _lines(rule: str) -> str:
    return re.sub("; ?", "\n", rule)


def _observation(name: str, space: Space, default: Event) -> ObservationSpace:
    return ObservationSpace(name=name, space=space, default_observation=default, deterministic=True)


def _counts(values: Sequence[int]) -> Int64Tensor:
    return Int64Tensor(shape=[len(INSTRUCTIONS)], value=values)


def _text(low: int, high: int | None) -> Space:
    return Space(string_value=StringSpace(length_range=Int64Range(min=low, max=high)))


NONE, ALL = _counts([0] * len(INSTRUCTIONS)), _counts([MAX_INSTRUCTIONS] * len(INSTRUCTIONS))


class StackSession(CompilationSession):
    """One program with the rewrites applied so far."""

    compiler_version = "stack 1.0"
    action_spaces = [  # noqa: RUF012 # declared by CompilationSession
        ActionSpace(name="rewrites", space=Space(named_discrete=NamedDiscreteSpace(name=REWRITES)))
    ]
    observation_spaces = [  # noqa: RUF012 # declared by CompilationSession
        _observation("code", _text(0, None), Event(string_value="")),
        _observation("instructions", Space(int64_value=Int64Range(min=0)), Event(int64_value=0)),
        _observation("histogram", Space(int64_box=Int64Box(low=NONE, high=ALL)), Event(int64_tensor=NONE)),
        _observation("digest", _text(64, 64), Event(string_value="0" * 64)),
    ]

    def __init__(self, working_directory: Path, action_space: ActionSpace, benchmark: Benchmark) -> None:
        super().__init__(working_directory, action_space, benchmark)
        self.code = parse(benchmark.program.contents.decode())

    def apply_action(self, action: Event) -> tuple[bool, ActionSpace | None, bool]:
        """Sweep once; the action had no effect if the program is the same."""
        before = self.code
        self.code = rewrite(before, list(REWRITES)[action.int64_value])
        return False, None, self.code == before

    def get_observation(self, observation_space: ObservationSpace) -> Event:
        """Observe the program."""
        names = [line.partition(" ")[0] for line in self.code.splitlines()]
        match observation_space.name:
            case "code":
                return Event(string_value=self.code)
            case "instructions":
                return Event(int64_value=len(names))
            case "histogram":
                return Event(int64_tensor=_counts([names.count(name) for name in INSTRUCTIONS]))
            case _:
                return Event(string_value=hashlib.sha256(self.code.encode()).hexdigest())

    def run_program(self, arguments: Sequence[str], stdin: bytes) -> tuple[bytes, int]:  # noqa: ARG002 # it reads nothing
        """Run the program with arguments such as ``x=3``; returns its output and its exit code."""
        pairs = [argument.partition("=") for argument in arguments]
        if not all(NUMBER.fullmatch(number) for _, _, number in pairs):
            raise ValueError("an argument is a name and a number of at most 20 digits, for example x=3")
        values = {name: wrapped(int(number)) for name, _, number in pairs}
        try:
            _, printed = execute(self.code, values)
        except KeyError as error:
            raise ValueError(
                f"the program needs a value for {error}, for example {error.args[0]}=1"
            ) from None
        return "".join(f"{value}\n" for value in printed).encode(), 0

    def verify(self) -> str:
        """Why the program is not well formed any more; empty if it is."""
        try:
            parse(self.code)
        except ValueError as error:
            return str(error)
        return ""
