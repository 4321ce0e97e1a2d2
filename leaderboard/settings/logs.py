"""Structured logs to standard error: readable lines, or one JSON object a line."""

from __future__ import annotations

from typing import Any

import structlog

from leaderboard.common.log_lines import plain
from leaderboard.settings.base import OPTARENA_LOG_FORMAT
from leaderboard.settings.environment import choice

_LEVEL = choice("OPTARENA_LOG_LEVEL", "INFO", ("DEBUG", "INFO", "WARNING", "ERROR"))
_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    plain,
]
_RENDERER: Any = (
    structlog.processors.JSONRenderer()
    if OPTARENA_LOG_FORMAT == "json"
    else structlog.dev.ConsoleRenderer(colors=False)
)

structlog.configure(
    processors=[
        structlog.stdlib.filter_by_level,
        *_SHARED,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ],
    logger_factory=structlog.stdlib.LoggerFactory(),
    wrapper_class=structlog.stdlib.BoundLogger,
    cache_logger_on_first_use=True,
)

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "structured": {
            "()": structlog.stdlib.ProcessorFormatter,
            "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, _RENDERER],
            "foreign_pre_chain": _SHARED,
        }
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "structured"}},
    "root": {"handlers": ["stderr"], "level": _LEVEL},
    "loggers": {
        "django": {"level": _LEVEL, "handlers": [], "propagate": True},
        # One line for each request is written by our middleware, with the time it took.
        # A full queue is answered, and counted, by our web server.
        "waitress.queue": {"level": "ERROR", "handlers": [], "propagate": True},
        # A traceback for each request that names another host; the line of the request says enough.
        "django.security.DisallowedHost": {"level": "CRITICAL", "handlers": [], "propagate": True},
        "django.server": {"level": "WARNING", "handlers": [], "propagate": True},
    },
}
