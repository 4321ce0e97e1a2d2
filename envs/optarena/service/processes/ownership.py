"""The rule for resources shared with other processes: a process forked from their owner may not use them."""

from __future__ import annotations

import os

from optarena.errors import ServiceClosed


def check_owner(owner: int) -> None:
    """Refuse use by a process forked from the owner's.

    Args:
        owner: Process id of the owner.

    Raises:
        ServiceClosed: The message says what to do instead.
    """
    if owner != os.getpid():
        raise ServiceClosed(
            f"This service belongs to process {owner} and cannot be used in process {os.getpid()}, "
            "which was forked from it. Make a new environment here."
        )
