"""Asks workers about verified items: what a step changes, and which actions suffice.

Whoever is logged in may ask, so often in a time; the answers are for everybody. Best results and records are
minimised without being asked for. Workers answer when no replay waits.
"""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from django.db.models import Exists, OuterRef, Q

from datasets.site.formats import duration
from leaderboard import selectors
from leaderboard.accounts.throttles import StudyThrottle
from leaderboard.models import BestResult, BoardRecord, SubmissionItem
from leaderboard.services import quotas
from leaderboard.services.quotas import QuotaExceeded
from leaderboard.services.submissions import Conflict
from optarena.specs import environment_specs
from runner import services as runner
from runner.errors import StudiesFullError, StudyRefusedError
from runner.models import Study

if TYPE_CHECKING:
    import uuid

    from django.contrib.auth.models import User
    from django.db.models import QuerySet

    from runner.models import Verification

Verdict = SubmissionItem.Verdict
_RETRY_SECONDS: Final = 600
_A_PASS: Final = 5
"""So many minimisations are requested by one pass; the next pass goes on."""
_log = structlog.get_logger(__name__)


def ask_difference(*, submission_id: uuid.UUID, position: int, step: str, actor: User) -> SubmissionItem:
    """Have a worker find out what a step of a verified item changes, unless that is known.

    Raises:
        SubmissionItem.DoesNotExist: There is no such item.
        InvalidInput: The item has no such step.
        Conflict: The item is not verified, its states have no text, or no worker has its environment.
        QuotaExceeded: Too many questions wait, or this account has asked too many.
    """
    item = _item(submission_id, position)
    number = selectors.step_number(step, item)
    _refuse(item, selectors.why_no_difference(item))
    if selectors.difference_of(item, number).may_be_asked:
        _ask(item, Study.Kind.DIFFERENCE, number, actor)
    return item


def ask_minimised(*, submission_id: uuid.UUID, position: int, actor: User) -> SubmissionItem:
    """Have a worker find out which actions of a verified item suffice, unless that is known.

    Raises:
        SubmissionItem.DoesNotExist: There is no such item.
        Conflict: The item is not verified, its board compares times, or no worker has its environment.
        QuotaExceeded: Too many questions wait, or this account has asked too many.
    """
    item = _item(submission_id, position)
    _refuse(item, selectors.why_not_minimised(item))
    if selectors.minimised_of(item).may_be_asked:
        _ask(item, Study.Kind.MINIMISED, len(item.actions), actor)
    return item


def _item(submission_id: uuid.UUID, position: int) -> SubmissionItem:
    known = SubmissionItem.objects.select_related(
        "submission__board__environment_version", "verification", "benchmark"
    )
    return known.get(submission=submission_id, position=position)


def _refuse(item: SubmissionItem, why: str) -> None:
    if why:
        raise _conflict(item, why)


def _conflict(item: SubmissionItem, why: str) -> Conflict:
    return Conflict(
        f"The item is {item.verdict}. {why}",
        field="item",
        value=str(item),
        remedy="Look at the item's page: it says what can be asked about it.",
    )


def _ask(item: SubmissionItem, kind: Study.Kind, steps: int, actor: User) -> None:
    if item.verification is None:  # pragma: no cover - a verified item has one
        raise _conflict(item, "It has no replay.")
    try:
        runner.request_study(
            kind=kind, verification=item.verification, steps=steps, admit=partial(_count, actor)
        )
    except StudyRefusedError as error:
        raise _conflict(item, str(error)) from error
    except StudiesFullError as error:
        raise _later(str(error), _RETRY_SECONDS) from error


def _count(actor: User) -> None:
    throttle = StudyThrottle()
    if not quotas.is_exempt(actor) and not throttle.allow(actor.pk, 1):
        raise _later("You have asked more than the workers answer for one account.", throttle.wait())


def _later(message: str, seconds: float) -> QuotaExceeded:
    wait = math.ceil(seconds)
    problem = QuotaExceeded(message, field="item", remedy=f"Ask again in {duration(wait)}.")
    problem.retry_after = wait
    problem.headers = {"Retry-After": str(wait)}
    return problem


def minimise_bests() -> int:
    """Have the best results and the records of boards with exact metrics minimised, some at a time.

    Returns:
        How many were requested.
    """
    number, refused = 0, Q()
    while number < _A_PASS and (items := _unminimised(refused)[: _A_PASS - number]):
        for item in items:
            if item.verification is None:  # pragma: no cover - a verified item has one
                continue
            try:
                _request_automatically(item, item.verification)
            except (StudyRefusedError, StudiesFullError) as error:
                _log.debug("not minimised", item=str(item), why=str(error))
                refused |= _like(item.verification)  # items of other classes and versions must not wait
                break
            number += 1
    return number


def _request_automatically(item: SubmissionItem, verification: Verification) -> None:
    runner.request_study(
        kind=Study.Kind.MINIMISED, verification=verification, steps=len(item.actions), automatic=True
    )


def _like(verification: Verification) -> Q:
    """The items that the same workers could study."""
    return Q(
        item__verification__hardware_class=verification.hardware_class,
        item__verification__environment_digest=verification.environment_digest,
    )


def _unminimised(refused: Q) -> list[SubmissionItem]:
    """Some verified items that are the best or a record, and of whose replay no minimisation is known."""
    return _some_items(BestResult.objects.all(), refused) or _some_items(BoardRecord.objects.all(), refused)


def _some_items(rows: QuerySet[BestResult] | QuerySet[BoardRecord], refused: Q) -> list[SubmissionItem]:
    known = Study.objects.filter(verification=OuterRef("item__verification"), kind=Study.Kind.MINIMISED)
    wanted = rows.filter(
        ~Exists(known),
        board__exact=True,
        item__verdict=Verdict.VERIFIED,
        item__verification__environment_digest__in={spec.digest for spec in environment_specs()},
    ).exclude(item__actions=[])
    wanted = wanted.exclude(refused) if refused else wanted
    # Without an order: the planner would walk through all items in theirs.
    return [row.item for row in wanted.order_by().select_related("item__verification")[:_A_PASS]]
