"""Caches the object files of the programs that were run most recently, by the program's hash.

Compiling a large program can take a hundred times as long as one of its workloads, and each run is a process
of its own. The just-in-time compiler itself makes the object file, in a worker as confined as those that run
the program.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

MAX_BYTES: Final = 64 * 1024**2
"""Bytes of all cached object files together."""


class ObjectCache:
    """A cache of object files that drops the least recently used ones first. Thread-safe.

    Args:
        max_bytes: Bytes of all cached objects together; a larger object is not cached.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._objects: OrderedDict[bytes, bytes] = OrderedDict()

    def renew(self) -> None:
        """Drops everything and renews the lock, which another thread may have held during the fork."""
        self._lock = threading.Lock()
        self._bytes = 0
        self._objects = OrderedDict()

    def get(self, key: bytes) -> bytes | None:
        """The object with this key if it is cached."""
        with self._lock:
            code = self._objects.get(key)
            if code is not None:
                self._objects.move_to_end(key)
            return code

    def put(self, key: bytes, code: bytes) -> None:
        """Adds an object to the cache."""
        if len(code) > self._max_bytes:
            return
        with self._lock:
            self._bytes += len(code) - len(self._objects.pop(key, b""))
            self._objects[key] = code
            while self._bytes > self._max_bytes:
                _, given_up = self._objects.popitem(last=False)
                self._bytes -= len(given_up)
