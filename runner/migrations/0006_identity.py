"""A replay's identity has the workloads and the wanted metrics; an ended row can give way to a new replay.

The former program runs meanwhile. It gives its new rows neither, and the defaults say so. Verdicts stay: every row
gets the hash of the workloads of the benchmark that it replayed, and NULL says that it measured all metrics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import django.contrib.postgres.fields
from django.contrib.postgres.operations import AddConstraintNotValid
from django.db import connections, migrations, models
from django.db.models import Q

if TYPE_CHECKING:
    from django.apps.registry import Apps
    from django.db.backends.base.schema import BaseDatabaseSchemaEditor

BATCH = 5_000
COLUMNS = """
ALTER TABLE runner_verification
    ADD COLUMN IF NOT EXISTS workloads_sha256 varchar(64) NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS wanted_metrics varchar(60)[] NULL,
    ADD COLUMN IF NOT EXISTS superseded_at timestamptz NULL
"""
WITHOUT_COLUMNS = """
ALTER TABLE runner_verification
    DROP COLUMN workloads_sha256, DROP COLUMN wanted_metrics, DROP COLUMN superseded_at
"""
NEXT = "SELECT id FROM runner_verification WHERE id > %s ORDER BY id LIMIT %s"
FILL = """
UPDATE runner_verification AS row SET workloads_sha256 = benchmark.workloads_sha256
FROM datasets_benchmark AS benchmark
WHERE benchmark.id = row.benchmark_id AND row.workloads_sha256 = '' AND row.id = ANY(%s)
"""
TRIGGER = """
CREATE OR REPLACE TRIGGER runner_verification_end_is_final
    BEFORE UPDATE ON runner_verification
    FOR EACH ROW WHEN ({condition})
    EXECUTE FUNCTION runner_refuse_history()
"""
FORMER = "OLD.finished_at IS NOT NULL"
FILLING = "OLD.finished_at IS NOT NULL AND OLD.workloads_sha256 <> ''"
"""For as long as this migration runs: only the missing hashes can be written."""
FINAL = """
    OLD.finished_at IS NOT NULL AND (
        OLD.superseded_at IS NOT NULL OR NEW.superseded_at IS NULL
        OR to_jsonb(OLD) - ARRAY['superseded_at', 'last_seq'] <> to_jsonb(NEW) - ARRAY['superseded_at', 'last_seq']
    )
"""
NAME = "runner_verification_identity"
INDEX = """
CREATE UNIQUE INDEX CONCURRENTLY {name}_next ON runner_verification ({columns}) NULLS NOT DISTINCT
    WHERE NOT state = 'cancelled' AND NOT reason LIKE 'infra:%%'{further}
"""
FORMER_COLUMNS = "environment_digest, benchmark_sha256, actions_sha256, hardware_class"
FINAL_COLUMNS = (
    "environment_digest, benchmark_sha256, actions_sha256, workloads_sha256, hardware_class, wanted_metrics"
)


def fill(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001 - Django's signature
    """Give each row its hash, some at a time, so that workers never wait long for a row."""
    with connections[schema_editor.connection.alias].cursor() as cursor:
        last = "00000000-0000-0000-0000-000000000000"
        while True:
            cursor.execute(NEXT, [last, BATCH])
            ids = [row[0] for row in cursor.fetchall()]
            if not ids:
                return
            cursor.execute(FILL, [ids])
            last = ids[-1]


def trigger(condition: str, reverse: str) -> migrations.RunSQL:
    return migrations.RunSQL(TRIGGER.format(condition=condition), TRIGGER.format(condition=reverse))


def index(columns: str, further: str) -> list[str]:
    """Statements that put another index in the place of the present one, which guards until then."""
    return [
        f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}_next",
        INDEX.format(name=NAME, columns=columns, further=further).replace("%%", "%"),
        f"DROP INDEX CONCURRENTLY IF EXISTS {NAME}",
        f"ALTER INDEX {NAME}_next RENAME TO {NAME}",
    ]


class Migration(migrations.Migration):
    # One transaction would hold every row until its end. If this is interrupted, run it again.
    atomic = False
    dependencies = [("datasets", "0004_workloads"), ("runner", "0005_attempts")]

    operations = [
        migrations.RunSQL(
            COLUMNS,
            WITHOUT_COLUMNS,
            state_operations=[
                migrations.AddField(
                    "verification",
                    "workloads_sha256",
                    models.CharField(blank=True, db_default="", default="", max_length=64),
                ),
                migrations.AddField(
                    "verification",
                    "wanted_metrics",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=60), null=True, size=None
                    ),
                ),
                migrations.AddField("verification", "superseded_at", models.DateTimeField(null=True)),
            ],
        ),
        trigger(FILLING, FORMER),
        migrations.RunPython(fill, migrations.RunPython.noop),
        trigger(FINAL, FORMER),
        migrations.RunSQL(
            index(FINAL_COLUMNS, " AND superseded_at IS NULL"),
            index(FORMER_COLUMNS, ""),
            state_operations=[
                migrations.RemoveConstraint("verification", NAME),
                migrations.AddConstraint(
                    "verification",
                    models.UniqueConstraint(
                        condition=~Q(state="cancelled")
                        & ~Q(reason__startswith="infra:")
                        & Q(superseded_at__isnull=True),
                        fields=(
                            "environment_digest",
                            "benchmark_sha256",
                            "actions_sha256",
                            "workloads_sha256",
                            "hardware_class",
                            "wanted_metrics",
                        ),
                        name=NAME,
                        nulls_distinct=False,
                    ),
                ),
            ],
        ),
        # Not validated: that would keep everybody from the table, and the new column is empty.
        AddConstraintNotValid(
            "verification",
            models.CheckConstraint(
                condition=Q(("superseded_at__isnull", True), ("finished_at__isnull", False), _connector="OR"),
                name="runner_verification_superseded_after_its_end",
            ),
        ),
    ]
