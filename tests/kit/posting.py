"""Submissions posted to the REST API, and the problems in its answers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from leaderboard.models import IdempotencyKey, Submission, SubmissionItem
from runner.models import Verification

if TYPE_CHECKING:
    from rest_framework.response import _MonkeyPatchedResponse as Response
    from rest_framework.test import APIClient

ADDRESS = "/api/v1/submissions/"


def post(api: APIClient, body: object, **headers: str) -> Response:
    data: Any = body if isinstance(body, bytes) else json.dumps(body).encode()
    return api.generic("POST", ADDRESS, data, content_type="application/json", headers=headers)


def post_csv(
    api: APIClient, text: str | bytes, query: str = "?board=test-ic&agent=a", **headers: str
) -> Response:
    data: Any = text if isinstance(text, bytes) else text.encode()
    return api.generic("POST", ADDRESS + query, data, content_type="text/csv", headers=headers)


def nothing_stored() -> bool:
    return not any(
        model.objects.exists() for model in (Submission, SubmissionItem, IdempotencyKey, Verification)
    )


def errors(response: Response) -> list[tuple[str, int | None]]:
    """The field and row of each problem of an answer."""
    assert response["Content-Type"] == "application/problem+json"
    body = response.json()
    for error in body.get("errors", []):
        assert error["message"]
        assert error["remedy"], error
    return [(error["field"], error.get("row")) for error in body.get("errors", [])]
