"""A store in this process's memory, bounded in bytes: what was not used for longest gives way."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from optarena.outcome_store.store import OutcomeStore

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_BYTES: Final = 256 * 1024**2
"""What a store in memory holds, if it is not told another size."""
_ROW_BYTES: Final = 250
"""What Python takes for a row besides its value: key, two objects and the place in the table; measured."""


class MemoryStore(OutcomeStore):
    """A store in memory. A copy in another process begins empty.

    Args:
        most_bytes: About how much memory the rows may take.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        super().__init__("memory:")
        self._most_bytes = most_bytes
        self._rows: OrderedDict[bytes, bytes] = OrderedDict()
        self._bytes = 0

    def __len__(self) -> int:
        return len(self._rows)

    def _find(self, keys: Sequence[bytes]) -> list[bytes | None]:
        found = [self._rows.get(key) for key in keys]
        for key, row in zip(keys, found, strict=True):
            if row is not None:
                self._rows.move_to_end(key)
        return found

    def _keep(self, rows: Mapping[bytes, bytes]) -> None:
        self._remove(list(rows))
        for key, row in rows.items():
            self._rows[key] = row
            self._bytes += _ROW_BYTES + len(row)
        while self._bytes > self._most_bytes and self._rows:
            _, row = self._rows.popitem(last=False)
            self._bytes -= _ROW_BYTES + len(row)

    def _remove(self, keys: Sequence[bytes]) -> None:
        for key in keys:
            row = self._rows.pop(key, None)
            if row is not None:
                self._bytes -= _ROW_BYTES + len(row)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_rows": OrderedDict(), "_bytes": 0}
