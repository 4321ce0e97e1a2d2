"""Releases of step data: what everybody may read, once, on the page, by the API and by ``load``."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

import optarena.data
from leaderboard.data import services as data_services
from leaderboard.data.queries import list_releases
from leaderboard.models import ReleasedSequence, SubmissionItem
from leaderboard.submissions.replay_again import replay_again
from leaderboard.submissions.services import withdraw
from optarena.data.releases import BUILTIN, METADATA, releases_in
from optarena.data.tables import read_releases
from optarena.errors import InvalidInput, UnknownName
from optarena.file_locks import lock
from runner.queue import requests
from runner.queue.sweeping import prune_traces
from tests.kit.boards import World, document, fail, record, record_all, submit, verifications

if TYPE_CHECKING:
    from pathlib import Path

    from django.db.models import QuerySet
    from django.test import Client
    from pytest_django import Settings

    from optarena.data import Release


@pytest.fixture(autouse=True)
def root(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the releases; installed ones and downloads are elsewhere, and empty."""
    settings.OPTARENA_DATA_ROOT = str(tmp_path / "data")
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    monkeypatch.setenv("OPTARENA_CACHE", str(tmp_path / "cache"))
    return tmp_path / "data"


def verified(world: World, **about: Any) -> Any:
    """A submission all of whose items are verified and open: one action that changes the program, one not."""
    made = submit(world.user, document([[1, 2], [2, 3], [3, 4]], **about))
    record_all(made, 90, 80, 70)
    return made


def exported() -> Release:
    release = data_services.export_next()
    assert release is not None
    return release


def origins(*releases: Release) -> list[str]:
    found: list[str] = read_releases(releases).entries["origin"].to_pylist()
    return found


def names(submission: Any, *positions: int) -> set[str]:
    return {f"test-ic/{submission.pk}/{position}" for position in positions}


def test_a_release_has_the_steps_of_what_everybody_may_read(world: World, root: Path) -> None:
    import mlcroissant  # noqa: PLC0415 - every process of a run collects this file

    opened = verified(world)
    closed = submit(world.other, document([[5], [6], [7]], agent="closed", open=False))
    record_all(closed, 85, 85, 85)
    failed = submit(world.other, document([[8], [9], [10]], agent="failed"))
    record(verifications(failed)[0], 95)
    fail(verifications(failed)[1], "env:timeout")
    release = exported()
    data = read_releases([release])
    assert set(data.entries["origin"].to_pylist()) == names(opened, 0, 1, 2) | names(failed, 0)
    frame = data.frame()
    of_first = frame[frame["entry"] == data.entries["origin"].to_pylist().index(min(names(opened, 0)))]
    assert of_first["cost_before"].tolist() == [400, 90]
    assert of_first["cost_after"].tolist() == [90, 90]
    assert of_first["had_effect"].tolist() == [True, False]
    assert of_first["digest_before"].tolist()[1:] == of_first["digest_after"].tolist()[:1]
    row = data.entries.to_pylist()[0]
    assert (row["agent"], row["metric"], row["ratio"]) == ("agent", "ir_instructions", 100 / 90)
    assert set(data.programs["licence"].to_pylist()) == {"MIT"}
    croissant = mlcroissant.Dataset(str(root / release.name / METADATA))
    assert not croissant.metadata.issues.errors
    assert len(list(croissant.records("steps"))) == release.rows == 7


def test_a_release_has_only_what_has_opened_since_the_one_before(world: World) -> None:
    first, one = verified(world), exported()
    assert data_services.export_next() is None
    second = submit(world.other, document([[5], [6], [7]], agent="later"))
    record_all(second, 85, 85, 85)
    two = exported()
    assert (two.follows, two.name) == (one.name, f"{one.name}-02")
    assert set(origins(two)) == names(second, 0, 1, 2)
    both = read_releases([one, two])
    assert set(both.entries["origin"].to_pylist()) == names(first, 0, 1, 2) | names(second, 0, 1, 2)
    assert both.programs.num_rows == 3, "the programs of both are the same"
    arrays = both.arrays()
    assert arrays["cost_after"].tolist().count(85) == 3
    assert {both.programs["uri"].to_pylist()[one] for one in arrays["program"]} == set(
        both.programs["uri"].to_pylist()
    )


def test_a_replay_that_several_entries_share_is_one_sequence(world: World) -> None:
    verified(world)
    verified(world, agent="the same again")
    assert exported().tables["entries"].rows == 3
    assert data_services.export_next() is None


def test_a_sequence_stays_as_long_as_one_of_its_entries_may_be_read(world: World, root: Path) -> None:
    first, again = verified(world), verified(world, agent="the same again")
    release = exported()
    assert set(origins(release)) == names(first, 0, 1, 2)
    withdraw(submission_id=first.pk, actor=world.user)
    later = exported()
    assert set(origins(*releases_in(root).values())) == names(again, 0, 1, 2)
    assert set(read_releases([later]).entries["agent"].to_pylist()) == {"the same again"}


def test_a_full_release_is_followed_by_the_rest(world: World) -> None:
    made = verified(world)
    first = data_services.export_next(most=3)
    assert first is not None
    assert first.rows == 4, "the sequence that reached the limit is whole"
    assert set(origins(first, exported())) == names(made, 0, 1, 2)
    assert data_services.export_next() is None


def test_what_may_not_be_read_any_more_is_taken_out(world: World, root: Path) -> None:
    gone, kept = verified(world), submit(world.other, document([[5], [6], [7]], agent="kept"))
    record_all(kept, 85, 85, 85)
    before = exported()
    withdraw(submission_id=gone.pk, actor=world.user)
    assert data_services.export_next() is None
    [after] = releases_in(root).values()
    assert (after.name, after.until) == (before.name, before.until)
    assert after.sha256 != before.sha256
    data = read_releases([after])
    assert set(data.entries["origin"].to_pylist()) == names(kept, 0, 1, 2)
    assert set(data.arrays()["cost_after"]) == {85.0}
    assert [path.name for path in root.iterdir()] == [before.name]


def test_a_sequence_is_replaced_when_its_item_was_verified_anew(world: World, root: Path) -> None:
    made = verified(world)
    release = exported()
    replay = verifications(made)[0]
    items = SubmissionItem.objects.filter(verification=replay)
    superseded = requests.supersede(verification_id=replay.pk, actor="test")
    replay_again(verification_id=replay.pk, superseded=superseded, actor="test", items=items)
    assert data_services.export_next() is None
    assert releases_in(root)[release.name].sha256 == release.sha256, "it is pending"
    record(verifications(made)[0], 85)
    later = exported()
    assert set(origins(releases_in(root)[release.name])) == names(made, 1, 2)
    assert read_releases([later]).entries["value"].to_pylist() == [85]


def test_a_release_that_the_database_does_not_know_is_emptied(world: World, root: Path) -> None:
    """As of a database that was restored from a backup."""
    verified(world)
    release = exported()
    ReleasedSequence.objects.all().delete()
    later = exported()
    assert releases_in(root)[release.name].tables["entries"].rows == 0
    assert later.tables["entries"].rows == 3


def test_a_release_that_is_lost_is_made_again(world: World, root: Path) -> None:
    made = verified(world)
    shutil.rmtree(root / exported().name)
    assert set(origins(exported())) == names(made, 0, 1, 2)


def test_what_is_withdrawn_during_an_export_is_left_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, kept = verified(world), submit(world.other, document([[5], [6], [7]], agent="kept"))
    record_all(kept, 85, 85, 85)
    batches = data_services._batches

    def withdrawing(items: QuerySet[SubmissionItem]) -> Iterator[list[int]]:
        found = list(batches(items))
        withdraw(submission_id=gone.pk, actor=world.user)
        yield from found

    monkeypatch.setattr(data_services, "_batches", withdrawing)
    assert set(origins(exported())) == names(kept, 0, 1, 2)


def test_sequences_without_steps_are_looked_at_once(world: World) -> None:
    made = verified(world)
    prune_traces(verification_ids=[one.pk for one in verifications(made)])
    assert data_services.export_next() is None
    assert ReleasedSequence.objects.filter(release="").count() == 3


def test_an_interrupted_release_is_never_listed_and_made_again(
    world: World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified(world)

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(data_services, "_add", stop)
        with pytest.raises(KeyboardInterrupt):
            data_services.export_next()
    assert list(root.iterdir()) == []
    half = root / f".boards-{timezone.now():%Y-%m-%d}.0.part"  # of a process that was killed
    half.mkdir()
    assert not set(releases_in(root))
    release = exported()
    assert [path.name for path in root.iterdir()] == [release.name]
    (root / release.name).rename(root / f".{release.name}.old")  # killed while it was replaced
    assert data_services.export_next() is None
    assert set(releases_in(root)) == {release.name}


def test_two_exports_do_not_run_at_once(world: World, root: Path) -> None:
    verified(world)
    root.mkdir()
    descriptor = os.open(root, os.O_RDONLY)
    try:
        assert lock(descriptor)
        with pytest.raises(CommandError, match="Another process writes a release"):
            call_command("export_data")
    finally:
        os.close(descriptor)


def test_a_folder_that_cannot_be_written_is_named(world: World, settings: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings.OPTARENA_DATA_ROOT = str(tmp_path / "file" / "data")
    with pytest.raises(CommandError, match=r"cannot be written: .* Set OPTARENA_DATA_ROOT"):
        call_command("export_data")


def test_the_sweeper_writes_a_release_once_a_day(world: World, root: Path, settings: Settings) -> None:
    verified(world)
    nightly = data_services.NightlyExport()
    settings.OPTARENA_EXPORT_SECONDS = 0
    assert nightly.look() is None
    settings.OPTARENA_EXPORT_SECONDS = 3600
    assert nightly.look() is not None
    assert nightly.look() is None  # nothing is left
    record_all(submit(world.other, document([[5], [6], [7]], agent="later")), 85, 85, 85)
    assert nightly.look() is None  # tomorrow


def test_without_pyarrow_no_folder_is_made(
    world: World, root: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.OPTARENA_EXPORT_SECONDS = 3600
    monkeypatch.delitem(sys.modules, "optarena.data.tables")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert data_services.NightlyExport().look() is None
    assert not root.exists()


def test_after_an_error_the_sweeper_waits_until_tomorrow(
    world: World, root: Path, settings: Settings
) -> None:
    verified(world)
    (root / exported().name / METADATA).write_text("{")
    settings.OPTARENA_EXPORT_SECONDS = 3600
    nightly = data_services.NightlyExport()
    with pytest.raises(InvalidInput, match="not JSON"):
        nightly.look()
    assert nightly.look() is None


def test_a_damaged_release_hides_no_other(world: World, root: Path, client: Client) -> None:
    verified(world)
    release = exported()
    (root / "boards-2000-01-01").mkdir()
    (root / "boards-2000-01-01" / METADATA).write_text("{")
    assert release.name in client.get(reverse("leaderboard:data")).content.decode()
    listed = {one["name"] for one in client.get(reverse("leaderboard-api:data")).json()["results"]}
    assert release.name in listed
    assert "boards-2000-01-01" not in listed
    address = reverse("leaderboard-api:data-file", args=["boards-2000-01-01", METADATA])
    assert client.get(address).status_code == 404


def test_a_file_of_a_release_that_is_being_replaced_is_not_sent(
    world: World, root: Path, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = verified(world)
    former = exported()
    withdraw(submission_id=gone.pk, actor=world.user)
    data_services.export_next()
    monkeypatch.setattr("leaderboard.data.queries.find_release", lambda _: former)  # read just before
    address = reverse("leaderboard-api:data-file", args=[former.name, "steps.parquet"])
    for is_away in (False, True):  # between the two folders there is none
        if is_away:
            shutil.rmtree(root / former.name)
        answer = client.get(address)
        assert (answer.status_code, answer["Retry-After"]) == (503, "5"), is_away


def test_page_and_api_list_releases_whose_files_can_be_had(world: World, client: Client) -> None:
    verified(world)
    release = exported()
    answer = client.get(reverse("leaderboard-api:data")).json()["results"]
    row = next(one for one in answer if one["name"] == release.name)
    assert (row["steps"], row["size_bytes"], row["sha256"]) == (6, release.size_bytes, release.sha256)
    assert {one["name"] for one in row["files"]} == {METADATA, *(f"{one}.parquet" for one in release.tables)}
    for file in row["files"]:
        got = client.get(file["url"])
        content = got.getvalue()
        assert (hashlib.sha256(content).hexdigest(), len(content)) == (file["sha256"], file["size_bytes"])
        assert got["ETag"] == f'"{file["sha256"]}"'
    page = client.get(reverse("leaderboard:data")).content.decode()
    assert release.sha256 in page
    assert f"@misc{{{release.name}" in page
    absent = [(one, METADATA) for one in ("nothing", "a" * 300)]
    absent += [(release.name, one) for one in ("nothing.parquet", ".part")]
    for name, file in absent:
        missing = client.get(reverse("leaderboard-api:data-file", args=[name, file]))
        assert (missing.status_code, missing["Content-Type"]) == (404, "application/problem+json")
    assert {one.name for one in list_releases()} >= {one.parent.name for one in BUILTIN.glob(f"*/{METADATA}")}


@pytest.mark.django_db(transaction=True)
def test_a_client_loads_a_release_and_keeps_it(
    live_server: LiveServer, world: World, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = LiveServer(live_server.thread.host)  # the other one is for all tests, and must not be stopped
    gone = verified(world)
    release = exported()
    assert optarena.data.load(release.name, server.url).steps.num_rows == 6
    with monkeypatch.context() as patched:
        patched.delattr("optarena.client.Client.download")
        assert optarena.data.load(release.name, server.url).steps.num_rows == 6, "not again"
    withdraw(submission_id=gone.pk, actor=world.user)
    data_services.export_next()
    assert optarena.data.load(release.name, server.url).steps.num_rows == 0, "taken out on the server"
    with pytest.raises(UnknownName, match=f"Did you mean '{release.name}'"):
        optarena.data.load(f"{release.name}-0", server.url)
    monkeypatch.setattr("optarena.client._FIRST_PAUSE_SECONDS", 0.0)
    server.stop()
    assert optarena.data.load(release.name, server.url).steps.num_rows == 0, "without the server"
