"""The native function that starts threads, works with them and joins them: one call from Python's view.

Python runs its signal handlers, and raises what they raise, only once a native call has returned. By then no
thread is left that uses the caller's memory, and the calling thread may run where it could before. Blocking
signals in the calling thread would not do: the process's other threads, such as those of numpy's libraries,
take them in its place.
"""

from __future__ import annotations

import ctypes
import signal
from typing import Final

TOGETHER: Final = "together"
_STACK_BYTES: Final = 1 << 18
"""Of a thread; the usual 8 MiB each would not fit a limited address space on large machines."""


class Task(ctypes.Structure):
    """What a worker does.

    Attributes:
        shared: Address of what the workers share.
        worker: Its number.
        entry: Address of the function that it calls.
        mask: Address of the set of CPUs that it may run on.
        mask_bytes: Size of that set.
        thread: Its thread, which the native code notes; the first worker has none of its own.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("shared", "worker", "entry", "mask", "mask_bytes", "thread")
    )


class Team(ctypes.Structure):
    """All workers.

    Attributes:
        tasks: Address of their tasks, one after the other.
        workers: Their number, at least 1.
        before: Address of the set of CPUs that the calling thread gets back.
        before_bytes: Size of that set.
        started: How many workers there were, the calling thread among them; the native code notes it.
    """

    _fields_ = tuple(
        (name, ctypes.c_int64) for name in ("tasks", "workers", "before", "before_bytes", "started")
    )


_DECLARATIONS: Final = """
declare i32 @sched_setaffinity(i32, i64, ptr)
declare i32 @sigfillset(ptr)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare i32 @pthread_attr_init(ptr)
declare i32 @pthread_attr_setstacksize(ptr, i64)
declare i32 @pthread_attr_destroy(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
"""

_THREAD: Final = """
define internal ptr @thread(ptr %task) nounwind {
  %shared.at = getelementptr i8, ptr %task, i64 {task.shared}
  %worker.at = getelementptr i8, ptr %task, i64 {task.worker}
  %entry.at = getelementptr i8, ptr %task, i64 {task.entry}
  %mask.at = getelementptr i8, ptr %task, i64 {task.mask}
  %bytes.at = getelementptr i8, ptr %task, i64 {task.mask_bytes}
  %shared = load ptr, ptr %shared.at
  %worker = load i64, ptr %worker.at
  %entry = load ptr, ptr %entry.at
  %mask = load ptr, ptr %mask.at
  %bytes = load i64, ptr %bytes.at
  %failed = call i32 @sched_setaffinity(i32 0, i64 %bytes, ptr %mask)
  %is.refused = icmp ne i32 %failed, 0
  %refused = zext i1 %is.refused to i64
  %unpinned.at = getelementptr i8, ptr %shared, i64 {unpinned}
  %ignored = atomicrmw add ptr %unpinned.at, i64 %refused monotonic
  call void %entry(ptr %shared, i64 %worker)
  ret ptr null
}
"""
"""What a worker does; where pinning is refused it goes on unpinned, and is counted."""

_TOGETHER: Final = """
define i32 @together(ptr %team) nounwind {
entry:
  %attributes = alloca [256 x i8], align 16
  %every = alloca [128 x i8], align 16
  %signals = alloca [128 x i8], align 16
  %tasks.at = getelementptr i8, ptr %team, i64 {team.tasks}
  %tasks = load ptr, ptr %tasks.at
  %workers.at = getelementptr i8, ptr %team, i64 {team.workers}
  %workers = load i64, ptr %workers.at
  %single = icmp eq i64 %workers, 1
  br i1 %single, label %work, label %prepare
prepare:
  %filled = call i32 @sigfillset(ptr %every)
  %blocked = call i32 @pthread_sigmask(i32 {block}, ptr %every, ptr %signals)
  %made = call i32 @pthread_attr_init(ptr %attributes)
  %set = call i32 @pthread_attr_setstacksize(ptr %attributes, i64 {stack})
  br label %create
create:
  %worker = phi i64 [1, %prepare], [%next, %created]
  %offset = mul i64 %worker, {task.bytes}
  %task = getelementptr i8, ptr %tasks, i64 %offset
  %thread.at = getelementptr i8, ptr %task, i64 {task.thread}
  %failed = call i32 @pthread_create(ptr %thread.at, ptr %attributes, ptr @thread, ptr %task)
  %is.failed = icmp ne i32 %failed, 0
  br i1 %is.failed, label %ready, label %created
created:
  %next = add i64 %worker, 1
  %more = icmp slt i64 %next, %workers
  br i1 %more, label %create, label %ready
ready:
  %there = phi i64 [%worker, %create], [%next, %created]
  %destroyed = call i32 @pthread_attr_destroy(ptr %attributes)
  %unblocked = call i32 @pthread_sigmask(i32 {restore}, ptr %signals, ptr null)
  br i1 %is.failed, label %give.up, label %work
give.up:
  %shared.at = getelementptr i8, ptr %tasks, i64 {task.shared}
  %shared = load ptr, ptr %shared.at
  %aborted.at = getelementptr i8, ptr %shared, i64 {aborted}
  store atomic i64 1, ptr %aborted.at monotonic, align 8
  br label %finish
work:
  %all = phi i64 [1, %entry], [%there, %ready]
  %worked = call ptr @thread(ptr %tasks)
  %before.at = getelementptr i8, ptr %team, i64 {team.before}
  %before = load ptr, ptr %before.at
  %bytes.at = getelementptr i8, ptr %team, i64 {team.before_bytes}
  %bytes = load i64, ptr %bytes.at
  %freed = call i32 @sched_setaffinity(i32 0, i64 %bytes, ptr %before)
  br label %finish
finish:
  %started = phi i64 [%there, %give.up], [%all, %work]
  %status = phi i32 [%failed, %give.up], [0, %work]
  %started.at = getelementptr i8, ptr %team, i64 {team.started}
  store i64 %started, ptr %started.at
  br label %look
look:
  %left = phi i64 [%started, %finish], [%last, %join]
  %last = sub i64 %left, 1
  %alone = icmp eq i64 %last, 0
  br i1 %alone, label %out, label %join
join:
  %joined.offset = mul i64 %last, {task.bytes}
  %joined = getelementptr i8, ptr %tasks, i64 %joined.offset
  %joined.at = getelementptr i8, ptr %joined, i64 {task.thread}
  %joined.thread = load i64, ptr %joined.at
  %ended = call i32 @pthread_join(i64 %joined.thread, ptr null)
  br label %look
out:
  ret i32 %status
}
"""
"""The threads inherit blocked signals, which are for those that run Python. ``pthread_attr_t`` and
``sigset_t`` are nowhere larger than the room for them here."""


def threads() -> str:
    """The IR of ``together(team)``; offsets in what workers share are left to be filled in.

    It starts a thread for each worker but the first, whose part it does itself, and ends when all have ended.
    Its result is 0, or the error number where a thread could not be started: then no worker has met all
    others, and each was told to give up by ``aborted``.
    """
    text = _DECLARATIONS + _THREAD + _TOGETHER
    words = {"stack": _STACK_BYTES, "block": signal.SIG_BLOCK.value, "restore": signal.SIG_SETMASK.value}
    words["task.bytes"] = ctypes.sizeof(Task)
    for kind in (Task, Team):
        prefix = kind.__name__.lower()
        names = [field[0] for field in kind._fields_]
        words |= {f"{prefix}.{name}": getattr(kind, name).offset for name in names}
    for name, number in words.items():
        text = text.replace(f"{{{name}}}", str(number))
    return text
