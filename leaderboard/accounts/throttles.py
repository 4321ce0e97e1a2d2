"""Limits on how often one address or account may ask, for API and pages together.

Only as many entries of X-Forwarded-For are believed as the setting of trusted proxies says. The counts are in
Valkey, which all web processes share; while it is away, each process counts for itself.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import structlog
from django.core.cache import caches
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from leaderboard.common.networks import network

if TYPE_CHECKING:
    from django.core.cache import BaseCache
    from django.http import HttpRequest
    from rest_framework.views import APIView

_log = structlog.get_logger(__name__)


class AddressThrottle(SimpleRateThrottle):
    """Count by the caller's address: somebody who guesses passwords is not logged in."""

    num_requests: int | None
    duration: int | None
    _left = 0.0

    def allow_request(self, request: Request, view: APIView | None) -> bool:  # noqa: ARG002 - inherited
        """Count one request. A period begins with the first one."""
        return self._count(self._key(network(self.get_ident(request))), 1)

    def _key(self, ident: str) -> str:
        return self.cache_format % {"scope": self.scope, "ident": ident}

    def _count(self, key: str, amount: int) -> bool:
        if self.num_requests is None or self.duration is None:
            return True
        try:
            count, begun = _counted(caches["default"], key, self.duration, amount)
        except (RedisError, OSError) as error:
            _log.warning("attempts are counted in this process only", error=str(error))
            count, begun = _counted(caches["local"], key, self.duration, amount)
        self._left = max(1.0, begun + self.duration - time.time())
        return count <= self.num_requests

    def wait(self) -> float:
        return self._left


class SignupThrottle(AddressThrottle):
    scope = "signup"


class LoginThrottle(AddressThrottle):
    """Count attempts at passwords by the caller's address, and all strangers' attempts at one account's."""

    scope = "login"

    def allow_request(self, request: Request | HttpRequest, view: APIView | None) -> bool:
        """Count one attempt."""
        return super().allow_request(request, view) and self._allow_guess(request)

    def _allow_guess(self, request: Request | HttpRequest) -> bool:
        account = _account(request)
        if not account or _cached(lambda cache: cache.get(_familiar(request, account))):
            return True
        guesses = GuessThrottle()
        allowed = guesses.allow(account)
        self._left, self.refusal = guesses.wait(), GuessThrottle.refusal
        return allowed


def remember_network(request: Request | HttpRequest, username: str) -> None:
    """Keep strangers' guesses from locking an account's owner out of a network that they have logged in from."""
    _cached(lambda cache: cache.set(_familiar(request, _hashed(username)), 1, timeout=_FAMILIAR_SECONDS))


class ResetThrottle(AddressThrottle):
    scope = "reset"


class CheckThrottle(AddressThrottle):
    scope = "check"  # Submissions that are checked and not stored.


class AccountThrottle(AddressThrottle):
    def allow(self, account: int, amount: int) -> bool:
        return self._count(self._key(str(account)), amount)


class UploadThrottle(AccountThrottle):
    scope = "upload"  # Documents that are sent to be stored, each counted by its size.


class StudyThrottle(AccountThrottle):
    scope = "study"  # Questions about replays, which workers have to answer.


class MailThrottle(AccountThrottle):
    scope = "mail"  # Nobody can fill an owner's mailbox.


def seconds_to_wait(throttle: AddressThrottle, request: HttpRequest) -> int:
    """Count one attempt of a page's form; 0 if it is allowed."""
    if throttle.allow_request(Request(request), None):
        return 0
    return max(1, int(throttle.wait()) + 1)


# Each period has a key of its own, which lives longer than the period. Django adds in two steps, and a key
# that expired between them would begin again without an expiry: its address would be refused for ever.
def _counted(cache: BaseCache, key: str, seconds: int, amount: int) -> tuple[int, float]:
    now = time.time()
    begun = float(cache.get_or_set(f"{key}:begun", now, timeout=seconds) or now)
    count_key = f"{key}:{begun}"
    cache.add(count_key, 0, timeout=2 * seconds)
    try:
        return cache.incr(count_key, amount), begun
    except ValueError:  # the cache has been emptied since
        cache.set(count_key, amount, timeout=2 * seconds)
        return amount, begun
