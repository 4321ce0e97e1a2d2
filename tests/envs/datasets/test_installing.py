"""Installing a server's dataset: all of it appears at once, checked, whatever the server sends."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.client import DownloadDamaged, ServerUnreachable
from optarena.datasets import Dataset, RemoteDataset, datasets
from optarena.errors import InvalidInput
from tests.kit.dataset_server import Answer, DatasetServer, archive, make_dataset

pytestmark = pytest.mark.usefixtures("own_folders")


def files(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


@pytest.mark.parametrize("has_archive", [True, False])
def test_what_is_installed_is_what_was_published(
    has_archive: bool,  # noqa: FBT001 # a parameter of the test
    server: DatasetServer,
    tmp_path: Path,
) -> None:
    if not has_archive:
        server.archives.clear()
    told: list[tuple[int, int]] = []
    folder = RemoteDataset("remote-v0", server.url).install(progress=lambda *done: told.append(done))
    assert folder == tmp_path / "site/datasets/remote-v0"
    assert files(folder) == files(tmp_path / "made/remote-v0")
    assert [path.name for path in folder.parent.iterdir()] == ["remote-v0"]
    assert server.count("/bitcode/") == (0 if has_archive else 4)
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]


def test_what_is_installed_is_found_without_a_server(server: DatasetServer) -> None:
    assert "remote-v0" not in datasets()
    RemoteDataset("remote-v0", server.url).install()
    assert "remote-v0" in datasets()
    assert "remote-v0" in datasets().names
    here = datasets()["remote-v0"]
    assert type(here) is Dataset
    assert here.benchmark("sub/three").program() == server.programs["remote-v0", "sub/three"]


def test_installing_again_downloads_only_what_is_damaged(server: DatasetServer, tmp_path: Path) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    folder = dataset.install(tmp_path / "mine")
    (folder / "blobs/one.bc").write_bytes(b"oh")
    (folder / "blobs/two.bc").unlink()
    dataset.install(tmp_path / "mine")
    assert files(folder) == files(tmp_path / "made/remote-v0")
    assert (server.count("/archive/"), server.count("/bitcode/")) == (1, 2)


def test_a_folder_with_something_else_is_left_alone(server: DatasetServer, tmp_path: Path) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    other = make_dataset(tmp_path / "other/remote-v0", "one")
    before = files(other)
    with pytest.raises(InvalidInput, match="another edition of remote-v0") as caught:
        dataset.install(other)
    assert caught.value.field == "to"
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes").touch()
    for place in (tmp_path / "full", tmp_path / "full/notes", tmp_path / "full/notes/below"):
        with pytest.raises(InvalidInput, match="cannot be written"):
            dataset.install(place)
    assert server.count("/archive/") == server.count("/bitcode/") == 0
    assert files(other) == before
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes"]


def test_an_empty_folder_is_filled(server: DatasetServer, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    RemoteDataset("remote-v0", server.url).install(tmp_path / "empty")
    assert "manifest.json" in files(tmp_path / "empty")


def test_a_deprecation_is_installed_also_when_it_comes_later(server: DatasetServer, tmp_path: Path) -> None:
    server.deprecated["remote-v0"] = "Wrong. Use other-v0 instead."
    folder = RemoteDataset("remote-v0", server.url).install()
    assert Dataset.from_folder(folder).deprecated == "Wrong. Use other-v0 instead."
    assert "remote-v0" in datasets().deprecated
    server.deprecated.clear()
    dataset = RemoteDataset("remote-v0", server.url)
    assert Dataset.from_folder(dataset.install(tmp_path / "mine")).deprecated == ""
    server.deprecated["remote-v0"] = "Old."
    RemoteDataset("remote-v0", server.url).install(tmp_path / "mine")
    assert Dataset.from_folder(tmp_path / "mine").deprecated == "Old."


def test_parts_of_other_folders_are_left_alone(server: DatasetServer, tmp_path: Path) -> None:
    other = tmp_path / "site/.ax.0123.part"
    other.mkdir(parents=True)
    os.utime(other, (time.time() - 100_000,) * 2)
    RemoteDataset("remote-v0", server.url).install(tmp_path / "site/a[xy]")
    RemoteDataset("remote-v0", server.url).install(tmp_path / "site/*")
    assert other.exists()


@pytest.mark.parametrize("to", [5, "~nobody-of-this-name/x"])
def test_a_folder_is_a_path(to: str, server: DatasetServer) -> None:
    with pytest.raises(InvalidInput, match="path of a folder"):
        RemoteDataset("remote-v0", server.url).install(to)


def member(name: str, content: bytes = b"", **fields: object) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as tar:
        info = tarfile.TarInfo(name)
        info.size = len(content)
        for key, value in fields.items():
            setattr(info, key, value)
        tar.addfile(info, io.BytesIO(content))
    return made.getvalue()


def _members(server: DatasetServer) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(server.archives["remote-v0"])) as tar:
        return {one.name: tar.extractfile(one).read() for one in tar}


ONE = "remote-v0/blobs/one.bc"
BAD: dict[str, tuple[Callable[[dict[str, bytes]], bytes], str]] = {
    "outside": (lambda good: archive({**good, "remote-v0/../../out": b"x"}), r"\.\./\.\./out"),
    "absolute": (lambda good: archive({"/tmp/out": b"x", **good}), "/tmp/out"),  # noqa: S108 # it is refused
    "extra": (lambda good: archive({**good, "remote-v0/extra": b"x"}), "remote-v0/extra"),
    "another-folder": (lambda good: archive({"x/manifest.json": b"x", **good}), "x/manifest.json"),
    "wrong-hash": (lambda good: archive({**good, ONE: b"x" * 1000}), f"{ONE}' has the sha256"),
    "too-large": (
        lambda good: archive({**good, ONE: good[ONE] + b"x"}),
        f"{ONE}' has 1001 bytes instead of 1000",
    ),
    "too-small": (lambda good: archive({**good, ONE: b""}), f"{ONE}' has 0 bytes"),
    "missing": (lambda good: archive({k: v for k, v in good.items() if k != ONE}), f"{ONE}' is missing"),
    "other-manifest": (
        lambda good: archive({**good, "remote-v0/manifest.json": b"{}"}),
        "manifest.json' has 2",
    ),
    "twice": (lambda good: archive(good)[:-10240] + archive(good), "appears twice"),
    "link": (
        lambda _: member(ONE, type=tarfile.SYMTYPE, linkname="/etc/passwd"),
        f"{ONE}' is not a regular file",
    ),
    "hard-link": (lambda _: member(ONE, type=tarfile.LNKTYPE, linkname="../x"), "not a regular file"),
    "folder": (lambda _: member("remote-v0", type=tarfile.DIRTYPE), "remote-v0' is not one"),
    "device": (lambda _: member(ONE, type=tarfile.CHRTYPE), "not a regular file"),
    "pipe": (lambda _: member(ONE, type=tarfile.FIFOTYPE), "not a regular file"),
    "no-archive": (lambda _: b"<html>" * 200, "cannot be read"),
    "cut-off": (lambda good: archive(good)[:1500], "cannot be read|is missing"),
    "nothing": (lambda _: b"", "cannot be read|is missing"),
    "endless": (lambda _: b"\0" * 200_000, "sends more than"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_archive_is_refused_and_leaves_nothing(
    kind: str, server: DatasetServer, tmp_path: Path
) -> None:
    spoil, expected = BAD[kind]
    server.archives["remote-v0"] = spoil(_members(server))
    with pytest.raises(DownloadDamaged, match=expected):
        RemoteDataset("remote-v0", server.url).install()
    assert list((tmp_path / "site").rglob("*")) == [tmp_path / "site/datasets"]
    assert not Path("/tmp/out").exists()  # noqa: S108 # as above
    assert "remote-v0" not in datasets()


def test_an_archive_of_long_names_alone_is_refused(server: DatasetServer, tmp_path: Path) -> None:
    server.add(make_dataset(tmp_path / "made/large-v0", "one", size=1_000_000))
    info = tarfile.TarInfo("././@LongLink")
    info.type = tarfile.GNUTYPE_LONGNAME
    server.archives["large-v0"] = info.tobuf(tarfile.GNU_FORMAT) * 1_500
    with pytest.raises(DownloadDamaged, match="cannot be read"):
        RemoteDataset("large-v0", server.url).install()


@given(place=st.integers(0, 10_000), value=st.integers(0, 255))
def test_a_changed_byte_is_never_installed(
    place: int, value: int, server: DatasetServer, tmp_path: Path
) -> None:
    good = server.archives["remote-v0"]
    bad = bytearray(good)
    bad[place % len(bad)] = value
    server.archives["remote-v0"] = bytes(bad)
    folder = tmp_path / "fuzzed"
    try:
        RemoteDataset("remote-v0", server.url).install(folder)
        assert files(folder) == files(tmp_path / "made/remote-v0")
    except DownloadDamaged:
        assert not folder.exists()
    finally:
        server.archives["remote-v0"] = good
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.usefixtures("once")
def test_a_bad_program_is_refused_and_leaves_nothing(server: DatasetServer, tmp_path: Path) -> None:
    server.archives.clear()
    server.programs["remote-v0", "two"] = b"x" * 1000
    with pytest.raises(DownloadDamaged, match="benchmark://remote-v0/two"):
        RemoteDataset("remote-v0", server.url).install()
    assert list((tmp_path / "site").rglob("*")) == [tmp_path / "site/datasets"]


@pytest.mark.usefixtures("once")
def test_without_the_server_what_was_kept_is_installed(server: DatasetServer, tmp_path: Path) -> None:
    dataset = RemoteDataset("remote-v0", server.url)
    for one in list(dataset)[1:]:
        one.program()
    server.spoilt = lambda _path, _answer: Answer(503, b"{}")
    with pytest.raises(ServerUnreachable, match=r"Offline.*benchmark://remote-v0/one"):
        dataset.install()
    server.spoilt = lambda _path, answer: answer
    dataset.benchmark("one").program()
    server.spoilt = lambda _path, _answer: Answer(503, b"{}")
    assert files(dataset.install()) == files(tmp_path / "made/remote-v0")


@pytest.mark.soak
def test_processes_that_install_the_same_at_a_time_all_succeed(server: DatasetServer, tmp_path: Path) -> None:
    script = (
        "import sys; from optarena.datasets import RemoteDataset\n"
        "RemoteDataset('remote-v0', sys.argv[1]).install()"
    )
    command = [sys.executable, "-c", script, server.url]
    running = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait(60) for process in running] == [0, 0]
    assert files(tmp_path / "site/datasets/remote-v0") == files(tmp_path / "made/remote-v0")
    assert [path.name for path in (tmp_path / "site/datasets").iterdir()] == ["remote-v0"]


def test_what_a_killed_process_left_goes_later(server: DatasetServer, tmp_path: Path) -> None:
    left = tmp_path / "site/datasets/.remote-v0.0123.part"
    left.parent.mkdir(parents=True)
    make_dataset(tmp_path / "half-v0", "one").rename(left)
    assert left.name not in datasets().names
    RemoteDataset("remote-v0", server.url).install()
    assert left.exists()
    os.utime(left, (time.time() - 100_000,) * 2)
    RemoteDataset("remote-v0", server.url).install(tmp_path / "site/datasets/again/remote-v0")
    assert left.exists()  # it is another folder's
    folder = tmp_path / "site/datasets/remote-v0"
    folder.rename(tmp_path / "away")
    RemoteDataset("remote-v0", server.url).install()
    assert not left.exists()
