#!/usr/bin/env python3
"""Django's command line for the server. Settings come from environment variables only."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    from django.core.management import execute_from_command_line  # noqa: PLC0415 - reads the variable above

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
