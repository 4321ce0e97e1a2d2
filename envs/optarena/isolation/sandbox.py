"""The sandbox floor: the confinement of every process, as root, as a plain user and in a default container.

The steps, in order: another user if we are root, no capabilities, no new privileges, death with the parent,
Landlock without any rule, and a seccomp allow-list. A process confines itself after it has imported and
opened all it needs: afterwards it can only compute and answer on its descriptors. For limits on memory, files
and time see :mod:`optarena.isolation.limits`.

The floor *with tools* is for sessions whose compiler is a program: Landlock has a rule for each file of the
compiler and for the session's own folder, and the list of system calls has those that start programs and open
files. Everything else is as in the floor without.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from optarena.errors import SandboxUnavailable
from optarena.isolation import landlock, seccomp, syscalls

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from optarena.isolation.tools import ToolAccess

CONFINED_USER: Final = 65_533
"""User and group of confined processes where root starts them.

It is not ``nobody`` (65534), as which a database of the same machine may run: a process may signal, and look
into, others of its own user. The number is in the range that Debian and systemd give to nobody.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxReport:
    """The parts of the sandbox that confine a process, recorded with every result.

    Attributes:
        confined: Whether the floor was applied at all.
        landlock: Version of Landlock's interface; None if not applied.
        seccomp: Whether system calls are filtered by the allow-list.
        no_new_privs: Whether programs that it runs cannot gain privileges.
        uid_dropped: Whether it was root and became ``CONFINED_USER``.
        capabilities_dropped: Whether it has no capabilities.
        aslr_off: Whether addresses are the same in every run, which makes compilers repeatable.
        memory_group: The bytes of memory that all processes of its replay may use together; None if only
            the memory of each is limited.
        tools: The programs that it may start, each with its sha256.
    """

    confined: bool = False
    landlock: int | None = None
    seccomp: bool = False
    no_new_privs: bool = False
    uid_dropped: bool = False
    capabilities_dropped: bool = False
    aslr_off: bool = False
    memory_group: int | None = None
    tools: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_floor(self) -> bool:
        """Whether all parts that untrusted code requires are in place."""
        return self.landlock is not None and self.seccomp

    def as_dict(self) -> dict[str, Any]:
        """All fields by name, for JSON."""
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
        landlock=landlock.version(),
        seccomp=seccomp.is_available(),
        no_new_privs=True,
        uid_dropped=root and _may_change_user(),
        capabilities_dropped=True,
        aslr_off=_may_turn_aslr_off(),
    )


def require_floor() -> SandboxReport:
    """Probe, and insist on the floor.

    Raises:
        SandboxUnavailable: The message names what is missing and what to do.
    """
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


def confine(*, parent: int, tools: ToolAccess | None = None) -> SandboxReport:
    """Confine the calling process irreversibly; it must be single-threaded.

    Args:
        parent: Process id of the parent; when the parent dies, so does this process.
        tools: The programs that it may start, working in its present folder, which is its own.

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
        abi = landlock.deny_all(but=None if tools is None else _rules(tools))
        seccomp.allow_only_listed(tools=tools is not None)
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
    """What Landlock allows a process that starts tools.

    Raises:
        SandboxUnavailable: The user of confined processes may not read a file of the tools.
    """
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


def _become_another_user() -> bool:
    """Give up root; False if this container does not let root become another user."""
    try:
        os.setgroups([])
        os.setresgid(CONFINED_USER, CONFINED_USER, CONFINED_USER)
        os.setresuid(CONFINED_USER, CONFINED_USER, CONFINED_USER)
    except OSError:
        return False
    return True


def _may_change_user() -> bool:
    """Whether the capabilities to change user and group are in effect."""
    set_gid, set_uid = 1 << 6, 1 << 7
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123 # a pseudo file, read once
        effective = next(int(line.split()[1], 16) for line in status if line.startswith("CapEff:"))
    return effective & set_gid != 0 and effective & set_uid != 0


def _may_turn_aslr_off() -> bool:
    """Whether a program started from here could have fixed addresses; the present flags are restored."""
    with syscalls.fixed_addresses() as allowed:
        return allowed
