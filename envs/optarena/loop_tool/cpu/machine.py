"""What tells one machine from another, and what state it is in."""

from __future__ import annotations

import contextlib
import os
import platform
from functools import cache
from pathlib import Path
from typing import Any, Final

from optarena.loop_tool.cpu import compiling, workers

_FEATURES: Final = ("sse4.2", "avx", "avx2", "fma", "avx512f", "neon", "sve")
_CPUINFO: Final = Path("/proc/cpuinfo")
_GOVERNOR: Final = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


@cache
def fixed_facts() -> dict[str, Any]:
    """What does not change; read before a process is confined, since files cannot be opened then."""
    host, info = compiling.host(), _cpuinfo()
    return {
        "device": info.get("model name") or platform.machine(),
        "vendor": info.get("vendor_id", ""),
        "architecture": platform.machine(),
        "llvm_cpu": host.cpu,
        "features": [name for name in _FEATURES if host.features.get(name)],
        "vector_elements": host.width,
        "llvm": compiling.llvm_version(),
        "kernel": platform.release(),
        "governor": _text(_GOVERNOR).strip(),
    }


def facts(cpus: tuple[int, ...]) -> dict[str, Any]:
    """All facts of now, as JSON data; what cannot be found out here is empty or None.

    Args:
        cpus: That may be used.
    """
    with workers.pinned(cpus[0]) as is_pinned:
        pass
    load = None
    with contextlib.suppress(OSError):
        load = list(os.getloadavg())
    return {**fixed_facts(), "cpus": len(cpus), "pinned": is_pinned, "load_average": load}


def _cpuinfo() -> dict[str, str]:
    """The first processor's lines."""
    first = _text(_CPUINFO).partition("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
