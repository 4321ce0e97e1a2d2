"""The dataset endpoints: lists, details, downloads, and what they answer when something is wrong."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
from typing import TYPE_CHECKING, Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from datasets.loading import load_dataset, load_range
from datasets.models import Blob, DatasetVersion
from leaderboard.settings.environment import address
from optarena.datasets import ParametricDataset, datasets
from tests.factories import make_range
from tests.kit.manifests import entry

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db

DATASETS = "/api/v1/datasets/"
BENCHMARKS = f"{DATASETS}tiny-v0/benchmarks/"
BITCODE = f"{BENCHMARKS}beta/bitcode/"
PROGRAM = b"BC\xc0\xde" + b"beta" * 50
ETAG = f'"{hashlib.sha256(PROGRAM).hexdigest()}"'


def body(response: Any) -> bytes:
    """What was sent, also where it is sent from a file."""
    return b"".join(response) if response.streaming else response.content


def queries(client: Client, url: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(url).status_code == 200
    return len(captured)


def test_the_list_shows_every_version(client: Client, version: DatasetVersion) -> None:
    body = client.get(DATASETS).json()
    assert body["next"] is body["previous"] is None
    (only,) = body["results"]
    assert only["name"] == "tiny-v0"
    assert only["benchmark_count"] == 3
    assert only["licences"] == ["MIT"]
    assert only["url"] == "http://testserver/api/v1/datasets/tiny-v0/"
    assert client.get(only["benchmarks_url"]).status_code == 200


def test_a_dataset_names_its_toolchain_and_manifest(client: Client, version: DatasetVersion) -> None:
    body = client.get(f"{DATASETS}tiny-v0/").json()
    assert body["toolchain"]["clang"] == "22.1.8"
    assert body["manifest_sha256"] == version.manifest_sha256
    assert body["sha256"] == version.manifest["sha256"]


def test_benchmarks_keep_the_manifests_order_and_show_baselines(
    client: Client, version: DatasetVersion
) -> None:
    rows = client.get(BENCHMARKS).json()["results"]
    assert [row["name"] for row in rows] == ["alpha", "beta", "gamma"]
    assert rows[0]["baselines"]["text_size_bytes"] == {
        "O0": 1600,
        "O1": 900,
        "O2": 950,
        "O3": 1100,
        "Oz": 800,
    }
    assert rows[0]["parameter"] is None
    assert body(client.get(rows[1]["bitcode_url"])) == PROGRAM


def test_pages_of_benchmarks_link_to_each_other(client: Client, version: DatasetVersion) -> None:
    first = client.get(BENCHMARKS, {"page_size": 2}).json()
    second = client.get(first["next"]).json()
    assert [row["name"] for row in first["results"] + second["results"]] == ["alpha", "beta", "gamma"]
    assert second["next"] is None
    assert client.get(second["previous"]).json()["results"] == first["results"]


def test_a_benchmark_shows_its_workloads_and_source(client: Client, version: DatasetVersion) -> None:
    body = client.get(f"{BENCHMARKS}beta/").json()
    assert body["uri"] == "benchmark://tiny-v0/beta"
    assert body["source"]["lines"] == 120
    assert body["workloads"][0] == {
        "name": "small",
        "args": ["10", "a b"],
        "stdin": "",
        "expected_stdout": "ok\n",
        "exit_code": 0,
        "files": {},
    }
    assert body["workloads"][1]["files"] == {"data/a.txt": "YQD/"}


def test_a_range_shows_its_parameter_and_no_bitcode(client: Client, version: DatasetVersion) -> None:
    make_range("loop/{n}", version=version, low=1, high=9)
    body = client.get(f"{BENCHMARKS}loop/5/").json()
    assert (body["parameter"], body["bitcode_url"]) == ({"min": 1, "max": 9}, None)
    assert client.get(f"{BENCHMARKS}loop/5/bitcode/").status_code == 404
    assert client.get(f"{BENCHMARKS}loop/10/").status_code == 404


def test_a_dataset_says_whether_it_is_a_range(
    client: Client, version: DatasetVersion, loops_version: DatasetVersion
) -> None:
    loops, tiny = client.get(DATASETS).json()["results"]
    assert (tiny["kind"], tiny["parameter"], tiny["benchmark_count"]) == ("stored", None, 3)
    assert tiny["size_bytes"] == sum(54 + len(name) * 50 - 50 for name in ("alpha", "beta", "gamma"))
    assert (loops["kind"], loops["parameter"]) == ("parametric", {"min": 1, "max": 4096})
    assert (loops["benchmark_count"], loops["size_bytes"]) == (4096, None)
    detail = client.get(loops["url"]).json()
    assert {**detail, **loops} == detail
    assert (detail["toolchain"], len(detail["sha256"])) == ({}, 64)
    (row,) = client.get(loops["benchmarks_url"]).json()["results"]
    assert (row["uri"], row["kind"], row["size_bytes"]) == ("benchmark://loops-v0/{n}", "parametric", None)
    assert client.get(row["url"]).json()["uri"] == row["uri"]


def test_a_member_is_read_by_its_path(client: Client, loops_version: DatasetVersion) -> None:
    uri = "benchmark://loops-v0/1024"
    body = client.get(f"{DATASETS}loops-v0/benchmarks/1024/").json()
    assert (body["uri"], body["name"], body["kind"]) == (uri, "1024", "parametric")
    assert (body["sha256"], body["size_bytes"]) == (hashlib.sha256(uri.encode()).hexdigest(), len(uri))
    assert (body["parameter"], body["bitcode_url"]) == ({"min": 1, "max": 4096}, None)
    assert (body["baselines"], body["workloads"]) == ({}, [])
    assert body["url"] == f"http://testserver{DATASETS}loops-v0/benchmarks/1024/"
    for path, code in {"0": 404, "4097": 404, "007": 404, "+5": 404, "%205": 308}.items():
        assert client.get(f"{DATASETS}loops-v0/benchmarks/{path}/").status_code == code


@pytest.mark.parametrize(
    "url",
    [
        f"{DATASETS}none-v0/",
        f"{DATASETS}none-v0/benchmarks/",
        f"{BENCHMARKS}none/",
        f"{BENCHMARKS}none/bitcode/",
        f"{DATASETS}none-v0/manifest/",
        f"{DATASETS}none-v0/archive/",
    ],
)
def test_what_does_not_exist_is_a_problem_that_names_it(
    client: Client, version: DatasetVersion, url: str
) -> None:
    response = client.get(url)
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["type"] == "/problems/#not-found"
    assert "none" in response.json()["detail"]


@pytest.mark.parametrize("position", [b"p=abc", b"o=-1", b"p=" + b"9" * 40, b"p=%00"])
def test_a_made_up_cursor_is_a_problem_or_an_end(
    client: Client, version: DatasetVersion, position: bytes
) -> None:
    response = client.get(BENCHMARKS, {"cursor": base64.b64encode(position).decode()})
    if response.status_code == 200:
        assert response.json()["results"] == []
    else:
        assert (response.status_code, response.json()["type"]) == (404, "/problems/#invalid-cursor")


def test_a_cursor_that_is_none_is_a_problem(client: Client, version: DatasetVersion) -> None:
    response = client.get(BENCHMARKS, {"cursor": "x"})
    assert (response.status_code, response.json()["type"]) == (404, "/problems/#invalid-cursor")


def test_datasets_cannot_be_written_over_the_api(
    client: Client, version: DatasetVersion, admin_client: Client
) -> None:
    for one in (client, admin_client):
        response = one.post(DATASETS, {}, content_type="application/json")
        assert (response.status_code, response.json()["type"]) == (405, "/problems/#method-not-allowed")
        assert "GET" in response["Allow"]
        assert "WWW-Authenticate" not in response


def test_a_download_is_complete_named_and_kept_for_ever(client: Client, version: DatasetVersion) -> None:
    response = client.get(BITCODE)
    assert body(response) == PROGRAM
    assert response["ETag"] == ETAG
    assert response["Content-Type"] == "application/x-llvm-bitcode"
    assert response["Content-Disposition"] == 'attachment; filename="tiny-v0-beta.bc"'
    assert "immutable" in response["Cache-Control"]


def test_a_copy_that_is_still_right_is_not_sent_again(client: Client, version: DatasetVersion) -> None:
    response = client.get(BITCODE, headers={"If-None-Match": f'"other", {ETAG}'})
    assert (response.status_code, response.content) == (304, b"")
    assert response["ETag"] == ETAG
    assert client.get(BITCODE, headers={"If-None-Match": '"other"'}).status_code == 200


def test_head_gives_the_headers_only(client: Client, version: DatasetVersion) -> None:
    response = client.head(BITCODE)
    assert (response.status_code, response["ETag"], response.content) == (200, ETAG, b"")
    assert response["Content-Length"] == str(len(PROGRAM))


@pytest.mark.parametrize(
    ("asked", "status", "sent"),
    [
        ("bytes=0-3", 206, (0, 4)),
        ("Bytes=0-3", 206, (0, 4)),
        ("bytes=100-", 206, (100, 204)),
        ("bytes=-4", 206, (200, 204)),
        ("bytes=200-999", 206, (200, 204)),
        *((asked, 416, None) for asked in ("bytes=204-", "bytes=5-2", "bytes=-0")),
        *((asked, 200, (0, 204)) for asked in ("bytes=0-1,3-4", "lines=0-1", "bytes=-", "bytes")),
    ],
)
def test_a_range_of_bytes_is_sent_alone(
    client: Client, version: DatasetVersion, asked: str, status: int, sent: tuple[int, int] | None
) -> None:
    response = client.get(BITCODE, headers={"Range": asked})
    assert response.status_code == status
    if sent is None:
        assert response["Content-Range"] == "bytes */204"
        return
    start, stop = sent
    assert body(response) == PROGRAM[start:stop]
    if status == 206:
        assert response["Content-Range"] == f"bytes {start}-{stop - 1}/204"


def test_a_range_of_an_older_copy_gets_the_whole(client: Client, version: DatasetVersion) -> None:
    response = client.get(BITCODE, headers={"Range": "bytes=0-3", "If-Range": '"older"'})
    assert (response.status_code, body(response)) == (200, PROGRAM)


def test_damaged_bytes_are_a_server_error_and_never_sent(version: DatasetVersion, blob_root: Path) -> None:
    blob = version.benchmarks.select_related("blob").get(name="beta").blob
    (blob_root / blob.storage_key).write_bytes(b"evil")
    response = Client(raise_request_exception=False).get(BITCODE)
    assert (response.status_code, response["Content-Type"]) == (500, "application/problem+json")
    assert "evil" not in response.content.decode()


@pytest.fixture
def various(folder: Any) -> DatasetVersion:
    alpha, beta, gamma = folder.manifest["benchmarks"]
    alpha |= {"domain": "hashing", "split": "train", "licence": "Zlib", "title": "Alpha's 100% MD5"}
    beta |= {"domain": "hashing", "split": "test", "tags": ["integer"]}
    gamma |= {"language": "C++", "split": "train", "title": "Program of İstanbul"}
    return load_dataset(manifest_dir=folder.write())


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({"domain": "hashing"}, ["alpha", "beta"]),
        ({"domain": "hashing", "split": "test"}, ["beta"]),
        ({"licence": "MIT"}, ["beta", "gamma"]),
        ({"language": "C++"}, ["gamma"]),
        ({"split": "train"}, ["alpha", "gamma"]),
        ({"kind": "stored"}, ["alpha", "beta", "gamma"]),
        ({"kind": "parametric"}, []),
        ({"search": "BETA"}, ["beta"]),
        ({"search": "md5"}, ["alpha"]),
        ({"search": "100%"}, ["alpha"]),
        ({"search": "%"}, ["alpha"]),
        ({"search": "_"}, []),
        ({"search": "\\"}, []),
        ({"search": "İstanbul"}, ["gamma"]),
        ({"search": "program", "split": "train"}, ["gamma"]),
    ],
)
def test_filters_narrow_the_list(
    client: Client, various: DatasetVersion, asked: dict[str, str], names: list[str]
) -> None:
    assert [row["name"] for row in client.get(BENCHMARKS, asked).json()["results"]] == names


@pytest.mark.parametrize(
    ("field", "known"),
    [
        ("domain", "hashing, sorting"),
        ("split", "test, train"),
        ("licence", "MIT, Zlib"),
        ("language", "C, C++"),
        ("kind", ""),
    ],
)
def test_a_value_that_nothing_has_is_a_problem_that_names_what_there_is(
    client: Client, various: DatasetVersion, field: str, known: str
) -> None:
    response = client.get(BENCHMARKS, {field: "wrong<b>"})
    assert (response.status_code, response.json()["type"]) == (422, "/problems/#invalid-document")
    (error,) = response.json()["errors"]
    assert error["field"] == field
    assert known in error["message"]


def test_a_dataset_leads_to_its_files_and_counts(client: Client, various: DatasetVersion) -> None:
    body = client.get(f"{DATASETS}tiny-v0/").json()
    assert body["manifest_url"] == f"http://testserver{DATASETS}tiny-v0/manifest/"
    assert body["archive_url"] == f"http://testserver{DATASETS}tiny-v0/archive/"
    assert body["statistics"]["splits"] == {"train": 2, "test": 1}
    assert (body["deprecated"], body["successor"], body["released"], body["changelog"]) == ("", "", None, [])
    row = client.get(BENCHMARKS).json()["results"][1]
    assert (row["split"], row["tags"]) == ("test", ["integer"])


@pytest.mark.soak
def test_lists_of_ten_and_of_hundreds_cost_the_same(client: Client, folder: Any) -> None:
    counts = {}
    for size in (10, 300):
        name = f"sized{size}-v0"
        folder.grow(name, size)
        load_dataset(manifest_dir=folder.write())
        counts[size] = [
            queries(client, url)
            for url in (
                f"{DATASETS}{name}/",
                f"{DATASETS}{name}/benchmarks/",
                f"{DATASETS}{name}/benchmarks/?search=p1",
                f"/datasets/{name}/",
                f"/datasets/{name}/?search=p1",
                f"/datasets/{name}/?after=4",
                f"/datasets/{name}/p9/",
            )
        ]
    for few, many in zip(counts[10], counts[300], strict=True):
        assert abs(many - few) <= 1  # a search that fills its page counts how many there are
        assert many <= 10


def test_a_generated_member_is_not_made_for_a_request(client: Client) -> None:
    dataset = datasets()["synthetic-v0"]
    assert isinstance(dataset, ParametricDataset)
    load_range(dataset=dataset)
    row = client.get(f"{DATASETS}synthetic-v0/benchmarks/42/").json()
    assert (row["uri"], row["sha256"], row["size_bytes"]) == ("generator://synthetic-v0/42", None, None)
    assert (row["kind"], row["bitcode_url"], row["workloads"]) == ("parametric", None, None)
    member = dataset.benchmark_at(42)
    assert (row["title"], row["source"]) == (member.title, member.source)
    assert client.get(f"{DATASETS}synthetic-v0/benchmarks/{{n}}/").json()["workloads"] is None
    assert client.get(f"{DATASETS}synthetic-v0/benchmarks/042/").status_code == 404


@pytest.mark.parametrize(
    ("url", "asked", "remedy"),
    [
        (BENCHMARKS, {"domian": "x"}, "Did you mean 'domain'"),
        (BENCHMARKS, {"offset": "5"}, "The known ones are: domain, language, licence, split, kind, search"),
        (DATASETS, {"depreciated": "true"}, "Did you mean 'deprecated'"),
        (BENCHMARKS, {"page_size": "abc"}, "from 1 to 100"),
        (BENCHMARKS, {"page_size": "0"}, "from 1 to 100"),
        (BENCHMARKS, {"page_size": "-1"}, "from 1 to 100"),
        (BENCHMARKS, {"page_size": "101"}, "from 1 to 100"),
        (DATASETS, {"page_size": "9" * 5000}, "from 1 to 100"),
        (DATASETS, {"deprecated": "1"}, "documented"),
        (BENCHMARKS, {"kind": "foo"}, "documented"),
    ],
    ids=str,
)
def test_what_is_asked_in_vain_is_a_problem_with_value_and_remedy(
    client: Client, version: DatasetVersion, url: str, asked: dict[str, str], remedy: str
) -> None:
    response = client.get(url, asked)
    assert (response.status_code, response.json()["type"]) == (422, "/problems/#invalid-document")
    (error,) = response.json()["errors"]
    ((name, value),) = asked.items()
    assert (error["field"], error["value"][:100]) == (name, value[:100])
    assert remedy in error["remedy"]
    assert "was stored" not in response.json()["remedy"]


def test_every_unknown_parameter_is_named(client: Client, version: DatasetVersion) -> None:
    errors = client.get(BENCHMARKS, {"a": "1", "b": "2"}).json()["errors"]
    assert [error["field"] for error in errors] == ["a", "b"]


MANIFEST = f"{DATASETS}tiny-v0/manifest/"
ARCHIVE = f"{DATASETS}tiny-v0/archive/"
SOURCE = b"int main(void) { return 0; }"


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


def test_a_lost_file_is_a_problem_that_names_it(version: DatasetVersion, blob_root: Path) -> None:
    visitor = Client(raise_request_exception=False)
    for address_, blob in ((MANIFEST, version.manifest_blob), (ARCHIVE, version.archive_blob)):
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
    [
        ("src/beta.c", SOURCE, ".c"),
        ("src/beta.c", b"other", ".txt"),
        ("src/beta.o", SOURCE, ".txt"),
    ],
)
def test_a_text_that_is_its_own_source_keeps_its_suffix(
    client: Client, folder: Any, path: str, source: bytes, suffix: str
) -> None:
    facts = {"path": path, "sha256": hashlib.sha256(source).hexdigest()}
    folder.manifest["benchmarks"] = [entry("tiny-v0", "beta", SOURCE, source=facts)]
    (folder.path / "beta.bc").write_bytes(SOURCE)
    load_dataset(manifest_dir=folder.write())
    assert f'filename="tiny-v0-beta{suffix}"' in client.get(BITCODE)["Content-Disposition"]


def test_a_prefix_that_is_no_address_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_ACCEL_PREFIX", "blobs")
    with pytest.raises(ImproperlyConfigured, match="/protected/blobs"):
        address("OPTARENA_ACCEL_PREFIX")


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


def test_files_are_the_same_for_everybody(
    client: Client, admin_client: Client, version: DatasetVersion
) -> None:
    for address_ in (MANIFEST, ARCHIVE, BITCODE):
        for one in (client, admin_client):
            response = one.get(address_, headers={"Authorization": "Bearer none"})
            assert response.status_code == 200
            assert "Cookie" not in response.get("Vary", "")
        assert client.post(address_).status_code == 405
