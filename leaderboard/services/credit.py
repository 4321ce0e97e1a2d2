"""Gives credit: whose find is the state of a program in which an item's replay ended?

A state is a find of an owner who submitted before anybody could read how others reach it, that is before it
was first verified for somebody else. Whatever that owner submits later with the same state is the owner's own
too; for everybody else it is a copy. So an end changes the credit of the items that ended, and of no others.
Credit is given in the order of the decisions: items that an earlier release decided wait for ``catch_up``,
and all later ones wait with them.
"""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction

from datasets.bulk_inserts import insert_rows
from leaderboard.common.rows import update_rows
from leaderboard.models import Find, SubmissionItem
from leaderboard.services import records, standings

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

Verdict = SubmissionItem.Verdict

CREDIT_FIELDS: Final = ("state_sha256", "own")
_BATCH: Final = 2_500
_PART: Final = 500
"""Items that one transaction of ``catch_up`` gives credit to: their boards are locked until its end."""
_PASS_SECONDS: Final = 5.0
"""So long one call of ``catch_up`` goes on: the sweeper has other things to do."""
_INFRASTRUCTURE: Final = "infra:"
# The oldest format of results has another name for digests, and results may have lost their steps. The last
# column is whether any item waits for its credit, since a statement of its own takes longer.
_STATES: Final = """
SELECT id, benchmark_sha256, actions_sha256, coalesce(
    result #>> '{steps,-1,digest}', result #>> '{steps,-1,ir_digest}', result #>> '{pruned,digest}',
    result #>> '{initial,digest}', result #>> '{initial,ir_digest}'),
    EXISTS (SELECT 1 FROM leaderboard_submissionitem WHERE verdict = 'verified' AND own IS NULL)
FROM runner_verification WHERE id = ANY(%s)
"""


def state_sha256(program_sha256: str, digest: str) -> str:
    """The identity of a program's state: SHA-256 of the program's own hash and the state's digest."""
    return hashlib.sha256(f"{program_sha256} {digest}".encode()).hexdigest()


def _states(items: Iterable[SubmissionItem]) -> tuple[dict[uuid.UUID, str], bool]:
    """The ``state_sha256`` of the replays of these items, by their ids, and whether any item has no credit.

    The steps stay in the database. Where an earlier release deleted them, the actions stand for the digest.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STATES, [[item.verification_id for item in items]])
        rows = cursor.fetchall()
    found = {
        pk: state_sha256(program, digest or f"actions {actions}") for pk, program, actions, digest, _ in rows
    }
    return found, any(row[-1] for row in rows)


def give(*, items: Sequence[SubmissionItem]) -> Finds:
    """Write the credit of items with new verdicts into them, unsaved.

    Only a contradiction takes credit away: an item keeps it while it is withdrawn, waits for another replay,
    or failed because of the infrastructure. The caller holds the locks of the items' boards, as every writer
    of finds does, and writes ``CREDIT_FIELDS``.

    Returns:
        The new finds, which the caller stores once the items are stored.
    """
    _take_back([item for item in items if item.own is not None and _is_contradicted(item)])
    verified = [item for item in items if item.verdict == Verdict.VERIFIED]
    reached, is_behind = _states(verified) if verified else ({}, False)
    if not is_behind:
        return _give(verified, reached)
    # They wait with the others, also those that had credit for the state of an earlier replay.
    _take_back([item for item in _of_another_state(verified, reached) if item.own is not None])
    return Finds(())


def catch_up() -> int:
    """Give credit to verified items without it, in the order of their verdicts, for some seconds.

    Returns:
        How many items got it.
    """
    until = time.monotonic() + _PASS_SECONDS
    number = 0
    while time.monotonic() < until and (done := _catch_up_some()):
        number += done
    return number


@transaction.atomic
def _catch_up_some() -> int:
    first = _without_credit().order_by("decided_at", "pk").values_list("pk", flat=True)[:_PART]
    items = list(
        _without_credit()
        .filter(pk__in=list(first))
        .select_for_update(no_key=True, of=("self",))
        .select_related("submission")
        .defer("actions", "commandline")
        .order_by("pk")
    )
    former = {item.pk: standings.counted(item) for item in items}
    standings.lock_boards(board_ids={item.submission.board_id for item in items})
    _give(items, _states(items)[0]).store()
    update_rows(items, CREDIT_FIELDS, batch_size=_BATCH)
    standings.change_all(items=items, former=former)
    records.note(items=items)
    return len(items)


def _is_contradicted(item: SubmissionItem) -> bool:
    if item.verdict == Verdict.FAILED:
        return not item.reason.startswith(_INFRASTRUCTURE)
    return item.verdict in {Verdict.REFUTED, Verdict.QUARANTINED}


def _without_credit() -> QuerySet[SubmissionItem]:
    return SubmissionItem.objects.filter(verdict=Verdict.VERIFIED, own__isnull=True)


def _give(verified: Iterable[SubmissionItem], reached: Mapping[uuid.UUID, str]) -> Finds:
    """Decide in the order of the verdicts, each by the finds that were made before it."""
    ordered = sorted(verified, key=lambda item: (_decided(item), item.submission.created, item.position))
    new = _of_another_state(ordered, reached)
    _take_back([item for item in new if item.own is not None])
    finds = Finds({_state(item, reached) for item in new})
    for item in new:
        item.state_sha256 = _state(item, reached)
        item.own = finds.is_own(item)
    return finds


def _of_another_state(
    verified: Iterable[SubmissionItem], reached: Mapping[uuid.UUID, str]
) -> list[SubmissionItem]:
    """The items without credit for the state that their replays reached."""
    return [item for item in verified if item.own is None or item.state_sha256 != _state(item, reached)]


def _decided(item: SubmissionItem) -> datetime:
    if item.decided_at is None:
        raise ValueError(f"{item} has no verdict.")
    return item.decided_at


def _state(item: SubmissionItem, reached: Mapping[uuid.UUID, str]) -> str:
    if item.verification_id is None:
        raise ValueError(f"{item} has no verification.")
    return reached[item.verification_id]


class Finds:
    """The finds of some states: those that are stored, and those that are being made."""

    def __init__(self, wanted: Collection[str]) -> None:
        self._known: dict[str, dict[int, Find]] = defaultdict(dict)
        self._standing: dict[tuple[str, int], SubmissionItem] = {}
        for row in Find.objects.filter(state_sha256__in=wanted) if wanted else ():
            self._known[row.state_sha256][row.owner_id] = row

    def is_own(self, item: SubmissionItem) -> bool:
        """Whether an item's state is its owner's find; it is made if nobody could read the state before."""
        owner, submitted = item.submission.owner_id, item.submission.created
        known = self._known[item.state_sha256]
        if owner not in known:
            if any(row.found_at <= submitted for row in known.values()):
                return False
            known[owner] = Find(
                state_sha256=item.state_sha256,
                owner_id=owner,
                submitted_at=submitted,
                found_at=_decided(item),
            )
        row, place = known[owner], (item.state_sha256, owner)
        # The earliest submission stands for a find, or any if none stands for it any more.
        if submitted < row.submitted_at or (row.item_id is None and place not in self._standing):
            row.submitted_at = submitted
            self._standing[place] = item
        return True

    def store(self) -> None:
        """Write them, always in one order: two transactions may make the same find of one owner."""
        changed = []
        for (state, owner), item in sorted(self._standing.items(), key=lambda pair: pair[0]):
            row = self._known[state][owner]
            row.item = item
            changed.append(row)
        known = [row for row in changed if row.pk is not None]
        made = [row for row in changed if row.pk is None]
        if made:
            insert_rows(made, ignore_conflicts=True)
        update_rows(known, ("item", "submitted_at"), batch_size=_BATCH)


def _take_back(items: Sequence[SubmissionItem]) -> None:
    """End the credit of items whose results are contradicted; others of their owners may stand for the finds.

    That the state could be read stays true, so that nobody else gets the find by a later copy.
    """
    if not items:
        return
    ids = [item.pk for item in items]
    for find in Find.objects.filter(item__in=ids).select_related("item").order_by("pk"):
        if find.item is None:  # pragma: no cover - the filter
            continue
        others = SubmissionItem.objects.filter(
            benchmark_uri=find.item.benchmark_uri,
            state_sha256=find.state_sha256,
            own=True,
            submission__owner=find.owner_id,
        )
        other = (
            others.exclude(pk__in=ids).select_related("submission").order_by("submission__created").first()
        )
        find.item = other
        find.submitted_at = other.submission.created if other else find.submitted_at
        find.save(update_fields=["item", "submitted_at"])
    for item in items:
        item.state_sha256, item.own = "", None
