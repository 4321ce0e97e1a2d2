"""Changing and resetting a password, the address for it, and deleting an account."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from leaderboard.accounts import services as account_services
from leaderboard.accounts.models import ApiToken, FormerName, Profile
from leaderboard.accounts.pages import MOST_WAITING, send_later
from leaderboard.accounts.throttles import AddressThrottle
from leaderboard.models import FormerVerdict, Submission, SubmissionEdit
from leaderboard.submissions.replay_again import repeat_item, retry
from leaderboard.submissions.services import edit
from optarena.errors import InvalidDocument
from runner.models import VerificationEvent
from tests.factories import PASSWORD, make_board, make_dataset, make_token, make_user
from tests.kit.boards import document, fail, standing, submit, verifications
from tests.kit.credit import entry
from tests.kit.folders import ROOT
from tests.kit.pages import text

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db


NEW = "another long password"
ADDRESS = "ada@example.org"
SENT_SECONDS = 60


@pytest.fixture
def ada(db: None) -> User:
    user = make_user("ada")
    user.email = ADDRESS
    user.save()
    return user


@pytest.fixture
def inside(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def api(ada: User) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(ada)[1]}")
    return client


def is_inside(client: Client) -> bool:
    return client.get("/accounts/tokens/").status_code == 200


def sent(number: int = 1) -> list[Any]:
    """The messages, as soon as there are so many: they are sent beside the requests."""
    end = time.monotonic() + SENT_SECONDS
    while len(mail.outbox) < number:
        assert time.monotonic() < end, "Nothing was sent."
        time.sleep(0.01)
    return mail.outbox


def link(message: Any) -> str:
    found = re.search(r"https?://[^/\s]+(/\S+)", message.body)
    assert found is not None
    return found[1]


def ask(who: str, client: Client | None = None) -> Any:
    return (client or Client()).post("/accounts/reset/", {"email": who})


def test_a_new_password_ends_other_sessions_and_not_this_one(inside: Client, ada: User) -> None:
    other = Client()
    other.force_login(ada)
    make_token(ada)
    answer = inside.post("/accounts/password/", {"password": PASSWORD, "new_password": NEW})
    assert answer.status_code == 302
    assert is_inside(inside)
    assert not is_inside(other)
    assert Client().login(username="ada", password=NEW)
    assert ApiToken.objects.filter(user=ada).exists()


def test_tokens_end_with_the_password_where_that_is_asked_for(api: APIClient, ada: User) -> None:
    given = {"password": PASSWORD, "new_password": NEW, "revoke_tokens": True}
    assert api.post("/api/v1/auth/password/", given, format="json").status_code == 204
    assert api.get("/api/v1/auth/me/").status_code == 401


@pytest.mark.parametrize("what", ["a new password", "a deletion"])
def test_a_token_is_not_made_with_a_password_that_has_ended_meanwhile(
    ada: User, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checking a password takes long by design, and another request may end it at that moment."""

    def authenticate_slowly(**given: Any) -> Any:
        user = authenticate(**given)
        owner = User.objects.get(pk=ada.pk)
        if what == "a deletion":
            account_services.delete_account(user=owner, password=PASSWORD)
        else:
            account_services.change_password(
                user=owner, password=PASSWORD, new_password=NEW, revoke_tokens=True
            )
        return user

    monkeypatch.setattr("leaderboard.accounts.api.authenticate", authenticate_slowly)
    answer = APIClient().post("/api/v1/auth/token/", {"username": "ada", "password": PASSWORD}, format="json")
    assert (answer.status_code, answer.json()["type"].rsplit("#")[-1]) == (403, "permission-denied")
    assert not ApiToken.objects.filter(user=ada).exists()


def test_a_deleted_account_gets_no_password(ada: User) -> None:
    account_services.delete_account(user=ada, password=PASSWORD)
    with pytest.raises(PermissionDenied):
        account_services.set_password(user=ada, password=NEW)
    assert not User.objects.get(pk=ada.pk).has_usable_password()


def test_a_refused_change_names_field_and_no_password(api: APIClient, inside: Client, ada: User) -> None:
    url = "/api/v1/auth/password/"
    for given, field in (
        ({"password": "wrong", "new_password": NEW}, "password"),
        ({"password": PASSWORD, "new_password": "123"}, "new_password"),
        ({"password": PASSWORD}, "new_password"),
    ):
        answer = api.post(url, given, format="json")
        assert answer.status_code == 422
        assert {one["field"] for one in answer.json()["errors"]} == {field}
        assert inside.post("/accounts/password/", given).status_code == 422
    listed = api.post(url, {"password": PASSWORD, "new_password": ["another secret"]}, format="json")
    assert listed.status_code == 422
    assert "another secret" not in listed.content.decode()
    assert Client().login(username="ada", password=PASSWORD)


@pytest.mark.parametrize("page", ["password", "email", "delete"])
def test_guessing_is_slowed_down_everywhere(
    inside: Client, page: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", {"login": "3/min", "guess": "9/min"})
    statuses = [inside.post(f"/accounts/{page}/", {"password": "wrong"}).status_code for _ in range(4)]
    assert statuses == [422, 422, 422, 429]


def test_an_address_needs_the_password_and_can_be_removed(inside: Client, api: APIClient, ada: User) -> None:
    url = "/api/v1/auth/email/"
    assert api.post(url, {"password": "wrong", "email": "x@example.org"}, format="json").status_code == 422
    for wrong in ("nobody", "a@b", '"a\x0bb"@example.org', f"{'a' * 250}@example.org"):
        answer = api.post(url, {"password": PASSWORD, "email": wrong}, format="json")
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"]) == (422, "email")
    ada.refresh_from_db()
    assert ada.email == ADDRESS
    assert inside.post("/accounts/email/", {"password": PASSWORD, "email": ""}).status_code == 302
    ada.refresh_from_db()
    assert ada.email == ""


def test_nobody_else_reads_the_address(client: Client, ada: User) -> None:
    for place in ("/users/ada/", "/api/v1/users/ada/"):
        assert ADDRESS not in text(client.get(place)), place


@pytest.mark.parametrize("who", ["ada", ADDRESS, ADDRESS.upper()])
def test_a_link_by_mail_sets_a_new_password_once(ada: User, who: str) -> None:
    make_token(ada)
    assert ask(who).status_code == 302
    [message] = sent()
    assert message.to == [ADDRESS]
    client = Client()
    form = client.get(link(message), follow=True)
    assert "New password" in text(form)
    place = form.redirect_chain[-1][0]
    new = {"new_password1": NEW, "new_password2": NEW, "revoke_tokens": "on"}
    assert client.post(place, new)["Location"] == "/accounts/login/"
    assert Client().login(username="ada", password=NEW)
    assert not ApiToken.objects.filter(user=ada).exists()
    assert "used before" in text(Client().get(link(message)))


def test_the_answer_does_not_tell_whether_there_is_such_an_account(ada: User) -> None:
    make_user("bob")  # without an address
    answers = [ask(who) for who in ("ada", "bob", "nobody", "nobody@example.org")]
    assert len({(one.status_code, one["Location"]) for one in answers}) == 1
    pages = [text(Client().get("/accounts/reset/", headers={"Cookie": _cookies(one)})) for one in answers]
    assert all("a message with a link is on its way" in one for one in pages)
    assert len(sent()) == 1


def _cookies(answer: Any) -> str:
    return "; ".join(f"{name}={cookie.value}" for name, cookie in answer.cookies.items())


def test_a_closed_account_gets_no_link(ada: User) -> None:
    ada.is_active = False
    ada.save()
    other = make_user("bob")
    other.email = "bob@example.org"
    other.save()
    ask("ada")
    ask("bob")  # messages are sent in their order
    assert [one.to for one in sent()] == [["bob@example.org"]]


def test_links_are_limited_by_address_and_by_account(ada: User, monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {"reset": "4/hour", "mail": "2/hour"}
    monkeypatch.setattr(AddressThrottle, "THROTTLE_RATES", rates)
    assert [ask("ada").status_code for _ in range(5)] == [302, 302, 302, 302, 429]
    assert len(sent(2)) == 2


def test_a_link_to_another_host_is_not_sent(ada: User) -> None:
    answer = Client().post("/accounts/reset/", {"email": "ada"}, headers={"Host": "evil.example"})
    assert answer.status_code == 400
    assert not mail.outbox


@pytest.mark.parametrize(
    ("public", "expected"),
    [
        ("", "http://localhost:8000/"),
        ("https://arena.example", "https://arena.example/"),
        ("http://10.8.0.1:8080", "http://10.8.0.1:8080/"),
    ],
)
def test_the_link_leads_to_the_public_address_whatever_the_request_calls_the_server(
    ada: User, settings: Settings, public: str, expected: str
) -> None:
    settings.OPTARENA_PUBLIC_URL = public
    for host in ("testserver:6666", "localhost:31337"):
        Client().post("/accounts/reset/", {"email": "ada"}, headers={"Host": host})
    for message in sent(2):
        assert re.findall(r"https?://[^/\s]+/", message.body) == [expected]
        assert not re.search("testserver|6666|31337", message.body + message.subject)


def test_a_bad_link_says_so_and_sets_nothing(ada: User) -> None:
    page = Client().get("/accounts/reset/MQ/not-a-token/")
    assert "used before" in text(page)
    Client().post("/accounts/reset/MQ/not-a-token/", {"new_password1": NEW, "new_password2": NEW})
    assert not Client().login(username="ada", password=NEW)


def test_the_log_has_no_link_by_which_a_password_is_set(ada: User, caplog: pytest.LogCaptureFixture) -> None:
    ask("ada")
    address = link(sent()[0])
    token = address.rstrip("/").rpartition("/")[2]
    Client().get(address)
    assert "/accounts/reset/" in caplog.text
    assert "***" in caplog.text
    assert token not in caplog.text


def test_forms_of_an_account_need_their_csrf_token(ada: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    given = {"username": "ada", "password": PASSWORD, "new_password": NEW}
    for page in ("settings", "email", "password", "delete", "login"):
        answer = client.post(f"/accounts/{page}/", given)
        assert answer.status_code == 403, page
        assert "security token is missing or wrong" in answer.content.decode(), page


def test_a_message_that_cannot_be_sent_disturbs_nobody(ada: User, settings: Settings) -> None:
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert ask("ada").status_code == 302
    done = threading.Event()
    send_later(done.set)  # messages are sent one after the other
    assert done.wait(SENT_SECONDS)
    settings.EMAIL_BACKEND = working
    ask("ada")
    assert len(sent()) == 1


def test_what_is_wrong_with_a_message_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def fails() -> None:
        raise ValueError("no such template")

    done = threading.Event()
    send_later(fails)
    send_later(done.set)
    assert done.wait(SENT_SECONDS)
    assert "no such template" in caplog.text


def test_messages_that_wait_are_limited(ada: User) -> None:
    blocked, ended = threading.Event(), threading.Event()
    calls: list[int] = []
    send_later(partial(blocked.wait, SENT_SECONDS))
    for number in range(3 * MOST_WAITING):
        send_later(partial(calls.append, number))
    blocked.set()
    while not ended.is_set():
        send_later(ended.set)
        ended.wait(0.05)
    assert calls == list(range(MOST_WAITING - 1))


@pytest.mark.soak
def test_a_mail_server_that_hangs_does_not_delay_the_end_and_another_gets_what_waits() -> None:
    code = """
import sys, time
import django
django.setup()
from leaderboard.accounts.pages import send_later
send_later(lambda: time.sleep(float(sys.argv[1])))
send_later(lambda: print("sent"))
"""
    piped: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    hanging, answering = (
        subprocess.Popen([sys.executable, "-c", code, seconds], cwd=ROOT, **piped)
        for seconds in ("600", "0.2")
    )
    for process, is_sent in ((hanging, False), (answering, True)):
        said, _ = process.communicate(timeout=120)
        assert process.returncode == 0, said
        assert ("sent\n" in said, "not sent before the end" in said) == (is_sent, not is_sent)


@pytest.mark.parametrize("is_active", [True, False])
def test_others_with_an_address_keep_no_message_from_its_owner(ada: User, *, is_active: bool) -> None:
    for number in range(6):
        other = make_user(f"other{number}")
        other.email, other.last_login, other.is_active = ADDRESS, timezone.now(), is_active
        other.save()
    if not is_active:
        User.objects.exclude(pk=ada.pk).update(id=F("id") - 100_000)  # they are older
    ask(ADDRESS)
    assert any("ada" in one.body for one in sent(5 if is_active else 1))


def test_a_reset_refuses_passwords_that_differ_or_that_other_forms_could_not_take(ada: User) -> None:
    ask("ada")
    client = Client()
    place = client.get(link(sent()[0]), follow=True).redirect_chain[-1][0]
    long = "a long password " * 100
    for given, said in (((NEW, "something else long"), ""), ((long, long), "at most 1024 characters")):
        page = client.post(place, {"new_password1": given[0], "new_password2": given[1]})
        assert page.status_code == 422
        assert said in page.content.decode()
    assert Client().login(username="ada", password=PASSWORD)


DELETE = "/api/v1/auth/delete/"


@pytest.fixture
def somebody(db: None) -> User:
    user = make_user("ada")
    user.email, user.first_name = "ada@example.org", "Ada"
    user.save()
    account_services.change_profile(
        user=user, values={"affiliation": "Analytical Engines", "about": "It is me"}
    )
    return user


@pytest.fixture
def found(somebody: User) -> Submission:
    make_dataset()
    make_board()
    about: dict[str, Any] = {"description": "by Ada", "url": "https://ada.example.org/"}
    made = entry(somebody, **about)
    edit(submission_id=made.pk, actor=somebody, values={"description": "by Ada herself"})
    return made


def delete(user: User) -> User:
    return account_services.delete_account(user=user, password=PASSWORD)


def test_results_stay_with_rank_and_credit_under_a_random_name(found: Submission, somebody: User) -> None:
    name = delete(somebody).username
    assert name.startswith("deleted-")
    assert standing(found).rank == 1
    api = APIClient()
    [row] = api.get("/api/v1/boards/test-ic/standings/").json()["results"]
    assert (row["owner"], row["rank"], row["own_items"]) == (name, 1, 3)
    items = api.get(f"/api/v1/submissions/{found.pk}/items/").json()["results"]
    assert {one["first_by"]["owner"] for one in items} == {name}


def test_nothing_public_has_the_name_or_what_its_owner_wrote(found: Submission, somebody: User) -> None:
    FormerVerdict.objects.create(
        item=found.items.all()[0], verdict="failed", reason="infra:killed", reopened_by="ada"
    )
    name = delete(somebody).username
    client = Client()
    for place in (
        *("/", "/boards/test-ic/", "/submissions/", "/records/", found.get_absolute_url()),
        *(f"/users/{name}/", f"/users/{name}/agent/?name=agent", f"/submissions/{found.pk}/items/0/"),
        *(f"/api/v1/users/{name}/", f"/api/v1/submissions/{found.pk}/edits/"),
        *(f"/api/v1/submissions/{found.pk}/", f"/api/v1/submissions/{found.pk}/items/0/"),
    ):
        # Ids and hashes may have any letters.
        page = re.sub("[0-9a-f-]{32,}", "", text(client.get(place)))
        for word in ("ada", "Ada", "Analytical"):
            assert not re.search(rf"\b{word}\b", page), (place, word)
    assert client.get("/users/ada/").status_code == 404
    assert "This account was deleted" in text(client.get(f"/users/{name}/"))
    assert not SubmissionEdit.objects.exists()
    assert not Profile.objects.exists()
    assert not User.objects.filter(email__startswith="ada").exists()


def test_sessions_and_tokens_end(somebody: User) -> None:
    client, other, api = Client(), Client(), APIClient()
    for one in (client, other):
        one.force_login(somebody)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(somebody)[1]}")
    assert client.post("/accounts/delete/", {"password": PASSWORD})["Location"] == "/"
    for one in (client, other):
        assert one.get("/accounts/tokens/").status_code == 302
    assert api.get("/api/v1/auth/me/").status_code == 401
    assert not ApiToken.objects.exists()
    for name in ("ada", User.objects.get().username):
        assert not Client().login(username=name, password=PASSWORD)


def test_a_request_that_is_late_writes_nothing_about_its_owner(found: Submission, somebody: User) -> None:
    before = User.objects.get(pk=somebody.pk)
    deleted = delete(somebody)
    with pytest.raises(PermissionDenied):
        account_services.change_email(user=before, password=PASSWORD, email="ada@example.org")
    with pytest.raises(PermissionDenied):
        account_services.change_profile(user=before, values={"about": "It is me"})
    with pytest.raises(PermissionDenied):
        edit(submission_id=found.pk, actor=before, values={"description": "by Ada"})
    with pytest.raises(PermissionDenied):
        submit(before, document(((4,), (5,), (6,)), description="by Ada"))
    deleted.refresh_from_db()
    assert Submission.objects.get() == found
    assert not deleted.email
    assert not Profile.objects.exists()
    assert not SubmissionEdit.objects.exists()


def test_the_log_of_replays_has_no_name_of_whoever_asked_for_them(found: Submission, somebody: User) -> None:
    lost = submit(make_user("bob"), document(((4,), (5,), (6,))))
    fail(verifications(lost)[0], "infra:killed", "The child was killed.")
    retry(submission_id=lost.pk, position=0, actor=somebody)
    repeat_item(submission_id=found.pk, position=0, actor=somebody)
    actors = set(VerificationEvent.objects.values_list("actor", flat=True))
    assert {f"retry by account {somebody.pk}", f"repeat by account {somebody.pk}"} <= actors
    assert not any("ada" in actor for actor in actors)
    before = User.objects.get(pk=somebody.pk)
    name = delete(somebody).username
    assert FormerVerdict.objects.get().reopened_by == name
    with pytest.raises(PermissionDenied):
        retry(submission_id=lost.pk, position=0, actor=before)


def test_nobody_gets_the_name_again_which_is_kept_as_a_hash(somebody: User) -> None:
    delete(somebody)
    for name in ("ada", "deleted-0123456789ab"):
        answer = APIClient().post(
            "/api/v1/auth/signup/", {"username": name, "password": PASSWORD}, format="json"
        )
        assert answer.status_code == 422
        [problem] = answer.json()["errors"]
        assert (problem["field"], problem["message"]) == ("username", "This user name is taken.")
    [kept] = FormerName.objects.values()
    assert list(kept) == ["name_sha256"]
    assert "ada" not in kept["name_sha256"]


def test_a_deletion_needs_the_password_and_no_rights(somebody: User) -> None:
    api, client = APIClient(), Client()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(somebody)[1]}")
    client.force_login(somebody)
    for given in ({"password": "wrong"}, {}):
        answer = api.post(DELETE, given, format="json")
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["errors"]] == ["password"]
        assert client.post("/accounts/delete/", given).status_code == 422
    somebody.refresh_from_db()
    assert somebody.is_active
    somebody.is_staff = True
    somebody.save()
    answer = api.post(DELETE, {"password": PASSWORD}, format="json")
    assert answer.status_code == 422
    assert "rights" in answer.json()["errors"][0]["remedy"]


@pytest.mark.django_db(transaction=True)
def test_a_sign_up_that_waits_for_the_deletion_does_not_get_the_name() -> None:
    somebody, outcome = make_user("ada"), []

    def sign_up() -> None:
        try:
            outcome.append(account_services.sign_up(username="ada", password=PASSWORD).username)
        except InvalidDocument as error:
            outcome.append(error.problems[0].message)
        finally:
            connection.close()

    with transaction.atomic():
        delete(User.objects.get(pk=somebody.pk))
        waiting = threading.Thread(target=sign_up)
        waiting.start()
        waiting.join(1)
    waiting.join(60)
    assert outcome == ["This user name is taken."]
