"""Benchmarks in random order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from optarena.env.selection import checked_seed
from optarena.wrappers.benchmark_order import (
    BenchmarkName,
    BenchmarkOrder,
    Items,
    Listed,
    Members,
    listed,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env


class RandomOrderBenchmarks(BenchmarkOrder):
    """Takes a random benchmark of a list at each ``reset()``.

    The order is in rounds: each benchmark comes once before one comes again, in another order each time.
    ``reset(seed=…)`` begins a first round that depends on the seed alone. A benchmark that is given to
    ``reset()`` is used instead, and the list does not advance. A fork continues independently in the same
    order as its parent.

    Args:
        env: The environment to wrap.
        benchmarks: URIs or ``Benchmark`` objects; all are read now, except those of a ``ParametricDataset``.

    Raises:
        InvalidInput: There are no benchmarks, or they are not a list.
    """

    def __init__(self, env: Env[Any, Any], benchmarks: Iterable[BenchmarkName]) -> None:
        items, recorded = listed(benchmarks)
        self._shuffled = _ShuffledRange if isinstance(items, Members) else _Shuffled
        self._items = items
        super().__init__(env, self._shuffled(items), benchmarks=recorded)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode on a random benchmark; see ``CompilerEnv.reset``.

        Args:
            seed: Seeds the order too.
            options: See ``CompilerEnv``.

        Raises:
            InvalidInput: The seed, the benchmark or an option is wrong; the present episode goes on.
        """
        checked = checked_seed(seed)
        if checked is not None:
            self._check(seed, options)
            self._order, self._next = self._shuffled(self._items, checked), None
        return super().reset(seed=seed, options=options)


class _Shuffled(Listed):
    """The items of a list in rounds of random order."""

    def __init__(self, items: Items, seed: int | None = None) -> None:
        super().__init__(items)
        self._random = np.random.default_rng(seed)
        self._round: list[int] = []

    def next(self) -> BenchmarkName:
        """The next item."""
        if not self._round:
            self._round = self._random.permutation(len(self.items)).tolist()
        return self.items[self._round.pop()]


class _ShuffledRange(_Shuffled):
    """The members of a range in rounds of random order.

    The Fisher-Yates shuffle, which stores only the places whose member has moved: a range may have millions
    of members, of which few are taken.
    """

    def __init__(self, items: Items, seed: int | None = None) -> None:
        super().__init__(items, seed)
        self._left = 0
        self._moved: dict[int, int] = {}

    def next(self) -> BenchmarkName:
        """The next item."""
        self._left = self._left or len(self.items)
        place = int(self._random.integers(self._left))
        self._left -= 1
        taken = self._moved.pop(place, place)
        last = self._moved.pop(self._left, self._left)
        if place < self._left:
            self._moved[place] = last
        return self.items[taken]
