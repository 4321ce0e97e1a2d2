"""Links modules to one program, in a process of its own: untrusted modules can crash LLVM's readers."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from optarena import limits
from optarena.documents.texts import one_line
from optarena.errors import InvalidInput, OptArenaError, SessionKilled, SessionOutOfMemory, SessionTimeout
from optarena.isolation.limits import ProcessLimits
from optarena.llvm import pinned
from optarena.llvm.module import Module, prepare
from optarena.llvm.runnable import check_runnable
from optarena.machine_code.libllvm import library
from optarena.service.client.zygote import Worker, Zygote
from optarena.service.processes.exit_status import ending_error
from optarena.service.protocol import frames

if TYPE_CHECKING:
    import socket


_SHOWN_CHARACTERS: Final = 500
_COUNTERS: Final = "llvm.instrprof."
_EMPTY_REMEDY: Final = "Give the IR of a program, as clang 22 writes it with -S -emit-llvm."


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    name: str
    data: bytes


def child_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    # Sends the number of functions that passes skip, and the bitcode; or {"name": …, "message": …,
    # "remedy": …}.
    del fds
    head, _, data = payload.partition(b"\n")
    header = json.loads(head)
    parts, start = [], 0
    for name, length in header["parts"]:
        parts.append(Part(name=name, data=data[start : start + length]))
        start += length
    frames.send(channel, _made(parts, runnable=header["runnable"], drop_optnone=header["drop_optnone"]))


def _made(parts: Sequence[Part], *, runnable: bool, drop_optnone: bool) -> bytes:
    name = ""
    try:
        modules = []
        for part in parts:
            name = part.name
            modules.append(_checked(part.data))
        name = ", ".join(part.name for part in parts)
        linked, skipped = _linked(modules, drop_optnone=drop_optnone)
        bitcode = _prepared(linked)
        if runnable:
            check_runnable(bitcode)
    except OptArenaError as error:
        text, remedy = str(error), ""
        if isinstance(error, InvalidInput):
            text, remedy = error.message, error.remedy
        # LLVM's message may quote any bytes of the module.
        shown = " ".join(one_line(line).strip() for line in text.splitlines())[:_SHOWN_CHARACTERS]
        told = {"name": name, "message": f"{name}: {shown}", "remedy": remedy}
        return json.dumps(told).encode()
    return b"%d\n" % skipped + bitcode


def _checked(data: bytes) -> bytes:
    if not data.strip():
        raise InvalidInput("The file is empty.", field="program", remedy=_EMPTY_REMEDY)
    with Module.parse(data) as module:
        _verify(module)
        return module.bitcode()


def _linked(modules: Sequence[bytes], *, drop_optnone: bool) -> tuple[bytes, int]:
    with Module.parse(modules[0]) as module:
        for other in modules[1:]:
            module.link(other)
        _verify(module)
        if counters := [name for name in module.declared_names() if name.startswith(_COUNTERS)]:
            raise InvalidInput(
                f"The program counts for a profile ({min(counters)}), which needs a pass of clang's own.",
                field="program",
                value=min(counters),
                remedy="Compile without -fprofile-instr-generate and -fcoverage-mapping.",
            )
        if drop_optnone:
            module.drop_optnone()
        module.run(pinned.COROUTINES)
        module.check_changeable()
        return module.bitcode(), len(module.skipped())


def _verify(module: Module) -> None:
    problem = module.verify()
    if problem:
        raise InvalidInput(f"The program is not valid: {problem.strip()}", field="program")


def _prepared(data: bytes) -> bytes:
    with Module.parse(data) as module:
        main = library().GetNamedFunction(module.handle, b"main")
        defined = bool(main) and not library().IsDeclaration(main)
        if not defined:  # without a definition, every declaration is kept
            module.drop_origin()
            return module.bitcode()
    return prepare(data)


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
    """Time or memory ran out, or the worker was ended: this says nothing about the modules."""


def link(
    parts: Sequence[Part],
    *,
    seconds: float,
    runnable: bool = False,
    drop_optnone: bool = False,
    memory_bytes: int = limits.SESSION_MEMORY_BYTES,
) -> bytes:
    allowed = ProcessLimits(cpu_seconds_per_call=max(seconds, _LEAST_CPU_SECONDS), memory_bytes=memory_bytes)
    header = {"parts": [[part.name, len(part.data)] for part in parts], "runnable": runnable}
    header["drop_optnone"] = drop_optnone
    payload = json.dumps(header).encode() + b"\n" + b"".join(part.data for part in parts)
    worker = Zygote.shared(_SESSION_TYPE).spawn(_ENTRY, limits=allowed, sandbox=False, payload=payload)
    names = ", ".join(part.name for part in parts)
    with worker:
        said = _answer(worker, names, allowed, seconds)
    head, _, bitcode = said.partition(b"\n")
    problem: dict[str, Any] | int = json.loads(head)
    if not isinstance(problem, int):
        remedy = problem["remedy"] or _REMEDY
        raise InvalidInput(problem["message"], field="inputs", value=problem["name"], remedy=remedy)
    if problem:
        what = f"{names}: functions that are marked optnone, which passes skip: {problem}"
        how = "make_benchmark(…, drop_optnone=True), and --drop-optnone in a command, remove the mark"
        warnings.warn(f"{what}. {how}.", stacklevel=4)
    return bitcode


def _answer(worker: Worker, names: str, allowed: ProcessLimits, seconds: float) -> bytes:
    said = None
    try:
        said = frames.receive(worker.channel, time.monotonic() + seconds)
    except TimeoutError:
        raise _too_long(names, seconds) from None
    except (OSError, frames.BrokenFrame):
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
