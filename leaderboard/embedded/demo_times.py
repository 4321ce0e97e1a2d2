"""The past of the demo: what happened on its server so far is moved back by days.

All of the demo happens within two minutes, which a chart of scores over time would show as a single step. All
times move by the same span, so that their order and their distances stay.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import psycopg
from psycopg import sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    from psycopg import Connection

STEP: Final = timedelta(days=9)
"""How far what happened moves with each step."""

_COLUMNS: Final = """
SELECT table_name, array_agg(column_name::text ORDER BY column_name)
FROM information_schema.columns
WHERE table_schema = current_schema() AND data_type = 'timestamp with time zone'
  AND (table_name LIKE 'datasets\\_%' OR table_name LIKE 'leaderboard\\_%'
       OR table_name LIKE 'runner\\_verification%')
GROUP BY table_name ORDER BY table_name
"""
"""What happened to datasets, boards, submissions and verifications; not who works or may log in now."""


def is_new(url: str) -> bool:
    """Whether nobody has submitted anything to the server with this database."""
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT EXISTS (SELECT FROM leaderboard_submission)").fetchone()
    return found == (False,)


_OTHERS: Final = """
SELECT EXISTS (SELECT FROM leaderboard_submission WHERE owner_id NOT IN (
    SELECT id FROM auth_user WHERE username = ANY(%s)))
"""
_JOINED: Final = "UPDATE auth_user SET date_joined = date_joined - %s WHERE username = ANY(%s)"


def move_back(url: str, owners: Sequence[str], span: timedelta = STEP) -> None:
    """Move all that has happened into the past, unless others have submitted something, too.

    Args:
        url: The database of the demo's server, with a role that may switch triggers off: history is
            protected from changes. Nothing may be waiting for its verification.
        owners: The demo's own users.
        span: How far.
    """
    with psycopg.connect(url) as connection:
        if connection.execute(_OTHERS, [list(owners)]).fetchone() == (True,):
            return
        connection.execute(_JOINED, [span, list(owners)])
        connection.execute("SET LOCAL session_replication_role = replica")
        for table, columns in connection.execute(_COLUMNS).fetchall():
            _move(connection, table, columns, span)


def _move(connection: Connection, table: str, columns: list[str], span: timedelta) -> None:
    moved = sql.SQL(", ").join(
        sql.SQL("{0} = {0} - %(span)s").format(sql.Identifier(name)) for name in columns
    )
    connection.execute(sql.SQL("UPDATE {} SET {}").format(sql.Identifier(table), moved), {"span": span})
