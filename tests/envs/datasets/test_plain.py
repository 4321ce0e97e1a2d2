"""A dataset's folder may hold pipes, devices and files of any size: it cannot hang who reads it."""

from __future__ import annotations

import errno
import os
import pickle
import shutil
from typing import TYPE_CHECKING

import pytest

from optarena import limits
from optarena.datasets import Dataset, Datasets
from optarena.datasets import manifest as module
from optarena.datasets.manifest import leads_out, read_plain
from optarena.errors import InvalidInput
from tests.kit.dataset_server import make_dataset

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.timeout(30)

ODD: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": lambda path: path.mkdir(),
    "circle": lambda path: path.symlink_to(path.name),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("odd-v0", "plain-v0"):
        make_dataset(tmp_path / name, "one", "two")
    return tmp_path / "odd-v0"


@pytest.mark.parametrize("kind", ODD)
@pytest.mark.parametrize("name", ["manifest.json", "deprecated.json"])
def test_a_dataset_whose_documents_are_no_files_is_refused(folder: Path, name: str, kind: str) -> None:
    (folder / name).unlink(missing_ok=True)
    ODD[kind](folder / name)
    known = Datasets([folder.parent])
    if kind == "circle":  # which leads to no file, so that there is none
        assert "plain-v0" in known.names
        return
    with pytest.raises(InvalidInput, match=rf"odd-v0/{name}: .*cannot be read: "):
        known.find("odd-v0")
    assert len(known.find("plain-v0")) == 2


@pytest.mark.parametrize("kind", ODD)
def test_a_program_that_is_no_file_cannot_be_read(folder: Path, kind: str) -> None:
    benchmark = Dataset.from_folder(folder).benchmark("one")
    file = next(path for path in folder.rglob("*one*") if path.is_file())
    file.unlink()
    ODD[kind](file)
    with pytest.raises(OSError, match=r"not a regular file|Is a directory|symbolic links"):
        benchmark.program()


def test_a_program_of_another_size_is_damaged(folder: Path) -> None:
    benchmark = Dataset.from_folder(folder).benchmark("one")
    assert pickle.loads(pickle.dumps(benchmark)).program() == benchmark.program()  # noqa: S301 # our own
    file = next(path for path in folder.rglob("*one*") if path.is_file())
    os.truncate(file, 1 << 40)  # which takes no room
    with pytest.raises(InvalidInput, match=rf"damaged: it has more than the {benchmark.size_bytes} bytes"):
        benchmark.program()


def test_no_document_is_read_beyond_its_limit(folder: Path) -> None:
    (folder / "deprecated.json").write_text(" " * (limits.MAX_DEPRECATED_BYTES + 1))
    with pytest.raises(InvalidInput, match=r"deprecated\.json: .*it has more than 65536 bytes"):
        Datasets([folder.parent]).find("odd-v0")
    os.truncate(folder / "manifest.json", 1 << 40)
    with pytest.raises(InvalidInput, match=r"manifest\.json: .*it has more than 67108864 bytes"):
        Datasets([folder.parent]).find("odd-v0")


def test_a_limit_is_exact_and_may_be_any_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_PIECE", 3)
    file = tmp_path / "file"
    file.write_bytes(b"0123456789")
    assert read_plain(file, 10) == read_plain(file, 10**30) == b"0123456789"
    for limit in (9, 8, 0):
        with pytest.raises(OSError, match="it has more than") as caught:
            read_plain(file, limit)
        assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(file))
    file.write_bytes(b"")
    assert read_plain(file, 0) == b""


def test_a_dataset_may_be_a_link(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.move(folder, tmp_path / "elsewhere/odd-v0")
    folder.symlink_to(tmp_path / "elsewhere/odd-v0")
    dataset = Datasets([folder.parent]).find("odd-v0")
    assert all(one.program() for one in dataset)


def test_a_link_out_of_a_folder_is_told_from_others(folder: Path, tmp_path: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/inside").symlink_to("../manifest.json")
    (folder / "outside").symlink_to("/etc/passwd")
    (folder / "namesake").symlink_to(tmp_path / "odd-v0x")
    (folder / "through").symlink_to("/etc")
    (tmp_path / "link-v0").symlink_to(folder)
    for place in (folder, tmp_path / "link-v0"):
        assert not leads_out(place, "manifest.json")
        assert not leads_out(place, "sub/inside")
        assert not leads_out(place, "missing")
        assert all(leads_out(place, one) for one in ("outside", "namesake", "through/passwd"))
