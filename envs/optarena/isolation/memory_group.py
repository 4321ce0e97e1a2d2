"""A limit on memory that holds for all processes of a group together."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any

from optarena.errors import InfrastructureFault


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupLimit:
    """A control group that limits memory.

    Attributes:
        entrance: Its file to which a process with one thread writes 0 to become a member.
        limit_bytes: The memory of all its processes together.
    """

    entrance: str
    limit_bytes: int

    def as_dict(self) -> dict[str, Any]:
        """All fields by name; ``GroupLimit(**d)`` gives them back."""
        return asdict(self)

    def enter(self) -> None:
        """Become a member, with all processes that this one forks later; needed before it is confined.

        What the process has in memory already stays on its former group's account.

        Raises:
            InfrastructureFault: The group is gone, or does not accept the process.
        """
        try:
            descriptor = os.open(self.entrance, os.O_WRONLY | os.O_CLOEXEC)
            try:
                os.write(descriptor, b"0")
            finally:
                os.close(descriptor)
        except OSError as error:
            raise InfrastructureFault(f"The process cannot enter its memory group: {error}") from error
