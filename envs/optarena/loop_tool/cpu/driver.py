"""The native loop that calls a nest again and again and reads the clock: neither Python nor ctypes is timed.

All workers of a nest enter ``measure`` once, each on its own thread. They meet at a spinning barrier before
the first call and after every call, so that one call is the whole nest and none overlaps the next. Worker 0
reads the clock around a batch of calls and decides, while the others wait, what comes next:

* a batch shorter than ``target_ns`` was too short to time: twice the calls, and all begins anew;
* the first batch that is long enough is a warm-up, those after it are samples;
* it ends with ``most`` samples, with at least ``least`` once ``budget_ns`` are over, or with any number of
  them after ``patience_ns``.

With ``target_ns`` 0, ``warm`` and ``most`` 1 it makes a single call.

The nest is called through a pointer, by code that is not compiled with it, so no call can be left out.
"""

from __future__ import annotations

import ctypes
from typing import Final

from optarena.loop_tool.cpu.threads import threads

MEASURE: Final = "measure"
_LINE_WORDS: Final = 8
"""64-bit words of a cache line."""


class Shared(ctypes.Structure):
    """What the workers share; the parts that several write have a cache line each.

    Attributes:
        a: Address of the first operand.
        b: Address of the second operand.
        c: Address of the result.
        nest: Address of the function that is called.
        workers: Their number.
        bounds: Address of their first shared-out iterations, and of the end: ``workers + 1`` numbers.
        target_ns: Nanoseconds of a batch, at least.
        budget_ns: Nanoseconds after which ``least`` samples do.
        patience_ns: Nanoseconds after which any number of samples does.
        least: Samples at least, where there is time.
        most: Samples at most, and the room there is for them.
        times: Address of the samples, in nanoseconds.
        unpinned: Workers that were not allowed to stay on their CPU.
        calls: Calls of a batch.
        samples: How many there are.
        done: Whether the last batch was run.
        warm: Whether a batch that is long enough was run, or none is needed.
        begun: The clock at the start.
        arrived: Workers that wait at the barrier.
        round: How often all have met there.
        aborted: Not 0: waiting has no sense, a worker is missing.
    """

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("a", "b", "c", "nest", "workers", "bounds")),
        *((name, ctypes.c_int64) for name in ("target_ns", "budget_ns", "patience_ns")),
        *((name, ctypes.c_int64) for name in ("least", "most", "times", "unpinned")),
        ("_padding0", ctypes.c_int64 * 3),
        *((name, ctypes.c_int64) for name in ("calls", "samples", "done", "warm", "begun")),
        ("_padding1", ctypes.c_int64 * 3),
        ("arrived", ctypes.c_int64),
        ("_padding2", ctypes.c_int64 * (_LINE_WORDS - 1)),
        ("round", ctypes.c_int64),
        ("aborted", ctypes.c_int64),
        ("_padding3", ctypes.c_int64 * (_LINE_WORDS - 2)),
    )


_PAUSES: Final = {
    "x86_64": 'call void asm sideeffect "pause", ""()',
    "aarch64": 'call void asm sideeffect "yield", ""()',
}
_SPINS: Final = 20_000
"""Looks at the barrier, about half a millisecond, before the core is offered to other threads each time."""

_MEET: Final = """
define internal i1 @meet(ptr %shared) noinline nounwind {
  %round.at = getelementptr i8, ptr %shared, i64 {round}
  %arrived.at = getelementptr i8, ptr %shared, i64 {arrived}
  %aborted.at = getelementptr i8, ptr %shared, i64 {aborted}
  %workers.at = getelementptr i8, ptr %shared, i64 {workers}
  %workers = load i64, ptr %workers.at
  %last = sub i64 %workers, 1
  %round = load atomic i64, ptr %round.at acquire, align 8
  %before = atomicrmw add ptr %arrived.at, i64 1 acq_rel
  %all = icmp eq i64 %before, %last
  br i1 %all, label %open, label %spin
open:
  store atomic i64 0, ptr %arrived.at monotonic, align 8
  %next = add i64 %round, 1
  store atomic i64 %next, ptr %round.at release, align 8
  ret i1 true
spin:
  %spins = phi i64 [0, %0], [%more, %again]
  %now = load atomic i64, ptr %round.at acquire, align 8
  %moved = icmp ne i64 %now, %round
  br i1 %moved, label %met, label %look
met:
  ret i1 true
look:
  %aborted = load atomic i64, ptr %aborted.at monotonic, align 8
  %alone = icmp ne i64 %aborted, 0
  br i1 %alone, label %given.up, label %wait
given.up:
  ret i1 false
wait:
  {pause}
  %more = add i64 %spins, 1
  %long = icmp ugt i64 %more, {spins}
  br i1 %long, label %yield, label %again
yield:
  %ignored = call i32 @sched_yield()
  br label %again
again:
  br label %spin
}
"""

_CLOCK: Final = """
declare i32 @clock_gettime(i32, ptr)
declare i32 @sched_yield()

define internal i64 @clock() noinline nounwind {
  %time = alloca [2 x i64], align 8
  %ignored = call i32 @clock_gettime(i32 1, ptr %time)
  %seconds = load i64, ptr %time
  %rest.at = getelementptr i8, ptr %time, i64 8
  %rest = load i64, ptr %rest.at
  %whole = mul i64 %seconds, 1000000000
  %all = add i64 %whole, %rest
  ret i64 %all
}
"""
"""``CLOCK_MONOTONIC`` in nanoseconds; the C library reads it without a system call."""

_DECIDE: Final = """
define internal void @decide(ptr %shared, i64 %taken, i64 %now) noinline nounwind {
  %calls.at = getelementptr i8, ptr %shared, i64 {calls}
  %samples.at = getelementptr i8, ptr %shared, i64 {samples}
  %warm.at = getelementptr i8, ptr %shared, i64 {warm}
  %done.at = getelementptr i8, ptr %shared, i64 {done}
  %target.at = getelementptr i8, ptr %shared, i64 {target_ns}
  %target = load i64, ptr %target.at
  %short = icmp slt i64 %taken, %target
  br i1 %short, label %grow, label %long
grow:
  %calls = load i64, ptr %calls.at
  %doubled = shl i64 %calls, 1
  store i64 %doubled, ptr %calls.at
  store i64 0, ptr %samples.at
  store i64 0, ptr %warm.at
  ret void
long:
  %warm = load i64, ptr %warm.at
  %cold = icmp eq i64 %warm, 0
  br i1 %cold, label %warmed, label %keep
warmed:
  store i64 1, ptr %warm.at
  ret void
keep:
  %samples = load i64, ptr %samples.at
  %times.at = getelementptr i8, ptr %shared, i64 {times}
  %times = load ptr, ptr %times.at
  %sample.at = getelementptr i64, ptr %times, i64 %samples
  store i64 %taken, ptr %sample.at
  %more = add i64 %samples, 1
  store i64 %more, ptr %samples.at
  %least.at = getelementptr i8, ptr %shared, i64 {least}
  %least = load i64, ptr %least.at
  %most.at = getelementptr i8, ptr %shared, i64 {most}
  %most = load i64, ptr %most.at
  %begun.at = getelementptr i8, ptr %shared, i64 {begun}
  %begun = load i64, ptr %begun.at
  %budget.at = getelementptr i8, ptr %shared, i64 {budget_ns}
  %budget = load i64, ptr %budget.at
  %spent = sub i64 %now, %begun
  %over = icmp sge i64 %spent, %budget
  %enough = icmp sge i64 %more, %least
  %stop = and i1 %over, %enough
  %full = icmp sge i64 %more, %most
  %patience.at = getelementptr i8, ptr %shared, i64 {patience_ns}
  %patience = load i64, ptr %patience.at
  %late = icmp sge i64 %spent, %patience
  %soon = or i1 %stop, %full
  %end = or i1 %soon, %late
  %done = zext i1 %end to i64
  store i64 %done, ptr %done.at
  ret void
}
"""

_ARGUMENTS: Final = """
  %a.at = getelementptr i8, ptr %shared, i64 {a}
  %a = load ptr, ptr %a.at
  %b.at = getelementptr i8, ptr %shared, i64 {b}
  %b = load ptr, ptr %b.at
  %c.at = getelementptr i8, ptr %shared, i64 {c}
  %c = load ptr, ptr %c.at
  %nest.at = getelementptr i8, ptr %shared, i64 {nest}
  %nest = load ptr, ptr %nest.at
  %bounds.at = getelementptr i8, ptr %shared, i64 {bounds}
  %bounds = load ptr, ptr %bounds.at
  %lo.at = getelementptr i64, ptr %bounds, i64 %worker
  %lo = load i64, ptr %lo.at
  %hi.at = getelementptr i64, ptr %lo.at, i64 1
  %hi = load i64, ptr %hi.at
"""

_CALL: Final = """
  call void %nest(ptr %a, ptr %b, ptr %c, i64 %lo, i64 %hi)
  call void asm sideeffect "", "~{memory}"()
"""

_RUNS: Final = """
define void @measure(ptr %shared, i64 %worker) nounwind {
entry:
{arguments}
  %calls.at = getelementptr i8, ptr %shared, i64 {calls}
  %done.at = getelementptr i8, ptr %shared, i64 {done}
  %begun.at = getelementptr i8, ptr %shared, i64 {begun}
  %workers.at = getelementptr i8, ptr %shared, i64 {workers}
  %workers = load i64, ptr %workers.at
  %single = icmp eq i64 %workers, 1
  %first = icmp eq i64 %worker, 0
  br i1 %first, label %begin, label %gather
begin:
  %begun = call i64 @clock()
  store i64 %begun, ptr %begun.at
  br label %gather
gather:
  %all.here = call i1 @meet(ptr %shared)
  br i1 %all.here, label %batch, label %out
batch:
  %calls = load i64, ptr %calls.at
  %start = call i64 @clock()
  br i1 %single, label %alone, label %together
alone:
  %i = phi i64 [0, %batch], [%i.next, %alone]
{call}
  %i.next = add i64 %i, 1
  %i.more = icmp slt i64 %i.next, %calls
  br i1 %i.more, label %alone, label %stop
together:
  %j = phi i64 [0, %batch], [%j.next, %all.done]
{call}
  %met = call i1 @meet(ptr %shared)
  br i1 %met, label %all.done, label %out
all.done:
  %j.next = add i64 %j, 1
  %j.more = icmp slt i64 %j.next, %calls
  br i1 %j.more, label %together, label %stop
stop:
  %end = call i64 @clock()
  br i1 %first, label %judge, label %judged
judge:
  %taken = sub i64 %end, %start
  call void @decide(ptr %shared, i64 %taken, i64 %end)
  br label %judged
judged:
  %told = call i1 @meet(ptr %shared)
  br i1 %told, label %next, label %out
next:
  %done = load i64, ptr %done.at
  %finished = icmp ne i64 %done, 0
  br i1 %finished, label %out, label %batch
out:
  ret void
}
"""


def driver(architecture: str) -> str:
    """The IR of the functions.

    ``measure(shared, worker)``, and ``together(team)``, which calls it or another on threads.

    Args:
        architecture: As ``uname -m`` names it; how to spin politely is known for some.
    """
    runs = _RUNS.replace("{arguments}", _ARGUMENTS).replace("{call}", _CALL)
    text = _CLOCK + _MEET + _DECIDE + threads() + runs
    text = text.replace("{pause}", _PAUSES.get(architecture, "")).replace("{spins}", str(_SPINS))
    for name in (field[0] for field in Shared._fields_):
        text = text.replace(f"{{{name}}}", str(getattr(Shared, name).offset))
    return text
