"""What each piece of work gives in a calm process, by the package alone: no server, no queue, no faults."""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

from faults.work import ENVIRONMENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faults.work import Piece
    from optarena.specs.results import ReplayResult


@dataclass(frozen=True)
class Calm:
    """The results of calm replays, and what they cost."""

    results: dict[Piece, ReplayResult]
    seconds: float


def replay_calmly(pieces: Sequence[Piece]) -> Calm:
    """Replay every piece, one on each processor at a time."""
    began = time.monotonic()
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        results = dict(zip(pieces, pool.map(_replay, pieces), strict=True))
    return Calm(results, time.monotonic() - began)


def _replay(piece: Piece) -> ReplayResult:
    from optarena.datasets import datasets  # noqa: PLC0415 - in the process that replays
    from optarena.replay import replay  # noqa: PLC0415 - as above

    return replay(
        environment=ENVIRONMENTS[piece.board],
        benchmark=datasets().benchmark(piece.uri),
        actions=piece.actions,
    )
