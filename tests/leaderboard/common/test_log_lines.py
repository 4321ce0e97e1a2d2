"""Lines of the logs: what a client sends makes no line of its own, and tells no secret."""

from __future__ import annotations

import logging
from io import StringIO
from typing import Any

from django.conf import settings


def written(name: str, message: str, *values: object, traceback: bool = False) -> str:
    """What a logger of a library writes."""
    stream = StringIO()
    handler = logging.StreamHandler(stream)
    logging_settings: dict[str, Any] = settings.LOGGING
    made = dict(logging_settings["formatters"]["structured"])
    handler.setFormatter(made.pop("()")(**made))
    logger = logging.getLogger(name)
    logger.addHandler(handler)
    try:
        logger.warning(message, *values, exc_info=traceback)
    finally:
        logger.removeHandler(handler)
    return stream.getvalue()


def test_a_path_makes_no_second_line_and_a_traceback_keeps_its_lines() -> None:
    for end in ("\n", "\r", "\x1b[2K", "\u2028", "\x85"):
        path = f"/a{end}2026-01-01 [info] forged"
        line = written("waitress", "Client disconnected while serving %s", path)
        assert len(line.splitlines()) == 1
        assert end not in line.rstrip("\n")
        assert "forged" in line
    try:
        int("wrong")
    except ValueError:
        line = written("django", "failed", traceback=True)
    assert "ValueError: invalid literal" in line
    assert len(line.splitlines()) > 2


def test_a_link_by_which_a_password_is_set_is_masked() -> None:
    for name in ("waitress", "django.request"):
        line = written(name, "Service Unavailable: %s", "/accounts/reset/MQ/c1abc-0123456789abcdef/")
        assert ("/accounts/reset/***" in line, "c1abc" in line) == (True, False)
