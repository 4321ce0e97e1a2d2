"""Small random C programs for the soak: each ends soon and prints its results.

The same seed gives the same text. The programs are free of undefined behaviour by construction (signed
numbers are kept small, shifts and indices masked, divisors made odd, every variable set), so their output
must stay the same after any pass.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

LEVELS: Final = ("-O3", "-Oz", "-O1")
"""The target and flags of clang; passes read the attributes that these leave on functions."""
_FLAGS: Final = ("--target=x86_64-unknown-linux-gnu", "-w", "-x", "c", "-Xclang", "-disable-llvm-passes")
_FUNCTIONS: Final = (2, 4)
_STATEMENTS: Final = (2, 5)
_DEPTH: Final = 3
_WORK: Final = 20_000
"""The approximate maximum number of statements that a call of a function runs."""

_HEAD: Final = """\
typedef unsigned int u32;
typedef unsigned long long u64;
typedef struct { u32 a; unsigned char b; u64 c; double d; short e[4]; } Record;
int printf(const char *, ...);
static const u32 constants[8] = {%s};
static u32 table[16] = {%s};
static unsigned char bytes[32] = "%s";
static double reals[4] = {%s};
static Record records[4];
static u64 total = 1;
static int depth_reached;
static u32 mix(u32 a, u32 b) { return (a ^ (a >> 13)) * 2654435761u + b; }
static u32 recurse(u32 n, u32 a) {
  if (n == 0) return a;
  depth_reached++;
  return n & 1 ? recurse(n - 1, a * 3 + 1) : recurse(n - 1, a ^ 0x55u) + 1;
}
static u32 sum(const u32 *restrict from, unsigned char *restrict to, int count) {
  u32 s = 0;
  for (int i = 0; i < count; i++) { s += from[i & 15]; to[i & 31] = (unsigned char)(from[i & 15] >> 3); }
  return s;
}
static int is_small(double d) { return d > -1.0e6 && d < 1.0e6; }
"""

_TAIL: Final = """\
int main(int argc, char **argv) {
  u32 a = (u32)argc * 7u, b = 11u;
  for (int round = 0; round < %d; round++) {
%s
    total = total * 31u + a;
  }
  for (int i = 0; i < 16; i++) total = total * 33u + table[i];
  for (int i = 0; i < 32; i++) total = total * 35u + bytes[i];
  for (int i = 0; i < 4; i++) {
    Record *r = &records[i];
    total = (total ^ r->c) * 37u + r->a + r->b + (u64)(long long)r->e[0] + (u64)(long long)r->e[3];
    total = total * 39u + (is_small(reals[i]) ? (u64)(long long)(reals[i] * 16.0) : 5u);
    total = total * 41u + (is_small(r->d) ? (u64)(long long)(r->d * 16.0) : 7u);
  }
  printf("%%llu %%u %%d\\n", total, a, depth_reached);
  return (int)(total %% 61u);
}
"""


def source(seed: int) -> str:
    """The text of a program."""
    return _Program(random.Random(seed)).text()  # noqa: S311 - to be repeatable


def compiled(clang: Path, seed: int, further: Sequence[str] = ()) -> bytes:
    """The bitcode of a program, as benchmarks are made: not optimised yet.

    Raises:
        subprocess.CalledProcessError: clang rejects the program.
    """
    level = LEVELS[seed % len(LEVELS)]
    command = [str(clang), level, *_FLAGS, *further, "-emit-llvm", "-c", "-", "-o", "-"]
    done = subprocess.run(command, input=source(seed).encode(), check=True, capture_output=True)  # noqa: S603 - ours
    return done.stdout


@dataclass
class _Function:
    """A function under construction: its text so far, and about how many statements one call runs."""

    name: str
    work: int = 0
    loops: int = 0
    times: int = 1
    lines: list[str] = field(default_factory=list)


class _Program:
    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._done: list[_Function] = []
        self._now = _Function("")
        self._statements: list[tuple[int, Callable[[int], list[str]]]] = [
            (6, self._assign),
            (3, self._store),
            (2, self._if),
            (3, self._for),
            (1, self._while),
            (2, self._switch),
            (2, self._call),
            (2, self._record),
            (2, self._real),
            (1, self._narrow),
            (1, self._signed),
            (1, self._block),
            (1, self._early),
        ]

    def text(self) -> str:
        """All of it."""
        draw = self._chance
        head = _HEAD % (
            ", ".join(f"{draw.randrange(2**32)}u" for _ in range(8)),
            ", ".join(f"{draw.randrange(100)}u" for _ in range(16)),
            "".join(draw.choice("abcdefgh ") for _ in range(31)),
            ", ".join(f"{draw.randrange(-40, 40) / 4}" for _ in range(4)),
        )
        parts = [head]
        parts += [self._function(f"f{number}") for number in range(draw.randint(*_FUNCTIONS))]
        names = [function.name for function in self._done[-2:]]
        if len(self._done) > 1:
            parts.append(f"static u32 (*const chosen[2])(u32, u32) = {{{', '.join(names[-2:])}}};\n")
        rounds = draw.randint(1, 3)
        calls = [f"    a = {function.name}(a, b); b ^= a >> 5;" for function in self._done]
        if len(self._done) > 1:
            calls.append("    a += chosen[b & 1](b, a);")
        return "".join(parts) + _TAIL % (rounds, "\n".join(calls))

    def _function(self, name: str) -> str:
        self._now = _Function(name)
        body = self._body(0)
        self._done.append(self._now)
        attribute = self._chance.choice(("", "", "", "__attribute__((noinline)) ", "inline "))
        return (
            f"static {attribute}u32 {name}(u32 p, u32 q) {{\n"
            "  u32 x = p, y = q, z = p ^ q; int i = 0, n = (int)(q & 7u); double d = (double)(p & 255u);\n"
            + "\n".join(f"  {line}" for line in body)
            + "\n  if (is_small(d)) z += (u32)(int)d;\n  return mix(x, y) + z + (u32)i + (u32)n;\n}\n"
        )

    def _body(self, depth: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self._chance.randint(*_STATEMENTS) if depth < _DEPTH else 1):
            lines += self._statement(depth)
        return lines

    def _statement(self, depth: int) -> list[str]:
        self._now.work += self._now.times
        weights = [weight for weight, _ in self._statements]
        ((_, chosen),) = self._chance.choices(self._statements, weights)
        return chosen(depth)

    def _assign(self, _: int) -> list[str]:
        return [f"{self._variable()} {self._chance.choice(('=', '=', '+=', '^=', '-='))} {self._value(0)};"]

    def _store(self, _: int) -> list[str]:
        index, value = self._value(2), self._value(1)
        return [
            self._chance.choice(
                (
                    f"table[({index}) & 15] = {value};",
                    f"table[(i + {self._chance.randrange(4)}) & 15] += {value};",
                    f"bytes[({index}) & 31] = (unsigned char)({value});",
                    "__builtin_memcpy(table + 4, table + 8, 4 * sizeof(u32));",
                    "__builtin_memset(bytes + 3, (int)(x & 255u), 9);",
                    "x += sum(table, bytes, n + 3);",
                )
            )
        ]

    def _if(self, depth: int) -> list[str]:
        if depth >= _DEPTH:
            return self._assign(depth)
        other = ["} else {", *self._inner(depth)] if self._chance.random() < 1 / 2 else []
        return [f"if ({self._condition()}) {{", *self._inner(depth), *other, "}"]

    def _for(self, depth: int) -> list[str]:
        times = self._chance.choice((2, 3, 4, 8, 16))
        if depth >= _DEPTH or self._now.loops >= 2 or self._now.times * times > 300:  # noqa: PLR2004 - enough
            return self._assign(depth)
        counter = f"k{depth}"
        bound = self._chance.choice((f"{times}", f"(int)(y & {times - 1}u)", f"{times} - (n & 1)"))
        step = self._chance.choice(("++", "++", "++", " += 2"))
        body = self._loop_body(depth, times)
        use = f"table[{counter} & 15] += {self._variable()} + (u32){counter};"
        end = [f"if ({self._condition()}) {self._chance.choice(('break', 'continue'))};"]
        return [
            f"for (int {counter} = 0; {counter} < {bound}; {counter}{step}) {{",
            *body,
            *(end if self._chance.random() < 1 / 3 else []),
            use,
            "}",
        ]

    def _while(self, depth: int) -> list[str]:
        if depth >= _DEPTH or self._now.loops >= 2 or self._now.times * 8 > 300:  # noqa: PLR2004 - enough
            return self._assign(depth)
        counter = f"w{depth}"
        body = [*self._loop_body(depth, 8), f"{counter} -= 1u + (x & ({counter} > 1u));"]
        if self._chance.random() < 1 / 2:
            return ["{", f"u32 {counter} = (y & 7u) + 1u;", "do {", *body, f"}} while ({counter} > 0u);", "}"]
        return ["{", f"u32 {counter} = y & 7u;", f"while ({counter}) {{", *body, "}", "}"]

    def _loop_body(self, depth: int, times: int) -> list[str]:
        self._now.loops += 1
        self._now.times *= times
        body = self._inner(depth)
        self._now.times //= times
        self._now.loops -= 1
        return body

    def _inner(self, depth: int) -> list[str]:
        return ["{", *(f"  {line}" for line in self._body(depth + 1)), "}"]

    def _switch(self, depth: int) -> list[str]:
        if depth >= _DEPTH:
            return self._assign(depth)
        lines = [f"switch ({self._value(1)} & {self._chance.choice((3, 7, 15))}u) {{"]
        for label in sorted(self._chance.sample(range(8), self._chance.randint(2, 6))):
            after = "" if self._chance.random() < 1 / 4 else " break;"
            lines.append(f"  case {label}: {' '.join(self._assign(depth))}{after}")
        return [*lines, f"  default: {' '.join(self._assign(depth))}", "}"]

    def _call(self, depth: int) -> list[str]:
        fitting = [one for one in self._done if self._now.work + self._now.times * one.work < _WORK]
        if not fitting or self._chance.random() < 1 / 4:
            self._now.work += 8 * self._now.times
            return [f"{self._variable()} += recurse({self._value(2)} & 7u, {self._value(1)});"]
        callee = self._chance.choice(fitting)
        self._now.work += self._now.times * callee.work
        del depth
        return [f"{self._variable()} = {callee.name}({self._value(1)}, {self._value(1)});"]

    def _record(self, _: int) -> list[str]:
        at = f"records[({self._value(2)}) & 3]"
        return [
            self._chance.choice(
                (
                    f"{at}.a += {self._value(1)};",
                    f"{at}.b ^= (unsigned char)({self._value(1)});",
                    f"{at}.c = {at}.c * 3u + (u64)({self._value(1)});",
                    f"{at}.d = d * 0.25 + {at}.d * 0.5;",
                    f"{at}.e[({self._value(2)}) & 3] = (short)(int)(({self._value(1)}) & 0x7fffu);",
                    "{ Record copy = records[y & 3]; copy.a += x; records[(y + 1) & 3] = copy; }",
                    f"z += {at}.a + (u32){at}.e[n & 3];",
                )
            )
        ]

    def _real(self, _: int) -> list[str]:
        number = self._chance.randrange(-8, 9) / 4
        return [
            self._chance.choice(
                (
                    f"d = d * 0.5 + {number};",
                    "reals[x & 3] = reals[y & 3] * 0.5 + d;",
                    f"d = d > {number} ? d - {number} : d * 0.25;",
                    "d = (double)(x & 1023u) * 0.125 - d * 0.5;",
                    "for (int r = 0; r < 4; r++) reals[r] = reals[r] * 0.75 + 1.0;",
                    "d = __builtin_fabs(d) < 100.0 ? -d : d * 0.125;",
                    "if (is_small(d)) d = (double)((int)d & 511) + 0.5;",
                )
            )
        ]

    def _narrow(self, _: int) -> list[str]:
        kind = self._chance.choice(("unsigned char", "unsigned short", "u64", "_Bool"))
        return [f"{{ {kind} t = ({kind})({self._value(1)}); t += ({kind})3; x ^= (u32)t * 5u; }}"]

    def _signed(self, _: int) -> list[str]:
        """Small signed numbers, whose arithmetic does not wrap around."""
        first, second = self._value(1), self._value(1)
        operator = self._chance.choice(("+", "-", "*"))
        use = self._chance.choice(("s / 7", "s % 9", "s >> 3", "-s", "s < 0 ? -s : s", "s * 2 - t"))
        return [
            f"{{ int s = (int)(({first}) & 0x3fffu) - 8000, t = (int)(({second}) & 0x3fffu) - 8000;",
            f"s = s {operator} t; y += (u32)({use}); i = (s > t) + (i & 0xff); }}",
        ]

    def _block(self, depth: int) -> list[str]:
        """A small local array."""
        del depth
        return [
            "{ u32 local[8]; for (int v = 0; v < 8; v++) local[v] = x * (u32)v + y;",
            f"  local[({self._value(2)}) & 7] ^= z;",
            "  for (int v = 7; v >= 0; v--) z = z * 5u + local[v]; }",
        ]

    def _early(self, depth: int) -> list[str]:
        if self._chance.random() < 1 / 2:
            return self._assign(depth)
        return [f"if ({self._condition()} && (z & 31u) == 5u) return {self._value(1)};"]

    def _variable(self) -> str:
        return self._chance.choice("xyz")

    def _condition(self) -> str:
        operator = self._chance.choice(("<", ">", "==", "!=", ">=", "<="))
        plain = f"{self._value(1)} {operator} {self._value(2)}"
        signed = f"(int)(({self._value(2)}) & 0xffffu) {operator} (int)(x & 0xfffu) - 100"
        return self._chance.choice((plain, plain, signed, f"(({plain}) && y > 3u)", f"(({plain}) || x & 1u)"))

    def _value(self, depth: int) -> str:
        if depth >= _DEPTH or self._chance.random() < 1 / 3:
            return self._leaf()
        one, other = self._value(depth + 1), self._value(depth + 1)
        return self._chance.choice(
            (
                f"({one} + {other})",
                f"({one} - {other})",
                f"({one} * {other})",
                f"({one} & {other})",
                f"({one} | {other})",
                f"({one} ^ {other})",
                f"({one} << ({other} & 31u))",
                f"({one} >> ({other} & 31u))",
                f"({one} / ({other} | 1u))",
                f"({one} % ({other} | 1u))",
                f"({one} < {other} ? {other} : {one})",
                f"(u32)((u64){one} * {other} >> 32)",
                f"~{one}",
            )
        )

    def _leaf(self) -> str:
        return self._chance.choice(
            (
                *"xyzpq",
                f"{self._chance.choice((0, 1, 2, 3, 7, 8, 31, 255, 256, 65535, 1 << 31))}u",
                f"{self._chance.randrange(1000)}u",
                f"table[{self._variable()} & 15]",
                f"constants[{self._variable()} & 7]",
                "(u32)bytes[x & 31]",
                "(u32)i",
                "(u32)n",
                f"(u32)__builtin_popcount({self._variable()})",
            )
        )
