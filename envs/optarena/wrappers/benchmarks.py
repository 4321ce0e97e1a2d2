"""Wrappers that choose the benchmark of each episode, and the orders that they use."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, Self, TypeAlias

import numpy as np
from gymnasium.utils import RecordConstructorArgs

from optarena.datasets import Benchmark, FilesDataset, ParametricDataset
from optarena.env.selection import checked_seed
from optarena.errors import (
    DeviceBusy,
    InfrastructureFault,
    InvalidAnswer,
    InvalidInput,
    ServiceClosed,
    TooManySessions,
    TransportError,
)
from optarena.wrappers.base import CompilerEnvWrapper, First, items_of

if TYPE_CHECKING:
    from gymnasium import Env


BenchmarkName: TypeAlias = str | Benchmark
WHAT = "URIs of benchmarks"
_END: Final = object()
# says nothing about a benchmark and may be over at the next `reset()`
_PASSING: Final = (DeviceBusy, InfrastructureFault, ServiceClosed, TooManySessions, TransportError)


class Member(NamedTuple):
    """A member of a range or of a folder, before it is computed, read or compiled."""

    dataset: ParametricDataset | FilesDataset
    place: int


class Order(Protocol):
    """Where the next benchmark comes from."""

    def next(self) -> BenchmarkName | Member:
        """The benchmark of the next episode.

        Raises:
            InvalidInput: There is no next benchmark.
        """

    def fork(self) -> Self:
        """An independent copy of the order, at the same place."""


class BenchmarkOrder(CompilerEnvWrapper):
    """Takes the next benchmark of an order at each ``reset()``.

    A benchmark that is given to ``reset()``, or set before it, is used for that episode instead, and the
    order does not advance.

    Args:
        order: Where the benchmarks come from.
        shared: Whether forks take theirs from the same order; else each continues independently.
        recorded: The arguments of the subclass, for ``spec``.
    """

    def __init__(self, env: Env[Any, Any], order: Order, *, shared: bool = False, **recorded: Any) -> None:  # noqa: ANN401 # arguments of any type
        RecordConstructorArgs.__init__(self, **recorded)
        super().__init__(env)
        self._order = order
        self._shared = shared
        self._is_set = False
        self._next: BenchmarkName | Member | None = None  # that of a `reset()` whose failure may pass

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
        """Start an episode on the next benchmark; see ``CompilerEnv.reset``.

        Raises:
            InvalidInput: There is no next benchmark, or it or an option is wrong; the present episode goes
                on. Where an argument is wrong, or what failed may pass, the next call takes the same one.
        """
        given = {} if options is None else options
        if isinstance(given, Mapping) and given.get("benchmark") is None and not self._is_set:
            self._check(seed, options)
            taken, self._next = self._next or self._order.next(), None
            if not isinstance(taken, (str, Benchmark, Member)):
                message = f"A benchmark of the order is {taken!r:.100}."
                raise InvalidInput(message, field="benchmarks", value=taken, remedy=f"Give {WHAT}.")
            try:
                # The read of a member may be interrupted, too.
                benchmark = taken.dataset.benchmark_at(taken.place) if isinstance(taken, Member) else taken
                return super().reset(seed=seed, options={**given, "benchmark": benchmark})
            except BaseException as error:
                if _may_pass(error):
                    self._next = taken
                raise
        first = super().reset(seed=seed, options=options)
        self._is_set = False
        return first

    def _check(self, seed: int | None, options: dict[str, Any] | None) -> None:
        # Before the order advances.
        checked_seed(seed)
        self.unwrapped._updated(options)  # noqa: SLF001 # part of the environment

    @property
    def benchmark(self) -> Benchmark:
        """The benchmark of this episode; set it for the next ``reset()`` alone."""
        return self.env.benchmark

    @benchmark.setter
    def benchmark(self, benchmark: BenchmarkName) -> None:
        self.env.benchmark = benchmark
        self._is_set = True

    def on_fork(self) -> None:
        if self._shared:
            self._next = None  # its parent takes it
        else:
            self._order = self._order.fork()


def _may_pass(error: BaseException) -> bool:
    # Another `reset()` on the same benchmark may succeed; a loop must not try one for ever.
    if isinstance(error, InvalidInput) and error.field == "action_space":  # which a wrapper refuses
        return True
    is_interrupt = not isinstance(error, Exception)
    return is_interrupt or (isinstance(error, _PASSING) and not isinstance(error, InvalidAnswer))


class Members:
    """The members of a range or of a folder, each computed, read or compiled at its ``reset()``."""

    def __init__(self, dataset: ParametricDataset | FilesDataset) -> None:
        self._dataset = dataset

    def __len__(self) -> int:
        return len(self._dataset)

    def __getitem__(self, index: int) -> Member:
        return Member(self._dataset, index)


Items: TypeAlias = tuple[BenchmarkName, ...] | Members


def list_benchmarks(benchmarks: Iterable[BenchmarkName]) -> tuple[Items, Iterable[BenchmarkName]]:
    """The benchmarks of a list, and how to record them; InvalidInput if there are none."""
    if isinstance(benchmarks, (ParametricDataset, FilesDataset)):
        return Members(benchmarks), benchmarks
    items = items_of("benchmarks", benchmarks, WHAT)
    return items, list(items)


class Listed:
    """The items of a list, once or repeatedly."""

    def __init__(self, items: Items, *, cycle: bool = False) -> None:
        self.items = items
        self._cycle = cycle
        self._used = 0

    def next(self) -> BenchmarkName | Member:
        if self._used == len(self.items):
            if not self._cycle:
                raise exhausted_error(self._used)
            self._used = 0
        self._used += 1
        return self.items[self._used - 1]

    def fork(self) -> Self:
        return copy.deepcopy(self, {id(self.items): self.items})


class Streamed:
    """The items of an iterator, and when it has ended, those of a new one if there is a function to make it.

    Forks share the items that only one of them has taken.
    """

    def __init__(
        self, items: Iterable[BenchmarkName] = (), make: Callable[[], Iterable[BenchmarkName]] | None = None
    ) -> None:
        self._items: Iterator[BenchmarkName] = iter(items)
        self._make = make
        self._used = 0

    def next(self) -> BenchmarkName:
        item: Any = next(self._items, _END)
        if item is _END and self._make:
            self._items, self._used = iter(self._make()), 0
            item = next(self._items, _END)
        if item is _END:
            raise exhausted_error(self._used)
        self._used += 1
        taken: BenchmarkName = item
        return taken

    def fork(self) -> Self:
        twin = copy.copy(self)
        self._items, twin._items = itertools.tee(self._items)  # noqa: SLF001 # of the same class
        return twin


def exhausted_error(used: int) -> InvalidInput:
    """The error for the end of the benchmarks after ``used`` of them."""
    message = f"All benchmarks have been used; there were {used}." if used else "There are no benchmarks."
    remedy = (
        "Give reset() a benchmark, or use CycleOverBenchmarks to begin again."
        if used
        else f"Give {WHAT}: the iterator was empty."
    )
    return InvalidInput(message, field="benchmarks", value=used, remedy=remedy)


class CycleOverBenchmarks(BenchmarkOrder):
    """Takes the next benchmark of a list at each ``reset()``, and starts again after the last.

    A benchmark that is given to ``reset()`` is used instead, and the list does not advance.

    Args:
        benchmarks: URIs or ``Benchmark`` objects; all are read now, except those of a ``ParametricDataset``
            or a ``FilesDataset``.
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
        items, recorded = list_benchmarks(benchmarks)
        super().__init__(
            env,
            Listed(items, cycle=True),
            shared=fork_shares_iterator,
            benchmarks=recorded,
            fork_shares_iterator=fork_shares_iterator,
        )


class CycleOverBenchmarksIterator(BenchmarkOrder):
    """Takes the next benchmark of an iterator at each ``reset()``, and of a new one when it has ended.

    For benchmarks that are too many to keep, or are drawn anew each time. A benchmark that is given to
    ``reset()`` is used instead, and the iterator does not advance. Once it has begun, the wrapper can be
    pickled only if its iterator can.

    Args:
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


class IterateOverBenchmarks(BenchmarkOrder):
    """Takes the next benchmark of a list or an iterator at each ``reset()``, each once.

    When there are none left, ``reset()`` raises ``InvalidInput``. A benchmark that is given to ``reset()``
    is used instead, and the list does not advance. With an iterator that is not a list, the wrapper cannot be
    pickled, and is missing from ``spec``.

    Args:
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
        is_list = isinstance(benchmarks, (Sequence, bytes, ParametricDataset, FilesDataset))
        if isinstance(benchmarks, Iterable) and not is_list:
            order: Order = Streamed(benchmarks)
        else:
            items, kept["benchmarks"] = list_benchmarks(benchmarks)
            order = Listed(items)
        super().__init__(env, order, shared=fork_shares_iterator, **kept)


class RandomOrderBenchmarks(BenchmarkOrder):
    """Takes a random benchmark of a list at each ``reset()``.

    The order is in rounds: each benchmark comes once before one comes again, in another order each time.
    ``reset(seed=…)`` begins a first round that depends on the seed alone. A benchmark that is given to
    ``reset()`` is used instead, and the list does not advance. A fork continues independently in the same
    order as its parent.

    Args:
        benchmarks: URIs or ``Benchmark`` objects; all are read now, except those of a ``ParametricDataset``
            or a ``FilesDataset``.

    Raises:
        InvalidInput: There are no benchmarks, or they are not a list.
    """

    def __init__(self, env: Env[Any, Any], benchmarks: Iterable[BenchmarkName]) -> None:
        items, recorded = list_benchmarks(benchmarks)
        self._shuffled = _ShuffledRange if isinstance(benchmarks, ParametricDataset) else _Shuffled
        self._items = items
        super().__init__(env, self._shuffled(items), benchmarks=recorded)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> First:
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
    def __init__(self, items: Items, seed: int | None = None) -> None:
        super().__init__(items)
        self._random = np.random.default_rng(seed)
        self._round: list[int] = []

    def next(self) -> BenchmarkName | Member:
        if not self._round:
            self._round = self._random.permutation(len(self.items)).tolist()
        return self.items[self._round.pop()]


class _ShuffledRange(_Shuffled):
    # The Fisher-Yates shuffle, which stores only the places whose member has moved: a range may have millions
    # of members, of which few are taken.

    def __init__(self, items: Items, seed: int | None = None) -> None:
        super().__init__(items, seed)
        self._left = 0
        self._moved: dict[int, int] = {}

    def next(self) -> BenchmarkName | Member:
        self._left = self._left or len(self.items)
        place = int(self._random.integers(self._left))
        self._left -= 1
        taken = self._moved.pop(place, place)
        last = self._moved.pop(self._left, self._left)
        if place < self._left:
            self._moved[place] = last
        return self.items[taken]
