#!/usr/bin/env python3
"""Django's command line for the server. Settings come from environment variables only."""

from __future__ import annotations

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
    from django.core import management  # noqa: PLC0415 - reads the variable above
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415 - as above
    from django.db import OperationalError, ProgrammingError  # noqa: PLC0415 - as above
    from psycopg.errors import UndefinedTable  # noqa: PLC0415 - as above
    from psycopg_pool import PoolTimeout  # noqa: PLC0415 - as above

    try:
        management.execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:  # a setting cannot be used; the text names it and says what can
        sys.exit(f"error: {error}")
    except OperationalError as error:
        if not isinstance(error.__cause__, PoolTimeout):
            raise
        sys.exit(
            "error: The database cannot be reached; the warnings above say why. $OPTARENA_DATABASE_URL names "
            "it. That of `./run demo` is reached while the demo is stopped, by "
            "`python -m leaderboard.embedded exec -- python manage.py ...`."
        )
    except ProgrammingError as error:
        if not isinstance(error.__cause__, UndefinedTable):
            raise
        told = error.__cause__.diag.message_primary or "a table is missing"
        sys.exit(f"error: The database is not set up: {told}. Run `python manage.py migrate` first.")


if __name__ == "__main__":
    main()
