"""Runs an object file in a worker of its own and reports what it printed and how it ended.

This is the parent's side: a worker links the program; the parent then sends the start signal and measures the
time until that process has ended. The sandbox and limits confine the program. Compilers that make object
files in workers use the same worker's answers (:func:`answer`), and all share one cache.
"""

from __future__ import annotations

import io
import json
import math
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from typing import Final

from optarena import errors, limits
from optarena.isolation.limits import ProcessLimits
from optarena.machine_code.program import GO
from optarena.measuring.machine import count_instructions
from optarena.service.client.connection import unexpected_end
from optarena.service.client.zygote import Worker, Zygote, at_renewal
from optarena.service.processes.exit_status import says_out_of_memory
from optarena.service.protocol import frames
from optarena.specs.benchmark import is_argument
from optarena.specs.results import Execution

MAX_BYTES: Final = 64 * 1024**2


class ObjectCache:
    # Drops the least recently used ones first. Thread-safe.

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._objects: OrderedDict[bytes, bytes] = OrderedDict()

    def renew(self) -> None:
        # Another thread may have held the lock during the fork.
        self._lock = threading.Lock()
        self._bytes = 0
        self._objects = OrderedDict()

    def get(self, key: bytes) -> bytes | None:
        with self._lock:
            code = self._objects.get(key)
            if code is not None:
                self._objects.move_to_end(key)
            return code

    def put(self, key: bytes, code: bytes) -> None:
        if len(code) > self._max_bytes:
            return
        with self._lock:
            self._bytes += len(code) - len(self._objects.pop(key, b""))
            self._objects[key] = code
            while self._bytes > self._max_bytes:
                _, given_up = self._objects.popitem(last=False)
                self._bytes -= len(given_up)


SESSION_TYPE: Final = "optarena.machine_code.program:ProgramSession"
_RUN: Final = "optarena.machine_code.program:run_main"
_END_SECONDS: Final = 30.0
_MOST_REFUSED_BYTES: Final = 20_000
_COMPILE_TIMEOUT: Final = "infra:compile-timeout"
COMPILING: Final = "compile"
# What a worker that runs a program does before; the program may be any compiler's.
LINKING: Final = "link"

# By a hash of what they were made from.
objects: Final = ObjectCache()
os.register_at_fork(after_in_child=objects.renew)
at_renewal(objects.renew)


def run_object(  # noqa: PLR0913 - the program's input and limits; all but the first by name
    make: Callable[[], bytes],
    *,
    args: Sequence[str] = (),
    stdin: bytes = b"",
    files: Mapping[str, bytes] | None = None,
    timeout: float = limits.WORKLOAD_SECONDS,
    output_limit: int = limits.WORKLOAD_OUTPUT_BYTES,
    sandbox: bool = True,
    ends: float = math.inf,
    cpu: int | None = None,
    reports: bool = False,
    elsewhere: bool = False,
    session_type: str = SESSION_TYPE,
) -> Execution:
    """Link a program and run its ``main`` in a fresh process.

    ``make`` gives it as an object file, position independent, or raises ``NotRunnable``. ``timeout`` is the
    wall time of the run, which ``limits.extended_by`` extends; everything stops at ``ends`` of the monotonic
    clock. The process is pinned to ``cpu``, None for any. ``files`` are those that it may read, by name. A
    confined run that ``reports`` says what the sandbox refused; one ``elsewhere`` has other addresses. The
    zygote of ``session_type`` loads at least what ``ProgramSession`` does.
    """
    for argument in args:
        if not is_argument(argument):
            remedy = "Give texts, without NUL and of whole characters."
            message = f"The program cannot be given {argument!r:.100}."
            raise errors.InvalidInput(message, field="args", value=argument, remedy=remedy)
    allowed = ProcessLimits(cpu_seconds_per_call=None, file_bytes=output_limit)
    try:
        payload = json.dumps([list(args), elsewhere]).encode() + b"\n" + make()
        zygote, traps = Zygote.shared(session_type), reports and sandbox
        with ExitStack() as stack:
            contents = (stdin, b"", b"") if traps else (stdin, b"")
            given = [stack.enter_context(_memory_file(content)) for content in contents]
            worker = stack.enter_context(
                zygote.spawn(
                    _RUN,
                    limits=allowed,
                    sandbox=sandbox,
                    fds=[file.fileno() for file in given],
                    payload=payload,
                    files=files,
                    traps=traps,
                )
            )
            before = float(answer(worker, allowed, ends, work=LINKING))
            if cpu is not None:
                _pin(worker, cpu)
            seconds = min(limits.seconds(timeout), max(ends - time.monotonic(), 0.0))
            execution = _run(worker, given[1], before, seconds)
            return replace(execution, refused=_lines(given[2])) if traps else execution
    except NotRunnable as error:
        return Execution(stderr=error.stderr, failure=str(error))


def _lines(refused: io.FileIO) -> tuple[str, ...]:
    # The program may have written there, too.
    refused.seek(0)
    return tuple(refused.read(_MOST_REFUSED_BYTES).decode(errors="replace").splitlines())


def failure_of(execution: Execution) -> str | None:
    # None if a run ended by itself. The exit code and the output are not judged.
    if execution.timed_out:
        return f"it did not end within {execution.seconds:.1f} s"
    if execution.failure is not None:
        return f"it cannot be run: {execution.failure}"
    if execution.output_truncated:
        return f"it prints more than {len(execution.stdout)} bytes"
    if execution.signal is not None:
        return f"it was killed by signal {execution.signal}"
    return None


class NotRunnable(Exception):
    """Why a program could not be compiled and linked, and what its worker wrote to standard error."""

    def __init__(self, problem: str, worker: Worker) -> None:
        super().__init__(problem)
        self.stderr = worker.stderr_tail()


def spawn(session_type: str, entry: str, payload: bytes, allowed: ProcessLimits, *, sandbox: bool) -> Worker:
    return Zygote.shared(session_type).spawn(entry, limits=allowed, sandbox=sandbox, payload=payload)


def _pin(worker: Worker, cpu: int) -> None:
    try:
        os.sched_setaffinity(worker.pid, {cpu})
    except ProcessLookupError:  # it has ended: its exit status tells how
        return
    except OSError as error:
        message = f"The program cannot be timed on processor {cpu}: {error.strerror}."
        raise errors.InfrastructureFault(message, reason="infra:core-lost") from error


def answer(worker: Worker, allowed: ProcessLimits, ends: float, *, work: str = COMPILING) -> bytes:
    """Return what a worker sends after its line of JSON when it has done its work, such as an object file."""
    start = time.monotonic()
    last = start + limits.seconds(limits.wall_seconds(limits.CODE_CPU_SECONDS))
    try:
        said = frames.receive(worker.channel, min(last, ends))
    except TimeoutError:
        message = f"LLVM needed more than {time.monotonic() - start:.0f} s to {work} the program."
        if ends <= last:
            raise NotRunnable(message, worker) from None
        raise errors.InfrastructureFault(message, reason=_COMPILE_TIMEOUT) from None
    except (OSError, frames.BrokenFrame):
        said = None
    if said is None:
        raise _end_of_work(worker, allowed, work)
    head, _, code = bytes(said).partition(b"\n")
    try:
        problem = _problem(head)
    except (ValueError, RecursionError) as error:  # a pass has damaged the memory of the process
        raise NotRunnable(
            f"LLVM was to {work} the program, but its answer cannot be read: {error}", worker
        ) from None
    if problem is None:
        return code
    if says_out_of_memory(problem):
        raise errors.SessionOutOfMemory(
            f"LLVM ran out of memory when it was to {work} the program: {problem}"
        )
    raise NotRunnable(problem, worker)


def _problem(head: bytes) -> str | None:
    read = json.loads(head)
    problem = read.get("error") if isinstance(read, dict) else read
    if problem is not None and not isinstance(problem, str):
        raise ValueError(f"expected a text, got {head[:80]!r}")
    return problem


def _end_of_work(worker: Worker, allowed: ProcessLimits, work: str) -> Exception:
    error = unexpected_end(worker, allowed)
    if isinstance(error, errors.SessionTimeout):
        message = f"LLVM did not {work} the program in time. {error}"
        return errors.InfrastructureFault(message, reason=_COMPILE_TIMEOUT)
    if isinstance(error, errors.SessionCrashed) and not isinstance(error, errors.SessionKilled):
        return NotRunnable(f"LLVM failed to {work} the program: {error}", worker)
    return error


def _run(worker: Worker, printed: io.FileIO, before: float, timeout: float) -> Execution:
    with count_instructions(worker.pid) as counter:
        start = time.perf_counter()
        with suppress(OSError):  # the worker has ended: its exit status tells how
            frames.send(worker.channel, GO)
        status = worker.wait(timeout)
        seconds = time.perf_counter() - start
        instructions = counter.read()
    timed_out = status is None
    if status is None:
        worker.kill()
        status = worker.wait(_END_SECONDS)
    elif status.is_foreign:
        raise errors.SessionKilled(
            f"The program's process was killed by {status.ending_text}.", signal=status.signal
        )
    if status is None:
        raise errors.InfrastructureFault("The program's process does not end, or its zygote does not say so.")
    printed.seek(0)
    return Execution(
        stdout=printed.readall(),
        exit_code=None if timed_out else status.code,
        signal=status.signal,
        seconds=seconds,
        cpu_seconds=status.cpu_seconds,
        run_cpu_seconds=None if status.cpu_seconds is None else max(0.0, status.cpu_seconds - before),
        instructions=instructions,
        timed_out=timed_out,
        output_truncated=status.signal == signal.SIGXFSZ,
        stderr=worker.stderr_tail(),
    )


@contextmanager
def _memory_file(content: bytes = b"") -> Iterator[io.FileIO]:
    # Unlike a pipe, it needs no reader or writer while the program is timed.
    with io.FileIO(os.memfd_create("program"), "r+") as file:
        rest = memoryview(content)
        while rest:
            rest = rest[file.write(rest) :]
        file.seek(0)
        yield file
