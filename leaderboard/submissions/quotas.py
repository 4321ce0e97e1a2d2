"""How much work of our runners an owner may ask for; the runner keeps the accounts, under a name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final

from django.contrib.auth.models import User
from django.db.models import prefetch_related_objects

from datasets.site import formats
from leaderboard.accounts.throttles import UploadThrottle
from optarena import limits
from optarena.errors import InvalidInput
from runner.errors import BudgetExceededError, QueueFullError
from runner.queue import demands

# Its members have no quota, nor do staff.
EXEMPT_GROUP: Final = "no-quota"

SECONDS_POLICY: Final = "replay-seconds"
ITEMS_POLICY: Final = "queued-items"
_QUEUE_RETRY_SECONDS: Final = 60
# A document counts as one, and as one more for each so many bytes.
_UPLOAD_BYTES: Final = 50_000


class QuotaExceeded(InvalidInput):
    headers: Mapping[str, str] = MappingProxyType({})


def exceeded(message: str, seconds: float, *, field: str, again: str) -> QuotaExceeded:
    """The error of whoever has to wait for so long, and what they may then do."""
    problem = QuotaExceeded(message, field=field, remedy=f"{again} in {formats.wait(seconds)}.")
    problem.headers = {"Retry-After": str(math.ceil(seconds))}
    return problem


class SubmissionTooCostly(InvalidInput):
    """The submission alone needs more than a whole quota."""


def payer_of(user_id: int) -> str:
    return f"user:{user_id}"


def is_exempt(user: User) -> bool:
    if user.is_staff:
        return True
    prefetch_related_objects([user], "groups")  # once for each request, which asks more than once
    return any(group.name == EXEMPT_GROUP for group in user.groups.all())


@contextmanager
def as_quota_errors(owner: User) -> Iterator[None]:
    """Turn the runner's refusals of an owner's request into errors that name what to do."""
    try:
        yield
    except QueueFullError as error:
        problem = QuotaExceeded(
            f"{error.queued:,} of your replays wait or run, and {error.added:,} more would exceed the limit "
            f"of {error.most:,}.",
            field="items",
            value=f"{error.added} new replays",
            remedy="Submit again when some of them have ended, or withdraw submissions that you do not need.",
        )
        raise with_headers(problem, owner, _QUEUE_RETRY_SECONDS) from error
    except BudgetExceededError as error:
        about = {"field": "items", "value": f"{math.ceil(error.needed)} s"}
        takes = f"The new replays are expected to take {formats.duration(error.needed)} of a runner's time."
        quota = f"{formats.duration(error.budget)} in {formats.duration(error.window)}"
        if error.is_hopeless:
            message = f"{takes} That is more than a whole quota, {quota}."
            remedy = "Submit fewer items or shorter sequences."
            raise SubmissionTooCostly(message, **about, remedy=remedy) from error
        message = f"{takes} Of your quota of {quota}, {formats.duration(error.left)} are left."
        remedy = f"Submit again in {formats.wait(error.wait)}, or submit fewer items or shorter sequences."
        problem = QuotaExceeded(message, **about, remedy=remedy)
        raise with_headers(problem, owner, error.wait) from error


def with_headers(problem: QuotaExceeded, owner: User, wait: int) -> QuotaExceeded:
    problem.headers = {"Retry-After": str(wait), **headers(owner)}
    return problem


def count_upload(*, owner: User, size: int) -> None:
    # Even work that is known already takes time to store.
    throttle = UploadThrottle()
    if is_exempt(owner) or throttle.allow(owner.pk, 1 + size // _UPLOAD_BYTES):
        return
    wait = math.ceil(throttle.wait())
    problem = QuotaExceeded(
        "You have sent more submissions lately than the server stores for one account.",
        field="document",
        value=f"{size} bytes",
        remedy=f"Submit again in {formats.wait(wait)}, and send many items in one submission.",
    )
    raise with_headers(problem, owner, wait)


def headers(owner: User) -> dict[str, str]:
    # HTTP fields of the IETF's draft.
    if is_exempt(owner):
        return {}
    balance = demands.balance_of(payer=payer_of(owner.pk))
    return {
        "RateLimit-Policy": (
            f'"{SECONDS_POLICY}";q={balance.budget};w={balance.window}, '
            f'"{ITEMS_POLICY}";q={limits.MAX_QUEUED_ITEMS}'
        ),
        "RateLimit": (
            f'"{SECONDS_POLICY}";r={int(balance.left)};t={balance.wait_for(balance.budget)}, '
            f'"{ITEMS_POLICY}";r={max(0, limits.MAX_QUEUED_ITEMS - balance.queued)}'
        ),
    }
