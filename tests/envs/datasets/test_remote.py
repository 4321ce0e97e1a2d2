"""Datasets of a server: checked, kept, shared by processes, bounded, and usable without the server."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from optarena.client import ApiProblem, DownloadDamaged, ServerUnreachable
from optarena.datasets import RemoteDataset
from optarena.errors import InvalidInput, UnknownName
from tests.kit.dataset_server import Answer, DatasetServer, make_dataset

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("own_folders")
NOBODY = "http://127.0.0.1:9"


def kept(folder: Path) -> list[Path]:
    return [path for path in (folder / "cache/remote/programs").glob("??/*") if not path.name.startswith(".")]


def test_a_servers_dataset_is_used_like_an_installed_one(server: DatasetServer) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    assert [one.name for one in dataset] == ["one", "two", "sub/three", "four"]
    assert server.count("/bitcode/") == 0
    one = dataset.benchmark("sub/three")
    assert one.program() == server.programs["remote-v0", "sub/three"]
    assert one.workloads[0].args == ("1", "2")
    assert (one.split, one.tags, one.source["package"]) == ("train", ("small",), "lz4")
    assert dataset.manifest.released == "2026-11-21"
    assert not dataset.is_offline
    assert [path.removeprefix("/api/v1/datasets/remote-v0/") for path, _ in server.asked] == [
        "manifest/",
        "",  # which says whether it is deprecated
        "benchmarks/sub/three/bitcode/",
    ]


def test_what_was_downloaded_is_asked_for_once(server: DatasetServer) -> None:
    for _ in range(2):
        for one in RemoteDataset("remote-v0", server.url):
            one.program()
    assert server.count("/bitcode/") == 4
    assert [status for path, status in server.asked if path.endswith("/manifest/")] == [200, 304]


def test_the_token_stays_at_home(server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_TOKEN", "secret")
    RemoteDataset("remote-v0", server.url).benchmark("one").program()
    assert not any("Authorization" in headers for headers in server.headers)


def test_a_changed_manifest_is_fetched_again(server: DatasetServer, tmp_path: Path) -> None:
    assert len(RemoteDataset("remote-v0", server.url)) == 4
    server.add(make_dataset(tmp_path / "again/remote-v0", "one"))
    assert len(RemoteDataset("remote-v0", server.url)) == 1


@pytest.mark.usefixtures("once")
def test_without_the_server_what_was_kept_is_used(server: DatasetServer) -> None:
    RemoteDataset("remote-v0", server.url).benchmark("one").program()
    server.spoilt = lambda _path, _answer: Answer(503, b"{}")
    dataset = RemoteDataset("remote-v0", server.url)
    assert dataset.is_offline
    assert dataset.deprecated == ""
    assert dataset.benchmark("one").program() == server.programs["remote-v0", "one"]
    with pytest.raises(ServerUnreachable, match=r"Offline: .*benchmark://remote-v0/two"):
        dataset.benchmark("two").program()
    server.spoilt = lambda _path, answer: answer
    assert dataset.benchmark("two").program() == server.programs["remote-v0", "two"]


@pytest.mark.usefixtures("once")
def test_without_the_server_and_what_was_kept_both_are_told() -> None:
    with pytest.raises(ServerUnreachable, match=r"Offline: the dataset remote-v0 .*127.0.0.1:9"):
        RemoteDataset("remote-v0", NOBODY)


def test_a_name_that_the_server_does_not_have_is_answered_with_near_ones(server: DatasetServer) -> None:
    with pytest.raises(UnknownName, match="remote-v0"):
        RemoteDataset("remotes-v0", server.url)


@pytest.mark.parametrize(
    "name", ["", "../x-v0", "a/b-v0", "remote-v0/one", "x", "file:///x", 5, None, "x-v0\n"]
)
def test_what_is_no_name_is_not_asked_for(name: str, server: DatasetServer) -> None:
    with pytest.raises(InvalidInput, match="is not a dataset's name"):
        RemoteDataset(name, server.url)
    assert server.asked == []


@pytest.mark.parametrize("timeout", [0, -1, "5", True, float("nan"), float("inf"), 1e300])
def test_a_timeout_is_seconds(timeout: float) -> None:
    with pytest.raises(InvalidInput, match="timeout"):
        RemoteDataset("remote-v0", NOBODY, timeout=timeout)


@pytest.mark.usefixtures("once")
@pytest.mark.parametrize("body", [b"other bytes", b"", b"x" * 1_000_000], ids=["other", "none", "too-many"])
def test_wrong_bytes_are_refused_and_not_kept(body: bytes, server: DatasetServer, tmp_path: Path) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    server.spoilt = lambda _path, answer: answer._replace(body=body)
    with pytest.raises(DownloadDamaged):
        dataset.benchmark("one").program()
    assert kept(tmp_path) == []
    server.spoilt = lambda _path, answer: answer
    assert dataset.benchmark("one").program() == server.programs["remote-v0", "one"]
    assert len(kept(tmp_path)) == 1


@pytest.mark.usefixtures("once")
def test_an_answer_that_breaks_off_is_refused_and_not_kept(server: DatasetServer, tmp_path: Path) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    server.spoilt = lambda _path, answer: answer._replace(body=answer.body[:500], length=1000)
    with pytest.raises(ServerUnreachable, match="benchmark://remote-v0/one"):
        dataset.benchmark("one").program()
    assert kept(tmp_path) == []


def test_an_answer_that_breaks_off_once_is_asked_for_again(server: DatasetServer) -> None:
    dataset = RemoteDataset("remote-v0", server.url)

    def spoil(_path: str, answer: Answer) -> Answer:
        server.spoilt = lambda _path, good: good
        return answer._replace(body=answer.body[:500], length=1000)

    server.spoilt = spoil
    assert dataset.benchmark("one").program() == server.programs["remote-v0", "one"]


@pytest.mark.usefixtures("once")
def test_a_server_that_is_too_slow_is_not_waited_for(server: DatasetServer) -> None:
    dataset = RemoteDataset("remote-v0", server.url, timeout=0.2)
    server.seconds = 1.0
    with pytest.raises(ServerUnreachable, match="timed out"):
        dataset.benchmark("one").program()


@pytest.mark.usefixtures("once")
def test_a_server_that_sends_byte_after_byte_is_not_waited_for_either(server: DatasetServer) -> None:
    dataset = RemoteDataset("remote-v0", server.url, timeout=0.4)

    def drip(_path: str, answer: Answer) -> Answer:
        return answer._replace(body=answer.body[:30], length=1000, pause=0.1)

    server.spoilt = drip
    with pytest.raises(ServerUnreachable, match="too slowly"):
        dataset.benchmark("one").program()


def test_a_manifest_whose_bytes_are_not_its_etags_is_refused(server: DatasetServer, tmp_path: Path) -> None:
    server.spoilt = lambda _path, answer: answer._replace(body=answer.body.replace(b"Programs", b"Program$"))
    with pytest.raises(DownloadDamaged, match="manifest of remote-v0"):
        RemoteDataset("remote-v0", server.url)
    assert list((tmp_path / "cache").rglob("*.manifest")) == []


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"schema": 1}', b"\xff"])
def test_what_is_no_manifest_is_refused_and_not_kept(
    body: bytes, server: DatasetServer, tmp_path: Path
) -> None:
    server.spoilt = lambda _path, answer: answer._replace(body=body, etag="")
    with pytest.raises(InvalidInput, match=f"'remote-v0' of {server.url} cannot be used"):
        RemoteDataset("remote-v0", server.url)
    assert list((tmp_path / "cache").rglob("*.manifest")) == []


def test_another_datasets_manifest_is_refused(server: DatasetServer) -> None:
    server.manifests["other-v0"] = server.manifests["remote-v0"]
    with pytest.raises(InvalidInput, match="sends the dataset 'remote-v0' for 'other-v0'"):
        RemoteDataset("other-v0", server.url)


@pytest.mark.usefixtures("once")
def test_a_program_that_the_server_lost_is_a_refusal(server: DatasetServer) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    server.programs.clear()
    with pytest.raises(ApiProblem, match="Not found"):
        dataset.benchmark("one").program()


def test_a_file_that_was_damaged_in_the_cache_is_replaced(server: DatasetServer, tmp_path: Path) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    good = dataset.benchmark("one").program()
    (path,) = kept(tmp_path)
    path.write_bytes(b"oh")
    assert dataset.benchmark("one").program() == good
    assert path.read_bytes() == good


def test_threads_that_need_the_same_program_download_it_once(server: DatasetServer) -> None:
    one = RemoteDataset("remote-v0", server.url).benchmark("one")
    server.seconds = 0.2
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: one.program(), range(8)))
    assert set(found) == {server.programs["remote-v0", "one"]}
    assert server.count("/bitcode/") == 1


def test_processes_that_need_the_same_program_download_it_once(server: DatasetServer, tmp_path: Path) -> None:
    server.seconds = 0.5
    script = (
        "import sys; from optarena.datasets import RemoteDataset\n"
        "dataset = RemoteDataset('remote-v0', sys.argv[1])\n"
        "print([one.sha256 for one in dataset if one.program()])"
    )
    command = [sys.executable, "-c", script, server.url]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(3)]
    outputs = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    digests = [hashlib.sha256(one).hexdigest() for one in server.programs.values()]
    assert outputs == {f"{digests}\n"}
    assert server.count("/bitcode/") == 4
    assert sorted(path.name for path in kept(tmp_path)) == sorted(digests)


def test_a_killed_process_leaves_no_lock_and_no_program(server: DatasetServer, tmp_path: Path) -> None:
    server.seconds = 2.0
    script = (
        "import sys; from optarena.datasets import RemoteDataset\n"
        "dataset = RemoteDataset('remote-v0', sys.argv[1])\n"
        "print('begins', flush=True); dataset.benchmark('one').program()"
    )
    with subprocess.Popen([sys.executable, "-c", script, server.url], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        threading.Event().wait(0.5)
        process.kill()
    assert kept(tmp_path) == []
    server.seconds = 0.0
    assert RemoteDataset("remote-v0", server.url).benchmark("one").program()


def test_the_cache_is_bounded_and_keeps_what_was_used_last(
    server: DatasetServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_DATASET_CACHE_BYTES", "3000")
    dataset = RemoteDataset("remote-v0", server.url)
    for age, name in ((30, "one"), (20, "two"), (10, "sub/three")):
        dataset.benchmark(name).program()
        (path,) = [one for one in kept(tmp_path) if one.name == dataset.benchmark(name).sha256]
        os.utime(path, (path.stat().st_atime - age,) * 2)
    assert len(kept(tmp_path)) == 3
    dataset.benchmark("one").program()  # which is now the one that was used last
    dataset.benchmark("four").program()
    names = {path.name for path in kept(tmp_path)}
    assert dataset.benchmark("four").sha256 in names
    assert dataset.benchmark("one").sha256 in names
    assert dataset.benchmark("two").sha256 not in names
    assert sum(path.stat().st_size for path in kept(tmp_path)) <= 3000


@pytest.mark.parametrize("limit", ["0", "999"])
def test_what_has_no_room_is_used_and_not_kept(
    limit: str, server: DatasetServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_DATASET_CACHE_BYTES", limit)
    assert RemoteDataset("remote-v0", server.url).benchmark("one").program()
    assert kept(tmp_path) == []


@pytest.mark.parametrize("limit", ["-1", "2G", "1e9", "\u0661", "9" * 5000])
def test_a_limit_that_is_no_number_is_refused(
    limit: str, server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_DATASET_CACHE_BYTES", limit)
    with pytest.raises(InvalidInput, match="OPTARENA_DATASET_CACHE_BYTES"):
        RemoteDataset("remote-v0", server.url).benchmark("one").program()


def test_a_cache_that_cannot_be_written_is_done_without(server: DatasetServer, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    dataset = RemoteDataset("remote-v0", server.url, cache=tmp_path / "file/cache")
    assert dataset.benchmark("one").program() == server.programs["remote-v0", "one"]


def test_benchmarks_can_be_copied_and_pickled(server: DatasetServer) -> None:
    one = RemoteDataset("remote-v0", server.url).benchmark("one")
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)).program() == one.program()  # noqa: S301 # made here
