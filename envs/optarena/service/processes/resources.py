"""What this process takes from the system for another one: all of it or, if a part cannot be had, nothing."""

from __future__ import annotations

import errno
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final

from optarena.errors import InfrastructureFault, OptArenaError

if TYPE_CHECKING:
    from collections.abc import Iterator

_USED_UP: Final = frozenset({errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.ENOMEM})


@contextmanager
def taken() -> Iterator[ExitStack]:
    """A stack for what is taken, which gives everything back if the block fails, and nothing otherwise.

    Raises:
        InfrastructureFault: The system refuses something; its error is the cause.
    """
    with ExitStack() as stack:
        try:
            yield stack
        except OSError as error:
            if isinstance(error, OptArenaError):  # SessionTimeout is both
                raise
            remedy = "Close environments, or raise this process's limits (ulimit -n, ulimit -u)."
            message = f"A process cannot be started: {error}. {remedy if is_used_up(error) else ''}"
            raise InfrastructureFault(message.rstrip()) from error
        stack.pop_all()


def is_used_up(error: BaseException | None) -> bool:
    """Whether an error of the system says that no descriptors, processes or memory are left."""
    return isinstance(error, OSError) and error.errno in _USED_UP
