"""Errors of the embedded servers; each message says what to do."""

from __future__ import annotations

from optarena.errors import OptArenaError


class EmbeddedError(OptArenaError):
    """An embedded server could not be installed, started or reached."""


class StateBusy(EmbeddedError):
    """Another supervisor is using the state folder."""
