"""The queue of replays, as people see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from runner.models import Verification
from runner.selectors import queue_depths

if TYPE_CHECKING:
    from django.db.models import QuerySet

RECENT: Final = 20


def queue_overview() -> dict[str, Any]:
    """How many replays wait and run for each hardware class with work, and since when the oldest waits."""
    depths = queue_depths()
    oldest = [depth.oldest_queued_at for depth in depths if depth.oldest_queued_at is not None]
    return {
        "hardware_classes": [
            {"name": depth.hardware_class, "waiting": depth.queued, "running": depth.running}
            for depth in depths
        ],
        "oldest_waiting_since": min(oldest, default=None),
    }


def recent_verifications() -> QuerySet[Verification]:
    """The newest replays, without their traces."""
    return (
        Verification.objects.select_related("environment_version", "benchmark__version")
        .defer("result", "actions", "sandbox")
        .order_by("-created_at", "id")[:RECENT]
    )
