"""The benchmarks of a service, and the checks of requests that do not depend on where sessions run.

The service with sessions in its own process and the one with a process for each session share this module.
"""

from __future__ import annotations

import hashlib
import threading
from typing import TYPE_CHECKING, TypeVar

from optarena.service.protocol.faults import Translated
from optarena.service.protocol.parameters import handle_cache_parameter
from optarena.service.protocol.programs import resolved
from optarena.service.protocol.status import invalid, not_found
from optarena.service.session_process.benchmark_cache import BenchmarkCache

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from optarena.service.proto.compiler_gym_service_pb2 import Benchmark

_T = TypeVar("_T")


class Benchmarks:
    """The cache of benchmarks in front of a service. Thread-safe.

    Args:
        files: Whether programs given as files of this machine are read.

    Attributes:
        cache: The cache; change it only by the methods.
    """

    def __init__(self, *, files: bool = True) -> None:
        self.cache = BenchmarkCache()
        self._files = files
        self._lock = threading.Lock()

    def add(self, benchmarks: Iterable[Benchmark]) -> None:
        """Put benchmarks into the cache: all of them or, if one cannot be used, none.

        Raises:
            RpcError: The errors of :func:`~optarena.service.protocol.programs.resolved`.
        """
        usable = [resolved(benchmark, files=self._files) for benchmark in benchmarks]
        with self._lock:
            for benchmark in usable:
                self.cache[benchmark.uri] = benchmark

    def find(self, benchmark: Benchmark, sha256: str = "") -> Benchmark:
        """The benchmark that a request names or contains, with its program.

        Args:
            benchmark: The benchmark from the request.
            sha256: SHA-256 (hex) of the program that is wanted; any if empty.

        Raises:
            RpcError: NOT_FOUND if it has no program and is not in the cache, or the program is another; else
                the errors of :meth:`add`.
        """
        given = resolved(benchmark, files=self._files)
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
        """Query or set a parameter of the cache; None if the cache has no such parameter.

        Raises:
            RpcError: INVALID_ARGUMENT for a value that cannot be used.
        """
        with self._lock, Translated():
            return handle_cache_parameter(self.cache, key, value)


def item_at(items: Sequence[_T], index: int, what: str) -> _T:
    """The item at an index of a request.

    Raises:
        RpcError: INVALID_ARGUMENT, naming the index and the range.
    """
    if not 0 <= index < len(items):
        raise invalid(f"No such {what}: {index} is out of range, expected 0 to {len(items) - 1}")
    return items[index]
