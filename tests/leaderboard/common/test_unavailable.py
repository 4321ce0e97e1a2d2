"""What is said about a database that fails, and whether the whole process believes that it is away."""

from __future__ import annotations

import time
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.backends.postgresql.base import DatabaseWrapper

from leaderboard.common.problems import OUTAGE, Outage, missing
from leaderboard.settings import _database

pytestmark = pytest.mark.django_db(transaction=True)


def failure(statement: str, using: DatabaseWrapper | None = None) -> DatabaseError:
    with pytest.raises(DatabaseError) as caught, (using or connection).cursor() as cursor:
        cursor.execute(statement)
    return caught.value


def made_with(options: dict[str, Any]) -> Any:
    """A connection of a thread."""
    return DatabaseWrapper({**connection.settings_dict, "OPTIONS": options}, alias="small")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("53100", "The server's disk is full."),
        ("53200", "The database does not have enough memory."),
        ("25006", "The database accepts no writes."),
        ("57P01", "The database did not answer."),
        ("22012", None),
    ],
)
def test_the_error_says_what_is_missing(code: str, text: str | None) -> None:
    assert missing(failure(f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{code}'; END $$")) == text


def test_a_pool_without_a_free_connection_is_not_an_outage() -> None:
    options = {**connection.settings_dict["OPTIONS"], "pool": {"min_size": 1, "max_size": 1, "timeout": 0.5}}
    first, second = (made_with(options) for _ in range(2))
    try:
        first.ensure_connection()
        assert missing(failure("SELECT 1", second)) == "All connections to the database are in use."
        assert not OUTAGE.lasts()
    finally:
        first.close()
        first.close_pool()


def test_a_statement_that_was_given_up_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_DATABASE_ANSWER_SECONDS", "1")
    impatient = made_with(_database()["OPTIONS"])
    try:
        assert "did not answer within 1 s" in str(failure("SELECT pg_sleep(20) AS given_up", impatient))
    finally:
        impatient.close_pool()
    time.sleep(1.5)
    with connection.cursor() as cursor:
        cursor.execute("SELECT query FROM pg_stat_activity WHERE state = 'active'")
        assert not [query for (query,) in cursor.fetchall() if "given_up" in query]


def test_an_outage_begins_and_ends_with_what_a_fresh_connection_finds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    outage = Outage()
    assert not outage.begins()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "HOST", "/nowhere")
        assert outage.begins()
        assert outage.lasts()
    assert not outage.lasts()
    assert not outage.begins()
