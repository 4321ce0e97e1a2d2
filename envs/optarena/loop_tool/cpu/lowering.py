"""Lowers a plan to LLVM IR as text, exactly as the schedule defines it.

The function ``nest(a, b, c, lo, hi)`` runs the iterations ``lo`` to ``hi`` that are shared out to threads.
Only the passes of code generation run on it afterwards, and its loops forbid unrolling and vectorising, so
the schedule alone decides on blocking, tails, threads and straight-line code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from optarena.loop_tool.nest import Plan

NEST: Final = "nest"
_ARGUMENTS: Final = (
    "ptr noalias nocapture readonly %a, ptr noalias nocapture readonly %b, "
    "ptr noalias nocapture writeonly %c, i64 %lo, i64 %hi"
)
_NO_PASSES: Final = """
!0 = !{!"llvm.loop.unroll.disable"}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
"""


def lower(plan: Plan, width: int) -> str:  # a width of 1 means no vectors
    body = _Body(plan, width)
    body.shared_out()
    loops = "\n".join(body.loops)
    return (
        "declare i64 @llvm.umin.i64(i64, i64)\n\n"
        f"define void @{NEST}({_ARGUMENTS}) noinline nounwind {{\n"
        + "\n".join(body.lines)
        + f"\n  ret void\n}}\n{_NO_PASSES}{loops}\n"
    )


def pieces(elements: int, width: int) -> list[int]:  # the vectors of straight-line code, widest first
    found = []
    while elements:
        width = min(width, 1 << (elements.bit_length() - 1))
        found += [width] * (elements // width)
        elements %= width
    return found


def reference(elements: int) -> str:  # LLVM's own passes then optimise it
    return f"""
define void @{NEST}({_ARGUMENTS}) noinline nounwind {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %pa = getelementptr inbounds float, ptr %a, i64 %i
  %pb = getelementptr inbounds float, ptr %b, i64 %i
  %pc = getelementptr inbounds float, ptr %c, i64 %i
  %x = load float, ptr %pa, align 4
  %y = load float, ptr %pb, align 4
  %z = fadd float %x, %y
  store float %z, ptr %pc, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, {elements}
  br i1 %more, label %loop, label %done
done:
  ret void
}}
"""


class _Body:
    """The function's basic blocks during writing; code is always added at the end of the last one."""

    def __init__(self, plan: Plan, width: int) -> None:
        self.lines = ["entry:"]
        self.loops: list[str] = []
        self._plan = plan
        self._width = width
        self._block = "entry"
        self._names = 0
        # The number of the present iteration of each threaded level, by the level's index.
        self._digits: dict[int, str] = {}

    def shared_out(self) -> None:  # counts the mixed-radix digits of the iteration's number
        threaded = [index for index, level in enumerate(self._plan.levels) if level.threaded]
        if not threaded:
            self._level(0, "0", str(self._plan.elements))
            return
        first = self._first_digits(threaded)
        work, done = self._label("work"), self._label("done")
        some = self._value("icmp ult i64 %lo, %hi")
        self._add(f"br i1 {some}, label %{work}, label %{done}")
        before = self._block
        self._start(work)
        number = self._phi("%lo", before)
        digits = {index: self._phi(first[index], before) for index in threaded if len(threaded) > 1}
        self._digits = digits or {threaded[0]: number}
        self._level(0, "0", str(self._plan.elements))
        following = self._value(f"add nuw nsw i64 {number}, 1")
        arriving = {number: following, **self._next_digits(digits)}
        self._close_loop(work, done, f"icmp ult i64 {following}, %hi", arriving)

    def _first_digits(self, threaded: list[int]) -> dict[int, str]:  # the only division
        if len(threaded) == 1:
            return {}
        rest, digits = "%lo", {}
        for index in reversed(threaded):
            trips = self._plan.levels[index].trips
            digits[index] = self._value(f"urem i64 {rest}, {trips}")
            rest = self._value(f"udiv i64 {rest}, {trips}")
        return digits

    def _next_digits(self, digits: dict[int, str]) -> dict[str, str]:
        # The innermost level varies fastest.
        arriving, carry = {}, "1"
        for index in reversed(digits):
            turned = self._value(f"add nuw nsw i64 {digits[index]}, {carry}")
            full = self._value(f"icmp eq i64 {turned}, {self._plan.levels[index].trips}")
            arriving[digits[index]] = self._value(f"select i1 {full}, i64 0, i64 {turned}")
            carry = self._value(f"zext i1 {full} to i64")
        return arriving

    def _level(self, index: int, base: str, end: str) -> None:
        # `end` is used only if a block may be shorter than usual.
        levels, plan = self._plan.levels, self._plan
        if index == len(levels):
            if plan.ragged and plan.leaf > 1:
                self._leaves(base, end)
            else:
                self._straight(base, plan.leaf)
        elif levels[index].threaded:
            self._lower_threaded(index, base, end)
        elif index == len(levels) - 1 and plan.ragged and plan.leaf > 1:
            self._leaves(base, end)
        else:
            self._lower_serial(index, base, end)

    def _lower_threaded(self, index: int, base: str, end: str) -> None:
        # The one iteration that its digit selects; none if the block has fewer.
        level = self._plan.levels[index]
        offset = self._value(f"mul nuw nsw i64 {self._digits[index]}, {level.step}")
        begin = self._value(f"add nuw nsw i64 {base}, {offset}")
        if not level.ragged:
            self._level(index + 1, begin, self._end_of(index, begin, end))
            return
        inside, after = self._label("inside"), self._label("after")
        is_there = self._value(f"icmp ult i64 {begin}, {end}")
        self._add(f"br i1 {is_there}, label %{inside}, label %{after}")
        self._start(inside)
        self._level(index + 1, begin, self._end_of(index, begin, end))
        self._go(after)

    def _lower_serial(self, index: int, base: str, end: str) -> None:  # the block is never empty
        level = self._plan.levels[index]
        limit = end if level.ragged else self._sum(base, level.trips * level.step)
        loop, done, before = self._label("loop"), self._label("done"), self._block
        self._go(loop)
        begin = self._phi(base, before)
        self._level(index + 1, begin, self._end_of(index, begin, end))
        following = self._value(f"add nuw nsw i64 {begin}, {level.step}")
        self._close_loop(loop, done, f"icmp ult i64 {following}, {limit}", {begin: following})

    def _end_of(self, index: int, begin: str, end: str) -> str:  # only if code inside uses it
        if not self._plan.ragged:
            return ""
        level = self._plan.levels[index]
        whole = self._sum(begin, level.step)
        return self._value(f"call i64 @llvm.umin.i64(i64 {whole}, i64 {end})") if level.ragged else whole

    def _leaves(self, base: str, end: str) -> None:
        # Whole leaves while they fit before the end, then single elements.
        leaf, whole, rest = self._plan.leaf, self._label("whole"), self._label("rest")
        before = self._block
        fits = self._value(f"icmp ule i64 {self._sum(base, leaf)}, {end}")
        self._add(f"br i1 {fits}, label %{whole}, label %{rest}")
        self._start(whole)
        begin = self._phi(base, before)
        self._straight(begin, leaf)
        following = self._value(f"add nuw nsw i64 {begin}, {leaf}")
        last = self._block
        self._close_loop(whole, rest, f"icmp ule i64 {self._sum(following, leaf)}, {end}", {begin: following})
        left = self._value(f"phi i64 [{base}, %{before}], [{following}, %{last}]")
        single, done = self._label("single"), self._label("done")
        some = self._value(f"icmp ult i64 {left}, {end}")
        self._add(f"br i1 {some}, label %{single}, label %{done}")
        self._start(single)
        element = self._phi(left, rest)
        self._straight(element, 1)
        following = self._value(f"add nuw nsw i64 {element}, 1")
        self._close_loop(single, done, f"icmp ult i64 {following}, {end}", {element: following})

    def _straight(self, base: str, elements: int) -> None:
        offset = 0
        for piece in pieces(elements, self._width):
            kind = f"<{piece} x float>" if piece > 1 else "float"
            first = self._sum(base, offset)
            a, b, c = (
                self._value(f"getelementptr inbounds float, ptr {name}, i64 {first}")
                for name in ("%a", "%b", "%c")
            )
            x, y = (self._value(f"load {kind}, ptr {place}, align 4") for place in (a, b))
            self._add(f"store {kind} {self._value(f'fadd {kind} {x}, {y}')}, ptr {c}, align 4")
            offset += piece

    def _sum(self, value: str, number: int) -> str:
        return self._value(f"add nuw nsw i64 {value}, {number}") if number else value

    def _close_loop(self, loop: str, done: str, condition: str, arriving: dict[str, str]) -> None:
        # `arriving` has the next value of each phi of the loop.
        more = self._value(condition)
        mark = f"!{len(self.loops) + 2}"
        self.loops.append(f"{mark} = distinct !{{{mark}, !0, !1}}")
        self._add(f"br i1 {more}, label %{loop}, label %{done}, !llvm.loop {mark}")
        for number, line in enumerate(self.lines):
            name = line.split(" = ")[0].strip()
            if name in arriving:
                self.lines[number] = f"{line}, [{arriving[name]}, %{self._block}]"
        self._start(done)

    def _phi(self, first: str, before: str) -> str:  # `_close_loop` sets the next value
        return self._value(f"phi i64 [{first}, %{before}]")

    def _go(self, label: str) -> None:
        self._add(f"br label %{label}")
        self._start(label)

    def _start(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self._block = label

    def _label(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def _value(self, text: str) -> str:
        self._names += 1
        self._add(f"%v{self._names} = {text}")
        return f"%v{self._names}"

    def _add(self, line: str) -> None:
        self.lines.append(f"  {line}")
