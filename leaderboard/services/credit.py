"""Gives credit: whose find is the state of a program in which an item's replay ended?

A state is a find of an owner who submitted before anybody could read how others reach it, that is before it
was first verified for somebody else. Whatever that owner submits later with the same state is the owner's own
too; for everybody else it is a copy. So an end changes the credit of the items that ended, and of no others.
Credit is given in the order of the decisions.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from django.db import connection

from datasets.bulk_inserts import insert_rows
from leaderboard.common.rows import update_rows
from leaderboard.models import Find, SubmissionItem

if TYPE_CHECKING:
    import uuid
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime


Verdict = SubmissionItem.Verdict

CREDIT_FIELDS: Final = ("state_sha256", "own")
_BATCH: Final = 2_500
_INFRASTRUCTURE: Final = "infra:"
# Pruning deletes the steps, and keeps the digest of the last. Without actions the beginning is the end.
_STATES: Final = """
SELECT id, benchmark_sha256, actions_sha256, coalesce(
    result #>> '{steps,-1,digest}', result #>> '{pruned,digest}', result #>> '{initial,digest}')
FROM runner_verification WHERE id = ANY(%s)
"""


def state_sha256(program_sha256: str, digest: str) -> str:
    """The identity of a program's state: SHA-256 of the program's own hash and the state's digest."""
    return hashlib.sha256(f"{program_sha256} {digest}".encode()).hexdigest()


def _states(items: Iterable[SubmissionItem]) -> dict[uuid.UUID, str]:
    """The ``state_sha256`` of the replays of these items, by their ids; the steps stay in the database.

    Without any digest, the actions stand for it.
    """
    with connection.cursor() as cursor:
        cursor.execute(_STATES, [[item.verification_id for item in items]])
        rows = cursor.fetchall()
    return {
        pk: state_sha256(program, digest or f"actions {actions}") for pk, program, actions, digest in rows
    }


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
    return _give(verified, _states(verified) if verified else {})


def _is_contradicted(item: SubmissionItem) -> bool:
    if item.verdict == Verdict.FAILED:
        return not item.reason.startswith(_INFRASTRUCTURE)
    return item.verdict in {Verdict.REFUTED, Verdict.QUARANTINED}


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
