"""Content-addressed bytes behind Django's storage interface: written once, checked whenever read.

A blob's name is its sha256, so writing the same bytes again changes nothing, and a file that a crash
left half-written is noticed and replaced.
"""

from __future__ import annotations

import hashlib

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages

from datasets.errors import BlobDamagedError
from datasets.models import Blob
from optarena.datasets.kinds import media_type


def store(data: bytes) -> Blob:
    """Keep bytes and return their row; the same bytes are kept once."""
    sha256 = hashlib.sha256(data).hexdigest()
    key = _key(sha256)
    storage = _storage()
    if not _holds(storage, key, sha256):
        storage.delete(key)
        _write(storage, key, data, sha256)
    blob, _ = Blob.objects.get_or_create(
        sha256=sha256,
        defaults={"size_bytes": len(data), "media_type": media_type(data), "storage_key": key},
    )
    return blob


def read(blob: Blob) -> bytes:
    """The bytes of a blob.

    Raises:
        BlobDamagedError: The storage lost or changed them.
    """
    try:
        with _storage().open(blob.storage_key) as file:
            data: bytes = file.read()
    except FileNotFoundError as error:
        raise BlobDamagedError(f"The blob {blob.sha256} is missing; load its dataset again.") from error
    if hashlib.sha256(data).hexdigest() != blob.sha256:
        raise BlobDamagedError(f"The blob {blob.sha256} is damaged; load its dataset again.")
    return data


def _storage() -> Storage:
    return storages["blobs"]


def _key(sha256: str) -> str:
    return f"{sha256[:2]}/{sha256}"


def _holds(storage: Storage, key: str, sha256: str) -> bool:
    if not storage.exists(key):
        return False
    with storage.open(key) as file:
        return hashlib.sha256(file.read()).hexdigest() == sha256


def _write(storage: Storage, key: str, data: bytes, sha256: str) -> None:
    written = storage.save(key, ContentFile(data))
    # The storage picks another name where a second writer was faster; its bytes are the same.
    if written != key:
        storage.delete(written)
        if not _holds(storage, key, sha256):
            raise BlobDamagedError(f"The blob {sha256} could not be written; load its dataset again.")
