"""Measure built programs, several at a time."""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, TypeVar

from datasets.builder.files import DatasetRefused, SourceUnavailable
from datasets.builder.toolchain import CompileError, Processes, Toolchain
from optarena import limits
from optarena.errors import InvalidInput, OptArenaError, ServiceError
from optarena.isolation.limits import ProcessLimits
from optarena.llvm.execution import SESSION_TYPE
from optarena.llvm.module import LEVELS, Baseline, Module, baseline
from optarena.service.client.zygote import Zygote
from optarena.service.protocol import frames

SECONDS: Final = 300.0
MEMORY_BYTES: Final = 2 * limits.SESSION_MEMORY_BYTES
_ENTRY: Final = "datasets.builder.measuring:child_main"
_BASELINE_ENTRY: Final = "datasets.builder.measuring:baseline_main"
# The level of clang's own -Oz; those of LLVM's opt have their plain names.
CLANG_LEVEL: Final = "ClangOz"
_UNIT: Final = "always-inline,globaldce"
_END_SECONDS: Final = 30.0
_MOST_SECONDS: Final = 4 * SECONDS  # by the clock, as the machine may have other work
_NAMES: Final = re.compile(r'@(?:"[^"]*"|[\w.$-]+)|(?<=#)\d+|(?<=!)\d+')
_DECLARED: Final = re.compile(r"^declare [^@\n]*@([\w.$-]+)\(", re.MULTILINE)
_ASSEMBLY: Final = re.compile(r'\basm\b[^"\n]*"((?:[^"\\]|\\.)*)"')
_ASKING: Final = re.compile(r"\b(?:cpuid|rdtscp?|rdrand|rdseed|rdpid|rdpmc|xgetbv|syscall|sysenter|int\b)")
_ASKED: Final = re.compile(
    r"syscall|llvm\.(?:readcyclecounter|readsteadycounter|x86\.(?:rdtscp?|rdpmc|rdpid|xgetbv|rdrand.*|rdseed.*))"
)
_DEFINITION: Final = re.compile(r"^define .*?^\}$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredModule:
    bitcode: bytes
    ir_sha256: str  # Of its canonical text, the authoritative identity.
    baselines: dict[str, Baseline]
    smallest: bytes  # Its bitcode after `-Oz`; empty for a translation unit, which nobody runs.
    functions: frozenset[str]  # A hash of each function without the names of globals, to find near copies by.


def measure(name: str, bitcode: bytes, *, unit: bool = False) -> MeasuredModule:
    # A translation unit as it comes from the compiler is prepared first, and keeps what it exports.
    said = _answered(name, _ENTRY, json.dumps({"unit": unit}).encode() + b"\n" + bitcode)
    head, _, rest = said.partition(b"\n")
    facts: dict[str, Any] = json.loads(head)
    if "problem" in facts:
        raise InvalidInput(f"{name}: {facts['problem']}", field="program")
    return MeasuredModule(
        bitcode=rest[: facts["length"]],
        ir_sha256=facts["ir_sha256"],
        baselines={level: Baseline(**values) for level, values in facts["baselines"].items()},
        smallest=rest[facts["length"] :],
        functions=frozenset(facts["functions"]),
    )


def with_clangs_level(measured: MeasuredModule, name: str, toolchain: Toolchain) -> MeasuredModule:
    # What clang makes of a program at -Oz differs from what opt does.
    made = toolchain.optimised(measured.bitcode, "-Oz")
    facts = json.loads(_answered(name, _BASELINE_ENTRY, made))
    return replace(measured, baselines={**measured.baselines, CLANG_LEVEL: Baseline(**facts)})


def _answered(name: str, entry: str, payload: bytes) -> bytes:
    allowed = ProcessLimits(cpu_seconds_per_call=SECONDS, memory_bytes=MEMORY_BYTES)
    worker = Zygote.shared(SESSION_TYPE).spawn(entry, limits=allowed, sandbox=False, payload=payload)
    with worker:
        try:
            said = frames.receive(worker.channel, time.monotonic() + _MOST_SECONDS)
        except TimeoutError:
            raise InvalidInput(
                f"{name}: LLVM needed more than {_MOST_SECONDS:.0f} s.", field="program"
            ) from None
        except (OSError, frames.BrokenFrame):
            said = None
        if said is None:
            message = f"{name}: LLVM ended with {worker.wait(_END_SECONDS)} while it compiled this."
            raise InvalidInput(message, field="program")
    return bytes(said)


def end_workers() -> None:
    # The next worker comes from a new zygote.
    with suppress(OptArenaError):  # it has ended already
        Zygote.shared(SESSION_TYPE).close()


def child_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    # Answers one frame: a line of JSON, then the module and what `-Oz` makes of it. The payload is a line of
    # JSON with `unit`, then the module.
    del fds
    head, _, bitcode = payload.partition(b"\n")
    try:
        answer = _answer(bitcode, unit=json.loads(head)["unit"])
    except OptArenaError as error:
        text = error.message if isinstance(error, InvalidInput) else str(error)
        answer = json.dumps({"problem": " ".join(text.split())[:500]}).encode()
    frames.send(channel, answer)


def baseline_main(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    # The sizes of a program as it is, as JSON.
    del fds
    frames.send(channel, json.dumps(asdict(baseline(payload, "O0"))).encode())


def _answer(bitcode: bytes, *, unit: bool) -> bytes:
    if unit:
        bitcode = _unit(bitcode)
    with Module.parse(bitcode) as module:
        text = module.canonical_text()
    # A query that bypasses the C library, where no answer can be replaced.
    names = (name for name in _DECLARED.findall(text) if _ASKED.fullmatch(name))
    instructions = (found[0] for code in _ASSEMBLY.findall(text) if (found := _ASKING.search(code)))
    if not unit and (asked := next(itertools.chain(names, instructions), "")):
        raise InvalidInput(
            f"It queries the machine or the kernel directly ({asked}), so its output may depend on them.",
            field="program",
        )
    # Without the names of what the functions call and use.
    bodies = (_NAMES.sub("", body) for body in _DEFINITION.findall(text))
    facts = {
        "length": len(bitcode),
        "ir_sha256": hashlib.sha256(text.encode()).hexdigest(),
        "baselines": {level: asdict(baseline(bitcode, level)) for level in LEVELS},
        "functions": sorted({hashlib.sha256(body.encode()).hexdigest()[:16] for body in bodies}),
    }
    smallest = b""
    if not unit:
        with Module.parse(bitcode) as module:
            module.run("default<Oz>")
            smallest = module.bitcode()
    return json.dumps(facts).encode() + b"\n" + bitcode + smallest


def _unit(bitcode: bytes) -> bytes:
    # Forced inlining is done, and no name of this machine is in it.
    with Module.parse(bitcode) as module:
        problem = module.verify()
        if problem:
            raise InvalidInput(f"The unit is not valid: {problem.strip()}", field="program")
        module.run(_UNIT)
        module.drop_origin()
        return module.bitcode()


I = TypeVar("I")  # noqa: E741 - an item
T = TypeVar("T")
# Errors that an item's names, arguments or files can cause; others come from the machine, as a full disk.
_OF_AN_ITEM: Final = frozenset(
    {
        *(errno.E2BIG, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST),
        *(errno.EINVAL, errno.EILSEQ, errno.ELOOP, errno.ENOEXEC),
    }
)


def work_on(
    items: Sequence[I],
    work: Callable[[I], T],
    *,
    processes: Processes,
    jobs: int | None = None,
    on_done: Callable[[I, float], None] = lambda _, __: None,
) -> list[T]:
    # Work on every item, also after another one was refused; any other error ends all work. Results are in
    # the items' order.

    def timed(item: I) -> tuple[T | DatasetRefused, float]:
        start = time.perf_counter()
        outcome: T | DatasetRefused
        try:
            processes.check()
            outcome = work(item)
        except DatasetRefused as error:
            outcome = error
        processes.check()
        return outcome, time.perf_counter() - start

    pool = ThreadPoolExecutor(jobs or os.cpu_count() or 1)
    try:
        waiting = {pool.submit(timed, item): item for item in items}
        for done in as_completed(waiting):
            on_done(waiting[done], done.result()[1])
    except BaseException:  # an interrupt too: nothing may go on, and a killed process is not a refusal
        processes.stop()
        pool.shutdown(wait=False, cancel_futures=True)
        end_workers()
        raise
    finally:
        pool.shutdown()
    outcomes = [done.result()[0] for done in waiting]
    refusals = [one.refusals for one in outcomes if isinstance(one, DatasetRefused)]
    if refusals:
        every = dict.fromkeys(refusal for some in refusals for refusal in some)
        raise DatasetRefused(sorted(every, key=lambda refusal: refusal.program))
    return [one for one in outcomes if not isinstance(one, DatasetRefused)]


def system_errors_refused(work: Callable[[I], T], name: Callable[[I], str]) -> Callable[[I], T]:
    # Errors of the system that an item's names, arguments or files cause are refusals of the item.

    def done(item: I) -> T:
        try:
            return work(item)
        except OSError as error:
            if error.errno not in _OF_AN_ITEM:
                raise
            reason = f"the system cannot do what it needs: {error}"
            raise DatasetRefused.of(name(item), reason) from error

    return done


@contextmanager
def refused_as(name: str, fault: str = "does not compile") -> Iterator[None]:
    # Turn what a program's sources, compilers and processes cause into refusals of it.
    try:
        yield
    except CompileError as error:
        raise DatasetRefused.of(name, f"it {fault}: {error}") from error
    except SourceUnavailable as error:
        raise DatasetRefused.of(name, str(error)) from error
    except InvalidInput as error:
        raise DatasetRefused.of(name, error.message) from error
    except ServiceError as error:
        raise DatasetRefused.of(name, f"a process that worked on it failed: {error}") from error
