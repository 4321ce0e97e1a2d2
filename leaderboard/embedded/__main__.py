"""``python -m leaderboard.embedded``: see ``leaderboard.embedded.cli``."""

import sys

from leaderboard.embedded.cli import main

if __name__ == "__main__":
    sys.exit(main())
