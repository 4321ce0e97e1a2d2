"""Says which system calls the sandbox refused to a program, by the signal that the filter raises for each.

A call fails as it does without: the handler gives it the same error. It is called where the program made the
call, and writes a line for each new refusal to a descriptor. Where a program may open files, the handler does
it in the program's place, since Landlock refuses without a signal.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import signal
from contextlib import suppress
from typing import Final

from optarena.isolation import syscalls
from optarena.isolation.sandbox import FROM_HANDLER, OPENS

_MOST: Final = 20
_SHOWN: Final = 200
_PAGE: Final = 4096
_PWRITE: Final = 18
# Where reports go: a program that counts its descriptors finds those that it has without reports.
_FIRST_DESCRIPTOR: Final = 200
_SA_SIGINFO: Final = 4
_NUMBER_OFFSET: Final = 24  # of the call's number in siginfo_t
_REGISTERS_OFFSET: Final = 40  # of the registers in ucontext_t, of 8 bytes each
_RAX: Final = 13
_ARGUMENTS: Final = (8, 9, 12, 2, 0)  # RDI, RSI, RDX, R10, R8
_MISSING: Final = (-errno.EACCES, -errno.ENOENT, -errno.EPERM)
# What a program tries by a call, and which argument is the path.
_TRIES: Final = {
    2: ("open the file", 0), 257: ("open the file", 1), 85: ("create the file", 0),
    21: ("look at the file", 0), 269: ("look at the file", 1), 439: ("look at the file", 1),
    4: ("look at the file", 0), 6: ("look at the file", 0), 262: ("look at the file", 1),
    332: ("look at the file", 1), 89: ("read the link", 0), 267: ("read the link", 1),
    59: ("start the program", 0), 80: ("enter the folder", 0), 83: ("make the folder", 0),
    258: ("make the folder", 1), 87: ("remove the file", 0), 263: ("remove the file", 1),
    82: ("rename the file", 0), 264: ("rename the file", 1),
    56: ("start a process or thread", None), 57: ("start a process", None), 58: ("start a process", None),
    41: ("use the network", None), 79: ("ask for its folder", None), 160: ("set a limit", None),
    302: ("set a limit", None), 62: ("send a signal", None), 234: ("send a signal", None),
}  # fmt: skip


class _Action(ctypes.Structure):
    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_ubyte * 128),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


_told: Final[dict[str, None]] = {}
_descriptors: Final[list[int]] = []
_opens: Final[set[int]] = set()


def _refuse(_: int, info: int, context: int) -> None:
    registers = (ctypes.c_longlong * (_RAX + 1)).from_address(context + _REGISTERS_OFFSET)
    number = ctypes.c_int.from_address(info + _NUMBER_OFFSET).value
    registers[_RAX] = _opened(number, registers) if number in _opens else -errno.EPERM
    if not _descriptors or registers[_RAX] not in _MISSING:  # the program does not run yet, or was allowed
        return
    what, argument = _TRIES.get(number, (f"make the system call {number}", None))
    with suppress(OSError):  # the program has closed the descriptor
        if argument is not None and (text := _text_at(registers[_ARGUMENTS[argument]])):
            what = f"{what} {text.decode(errors='replace')!r}"
        if what not in _told and len(_told) < _MOST:
            _told[what] = None
            os.write(_descriptors[0], f"{what}\n".encode())


def _opened(number: int, registers: ctypes.Array[ctypes.c_longlong]) -> int:
    # What the call gives that the program has made.
    try:
        return syscalls.syscall(number, *(registers[place] for place in _ARGUMENTS), FROM_HANDLER)
    except OSError as error:
        return -(error.errno or errno.EPERM)


def _text_at(address: int) -> bytes:
    # The kernel copies it behind the report, page by page, since the address may be a wrong one.
    report = _descriptors[0]
    end = os.fstat(report).st_size
    middle = min(address + _SHOWN, (address // _PAGE + 1) * _PAGE)
    with suppress(OSError):
        for start, stop in ((address, middle), (middle, address + _SHOWN)):
            syscalls.syscall(_PWRITE, report, start, stop - start, end + start - address)
    text = os.pread(report, _SHOWN, end).partition(b"\0")[0]
    os.ftruncate(report, end)
    return text


_handler: Final = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(_refuse)


def handle(*, files: bool) -> None:
    """Let calls fail that the filter traps, but those that open ``files``; needed before the filter is."""
    if files:
        _opens.update(OPENS)
    action = _Action(handler=ctypes.cast(_handler, ctypes.c_void_p).value, flags=_SA_SIGINFO)
    if ctypes.CDLL(None).sigaction(int(signal.SIGSYS), ctypes.byref(action), None):
        raise OSError("the handler of SIGSYS cannot be set")


def report_to(descriptor: int) -> None:
    """From now on, write what is refused to a copy of this descriptor, which is closed: a line each, once."""
    _descriptors.append(fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _FIRST_DESCRIPTOR))
    os.close(descriptor)
