"""Migrations are those of the models, can be applied while the server is used, and go on if interrupted."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import OperationalError, connection
from django.db.migrations.exceptions import IrreversibleError
from django.db.migrations.recorder import MigrationRecorder

from leaderboard.management.commands import migrate as command
from runner import services
from tests.factories import ENVIRONMENT, make_benchmark, make_busy, make_work
from tests.kit.upgrades import (
    RELEASED,
    Watch,
    migrate,
    migrate_in_pieces,
    newest,
    schema,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.backends.base.base import BaseDatabaseWrapper


def test_models_and_migrations_agree(db: None) -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.fixture
def there_and_back(transactional_db: None) -> Iterator[None]:
    """Whatever happens, the tests after this one have all tables."""
    yield
    migrate(*newest())


def tables() -> list[str]:
    with connection.cursor() as cursor:
        return connection.introspection.table_names(cursor)


@pytest.mark.usefixtures("there_and_back")
def test_no_migration_keeps_others_waiting_for_more_than_one_table_or_while_it_reads_or_writes_rows() -> None:
    migrate(*RELEASED)
    watch = Watch(tables())
    with connection.execute_wrapper(watch):
        migrate(*newest())
    assert watch.faults == []


@pytest.mark.usefixtures("there_and_back")
def test_a_migration_that_was_interrupted_anywhere_is_run_again() -> None:
    make_work([1], make_busy())
    present = schema()
    migrate(*RELEASED)
    former = schema()
    assert migrate_in_pieces(*newest()) > 10
    assert schema() == present
    assert migrate_in_pieces(*RELEASED) > 10
    assert schema() == former


def applied() -> set[tuple[str, str]]:
    return set(MigrationRecorder(connection).applied_migrations())


@pytest.mark.usefixtures("there_and_back")
def test_an_index_that_could_not_be_finished_is_built_again() -> None:
    migrate(("runner", "0003_presence"))
    with another_connection() as other, other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("LOCK TABLE runner_verification IN ROW EXCLUSIVE MODE")
        with connection.cursor() as own:
            own.execute("SET statement_timeout = '300ms'")
        with pytest.raises(OperationalError, match="statement timeout"):
            migrate(("runner", "0004_monitoring"))
        assert invalid() == ["runner_verification_ends"]
    with connection.cursor() as own:
        own.execute("RESET statement_timeout")
    migrate(("runner", "0004_monitoring"))
    assert invalid() == []


def invalid() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid")
        return [name for (name,) in cursor.fetchall()]


@contextmanager
def another_connection() -> Iterator[BaseDatabaseWrapper]:
    other = connection.copy()
    try:
        yield other
    finally:
        other.close()


@pytest.mark.usefixtures("there_and_back")
def test_the_command_gives_up_a_table_that_is_used_and_goes_on_when_it_is_run_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(command, "LOCK_TIMEOUT", "200ms")
    migrate(("runner", "0005_attempts"))
    with another_connection() as other, other.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT count(*) FROM runner_verification")
        with pytest.raises(CommandError, match=r"within 200ms.*Run the command again"):
            call_command("migrate", verbosity=0)
        assert ("runner", "0006_identity") not in applied()
    call_command("migrate", verbosity=0)
    assert set(newest()) <= applied()
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        assert cursor.fetchone() == ("0",)


@pytest.mark.usefixtures("there_and_back")
def test_what_the_former_release_would_refuse_is_refused_before_anything_is_undone() -> None:
    benchmark = make_benchmark()
    for metrics in (["ir_instructions"], ["text_size_bytes"]):
        services.request_verification(
            environment=ENVIRONMENT,
            benchmark=benchmark,
            benchmark_uri=benchmark.uri,
            actions=[1],
            metrics=metrics,
        )
    before, known = applied(), schema()
    with pytest.raises(CommandError, match="and 1 have several"):
        call_command("migrate", *RELEASED[-1], verbosity=0)
    assert (applied(), schema()) == (before, known)
    with pytest.raises(IrreversibleError, match="and 1 have several"):
        migrate(("runner", "0007_workload_hashes"))
    assert ("runner", "0008_one_row_for_each_identity") in applied()
    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE runner_verification CASCADE")
    call_command("migrate", *RELEASED[-1], verbosity=0)
