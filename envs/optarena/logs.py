"""Logging: silent by default, one logger a module below ``optarena``, ``$OPTARENA_DEBUG`` turns it up.

Debug levels: 0 silent, 1 errors of services, 2 warnings, 3 what happens, 4 every call of a service.
"""

from __future__ import annotations

import logging
import os
import sys
from typing import Final

LOGGER_NAME: Final = "optarena"
VARIABLE: Final = "OPTARENA_DEBUG"
_LEVELS: Final = (logging.CRITICAL + 1, logging.ERROR, logging.WARNING, logging.INFO, logging.DEBUG)
_HANDLER_NAME: Final = "optarena-debug"


def debug_level() -> int:
    """The level in ``$OPTARENA_DEBUG``, 0 to 4; anything that is no number counts as 0."""
    text = os.environ.get(VARIABLE, "").strip()
    number = int(text) if text.isdecimal() else 0
    return min(number, len(_LEVELS) - 1)


def configure(at_least: int = 0) -> None:
    """Keep the package silent unless the user or ``$OPTARENA_DEBUG`` asks for its messages.

    May be called again: after a change of the variable the level follows, and no message is doubled.

    Args:
        at_least: The debug level where the variable asks for less.
    """
    logger = logging.getLogger(LOGGER_NAME)
    if not any(isinstance(handler, logging.NullHandler) for handler in logger.handlers):
        logger.addHandler(logging.NullHandler())
    for handler in [handler for handler in logger.handlers if handler.name == _HANDLER_NAME]:
        logger.removeHandler(handler)
    level = min(max(debug_level(), at_least), len(_LEVELS) - 1)
    if not level:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.name = _HANDLER_NAME
    handler.setLevel(_LEVELS[level])
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname).1s %(name)s[%(process)d]: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(_LEVELS[level])
