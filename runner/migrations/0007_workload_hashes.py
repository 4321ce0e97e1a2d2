"""Verdicts stay: each row gets the hash of its benchmark's workloads.

Two kinds of rows have none yet: members of generators, whose workloads are their own, and those that the former
program still adds. The sweeper completes them. Until then they answer no request of the new program.
"""

from __future__ import annotations

from django.db import migrations

from datasets.migration_operations import UpdateInBatches

# In the order in which all writers lock these rows.
FILL = """
WITH lacking AS (
    SELECT id, benchmark_id FROM runner_verification
    WHERE id = ANY(%s) AND workloads_sha256 = ''
    ORDER BY benchmark_sha256, actions_sha256, id
    FOR NO KEY UPDATE
)
UPDATE runner_verification AS row SET workloads_sha256 = benchmark.workloads_sha256
FROM lacking JOIN datasets_benchmark AS benchmark ON benchmark.id = lacking.benchmark_id
WHERE row.id = lacking.id AND benchmark.workloads_sha256 <> ''
"""


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("datasets", "0005_workload_hashes"), ("runner", "0006_identity")]

    operations = [UpdateInBatches("runner_verification", FILL)]
