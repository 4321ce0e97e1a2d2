"""Limits on how often one address or account may ask, for API and pages together.

Only as many entries of X-Forwarded-For are believed as the setting of trusted proxies says. The counts are in
Valkey, which all web processes share; while it is away, each process counts for itself.
"""

from __future__ import annotations

import hashlib
import math
import time
import unicodedata
from collections.abc import Callable
from typing import Final, TypeVar, cast

import structlog
from django.core.cache import BaseCache, caches
from django.http import HttpRequest
from redis.exceptions import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from leaderboard.accounts.services import name_sha256
from leaderboard.common.addresses import network
from leaderboard.common.problems import ProblemError

T = TypeVar("T")
# A network from which an owner has not logged in for so long counts as a stranger's.
_FAMILIAR_SECONDS: Final = 90 * 86_400
_log = structlog.get_logger(__name__)


class AddressThrottle(SimpleRateThrottle):
    """Count by the caller's address: somebody who guesses passwords is not logged in."""

    refusal = "Too many attempts from your address."
    num_requests: int | None
    duration: int | None
    _left = 0.0

    def allow_request(self, request: Request | HttpRequest, view: APIView | None) -> bool:  # noqa: ARG002 - inherited
        """Count one request. A period begins with the first one."""
        return self._count(self._key(address_of(request)), 1)

    def _key(self, ident: str) -> str:
        return self.cache_format % {"scope": self.scope, "ident": ident}

    def _count(self, key: str, amount: int) -> bool:
        if self.num_requests is None or self.duration is None:
            return True
        seconds = self.duration
        count, begun = _in_cache(lambda cache: _counted(cache, key, seconds, amount))
        self._left = max(1.0, begun + self.duration - time.time())
        return count <= self.num_requests

    def wait(self) -> float:
        return self._left


class SignupThrottle(AddressThrottle):
    scope = "signup"


class LoginThrottle(AddressThrottle):
    """Count attempts at passwords by address, and strangers' attempts at one account's password together."""

    scope = "login"

    def allow_request(self, request: Request | HttpRequest, view: APIView | None) -> bool:
        """Count one attempt."""
        if not super().allow_request(request, view):
            return False
        name = _whose_password(request)
        if not name or _in_cache(lambda cache: cache.get(_familiar_key(request, name))):
            return True
        guesses = GuessThrottle()
        if guesses.allow_attempt(name, inside=_is_inside(request)):
            return True
        self._left, self.refusal = guesses.wait(), guesses.refusal
        if view is not None:  # the framework's own answer would not say which limit it was
            headers = {"Retry-After": str(math.ceil(self._left))}
            raise ProblemError("throttled", self.refusal, headers=headers)
        return False


class GuessThrottle(AddressThrottle):
    """Count attempts at one account's password from all networks from which nobody has logged in to it."""

    scope = "guess"
    refusal = (
        "Too many attempts at the password of this account. Log in from a network from which you have logged "
        "in before, or set a new password by a link that is sent to you."
    )

    def allow_attempt(self, name: str, *, inside: bool) -> bool:
        """Count one attempt; of who is logged in apart, so that strangers' do not count against them."""
        return self._count(self._key(f"{'in' if inside else 'out'}:{_hashed(name)}"), 1)


def remember_network(request: Request | HttpRequest, username: str) -> None:
    """Let others' guesses not keep an account's owner from logging in from here again."""
    _in_cache(lambda cache: cache.set(_familiar_key(request, username), 1, timeout=_FAMILIAR_SECONDS))


def _whose_password(request: Request | HttpRequest) -> str:
    if _is_inside(request):
        return request.user.get_username()
    given = request.data if isinstance(request, Request) else request.POST
    name = given.get("username") if isinstance(given, dict) else None
    return name if isinstance(name, str) else ""


def _is_inside(request: Request | HttpRequest) -> bool:
    return bool(getattr(request, "user", None) and request.user.is_authenticated)


def _familiar_key(request: Request | HttpRequest, name: str) -> str:
    where = hashlib.sha256(address_of(request).encode()).hexdigest()
    return f"familiar:{_hashed(name)}:{where}"


# Forms read a name without spaces around it and in Unicode's form of compatibility.
def _hashed(name: str) -> str:
    return name_sha256(unicodedata.normalize("NFKC", name.strip()).strip())


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


class PlayThrottle(AccountThrottle):
    scope = "play"  # States of games that workers have not looked at yet.


class VisitorPlayThrottle(AddressThrottle):
    scope = "visitor_play"  # The same for those who are not logged in.


class MailThrottle(AccountThrottle):
    scope = "mail"  # Nobody can fill an owner's mailbox.


def address_of(request: Request | HttpRequest) -> str:
    # A connection over a socket of the machine has none.
    return network(BaseThrottle().get_ident(cast("Request", request)) or "")


def seconds_to_wait(throttle: AddressThrottle, request: HttpRequest) -> int:
    """Count one attempt of a page's form; 0 if it is allowed."""
    if throttle.allow_request(request, None):
        return 0
    return max(1, int(throttle.wait()) + 1)


def _in_cache(use: Callable[[BaseCache], T]) -> T:
    try:
        return use(caches["default"])
    except (RedisError, OSError) as error:
        _log.warning("attempts are counted in this process only", error=str(error))
        return use(caches["local"])


# Each period has a key of its own, which lives longer than the period. Django adds in two steps, and a key
# that expired between them would begin again without an expiry: its address would be refused for ever.
def _counted(cache: BaseCache, key: str, seconds: int, amount: int) -> tuple[int, float]:
    now = time.time()
    begun = float(cache.get_or_set(f"{key}:begun", now, timeout=seconds) or now)
    count_key = f"{key}:{begun}"
    try:
        return cache.incr(count_key, amount), begun
    except ValueError:  # it is the first, or the cache has been emptied since
        is_first = cache.add(count_key, amount, timeout=2 * seconds)
        return amount if is_first else cache.incr(count_key, amount), begun
