"""Writes the workloads' hashes of verifications that lack them, without which a row answers nobody.

The former program, which runs during an upgrade, gives its rows none, and the migration cannot know those of
generated programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Value

from datasets.models import Benchmark
from datasets.selectors import hashes_of
from optarena.errors import OptArenaError
from runner.models import Verification
from runner.services.transitions import in_lock_order
from runner.states import State

if TYPE_CHECKING:
    from django.db.models import QuerySet

_BATCH: Final = 500
_SAME: Final = ("environment_digest", "benchmark_sha256", "actions_sha256", "hardware_class")


def complete_workloads() -> int:
    """Complete some rows; the number of those that were completed.

    To know the workloads of a generated program means to generate it anew. That takes time and tools, so only
    one such program is tried, by chance.
    """
    lacking = Verification.objects.filter(workloads_sha256="")
    known = lacking.exclude(benchmark__workloads_sha256="")
    return _complete(known.annotate(found=F("benchmark__workloads_sha256"))) or _complete_generated(lacking)


def _complete_generated(lacking: QuerySet[Verification]) -> int:
    generated = lacking.filter(benchmark__kind=Benchmark.Kind.PARAMETRIC, benchmark__workloads_sha256="")
    row = generated.select_related("benchmark__version").order_by("?").defer("actions", "result").first()
    if row is None:
        return 0
    try:
        hashes = hashes_of(row.benchmark, uri=row.benchmark_uri)
    except OptArenaError:  # this installation does not have what generates it
        return 0
    same = generated.filter(benchmark_uri=row.benchmark_uri, benchmark_sha256=hashes.program)
    return _complete(same.annotate(found=Value(hashes.workloads)))


@transaction.atomic
def _complete(rows: QuerySet[Verification]) -> int:
    """Write what was ``found``, but not where another row answers for that identity already."""
    answering = (
        Verification.objects.filter(
            superseded_at__isnull=True,
            repeats__isnull=True,
            wanted_metrics=None,
            workloads_sha256=OuterRef("found"),
            **{name: OuterRef(name) for name in _SAME},
        )
        .exclude(state=State.CANCELLED)
        .exclude(reason__startswith="infra:")
    )
    found = dict(rows.exclude(Exists(answering)).order_by().values_list("pk", "found")[:_BATCH])  # type: ignore[misc] # the callers annotate it
    locked = [row.pk for row in in_lock_order(Verification.objects.filter(pk__in=found))] if found else []
    for one in set(found.values()):
        ids = [pk for pk in locked if found[pk] == one]
        Verification.objects.filter(pk__in=ids, workloads_sha256="").update(workloads_sha256=one)
    return len(locked)
