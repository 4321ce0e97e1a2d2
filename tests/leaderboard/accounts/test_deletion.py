"""A deleted account: its results stay without its name, and nobody takes the name over."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import connection, transaction
from django.test import Client
from rest_framework.test import APIClient

from leaderboard.accounts import services as account_services
from leaderboard.accounts.models import ApiToken, FormerName, Profile
from leaderboard.models import FormerVerdict, Submission, SubmissionEdit
from leaderboard.submissions.replay_again import repeat_item, retry
from leaderboard.submissions.services import edit
from optarena.errors import InvalidDocument
from runner.models import VerificationEvent
from tests.factories import PASSWORD, make_board, make_dataset, make_token, make_user
from tests.kit.boards import document, fail, standing, submit, verifications
from tests.kit.credit import entry
from tests.kit.pages import text

DELETE = "/api/v1/auth/delete/"


@pytest.fixture
def ada(db: None) -> User:
    """An account with everything that an account may have."""
    user = make_user("ada")
    user.email, user.first_name = "ada@example.org", "Ada"
    user.save()
    account_services.change_profile(
        user=user, values={"affiliation": "Analytical Engines", "about": "It is me"}
    )
    return user


@pytest.fixture
def found(ada: User) -> Submission:
    """An entry of ada's that leads a board."""
    make_dataset()
    make_board()
    about: dict[str, Any] = {"description": "by Ada", "url": "https://ada.example.org/"}
    made = entry(ada, **about)
    edit(submission_id=made.pk, actor=ada, values={"description": "by Ada herself"})
    return made


def delete(user: User) -> User:
    return account_services.delete_account(user=user, password=PASSWORD)


def test_results_stay_with_rank_and_credit_under_a_random_name(found: Submission, ada: User) -> None:
    name = delete(ada).username
    assert name.startswith("deleted-")
    assert standing(found).rank == 1
    api = APIClient()
    [row] = api.get("/api/v1/boards/test-ic/standings/").json()["results"]
    assert (row["owner"], row["rank"], row["own_items"]) == (name, 1, 3)
    items = api.get(f"/api/v1/submissions/{found.pk}/items/").json()["results"]
    assert {one["first_by"]["owner"] for one in items} == {name}


def test_nothing_public_has_the_name_or_what_its_owner_wrote(found: Submission, ada: User) -> None:
    FormerVerdict.objects.create(
        item=found.items.all()[0], verdict="failed", reason="infra:killed", reopened_by="ada"
    )
    name = delete(ada).username
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
            assert word not in page.replace("adapt", ""), (place, word)
    assert client.get("/users/ada/").status_code == 404
    assert "This account was deleted" in text(client.get(f"/users/{name}/"))
    assert not SubmissionEdit.objects.exists()
    assert not Profile.objects.exists()
    assert not User.objects.filter(email__startswith="ada").exists()


def test_sessions_and_tokens_end(ada: User) -> None:
    client, other, api = Client(), Client(), APIClient()
    for one in (client, other):
        one.force_login(ada)
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(ada)[1]}")
    assert client.post("/accounts/delete/", {"password": PASSWORD})["Location"] == "/"
    for one in (client, other):
        assert one.get("/accounts/tokens/").status_code == 302
    assert api.get("/api/v1/auth/me/").status_code == 401
    assert not ApiToken.objects.exists()
    for name in ("ada", User.objects.get().username):
        assert not Client().login(username=name, password=PASSWORD)


def test_a_request_that_is_late_writes_nothing_about_its_owner(found: Submission, ada: User) -> None:
    before = User.objects.get(pk=ada.pk)
    deleted = delete(ada)
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


def test_the_log_of_replays_has_no_name_of_whoever_asked_for_them(found: Submission, ada: User) -> None:
    lost = submit(make_user("bob"), document(((4,), (5,), (6,))))
    fail(verifications(lost)[0], "infra:killed", "The child was killed.")
    retry(submission_id=lost.pk, position=0, actor=ada)
    repeat_item(submission_id=found.pk, position=0, actor=ada)
    actors = set(VerificationEvent.objects.values_list("actor", flat=True))
    assert {f"retry by account {ada.pk}", f"repeat by account {ada.pk}"} <= actors
    assert not any("ada" in actor for actor in actors)
    before = User.objects.get(pk=ada.pk)
    name = delete(ada).username
    assert FormerVerdict.objects.get().reopened_by == name
    with pytest.raises(PermissionDenied):
        retry(submission_id=lost.pk, position=0, actor=before)


def test_nobody_gets_the_name_again_which_is_kept_as_a_hash(ada: User) -> None:
    delete(ada)
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


def test_a_deletion_needs_the_password_and_no_rights(ada: User) -> None:
    api, client = APIClient(), Client()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(ada)[1]}")
    client.force_login(ada)
    for given in ({"password": "wrong"}, {}):
        answer = api.post(DELETE, given, format="json")
        assert answer.status_code == 422
        assert [one["field"] for one in answer.json()["errors"]] == ["password"]
        assert client.post("/accounts/delete/", given).status_code == 422
    ada.refresh_from_db()
    assert ada.is_active
    ada.is_staff = True
    ada.save()
    answer = api.post(DELETE, {"password": PASSWORD}, format="json")
    assert answer.status_code == 422
    assert "rights" in answer.json()["errors"][0]["remedy"]


@pytest.mark.django_db(transaction=True)
def test_a_sign_up_that_waits_for_the_deletion_does_not_get_the_name() -> None:
    ada, outcome = make_user("ada"), []

    def sign_up() -> None:
        try:
            outcome.append(account_services.sign_up(username="ada", password=PASSWORD).username)
        except InvalidDocument as error:
            outcome.append(error.problems[0].message)
        finally:
            connection.close()

    with transaction.atomic():
        delete(User.objects.get(pk=ada.pk))
        waiting = threading.Thread(target=sign_up)
        waiting.start()
        waiting.join(1)
    waiting.join(10)
    assert outcome == ["This user name is taken."]
