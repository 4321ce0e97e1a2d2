"""A reviewer's decision about quarantined items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import structlog
from django.db import transaction

from leaderboard.common.rows import update_rows
from leaderboard.models import SubmissionItem
from leaderboard.services import credit, records, standings, verdicts
from runner import services as runner
from runner.clock import database_now
from runner.models import Verification

if TYPE_CHECKING:
    from collections.abc import Collection

log = structlog.get_logger(__name__)
Verdict = SubmissionItem.Verdict


@transaction.atomic
def review(*, item_ids: Collection[int], accept: bool, reviewer: str) -> int:
    """Publish quarantined items, or fail them; items that are not quarantined stay as they are.

    Returns:
        How many items were decided.
    """
    # The verifications first: the order of locks that every writer keeps.
    replays = SubmissionItem.objects.filter(pk__in=item_ids).values("verification")
    list(runner.in_lock_order(Verification.objects.filter(pk__in=replays)))
    items = list(
        SubmissionItem.objects.select_for_update(no_key=True, of=("self",))
        .filter(pk__in=item_ids, verdict=Verdict.QUARANTINED)
        .select_related("submission")
        .order_by("pk")
    )
    former = {item.pk: standings.counted(item) for item in items}
    now = database_now()
    for item in items:
        verdicts.apply(item=item, judgement=_decision(item, accept=accept), at=now)
        log.info("item_reviewed", item=item.pk, accepted=accept, reviewer=reviewer)
    standings.lock_boards(board_ids={item.submission.board_id for item in items})
    finds = credit.give(items=items)
    update_rows(items, verdicts.JUDGED_FIELDS)
    finds.store()
    standings.change_all(items=items, former=former)
    records.note(items=items)
    return len(items)


def _decision(item: SubmissionItem, *, accept: bool) -> verdicts.Judgement:
    outcome = "published" if accept else "refused"
    return verdicts.Judgement(
        verdict=Verdict.VERIFIED if accept else Verdict.FAILED,
        reason="" if accept else item.reason,
        detail=f"A reviewer {outcome} it.",
        value=item.value,
        ratio=item.ratio,
        error=standings.error_of(item),
        effective_actions=item.effective_actions,
        claim_status=item.claim_status,
        reviewed=True,
    )
