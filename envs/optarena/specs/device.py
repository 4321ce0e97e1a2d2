"""A device other than the CPU, as plain data: what runners and boards must know about it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

CPU: Final = "cpu"
"""The device that every machine has; it needs no description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSpec:
    """A kind of device that replays are made on.

    Attributes:
        name: Short name, also of the runners' queue: ``cuda``.
        title: For people: ``GPU``.
        check: ``module:function`` that raises ``DeviceUnavailable`` where the device cannot be used. It is
            called in a process of its own, since a process that has loaded a driver must not be forked.
        packages: Distributions whose versions are recorded with what is measured on it.
        stand_in_variable: Environment variable that names an imitation of the device, for tests. A runner
            with this variable set stores no results.
        variables: Further environment variables that a process needs to find the device.
    """

    name: str
    title: str
    check: str
    packages: tuple[str, ...] = ()
    stand_in_variable: str = ""
    variables: tuple[str, ...] = ()

    @property
    def is_imitated(self) -> bool:
        """Whether this process is set up to use an imitation of the device."""
        return bool(self.stand_in_variable and os.environ.get(self.stand_in_variable, "").strip())
