"""Limits on sign-ups and password attempts of one address, for API and pages together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

if TYPE_CHECKING:
    from django.http import HttpRequest
    from rest_framework.views import APIView


class AddressThrottle(SimpleRateThrottle):
    """Counts by the caller's address: somebody who guesses passwords is not logged in."""

    def get_cache_key(self, request: Request, view: APIView | None) -> str:  # noqa: ARG002 - inherited
        """The cache key of this caller's count."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


class SignupThrottle(AddressThrottle):
    """Accounts made from one address."""

    scope = "signup"


class LoginThrottle(AddressThrottle):
    """Passwords tried from one address."""

    scope = "login"


def seconds_to_wait(throttle: AddressThrottle, request: HttpRequest) -> int:
    """Count one attempt of a page's form; 0 if it is allowed, else the seconds until one is."""
    if throttle.allow_request(Request(request), None):  # type: ignore[arg-type] # a form has no API view
        return 0
    return max(1, int(throttle.wait() or 1))
