"""A bounded cache of benchmark messages, so that sessions can be started by URI.

This module knows only messages and their sizes, not their programs. It runs in a session's process too, so
only annotations name numpy.
"""

from __future__ import annotations

import logging
import random
from typing import TYPE_CHECKING, Final

from optarena.documents.texts import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from optarena.service.proto.compiler_gym_service_pb2 import Benchmark

logger = logging.getLogger(__name__)

DEFAULT_MAX_SIZE_IN_BYTES: Final = 54_525_952


class BenchmarkCache:
    """Benchmark messages by URI, with a limit on their total size.

    When an insertion would exceed the limit, random items are evicted until at most half of it is used.
    An item larger than the limit evicts everything else, with a warning, and is kept.

    Args:
        max_size_in_bytes: The limit.
        rng: Chooses what to evict, by its method ``shuffle`` alone: a generator of numpy's or of Python's.
            Python's shared one if None.
    """

    def __init__(
        self,
        max_size_in_bytes: int = DEFAULT_MAX_SIZE_IN_BYTES,
        rng: np.random.Generator | random.Random | None = None,
    ) -> None:
        self._items: dict[str, Benchmark] = {}
        self._rng = rng
        self._size = 0
        self._max_size = self._checked(max_size_in_bytes)

    @property
    def size(self) -> int:
        """Number of benchmarks."""
        return len(self._items)

    @property
    def size_in_bytes(self) -> int:
        """Total size of the messages."""
        return self._size

    @property
    def max_size_in_bytes(self) -> int:
        """The limit; a lower one evicts at once."""
        return self._max_size

    @max_size_in_bytes.setter
    def max_size_in_bytes(self, value: int) -> None:
        self._max_size = self._checked(value)
        self.evict_to_capacity(self._max_size)

    def __getitem__(self, uri: str) -> Benchmark:
        """The benchmark with this URI.

        Raises:
            KeyError: It is not in the cache (or no longer).
        """
        return self._items[uri]

    def __setitem__(self, uri: str, benchmark: Benchmark) -> None:
        """Add a benchmark, or replace the one with the same URI."""
        if uri in self._items:
            del self[uri]
        size = benchmark.ByteSize()
        if size > self._max_size:
            logger.warning(
                "benchmark %s: %d bytes, but the cache holds %d", printable(uri), size, self._max_size
            )
            self.evict_to_capacity(0)
        elif self._size + size > self._max_size:
            self.evict_to_capacity()
            self.evict_to_capacity(self._max_size - size)
        self._items[uri] = benchmark
        self._size += size

    def __delitem__(self, uri: str) -> None:
        self._size -= self._items.pop(uri).ByteSize()

    def __contains__(self, uri: object) -> bool:
        return uri in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def evict_to_capacity(self, target_size_in_bytes: int | None = None) -> None:
        """Evict random benchmarks until no more than the target is used.

        Args:
            target_size_in_bytes: The target; half of the limit if None.

        Raises:
            ValueError: The target is negative.
        """
        target = self._max_size // 2 if target_size_in_bytes is None else self._checked(target_size_in_bytes)
        if self._size <= target:
            return
        uris = list(self._items)
        (self._rng or random).shuffle(uris)
        while self._size > target and uris:
            del self[uris.pop()]

    @staticmethod
    def _checked(value: int) -> int:
        if value < 0:
            raise ValueError(f"A size of the benchmark cache must be 0 or more bytes, not {value}.")
        return value
