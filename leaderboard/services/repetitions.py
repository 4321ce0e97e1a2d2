"""Replays verified items once more, while they keep their verdicts: evidence that a result still holds.

A repetition that agrees makes a measured figure more exact: all blocks count together. One that contradicts
what was recorded ends the verdict, which is kept as a ``FormerVerdict`` beside the evidence. Portable entries
that the replay counts for wait for another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from django.db import transaction

from leaderboard.actors import REPETITION
from leaderboard.common.rows import update_rows
from leaderboard.models import FormerVerdict, SubmissionItem
from leaderboard.selectors import board_scale
from leaderboard.services import credit, portable, quotas, standings, verdicts
from leaderboard.services.reopening import former_verdict, lock_submission
from leaderboard.services.submissions import Conflict
from leaderboard.services.validation import is_current
from optarena.errors import UnknownName
from optarena.specs import environment_spec
from runner import services as runner
from runner.clock import database_now
from runner.errors import EnvironmentChangedError, RepetitionRefusedError
from runner.models import Verification
from runner.states import State

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping, Sequence

    from django.contrib.auth.models import User

    from leaderboard.totals import Counted

Verdict = SubmissionItem.Verdict
ROUNDS: Final = (5, 4, 6)
"""The blocks of the first measurement, and of the first repetitions: 5, 9 and 15 in all."""
REPEATABLE: Final = (Verdict.VERIFIED, Verdict.QUARANTINED)
_UNREPEATABLE: Final = "infra:unrepeatable"
_log = structlog.get_logger(__name__)
_BATCH: Final = 500
_KEPT: Final = ("verdict", "reason", "detail", "reviewed", "decided_at")
"""What a repetition that agrees leaves as it is."""


@transaction.atomic
def ask_again(*, submission_id: uuid.UUID, position: int, actor: User) -> SubmissionItem:
    """Replay a verified item once more, which stays verified meanwhile. Anybody may ask for it.

    Raises:
        SubmissionItem.DoesNotExist: There is no such item.
        Conflict: The item is not verified, is being repeated, or was repeated as often as is allowed.
        QuotaExceeded: The quota of whoever asks does not suffice.
    """
    lock_submission(submission_id)
    item = SubmissionItem.objects.select_related(
        "submission__board__environment_version", "benchmark__version", "verification"
    ).get(submission=submission_id, position=position)
    if not can_ask_again(item) or item.verification_id is None:
        raise _refusal(item, "Only a verified item of an open board can be measured again.")
    try:
        with quotas.as_quota_errors(actor):
            runner.request_repetition(
                verification_id=item.verification_id,
                actor=f"repeat by account {actor.pk}",
                payer=quotas.payer_of(actor.pk),
                limited=not quotas.is_exempt(actor),
            )
    except RepetitionRefusedError as error:
        raise _refusal(item, str(error)) from error
    return item


def can_ask_again(item: SubmissionItem) -> bool:
    """Whether ``ask_again`` would replay this item, unless it is being repeated or was too often."""
    return item.verdict in REPEATABLE and is_current(item.submission.board)


def _refusal(item: SubmissionItem, message: str) -> Conflict:
    return Conflict(
        f"The item is {item.verdict}. {message}",
        field="item",
        value=str(item),
        remedy="Look at the item's page: it lists all measurements, also those that wait.",
    )


def blocks_of_next(rounds: int) -> int | None:
    """The blocks of the measurement after so many; None for the usual number."""
    return ROUNDS[rounds] if rounds < len(ROUNDS) else None


def take_in(*, verifications: Sequence[Verification]) -> None:
    """Let ended repetitions count, in the transaction that ended them.

    Failures of the infrastructure say nothing, and count nothing.
    """
    ended = {
        row.repeats_id: row
        for row in verifications
        if row.repeats_id is not None
        and row.is_terminal
        and row.state != State.CANCELLED
        and not row.could_not_be_verified
    }
    if not ended:
        return
    items = list(
        SubmissionItem.objects.select_for_update(no_key=True, of=("self",))
        .filter(verification__in=ended, verdict__in=REPEATABLE)
        .select_related("submission")
        .defer("actions", "commandline")
        .order_by("pk")
    )
    former = {item.pk: standings.counted(item) for item in items}
    firsts = Verification.objects.only("metrics").in_bulk({item.verification_id for item in items})
    own = {key: [item for item in items if item.verification_id == key] for key in sorted(firsts)}
    judged = {key: _contradiction(firsts[key], ended[key], own[key]) for key in own}
    for key in [one for one, broken in judged.items() if broken is not None]:
        runner.supersede_one(verification_id=key, actor=REPETITION)
        _replay_for_portable(key)
    for key, broken in judged.items():  # the last: it locks boards
        if broken is None:
            _measure_again(own[key], former)
        else:
            _end(own[key], former, ended[key], broken)


def _replay_for_portable(verification_id: uuid.UUID) -> None:
    """Have the portable entries that a contradicted replay counts for scored again, by another one."""
    metrics = portable.metrics_of(verifications=[verification_id])
    if not metrics:
        return
    try:
        with transaction.atomic():
            made = runner.replay_anew(verification_id=verification_id, metrics=metrics, actor=REPETITION)
    except (EnvironmentChangedError, UnknownName) as error:  # then nobody can replay it any more
        _log.warning(
            "a contradicted replay still counts", verification=str(verification_id), error=str(error)
        )
        return
    portable.reopen(verifications=[verification_id], replay=made)
    portable.settle(verifications=[made])  # one that measured more may have ended before


def _contradiction(
    first: Verification, repetition: Verification, items: Sequence[SubmissionItem]
) -> verdicts.Judgement | None:
    """What is decided instead where a repetition contradicts the first replay; None where it agrees."""
    if repetition.state != State.RECORDED:
        return verdicts.of_failure(repetition.reason, repetition.detail)
    spec = environment_spec(items[0].submission.board.environment_version.env_id)
    before, now = first.metrics or {}, repetition.metrics or {}
    exact = {metric.name for metric in spec.metrics if metric.exact}
    differing = sorted(name for name in exact & before.keys() & now.keys() if before[name] != now[name])
    if not differing:
        return None
    said = "; ".join(f"{name} was {before[name]:.15g}, then {now[name]:.15g}" for name in differing)
    return verdicts.Judgement(verdict=Verdict.FAILED, reason=_UNREPEATABLE, detail=f"{said}.")


def _measure_again(items: Sequence[SubmissionItem], former: Mapping[int, Counted]) -> None:
    """Write the figures that all measurements give together; verdicts stay."""
    boards = standings.lock_boards(board_ids={item.submission.board_id for item in items})
    for board in boards.values():
        own = [item for item in items if item.submission.board_id == board.pk]
        scale = board_scale(board, uris={item.benchmark_uri for item in own})
        kept = {item.pk: {name: getattr(item, name) for name in _KEPT} for item in own}
        verdicts.judge_items(board=board, items=own, scale=scale)
        for item in own:
            for name, value in kept[item.pk].items():
                setattr(item, name, value)
        update_rows(own, verdicts.JUDGED_FIELDS, batch_size=_BATCH)
        standings.change(board=board, items=own, former=former, scale=scale)


def _end(
    items: Sequence[SubmissionItem],
    former: Mapping[int, Counted],
    repetition: Verification,
    judgement: verdicts.Judgement,
) -> None:
    """Decide items anew by a repetition that contradicts what was recorded, and keep what was decided."""
    FormerVerdict.objects.bulk_create((former_verdict(item, REPETITION) for item in items), batch_size=_BATCH)
    now = database_now()
    for item in items:
        item.verification = repetition
        verdicts.apply(item=item, judgement=judgement, at=now)
    standings.lock_boards(board_ids={item.submission.board_id for item in items})
    finds = credit.give(items=items)
    update_rows(items, [*verdicts.JUDGED_FIELDS, "verification"], batch_size=_BATCH)
    finds.store()
    standings.change_all(items=items, former=former)
