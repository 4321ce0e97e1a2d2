"""Datasets of a server by name alone: asked for once, of whatever kind, and only if they are not here."""

from __future__ import annotations

import json
import pickle
import warnings
from typing import TYPE_CHECKING

import gymnasium
import pytest

from optarena.client import ClientError, ServerUnreachable
from optarena.datasets import (
    BUILTIN,
    Benchmark,
    DatasetProgram,
    ParametricDataset,
    RemoteDataset,
    datasets,
    remote_dataset,
    write_manifest,
)
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import canonical_json
from tests.kit.dataset_server import Answer, serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.dataset_server import DatasetServer

pytestmark = pytest.mark.usefixtures("own_folders")
NOBODY = "http://127.0.0.1:9"


@pytest.mark.parametrize("rows", [b'{"results": [5]}', b'{"results": [{}]}', b"{}", b"[]", b"x"])
def test_a_list_that_is_none_only_proposes_nothing(rows: bytes, server: DatasetServer) -> None:
    server.spoilt = lambda path, answer: Answer(200, rows) if path.endswith("/datasets/") else answer
    with pytest.raises(UnknownName, match="There is no dataset 'remotes-v0'"):
        RemoteDataset("remotes-v0", server.url)


def test_a_server_without_manifests_is_told_from_one_without_the_dataset(server: DatasetServer) -> None:
    server.spoilt = lambda path, answer: Answer(404, b"{}") if path.endswith("/manifest/") else answer
    with pytest.raises(ClientError, match="an older version of OptArena"):
        RemoteDataset("remote-v0", server.url)


def test_a_name_that_is_not_installed_is_asked_for_once(
    server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_what_is_no_other_datasets_is_not_asked_for(
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


def test_pickling_ones_own_benchmark_asks_no_server(
    server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
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


def test_a_deprecated_dataset_of_a_server_warns(
    server: DatasetServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_URL", server.url)
    server.deprecated["remote-v0"] = "Wrong. Use other-v0 instead."
    with pytest.warns(OptArenaDeprecationWarning, match="remote-v0 is deprecated: Wrong. Use other-v0"):
        datasets()["remote-v0"]


class TestRanges:
    loops = ParametricDataset(
        name="loops-v0",
        title="Loops",
        description="A loop of n steps.",
        licence="MIT",
        domain="loops",
        language="C",
        low=3,
        high=7,
    )

    def test_a_range_is_made_of_its_definition(self, server: DatasetServer) -> None:
        server.manifests["loops-v0"] = canonical_json(self.loops.definition()).encode()
        assert remote_dataset("loops-v0", server.url) == self.loops
        with pytest.raises(InvalidInput, match="range"):
            RemoteDataset("loops-v0", server.url)

    def test_one_that_is_installed_is_given(self, server: DatasetServer) -> None:
        own = datasets()["loop_tool-cpu-v0"]
        assert isinstance(own, ParametricDataset)
        server.manifests[own.name] = canonical_json(own.definition()).encode()
        assert remote_dataset(own.name, server.url) is own

    @pytest.mark.parametrize("change", [{"released": "2027-01-01"}, {"title": "Put better"}])
    def test_what_says_nothing_of_the_members_may_differ(
        self, change: dict[str, object], server: DatasetServer
    ) -> None:
        own = datasets()["loop_tool-cpu-v0"]
        assert isinstance(own, ParametricDataset)
        for one in (own, self.loops):
            server.manifests[one.name] = json.dumps({**one.definition(), **change}).encode()
            assert len(remote_dataset(one.name, server.url)) == len(one)

    @pytest.mark.parametrize("change", [{"revision": 2}, {"parameter": {}}, {"title": ""}, {"sha256": "0"}])
    def test_one_that_needs_other_code_is_refused(
        self, change: dict[str, object], server: DatasetServer
    ) -> None:
        definition = {**self.loops.definition(), **change}
        server.manifests["loops-v0"] = json.dumps(definition).encode()
        with pytest.raises(InvalidInput, match="needs code that this installation does not have"):
            remote_dataset("loops-v0", server.url)

    def test_a_stored_one_is_a_remote_dataset(self, server: DatasetServer) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert isinstance(remote_dataset("remote-v0", server.url), RemoteDataset)


def test_the_kernels_are_the_same_from_a_server() -> None:
    with serving(BUILTIN / "kernels-v0") as server:
        there = RemoteDataset("kernels-v0", server.url)
        here = datasets()["kernels-v0"]
        assert list(there) == list(here)
        assert [one.program() for one in there] == [one.program() for one in here]
