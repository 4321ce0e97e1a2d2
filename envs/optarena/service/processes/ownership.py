"""The rule for whatever a process shares with another: a process forked from its owner may not use it."""

from __future__ import annotations

import os

from optarena.errors import ServiceClosed


def check_owner(owner: int) -> None:
    """Refuse to be used by a process forked from the owner's.

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
