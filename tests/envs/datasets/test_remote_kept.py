"""What is kept of a server's datasets, and what is taken from one that lies about sizes."""

from __future__ import annotations

import json
import socket
import time
from typing import TYPE_CHECKING, Any

import pytest

from optarena import limits
from optarena.client import ServerUnreachable
from optarena.datasets import RemoteDataset, remote
from optarena.errors import InvalidInput
from tests.kit.dataset_server import Answer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.kit.dataset_server import DatasetServer

pytestmark = pytest.mark.usefixtures("own_folders")


def kept(folder: Path) -> Path:
    (path,) = (folder / "cache/remote/manifests").glob("*/*")
    return path


def without_deprecation(path: str, answer: Answer) -> Answer:
    return Answer(503, b"{}") if path.endswith("/remote-v0/") else answer


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
    server.spoilt = without_deprecation
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
    began = time.monotonic()
    assert RemoteDataset("remote-v0", server.url).is_offline
    assert time.monotonic() - began < 1
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
    assert time.monotonic() - began < 2
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
    path = kept(tmp_path)
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


def test_a_dataset_that_is_too_large_is_refused(
    server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
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
