"""Content-addressed bytes behind Django's storage interface: written once, named by their sha256.

Writing the same bytes again changes nothing. A file appears whole or not at all; one that was damaged since
is replaced. A program that a runner replays is hashed again whenever it is read. A file that is downloaded is
hashed once in each process, and again if it was written since: caches keep for a year what they were sent.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.request
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Final, cast

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, storages

from datasets.models import Blob
from optarena.datasets.dataset import media_type
from optarena.errors import OptArenaError


class BlobDamagedError(OptArenaError):
    """Stored bytes are missing or no longer match their hash."""


class DatasetFrozenError(OptArenaError):
    """A frozen dataset version was given a different manifest."""


_FETCH_SECONDS: Final = 30.0  # For how long a server may be silent while it sends a program.
_CHUNK: Final = 1 << 20
_BATCH: Final = 1_000
# A larger file is sent unchecked: a request cannot wait for it, and its receiver has the hash too.
_MOST_HASHED: Final = 256 << 20
_MOST_KNOWN: Final = 10_000
_PART: Final = ".part"  # The end of the name of a file that is being written.
_REMEDY: Final = "load its dataset again."


# Hashed for downloads, by their sha256: which file it was, and whether it was intact.
_known: dict[str, tuple[tuple[int, ...], bool]] = {}


def store(data: bytes, *, kind: str = "") -> Blob:
    # The same bytes are kept once. Their media type is guessed, if `kind` is empty.
    return record([write(data, kind=kind)])[0]


def store_file(file: IO[bytes], *, kind: str) -> Blob:
    # The bytes need not fit into memory.
    size = file.seek(0, 2)
    sha256 = _digest(file)
    _keep(sha256, File(file))
    return record([_row(sha256, size, kind)])[0]


def write(data: bytes, *, kind: str = "") -> Blob:
    # The row is for `record`, which writes many at once.
    sha256 = hashlib.sha256(data).hexdigest()
    _keep(sha256, ContentFile(data))
    return _row(sha256, len(data), kind or media_type(data))


def record(rows: Iterable[Blob]) -> list[Blob]:
    # Rows that are known stay as they are.
    given = list(rows)
    # Sorted: two loads that record the same blobs at once must not wait for each other.
    new = sorted({row.sha256: row for row in given}.values(), key=lambda row: row.sha256)
    Blob.objects.bulk_create(new, batch_size=_BATCH, ignore_conflicts=True)
    return given


def read(blob: Blob) -> bytes:
    # Check the bytes by their hash.
    with open_blob(blob) as file:
        data: bytes = file.read()
    if hashlib.sha256(data).hexdigest() != blob.sha256:
        raise BlobDamagedError(f"The blob {blob.sha256} is damaged; {_REMEDY}")
    return data


def read_or_fetch(blob: Blob, address: str) -> bytes:
    # On a worker that has the server's URL and not its folder, bytes are fetched once, and kept.
    server = settings.OPTARENA_BLOB_URL
    if not server or _holds(blob.storage_key, blob.sha256):
        return read(blob)
    url = f"{server}{address}"
    try:
        with urllib.request.urlopen(url, timeout=_FETCH_SECONDS) as answer:  # noqa: S310 - the setting is http(s)
            data: bytes = answer.read(blob.size_bytes + 1)
    except (OSError, http.client.HTTPException) as error:
        raise BlobDamagedError(f"{url} could not be fetched: {error}") from error
    if hashlib.sha256(data).hexdigest() != blob.sha256:
        raise BlobDamagedError(f"{url} does not have the bytes of the blob {blob.sha256}.")
    _keep(blob.sha256, ContentFile(data))
    return data


def open_blob(blob: Blob) -> File[Any]:
    # Only the length is checked.
    try:
        file: File[Any] = _storage().open(blob.storage_key)
    except OSError as error:
        raise BlobDamagedError(f"The blob {blob.sha256} is missing; {_REMEDY}") from error
    if file.size != blob.size_bytes:
        file.close()
        raise BlobDamagedError(f"The blob {blob.sha256} is damaged; {_REMEDY}")
    return file


def open_for_download(blob: Blob) -> File[Any]:
    # The bytes are checked too, but each file only once, and none that is very large.
    file = open_blob(blob)
    if blob.size_bytes > _MOST_HASHED:
        return file
    found = os.fstat(file.fileno())
    same = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    before, intact = _known.get(blob.sha256, ((), False))
    if before != same:
        intact = _digest(file) == blob.sha256
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[blob.sha256] = same, intact
    if not intact:
        file.close()
        raise BlobDamagedError(f"The blob {blob.sha256} is damaged; {_REMEDY}")
    return file


def fault(blob: Blob) -> str:
    # Empty if the bytes are intact.
    try:
        with open_blob(blob) as file:
            intact = _digest(file) == blob.sha256
    except BlobDamagedError as error:
        return str(error)
    return "" if intact else f"The blob {blob.sha256} is damaged; {_REMEDY}"


def stored_files() -> Iterator[str]:
    # Name every file of the storage, also one without a row.
    storage = _storage()
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            inner, files = storage.listdir(folder)
        except FileNotFoundError:  # nothing was ever stored
            continue
        folders.extend(f"{folder}{name}/" for name in inner)
        yield from (f"{folder}{name}" for name in files)


def written_at(name: str) -> datetime | None:
    # None if the file does not exist.
    try:
        return _storage().get_modified_time(name)
    except FileNotFoundError:
        return None


def remove_file(name: str) -> None:
    _storage().delete(name)


def folder() -> Path:
    # Created where it only keeps what was fetched; elsewhere a missing folder is a mistake.
    path = Path(_storage().location)
    if settings.OPTARENA_BLOB_URL:
        path.mkdir(parents=True, exist_ok=True)
    return path


def folder_fault(error: OSError) -> str:
    # What a command says when the folder of the storage cannot be read or written.
    place = _storage().location
    return (
        f"OPTARENA_BLOB_ROOT: the stored programs in {place} cannot be read or written: {error}. Run the "
        "command where that folder can be written, with room in it and in the folder for temporary files."
    )


def _storage() -> FileSystemStorage:
    return cast("FileSystemStorage", storages["blobs"])


def _row(sha256: str, size: int, kind: str) -> Blob:
    return Blob(sha256=sha256, size_bytes=size, media_type=kind, storage_key=_key(sha256))


def _key(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256}"


def _digest(file: IO[bytes] | File[Any]) -> str:
    # The file is left at its beginning.
    digest = hashlib.sha256()
    file.seek(0)
    while chunk := file.read(_CHUNK):
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _holds(key: str, sha256: str) -> bool:
    storage = _storage()
    if not storage.exists(key):
        return False
    with storage.open(key) as file:
        return _digest(file) == sha256


def _keep(sha256: str, content: File[Any]) -> None:
    # A file gets its name once all of it is on the disk; of several writers of the same, the last wins.
    storage, key = _storage(), _key(sha256)
    path = Path(storage.path(key))
    if _holds(key, sha256):
        path.touch()  # it is not a leftover: somebody is about to refer to it
        return
    written = Path(storage.path(storage.save(f"{key}{_PART}", content)))
    try:
        _flush(written)
        written.replace(path)
    except OSError:
        written.unlink(missing_ok=True)
        raise
    _flush(path.parent)


def _flush(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
