"""Logging: silent by default, one logger a module below ``optarena``, ``$OPTARENA_DEBUG`` turns it up.

Debug levels: 0 silent, 1 errors of services, 2 warnings, 3 events, 4 every call of a service with its
duration. From 1 on, the standard error of services' processes is copied to this process's.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final

LOGGER_NAME: Final = "optarena"
VARIABLE: Final = "OPTARENA_DEBUG"
_LEVELS: Final = (logging.CRITICAL + 1, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_HANDLER_NAME: Final = "optarena-debug"
# What the variable and the caller requested at the last ``configure()``, and the level since then.
_configured: Final = {"debug_level": 0, "at_least": 0, "level": 0}


def debug_level() -> int:
    """The level in ``$OPTARENA_DEBUG``, 0 to 4; anything that is not a number counts as 0."""
    text = os.environ.get(VARIABLE, "").strip()
    number = int(text) if text.isdecimal() else 0
    return min(number, len(_LEVELS) - 1)


def level() -> int:
    """The debug level in force since the last ``configure()``. Started processes get it too."""
    return _configured["level"]


def configure(at_least: int = 0) -> None:
    """Keep the package silent unless the user or ``$OPTARENA_DEBUG`` asks for its messages.

    Called when the package is imported. May be called again: after a change of the variable the level
    follows, also in service processes that run already, and no message is doubled. Making an environment
    does that too.

    Args:
        at_least: The debug level where the variable asks for less.
    """
    wanted = min(max(debug_level(), at_least), len(_LEVELS) - 1)
    _configured.update(debug_level=debug_level(), at_least=at_least, level=wanted)
    logger = logging.getLogger(LOGGER_NAME)
    if not any(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        logger.addHandler(logging.NullHandler())
    for old in [one for one in logger.handlers if one.name == _HANDLER_NAME]:
        logger.removeHandler(old)
        logger.setLevel(logging.NOTSET)
    if not wanted:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.name = _HANDLER_NAME
    handler.setLevel(_LEVELS[wanted])
    formatter = logging.Formatter("%(asctime)s %(levelname).1s %(name)s[%(process)d]: %(message)s")
    formatter.converter = time.gmtime  # confined processes do not know this one's time zone
    formatter.default_msec_format = "%s.%03dZ"
    handler.setFormatter(formatter)
    logger.addHandler(handler)
    logger.setLevel(_LEVELS[wanted])


def configure_if_changed() -> None:
    """Follow ``$OPTARENA_DEBUG`` if it has changed since the last ``configure()``; else change nothing."""
    if debug_level() != _configured["debug_level"]:
        configure(_configured["at_least"])


def follow(wanted: int) -> None:
    """In a service's process: take over the level of the process that it works for."""
    if wanted != level():
        os.environ[VARIABLE] = str(wanted)
        configure()


def timed(logger: logging.Logger, call: str, *words: object) -> AbstractContextManager[None]:
    """A block whose duration in milliseconds is a message of level 4, also where the block raises.

    ``call`` says what the block does, with ``%s`` for each of ``words``.
    """
    return _timed(logger, call, words) if logger.isEnabledFor(logging.DEBUG) else contextlib.nullcontext()


@contextlib.contextmanager
def _timed(logger: logging.Logger, call: str, words: tuple[object, ...]) -> Iterator[None]:
    started = time.perf_counter()
    try:
        yield
    finally:
        logger.debug(f"{call}: %.2f ms", *words, (time.perf_counter() - started) * 1000)  # noqa: G004 # both parts are formats


def relay(text: bytes) -> None:
    """Copy what a service's process wrote to its standard error to this process's, unchanged."""
    sys.stderr.write(text.decode(errors="replace"))
    sys.stderr.flush()
