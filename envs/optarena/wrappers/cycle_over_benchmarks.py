"""One benchmark after the other, repeatedly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.wrappers.benchmark_order import BenchmarkName, BenchmarkOrder, Listed, listed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env


class CycleOverBenchmarks(BenchmarkOrder):
    """Takes the next benchmark of a list at each ``reset()``, and starts again after the last.

    A benchmark that is given to ``reset()`` is used instead, and the list does not advance.

    Args:
        env: The environment to wrap.
        benchmarks: URIs or ``Benchmark`` objects; all are read now, except those of a ``ParametricDataset``.
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
        items, recorded = listed(benchmarks)
        super().__init__(
            env,
            Listed(items, cycle=True),
            shared=fork_shares_iterator,
            benchmarks=recorded,
            fork_shares_iterator=fork_shares_iterator,
        )
