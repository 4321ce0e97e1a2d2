"""Reads the ``port.txt`` that a started service writes, possibly while it is being written."""

from __future__ import annotations

import os
import stat
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

_SETTLED_SECONDS: Final = 0.1
_LONGEST: Final = 100
_LARGEST_PORT: Final = 65_535


class PortFile:
    """A file that will hold a port, in decimal.

    A terminated line is complete. Not every service terminates it, so content that stays the same for a
    moment counts too.

    Attributes:
        garbage: The file's content, if it no longer changes and is not a port.
    """

    def __init__(self, path: Path) -> None:
        self.garbage = ""
        self._path = path
        self._seen = b""
        self._since = 0.0

    def read(self) -> int | None:
        """The port; None as long as there is none."""
        try:
            data = self._contents()
        except OSError:
            return None
        if self.garbage:
            return None
        now = time.monotonic()
        if data != self._seen:
            self._seen, self._since = data, now
        settled = now - self._since >= _SETTLED_SECONDS
        text = data.decode("ascii", errors="replace").strip()
        if not text or not (settled or data.endswith(b"\n")):
            return None
        if text.isdecimal() and 0 < int(text) <= _LARGEST_PORT:
            return int(text)
        if settled:
            self.garbage = text
        return None

    def _contents(self) -> bytes:
        """The beginning of the file, opened so that a pipe without a writer cannot block this process."""
        descriptor = os.open(self._path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                self.garbage = "(not a regular file)"
                return b""
            return os.read(descriptor, _LONGEST)
        finally:
            os.close(descriptor)
