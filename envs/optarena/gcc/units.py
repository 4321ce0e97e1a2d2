"""A program of several translation units as one payload: a container, which is text and has one form only.

The first line is :data:`MAGIC`. Each unit then has a line ``// unit BYTES NAME`` and so many bytes, the last
of which ends a line. The order is that in which the units are linked. Their assembly has the same form.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from optarena.errors import InvalidInput

MAGIC: Final = b"// optarena: translation units, format 1\n"
SUFFIX: Final = ".units"
MEDIA_TYPE: Final = "application/vnd.optarena.c-units"
MAX_UNITS: Final = 1000
_HEAD: Final = re.compile(rb"// unit ([1-9][0-9]{0,8}) ([A-Za-z0-9_.+-]+(?:/[A-Za-z0-9_.+-]+)*)\n")
MAX_NAME: Final = 200
"""Bytes of the name of a unit of a program."""
_HEAD_BYTES: Final = 300


@dataclass(frozen=True, slots=True)
class Unit:
    """One translation unit.

    Attributes:
        name: Its name in messages and on pages: a relative path.
        data: Its text.
    """

    name: str
    data: bytes


def is_container(program: bytes) -> bool:
    """Whether a program is a container of units."""
    return program.startswith(MAGIC)


def pack(units: Iterable[Unit], *, longest: int = MAX_NAME) -> bytes:
    """The container of units, whose names differ."""
    packed = MAGIC + b"".join(
        b"// unit %d %s\n%s" % (len(one.data), one.name.encode(), one.data) for one in units
    )
    unpack(packed, longest=longest)
    return packed


def unpack(container: bytes, *, longest: int = MAX_NAME) -> tuple[Unit, ...]:
    """The units of a container.

    Args:
        container: The container.
        longest: The most bytes of a unit's name.

    Raises:
        InvalidInput: It is not one, has no unit or too many, one is not whole or has too long a name, or two
            have the same name.
    """
    if not is_container(container):
        raise _invalid(f"it does not begin with {MAGIC.decode().strip()!r}")
    units: dict[str, Unit] = {}
    place = len(MAGIC)
    while place < len(container):
        head = _HEAD.match(container, place, place + _HEAD_BYTES)
        if head is None:
            raise _invalid(f"byte {place} does not begin a line of the form '// unit BYTES NAME'")
        name, start, place = head[2].decode(), head.end(), head.end() + int(head[1])
        if len(name) > longest:
            raise _invalid(f"the name {name[:40]}… has {len(name)} bytes, and may have {longest}")
        if place > len(container) or container[place - 1 : place] != b"\n":
            raise _invalid(f"the unit {name} does not end with a line after its {int(head[1])} bytes")
        if name in units:
            raise _invalid(f"it has two units {name}")
        units[name] = Unit(name, container[start:place])
    if not 0 < len(units) <= MAX_UNITS:
        raise _invalid(f"it has {len(units)} units, and may have 1 to {MAX_UNITS}")
    return tuple(units.values())


def _invalid(problem: str) -> InvalidInput:
    return InvalidInput(
        f"The container of translation units cannot be read: {problem}.",
        field="program",
        remedy="Make it by optarena.gcc.units.pack, or give one source without this first line.",
    )
