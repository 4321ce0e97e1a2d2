"""Benchmarks in random order."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from gymnasium.utils import RecordConstructorArgs

from optarena.datasets import ParametricDataset
from optarena.env.selection import checked_seed
from optarena.wrappers.benchmark_order import BenchmarkName, BenchmarkOrder, Items, Order, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gymnasium import Env


class RandomOrderBenchmarks(BenchmarkOrder):
    """Takes a random benchmark of a list at each ``reset()``.

    In rounds: each comes once before one comes again, in another order each time. ``reset(seed=…)`` begins
    a first round that depends on the seed alone. A benchmark that is given to ``reset()`` is used instead,
    and none of the list is taken. A fork goes on in the same order as its parent, by itself.

    Args:
        env: The environment to wrap.
        benchmarks: URIs or ``Benchmark`` objects; all are read now, except those of a ``ParametricDataset``.

    Raises:
        InvalidInput: There are no benchmarks, or they are no list.
    """

    def __init__(self, env: Env[Any, Any], benchmarks: Iterable[BenchmarkName]) -> None:
        items, recorded = listed(benchmarks)
        RecordConstructorArgs.__init__(self, benchmarks=recorded)
        self._items = items
        self._shuffled: Callable[[Items, int | None], Order] = (
            _ShuffledRange if isinstance(benchmarks, ParametricDataset) else _Shuffled
        )
        super().__init__(env, self._shuffled(items, None), shared=False)

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
            self._order = self._shuffled(self._items, checked)
        return super().reset(seed=seed, options=options)


class _Shuffled:
    """The items of a list in rounds of random order."""

    def __init__(self, items: Items, seed: int | None) -> None:
        self._items = items
        self._random = np.random.default_rng(seed)
        self._round: list[int] = []

    def next(self) -> BenchmarkName:
        """The next item."""
        if not self._round:
            self._round = self._random.permutation(len(self._items)).tolist()
        return self._items[self._round.pop()]

    def fork(self) -> Self:
        """The same place of the same round, with the same rounds to come."""
        twin = copy.copy(self)
        twin._random = copy.deepcopy(self._random)  # noqa: SLF001 # of the same class
        twin._round = list(self._round)  # noqa: SLF001 # of the same class
        return twin


class _ShuffledRange:
    """The members of a range in rounds of random order.

    The shuffle of Fisher and Yates, of which only places that differ from their number are kept: a range may
    have millions of members, of which few are taken.
    """

    def __init__(self, items: Items, seed: int | None) -> None:
        self._items = items
        self._random = np.random.default_rng(seed)
        self._left = 0
        self._moved: dict[int, int] = {}

    def next(self) -> BenchmarkName:
        """The next item."""
        self._left = self._left or len(self._items)
        place = int(self._random.integers(self._left))
        self._left -= 1
        taken = self._moved.pop(place, place)
        last = self._moved.pop(self._left, self._left)
        if place < self._left:
            self._moved[place] = last
        return self._items[taken]

    def fork(self) -> Self:
        """The same place of the same round, with the same rounds to come."""
        twin = copy.copy(self)
        twin._random = copy.deepcopy(self._random)  # noqa: SLF001 # of the same class
        twin._moved = dict(self._moved)  # noqa: SLF001 # of the same class
        return twin
