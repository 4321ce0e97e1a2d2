"""The set-up and the end of a worker process that a zygote has just forked.

Each worker does once, in this order: set the death with the zygote, close others' descriptors, enter its
memory group, load modules, limit itself, confine itself, greet the client, work. Nothing here returns: the
process ends.
"""

from __future__ import annotations

import binascii
import contextlib
import importlib
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from optarena.documents.texts import escape_surrogates
from optarena.errors import InvalidInput
from optarena.isolation import sandbox, syscalls
from optarena.isolation.limits import ProcessLimits, apply_limits, be_killed_first
from optarena.service.processes.exit_status import EXIT_OUT_OF_MEMORY
from optarena.service.protocol import frames
from optarena.service.protocol.status import text_of
from optarena.service.session_process import session_types

if TYPE_CHECKING:
    from optarena.isolation.syscalls import GroupLimit
    from optarena.service.session import CompilationSession


def error_report(error: BaseException, message: str) -> dict[str, Any]:
    # What tells whether this machine is its cause; `message` stands for the error's own text.
    told: dict[str, Any] = {"error": type(error).__name__, "message": message}
    if isinstance(error, InvalidInput):
        told["field"] = error.field
    if isinstance(error, OSError) and error.errno:
        told["errno"] = error.errno
    return told


_STANDARD: Final = (0, 1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildTask:
    # A worker that has files, or that is confined and may start tools, works in a folder of its own in
    # `directory`. `channel`, `stderr`, `payload`, `files` and `descriptors` are descriptors, the last for the
    # entry. `traps` is as for `sandbox.build_filter`.

    session_type: str
    entry: str
    limits: ProcessLimits
    confined: bool
    directory: Path
    group: GroupLimit | None
    channel: int
    stderr: int
    payload: int | None
    files: int | None
    traps: bool
    descriptors: tuple[int, ...]


def run(task: ChildTask, zygote: int) -> NoReturn:
    # `zygote` is the process id of the parent.
    code = os.EX_SOFTWARE
    try:
        syscalls.die_with_parent(zygote)
        _become_own_process(task)
        code = _work(task, zygote)
    except MemoryError:
        code = EXIT_OUT_OF_MEMORY
    except SystemExit as exit_:
        code = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    except BaseException:  # noqa: BLE001 # the process ends here on any error
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError):  # the limit on file sizes is reached
            sys.stdout.flush()
        os._exit(code)


def arm_cpu_limit(seconds: float | None) -> None:
    # The kernel kills the process, even if no Python code runs meanwhile.
    if seconds is not None:
        signal.setitimer(signal.ITIMER_PROF, seconds)


def send_greeting(channel: socket.socket, session_type: str, report: sandbox.SandboxReport) -> None:
    # Tell the client that the work begins.
    loaded = session_types.load_most(session_type)
    by_process = loaded.fork_by == "process" and not report.confined
    words = {
        "pid": os.getpid(),
        "sandbox": report.as_dict(),
        "fork_by": "process" if by_process else "replay",
        "starts_alike": loaded.starts_alike,
    }
    frames.send(channel, json.dumps(words).encode())


def _become_own_process(task: ChildTask) -> None:
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    syscalls.begin_session()
    be_killed_first()
    os.dup2(task.stderr, 1)
    os.dup2(task.stderr, 2)
    given = (one for one in (task.payload, task.files) if one is not None)
    low = 0
    for descriptor in sorted({*_STANDARD, task.channel, *task.descriptors, *given}):
        if low < descriptor:  # an empty range from 0 closes everything
            os.closerange(low, descriptor)
        low = descriptor + 1
    os.closerange(low, os.sysconf("SC_OPEN_MAX"))


def _work(task: ChildTask, zygote: int) -> int:
    channel = socket.socket(fileno=task.channel)
    try:
        if task.group is not None:
            task.group.enter()
        payload = _read_payload(task.payload)
        if task.files is not None:  # before the limits, which are those of the program
            _enter_folder_of_files(task.directory, json.loads(_read_payload(task.files)))
        entry = _load(task)
        if task.entry == session_types.SESSION_MAIN:
            frames.loads_file()  # a confined process can open none
        has_rest_later = session_types.is_own(task.session_type) and not task.confined
        load = session_types.load_most if has_rest_later else session_types.load
        session_type = load(task.session_type)
        bounded = session_type.limits_address_space
        apply_limits(
            task.limits if bounded else replace(task.limits, memory_bytes=None),
            may_raise_memory=not task.confined,
        )
        confinement = _confined(task, session_type, zygote) if task.confined else sandbox.unconfined()
        confinement = replace(confinement, memory_group=task.group.limit_bytes if task.group else None)
    except BaseException as error:  # noqa: BLE001 # every failure to begin is reported to the client, by name
        frames.send(channel, json.dumps(error_report(error, _error_text(error))).encode())
        return os.EX_UNAVAILABLE
    send_greeting(channel, task.session_type, confinement)
    arm_cpu_limit(task.limits.cpu_seconds_per_call)
    entry(channel, payload, task.descriptors)
    return os.EX_OK


def _enter_folder_of_files(directory: Path, files: Mapping[str, str]) -> None:
    # Their content is in base 64. The user of confined processes may read them.
    own = directory / str(os.getpid())
    own.mkdir()
    os.chdir(own)
    for name, content in files.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(binascii.a2b_base64(content))
        path.chmod(0o444)
    for folder in (own, *(path for path in own.rglob("*") if path.is_dir())):
        folder.chmod(0o755)


def _confined(task: ChildTask, session_type: type[CompilationSession], zygote: int) -> sandbox.SandboxReport:
    # A process that may start tools enters a folder of its own before.
    if task.traps:
        from optarena.isolation import refusals  # noqa: PLC0415 # needed while workloads are recorded only

        refusals.handle(files=task.files is not None)
    tools = session_type.tools()
    if tools is not None:
        own = task.directory / str(os.getpid())
        own.mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(own, sandbox.CONFINED_USER, sandbox.CONFINED_USER)
        os.chdir(own)
    return sandbox.confine(parent=zygote, tools=tools, files=task.files is not None, traps=task.traps)


def _error_text(error: BaseException) -> str:
    if isinstance(error, InvalidInput) and not error.remedy:
        return escape_surrogates(error.message)
    return text_of(error)


def _read_payload(descriptor: int | None) -> bytes:
    if descriptor is None:
        return b""
    with os.fdopen(descriptor, "rb") as file:
        file.seek(0)
        return file.read()


def _load(task: ChildTask) -> Callable[[socket.socket, bytes, tuple[int, ...]], Any]:
    session_types.load_most(task.session_type)
    module, _, name = task.entry.partition(":")
    entry: Callable[[socket.socket, bytes, tuple[int, ...]], Any] = getattr(
        importlib.import_module(module), name
    )
    return entry
