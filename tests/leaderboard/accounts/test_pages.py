"""The account pages, as a browser without JavaScript uses them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import escape

from leaderboard.accounts.models import ApiToken
from leaderboard.accounts.throttles import AddressThrottle
from tests.factories import PASSWORD, make_token, make_user

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada(db: None) -> User:
    """An account."""
    return make_user("ada")


@pytest.fixture
def inside(ada: User) -> Client:
    """A browser that is logged in."""
    client = Client()
    client.force_login(ada)
    return client


def test_signing_up_logs_in_and_goes_where_one_came_from(client: Client) -> None:
    assert 'value="/submit/"' in client.get("/accounts/signup/?next=/submit/").content.decode()
    form = {"username": "grace", "password": PASSWORD, "next": "/accounts/tokens/?x=1"}
    response = client.post("/accounts/signup/", form)
    assert (response.status_code, response["Location"]) == (302, "/accounts/tokens/?x=1")
    assert "grace" in client.get("/accounts/tokens/").content.decode()


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example/",
        "javascript:alert(1)",
        "foo bar",
        "?q",
        "x.y",
        "%0d%0aX:1",
        "\\evil",
        "/\\evil.example",
        "/a\r\nX: 1",
    ],
)
def test_nobody_is_sent_to_a_foreign_site(client: Client, ada: User, target: str) -> None:
    signup = client.post("/accounts/signup/", {"username": "grace", "password": PASSWORD, "next": target})
    assert (signup.status_code, signup["Location"]) == (302, "/accounts/tokens/")
    login = Client().post("/accounts/login/", {"username": "ada", "password": PASSWORD, "next": target})
    assert login["Location"] == "/submissions/?mine=1"


def test_a_refused_sign_up_shows_why_beside_the_field(client: Client, ada: User) -> None:
    response = client.post("/accounts/signup/", {"username": "ada", "password": "123"})
    text = response.content.decode()
    assert response.status_code == 422
    assert "This user name is taken." in text
    assert "too short" in text
    assert 'aria-invalid="true"' in text
    assert 'value="123"' not in text


def test_logging_in_and_out(client: Client, ada: User) -> None:
    refused = client.post("/accounts/login/", {"username": "ada", "password": "wrong"})
    assert "_auth_user_id" not in client.session
    assert "correct username and password" in refused.content.decode()
    client.post("/accounts/login/", {"username": "ada", "password": PASSWORD})
    assert client.get("/accounts/tokens/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/accounts/tokens/")["Location"] == "/accounts/login/?next=/accounts/tokens/"


@pytest.mark.parametrize("url", ["/accounts/login/", "/accounts/signup/"])
def test_guessing_is_slowed_down(client: Client, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"signup": "1/hour", "login": "1/hour"})
    client.post(url, {"username": "x", "password": "y"})
    response = client.post(url, {"username": "x", "password": "y"})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 3500
    assert "Too many attempts" in response.content.decode()


def test_a_new_token_is_shown_once_and_works(inside: Client) -> None:
    name = "<script>alert(1)</script>"
    response = inside.post("/accounts/tokens/", {"name": name, "days": "30"})
    found = re.search(r"<code>([0-9a-f]{64})</code>", response.content.decode())
    assert found is not None
    assert "no-store" in response["Cache-Control"]
    me = Client().get("/api/v1/auth/me/", headers={"Authorization": f"Bearer {found[1]}"})
    assert me.json()["username"] == "ada"
    again = inside.get("/accounts/tokens/").content.decode()
    assert found[1] not in again
    assert (escape(name) in again, name in again) == (True, False)


@pytest.mark.parametrize("form", [{"name": "", "days": "30"}, {"name": "x", "days": "31"}, {"days": "7"}])
def test_an_unusable_token_form_makes_nothing(inside: Client, form: dict[str, str]) -> None:
    assert inside.post("/accounts/tokens/", form).status_code == 422
    assert not ApiToken.objects.exists()


def test_an_expired_token_is_marked(inside: Client, ada: User) -> None:
    make_token(ada, "old", expiry=timedelta(days=1))
    ApiToken.objects.update(expiry=timezone.now() - timedelta(days=1))
    assert 'data-state="expired"' in inside.get("/accounts/tokens/").content.decode()


def test_revoking_ends_a_token(inside: Client, ada: User) -> None:
    token, text = make_token(ada, "laptop")
    response = inside.post(f"/accounts/tokens/{token.public_id}/revoke/", follow=True)
    assert "was revoked" in response.content.decode()
    headers = {"Authorization": f"Bearer {text}"}
    assert Client().get("/api/v1/auth/me/", headers=headers).status_code == 401


def test_nobody_sees_the_tokens_of_others(inside: Client) -> None:
    make_token(make_user("eve"), "secret name")
    assert "secret name" not in inside.get("/accounts/tokens/").content.decode()


def test_operators_log_in_where_attempts_are_limited(client: Client, inside: Client) -> None:
    make_user("op", staff=True)
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/accounts/login/?next=/admin/"
    form = {"username": "op", "password": PASSWORD, "next": "/admin/"}
    assert client.post("/accounts/login/", form)["Location"] == "/admin/"
    refused = inside.get("/admin/", follow=True)
    assert refused.status_code == 403
    assert "does not have operator rights" in refused.content.decode()


def test_the_admin_shows_tokens_and_makes_none(admin_client: Client, ada: User) -> None:
    make_token(ada, "laptop")
    assert "laptop" in admin_client.get("/admin/accounts/apitoken/").content.decode()
    assert admin_client.get("/admin/accounts/apitoken/add/").status_code == 403
    assert admin_client.get("/admin/knox/authtoken/").status_code == 404
