"""Errors of the datasets app."""

from __future__ import annotations

from optarena.errors import OptArenaError


class BlobDamagedError(OptArenaError):
    """Stored bytes are missing or no longer have the hash they are named by."""


class DatasetFrozenError(OptArenaError):
    """A frozen dataset version was given another manifest than the one it was frozen with."""
