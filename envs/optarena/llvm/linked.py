"""Links modules in a worker process; the parent's side of ``linking``."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.errors import InvalidInput, SessionKilled, SessionOutOfMemory, SessionTimeout
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.linking import Part, order
from optarena.service.client.zygote import Zygote
from optarena.service.processes.exit_status import ending_error
from optarena.service.protocol import wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.service.client.zygote import Worker

__all__ = ["NotLinked", "Part", "link"]

_SESSION_TYPE: Final = "optarena.llvm.session:LlvmSession"
_ENTRY: Final = "optarena.llvm.linking:child_main"
_END_SECONDS: Final = 30.0
_LEAST_CPU_SECONDS: Final = 1.0
_REMEDY: Final = (
    "Give IR of LLVM 22 for Linux on x86_64, as clang 22 makes it with --target=x86_64-unknown-linux-gnu. "
    "Compile the IR of another version again from its sources."
)
_MEMORY_REMEDY: Final = (
    "Give a smaller program: the bodies of always_inline functions are put into all their callers."
)


class NotLinked(InvalidInput):
    """Nothing was found out about the modules: time or memory ran out, or somebody ended the worker."""


def link(
    parts: Sequence[Part],
    *,
    seconds: float,
    runnable: bool = False,
    memory_bytes: int = limits.SESSION_MEMORY_BYTES,
) -> bytes:
    """Link modules to one program, prepared as benchmarks are if it has a ``main``.

    Args:
        parts: At least one module.
        seconds: Wall time that linking may take.
        runnable: Whether to refuse a program that cannot be run.
        memory_bytes: Address space that linking may take.

    Returns:
        The program's bitcode.

    Raises:
        InvalidInput: A part cannot be read, is for another machine, or does not fit the others; or LLVM
            crashed.
        NotLinked: Linking took too long or too much memory, or its process was killed.
        ServiceError: The process cannot be started.
    """
    allowed = ProcessLimits(cpu_seconds_per_call=max(seconds, _LEAST_CPU_SECONDS), memory_bytes=memory_bytes)
    payload = order(parts, runnable=runnable)
    worker = Zygote.shared(_SESSION_TYPE).spawn(_ENTRY, limits=allowed, sandbox=False, payload=payload)
    names = ", ".join(part.name for part in parts)
    with worker:
        said = _answer(worker, names, allowed, seconds)
    head, _, bitcode = said.partition(b"\n")
    problem: dict[str, Any] | None = json.loads(head)
    if problem is not None:
        remedy = problem["remedy"] or _REMEDY
        raise InvalidInput(problem["message"], field="inputs", value=problem["name"], remedy=remedy)
    return bitcode


def _answer(worker: Worker, names: str, allowed: ProcessLimits, seconds: float) -> bytes:
    said = None
    try:
        said = wire.receive(worker.channel, time.monotonic() + seconds)
    except TimeoutError:
        raise _too_long(names, seconds) from None
    except (OSError, wire.BrokenFrame):
        pass  # the worker has ended: its exit status tells how
    if said is None:
        raise _ended(worker, names, allowed, seconds)
    return said


def _ended(worker: Worker, names: str, allowed: ProcessLimits, seconds: float) -> InvalidInput:
    status = worker.wait(_END_SECONDS)
    why = None if status is None else ending_error(status, worker.stderr_tail(), allowed)
    if isinstance(why, SessionTimeout):
        return _too_long(names, seconds)
    if isinstance(why, SessionOutOfMemory):
        message = f"LLVM needed more than {allowed.memory_bytes} bytes of memory to link {names}."
        return NotLinked(message, field="inputs", value=names, remedy=_MEMORY_REMEDY)
    message = f"LLVM ended by {status} while it read and linked {names}."
    if isinstance(why, SessionKilled):
        return NotLinked(message, field="inputs", value=names, remedy="Try again.")
    return InvalidInput(message, field="inputs", value=names, remedy=_REMEDY)


def _too_long(names: str, seconds: float) -> NotLinked:
    message = f"LLVM needed more than {seconds:.3g} s to link {names}."
    remedy = "Give a larger timeout=, or a smaller program."
    return NotLinked(message, field="timeout", value=names, remedy=remedy)
