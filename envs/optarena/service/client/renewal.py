"""Begins afresh in this process: a replay that is repeated must find nothing that the first one left.

A module that keeps something made by a worker registers how to forget it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from optarena.service.client import zygote

if TYPE_CHECKING:
    from collections.abc import Callable

_forgets: Final[list[Callable[[], None]]] = []


def at_renewal(forget: Callable[[], None]) -> None:
    """Have this called by every :func:`renew`."""
    _forgets.append(forget)


def renew() -> None:
    """End every zygote of this process with all its workers, and forget what they made.

    The next session starts a zygote of its own.
    """
    zygote.close_all()
    for forget in _forgets:
        forget()
