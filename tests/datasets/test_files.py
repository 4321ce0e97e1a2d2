"""Manifest and archive downloads, and how files are sent: in parts, from disk, or by nginx."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory

from datasets.api import blob_response
from datasets.loading import load_dataset, load_range
from datasets.models import Blob, DatasetVersion
from leaderboard.settings.environment import address
from tests.kit.manifests import LOOPS, entry

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db

DATASETS = "/api/v1/datasets/"
MANIFEST = f"{DATASETS}tiny-v0/manifest/"
ARCHIVE = f"{DATASETS}tiny-v0/archive/"
BITCODE = f"{DATASETS}tiny-v0/benchmarks/beta/bitcode/"
PROGRAM = b"int main(void) { return 0; }"


def body(response: Any) -> bytes:
    return b"".join(response) if response.streaming else response.content


def test_the_manifest_is_sent_byte_for_byte(client: Client, folder: Any, version: DatasetVersion) -> None:
    response = client.get(MANIFEST)
    exact = (folder.path / "manifest.json").read_bytes()
    assert body(response) == exact
    assert response["Content-Type"] == "application/json"
    assert response["ETag"] == f'"{hashlib.sha256(exact).hexdigest()}"' == f'"{version.manifest_sha256}"'
    assert "immutable" in response["Cache-Control"]
    assert client.get(MANIFEST, headers={"If-None-Match": response["ETag"]}).status_code == 304
    part = client.get(MANIFEST, headers={"Range": "bytes=5-9"})
    assert (part.status_code, body(part), part["Content-Length"]) == (206, exact[5:10], "5")


def test_the_definition_of_a_range_is_its_manifest(client: Client, loops_version: DatasetVersion) -> None:
    response = client.get(f"{DATASETS}loops-v0/manifest/")
    exact = body(response)
    assert hashlib.sha256(exact).hexdigest() == loops_version.manifest_sha256
    assert json.loads(exact)["parameter"] == {"min": 1, "max": 4096}


def test_a_draft_may_be_another_tomorrow(client: Client, folder: Any) -> None:
    load_dataset(manifest_dir=folder.path, frozen=False)
    for address_ in (MANIFEST, ARCHIVE, BITCODE):
        assert client.get(address_)["Cache-Control"] == "no-cache"


def test_the_archive_holds_the_datasets_folder(client: Client, folder: Any, version: DatasetVersion) -> None:
    response = client.get(ARCHIVE)
    data = body(response)
    assert response["Content-Type"] == "application/x-tar"
    assert response["Content-Length"] == str(len(data))
    assert response["ETag"] == f'"{hashlib.sha256(data).hexdigest()}"'
    assert 'filename="tiny-v0.tar"' in response["Content-Disposition"]
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        names = archive.getnames()
        assert names == [f"tiny-v0/{name}" for name in ("manifest.json", "alpha.bc", "beta.bc", "gamma.bc")]
        for entry in archive:
            file = archive.extractfile(entry)
            assert file is not None
            assert file.read() == (folder.path / entry.name.removeprefix("tiny-v0/")).read_bytes()
            assert (entry.mtime, entry.uid, entry.gid, entry.uname, entry.mode) == (0, 0, 0, "", 0o644)


def test_the_archive_comes_in_parts(client: Client, version: DatasetVersion) -> None:
    whole = body(client.get(ARCHIVE))
    etag = client.head(ARCHIVE)["ETag"]
    parts = [
        body(client.get(ARCHIVE, headers={"Range": f"bytes={start}-{start + 999}", "If-Range": etag}))
        for start in range(0, len(whole), 1000)
    ]
    assert b"".join(parts) == whole
    head = client.head(ARCHIVE)
    assert (head["Content-Length"], head.content) == (str(len(whole)), b"")
    assert client.get(ARCHIVE, headers={"Range": f"bytes={len(whole)}-"}).status_code == 416


def test_the_archive_is_the_same_bytes_every_time(
    folder: Any, version: DatasetVersion, blob_root: Path
) -> None:
    first = version.archive_blob
    assert first is not None
    lost = blob_root / first.storage_key
    content = lost.read_bytes()
    lost.unlink()
    again = load_dataset(manifest_dir=folder.path)
    assert again.archive_blob == first
    assert lost.read_bytes() == content


def test_equal_programs_are_one_file_of_the_archive(client: Client, folder: Any) -> None:
    folder.grow("many-v0", 5)
    load_dataset(manifest_dir=folder.write())
    with tarfile.open(fileobj=io.BytesIO(body(client.get(f"{DATASETS}many-v0/archive/")))) as archive:
        assert archive.getnames() == ["many-v0/manifest.json", "many-v0/alpha.bc"]


def test_a_range_has_no_archive(client: Client, loops_version: DatasetVersion) -> None:
    response = client.get(f"{DATASETS}loops-v0/archive/")
    assert (response.status_code, response["Content-Type"]) == (404, "application/problem+json")
    assert "computed" in response.json()["detail"]
    assert client.get(f"{DATASETS}loops-v0/").json()["archive_url"] is None


@pytest.mark.parametrize("what", ["manifest", "archive"])
def test_files_of_what_does_not_exist_are_a_problem(client: Client, what: str) -> None:
    response = client.get(f"{DATASETS}none-v0/{what}/")
    assert (response.status_code, response.json()["type"]) == (404, "/problems/#not-found")


def test_a_lost_file_is_a_problem_that_names_it(version: DatasetVersion, blob_root: Path) -> None:
    visitor = Client(raise_request_exception=False)
    for address_, blob in ((MANIFEST, version.manifest_blob), (ARCHIVE, version.archive_blob)):
        assert blob is not None
        (blob_root / blob.storage_key).unlink()
        for response in (visitor.get(address_), visitor.head(address_)):
            assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
        detail = visitor.get(address_).json()["detail"]
        assert blob.sha256 in detail
        assert "load its dataset again" in detail


def test_a_damaged_file_is_a_problem_until_it_is_restored(
    folder: Any, version: DatasetVersion, blob_root: Path
) -> None:
    visitor = Client(raise_request_exception=False)
    for address_, blob in ((MANIFEST, version.manifest_blob), (ARCHIVE, version.archive_blob)):
        assert blob is not None
        whole = body(visitor.get(address_))
        file = blob_root / blob.storage_key
        file.write_bytes(bytes(len(whole)))
        for headers in ({}, {}, {"Range": "bytes=0-9"}):
            response = visitor.get(address_, headers=headers)
            assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
            assert "max-age" not in response.get("Cache-Control", "")
        assert f"The blob {blob.sha256} is damaged" in visitor.get(address_).json()["detail"]
        load_dataset(manifest_dir=folder.path)
        assert body(visitor.get(address_)) == whole


def test_an_intact_file_is_read_once_for_many_downloads(
    client: Client, version: DatasetVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = body(client.get(ARCHIVE))
    monkeypatch.setattr("datasets.store._digest", None)  # a call would fail
    assert body(client.get(ARCHIVE)) == whole
    assert client.head(ARCHIVE).status_code == 200


def test_nginx_sends_the_file_where_it_can(
    client: Client, version: DatasetVersion, settings: Settings
) -> None:
    settings.OPTARENA_ACCEL_PREFIX = "/protected"
    blob = Blob.objects.get(benchmarks__name="beta")
    for response in (client.get(BITCODE), client.get(BITCODE, headers={"Range": "bytes=0-3"})):
        assert (response.status_code, body(response)) == (200, b"")
        assert response["X-Accel-Redirect"] == f"/protected/{blob.storage_key}"
        assert response["Content-Type"] == "application/x-llvm-bitcode"
        assert response["ETag"] == f'"{blob.sha256}"'
        assert "tiny-v0-beta.bc" in response["Content-Disposition"]
    assert client.get(BITCODE, headers={"If-None-Match": f'"{blob.sha256}"'}).status_code == 304
    assert client.get(BITCODE, headers={"Range": "bytes=999-"}).status_code == 416


@pytest.mark.parametrize(
    ("path", "source", "suffix"),
    [("src/beta.c", PROGRAM, ".c"), ("src/beta.c", b"other", ".txt"), ("src/beta.o", PROGRAM, ".txt")],
)
def test_a_text_that_is_its_own_source_keeps_its_suffix(
    client: Client, folder: Any, path: str, source: bytes, suffix: str
) -> None:
    facts = {"path": path, "sha256": hashlib.sha256(source).hexdigest()}
    folder.manifest["benchmarks"] = [entry("tiny-v0", "beta", PROGRAM, source=facts)]
    (folder.path / "beta.bc").write_bytes(PROGRAM)
    load_dataset(manifest_dir=folder.write())
    assert f'filename="tiny-v0-beta{suffix}"' in client.get(BITCODE)["Content-Disposition"]


@pytest.mark.parametrize(("value", "kept"), [("", ""), ("/blobs", "/blobs"), ("/a/b/", "/a/b")])
def test_the_prefix_is_an_address(monkeypatch: pytest.MonkeyPatch, value: str, kept: str) -> None:
    monkeypatch.setenv("OPTARENA_ACCEL_PREFIX", value)
    assert address("OPTARENA_ACCEL_PREFIX") == kept


def test_a_prefix_that_is_no_address_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_ACCEL_PREFIX", "blobs")
    with pytest.raises(ImproperlyConfigured, match="/protected/blobs"):
        address("OPTARENA_ACCEL_PREFIX")


def test_a_part_is_sent_from_the_open_file(rf: RequestFactory, version: DatasetVersion) -> None:
    blob = Blob.objects.get(benchmarks__name="beta")
    response: Any = blob_response(rf.get("/", headers={"Range": "bytes=10-19"}), blob, filename="x")
    part = response.file_to_stream
    assert part.tell() == 10
    assert part.read(4) + part.read(100) + part.read() == (b"BC\xc0\xde" + b"beta" * 50)[10:20]
    response.close()


def test_a_range_with_another_definition_has_another_manifest(client: Client) -> None:
    load_range(dataset=LOOPS, frozen=False)
    before = client.get(f"{DATASETS}loops-v0/manifest/")["ETag"]
    load_range(dataset=replace(LOOPS, high=9))
    assert client.get(f"{DATASETS}loops-v0/manifest/", headers={"If-None-Match": before}).status_code == 200


@pytest.mark.parametrize(
    ("headers", "status", "kind"),
    [
        ({"Range": "bytes=99999999-"}, 416, "range-not-satisfiable"),
        ({"If-Match": '"another"'}, 412, "precondition-failed"),
    ],
)
def test_what_cannot_be_sent_is_a_problem_that_nobody_keeps(
    client: Client, version: DatasetVersion, headers: dict[str, str], status: int, kind: str
) -> None:
    for address_ in (MANIFEST, ARCHIVE, BITCODE):
        response = client.get(address_, headers=headers)
        assert (response.status_code, response["Content-Type"]) == (status, "application/problem+json")
        assert response.json()["type"] == f"/problems/#{kind}"
        assert response["Cache-Control"] == "no-store"
        assert response.get("Content-Range", "")[:8] == ("bytes */" if status == 416 else "")
        assert "Content-Disposition" not in response


def test_only_get_has_ranges(client: Client, version: DatasetVersion) -> None:
    whole = client.head(BITCODE)["Content-Length"]
    for asked in ("bytes=0-3", "bytes=999-"):
        head = client.head(BITCODE, headers={"Range": asked})
        assert (head.status_code, head["Content-Length"], "Content-Range" in head) == (200, whole, False)


def test_the_unit_of_a_range_is_written_in_any_case(client: Client, version: DatasetVersion) -> None:
    response = client.get(BITCODE, headers={"Range": "Bytes=0-3"})
    assert (response.status_code, body(response)) == (206, b"BC\xc0\xde")


def test_files_are_the_same_for_everybody(
    client: Client, admin_client: Client, version: DatasetVersion
) -> None:
    for address_ in (MANIFEST, ARCHIVE, BITCODE):
        for one in (client, admin_client):
            response = one.get(address_, headers={"Authorization": "Bearer none"})
            assert response.status_code == 200
            assert "Cookie" not in response.get("Vary", "")
        assert client.post(address_).status_code == 405


def test_the_apis_document_tells_of_refused_downloads(client: Client) -> None:
    document = client.get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi+json"}).json()
    answers = document["paths"]["/api/v1/datasets/{name}/archive/"]["get"]["responses"]
    for status in ("412", "416"):
        assert list(answers[status]["content"]) == ["application/problem+json"]
