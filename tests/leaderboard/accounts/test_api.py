"""Signing up, tokens, and what the API says about every way in which either can be wrong."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import global_settings
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

from leaderboard.accounts.models import ApiToken
from leaderboard.accounts.throttles import AddressThrottle
from tests.factories import PASSWORD, make_token, make_user

if TYPE_CHECKING:
    from pytest_django import Settings
    from rest_framework.response import Response

pytestmark = pytest.mark.django_db

SIGNUP, TOKEN, ME = "/api/v1/auth/signup/", "/api/v1/auth/token/", "/api/v1/auth/me/"


@pytest.fixture
def ada(db: None) -> User:
    """An account."""
    return make_user("ada")


@pytest.fixture
def api() -> APIClient:
    """A client that checks CSRF as a browser's requests are checked."""
    return APIClient(enforce_csrf_checks=True)


def bearer(api: APIClient, token: str) -> APIClient:
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return api


def make(api: APIClient, **extra: Any) -> Any:
    return api.post(TOKEN, {"username": "ada", "password": PASSWORD, **extra})


def assert_problem(response: Response, status: int, kind: str) -> dict[str, Any]:
    assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
    body: dict[str, Any] = response.json()
    assert body["type"] == f"/problems/#{kind}"
    assert body["remedy"]
    return body


def test_sign_up_gives_a_token_that_works(api: APIClient) -> None:
    response = api.post(SIGNUP, {"username": "grace", "password": PASSWORD})
    assert response.status_code == 201
    assert response["Cache-Control"] == "no-store"
    body = response.json()
    assert body["user"]["username"] == "grace"
    assert bearer(api, body["token"]).get(ME).json()["username"] == "grace"


def test_only_the_hash_of_a_token_and_of_a_password_is_stored(
    ada: User, api: APIClient, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    ada.set_password(PASSWORD)
    ada.save()
    text = make(api).json()["token"]
    token = ApiToken.objects.get()
    assert text not in (token.digest, token.token_key)
    assert token.token_key == text[:15]
    assert User.objects.get().password.startswith("pbkdf2_sha256$")


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "a b",
        "",
        "-ada",
        "ada-",
        "ädä",
        "a" * 40,
        "a/b",
        "<b>",
        "аda",
        "ada",
        "admin",
        "reference",
        "repetition",
        "reverify",
    ],
)
def test_an_unusable_user_name_is_refused(ada: User, api: APIClient, name: str) -> None:
    body = assert_problem(api.post(SIGNUP, {"username": name, "password": PASSWORD}), 422, "invalid-document")
    assert [error["field"] for error in body["errors"]] == ["username"]
    is_taken = name in ("ada", "admin", "reference", "repetition", "reverify")
    assert (body["errors"][0]["message"] == "This user name is taken.") == is_taken
    assert User.objects.count() == 1


@pytest.mark.parametrize("password", ["short", "password123", "1234567890123", "quicksortfan"])
def test_a_weak_password_is_refused_and_never_repeated(api: APIClient, password: str) -> None:
    response = api.post(SIGNUP, {"username": "quicksortfan", "password": password})
    body = assert_problem(response, 422, "invalid-document")
    assert {error["field"] for error in body["errors"]} == {"password"}
    assert all(error["value"] == "" and error["remedy"] for error in body["errors"])


def test_all_problems_of_a_sign_up_come_together(api: APIClient) -> None:
    for given, remedy in (({"username": "A!", "password": "1"}, None), ({}, "Add this field.")):
        body = assert_problem(api.post(SIGNUP, given), 422, "invalid-document")
        assert {error["field"] for error in body["errors"]} == {"username", "password"}
        assert remedy is None or {error["remedy"] for error in body["errors"]} == {remedy}


def test_a_token_lives_as_long_as_asked(ada: User, api: APIClient) -> None:
    response = make(api, name="laptop", days=7)
    assert response.status_code == 201
    token = ApiToken.objects.get()
    assert token.name == "laptop"
    assert timedelta(days=6.9) < token.expiry - timezone.now() < timedelta(days=7)


@pytest.mark.parametrize(
    ("given", "field"), [({"days": 0}, "days"), ({"days": 10**9}, "days"), ({"name": "a\tb"}, "name")]
)
def test_an_unusable_token_is_refused(ada: User, api: APIClient, given: dict[str, Any], field: str) -> None:
    body = assert_problem(make(api, **given), 422, "invalid-document")
    assert body["errors"][0]["field"] == field
    assert not ApiToken.objects.exists()


def test_the_number_of_tokens_is_limited(ada: User, api: APIClient) -> None:
    for number in range(50):
        make_token(ada, f"t{number}")
    body = assert_problem(make(api), 422, "invalid-document")
    assert "50" in body["detail"]


def test_expired_tokens_leave_room_for_new_ones_and_go(ada: User, api: APIClient) -> None:
    for number in range(49):
        make_token(ada, f"t{number}")
    endless, _ = make_token(ada, "endless")
    ApiToken.objects.filter(pk=endless.pk).update(expiry=None)
    others, _ = make_token(make_user("bob"), "of bob")
    expired = timezone.now() - timedelta(minutes=1)
    ApiToken.objects.filter(name__in=["t0", "t1", "of bob"]).update(expiry=expired)
    assert make(api, name="new").status_code == 201
    assert ApiToken.objects.filter(user=ada).count() == 49
    assert not ApiToken.objects.filter(name__in=["t0", "t1"]).exists()
    assert ApiToken.objects.filter(pk__in=[endless.pk, others.pk]).count() == 2
    assert make(api, name="newer").status_code == 201
    assert_problem(make(api, name="newest"), 422, "invalid-document")


def test_wrong_credentials_do_not_say_which_part_is_wrong(ada: User, api: APIClient) -> None:
    for given in ({"username": "ada", "password": "wrong"}, {"username": "x", "password": PASSWORD}):
        body = assert_problem(api.post(TOKEN, given), 401, "invalid-credentials")
        assert body["detail"] == "User name or password is wrong"
    User.objects.update(is_active=False)
    assert_problem(make(api), 401, "invalid-credentials")


def test_an_expired_token_says_so_and_can_be_replaced_with_it_still_in_the_header(
    ada: User, api: APIClient
) -> None:
    text = make(api, name="old one").json()["token"]
    ApiToken.objects.update(expiry=timezone.now() - timedelta(minutes=1))
    body = assert_problem(bearer(api, text).get(ME), 401, "token-expired")
    assert "old one" in body["detail"]
    assert "/accounts/tokens/" in body["remedy"]
    assert make(api).status_code == 201


@pytest.mark.parametrize(
    "header", ["Bearer nonsense", "Bearer", "Bearer a b", "Bearer " + "ä" * 64, "Bearer zz" + "0" * 62]
)
def test_a_wrong_token_is_a_problem_even_where_none_is_needed(ada: User, api: APIClient, header: str) -> None:
    api.credentials(HTTP_AUTHORIZATION=header)
    response = api.get("/api/v1/datasets/")
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"
    assert response["Content-Type"] == "application/problem+json"


def test_neither_a_forged_token_nor_one_of_a_closed_account_works(ada: User, api: APIClient) -> None:
    text = make(api).json()["token"]
    forged = text[:15] + ("0" * len(text[15:]))
    assert_problem(bearer(api, forged).get(ME), 401, "invalid-token")
    User.objects.update(is_active=False)
    assert_problem(bearer(api, text).get(ME), 401, "invalid-token")


def test_a_revoked_token_stops_working_and_others_do_not(ada: User, api: APIClient) -> None:
    first, second = make(api).json()["token"], make(api).json()["token"]
    assert bearer(api, first).delete(TOKEN).status_code == 204
    assert_problem(bearer(api, first).get(ME), 401, "invalid-token")
    assert bearer(api, second).get(ME).status_code == 200


def test_without_credentials_the_answer_says_how_to_authenticate(api: APIClient) -> None:
    for response in (api.get(ME), api.delete(TOKEN)):
        body = assert_problem(response, 401, "not-authenticated")
        assert "Bearer" in body["remedy"]


def test_a_session_needs_its_csrf_token_and_is_not_revoked_like_a_token(ada: User, api: APIClient) -> None:
    api.force_login(ada)
    assert_problem(api.delete(TOKEN), 403, "permission-denied")
    unchecked = APIClient()
    unchecked.force_login(ada)
    assert unchecked.get(ME).json()["username"] == "ada"
    assert_problem(unchecked.delete(TOKEN), 400, "bad-request")


@pytest.mark.parametrize("url", [SIGNUP, TOKEN])
def test_guessing_is_slowed_down(api: APIClient, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"signup": "2/hour", "login": "2/hour"})
    for _ in range(2):
        assert api.post(url, {"username": "x", "password": "y"}).status_code in (401, 422)
    response = api.post(url, {"username": "x", "password": "y"})
    assert_problem(response, 429, "throttled")
    assert 3500 < int(response["Retry-After"]) <= 3600
    other = api.post(url, {"username": "x", "password": "y"}, REMOTE_ADDR="192.0.2.7")
    assert other.status_code in (401, 422)


def test_a_forwarded_address_is_not_believed_without_a_proxy(
    api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"signup": "1/hour", "login": "1/hour"})
    assert api_settings.NUM_PROXIES == 0
    given = {"username": "x", "password": "y"}
    assert api.post(TOKEN, given, HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 401
    assert api.post(TOKEN, given, HTTP_X_FORWARDED_FOR="192.0.2.2").status_code == 429
