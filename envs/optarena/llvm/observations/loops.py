"""The program's loops and direct calls, as tables and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.llvm.loops import tables
from optarena.llvm.loops.columns import CALL_SITE_COLUMNS, LOOP_COLUMNS, MAX_CALL_SITES, MAX_LOOPS
from optarena.llvm.observations.definition import INT64_MAX, Observed
from optarena.llvm.observations.tables import TEXTS, texts
from optarena.service.proto.compiler_gym_service_pb2 import (
    Event,
    Int64Box,
    Int64Tensor,
    Space,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optarena.llvm.module import Module


def _table(name: str, rows: int, columns: int, compute: Callable[[Module], list[int]]) -> Observed:
    def tensor(values: Sequence[int]) -> Int64Tensor:
        return Int64Tensor(shape=[rows, columns], value=values)

    size = rows * columns
    return Observed(
        name=name,
        space=Space(int64_box=Int64Box(low=tensor([0] * size), high=tensor([INT64_MAX] * size))),
        default=Event(int64_tensor=tensor([0] * size)),
        compute=lambda session: Event(int64_tensor=tensor(compute(session.module))),
    )


def _names(name: str, compute: Callable[[Module], list[str]]) -> Observed:
    return Observed(
        name=name,
        space=TEXTS,
        default=texts(()),
        compute=lambda session: texts(compute(session.module)),
    )


OBSERVED: Final = (
    _table("Loops", MAX_LOOPS, len(LOOP_COLUMNS), lambda module: tables.loop_rows(module, MAX_LOOPS)),
    _table(
        "CallSites",
        MAX_CALL_SITES,
        len(CALL_SITE_COLUMNS),
        lambda module: tables.call_site_rows(module, MAX_CALL_SITES),
    ),
    _names("LoopNames", tables.loop_names),
    _names("CallSiteNames", tables.call_site_names),
)
