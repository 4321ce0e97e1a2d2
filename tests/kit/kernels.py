"""Submissions to the board of kernels-v0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from optarena.datasets import datasets
from optarena.llvm.actions import CURATED

URIS: Final = tuple(str(benchmark.uri) for benchmark in datasets()["kernels-v0"])
FEW: Final = ("mem2reg", "mem2reg", "instcombine")
"""Actions of which one has no effect. Whoever may submit any takes these: no replay is made twice."""


def document(names: Sequence[str], *, agent: str, count: int | None = None) -> dict[str, Any]:
    """A submission of one sequence of curated actions for every benchmark of kernels-v0, or the first few."""
    actions = [CURATED.index(name) for name in names]
    items = [{"benchmark": uri, "actions": actions} for uri in URIS[:count]]
    return {"board": "llvm-ic", "agent": agent, "open": True, "items": items}
