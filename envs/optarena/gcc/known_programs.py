"""The programs that the pinned GCC is known to compile: those of the datasets that were made with it."""

from __future__ import annotations

import json
from typing import Final

from optarena.datasets import BUILTIN
from optarena.gcc import pinned

_MANIFESTS: Final = "gcc-*/manifest.json"


def known_programs() -> frozenset[str]:
    """The sha256 of each program of the package's datasets of which this very build made the baselines."""
    found: set[str] = set()
    for path in BUILTIN.glob(_MANIFESTS):
        manifest = json.loads(path.read_bytes())
        compiler = manifest["toolchain"].get("compiler", {})
        if compiler.get("programs") == dict(pinned.PROGRAMS):
            found.update(one["sha256"] for one in manifest["benchmarks"])
    return frozenset(found)
