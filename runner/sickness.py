"""Tells failures of a sick worker from others: on such a worker every replay would fail."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Final

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterator

_ERRNOS: Final = frozenset(
    {
        errno.EACCES,
        errno.EDQUOT,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ENOSPC,
        errno.ENOTDIR,
        errno.EPERM,
        errno.EROFS,
    }
)
_SETTING: Final = "OPTARENA_"
SANDBOX_UNAVAILABLE: Final = "infra:sandbox-unavailable"
DEVICE_UNAVAILABLE: Final = "infra:device-unavailable"
UNHEALTHY: Final = "infra:worker-unhealthy"
ENVIRONMENT_CHANGED: Final = "infra:environment-changed"
OF_THE_WORKER: Final = frozenset({SANDBOX_UNAVAILABLE, DEVICE_UNAVAILABLE, UNHEALTHY})
"""Reasons after which a worker cannot work at all."""
OF_THE_WORK: Final = frozenset(
    {
        "infra:compile-timeout",
        ENVIRONMENT_CHANGED,
        "infra:machine-busy",
        "infra:memory-limit",
        "infra:unrepeatable",
    }
)
"""Reasons that say more about the work than about the worker that met them."""


def shows_sickness(error: BaseException) -> bool:
    """Whether an error, or one that it was raised from, is about the worker's folders, files or processes."""
    return any(_is_of_the_worker(one) for one in _chain(error))


def _is_of_the_worker(error: BaseException) -> bool:
    if isinstance(error, InvalidInput):
        return error.field.startswith(_SETTING)
    return isinstance(error, OSError) and error.errno in _ERRNOS


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__
