"""Whose fault a signal is that ended one of our processes. This is the only place that decides it.

A process can cause the signals of ``OWN_SIGNALS`` itself, by an error or by reaching a limit that we set:
they say something about the compiler or the program. Every other signal was sent by somebody else and says
nothing about them. The sandbox ensures that: a confined process can signal only itself, and only by these
signals, and it cannot set a limit at which the kernel would kill it (see :mod:`optarena.isolation.seccomp`).
So no program can pass its own end off as a kill from outside, but for one whose process may start
tools: THREAT_MODEL.md says why. An unconfined process could, too, but only people run those, on their own
machines.
"""

from __future__ import annotations

from signal import Signals
from typing import Final

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
"""The signals that a process can cause itself, each with the cause."""

_FOREIGN_SIGNALS: Final[dict[int, str]] = {
    Signals.SIGKILL: "the kernel ran out of memory, the zygote died, or somebody killed it",
    Signals.SIGTERM: "somebody asked it to end, as a shutdown of the machine does",
    Signals.SIGINT: "somebody pressed Ctrl-C",
    Signals.SIGQUIT: "somebody pressed Ctrl-\\",
    Signals.SIGHUP: "its terminal was closed",
}
"""The usual signals from outside, each with the cause; any other signal is from outside, too."""


def is_foreign(signal: int | None) -> bool:
    """Whether a process that this signal ended was ended by somebody else; False for None."""
    return signal is not None and signal not in OWN_SIGNALS


def cause(signal: int) -> str:
    """The usual cause of a signal that ended a process, as half a sentence."""
    return {**OWN_SIGNALS, **_FOREIGN_SIGNALS}.get(signal, "somebody sent it")
