"""The answer of pages to too many attempts."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.shortcuts import render

from leaderboard.accounts.throttles import seconds_to_wait

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from leaderboard.accounts.throttles import AddressThrottle


def throttled(throttle: AddressThrottle, request: HttpRequest) -> HttpResponse | None:
    """Count one attempt; the page that refuses it, or None if it is allowed."""
    seconds = seconds_to_wait(throttle, request)
    if not seconds:
        return None
    detail = f"Too many attempts from your address. Try again in {seconds} seconds."
    context = {
        "problem": {"title": "Too many attempts", "remedy": "", "status": HTTPStatus.TOO_MANY_REQUESTS}
    }
    response = render(request, "problem.html", context | {"detail": detail}, status=429)
    response["Retry-After"] = str(seconds)
    return response
