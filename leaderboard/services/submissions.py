"""Stores submissions and asks the runner to replay them; withdraws them again."""

from __future__ import annotations

import hashlib
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from datasets.models import Benchmark
from datasets.selectors import benchmark_for_replay
from leaderboard.models import IdempotencyKey, Submission, SubmissionItem
from leaderboard.services import standings, verdicts
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput
from runner import services as runner
from runner.models import Verification
from runner.states import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.auth.models import User

    from leaderboard.models import Board
    from leaderboard.services.validation import Draft, DraftItem

MAX_KEY: Final = 200
_WITHDRAWN: Final = "user:withdrawn"


class KeyReused(InvalidInput):
    """The idempotency key belongs to a request with another body."""


class Conflict(InvalidInput):
    """What is stored does not allow the request."""


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
        if not (0 < len(key) <= MAX_KEY and key.isascii() and is_printable(key)):
            raise InvalidInput(
                "The Idempotency-Key cannot be used.",
                field="Idempotency-Key",
                value=key[:MAX_KEY],
                remedy=f"Send 1 to {MAX_KEY} printable ASCII characters, for example a UUID.",
            )
        digest = hashlib.sha256()
        for part in parts:
            # Lengths in between: two requests must not differ only in where one part ends.
            digest.update(len(part).to_bytes(8, "big") + part)
        return cls(key=key, body_sha256=digest.hexdigest())


def find_repeated(*, owner: User, request_key: RequestKey | None) -> Submission | None:
    """The submission that this very request made before, if it did.

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
    """
    submission_id = uuid.uuid4()
    if request_key is not None and not _reserve(owner, request_key, submission_id):
        repeated = find_repeated(owner=owner, request_key=request_key)
        if repeated is not None:
            return repeated, False
    submission = _store(owner, draft, submission_id)
    verifications = _request_replays(draft)
    items = _items(submission, draft, verifications)
    SubmissionItem.objects.bulk_create(items)
    rebuilt = verdicts.settle(verifications=verifications.values())
    if draft.board.pk not in rebuilt:
        standings.rebuild_boards(board_ids={draft.board.pk})
    return submission, True


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


def _request_replays(draft: Draft) -> dict[str, Verification]:
    """One locked verification for each item, requested in the order in which everyone locks them."""
    return {
        item.benchmark_uri: _request_locked(draft.board, item)
        for item in sorted(draft.items, key=_lock_order)
    }


def _lock_order(item: DraftItem) -> tuple[str, str]:
    """By what ``_lock_verifications`` orders rows; each member of a range has a hash of its own."""
    benchmark = item.benchmark
    if benchmark.kind == Benchmark.Kind.PARAMETRIC:
        return benchmark_for_replay(benchmark, uri=item.benchmark_uri).sha256, item.actions_sha256
    return benchmark.sha256, item.actions_sha256


def _request_locked(board: Board, item: DraftItem) -> Verification:
    # Locked so that it can neither end nor be cancelled before the item that waits for it is stored.
    # One that was cancelled between request and lock is requested anew; a second time cannot follow,
    # since the new one is this transaction's own until it commits.
    for _ in range(2):
        requested = runner.request_verification(
            environment=board.environment_version.env_id,
            benchmark=item.benchmark,
            benchmark_uri=item.benchmark_uri,
            actions=item.actions,
            device=board.device,
        )
        locked = Verification.objects.select_for_update(no_key=True, of=("self",)).get(pk=requested.pk)
        if locked.state != State.CANCELLED:
            break
    return locked


def _items(
    submission: Submission, draft: Draft, verifications: dict[str, Verification]
) -> list[SubmissionItem]:
    return [
        SubmissionItem(
            submission=submission,
            position=position,
            benchmark=item.benchmark,
            benchmark_uri=item.benchmark_uri,
            actions=list(item.actions),
            actions_sha256=item.actions_sha256,
            commandline=item.commandline,
            reward=item.reward,
            walltime=item.walltime,
            claims=dict(item.claims),
            verification=verifications[item.benchmark_uri],
        )
        for position, item in enumerate(draft.items)
    ]


@transaction.atomic
def withdraw(*, submission_id: uuid.UUID, actor: User) -> Submission:
    """Withdraw a submission: its rows stay, unranked, and replays nobody else waits for are cancelled.

    Raises:
        PermissionDenied: It is somebody else's.
        Conflict: It was withdrawn before.
    """
    submission = Submission.objects.select_for_update(no_key=True).get(pk=submission_id)
    if submission.owner_id != actor.pk and not actor.is_staff:
        raise PermissionDenied("Only its owner can withdraw a submission.")
    if submission.withdrawn_at is not None:
        raise Conflict(
            "This submission was withdrawn before.",
            field="submission",
            value=str(submission_id),
            remedy="Submit again if it should be ranked after all.",
        )
    verifications = _lock_verifications(submission)
    _mark_withdrawn(submission)
    _release(verifications)
    standings.rebuild_boards(board_ids={submission.board_id})
    return submission


def _lock_verifications(submission: Submission) -> list[Verification]:
    return list(
        Verification.objects.select_for_update(no_key=True, of=("self",))
        .filter(submission_items__submission=submission)
        .order_by("benchmark_sha256", "actions_sha256")
    )


def _mark_withdrawn(submission: Submission) -> None:
    submission.withdrawn_at = timezone.now()
    submission.save(update_fields=["withdrawn_at"])
    items = list(submission.items.select_for_update(no_key=True).order_by("pk"))
    for item in items:
        verdicts.apply(
            item=item,
            judgement=verdicts.Judgement(verdict=SubmissionItem.Verdict.WITHDRAWN, reason=_WITHDRAWN),
        )
    SubmissionItem.objects.bulk_update(items, verdicts.JUDGED_FIELDS)


def _release(verifications: Iterable[Verification]) -> None:
    unfinished = [one for one in verifications if not one.is_terminal]
    wanted = set(
        SubmissionItem.objects.filter(verification__in=unfinished)
        .exclude(verdict=SubmissionItem.Verdict.WITHDRAWN)
        .values_list("verification_id", flat=True)
    )
    for verification in unfinished:
        if verification.pk not in wanted:
            runner.cancel(verification_id=verification.pk, actor="leaderboard", reason=_WITHDRAWN)
