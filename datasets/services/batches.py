"""Many rows, some at a time."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of ``size``, of which the last may be shorter; read as they are asked for."""
    left = iter(items)
    while batch := list(islice(left, size)):
        yield batch
