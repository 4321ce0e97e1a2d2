"""The sandbox floor: the confinement of every process, as root, as a plain user and in a default container.

The steps, in order: another user if we are root, no capabilities, no new privileges, death with the parent,
Landlock without any rule, and a seccomp allow-list. A process confines itself after it has imported and
opened all it needs: afterwards it can only compute and answer on its descriptors. For limits on memory,
files and time see :mod:`optarena.isolation.limits`.

The floor *with tools* is for sessions whose compiler is a program: Landlock has a rule for each file of the
compiler and for the session's own folder, and the list of system calls has those that start programs and
open files. Everything else is as in the floor without. The floor *with files* is for programs that read
files of a workload: they may open the files of their folder, for reading only.

Landlock (the kernel's ``Documentation/userspace-api/landlock.rst``): a ruleset that handles every access
and allows none, so no file may be opened, no TCP port used, no other process signalled; what is already
open stays usable. seccomp: the list serves both a session's process (Python and a compiler's library,
answering on its socket) and a JIT-compiled program (the C library, no threads); all other calls fail with
EPERM. When you add a call, note what needs it. A call with another architecture's number kills the process.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import SandboxUnavailable
from optarena.isolation import syscalls
from optarena.isolation.syscalls import OWN_SIGNALS

if TYPE_CHECKING:
    from optarena.isolation.tools import ToolAccess

_SECCOMP: Final = 317
_SET_MODE_FILTER: Final = 1
_GET_ACTION_AVAILABLE: Final = 2

_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_TRAP: Final = 0x00030000
_KILL_PROCESS: Final = 0x80000000
_AUDIT_ARCH_X86_64: Final = 0xC000003E
_X32_BIT: Final = 0x40000000

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_IF_ANY_BIT: Final = 0x45  # BPF_JMP | BPF_JSET | BPF_K
_RETURN: Final = 0x06
_NUMBER_OFFSET: Final = 0
_ARCHITECTURE_OFFSET: Final = 4
_ARGUMENTS_OFFSET: Final = 16

_ALWAYS: Final = {
    # input and output on open descriptors
    "read": 0, "write": 1, "readv": 19, "writev": 20, "pread64": 17, "pwrite64": 18, "lseek": 8, "close": 3,
    "fstat": 5, "dup": 32, "dup2": 33, "dup3": 292, "poll": 7, "ppoll": 271, "select": 23, "pselect6": 270,
    "ftruncate": 77, "fsync": 74, "close_range": 436,
    # the session's socket; there is no way to make or connect another
    "sendto": 44, "recvfrom": 45, "sendmsg": 46, "recvmsg": 47, "shutdown": 48, "getsockopt": 55,
    "setsockopt": 54, "getsockname": 51, "getpeername": 52,
    # memory: malloc, and the pages of a JIT
    "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12, "mremap": 25, "madvise": 28,
    # handlers of signals, and the limit on the CPU time of a call
    "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "sigaltstack": 131, "setitimer": 38,
    "getitimer": 36, "pause": 34, "restart_syscall": 219,
    # time
    "clock_gettime": 228, "clock_getres": 229, "gettimeofday": 96, "time": 201, "nanosleep": 35,
    "clock_nanosleep": 230, "times": 100,
    # queries of the C library about the process and the machine
    "getpid": 39, "gettid": 186, "getppid": 110, "getuid": 102, "geteuid": 107, "getgid": 104, "getegid": 108,
    "getrusage": 98, "getrlimit": 97, "sysinfo": 99, "uname": 63, "sched_getaffinity": 204, "getcpu": 309,
    "sched_yield": 24, "getrandom": 318, "arch_prctl": 158, "set_tid_address": 218, "set_robust_list": 273,
    "rseq": 334, "futex": 202,
    # the end
    "exit": 60, "exit_group": 231,
}  # fmt: skip

# Landlock lets a process open the files of its own folder, and a toolchain's. It does not limit the calls
# that only look: a process may learn which other files exist, their sizes, and where links lead.
_FOR_FILES: Final = {
    "open": 2, "openat": 257, "access": 21, "faccessat": 269, "faccessat2": 439, "stat": 4, "lstat": 6,
    "newfstatat": 262, "statx": 332, "readlink": 89, "readlinkat": 267, "getcwd": 79, "getdents64": 217,
}  # fmt: skip
OPENS: Final = (_FOR_FILES["open"], _FOR_FILES["openat"])
# What says in an argument that these calls do not have that the handler of a trap makes them.
FROM_HANDLER: Final = 0x6F7074
_UNUSED_ARGUMENT: Final = 5
_FOR_TOOLS: Final = {
    # starting a tool, and waiting for it
    "execve": 59, "vfork": 58, "wait4": 61, "waitid": 247, "pipe2": 293, "pipe": 22,
    # the assembler and the linker replace their output. They do without chmod, which Landlock does not limit:
    # by its name a session could change the mode of each file of its user; fchmod needs one that it may open
    "unlink": 87, "unlinkat": 263, "rename": 82, "fchmod": 91, "umask": 95,
}  # fmt: skip
_CLONE: Final = 56
# The flags of clone for a namespace (CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET), and
# for a thread.
_REFUSED_FLAGS: Final = 0x7E020000 | 0x10000

_PRCTL: Final = 157

# Calls that the C library tries first, with a fallback if the kernel does not know them.
_FUTURE_CALLS: Final = {"clone3": 435}

_FCNTL_COMMANDS: Final = (
    fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC,
)  # fmt: skip
_FCNTL: Final = 72
_IOCTL: Final = 16
_TCGETS: Final = 0x5401  # is this descriptor a terminal?
_FIONBIO: Final = 0x5421  # blocking or not
_NEWFSTATAT: Final = 262
_AT_EMPTY_PATH: Final = 0x1000
_PRLIMIT64: Final = 302
_OWN_PROCESS: Final = 0  # word of prlimit64's first argument, of which the kernel reads 32 bits
# Words of prlimit64's third argument, which is null where a limit is only read. A process could lower its own
# hard limit on CPU time, at which the kernel kills it by SIGKILL.
_NEW_LIMIT: Final = (4, 5)
_TGKILL: Final = 234
_KILL: Final = 62
# What a process may send to itself; 0 sends nothing. It could pass any other off as a kill from outside.
_MAY_SEND: Final = (0, *OWN_SIGNALS)


def is_available() -> bool:
    """Whether the kernel lets a process filter its system calls."""
    if not syscalls.is_supported_machine():
        return False
    try:
        syscalls.syscall(_SECCOMP, _GET_ACTION_AVAILABLE, 0, struct.pack("=I", _ERRNO))
    except OSError:
        return False
    return True


def build_filter(pid: int, *, tools: bool, files: bool, traps: bool) -> bytes:
    """The filter as a BPF program.

    The process may signal only itself, and only by signals that it can cause anyway. With tools, it may also
    start programs, open files and set its own limits, which a tool gets before it starts; its tools may
    signal nobody. With files, it may open files. With traps, a call that is refused raises SIGSYS, whose
    handler says which call it was, and must let it fail. So does each that opens a file, which the handler
    may make itself.
    """
    opens = _FOR_FILES.values() if files or tools else ()
    refusal = _RETURN, 0, 0, _TRAP if traps else _ERRNO | errno.EPERM
    program = [
        (_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        (_IF_EQUAL, 1, 0, _AUDIT_ARCH_X86_64),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER_OFFSET),
        (_IF_AT_LEAST, 0, 1, _X32_BIT),
        (_RETURN, 0, 0, _KILL_PROCESS),
    ]
    if files and traps:
        tests: list[_Instruction] = [(_IF_EQUAL, 0, 1, FROM_HANDLER), (_RETURN, 0, 0, _ALLOW)]
        for number in OPENS:
            program += _for_call(number, _UNUSED_ARGUMENT, tests, refusal)
    for number in (*_ALWAYS.values(), *opens, *(_FOR_TOOLS.values() if tools else ())):
        program += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    for number in _FUTURE_CALLS.values():
        program += [(_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    program += _argument_is(_FCNTL, 1, _FCNTL_COMMANDS, refusal)
    program += _argument_is(_IOCTL, 1, (_TCGETS, _FIONBIO), refusal)
    program += _only_zero(_PRLIMIT64, (_OWN_PROCESS, *(() if tools else _NEW_LIMIT)), refusal)
    if tools:
        tests = [(_IF_ANY_BIT, 1, 0, _REFUSED_FLAGS), (_RETURN, 0, 0, _ALLOW)]
        program += _for_call(_CLONE, 0, tests, refusal)
        # a tool dies with its session
        program += _argument_is(_PRCTL, 0, (syscalls.PR_SET_PDEATHSIG,), refusal)
    program += _signals_itself(_TGKILL, pid, 2, refusal)
    program += _signals_itself(_KILL, pid, 1, refusal)
    tests = [(_IF_ANY_BIT, 0, 1, _AT_EMPTY_PATH), (_RETURN, 0, 0, _ALLOW)]
    program += _for_call(_NEWFSTATAT, 3, tests, refusal)
    program.append(refusal)
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


_Instruction = tuple[int, int, int, int]


def _argument_is(
    number: int, argument: int, values: tuple[int, ...], refusal: _Instruction
) -> list[_Instruction]:
    # The low half of the argument: all values are 32-bit integers.
    tests: list[_Instruction] = []
    for value in values:
        tests += [(_IF_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
    return _for_call(number, argument, tests, refusal)


def _only_zero(number: int, words: tuple[int, ...], refusal: _Instruction) -> list[_Instruction]:
    # Allow one call if these 32-bit words of its arguments, each of which has two, are 0.
    body: list[_Instruction] = []
    for word in words:
        body += [(_LOAD, 0, 0, _ARGUMENTS_OFFSET + 4 * word), (_IF_EQUAL, 1, 0, 0), refusal]
    body.append((_RETURN, 0, 0, _ALLOW))
    return [(_IF_EQUAL, 0, len(body), number), *body]


def _signals_itself(number: int, pid: int, argument: int, refusal: _Instruction) -> list[_Instruction]:
    tests: list[_Instruction] = [
        (_IF_EQUAL, 1, 0, pid),
        refusal,
        (_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * argument),
    ]
    for signal in _MAY_SEND:
        tests += [(_IF_EQUAL, 0, 1, int(signal)), (_RETURN, 0, 0, _ALLOW)]
    return _for_call(number, 0, tests, refusal)


def _for_call(
    number: int, argument: int, tests: list[_Instruction], refusal: _Instruction
) -> list[_Instruction]:
    body = [(_LOAD, 0, 0, _ARGUMENTS_OFFSET + 8 * argument), *tests, refusal]
    return [(_IF_EQUAL, 0, len(body), number), *body]


_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_VERSION_FLAG: Final = 1
_PATH_BENEATH: Final = 1

_FILESYSTEM_V1: Final = (1 << 13) - 1
# REFER, TRUNCATE and IOCTL_DEV, by the version of the interface that introduced them.
_FILESYSTEM_SINCE: Final = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
_NETWORK_SINCE: Final = 4
_SCOPE_SINCE: Final = 6
_BIND_AND_CONNECT: Final = 3
_SOCKETS_AND_SIGNALS: Final = 3

EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_FOLDER: Final = 1 << 3
REMOVE_FILE: Final = 1 << 5
MAKE_FILE: Final = 1 << 8
TRUNCATE: Final = 1 << 14
# What a session that starts tools may do in its own folder: make files, but neither folders nor links.
OWN_FOLDER: Final = WRITE_FILE | READ_FILE | READ_FOLDER | REMOVE_FILE | MAKE_FILE | TRUNCATE
_READ_HERE: Final = {Path(): READ_FILE | READ_FOLDER}


def version() -> int | None:
    """The version of Landlock's interface; None if this kernel lacks it or has turned it off."""
    if not syscalls.is_supported_machine():
        return None
    try:
        return syscalls.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return None


def deny_all(*, but: Mapping[Path, int] | None = None) -> int:
    """Deny this process, and its future children, every access that Landlock knows; the interface's version.

    ``but`` has what is allowed all the same: for each file or folder, its accesses.
    """
    abi = syscalls.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    # `struct landlock_ruleset_attr` with the length of this version of the interface.
    fields = [_filesystem(abi)]
    if abi >= _NETWORK_SINCE:
        fields.append(_BIND_AND_CONNECT)
    if abi >= _SCOPE_SINCE:
        fields.append(_SOCKETS_AND_SIGNALS)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = syscalls.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path, access in (but or {}).items():
            _allow(ruleset, path, access & _filesystem(abi))
        syscalls.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return abi


def _allow(ruleset: int, path: Path, access: int) -> None:
    # `struct landlock_path_beneath_attr` is packed.
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        syscalls.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, place), 0)
    finally:
        os.close(place)


def _filesystem(abi: int) -> int:
    known = _FILESYSTEM_V1
    for since, access in _FILESYSTEM_SINCE.items():
        if abi >= since:
            known |= access
    return known


# User and group of confined processes where root starts them. It is not `nobody` (65534), as which a database
# of the same machine may run: a process may signal, and look into, others of its own user. The number is in
# the range that Debian and systemd give to nobody.
CONFINED_USER: Final = 65_533


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxReport:
    """The parts of the sandbox that confine a process, recorded with every result."""

    confined: bool = False  # whether the floor was applied at all
    landlock: int | None = None  # version of Landlock's interface; None if not applied
    seccomp: bool = False  # whether system calls are filtered by the allow-list
    no_new_privs: bool = False  # whether programs that it runs cannot gain privileges
    uid_dropped: bool = False  # whether it was root and became CONFINED_USER
    capabilities_dropped: bool = False  # whether it has no capabilities
    aslr_off: bool = False  # whether addresses are the same in every run, which makes compilers repeatable
    # Bytes that all processes of its replay may use together; None if only the memory of each is limited.
    memory_group: int | None = None
    tools: Mapping[str, str] = field(default_factory=dict)  # programs that it may start, each with its sha256

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SandboxReport:
        """The report that :meth:`as_dict` gave; fields of later versions are left out."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in data.items() if name in known})


def probe() -> SandboxReport:
    """The confinement that this kernel, user and container offer; the process is not changed."""
    root = os.geteuid() == 0
    return SandboxReport(
        landlock=version(),
        seccomp=is_available(),
        no_new_privs=True,
        uid_dropped=root and _may_change_user(),
        capabilities_dropped=True,
        aslr_off=_may_turn_aslr_off(),
    )


def confines_programs(asked: bool) -> bool:  # noqa: FBT001 # what a session was asked for
    """Whether a program is run confined: if it was asked for, and wherever the floor is there.

    Its recorded output is that of a confined run.
    """
    return asked or (version() is not None and is_available())


def require_floor() -> SandboxReport:
    """Probe, and insist on the floor."""
    report = probe()
    missing = [
        name
        for name, there in (("Landlock", report.landlock is not None), ("seccomp", report.seccomp))
        if not there
    ]
    if missing:
        raise SandboxUnavailable(
            f"This machine has no {' and no '.join(missing)}, which untrusted programs require. "
            "Use a 64-bit x86 Linux kernel 5.13 or later with Landlock among its security modules (lsm=), "
            "in a container whose seccomp profile allows it, as Docker's default does."
        )
    return report


def confine(
    *, parent: int, tools: ToolAccess | None = None, files: bool = False, traps: bool = False
) -> SandboxReport:
    """Confine the calling process irreversibly; it must be single-threaded, and dies with ``parent``.

    With ``files``, it may read those of its present folder; for ``traps``, see :func:`build_filter`.

    Raises:
        SandboxUnavailable: Part of the floor is missing; the process may be half confined and must end.
    """
    require_floor()
    aslr_off = bool(syscalls.personality() & syscalls.ADDR_NO_RANDOMIZE)
    uid_dropped = os.geteuid() == 0 and _become_another_user()
    try:
        syscalls.drop_capabilities()
        syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
        syscalls.die_with_parent(parent)
        abi = deny_all(but={**(_READ_HERE if files else {}), **({} if tools is None else _rules(tools))})
        program = build_filter(os.getpid(), tools=tools is not None, files=files, traps=traps)
        buffer = ctypes.create_string_buffer(program, len(program))
        header = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
        syscalls.syscall(_SECCOMP, _SET_MODE_FILTER, 0, header)
    except OSError as error:
        raise SandboxUnavailable(f"The sandbox cannot be set up here: {error}") from error
    return SandboxReport(
        confined=True,
        landlock=abi,
        seccomp=True,
        no_new_privs=True,
        uid_dropped=uid_dropped,
        capabilities_dropped=True,
        aslr_off=aslr_off,
        tools={} if tools is None else dict(tools.hashes),
    )


def _rules(tools: ToolAccess) -> dict[Path, int]:
    for path in (*tools.files, *tools.data):
        if not os.access(path, os.R_OK):
            raise SandboxUnavailable(
                f"{path} cannot be read by confined processes, whose user id is {os.geteuid()}. "
                "Put the toolchain where every user may read it, or start OptArena as an ordinary user."
            )
    return tools.rules()


def unconfined() -> SandboxReport:
    """The report of a process that runs without the floor, because its code is trusted."""
    return SandboxReport(aslr_off=bool(syscalls.personality() & syscalls.ADDR_NO_RANDOMIZE))


def _become_another_user() -> bool:  # false if this container does not let root become another user
    try:
        os.setgroups([])
        os.setresgid(CONFINED_USER, CONFINED_USER, CONFINED_USER)
        os.setresuid(CONFINED_USER, CONFINED_USER, CONFINED_USER)
    except OSError:
        return False
    return True


def _may_change_user() -> bool:
    set_gid, set_uid = 1 << 6, 1 << 7
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 # a pseudo file, read once
        effective = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff:"))
    return effective & set_gid != 0 and effective & set_uid != 0


def _may_turn_aslr_off() -> bool:  # the present flags are restored
    with syscalls.fixed_addresses() as allowed:
        return allowed
