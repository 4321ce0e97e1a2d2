"""Every error of the API is an RFC 9457 problem, whoever raises it and wherever."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404
from rest_framework import exceptions, serializers
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from leaderboard.common.problems import PROBLEM_TYPES, ProblemError, type_for_status
from optarena.errors import InvalidDocument, Problem, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client
    from rest_framework.request import Request

Answer = tuple[int, dict[str, Any], Any]


def raising(error: Exception) -> Callable[..., Any]:
    """A view that fails."""

    class View(APIView):
        permission_classes = ()

        def post(self, request: Request) -> None:
            raise error

    return View.as_view()


def answer(view: Callable[..., Any], data: Any = None) -> Answer:
    response = view(APIRequestFactory().post("/api/v1/x/", data or {}, format="json"))
    response.render()
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, json.loads(response.content), response


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (exceptions.NotAuthenticated(), 401, "not-authenticated"),
        (exceptions.AuthenticationFailed(), 401, "not-authenticated"),
        (exceptions.PermissionDenied(), 403, "permission-denied"),
        (PermissionDenied("Not yours."), 403, "permission-denied"),
        (Http404("No such board."), 404, "not-found"),
        (exceptions.NotFound(), 404, "not-found"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method-not-allowed"),
        (exceptions.NotAcceptable(), 406, "not-acceptable"),
        (exceptions.UnsupportedMediaType("text/xml"), 415, "unsupported-media-type"),
        (exceptions.ParseError(), 400, "malformed-document"),
        (exceptions.Throttled(wait=7.2), 429, "throttled"),
        (RequestDataTooBig(), 413, "too-large"),
        (SuspiciousOperation("secret detail"), 400, "bad-request"),
        (
            UnknownName("No board 'x'.", field="board", value="x", remedy="See /boards/."),
            422,
            "invalid-document",
        ),
        (ProblemError("idempotency-key-reused"), 409, "idempotency-key-reused"),
    ],
)
def test_every_kind_of_error_has_its_problem_type(error: Exception, status: int, kind: str) -> None:
    code, body, response = answer(raising(error))
    assert (code, body["status"], body["type"]) == (status, status, f"/problems/#{kind}")
    assert body["title"] == PROBLEM_TYPES[kind].title
    assert body["instance"] == "/api/v1/x/"
    assert body["detail"]
    assert response.headers.get("Retry-After") == ("8" if kind == "throttled" else None)
    assert ("errors" in body) == (kind == "invalid-document")
    assert body["remedy"]
    assert "secret" not in json.dumps(body)


def test_an_error_of_a_service_lists_every_problem_with_row_value_and_remedy() -> None:
    first = {"field": "benchmark", "row": 2, "value": "x", "message": "Unknown.", "remedy": "Use another."}
    second = {"field": "document", "value": "v" * 500, "message": "Too long.", "remedy": "Shorten it."}
    _, body, _ = answer(raising(InvalidDocument([Problem(**first), Problem(**second)])))  # type: ignore[arg-type] # texts and numbers
    assert body["detail"] == "2 values cannot be used."
    assert body["errors"] == [first, second | {"value": body["errors"][1]["value"]}]
    assert len(body["errors"][1]["value"]) == 120
    assert answer(raising(Http404("No such board.")))[1]["detail"] == "No such board."
    one = {"field": "board", "value": "x", "message": "No board 'x'.", "remedy": "See /boards/."}
    error = UnknownName("No board 'x'.", field="board", value="x", remedy="See /boards/.")
    assert answer(raising(error))[1]["errors"] == [one]


class ItemSerializer(serializers.Serializer[Any]):
    """For the tests below."""

    benchmark = serializers.CharField(max_length=3)
    actions = serializers.ListField(child=serializers.IntegerField(min_value=0))


class DocumentSerializer(serializers.Serializer[Any]):
    """For the tests below."""

    board = serializers.ChoiceField(choices=["llvm-ic"])
    password = serializers.CharField(max_length=3)
    items = ItemSerializer(many=True, allow_empty=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        raise serializers.ValidationError("The whole is wrong.")


class CheckingView(APIView):
    """Validates a nested document."""

    authentication_classes = ()
    permission_classes = ()

    def post(self, request: Request) -> None:
        DocumentSerializer(data=request.data).is_valid(raise_exception=True)


def test_nested_errors_are_one_list_with_rows_and_values() -> None:
    data = {
        "board": "gcc",
        "password": "hunter2",
        "items": [
            {"benchmark": "abc", "actions": [1]},
            {"benchmark": "toolong", "actions": [1, -5, "x"]},
            {},
        ],
    }
    code, body, _ = answer(CheckingView.as_view(), data)
    assert code == 422
    found = {error["field"]: error for error in body["errors"]}
    assert found["board"]["value"] == "gcc"
    assert found["board"]["remedy"] == "Use one of the documented values."
    assert found["items.1.benchmark"] | {"message": ""} == {
        "field": "items.1.benchmark",
        "row": 1,
        "value": "toolong",
        "message": "",
        "remedy": "Shorten the value.",
    }
    assert found["items.1.actions.1"]["value"] == "-5"
    assert found["items.1.actions.2"]["value"] == "x"
    assert found["items.2.benchmark"]["remedy"] == "Add this field."


def test_secrets_are_never_repeated_and_an_error_of_the_whole_has_no_field() -> None:
    data: dict[str, Any] = {"board": "llvm-ic", "password": "hunter2", "items": []}
    _, body, _ = answer(CheckingView.as_view(), data)
    assert "hunter2" not in json.dumps(body)
    assert {error["field"] for error in body["errors"]} == {"password", "items"}
    data |= {"password": "ok", "items": [{"benchmark": "abc", "actions": []}]}
    _, body, _ = answer(CheckingView.as_view(), data)
    assert (body["errors"][0]["field"], body["errors"][0]["message"]) == ("", "The whole is wrong.")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "media", "status", "kind"),
    [
        ("{", "application/json", 400, "malformed-document"),
        ("\xff".encode("latin-1"), "application/json", 400, "malformed-document"),
        ('{"username": NaN}', "application/json", 400, "malformed-document"),
        ("<x/>", "application/xml", 415, "unsupported-media-type"),
        ("[]", "application/json", 422, "invalid-document"),
        ("null", "application/json", 422, "invalid-document"),
        ("[" * 100_000, "application/json", 400, "malformed-document"),
    ],
)
def test_a_body_that_cannot_be_used_is_a_problem(
    client: Client, content: str, media: str, status: int, kind: str
) -> None:
    response = client.post("/api/v1/auth/signup/", content, content_type=media)
    assert (response.status_code, response.json()["type"]) == (status, f"/problems/#{kind}")


def test_the_error_reference_explains_every_type_by_a_title_of_its_own(client: Client) -> None:
    assert len({kind.title for kind in PROBLEM_TYPES.values()}) == len(PROBLEM_TYPES)
    text = client.get("/problems/").content.decode()
    for name, kind in PROBLEM_TYPES.items():
        assert kind.remedy.endswith(".")
        assert f'id="{name}"' in text


def test_every_status_has_a_general_type() -> None:
    for status in (400, 401, 403, 404, 405, 406, 409, 411, 413, 415, 418, 422, 429, 500, 503):
        assert type_for_status(status).status == (400 if status == 418 else status)
