"""What every store does: rows of bytes by keys of bytes, many at a time.

A store saves work and nothing else. So a fault of it ends no search: there is one warning, and the store is
not asked again.
"""

from __future__ import annotations

import threading
import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from optarena.errors import StoreFault, StoreWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

T = TypeVar("T")


class OutcomeStore(ABC):
    """A store. Thread-safe, and picklable: a copy in another process opens it again.

    Args:
        url: Where it is, for messages: no passwords.

    Attributes:
        url: As the argument.
        is_readable: Whether it is still asked; False after a fault.
        is_writable: Whether it still gets rows; False after a fault, such as a full disk.
        on_warning: Called with the text of a warning; None for a :class:`StoreWarning`.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_readable = True
        self.is_writable = True
        self.on_warning: Callable[[str], None] | None = None
        self._lock = threading.RLock()

    def find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """The rows of some keys, None for each that has none."""
        nothing: list[bytes | None] = [None] * len(keys)
        if not keys or not self.is_readable:
            return nothing
        return self._trying(lambda: self._find(keys), nothing, reads=True)

    def keep(self, rows: Mapping[bytes, bytes]) -> None:
        """Add rows, in the place of former ones of the same keys."""
        if rows and self.is_writable:
            self._trying(lambda: self._keep(rows), None)

    def remove(self, keys: Sequence[bytes]) -> None:
        """Remove rows; keys that have none are left out."""
        if keys and self.is_writable:
            self._trying(lambda: self._remove(keys), None)

    def warn(self, text: str) -> None:
        """Say what is wrong with the store; the work goes on."""
        if self.on_warning is None:
            warnings.warn(text, StoreWarning, stacklevel=2)
        else:
            self.on_warning(text)

    def close(self) -> None:  # noqa: B027 # a store in memory has nothing to close
        """Give up connections. May be called again; the next call opens it again."""

    @abstractmethod
    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        """See ``find``; raises ``StoreFault``."""

    @abstractmethod
    def _keep(self, rows: Mapping[bytes, bytes]) -> None:
        """See ``keep``; raises ``StoreFault``."""

    @abstractmethod
    def _remove(self, keys: Sequence[bytes]) -> None:
        """See ``remove``; raises ``StoreFault``."""

    def _trying(self, work: Callable[[], T], otherwise: T, *, reads: bool = False) -> T:
        with self._lock:
            try:
                return work()
            except StoreFault as error:
                self._give_up(error, reads=reads)
        return otherwise

    def _give_up(self, error: StoreFault, *, reads: bool) -> None:
        """Warn once, and ask the store no more; after a fault of writing it is still read."""
        is_first = self.is_readable and self.is_writable
        self.is_writable = False
        self.is_readable = self.is_readable and not reads
        rest = "goes on without it" if reads else "keeps nothing more in it"
        text = f"The store {self.url} failed, and the work {rest}: {error}"
        if is_first:
            self.warn(text)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_lock", "on_warning")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock(), on_warning=None)
