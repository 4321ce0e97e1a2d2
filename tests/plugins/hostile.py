"""What a hostile program would try, each attempt a function that says what it reached, or raises.

Imported by confined workers by name, so everything needed is imported here and not later.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import resource
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from optarena.service.protocol import frames

_libc = ctypes.CDLL(None, use_errno=True)
_libc.malloc.restype = ctypes.c_void_p

SYSTEM_CALLS: Final = {
    "memfd_create": 319, "io_uring_setup": 425, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
    "keyctl": 250, "add_key": 248, "unshare": 272, "setns": 308, "mount": 165, "pivot_root": 155,
    "chroot": 161, "open_by_handle_at": 304, "process_vm_readv": 310, "process_vm_writev": 311,
    "pidfd_open": 434, "pidfd_getfd": 438, "pidfd_send_signal": 424, "clone": 56, "vfork": 58,
    "clone3": 435, "execveat": 322, "openat2": 437, "statx": 332, "name_to_handle_at": 303, "shmget": 29,
    "msgget": 68, "semget": 64, "setsid": 112, "setuid": 105, "setgroups": 116,
    "capset": 126, "personality": 135, "prctl": 157, "setrlimit": 160,
    "timer_create": 222, "rt_tgsigqueueinfo": 297, "sched_setscheduler": 144,
    "seccomp": 317, "landlock_create_ruleset": 444, "accept": 43, "bind": 49, "listen": 50, "tkill": 200,
    "rt_sigqueueinfo": 129, "setpriority": 141, "sched_setaffinity": 203, "shmat": 30, "mlockall": 151,
    "quotactl": 179, "acct": 163, "syslog": 103, "reboot": 169, "init_module": 175, "kexec_load": 246,
    "iopl": 172, "ioperm": 173, "swapon": 167, "settimeofday": 164, "sethostname": 170, "inotify_init1": 294,
    "fanotify_init": 300, "timerfd_create": 283, "eventfd2": 290, "epoll_create1": 291, "pipe2": 293,
    "getdents64": 217, "readlinkat": 267, "faccessat2": 439, "utimensat": 280, "sendmmsg": 307, "splice": 275,
}  # fmt: skip


def direct(number: int) -> str:
    """Make a system call with arguments that mean nothing; only a filter answers EPERM or ENOSYS to all."""
    ctypes.set_errno(0)
    result = _libc.syscall(ctypes.c_long(number), *[ctypes.c_long(0)] * 6)
    if result == -1 and ctypes.get_errno() in {errno.EPERM, errno.ENOSYS}:
        raise PermissionError(ctypes.get_errno(), f"system call {number}")
    return f"system call {number}: {result}, {os.strerror(ctypes.get_errno())}"


def start_thread() -> str:
    thread = threading.Thread(target=print)
    thread.start()
    return "started a thread"


def memory() -> str:
    taken = 0
    while _libc.malloc(ctypes.c_size_t(1 << 26)):
        taken += 1 << 26
    if taken < 1 << 30:
        raise MemoryError(f"{taken} bytes")
    return f"got {taken} bytes"


def raise_limit() -> str:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    return "raised"


def lower_limit() -> str:
    """A limit at which the kernel kills this process as if somebody else had."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    return "lowered"


def limit_of_parent() -> str:
    return str(resource.prlimit(os.getppid(), resource.RLIMIT_AS))


def attach() -> str:
    if _libc.ptrace(16, os.getppid(), 0, 0) == -1:
        raise PermissionError(ctypes.get_errno(), "ptrace")
    return "attached"


def descriptors() -> str:
    extra = [number for number in range(3, 256) if number != CHANNEL and is_open(number)]
    if extra:
        return f"open: {extra}"
    raise PermissionError("none")


def is_open(number: int) -> bool:
    return _libc.fcntl(number, 1) != -1


def secrets() -> str:
    found = [name for name in os.environ if "SECRET" in name or "DATABASE" in name or "TOKEN" in name]
    if found:
        return f"found {found}"
    raise PermissionError("none")


CHANNEL = -1
ATTEMPTS: Final[dict[str, Callable[[], object]]] = {
    "socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
    "datagram socket": lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
    "unix socket": lambda: socket.socket(socket.AF_UNIX),
    "socket pair": socket.socketpair,
    "read /etc/shadow": Path("/etc/shadow").read_bytes,
    "read /etc/passwd": Path("/etc/passwd").read_bytes,
    "read own source": Path(__file__).read_bytes,
    "read memory of itself": Path("/proc/self/mem").read_bytes,
    "list /": lambda: os.listdir("/"),  # noqa: PTH208 # the call itself is tried
    "stat /etc/passwd": lambda: os.stat("/etc/passwd"),  # noqa: PTH116 # as above
    "is there /root": lambda: os.lstat("/root"),
    "write to /tmp": lambda: Path("/tmp/optarena-breach").write_text("x"),  # noqa: S108 # must fail
    "write to /dev/shm": lambda: Path("/dev/shm/optarena-breach").write_text("x"),  # noqa: S108 # must fail
    "make a folder": lambda: Path("/tmp/optarena-breach-folder").mkdir(),  # noqa: S108 # must fail
    "remove a file": lambda: Path("/tmp/optarena-nothing").unlink(),  # noqa: S108 # must fail
    "change mode": lambda: Path("/tmp/optarena-nothing").chmod(0o777),  # noqa: S108 # must fail
    "rename": lambda: Path("/tmp/optarena-nothing").rename("/tmp/optarena-x"),  # noqa: S108 # must fail
    "link": lambda: os.symlink("/etc", "/tmp/optarena-breach-link"),  # noqa: PTH211, S108 # must fail
    "change folder": lambda: os.chdir("/"),
    "fork": os.fork,
    "run a program": lambda: os.execv("/bin/true", ["true"]),  # noqa: S606 # must fail
    "start a thread": start_thread,
    "kill the parent": lambda: os.kill(os.getppid(), 0),
    "kill everyone": lambda: os.kill(-1, 0),
    "kill process 1": lambda: os.kill(1, 0),
    "kill its group": lambda: os.kill(0, 0),
    "debug the parent": attach,
    "limits of the parent": limit_of_parent,
    "raise its limit": raise_limit,
    "lower its limit": lower_limit,
    "become root": lambda: os.setuid(0),
    "open descriptors": descriptors,
    "secrets": secrets,
    "system clock": lambda: time.clock_settime(time.CLOCK_REALTIME, 0),
    "memory": memory,
    **{name: lambda number=number: direct(number) for name, number in SYSTEM_CALLS.items()},
}


HARMLESS: Final = (
    "socket",
    "read /etc/passwd",
    "list /",
    "stat /etc/passwd",
    "memfd_create",
    "start a thread",
)
"""Attempts that may be made without a sandbox, to see that they are real ones."""


def run_all(names: Iterable[str] = tuple(ATTEMPTS)) -> dict[str, str]:
    """Try everything; answers ``denied: …`` or ``BREACH: …`` for each attempt."""
    outcomes = {}
    for name in names:
        try:
            outcomes[name] = f"BREACH: {ATTEMPTS[name]()}"
        except (OSError, RuntimeError, MemoryError, ValueError) as error:
            outcomes[name] = f"denied: {error}"
    return outcomes


def try_all(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    global CHANNEL  # noqa: PLW0603 # known only here
    CHANNEL = channel.fileno()
    confined = is_filtered()
    frames.send(channel, json.dumps(run_all(ATTEMPTS if confined else HARMLESS)).encode())


def is_filtered() -> bool:
    """Whether this process is confined; the dangerous attempts are made only then."""
    try:
        direct(SYSTEM_CALLS["getdents64"])
    except PermissionError:
        return True
    return False


def work(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: what an honest program does: memory, sorting, printing, time, its own descriptors."""
    numbers = (ctypes.c_int * 5)(5, 3, 4, 1, 2)
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int))
    _libc.qsort(numbers, 5, 4, compare(lambda a, b: a[0] - b[0]))
    memory_block = _libc.malloc(ctypes.c_size_t(1 << 24))
    ctypes.memset(memory_block, 1, 1 << 24)
    _libc.printf(b"%d %s %.3f\n", 42, b"text", ctypes.c_double(0.5))
    _libc.fflush(None)
    code = executable(b"\xb8\x2a\x00\x00\x00\xc3")  # mov eax, 42; ret
    said = {
        "sorted": list(numbers),
        "compiled": code(),
        "random": len(os.urandom(8)),
        "time": time.time() > 0,
        "user": os.geteuid(),
        "received": os.read(fds[0], 100).decode() if fds else "",
        "payload": len(payload),
    }
    frames.send(channel, json.dumps(said).encode())


def executable(code: bytes) -> Callable[[], int]:
    """A function made of machine code, as a JIT compiler makes them."""
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    KEPT.append(page)
    function: Callable[[], int] = ctypes.CFUNCTYPE(ctypes.c_int)(
        ctypes.addressof(ctypes.c_char.from_buffer(page))
    )
    return function


KEPT: Final[list[mmap.mmap]] = []


def call_as_32_bit_program(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: getpid by the 32-bit interface, whose numbers mean other calls."""
    executable(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")()  # mov eax, 20; int 0x80; ret


def call_as_x32_program(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    _libc.syscall(ctypes.c_long(0x40000000 | 39))


def abort(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    os.write(2, b"assertion failed\n")
    _libc.abort()


def burn(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: CPU time without end, deaf to the signal that limits a call."""
    if payload:
        signal.signal(signal.SIGPROF, signal.SIG_IGN)
        signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    while True:
        pass


def reach_cpu_limit(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: end as a process does that has used all CPU time of its life."""
    signal.raise_signal(signal.SIGXCPU)


def say_nothing(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    channel.shutdown(socket.SHUT_RDWR)
    while True:
        time.sleep(600)


def talk_nonsense(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    frames.send(channel, payload or b"[" * 100_000)


def flood(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    while True:
        os.write(1, bytes(1 << 20))


def overflow(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: memory without end, and no word about it."""
    blocks = []
    while True:
        blocks.append(bytes(1 << 24))


def limits_and_modules(channel: socket.socket, payload: bytes, fds: Sequence[int]) -> None:
    """Entry: tell the limits, and which modules the zygote had imported."""
    import sys  # noqa: PLC0415 # only here

    kinds = ("RLIMIT_AS", "RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CPU")
    said = {
        "limits": {kind: resource.getrlimit(getattr(resource, kind)) for kind in kinds},
        "modules": sorted(sys.modules),
        "environment": dict(os.environ),
        "folder": os.getcwd(),  # noqa: PTH109 # plain text is sent
        "group": [os.getpid(), os.getpgid(0), os.getsid(0)],
        "dumped": struct.calcsize("P"),
    }
    frames.send(channel, json.dumps(said).encode())
