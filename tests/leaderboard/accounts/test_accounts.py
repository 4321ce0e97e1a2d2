"""Signing up, logging in, tokens and limits: by the API and on pages without JavaScript."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import global_settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.html import escape
from django.utils.http import urlsafe_base64_encode
from rest_framework.settings import api_settings
from rest_framework.test import APIClient

from leaderboard.accounts.models import ApiToken
from leaderboard.accounts.throttles import AddressThrottle, LoginThrottle, seconds_to_wait
from leaderboard.settings.environment import shared_cache
from tests.factories import PASSWORD, make_token, make_user

if TYPE_CHECKING:
    from pytest_django import Settings
    from rest_framework.response import Response

pytestmark = pytest.mark.django_db


SIGNUP, TOKEN, ME = "/api/v1/auth/signup/", "/api/v1/auth/token/", "/api/v1/auth/me/"


@pytest.fixture
def ada(db: None) -> User:
    return make_user("ada")


@pytest.fixture
def api() -> APIClient:
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


def test_only_hashes_of_tokens_and_passwords_are_stored(
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


TAKEN = ("ada", "admin", "reference", "repetition", "reverify")
UNUSABLE = ("Ada", "a b", "", "-ada", "ada-", "ädä", "a" * 40, "a/b", "<b>", "\u0430da")


@pytest.mark.parametrize("name", UNUSABLE + TAKEN)
def test_an_unusable_user_name_is_refused(ada: User, api: APIClient, name: str) -> None:
    body = assert_problem(api.post(SIGNUP, {"username": name, "password": PASSWORD}), 422, "invalid-document")
    assert [error["field"] for error in body["errors"]] == ["username"]
    assert (body["errors"][0]["message"] == "This user name is taken.") == (name in TAKEN)
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
    for given, field in (({"days": 0}, "days"), ({"days": 10**9}, "days"), ({"name": "a\tb"}, "name")):
        body = assert_problem(make(api, **given), 422, "invalid-document")
        assert body["errors"][0]["field"] == field
    assert ApiToken.objects.count() == 1


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
    assert "50" in assert_problem(make(api, name="newest"), 422, "invalid-document")["detail"]


def test_wrong_credentials_do_not_say_which_part_is_wrong(ada: User, api: APIClient) -> None:
    for given in ({"username": "ada", "password": "wrong"}, {"username": "x", "password": PASSWORD}):
        body = assert_problem(api.post(TOKEN, given), 401, "invalid-credentials")
        assert body["detail"] == "User name or password is wrong"
    User.objects.update(is_active=False)
    assert_problem(make(api), 401, "invalid-credentials")


def test_an_expired_token_says_so_and_does_not_prevent_another(ada: User, api: APIClient) -> None:
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


def test_another_scheme_than_bearer_is_named(ada: User, api: APIClient) -> None:
    api.credentials(HTTP_AUTHORIZATION=f"Token {make(api).json()['token']}")
    response = api.get(ME)
    problem = assert_problem(response, 401, "not-authenticated")
    assert problem["detail"] == "The header Authorization is not Bearer, a space and a token."
    assert response["WWW-Authenticate"] == "Bearer"
    assert api.get("/api/v1/datasets/").status_code == 200, "a proxy may have users of its own"


def test_neither_a_forged_token_nor_one_of_a_closed_account_works(ada: User, api: APIClient) -> None:
    text = make(api).json()["token"]
    forged = text[:15] + ("0" * len(text[15:]))
    assert_problem(bearer(api, forged).get(ME), 401, "invalid-token")
    User.objects.update(is_active=False)
    remedy = assert_problem(bearer(api, text).get(ME), 401, "account-closed")["remedy"]
    assert "token" not in remedy, "a new one cannot be made"


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


@pytest.mark.parametrize("url", [SIGNUP, TOKEN, "/accounts/signup/", "/accounts/login/"])
def test_guessing_is_slowed_down(api: APIClient, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        AddressThrottle, "THROTTLE_RATES", {"signup": "2/hour", "login": "2/hour", "guess": "9/hour"}
    )
    client: Any = api if "api" in url else Client()
    guess = {"username": "x", "password": "y"}
    for _ in range(2):
        assert client.post(url, guess).status_code in (200, 401, 422)
    response = client.post(url, guess)
    if "api" in url:
        detail = assert_problem(response, 429, "throttled")["detail"]
        assert re.search(r"\b(60|5\d) min", detail)
    else:
        assert response.status_code == 429
        assert "Too many attempts" in response.content.decode()
    assert 3500 < int(response["Retry-After"]) <= 3600
    assert client.post(url, guess, REMOTE_ADDR="192.0.2.7").status_code in (200, 401, 422)


HOME, ELSEWHERE = "203.0.113.1", "203.0.113.2"
SPELLINGS = ("ada", " ada ", "\uff41da", "ada\u3000", "\u00a0\uff41\uff44\uff41")


@pytest.fixture
def _guesses(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"signup": "99/hour", "login": "99/hour", "guess": "5/hour", "reset": "99/hour", "mail": "9/hour"}
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", rates)


def log_in(url: str, address: str, password: str = PASSWORD, name: str = "ada") -> Any:
    client: Any = APIClient() if "api" in url else Client()
    return client.post(url, {"username": name, "password": password}, REMOTE_ADDR=address)


def guess(url: str) -> list[int]:
    """Statuses of guesses from many addresses, in each spelling that a form reads as the name."""
    return [log_in(url, f"192.0.2.{n}", "wrong", name).status_code for n, name in enumerate(SPELLINGS * 2)]


@pytest.mark.usefixtures("_guesses")
@pytest.mark.parametrize("url", [TOKEN, "/accounts/login/"])
def test_guesses_from_many_addresses_are_limited_and_lock_no_owner_out(ada: User, url: str) -> None:
    inside = Client()
    inside.force_login(ada)
    token = make_token(ada)[1]
    assert log_in(url, HOME).status_code in (201, 302)
    codes = guess(url)  # the first attempt from home has counted, too
    assert (codes[4:], 429 in codes[:4]) == ([429] * 6, False)
    # Neither the right password nor another name for the same account helps a stranger.
    answer = log_in(url, ELSEWHERE)
    assert answer.status_code == 429
    assert "set a new password by a link" in answer.content.decode()
    assert 3500 < int(answer["Retry-After"]) <= 3600
    # The owner gets in where they were before, and where they are; other accounts are not concerned.
    assert log_in(url, HOME).status_code in (201, 302)
    assert inside.get("/accounts/tokens/", REMOTE_ADDR=ELSEWHERE).status_code == 200
    given = {"password": PASSWORD, "email": ""}
    head = {"Authorization": f"Bearer {token}"}
    changed = APIClient().post("/api/v1/auth/email/", given, headers=head, REMOTE_ADDR=ELSEWHERE)
    assert changed.status_code == 204
    make_user("bob")
    assert log_in(url, ELSEWHERE, name="bob").status_code in (201, 302)


@pytest.mark.usefixtures("_guesses")
def test_who_sets_a_new_password_by_a_link_gets_in_during_guesses(ada: User) -> None:
    guess(TOKEN)
    assert log_in(TOKEN, HOME).status_code == 429
    client = Client(REMOTE_ADDR=HOME)
    uid = urlsafe_base64_encode(str(ada.pk).encode())
    form = client.get(f"/accounts/reset/{uid}/{default_token_generator.make_token(ada)}/", follow=True)
    new = {"new_password1": "another long password", "new_password2": "another long password"}
    assert client.post(form.redirect_chain[-1][0], new).status_code == 302
    assert log_in(TOKEN, HOME, "another long password").status_code == 201


@pytest.mark.usefixtures("_guesses")
def test_who_has_a_stolen_token_guesses_no_longer_than_a_stranger(ada: User) -> None:
    head = {"Authorization": f"Bearer {make_token(ada)[1]}"}
    given = {"password": "wrong", "email": ""}
    codes = [
        APIClient().post("/api/v1/auth/email/", given, headers=head, REMOTE_ADDR=f"192.0.2.{n}").status_code
        for n in range(7)
    ]
    assert codes == [422] * 5 + [429] * 2
    assert log_in(TOKEN, HOME).status_code == 201


def test_a_forwarded_address_needs_a_trusted_proxy(api: APIClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        AddressThrottle, "THROTTLE_RATES", {"signup": "1/hour", "login": "1/hour", "guess": "9/hour"}
    )
    assert api_settings.NUM_PROXIES == 0
    given = {"username": "x", "password": "y"}
    assert api.post(TOKEN, given, HTTP_X_FORWARDED_FOR="192.0.2.1").status_code == 401
    assert api.post(TOKEN, given, HTTP_X_FORWARDED_FOR="192.0.2.2").status_code == 429


@pytest.fixture
def inside(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def test_signing_up_logs_in_and_goes_where_one_came_from(client: Client) -> None:
    assert 'value="/submit/"' in client.get("/accounts/signup/?next=/submit/").content.decode()
    form = {"username": "grace", "password": PASSWORD, "next": "/accounts/tokens/?x=1"}
    response = client.post("/accounts/signup/", form)
    assert (response.status_code, response["Location"]) == (302, "/accounts/tokens/?x=1")
    assert "grace" in client.get("/accounts/tokens/").content.decode()


FOREIGN = r"https://evil.example/ //evil.example/ javascript:alert(1) ?q x.y %0d%0aX:1 \evil /\evil.example"


@pytest.mark.parametrize("target", [*FOREIGN.split(), "foo bar", "/a\r\nX: 1"])
def test_nobody_is_sent_to_a_foreign_site(client: Client, ada: User, target: str) -> None:
    signup = client.post("/accounts/signup/", {"username": "grace", "password": PASSWORD, "next": target})
    assert (signup.status_code, signup["Location"]) == (302, "/accounts/tokens/")
    login = Client().post("/accounts/login/", {"username": "ada", "password": PASSWORD, "next": target})
    assert login["Location"] == "/submissions/?mine=1"


def test_a_refused_name_has_the_rule_once(client: Client) -> None:
    shown = client.post("/accounts/signup/", {"username": "A b!", "password": PASSWORD}).content.decode()
    assert "This user name is not valid." in shown
    assert shown.count("lower-case letters, digits") == 1


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
    shown = refused.content.decode()
    assert "User name or password is wrong." in shown
    assert "Username" not in shown
    client.post("/accounts/login/", {"username": "ada", "password": PASSWORD})
    assert client.get("/accounts/tokens/").status_code == 200
    client.post("/accounts/logout/")
    assert client.get("/accounts/tokens/")["Location"] == "/accounts/login/?next=/accounts/tokens/"


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


def test_own_tokens_are_listed_with_their_state_and_can_be_revoked(inside: Client, ada: User) -> None:
    make_token(ada, "old", expiry=timedelta(days=1))
    make_token(make_user("eve"), "secret name")
    ApiToken.objects.update(expiry=timezone.now() - timedelta(days=1))
    token, text = make_token(ada, "laptop")
    page = inside.get("/accounts/tokens/").content.decode()
    assert page.count('data-state="expired"') == 1
    assert "secret name" not in page
    response = inside.post(f"/accounts/tokens/{token.public_id}/revoke/", follow=True)
    assert "was revoked" in response.content.decode()
    headers = {"Authorization": f"Bearer {text}"}
    assert Client().get("/api/v1/auth/me/", headers=headers).status_code == 401


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


LOCAL = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
LIMIT = 10
PERIOD_MILLISECONDS = 1000


@pytest.fixture
def _limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"login": f"{LIMIT}/hour"})


def use(address: str, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setenv("OPTARENA_BROKER_URL", address)
    settings.CACHES = {"default": shared_cache(), "local": LOCAL}
    caches["local"].clear()


def allowed(address: str = "192.0.2.1") -> bool:
    return not seconds_to_wait(LoginThrottle(), RequestFactory().get("/", REMOTE_ADDR=address))


@pytest.mark.usefixtures("_limit")
def test_attempts_at_once_all_count(broker: str, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    use(broker, monkeypatch, settings)
    caches["default"].clear()
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: allowed(), range(50)))
    assert sum(answers) == LIMIT
    assert allowed("192.0.2.2")


@pytest.mark.usefixtures("_limit")
def test_without_valkey_each_process_counts(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    use("redis+socket:///nowhere/valkey.sock?virtual_host=0", monkeypatch, settings)
    assert [allowed() for _ in range(LIMIT + 5)] == [True] * LIMIT + [False] * 5


@pytest.mark.usefixtures("_limit")
@pytest.mark.parametrize(
    ("addresses", "again", "other"),
    [
        ([f"2001:db8::{number:x}" for number in range(1, LIMIT + 2)], "2001:db8::1", "2001:db8:0:1::1"),
        (["::ffff:203.0.113.7"] * (LIMIT + 1), "203.0.113.7", "::ffff:203.0.113.8"),
    ],
)
def test_a_network_is_one_client(addresses: list[str], again: str, other: str) -> None:
    assert [allowed(one) for one in addresses] == [True] * LIMIT + [False]
    assert (allowed(again), allowed(other)) == (False, True)


class ExpiringCache(RedisCache):
    """The cache at its worst moment: a key expires when it is known to exist, before it is added to."""

    _cache: Any

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        client = self._cache.get_client(key, write=True)
        name = self.make_and_validate_key(key, version=version)
        if not client.exists(name):
            raise ValueError(key)
        if client.pttl(name) < PERIOD_MILLISECONDS:
            client.delete(name)
        return int(client.incr(name, delta))


@pytest.mark.usefixtures("_limit")
def test_a_count_that_expires_while_it_is_added_to_refuses_nobody_for_ever(
    broker: str, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """A key without an expiry, which is what such an addition leaves, outlives its period."""
    use(broker, monkeypatch, settings)
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"login": f"{LIMIT}/second"})
    backend = f"{__name__}.{ExpiringCache.__name__}"
    settings.CACHES = {**settings.CACHES, "default": {**settings.CACHES["default"], "BACKEND": backend}}
    caches["default"].clear()
    while allowed():
        pass
    deadline = time.monotonic() + 20
    while not allowed():
        assert time.monotonic() < deadline
        time.sleep(0.5)


@pytest.mark.parametrize(
    ("url", "location"),
    [
        ("", "redis://localhost:6379?db=1"),
        ("redis://valkey:6379/0", "redis://valkey:6379?db=1"),
        ("rediss://:word@valkey:6380/3", "rediss://:word@valkey:6380?db=1"),
        ("redis+socket:///run/valkey.sock?virtual_host=0", "unix:///run/valkey.sock?db=1"),
    ],
)
def test_the_cache_is_beside_the_broker(url: str, location: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPTARENA_CACHE_URL", raising=False)
    monkeypatch.setenv("OPTARENA_BROKER_URL", url)
    assert shared_cache()["LOCATION"] == location
