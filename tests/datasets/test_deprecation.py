"""Deprecated versions: hidden from lists, reachable by name, with the reason and what to take instead."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from datasets.loading import load_dataset
from datasets.models import DatasetVersion
from datasets.services import statistics_of
from optarena.errors import InvalidDocument

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

LIST = "/api/v1/datasets/"


@pytest.fixture
def deprecated(folder: Any, version: DatasetVersion) -> DatasetVersion:
    """The tiny dataset, of which there is a better version."""
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v0", "tiny-v1"))
    load_dataset(manifest_dir=folder.write())
    call_command("deprecate_dataset", "tiny-v0", reason="Its <b>outputs</b> were wrong.", successor="tiny-v1")
    version.refresh_from_db()
    return version


def test_lists_show_it_only_where_it_is_asked_for(client: Client, deprecated: DatasetVersion) -> None:
    def names(query: str) -> list[str]:
        return [row["name"] for row in client.get(f"{LIST}{query}").json()["results"]]

    assert names("") == names("?deprecated=false") == ["tiny-v1"]
    assert names("?deprecated=true") == ["tiny-v0", "tiny-v1"]
    rows = client.get(f"{LIST}?deprecated=true").json()["results"]
    assert [row["deprecated"] for row in rows] == ["Its <b>outputs</b> were wrong. Use tiny-v1 instead.", ""]


def test_a_value_that_is_neither_is_a_problem(client: Client) -> None:
    response = client.get(LIST, {"deprecated": "perhaps"})
    assert (response.status_code, response.json()["type"]) == (422, "/problems/#invalid-document")
    assert response.json()["errors"][0]["field"] == "deprecated"


def test_it_is_still_there_by_name(client: Client, deprecated: DatasetVersion) -> None:
    body = client.get(f"{LIST}tiny-v0/").json()
    assert (body["successor"], body["deprecated"][:3]) == ("tiny-v1", "Its")
    assert client.get(f"{LIST}tiny-v0/benchmarks/").json()["results"]


def test_pages_say_why_and_lead_to_the_successor(client: Client, deprecated: DatasetVersion) -> None:
    listed = client.get("/datasets/").content.decode()
    assert "/datasets/tiny-v0/" not in listed
    assert "Show 1 deprecated dataset" in listed
    assert "/datasets/tiny-v0/" in client.get("/datasets/?deprecated=true").content.decode()
    for url in ("/datasets/tiny-v0/", "/datasets/tiny-v0/beta/"):
        text = client.get(url).content.decode()
        assert "Its &lt;b&gt;outputs&lt;/b&gt; were wrong." in text
        assert 'href="/datasets/tiny-v1/"' in text


def test_it_can_be_undone(
    client: Client, deprecated: DatasetVersion, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("deprecate_dataset", "tiny-v0", undo=True)
    assert "tiny-v0: not deprecated" in capsys.readouterr().out
    assert len(client.get(LIST).json()["results"]) == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"reason": " "}, "reason: The value is missing"),
        ({"reason": "Old.", "successor": "tiny-v0"}, "its own successor"),
        ({"reason": "Old.", "successor": "tiny-v9"}, "tiny-v9.*tiny-v0"),
        ({"reason": "Old.", "undo": True}, "--undo"),
    ],
)
def test_what_makes_no_sense_is_refused(version: DatasetVersion, options: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("deprecate_dataset", "tiny-v0", **options)
    version.refresh_from_db()
    assert not version.deprecated


def test_an_unknown_dataset_is_named(version: DatasetVersion) -> None:
    with pytest.raises(CommandError, match=r"tiny-v7.*tiny-v0"):
        call_command("deprecate_dataset", "tiny-v7", reason="Old.")


def test_a_file_beside_the_manifest_says_it_too(folder: Any, version: DatasetVersion) -> None:
    told = {"reason": "Old.", "successor": "tiny-v1"}
    (folder.path / "deprecated.json").write_text(json.dumps(told))
    assert load_dataset(manifest_dir=folder.path).deprecation == "Old. Use tiny-v1 instead."


def test_loading_without_that_file_keeps_what_the_operator_said(
    folder: Any, deprecated: DatasetVersion
) -> None:
    folder.manifest = json.loads(json.dumps(folder.manifest).replace("tiny-v1", "tiny-v0"))
    assert load_dataset(manifest_dir=folder.write()).successor == "tiny-v1"


@pytest.mark.django_db(transaction=True)
def test_one_made_while_the_dataset_is_loaded_again_stays(
    folder: Any, version: DatasetVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deprecate() -> None:
        try:
            call_command("deprecate_dataset", "tiny-v0", reason="It is wrong.")
        finally:
            connection.close()

    operator = threading.Thread(target=deprecate)

    def meanwhile(manifest: Any) -> Any:
        operator.start()
        operator.join(1)  # until then it has either ended, or waits for the load
        return statistics_of(manifest)

    monkeypatch.setattr("datasets.loading.statistics_of", meanwhile)
    load_dataset(manifest_dir=folder.path)
    operator.join()
    version.refresh_from_db()
    assert version.deprecated == "It is wrong."


def _say(folder: Any, reason: str) -> str:
    """Load the dataset with a file that says so; returns what the server says then."""
    (folder.path / "deprecated.json").write_text(json.dumps({"reason": reason}))
    return load_dataset(manifest_dir=folder.path).deprecation


def test_what_an_operator_decided_stays_when_the_dataset_is_loaded_again(
    folder: Any, version: DatasetVersion
) -> None:
    assert _say(folder, "Old.") == "Old."
    call_command("deprecate_dataset", "tiny-v0", undo=True)
    assert (_say(folder, "Old."), _say(folder, "Very old.")) == ("", "")
    call_command("deprecate_dataset", "tiny-v0", reason="My own reason.")
    assert (_say(folder, "Very old."), _say(folder, "Wrong.")) == ("My own reason.", "My own reason.")


def test_what_the_authors_say_counts_where_no_operator_decided(folder: Any, version: DatasetVersion) -> None:
    assert (_say(folder, "Old."), _say(folder, "Very old.")) == ("Old.", "Very old.")


def test_an_undone_decision_of_an_operator_leaves_it_to_the_authors(
    folder: Any, version: DatasetVersion
) -> None:
    call_command("deprecate_dataset", "tiny-v0", reason="My own reason.")
    call_command("deprecate_dataset", "tiny-v0", undo=True)
    assert _say(folder, "Old.") == "Old."


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"reason": 5}', '{"reason": "Old.", "successor": 5}'])
def test_a_file_that_says_nothing_is_refused(folder: Any, content: str) -> None:
    (folder.path / "deprecated.json").write_text(content)
    with pytest.raises(InvalidDocument):
        load_dataset(manifest_dir=folder.path)
    assert not DatasetVersion.objects.exists()


@pytest.mark.parametrize("successor", ["a/b", "x" * 150, "a\0-v1", "a b?c", "\ud800", "tiny-v0", "tiny-v01"])
def test_a_successor_that_is_no_other_dataset_is_refused(
    folder: Any, version: DatasetVersion, successor: str
) -> None:
    (folder.path / "deprecated.json").write_text(json.dumps({"reason": "Old.", "successor": successor}))
    with pytest.raises(InvalidDocument, match=r"deprecated\.json\.successor"):
        load_dataset(manifest_dir=folder.path)
    with pytest.raises(CommandError, match=r"successor|succeed"):
        call_command("deprecate_dataset", "tiny-v0", reason="Old.", successor=successor)
    version.refresh_from_db()
    assert not version.deprecated


@pytest.mark.parametrize("reason", ["a\0", "\ud800", " "])
def test_a_reason_that_is_no_text_is_refused(folder: Any, version: DatasetVersion, reason: str) -> None:
    (folder.path / "deprecated.json").write_text(json.dumps({"reason": reason}))
    with pytest.raises(InvalidDocument, match=r"deprecated\.json\.reason"):
        load_dataset(manifest_dir=folder.path)
    with pytest.raises(CommandError, match="reason"):
        call_command("deprecate_dataset", "tiny-v0", reason=reason)


def test_a_successor_that_is_not_loaded_is_named_without_a_link(client: Client, folder: Any) -> None:
    told = {"reason": "Old.", "successor": "tiny-v9"}
    (folder.path / "deprecated.json").write_text(json.dumps(told))
    load_dataset(manifest_dir=folder.path)
    for url in ("/datasets/tiny-v0/", "/datasets/tiny-v0/beta/"):
        text = client.get(url).content.decode()
        assert "Use tiny-v9 instead." in text
        assert "/datasets/tiny-v9/" not in text


def test_a_file_that_cannot_be_read_is_a_problem(folder: Any, db: None) -> None:
    (folder.path / "deprecated.json").mkdir()
    with pytest.raises(InvalidDocument, match="or remove it"):
        load_dataset(manifest_dir=folder.path)
