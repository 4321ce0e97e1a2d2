"""Stores submissions and asks the runner to replay them; withdraws them again."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import structlog
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q

from datasets.bulk_inserts import insert_rows
from leaderboard.accounts.services import lock_account
from leaderboard.models import IdempotencyKey, PortableReplay, Submission, SubmissionItem
from leaderboard.selectors import board_scale
from leaderboard.services import credit, quotas, records, standings, verdicts
from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from runner import services as runner
from runner.clock import database_now
from runner.models import Verification
from runner.work import Work

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.contrib.auth.models import AnonymousUser, User

    from leaderboard.models import Board, PortableEntry
    from leaderboard.services.validation import Draft

log = structlog.get_logger(__name__)

_WITHDRAWN: Final = "user:withdrawn"
_WITHDRAWN_BY_STAFF: Final = "policy:withdrawn"
_CHECKED: Final = (
    *("slug", "state", "environment_version_id", "dataset_version_id", "benchmarks"),
    *("metric", "reference_metric", "device"),
)
"""What the check of a submission, and the replays that it asks for, depend on in a board."""


class KeyReused(InvalidInput):
    """The idempotency key belongs to a request with another body."""


class Conflict(InvalidInput):
    """The request contradicts the stored state."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestKey:
    """An Idempotency-Key with the hash of the request it came with."""

    key: str
    body_sha256: str

    @classmethod
    def of(cls, key: str | None, *parts: bytes) -> RequestKey | None:
        """The key of a request with these parts, or None where no key was sent.

        Raises:
            InvalidInput: The key is too long or not plain text.
        """
        if key is None:
            return None
        if not (0 < len(key) <= limits.IDEMPOTENCY_KEY_LENGTH and key.isascii() and is_printable(key)):
            raise InvalidInput(
                "The Idempotency-Key cannot be used.",
                field="Idempotency-Key",
                value=key[: limits.IDEMPOTENCY_KEY_LENGTH],
                remedy=(
                    f"Send 1 to {limits.IDEMPOTENCY_KEY_LENGTH} printable ASCII characters, "
                    "for example a UUID."
                ),
            )
        digest = hashlib.sha256()
        for part in parts:
            # Lengths in between: two requests must not differ only in where one part ends.
            digest.update(len(part).to_bytes(8, "big") + part)
        return cls(key=key, body_sha256=digest.hexdigest())


def find_repeated(*, owner: User, request_key: RequestKey | None) -> Submission | None:
    """The submission that the same request made before, if any.

    Raises:
        KeyReused: The key was used with another body.
    """
    if request_key is None:
        return None
    used = IdempotencyKey.objects.filter(owner=owner, key=request_key.key).first()
    if used is None:
        return None
    if used.body_sha256 != request_key.body_sha256:
        raise KeyReused(
            "This Idempotency-Key was used with another body.",
            field="Idempotency-Key",
            value=request_key.key,
            remedy="Send a new key for a new submission, or the same body for the same key.",
        )
    return Submission.objects.get(pk=used.submission_id)


@transaction.atomic
def submit(*, owner: User, draft: Draft, request_key: RequestKey | None = None) -> tuple[Submission, bool]:
    """Store a checked submission and request the replay of each item.

    Of two equal requests with one key at the same time, one stores and the other waits and returns what
    the first stored.

    Returns:
        The submission, and whether this call made it.

    Raises:
        KeyReused: The key was used with another body.
        QuotaExceeded: The owner's quota does not suffice; nothing is stored, and the key is not used up.
        SubmissionTooCostly: Even a whole quota would not suffice.
        Conflict: The board was frozen or changed meanwhile.
        PermissionDenied: The account has been closed or deleted meanwhile.
    """
    # A deletion waits for this, or this sees it: nothing of a deleted account is written afterwards.
    lock_account(user=owner)
    submission_id = uuid.uuid4()
    if request_key is not None and not _reserve(owner, request_key, submission_id):
        repeated = find_repeated(owner=owner, request_key=request_key)
        if repeated is not None:
            return repeated, False
    submission = _store(owner, draft, submission_id)
    verifications = _request_replays(owner, draft)
    known = {one.pk for one in verifications if one.is_terminal}
    items = _items(submission, draft, verifications)
    insert_rows(item for item in items if item.verification_id not in known)
    # From here on other transactions that score entries of this board wait.
    board = _lock_board(draft)
    scale = board_scale(board)
    if known:
        ended = [item for item in items if item.verification_id in known]
        verdicts.judge_items(board=board, items=ended, scale=scale)
        finds = credit.give(items=ended)
        insert_rows(ended)
        finds.store()
        records.note(items=ended)
    standings.add(board=board, submission=submission, items=items, scale=scale)
    return submission, True


def _lock_board(draft: Draft) -> Board:
    """The locked board of a draft, which was checked before this transaction began.

    Raises:
        Conflict: It is not the board any more that the draft was checked for.
    """
    checked = draft.board
    board = standings.lock_boards(board_ids=[checked.pk]).get(checked.pk)
    if board is None or any(getattr(board, name) != getattr(checked, name) for name in _CHECKED):
        raise Conflict(
            "The board was frozen or changed while the submission was checked.",
            field="board",
            value=checked.slug,
            remedy="Submit again, which checks it anew; the open boards are at /boards/.",
        )
    return board


def _reserve(owner: User, request_key: RequestKey, submission_id: uuid.UUID) -> bool:
    """Insert the key, waiting for a transaction that holds it; the foreign key is checked at commit."""
    row = IdempotencyKey(
        owner=owner,
        key=request_key.key,
        body_sha256=request_key.body_sha256,
        submission_id=submission_id,
    )
    IdempotencyKey.objects.bulk_create([row], ignore_conflicts=True)
    return IdempotencyKey.objects.filter(submission_id=submission_id).exists()


def _store(owner: User, draft: Draft, submission_id: uuid.UUID) -> Submission:
    about = draft.about
    return Submission.objects.create(
        id=submission_id,
        board=draft.board,
        owner=owner,
        agent=about.agent,
        description=about.description,
        url=about.url,
        compilations=about.compilations,
        walltime_seconds=about.walltime_seconds,
        trained_on_test_set=about.trained_on_test_set,
        content_sha256=draft.content_sha256,
    )


def new_seconds(owner: User, draft: Draft) -> list[float]:
    """What each replay is expected to take that a submission would add to the queue: a read.

    It is the most: replays that answer count as new if nothing verified has them, or a check would say
    whether a guess of what others may have is right.
    """
    board = draft.board
    is_measured = environment_spec(board.environment_version.env_id).measure is not None
    told = runner.answers_of(environment=board.environment_version, works=_works(draft), device=board.device)
    items = SubmissionItem.objects.filter(verification_id__in={pk for _, pk in told if pk is not None})
    is_public = Q(own__isnull=False) | Q(verdict=SubmissionItem.Verdict.VERIFIED)
    readable = items.filter(Q(submission__owner=owner) | is_public).values_list("verification_id", flat=True)
    known = set(readable)
    return [work.predicted_seconds(measured=is_measured) for work, pk in told if pk not in known]


def _works(draft: Draft) -> list[Work]:
    """The replay of each item."""
    spec = environment_spec(draft.board.environment_version.env_id)
    return [
        Work.of(
            spec=spec,
            benchmark=item.benchmark,
            benchmark_uri=item.benchmark_uri,
            actions=item.actions,
            metrics=needed_metrics(draft.board, item.claims),
        )
        for item in draft.items
    ]


def _request_replays(owner: User, draft: Draft) -> list[Verification]:
    """The locked verification of each item: it can neither end nor be cancelled before the item is stored."""
    board = draft.board
    with quotas.as_quota_errors(owner):
        return runner.request_verifications(
            environment=board.environment_version,
            works=_works(draft),
            device=board.device,
            payer=quotas.payer_of(owner.pk),
            limited=not quotas.is_exempt(owner),
        )


def needed_metrics(board: Board, claims: Collection[str]) -> set[str]:
    """The metrics that an item's verdict depends on: those that its board compares, and those it claims."""
    return {board.metric, board.reference_metric, *claims} - {""}


def _items(
    submission: Submission, draft: Draft, verifications: Iterable[Verification]
) -> list[SubmissionItem]:
    return [
        SubmissionItem(
            submission=submission,
            position=position,
            benchmark_id=item.benchmark.pk,
            benchmark_uri=item.benchmark_uri,
            actions=list(item.actions.actions),
            action_space=item.actions.action_space,
            actions_sha256=item.actions.sha256,
            commandline=item.commandline,
            reward=item.reward,
            walltime=item.walltime,
            claims=dict(item.claims),
            verification_id=verification.pk,
        )
        for position, (item, verification) in enumerate(zip(draft.items, verifications, strict=True))
    ]


def may_withdraw(entry: Submission | PortableEntry, user: User | AnonymousUser) -> bool:
    """Whether somebody may withdraw an entry: its owner may, and staff."""
    return user.pk == entry.owner_id or user.is_staff


@transaction.atomic
def withdraw(*, submission_id: uuid.UUID, actor: User) -> Submission:
    """Withdraw a submission: its rows stay, unranked; replays that nobody else waits for are cancelled.

    Raises:
        PermissionDenied: The user neither owns it nor is staff.
        Conflict: It is already withdrawn.
    """
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission_id)
    if not may_withdraw(submission, actor):
        raise PermissionDenied("Only its owner can withdraw a submission.")
    if submission.withdrawn_at is not None:
        raise Conflict(
            "This submission is already withdrawn.",
            field="submission",
            value=str(submission_id),
            remedy="Submit again if you want it to be ranked.",
        )
    waited_for = _lock_verifications(submission)
    is_own = actor.pk == submission.owner_id
    _mark_withdrawn(submission, _WITHDRAWN if is_own else _WITHDRAWN_BY_STAFF)
    release(waited_for, owner_id=submission.owner_id)
    [board] = standings.lock_boards(board_ids=[submission.board_id]).values()
    standings.remove(board=board, submission=submission)
    log.info("submission_withdrawn", submission=str(submission_id), actor=actor.username)
    return submission


def _lock_verifications(submission: Submission) -> list[uuid.UUID]:
    """Lock the verifications of a submission's items; the ids of those that have not ended."""
    wanted = submission.items.filter(verification__isnull=False).order_by().values("verification")
    locked = runner.in_lock_order(Verification.objects.filter(pk__in=wanted))
    return [one.pk for one in locked if not one.is_terminal]


def _mark_withdrawn(submission: Submission, reason: str) -> None:
    submission.withdrawn_at = database_now()
    submission.save(update_fields=["withdrawn_at"])
    items = submission.items.select_for_update(no_key=True).order_by("pk")
    ids = list(items.values_list("pk", flat=True))
    withdrawn = verdicts.Judgement(verdict=SubmissionItem.Verdict.WITHDRAWN, reason=reason)
    values = verdicts.judged_values(withdrawn, submission.withdrawn_at)
    SubmissionItem.objects.filter(pk__in=ids).update(**values)


def release(verification_ids: Collection[uuid.UUID], *, owner_id: int) -> None:
    """Cancel those of these verifications that nobody waits for any more; the owner pays for no others.

    Cancelling comes first: it locks the payers of a verification in their order, the owner among them.
    """
    waiting = SubmissionItem.objects.filter(verification__in=verification_ids)
    wanted = waiting.exclude(verdict=SubmissionItem.Verdict.WITHDRAWN)
    owners = set(wanted.values_list("verification_id", "submission__owner"))
    portable = PortableReplay.objects.filter(
        verification__in=verification_ids, program__entry__withdrawn_at__isnull=True
    )
    owners |= set(portable.values_list("verification_id", "program__entry__owner"))
    shared = {verification_id for verification_id, _ in owners}
    unwanted = [one for one in verification_ids if one not in shared]
    if unwanted:
        runner.cancel_all(verification_ids=unwanted, actor="leaderboard", reason=_WITHDRAWN)
    others = [one for one in verification_ids if one in shared and (one, owner_id) not in owners]
    if others:
        runner.release(payer=quotas.payer_of(owner_id), verification_ids=others)
