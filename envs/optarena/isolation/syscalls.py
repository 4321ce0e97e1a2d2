"""The Linux calls that Python does not offer, by ctypes; and whose fault a signal is that ended a process.

Each function is one call with its error turned into ``OSError``. Numbers are those of x86-64; the functions
that use raw numbers are called only after :func:`is_supported_machine`.

A process can cause the signals of ``OWN_SIGNALS`` itself, by an error or by reaching a limit that we set:
they say something about the compiler or the program. Every other signal was sent from outside and says
nothing about them. The sandbox ensures that: a confined process can signal only itself, and only by these
signals, and it cannot set a limit at which the kernel would kill it (see
:mod:`optarena.isolation.sandbox`). So no program can pass its own end off as a kill from outside, but for
one whose process may start tools: THREAT_MODEL.md says why. An unconfined process could, too, but only
people run those, on their own machines.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from signal import Signals
from typing import Final

from optarena.errors import InfrastructureFault

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38
ADDR_NO_RANDOMIZE: Final = 0x0040000
_PERSONALITY_QUERY: Final = 0xFFFFFFFF
_CAPABILITY_VERSION_3: Final = 0x20080522
_SYS_CAPSET: Final = 126
_SYS_SCHED_SETATTR: Final = 314
_KEEP_POLICY: Final = 0x08
_LONG_SLICE_NS: Final = 10_000_000  # Linux's own slices have a few milliseconds at most

_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def is_supported_machine() -> bool:
    """Whether this is 64-bit x86 Linux, for which the call numbers and filters here are."""
    wide = sys.maxsize > 2**32
    return platform.system() == "Linux" and platform.machine() == "x86_64" and wide


def syscall(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    converted = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *converted)
    if result < 0:
        _fail(f"system call {number}")
    return result


def prctl(option: int, value: int) -> None:
    if _libc.prctl(option, ctypes.c_ulong(value), 0, 0, 0) != 0:
        _fail(f"prctl {option}")


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that forked it ends; exit if it already has.

    Must be repeated after every change of user id, which clears the setting.
    """
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(os.EX_UNAVAILABLE)


def begin_session() -> None:
    """Begin a session, which has the niceness of this process beside other sessions, too, if Linux allows it.

    Where it has autogroups, it shares out time among sessions first, and a new one would not be nice.
    """
    os.setsid()
    if niceness := os.nice(0):
        with suppress(OSError), open("/proc/self/autogroup", "w", encoding="ascii") as file:  # noqa: PTH123
            file.write(str(niceness))


def personality() -> int:
    return int(_libc.personality(ctypes.c_ulong(_PERSONALITY_QUERY)))


def set_personality(flags: int) -> bool:
    """Set other flags of this thread, valid from the next exec on; False if that is not allowed."""
    return int(_libc.personality(ctypes.c_ulong(flags))) >= 0


def give_way() -> None:
    """Let processes that have just become ready interrupt this thread and whatever it starts from now on.

    They do so where their own slices are shorter than those that Linux 6.12 and later give to this one then.
    Shares of the processors stay as they are.
    """
    attributes = struct.pack(
        "=IIQiIQQQ", 48, 0, _KEEP_POLICY, os.getpriority(os.PRIO_PROCESS, 0), 0, _LONG_SLICE_NS, 0, 0
    )
    with suppress(OSError):  # as of a real-time policy, which the operator has chosen
        if is_supported_machine():
            syscall(_SYS_SCHED_SETATTR, 0, attributes, 0)


@contextmanager
def fixed_addresses() -> Iterator[bool]:
    """Give the programs that this thread starts meanwhile fixed addresses; gives whether that is allowed."""
    flags = personality()
    allowed = set_personality(flags | ADDR_NO_RANDOMIZE)
    try:
        yield allowed
    finally:
        set_personality(flags)


def drop_capabilities() -> None:
    header = _CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4)
    syscall(_SYS_CAPSET, header, bytes(24))


def _fail(what: str) -> None:
    number = ctypes.get_errno()
    raise OSError(number, f"{what}: {os.strerror(number)}")


# The signals that a process can cause itself, each with the cause.
OWN_SIGNALS: Final[dict[int, str]] = {
    Signals.SIGSEGV: "it used memory that it does not have, or its stack is full",
    Signals.SIGBUS: "it used memory that is misaligned, or behind the end of a file",
    Signals.SIGILL: "it ran an instruction that does not exist, such as that of __builtin_trap",
    Signals.SIGTRAP: "it ran a breakpoint, such as that of __builtin_debugtrap",
    Signals.SIGFPE: "it divided an integer by zero",
    Signals.SIGABRT: "it called abort(), as a failed assertion does",
    Signals.SIGSYS: "it made a system call by an interface that the sandbox refuses",
    Signals.SIGPIPE: "it wrote to a pipe that nobody reads any more",
    Signals.SIGXFSZ: "it wrote more than our limit on files allows",
    Signals.SIGPROF: "it used more CPU time than our limit on one unit of work allows",
    Signals.SIGXCPU: "it used more CPU time than our limit on a process allows",
    Signals.SIGALRM: "a timer that it started has run out",
    Signals.SIGVTALRM: "a timer that it started has run out",
}

# The usual signals from outside; any other signal is from outside, too.
_FOREIGN_SIGNALS: Final[dict[int, str]] = {
    Signals.SIGKILL: "the kernel ran out of memory, the zygote died, or somebody killed it",
    Signals.SIGTERM: "somebody asked it to end, as a shutdown of the machine does",
    Signals.SIGINT: "somebody pressed Ctrl-C",
    Signals.SIGQUIT: "somebody pressed Ctrl-\\",
    Signals.SIGHUP: "its terminal was closed",
}


def is_foreign(signal: int | None) -> bool:
    """Whether a process that this signal ended was ended by somebody else; False for None."""
    return signal is not None and signal not in OWN_SIGNALS


def cause(signal: int) -> str:
    """The usual cause of a signal that ended a process, as half a sentence."""
    return {**OWN_SIGNALS, **_FOREIGN_SIGNALS}.get(signal, "somebody sent it")


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLimit:
    """A control group that limits the memory of all its processes together."""

    entrance: str  # the file to which a process with one thread writes 0 to become a member
    limit_bytes: int

    def enter(self) -> None:
        """Become a member, with all processes that this one forks later; needed before it is confined.

        What the process has in memory already stays on its former group's account.
        """
        try:
            descriptor = os.open(self.entrance, os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(descriptor, b"0")
            finally:
                os.close(descriptor)
        except OSError as error:
            raise InfrastructureFault(f"The process cannot enter its memory group: {error}") from error
