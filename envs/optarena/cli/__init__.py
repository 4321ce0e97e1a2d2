"""The command line ``optarena``. Thin: each command reads its arguments, calls the package, prints.

Exit codes: 0 done; 1 the answer is no (a replay differs, a state is not valid, an item is not verified);
2 it could not be done, with one line that says why and what to do.
"""

from optarena.cli.app import main

__all__ = ("main",)
