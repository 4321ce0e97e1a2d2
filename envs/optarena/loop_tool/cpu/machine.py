"""The properties that identify a CPU to whoever compares measurements on it, and its present state."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, Final

from optarena.loop_tool.cpu import compiling, quota
from optarena.measuring import machine, topology

_FEATURES: Final = ("sse4.2", "avx", "avx2", "fma", "avx512f", "neon", "sve")


@cache
def fixed_facts() -> dict[str, Any]:
    """The facts that do not change; read before a process is confined, when files can still be opened."""
    host = compiling.host()
    return {
        **machine.fixed_facts(),
        "llvm_cpu": host.cpu,
        "features": [name for name in _FEATURES if host.features.get(name)],
        "vector_elements": host.width,
        "llvm": compiling.llvm_version(),
        "cpu_quota": quota.cpu_quota(),
    }


def facts(cpus: tuple[int, ...]) -> dict[str, Any]:
    """All present facts, as JSON data; unknown ones are empty or None.

    Args:
        cpus: The CPUs that may be used.
    """
    core_of = topology.cores()
    cores = len({core_of[cpu] for cpu in cpus}) if core_of.keys() >= set(cpus) else None
    return {**fixed_facts(), "cpus": len(cpus), "cores": cores, "load_average": machine.load_average()}


def may_open_files() -> bool:
    """Whether this process may open files; a confined one may not."""
    try:
        os.close(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC))
    except PermissionError:
        return False
    return True
