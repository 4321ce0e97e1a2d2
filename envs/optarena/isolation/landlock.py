"""Landlock: no file may be opened, no TCP port used, no other process signalled.

See the kernel's ``Documentation/userspace-api/landlock.rst``. A ruleset that handles every access and
allows none, or only those of a session that starts tools; what is already open stays usable.
"""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Final

from optarena.isolation import syscalls

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
_VERSION_FLAG: Final = 1
_PATH_BENEATH: Final = 1

_FILESYSTEM_V1: Final = (1 << 13) - 1
_FILESYSTEM_SINCE: Final = {2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
"""REFER, TRUNCATE and IOCTL_DEV, by the version of the interface that introduced them."""
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
OWN_FOLDER: Final = WRITE_FILE | READ_FILE | READ_FOLDER | REMOVE_FILE | MAKE_FILE | TRUNCATE
"""What a session that starts tools may do in its own folder: make files, but neither folders nor links."""


def version() -> int | None:
    """The version of Landlock's interface; None if this kernel lacks it or has turned it off."""
    if not syscalls.is_supported_machine():
        return None
    try:
        return syscalls.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    except OSError:
        return None


def deny_all(*, but: Mapping[Path, int] | None = None) -> int:
    """Deny the calling process, and all its future children, every access that Landlock knows.

    Args:
        but: What is allowed all the same: for each file or folder, which stands for all in it, its accesses.

    Returns:
        The version of the interface.

    Raises:
        OSError: The kernel does not have Landlock, or a file does not exist.
    """
    abi = syscalls.syscall(_CREATE_RULESET, None, 0, _VERSION_FLAG)
    attributes = _ruleset(abi)
    ruleset = syscalls.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for path, access in (but or {}).items():
            _allow(ruleset, path, access & _filesystem(abi))
        syscalls.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return abi


def _allow(ruleset: int, path: Path, access: int) -> None:
    """Add ``struct landlock_path_beneath_attr``, which is packed."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        syscalls.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", access, place), 0)
    finally:
        os.close(place)


def _filesystem(abi: int) -> int:
    """All accesses to files that this version of the interface knows."""
    known = _FILESYSTEM_V1
    for since, access in _FILESYSTEM_SINCE.items():
        if abi >= since:
            known |= access
    return known


def _ruleset(abi: int) -> bytes:
    """``struct landlock_ruleset_attr`` with the length of this version of the interface."""
    fields = [_filesystem(abi)]
    if abi >= _NETWORK_SINCE:
        fields.append(_BIND_AND_CONNECT)
    if abi >= _SCOPE_SINCE:
        fields.append(_SOCKETS_AND_SIGNALS)
    return struct.pack(f"={len(fields)}Q", *fields)
