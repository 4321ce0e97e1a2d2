"""What owners say about their entries can be changed, and everybody can read what it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from leaderboard.models import SubmissionEdit
from optarena import limits
from tests.factories import make_token
from tests.kit.boards import document, submit
from tests.kit.pages import text

if TYPE_CHECKING:
    from leaderboard.models import Submission
    from tests.kit.boards import World

FORM = {"description": "new *words*", "url": "https://example.org/new", "compilations": "70"}


@pytest.fixture
def entry(world: World) -> Submission:
    """An entry of ada."""
    about = {"description": "old words", "url": "https://example.org/old"}
    return submit(world.user, document() | about | {"effort": {"compilations": 50, "walltime_seconds": 3}})


def edits_of(entry: Submission) -> str:
    return f"/api/v1/submissions/{entry.pk}/edits/"


def post(api: APIClient, entry: Submission, body: object) -> Any:
    return api.post(f"/api/v1/submissions/{entry.pk}/edit/", body, format="json")


def test_what_is_given_changes_and_the_rest_stays(api: APIClient, entry: Submission) -> None:
    for _ in range(2):  # the same again is not an edit
        answer = post(api, entry, {"description": "new words"})
    assert (answer.status_code, answer.json()["description"]) == (200, "new words")
    assert answer.json()["submitted_url"] == "https://example.org/old"
    assert answer.json()["effort"]["compilations"] == 50
    assert SubmissionEdit.objects.count() == 1
    body = post(api, entry, {"description": "", "url": ""}).json()
    assert (body["description"], body["submitted_url"]) == ("", "")


def test_everybody_reads_the_history_newest_first(api: APIClient, entry: Submission) -> None:
    post(api, entry, {"description": "second"})
    post(api, entry, {"description": "third", "effort": {"trained_on_test_set": True}})
    newest, oldest = APIClient().get(edits_of(entry)).json()["results"]
    assert oldest["changes"] == [{"field": "description", "before": "old words", "after": "second"}]
    assert {one["field"]: (one["before"], one["after"]) for one in newest["changes"]} == {
        "description": ("second", "third"),
        "compilations": (50, None),
        "walltime_seconds": (3, None),
        "trained_on_test_set": (False, True),
    }


def test_a_bad_value_of_an_edit_is_named_and_nothing_changes(api: APIClient, entry: Submission) -> None:
    for body, field, value in (
        ({"description": "x" * (limits.DESCRIPTION_LENGTH + 1)}, "description", "x"),
        ({"description": "a\u202eb"}, "description", "a"),
        ({"url": "javascript:alert(1)"}, "url", "javascript:alert(1)"),
        ({"effort": {"compilations": -1}}, "effort.compilations", "-1"),
        ({"effort": {"walltime_seconds": "long"}}, "effort.walltime_seconds", "long"),
        ({"agent": "another"}, "agent", ""),
        ([], "document", "[]"),
    ):
        answer = post(api, entry, body)
        [problem] = answer.json()["errors"]
        assert (answer.status_code, problem["field"], bool(problem["remedy"])) == (422, field, True)
        assert value in problem["value"]
    assert not SubmissionEdit.objects.exists()


def test_nobody_edits_the_entry_of_another(world: World, entry: Submission) -> None:
    other = APIClient()
    other.credentials(HTTP_AUTHORIZATION=f"Bearer {make_token(world.other)[1]}")
    assert post(other, entry, {"description": "mine"}).status_code == 403
    browser = Client()
    browser.force_login(world.other)
    assert browser.post(f"/submissions/{entry.pk}/edit/", FORM).status_code == 403
    entry.refresh_from_db()
    assert entry.description == "old words"


def test_an_entry_is_edited_so_many_times_only(
    api: APIClient, entry: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_EDITS", 2)
    statuses = [post(api, entry, {"description": f"words {number}"}).status_code for number in range(3)]
    assert statuses == [200, 200, 409]
    entry.refresh_from_db()
    assert entry.description == "words 1"


def test_the_form_shows_what_is_there_and_changes_it(
    client: Client, pages: Client, entry: Submission
) -> None:
    page = text(pages.get(f"/submissions/{entry.pk}/edit/"))
    assert "old words" in page
    assert 'value="50"' in page
    answer = pages.post(f"/submissions/{entry.pk}/edit/", FORM | {"url": "ftp://example.org"})
    assert answer.status_code == 422
    assert "web address" in answer.content.decode()
    assert "new *words*" in answer.content.decode()
    assert pages.post(f"/submissions/{entry.pk}/edit/", FORM).status_code == 302
    page = text(pages.get(entry.get_absolute_url()))
    assert "new <em>words</em>" in page
    assert ">old words</del>" in page
    assert "70" in page
    entry.refresh_from_db()
    assert entry.walltime_seconds is None
    assert f"/submissions/{entry.pk}/edit/" in page
    assert f"/submissions/{entry.pk}/edit/" not in text(client.get(entry.get_absolute_url()))


def test_a_form_sent_back_unchanged_changes_nothing(pages: Client, world: World) -> None:
    made = submit(world.user, document(description="one\ntwo"))
    pages.post(f"/submissions/{made.pk}/edit/", {"description": "one\r\ntwo"})
    assert not SubmissionEdit.objects.exists()
