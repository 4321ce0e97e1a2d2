"""The command line ``optarena``. Thin: each command reads its arguments, calls the package, prints.

Exit codes: 0 success; 1 a negative result (a replay differs, a state is not valid, an item is not verified);
2 failure, with one line that says why and what to do.
"""

from optarena.cli.app import main

__all__ = ("main",)
