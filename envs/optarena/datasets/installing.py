"""Installing a server's dataset as a whole: the folder appears complete and checked, or not at all.

The server's archive is read as if its author were hostile: only regular files that the manifest names, each
once and of the size and sha256 that the manifest says, are written, under the manifest's names. Nothing else
of a member is used: no owner, mode, link or path.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import io
import json
import os
import secrets
import shutil
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import quote

from optarena import paths
from optarena.client_answers import ApiProblem, ClientError, DownloadDamaged
from optarena.datasets.base import named_folder
from optarena.datasets.dataset import read_program
from optarena.datasets.manifest import DEPRECATED_NAME, MANIFEST_NAME
from optarena.datasets.store import write_whole
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from optarena.datasets.manifest import ManifestBenchmark
    from optarena.datasets.remote import RemoteDataset

    Progress = Callable[[int, int], None]

PARALLEL: Final = 4
_PIECE: Final = 1024**2
# The most that a member adds: its header, one for a long name, and the padding of its last block.
_HEADERS_BYTES: Final = 8_192
_NO_ARCHIVE: Final = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED}
_ABANDONED_SECONDS: Final = 86_400


def install(dataset: RemoteDataset, to: Path | str | None, progress: Progress) -> Path:
    """See ``RemoteDataset.install``."""
    folder = default_folder(dataset.name) if to is None else named_folder(to, "folder", "to")
    try:
        if (folder / MANIFEST_NAME).exists():
            _repair(dataset, folder)
        else:
            _install(dataset, folder, progress)
    except OSError as error:
        message = f"The dataset {dataset.name} cannot be written to {folder}: {error.strerror or error}."
        needed = sum(entry.size_bytes for entry in dataset.manifest.benchmarks)
        remedy = f"Name a folder that does not exist yet, with room for {needed} bytes."
        raise InvalidInput(message, field="to", value=str(folder), remedy=remedy) from error
    return folder


def default_folder(name: str) -> Path:
    """Where a dataset is installed by default."""
    return paths.site_data() / "datasets" / name


def note_deprecation(dataset: RemoteDataset, folder: Path) -> None:
    """Write next to an installed manifest why the dataset should no longer be used, if it is deprecated."""
    if dataset.deprecated and not (folder / DEPRECATED_NAME).exists():
        content = json.dumps({"reason": dataset.deprecated}, ensure_ascii=False) + "\n"
        (folder / DEPRECATED_NAME).write_text(content, encoding="utf-8")


def holds(dataset: RemoteDataset, folder: Path) -> bool:
    """Whether a folder has the whole dataset, with every program as the manifest says."""
    return _has_manifest(dataset, folder) and not any(_wrong(dataset, folder))


def _has_manifest(dataset: RemoteDataset, folder: Path) -> bool:
    with contextlib.suppress(OSError):
        return (folder / MANIFEST_NAME).read_bytes() == dataset.document
    return False


def _wrong(dataset: RemoteDataset, folder: Path) -> Iterator[ManifestBenchmark]:
    for entry in _files(dataset).values():
        content = None
        with contextlib.suppress(OSError):
            content = read_program(folder / entry.file, entry.size_bytes)
        if content is None or hashlib.sha256(content).hexdigest() != entry.sha256:
            yield entry


def _files(dataset: RemoteDataset) -> dict[str, ManifestBenchmark]:
    # Several entries may share a file.
    return {entry.file: entry for entry in dataset.manifest.benchmarks}


def _repair(dataset: RemoteDataset, folder: Path) -> None:
    if not _has_manifest(dataset, folder):
        message = f"The folder {folder} holds another dataset, or another edition of {dataset.name}."
        remedy = "Name another folder, or remove this one."
        raise InvalidInput(message, field="to", value=str(folder), remedy=remedy)
    for entry in list(_wrong(dataset, folder)):
        target = folder / entry.file
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, dataset.remote_program(entry)())
    note_deprecation(dataset, folder)


def _install(dataset: RemoteDataset, folder: Path, progress: Progress) -> None:
    if folder.exists() and any(folder.iterdir()):  # before anything is downloaded
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY))
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Processes that died while they installed this dataset have left their parts.
    for left in folder.parent.glob(f".{glob.escape(folder.name)}.*.part"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _ABANDONED_SECONDS:
                shutil.rmtree(left, ignore_errors=True)
    part = folder.with_name(f".{folder.name}.{secrets.token_hex(8)}.part")
    part.mkdir()
    try:
        if not _from_archive(dataset, part, progress):
            _from_programs(dataset, part, progress)
        (part / MANIFEST_NAME).write_bytes(dataset.document)
        note_deprecation(dataset, part)
        try:
            part.rename(folder)
        except OSError:
            if not holds(dataset, folder):  # otherwise another process was faster
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _from_archive(dataset: RemoteDataset, folder: Path, progress: Progress) -> bool:
    # False if the archive or the server is unavailable.
    from optarena.datasets.remote import is_absence  # noqa: PLC0415 # it imports this module

    files = _files(dataset)
    content = len(dataset.document) + sum(entry.size_bytes for entry in files.values())
    limit = content + _HEADERS_BYTES * (len(files) + 2)
    path = folder / ".archive"
    try:
        with _Counted(path, lambda done: progress(min(done, content), content)) as archive:
            address = f"datasets/{quote(dataset.name, safe='')}/archive/"
            dataset.source.client.download(address, archive, limit=limit)
            archive.seek(0)
            _extract(dataset, archive, folder)
    except ClientError as error:
        is_refused = isinstance(error, ApiProblem) and error.status in _NO_ARCHIVE
        if not is_refused and not is_absence(error):
            raise
        return False
    finally:
        path.unlink(missing_ok=True)
    return True


class _Counted(io.BufferedRandom):
    def __init__(self, path: Path, told: Callable[[int], None]) -> None:
        super().__init__(io.FileIO(path, "x+b"))
        self._told = told

    def write(self, data: bytes, /) -> int:  # type: ignore[override] # only bytes are written here
        count = super().write(data)
        self._told(self.tell())
        return count


def _extract(dataset: RemoteDataset, archive: IO[bytes], folder: Path) -> None:
    manifest = (len(dataset.document), hashlib.sha256(dataset.document).hexdigest())
    wanted = {file: (entry.size_bytes, entry.sha256) for file, entry in _files(dataset).items()}
    wanted[MANIFEST_NAME] = manifest
    left = {f"{dataset.name}/{file}": file for file in wanted}
    place = f"The archive of {dataset.name} from {dataset.url}"
    try:
        with tarfile.open(fileobj=archive, mode="r:") as tar:
            for member in tar:
                file = left.pop(member.name, None)
                problem = "is not one of the manifest's files, or appears twice"
                if file is not None:
                    problem = _written(tar, member, folder / file, *wanted[file])
                if problem:
                    message = f"{place} cannot be used: its member {member.name[:200]!r} {problem}. "
                    raise DownloadDamaged(f"{message}Nothing of it was kept.")
    except (tarfile.TarError, EOFError, ValueError, OverflowError, LookupError, RecursionError) as error:
        message = f"{place} cannot be read: {error}. Nothing of it was kept; try again."
        raise DownloadDamaged(message) from error
    if left:
        raise DownloadDamaged(f"{place} cannot be used: {next(iter(left))!r} is missing. Nothing was kept.")


def _written(tar: tarfile.TarFile, member: tarfile.TarInfo, target: Path, size: int, sha256: str) -> str:
    # Returns what is wrong with the member.
    if not member.isreg():
        return "is not a regular file"
    if member.size != size:
        return f"has {member.size} bytes instead of {size}"
    source = tar.extractfile(member)
    if source is None:
        return "has no content"
    digest = hashlib.sha256()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as file:
        while piece := source.read(_PIECE):
            digest.update(piece)
            file.write(piece)
    return "" if digest.hexdigest() == sha256 else f"has the sha256 {digest.hexdigest()} instead of {sha256}"


def _from_programs(dataset: RemoteDataset, folder: Path, progress: Progress) -> None:
    # Those in the cache are not downloaded.
    entries = list(_files(dataset).values())
    total = sum(entry.size_bytes for entry in entries)

    def write(entry: ManifestBenchmark) -> int:
        target = folder / entry.file
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.write_bytes(dataset.remote_program(entry)())

    done = 0
    with ThreadPoolExecutor(PARALLEL) as pool:
        try:
            for size in pool.map(write, entries):
                done += size
                progress(done, total)
        except BaseException:  # KeyboardInterrupt too: do not begin the others
            pool.shutdown(wait=False, cancel_futures=True)
            raise
