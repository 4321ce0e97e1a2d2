"""Links modules in a worker process; the parent's side of ``linking``."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import InvalidInput
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.linking import Part, order
from optarena.service import wire
from optarena.service.zygote import Zygote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.service.zygote import Worker

__all__ = ["Part", "link"]

_SESSION_TYPE: Final = "optarena.llvm.session:LlvmSession"
_ENTRY: Final = "optarena.llvm.linking:child_main"
_END_SECONDS: Final = 30.0
_REMEDY: Final = (
    "Give IR of LLVM 22 for Linux on x86_64, as clang 22 makes it with --target=x86_64-unknown-linux-gnu; "
    "what another version made is compiled again from its sources."
)


def link(parts: Sequence[Part], *, seconds: float, runnable: bool = False) -> bytes:
    """One program of several modules, prepared as benchmarks are if it has a ``main``.

    Args:
        parts: At least one.
        seconds: Wall and CPU time that it may take.
        runnable: Whether to refuse what cannot be run.

    Returns:
        Its bitcode.

    Raises:
        InvalidInput: A part cannot be read, is for another machine, or does not fit the others; LLVM crashed
            on it; or it took too long.
        ServiceError: The process cannot be started.
    """
    allowed = ProcessLimits(cpu_seconds_per_call=seconds)
    payload = order(parts, runnable=runnable)
    worker = Zygote.shared(_SESSION_TYPE).spawn(_ENTRY, limits=allowed, sandbox=False, payload=payload)
    names = ", ".join(part.name for part in parts)
    with worker:
        said = _answer(worker, names, seconds)
    head, _, bitcode = said.partition(b"\n")
    problem: dict[str, Any] | None = json.loads(head)
    if problem is not None:
        remedy = _REMEDY if problem["remedy"] is None else problem["remedy"]
        raise InvalidInput(problem["message"], field="inputs", value=problem["name"], remedy=remedy)
    return bitcode


def _answer(worker: Worker, names: str, seconds: float) -> bytes:
    try:
        said = wire.receive(worker.channel, time.monotonic() + seconds)
    except TimeoutError:
        message = f"LLVM needed more than {seconds:.0f} s to link {names}."
        remedy = "Give a larger timeout=, or a smaller program."
        raise InvalidInput(message, field="timeout", value=names, remedy=remedy) from None
    except (OSError, wire.BrokenFrame):
        said = None
    if said is None:
        message = f"LLVM ended by {worker.wait(_END_SECONDS)} while it read and linked {names}."
        raise InvalidInput(message, field="inputs", value=names, remedy=_REMEDY)
    return said
