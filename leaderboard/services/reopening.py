"""Makes items pending again, on another replay. What was decided before is kept as a ``FormerVerdict``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from leaderboard.accounts.services import lock_account
from leaderboard.common.rows import update_rows
from leaderboard.models import FormerVerdict, Submission, SubmissionItem
from leaderboard.services import quotas, standings, verdicts
from leaderboard.services.submissions import Conflict, needed_metrics
from leaderboard.services.validation import is_current
from optarena import limits
from optarena.specs import environment_spec
from runner import services as runner
from runner.work import ActionSequence, Work

if TYPE_CHECKING:
    import uuid

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    from runner.models import Verification

Verdict = SubmissionItem.Verdict
INFRASTRUCTURE: Final = "infra:"
_BATCH: Final = 500


@transaction.atomic
def retry(*, submission_id: uuid.UUID, position: int, actor: User) -> SubmissionItem:
    """Replay an item once more that failed because of the infrastructure. Anybody may ask for it.

    Of two requests at once, one reopens the item and the other one is a conflict.

    Raises:
        SubmissionItem.DoesNotExist: There is no such item.
        Conflict: The item has another verdict, or its environment's version is not installed any more.
        QuotaExceeded: The quota of whoever asks does not suffice.
        PermissionDenied: Whoever asks has closed or deleted the account meanwhile.
    """
    # The name is written beside the former verdict, where a deletion of the account must find it.
    name = lock_account(user=actor).username
    lock_submission(submission_id)
    item = _item(submission_id, position)
    _check(item)
    with quotas.as_quota_errors(actor):
        verification = request_replay(
            item,
            actor=f"retry by account {actor.pk}",
            payer=quotas.payer_of(actor.pk),
            limited=not quotas.is_exempt(actor),
        )
    reopened = reopen(
        items=SubmissionItem.objects.filter(
            pk=item.pk, verdict=Verdict.FAILED, reason__startswith=INFRASTRUCTURE
        ),
        verification=verification,
        actor=name,
    )
    if not reopened:
        _check(_item(submission_id, position))
    return _item(submission_id, position)


def lock_submission(submission_id: uuid.UUID) -> None:
    """Wait for a withdrawal of the submission, which would lock what a new replay needs in another order."""
    Submission.objects.select_for_update(no_key=True).filter(pk=submission_id).first()


def _item(submission_id: uuid.UUID, position: int) -> SubmissionItem:
    known = SubmissionItem.objects.select_related(
        "submission__board__environment_version", "benchmark__version"
    )
    return known.get(submission=submission_id, position=position)


def can_retry(item: SubmissionItem) -> bool:
    """Whether ``retry`` would replay this item."""
    ours = item.verdict == Verdict.FAILED and item.reason.startswith(INFRASTRUCTURE)
    return ours and is_current(item.submission.board)


def _check(item: SubmissionItem) -> None:
    if can_retry(item):
        return
    board = item.submission.board
    if not is_current(board):
        raise Conflict(
            f"Board {board.slug} compares a version of its environment that is not installed any more.",
            field="item",
            value=str(item),
            remedy="Submit to one of the open boards at /boards/.",
        )
    given = " ".join(filter(None, (item.verdict, item.reason)))
    raise Conflict(
        f"The item is {given}; only one that failed for a reason infra:… can be replayed once more.",
        field="item",
        value=str(item),
        remedy="Wait for its verdict if it is pending, or submit other actions.",
    )


def request_replay(
    item: SubmissionItem, *, actor: str, payer: str = runner.NOBODY, limited: bool = False
) -> Verification:
    """The locked verification that answers an item now: one that exists, or a new one."""
    board = item.submission.board
    spec = environment_spec(board.environment_version.env_id)
    work = Work.of(
        spec=spec,
        benchmark=item.benchmark,
        benchmark_uri=item.benchmark_uri,
        actions=ActionSequence.checked(spec, item.actions, item.action_space),
        metrics=needed_metrics(board, item.claims),
    )
    [verification] = runner.request_verifications(
        environment=board.environment_version,
        works=[work],
        device=board.device,
        actor=actor[: limits.ACTOR_LENGTH],
        payer=payer,
        limited=limited,
    )
    return verification


def reopen(*, items: QuerySet[SubmissionItem], verification: Verification, actor: str) -> int:
    """Make these items wait for a verification that this transaction has locked; if it has ended, judge them.

    Returns:
        How many items were reopened.
    """
    locked = list(
        items.select_for_update(no_key=True, of=("self",))
        .select_related("submission")
        .defer("actions", "commandline")
        .order_by("pk")
    )
    FormerVerdict.objects.bulk_create(
        (former_verdict(item, actor) for item in locked if item.verdict != Verdict.PENDING), batch_size=_BATCH
    )
    former = {item.pk: standings.counted(item) for item in locked}
    for item in locked:
        item.verification = verification
        verdicts.apply(item=item, judgement=verdicts.Judgement(verdict=Verdict.PENDING), at=None)
    update_rows(locked, [*verdicts.JUDGED_FIELDS, "verification"], batch_size=_BATCH)
    if verification.is_terminal:
        verdicts.decide(items=locked, former=former)
    else:
        standings.change_all(items=locked, former=former)
    return len(locked)


def former_verdict(item: SubmissionItem, actor: str) -> FormerVerdict:
    """What was decided about an item, unsaved, before it is decided anew."""
    kept = ("verdict", "reason", "detail", "value", "ratio", "reviewed", "decided_at", "verification_id")
    return FormerVerdict(
        item=item, reopened_by=actor[: limits.ACTOR_LENGTH], **{name: getattr(item, name) for name in kept}
    )
