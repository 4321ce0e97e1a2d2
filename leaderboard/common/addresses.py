"""Addresses of health checks, and of what a page has many of: these are looked up once."""

from __future__ import annotations

import uuid
from functools import lru_cache
from typing import Final

from django.urls import get_script_prefix, reverse

PROBES: Final = frozenset({"/healthz", "/readyz"})
"""Health checks: asked for often, and answered whatever else is wrong."""
_SUBMISSION: Final = uuid.UUID(int=0)
_POSITION: Final = 987_654_321
"""In the place of an item's position."""


def submission_address(view: str, submission_id: uuid.UUID) -> str:
    """The address of a view that takes a submission."""
    return _of_none(view, get_script_prefix()).replace(str(_SUBMISSION), str(submission_id))


def item_address(view: str, submission_id: uuid.UUID, position: int) -> str:
    """The address of a view that takes a submission and an item's position."""
    found = _of_none(view, get_script_prefix(), _POSITION).replace(str(_SUBMISSION), str(submission_id))
    return found.replace(str(_POSITION), str(position))


@lru_cache
def _of_none(view: str, prefix: str, *position: int) -> str:  # noqa: ARG001 - the lookup reads the prefix itself
    return reverse(view, args=[_SUBMISSION, *position])
