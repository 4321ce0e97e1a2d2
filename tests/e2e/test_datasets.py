"""Datasets between the real server and real clients: what is downloaded is what the server was given."""

from __future__ import annotations

import io
import tarfile
from typing import TYPE_CHECKING

import httpx
import pytest
from click.testing import CliRunner

from optarena.cli import main
from optarena.datasets import BUILTIN, RemoteDataset, datasets, remote_dataset

if TYPE_CHECKING:
    from pathlib import Path

    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

NAME = "kernels-v0"


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_remote_dataset_is_the_one_that_the_server_loaded(stack: Stack, tmp_path: Path) -> None:
    remote = RemoteDataset(NAME, stack.url, cache=tmp_path)
    installed = datasets()[NAME]
    assert remote.document == (BUILTIN / NAME / "manifest.json").read_bytes()
    assert [one.uri for one in remote] == [one.uri for one in installed]
    assert remote.benchmark("sha256").program() == installed.benchmark("sha256").program()
    again = RemoteDataset(NAME, stack.url, cache=tmp_path)
    assert again.document == remote.document
    assert not again.is_offline


def test_a_dataset_is_installed_whole_by_the_command_line(stack: Stack, tmp_path: Path) -> None:
    env = {"OPTARENA_URL": stack.url, "OPTARENA_CACHE": str(tmp_path / "cache")}
    arguments = ["datasets", "download", NAME, "--to", str(tmp_path / NAME)]
    result = CliRunner().invoke(main, arguments, env=env)
    assert result.exit_code == 0, result.output
    assert content(tmp_path / NAME) == content(BUILTIN / NAME)


def test_the_archive_has_byte_ranges_and_is_a_tar_of_the_dataset(stack: Stack, tmp_path: Path) -> None:
    address = f"{stack.url}/api/v1/datasets/{NAME}/archive/"
    whole = httpx.get(address)
    part = httpx.get(address, headers={"Range": "bytes=512-1535"})
    unchanged = httpx.get(address, headers={"If-None-Match": whole.headers["ETag"]})
    assert (whole.status_code, part.status_code, unchanged.status_code) == (200, 206, 304)
    assert part.content == whole.content[512:1536]
    with tarfile.open(fileobj=io.BytesIO(whole.content)) as archive:
        archive.extractall(tmp_path, filter="data")
    assert content(tmp_path / NAME) == content(BUILTIN / NAME)


def test_a_range_is_the_installed_one(stack: Stack, tmp_path: Path) -> None:
    assert remote_dataset("loop_tool-cpu-v0", stack.url, cache=tmp_path) == datasets()["loop_tool-cpu-v0"]
