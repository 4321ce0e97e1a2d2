"""Keeps the object files of the programs that were last compiled to be run, by the program's hash.

To compile a large program can take a hundred times as long as one of its workloads, and each run is a process
of its own. An object file is what the just-in-time compiler itself made, in a worker as confined as those
that run the program.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

MAX_BYTES: Final = 64 * 1024**2
"""Of all objects that are kept at a time."""


class ObjectCache:
    """Object files, least recently used ones given up first. Thread-safe.

    Args:
        max_bytes: Of all that is kept; what is larger alone is not kept.
    """

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._bytes = 0
        self._lock = threading.Lock()
        self._objects: OrderedDict[bytes, bytes] = OrderedDict()

    def renew(self) -> None:
        """Forgets everything; in a forked process, where a thread that is not there may have had the lock."""
        self._lock = threading.Lock()
        self._bytes = 0
        self._objects = OrderedDict()

    def get(self, key: bytes) -> bytes | None:
        """The object of this key, if it is kept."""
        with self._lock:
            code = self._objects.get(key)
            if code is not None:
                self._objects.move_to_end(key)
            return code

    def put(self, key: bytes, code: bytes) -> None:
        """Keeps an object."""
        if len(code) > self._max_bytes:
            return
        with self._lock:
            self._bytes += len(code) - len(self._objects.pop(key, b""))
            self._objects[key] = code
            while self._bytes > self._max_bytes:
                _, given_up = self._objects.popitem(last=False)
                self._bytes -= len(given_up)
