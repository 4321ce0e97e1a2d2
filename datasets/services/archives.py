"""The archive of a dataset: an uncompressed tar file, the same bytes on every server, stored as a blob.

It is stored, not made for each download, so it is sent like every blob, with byte ranges and an ETag.
"""

from __future__ import annotations

import io
import tarfile
import tempfile
from typing import IO, TYPE_CHECKING, Final

from datasets import blobs
from optarena.datasets.dataset import MANIFEST_NAME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from datasets.models import Blob

MEDIA_TYPE: Final = "application/x-tar"


def store_archive(name: str, manifest: bytes, programs: Mapping[str, Blob]) -> Blob:
    """Keep the archive of a dataset, and return its row.

    Args:
        name: The name of the dataset and of the archive's only folder.
        manifest: The exact bytes of the manifest, which is the first file.
        programs: The programs by their paths in the dataset's folder, in the order of the manifest.
    """
    with tempfile.TemporaryFile() as file:
        with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
            _add(archive, f"{name}/{MANIFEST_NAME}", io.BytesIO(manifest), len(manifest))
            for path, blob in programs.items():
                with blobs.open_blob(blob) as program:
                    _add(archive, f"{name}/{path}", program, blob.size_bytes)
        return blobs.store_file(file, kind=MEDIA_TYPE)


def _add(archive: tarfile.TarFile, path: str, file: IO[bytes], size: int) -> None:
    """Add a file without owner and time: only names and bytes are recorded, so that archives are equal."""
    entry = tarfile.TarInfo(path)
    entry.size = size
    archive.addfile(entry, file)
