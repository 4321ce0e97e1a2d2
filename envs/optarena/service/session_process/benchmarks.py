"""The benchmarks of a service: checks of requests, and a bounded cache from which sessions start by URI.

The service with sessions in its own process and the one with a process for each session share this module.
The cache knows only messages and their sizes, not their programs. It runs in a session's process too, so
only annotations name numpy.
"""

from __future__ import annotations

import hashlib
import logging
import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from optarena.documents.texts import printable
from optarena.service.protocol.messages import handle_cache_parameter, resolve_program
from optarena.service.protocol.status import Translated, invalid, not_found

if TYPE_CHECKING:
    import numpy as np

    from optarena.service.proto.compiler_gym_service_pb2 import Benchmark

logger = logging.getLogger(__name__)

DEFAULT_MAX_SIZE_IN_BYTES: Final = 54_525_952


class BenchmarkCache:
    """Benchmark messages by URI, with a limit on their total size.

    When an insertion would exceed the limit, random items are evicted until at most half of it is used.
    An item larger than the limit evicts everything else, with a warning, and is kept. ``rng`` chooses what to
    evict, by its method ``shuffle`` alone: a generator of numpy's or of Python's.
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
        return len(self._items)

    @property
    def size_in_bytes(self) -> int:
        return self._size

    @property
    def max_size_in_bytes(self) -> int:
        return self._max_size

    @max_size_in_bytes.setter
    def max_size_in_bytes(self, value: int) -> None:
        self._max_size = self._checked(value)
        self.evict_to_capacity(self._max_size)

    def __getitem__(self, uri: str) -> Benchmark:
        return self._items[uri]

    def __setitem__(self, uri: str, benchmark: Benchmark) -> None:
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


_T = TypeVar("_T")


class Benchmarks:
    # The cache of benchmarks in front of a service. Thread-safe.

    def __init__(self, *, files: bool = True) -> None:
        self.cache = BenchmarkCache()
        self._files = files
        self._lock = threading.Lock()

    def add(self, benchmarks: Iterable[Benchmark]) -> None:
        # All of them or, if one cannot be used, none.
        usable = [resolve_program(benchmark, files=self._files) for benchmark in benchmarks]
        with self._lock:
            for benchmark in usable:
                self.cache[benchmark.uri] = benchmark

    def find(self, benchmark: Benchmark, sha256: str = "") -> Benchmark:
        # The program must have this SHA-256 (hex), if one is given.
        given = resolve_program(benchmark, files=self._files)
        with self._lock:
            if given.HasField("program"):
                self.cache[given.uri] = given
            try:
                found = self.cache[given.uri]
            except KeyError:
                raise not_found(f"Benchmark not found: {given.uri}") from None
        if sha256 and hashlib.sha256(found.program.contents).hexdigest() != sha256:
            # Clients share the cache, and two of them may give the same URI to different programs.
            raise not_found(f"The program of {given.uri} here does not have the sha256 {sha256!r:.80}")
        return found

    def handle_parameter(self, key: str, value: str) -> str | None:
        with self._lock, Translated():
            return handle_cache_parameter(self.cache, key, value)


def item_at(items: Sequence[_T], index: int, what: str) -> _T:
    if not 0 <= index < len(items):
        raise invalid(f"No such {what}: {index} is out of range, expected 0 to {len(items) - 1}")
    return items[index]
