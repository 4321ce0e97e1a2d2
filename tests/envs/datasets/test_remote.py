"""Datasets of a server, also by name alone: checked, kept, shared, bounded, usable without the server."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

from optarena import limits
from optarena.client import ApiProblem, ClientError, DownloadDamaged, ServerUnreachable
from optarena.datasets import (
    Benchmark,
    DatasetProgram,
    ParametricDataset,
    RemoteDataset,
    datasets,
    remote,
    remote_dataset,
    write_manifest,
)
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import canonical_json
from tests.kit.dataset_server import LOOPS, Answer, DatasetServer, make_dataset, serving

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
    dataset = RemoteDataset("remote-v0", server.url, timeout=1.0)
    server.seconds = 3.0
    with pytest.raises(ServerUnreachable, match="timed out"):
        dataset.benchmark("one").program()


@pytest.mark.usefixtures("once")
def test_a_server_that_sends_byte_after_byte_is_not_waited_for_either(server: DatasetServer) -> None:
    dataset = RemoteDataset("remote-v0", server.url, timeout=1.0)

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
def test_a_wrong_manifest_is_never_kept(body: bytes, server: DatasetServer, tmp_path: Path) -> None:
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


def test_processes_that_need_the_same_program_download_it_once(server: DatasetServer, tmp_path: Path) -> None:
    server.seconds = 0.2
    script = (
        "import sys; from optarena.datasets import RemoteDataset\n"
        "dataset = RemoteDataset('remote-v0', sys.argv[1])\n"
        "print([one.sha256 for one in dataset if one.program()])"
    )
    command = [sys.executable, "-c", script, server.url]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = {process.communicate(timeout=60)[0] for process in running}
    assert [process.returncode for process in running] == [0, 0]
    digests = [hashlib.sha256(one).hexdigest() for one in server.programs.values()]
    assert outputs == {f"{digests}\n"}
    assert server.count("/bitcode/") == 4
    assert sorted(path.name for path in kept(tmp_path)) == sorted(digests)


def test_a_killed_process_leaves_no_lock_and_no_program(server: DatasetServer, tmp_path: Path) -> None:
    server.seconds = 60.0
    script = (
        "import sys; from optarena.datasets import RemoteDataset\n"
        "dataset = RemoteDataset('remote-v0', sys.argv[1])\n"
        "print('begins', flush=True); dataset.benchmark('one').program()"
    )
    with subprocess.Popen([sys.executable, "-c", script, server.url], stdout=subprocess.PIPE) as process:
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
def test_a_limit_is_a_number(limit: str, server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_DATASET_CACHE_BYTES", limit)
    with pytest.raises(InvalidInput, match="OPTARENA_DATASET_CACHE_BYTES"):
        RemoteDataset("remote-v0", server.url).benchmark("one").program()


def test_benchmarks_can_be_copied_and_pickled(server: DatasetServer) -> None:
    one = RemoteDataset("remote-v0", server.url).benchmark("one")
    assert copy.deepcopy(one) == one
    assert pickle.loads(pickle.dumps(one)).program() == one.program()  # noqa: S301 # made here


def test_a_deprecation_is_asked_for_once_and_kept(server: DatasetServer) -> None:
    server.deprecated["remote-v0"] = "Wrong."
    dataset = RemoteDataset("remote-v0", server.url)
    asked = len(server.asked)
    assert dataset.deprecated == dataset.deprecated == "Wrong."
    assert len(server.asked) == asked
    server.spoilt = lambda _path, _answer: Answer(503, b"{}")
    assert RemoteDataset("remote-v0", server.url).deprecated == "Wrong."


@pytest.mark.usefixtures("once")
def test_a_deprecation_that_the_server_does_not_tell_is_as_before(server: DatasetServer) -> None:
    server.deprecated["remote-v0"] = "Wrong."
    RemoteDataset("remote-v0", server.url)
    server.spoilt = lambda path, answer: Answer(503, b"{}") if path.endswith("/remote-v0/") else answer
    assert RemoteDataset("remote-v0", server.url).deprecated == "Wrong."


def test_a_deprecation_may_end(server: DatasetServer) -> None:
    server.deprecated["remote-v0"] = "Wrong."
    RemoteDataset("remote-v0", server.url)
    server.deprecated.clear()
    assert RemoteDataset("remote-v0", server.url).deprecated == ""


def test_a_server_that_refuses_is_asked_once_where_its_manifest_is_kept(server: DatasetServer) -> None:
    RemoteDataset("remote-v0", server.url)
    server.asked.clear()
    server.spoilt = lambda _path, _answer: Answer(503, b"{}")
    assert RemoteDataset("remote-v0", server.url).is_offline
    assert len(server.asked) == 1


def test_a_silent_server_is_waited_for_shortly_where_its_manifest_is_kept(
    server: DatasetServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(remote, "KEPT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts, and never answers
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        there = remote.Source(server.url, tmp_path / "cache/remote", 1.0)
        here = remote.Source(url, tmp_path / "cache/remote", 1.0)
        here.keep("remote-v0", there.manifest("remote-v0").document, "Wrong.")
        began = time.monotonic()
        dataset = RemoteDataset("remote-v0", url)
    assert time.monotonic() - began < remote.TIMEOUT_SECONDS
    assert (dataset.is_offline, dataset.deprecated) == (True, "Wrong.")


@pytest.mark.parametrize(
    "damage",
    [lambda data: data[:-2], lambda data: data.replace(b"Programs", b"Program$"), lambda _: b"", bytes],
)
@pytest.mark.usefixtures("once")
def test_a_kept_manifest_that_is_damaged_is_asked_for_again(
    damage: Callable[[bytes], bytes], server: DatasetServer, tmp_path: Path
) -> None:
    RemoteDataset("remote-v0", server.url)
    (path,) = (tmp_path / "cache/remote/manifests").glob("*/*")
    good = path.read_bytes()
    path.write_bytes(damage(good))
    is_good = path.read_bytes() == good
    server.asked.clear()
    assert len(RemoteDataset("remote-v0", server.url)) == 4
    assert server.asked[0][1] == (304 if is_good else 200)
    assert path.read_bytes() == good
    path.write_bytes(damage(good))
    server.spoilt = lambda _path, _answer: Answer(503, b"{}")
    if not is_good:
        with pytest.raises(ServerUnreachable, match="Offline"):
            RemoteDataset("remote-v0", server.url)


def changed(server: DatasetServer, **fields: Any) -> None:
    raw = json.loads(server.manifests["remote-v0"])
    raw["benchmarks"][0].update(fields)
    server.manifests["remote-v0"] = json.dumps(raw).encode()


@pytest.mark.parametrize("size", [limits.MAX_BENCHMARK_BYTES + 1, 10**15])
def test_a_program_that_is_larger_than_any_may_be_is_refused(size: int, server: DatasetServer) -> None:
    changed(server, size_bytes=size)
    with pytest.raises(InvalidInput, match=f"size_bytes of benchmark://remote-v0/one is {size}"):
        RemoteDataset("remote-v0", server.url)
    changed(server, size_bytes=limits.MAX_BENCHMARK_BYTES)
    assert len(RemoteDataset("remote-v0", server.url)) == 4


def test_a_too_large_dataset_is_refused(server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("optarena.datasets.remote.MAX_DATASET_BYTES", 3999)
    with pytest.raises(InvalidInput, match="4000 bytes, more than 3999"):
        RemoteDataset("remote-v0", server.url)


@pytest.mark.parametrize(
    ("argument", "value"), [("url", 123), ("cache", 123), ("cache", "~nobody-of-this-name/x")]
)
def test_an_argument_of_another_kind_is_named(argument: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        RemoteDataset("remote-v0", **{"url": "http://127.0.0.1:9", argument: value})
    assert caught.value.field == argument


@pytest.mark.parametrize("rows", [b'{"results": [5]}', b'{"results": [{}]}', b"{}", b"[]", b"x"])
def test_a_list_that_is_none_only_proposes_nothing(rows: bytes, server: DatasetServer) -> None:
    server.spoilt = lambda path, answer: Answer(200, rows) if path.endswith("/datasets/") else answer
    with pytest.raises(UnknownName, match="There is no dataset 'remotes-v0'"):
        RemoteDataset("remotes-v0", server.url)


def test_a_server_without_manifests_is_told_from_one_without_the_dataset(server: DatasetServer) -> None:
    server.spoilt = lambda path, answer: Answer(404, b"{}") if path.endswith("/manifest/") else answer
    with pytest.raises(ClientError, match="an older version of OptArena"):
        RemoteDataset("remote-v0", server.url)


def test_an_unknown_name_is_asked_for_once(server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_URL", server.url)
    assert "remote-v0" not in datasets()
    assert datasets().benchmark("benchmark://remote-v0/two").program()
    assert datasets()["remote-v0"] is datasets()["remote-v0"]
    assert isinstance(datasets()["remote-v0"], RemoteDataset)
    for _ in range(2):
        with pytest.raises(UnknownName, match="kernels-v0"):
            datasets()["kernel-v0"]
        with pytest.raises(UnknownName, match="remote-v0"):
            datasets().benchmark("remotes-v0/two")
    asked = [path for path, _ in server.asked if path.endswith("/manifest/")]
    assert asked == [f"/api/v1/datasets/{name}-v0/manifest/" for name in ("remote", "kernel", "remotes")]


@pytest.mark.parametrize(
    "uri", ["user-v0/x", "kernels-v0/none", "loop_tool-cpu-v0/0", "x.y-v0/a", "nonsense"]
)
def test_other_names_are_not_asked_for(
    uri: str, server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_URL", server.url)
    with pytest.raises(InvalidInput):
        datasets().benchmark(uri)
    assert server.asked == []


def test_without_a_server_the_command_is_named() -> None:
    with pytest.raises(UnknownName, match="optarena datasets download remote-v0"):
        datasets()["remote-v0"]


@pytest.mark.usefixtures("once")
def test_a_server_that_cannot_be_reached_is_told_with_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_URL", NOBODY)
    for _ in range(2):
        with pytest.raises(
            ServerUnreachable, match=r"'remote-v0' is not installed.*127.0.0.1:9 does not"
        ) as caught:
            datasets()["remote-v0"]
        assert isinstance(caught.value, UnknownName)
    with pytest.raises(LookupError, match=r"'kernel-v0' is not installed.*kernels-v0"):
        datasets()["kernel-v0"]


@pytest.mark.parametrize("name", ["a" * 300, "a" * 300 + "-v0", "\ud800", "é" * 200])
def test_a_name_that_no_folder_can_have_is_unknown(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName):
        datasets()[name]
    assert name not in datasets()


def test_pickling_a_benchmark_asks_no_server(server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_URL", server.url)
    data = datasets()["kernels-v0"].benchmark("quicksort").program()
    own = Benchmark.from_bytes("benchmark://secret-project-v0/one", data)
    with gymnasium.make("optarena/llvm-v0", benchmark=own) as env:
        env.reset()
        with pickle.loads(pickle.dumps(env.unwrapped)) as again:  # noqa: S301 - made here
            assert again.benchmark.uri == own.uri
    assert server.asked == []


def test_an_environment_is_made_of_a_servers_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "made/copied-v0"
    folder.mkdir(parents=True)
    entry = datasets()["kernels-v0"].benchmark("quicksort")
    (folder / "quicksort.bc").write_bytes(entry.program())
    program = {"file": "quicksort.bc", "baselines": entry.baselines, "workloads": entry.workloads}
    write_manifest(
        folder,
        title="T",
        description="D",
        licence="MIT",
        programs=[DatasetProgram(**program)],  # type: ignore[arg-type] # as above
    )
    with serving(folder) as server:
        monkeypatch.setenv("OPTARENA_URL", server.url)
        with gymnasium.make("optarena/llvm-ic-v0", benchmark="copied-v0/quicksort") as env:
            _, info = env.reset()
            assert info["benchmark"] == "benchmark://copied-v0/quicksort"


def test_a_servers_deprecated_dataset_warns(server: DatasetServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_URL", server.url)
    server.deprecated["remote-v0"] = "Wrong. Use other-v0 instead."
    with pytest.warns(OptArenaDeprecationWarning, match="remote-v0 is deprecated: Wrong. Use other-v0"):
        datasets()["remote-v0"]


class TestRanges:
    def test_a_range_is_made_of_its_definition(self, server: DatasetServer) -> None:
        server.manifests["loops-v0"] = canonical_json(LOOPS.definition()).encode()
        assert remote_dataset("loops-v0", server.url) == LOOPS
        with pytest.raises(InvalidInput, match="range"):
            RemoteDataset("loops-v0", server.url)

    def test_one_that_is_installed_is_given(self, server: DatasetServer) -> None:
        own = datasets()["loop_tool-cpu-v0"]
        assert isinstance(own, ParametricDataset)
        server.manifests[own.name] = canonical_json(own.definition()).encode()
        assert remote_dataset(own.name, server.url) is own

    @pytest.mark.parametrize("change", [{"released": "2027-01-01"}, {"title": "Put better"}])
    def test_titles_and_dates_may_differ(self, change: dict[str, object], server: DatasetServer) -> None:
        own = datasets()["loop_tool-cpu-v0"]
        assert isinstance(own, ParametricDataset)
        for one in (own, LOOPS):
            server.manifests[one.name] = json.dumps({**one.definition(), **change}).encode()
            assert len(remote_dataset(one.name, server.url)) == len(one)

    @pytest.mark.parametrize("change", [{"revision": 2}, {"parameter": {}}, {"title": ""}, {"sha256": "0"}])
    def test_a_range_of_other_code_is_refused(self, change: dict[str, object], server: DatasetServer) -> None:
        definition = {**LOOPS.definition(), **change}
        server.manifests["loops-v0"] = json.dumps(definition).encode()
        with pytest.raises(InvalidInput, match="needs code that this installation does not have"):
            remote_dataset("loops-v0", server.url)

    def test_a_stored_one_is_a_remote_dataset(self, server: DatasetServer) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert isinstance(remote_dataset("remote-v0", server.url), RemoteDataset)
