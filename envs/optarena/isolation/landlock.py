"""Landlock: no file may be opened, no TCP port used, no other process signalled.

See the kernel's ``Documentation/userspace-api/landlock.rst``. A ruleset that handles every access and
allows none; what is already open stays usable.
"""

from __future__ import annotations

import os
import struct
from typing import Final

from optarena.isolation import syscalls

_CREATE_RULESET: Final = 444
_RESTRICT_SELF: Final = 446
_VERSION_FLAG: Final = 1

_FILESYSTEM_V1: Final = (1 << 13) - 1
_FILESYSTEM_SINCE: Final = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""REFER, TRUNCATE and IOCTL_DEV, by the version of the interface that introduced them."""
_NETWORK_SINCE: Final = 4
_SCOPE_SINCE: Final = 6
_BIND_AND_CONNECT: Final = 3
_SOCKETS_AND_SIGNALS: Final = 3


def version() -> int | None:
    """The version of Landlock's interface; None if this kernel lacks it or has turned it off."""
    if not syscalls.is_supported_machine():
        return None
    try:
        return syscalls.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return None


def deny_all() -> int:
    """Deny the calling process, and all its future children, every access that Landlock knows.

    Returns:
        The version of the interface.

    Raises:
        OSError: The kernel does not have Landlock.
    """
    abi = syscalls.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    attributes = _ruleset(abi)
    ruleset = syscalls.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        syscalls.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return abi


def _ruleset(abi: int) -> bytes:
    """``struct landlock_ruleset_attr`` with the length of this version of the interface."""
    filesystem = _FILESYSTEM_V1
    for since, access in _FILESYSTEM_SINCE.items():
        if abi >= since:
            filesystem |= access
    fields = [filesystem]
    if abi >= _NETWORK_SINCE:
        fields.append(_BIND_AND_CONNECT)
    if abi >= _SCOPE_SINCE:
        fields.append(_SOCKETS_AND_SIGNALS)
    return struct.pack(f"={len(fields)}Q", *fields)
