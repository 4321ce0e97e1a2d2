"""Finds unused files in the blob storage, which a failed load or a changed draft left."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.db.models.deletion import ProtectedError
from django.utils import timezone

from datasets import blobs
from datasets.models import Benchmark, Blob, DatasetVersion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

YOUNG: Final = timedelta(hours=1)
"""Younger files may belong to a load that has not ended yet."""


def unused_files() -> Iterator[str]:
    """The names of all files in the storage that no dataset version refers to."""
    used = set(Blob.objects.exclude(pk__in=_unused_rows().values("pk")).values_list("storage_key", flat=True))
    return (name for name in blobs.stored_files() if name not in used)


def remove_unused() -> list[str]:
    """Remove files that no dataset version refers to, except young ones, and their rows; their names."""
    removed = []
    before = timezone.now() - YOUNG
    for name in list(unused_files()):
        written = blobs.written_at(name)
        if written is not None and written < before and _forget(name):
            blobs.remove_file(name)
            removed.append(name)
    return removed


def _unused_rows() -> QuerySet[Blob]:
    own = Q(manifest_blob=OuterRef("pk")) | Q(archive_blob=OuterRef("pk"))
    return Blob.objects.filter(
        ~Exists(Benchmark.objects.filter(blob=OuterRef("pk"))), ~Exists(DatasetVersion.objects.filter(own))
    )


def _forget(name: str) -> bool:
    """Delete the row of a file; whether nothing refers to it any more."""
    try:
        with transaction.atomic():
            Blob.objects.filter(storage_key=name).delete()
    except ProtectedError:
        return False
    return True
