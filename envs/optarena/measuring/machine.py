"""The properties that identify a machine to whoever compares measurements, and its present state."""

from __future__ import annotations

import contextlib
import os
import platform
from functools import cache
from pathlib import Path
from typing import Any, Final

_CPUINFO: Final = Path("/proc/cpuinfo")
_CLOCK: Final = "/sys/devices/system/cpu/cpu{}/cpufreq/scaling_cur_freq"
_KHZ_IN_MHZ: Final = 1000
_GOVERNOR: Final = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


@cache
def fixed_facts() -> dict[str, Any]:
    """The facts that do not change, as JSON data; unknown ones are empty.

    They are read once: a confined process can open no file.
    """
    info = _cpuinfo()
    return {
        "device": info.get("model name") or platform.machine(),
        "vendor": info.get("vendor_id", ""),
        "architecture": platform.machine(),
        "kernel": platform.release(),
        "governor": _text(_GOVERNOR).strip(),
    }


def present_mhz(cpu: int) -> float | None:
    """The present clock of a processor; None where the system does not tell it."""
    with contextlib.suppress(OSError, ValueError):
        return int(Path(_CLOCK.format(cpu)).read_text()) / _KHZ_IN_MHZ
    for lines in _text(_CPUINFO).split("\n\n"):
        told = _pairs(lines)
        if told.get("processor") == str(cpu):
            with contextlib.suppress(KeyError, ValueError):
                return float(told["cpu MHz"])
    return None


def load_average() -> list[float] | None:
    """The machine's load over 1, 5 and 15 minutes; None where it is unknown."""
    with contextlib.suppress(OSError):
        return list(os.getloadavg())
    return None


def _cpuinfo() -> dict[str, str]:
    """The first processor's lines."""
    return _pairs(_text(_CPUINFO).partition("\n\n")[0])


def _pairs(lines: str) -> dict[str, str]:
    pairs = (line.partition(":") for line in lines.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
