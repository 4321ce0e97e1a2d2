"""The benchmarks of an iterator, and when it ends, those of a new one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.errors import InvalidInput
from optarena.wrappers.benchmark_order import BenchmarkName, BenchmarkOrder, Streamed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gymnasium import Env


class CycleOverBenchmarksIterator(BenchmarkOrder):
    """Takes the next benchmark of an iterator at each ``reset()``, and of a new one when it has ended.

    For benchmarks that are too many to keep, or are drawn anew each time. A benchmark that is given to
    ``reset()`` is used instead, and the iterator does not advance. Once it has begun, the wrapper can be
    pickled only if its iterator can.

    Args:
        env: The environment to wrap.
        make_benchmark_iterator: Called without arguments whenever an iterator is needed.
        fork_shares_iterator: Whether forks divide the benchmarks between them; else each fork continues
            independently from where it was forked.

    Raises:
        InvalidInput: It cannot be called; or, from ``reset()``, its iterator had no benchmark.
    """

    def __init__(
        self,
        env: Env[Any, Any],
        make_benchmark_iterator: Callable[[], Iterable[BenchmarkName]],
        fork_shares_iterator: bool = False,  # noqa: FBT001, FBT002 # as in CompilerGym
    ) -> None:
        if not callable(make_benchmark_iterator):
            message = f"make_benchmark_iterator is {make_benchmark_iterator!r:.100}, which cannot be called."
            remedy = "Give a function without arguments that returns an iterator, or use CycleOverBenchmarks."
            raise InvalidInput(message, field="make_benchmark_iterator", remedy=remedy)
        super().__init__(
            env,
            Streamed(make=make_benchmark_iterator),
            shared=fork_shares_iterator,
            make_benchmark_iterator=make_benchmark_iterator,
            fork_shares_iterator=fork_shares_iterator,
        )
