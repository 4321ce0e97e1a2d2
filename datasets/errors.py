"""Errors of the datasets app."""

from __future__ import annotations

from optarena.errors import OptArenaError


class BlobDamagedError(OptArenaError):
    """Stored bytes are missing or no longer match their hash."""


class DatasetFrozenError(OptArenaError):
    """A frozen dataset version was given a different manifest."""
