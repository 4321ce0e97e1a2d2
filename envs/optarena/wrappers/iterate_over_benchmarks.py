"""One benchmark after the other, each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from optarena.datasets import ParametricDataset
from optarena.wrappers.benchmark_order import BenchmarkName, BenchmarkOrder, Listed, Order, Streamed, listed

if TYPE_CHECKING:
    from gymnasium import Env


class IterateOverBenchmarks(BenchmarkOrder):
    """Takes the next benchmark of a list or an iterator at each ``reset()``, each once.

    When there are none left, ``reset()`` raises ``InvalidInput``. A benchmark that is given to ``reset()``
    is used instead, and the list does not advance. With an iterator that is not a list, the wrapper cannot be
    pickled, and is missing from ``spec``.

    Args:
        env: The environment to wrap.
        benchmarks: URIs or ``Benchmark`` objects: a list, a dataset or an iterator, however long.
        fork_shares_iterator: Whether forks divide the benchmarks between them; else each fork continues
            independently from where it was forked.

    Raises:
        InvalidInput: There are no benchmarks, or they are not a list.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        benchmarks: Iterable[BenchmarkName],
        fork_shares_iterator: bool = False,  # noqa: FBT001, FBT002 # as in CompilerGym
    ) -> None:
        kept: dict[str, Any] = {"fork_shares_iterator": fork_shares_iterator}
        is_list = isinstance(benchmarks, (Sequence, bytes, ParametricDataset))
        if isinstance(benchmarks, Iterable) and not is_list:
            order: Order = Streamed(benchmarks)
        else:
            items, kept["benchmarks"] = listed(benchmarks)
            order = Listed(items)
        super().__init__(env, order, shared=fork_shares_iterator, **kept)
