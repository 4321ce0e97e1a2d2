"""The properties that identify a machine, and its present state."""

from __future__ import annotations

import contextlib
import os
import platform
from functools import cache
from pathlib import Path
from typing import Any, Final

from optarena.loop_tool.cpu import compiling, quota, topology

_FEATURES: Final = ("sse4.2", "avx", "avx2", "fma", "avx512f", "neon", "sve")
_CPUINFO: Final = Path("/proc/cpuinfo")
_GOVERNOR: Final = Path("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")


@cache
def fixed_facts() -> dict[str, Any]:
    """The facts that do not change; read before a process is confined, when files can still be opened."""
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
        "cpu_quota": quota.cpu_quota(),
    }


def facts(cpus: tuple[int, ...]) -> dict[str, Any]:
    """All present facts, as JSON data; unknown ones are empty or None.

    Args:
        cpus: The CPUs that may be used.
    """
    core_of = topology.cores()
    cores = len({core_of[cpu] for cpu in cpus}) if core_of.keys() >= set(cpus) else None
    load = None
    with contextlib.suppress(OSError):
        load = list(os.getloadavg())
    return {**fixed_facts(), "cpus": len(cpus), "cores": cores, "load_average": load}


def may_open_files() -> bool:
    """Whether this process may open files; a confined one may not."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except PermissionError:
        return False
    return True


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
