"""One server's datasets as bytes: manifests and programs, from the server or from the cache.

The server is not trusted: before anything is kept, programs are checked by the manifest's sha256, manifests
by the ETag and as a whole. No token is sent: datasets are public.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import os
import re
import secrets
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from optarena import limits
from optarena.datasets.store import ProgramStore
from optarena.documents.texts import one_line
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from optarena.client import Client, ClientError
    from optarena.errors import OptArenaError

KEPT_SECONDS: Final = 3.0
"""Seconds to wait for a server, which is asked once, if its last answer is cached."""
MAX_LISTED: Final = 10_000
"""How many of a server's datasets are searched for near matches."""
_ETAG: Final = re.compile(r'(?:W/)?"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a dataset.

    Attributes:
        document: The bytes of its manifest, or of its definition if it is a range.
        deprecated: Why it should no longer be used, as cached.
        is_fresh: Whether the server has just sent or confirmed the document.
    """

    document: bytes
    deprecated: str = ""
    is_fresh: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """A server, and the folder where its answers are kept. Plain data: it may be pickled and forked.

    Attributes:
        url: The server.
        folder: Where manifests and programs are kept.
        timeout: Seconds to wait for an answer.
    """

    url: str
    folder: Path
    timeout: float

    @property
    def client(self) -> Client:
        """A client of the server, shared within this process."""
        return _client(self.url, self.timeout, os.getpid())

    @property
    def store(self) -> ProgramStore:
        """The cached programs, shared by all servers, as equal programs have equal names."""
        return ProgramStore(self.folder / "programs")

    def manifest_path(self, dataset: str) -> Path:
        """Where a dataset's manifest is kept."""
        server = hashlib.sha256(self.url.encode()).hexdigest()[:16]
        return self.folder / "manifests" / server / f"{dataset}.manifest"

    def manifest(self, dataset: str, known: Sequence[str] = ()) -> Found:
        """A dataset's manifest; the cached one if the server cannot be reached.

        Args:
            dataset: Its name.
            known: Names of further datasets, to suggest in the message.

        Raises:
            UnknownName: The server has no such dataset; the message names near matches.
            DownloadDamaged: It arrived damaged.
            ServerUnreachable: The server cannot be reached and nothing is cached.
            ApiProblem: The server refuses to give it.
        """
        from optarena.client import ApiProblem, ServerUnreachable  # noqa: PLC0415 - a web client

        kept, sink = self.kept(dataset), io.BytesIO()
        try:
            etag = self._download_manifest(dataset, kept, sink)
        except (ApiProblem, ServerUnreachable) as error:
            if isinstance(error, ApiProblem) and error.status == HTTPStatus.NOT_FOUND:
                raise self._missing(dataset, known) from None
            if not is_absence(error):
                raise
            if kept is None:
                message = f"Offline: the dataset {dataset} was not downloaded before. {error}"
                raise ServerUnreachable(message) from error
            return kept
        if etag is None and kept is not None:
            return replace(kept, is_fresh=True)
        self._check(sink.getvalue(), etag or "", dataset)
        return Found(sink.getvalue(), "" if kept is None else kept.deprecated)

    def _download_manifest(self, dataset: str, kept: Found | None, sink: io.BytesIO) -> str | None:
        """Its ETag; None if it is the cached one, for which the wait is short."""
        address = f"datasets/{quote(dataset, safe='')}/manifest/"
        if kept is None:
            return self.client.download(address, sink, limit=limits.MAX_MANIFEST_BYTES)
        return self.client.download(
            address,
            sink,
            limit=limits.MAX_MANIFEST_BYTES,
            headers={"If-None-Match": f'"{hashlib.sha256(kept.document).hexdigest()}"'},
            timeout=min(self.timeout, KEPT_SECONDS),
            retries=0,
        )

    def deprecation(self, dataset: str, found: Found) -> str:
        """Why a dataset should no longer be used; the cached reason if the server cannot be reached.

        Raises:
            ApiProblem: The server refuses to answer.
        """
        from optarena.client import ClientError  # noqa: PLC0415 - a web client

        if not found.is_fresh:
            return found.deprecated
        try:
            told = self.client.dataset(dataset).get("deprecated")
        except ClientError as error:
            if not is_absence(error):
                raise
            return found.deprecated
        return one_line(told, instead="\ufffd").strip() if isinstance(told, str) else ""

    def _missing(self, dataset: str, known: Sequence[str]) -> OptArenaError:
        """The error for a manifest that the server does not have."""
        from optarena.client import ClientError  # noqa: PLC0415 - a web client

        try:
            listed = [str(one["name"]) for one in itertools.islice(self.client.datasets(), MAX_LISTED)]
        except (ClientError, LookupError, TypeError):
            listed = []  # they are only suggestions
        if dataset in listed:
            message = f"The server {self.url} lists the dataset {dataset} but does not send its manifest: "
            return ClientError(
                f"{message}it runs an older version of OptArena. Ask its operators to update it."
            )
        return unknown_name("dataset", dataset, sorted({*known, *listed}))

    def _check(self, content: bytes, etag: str, dataset: str) -> None:
        from optarena.client import DownloadDamaged  # noqa: PLC0415 - a web client

        match, actual = _ETAG.fullmatch(etag), hashlib.sha256(content).hexdigest()
        if match and match[1] != actual:
            message = f"The manifest of {dataset} arrived damaged from {self.url}: its sha256 is {actual}, "
            raise DownloadDamaged(f"{message}not {match[1]}. Nothing of it was kept; try again.")

    def kept(self, dataset: str) -> Found | None:
        """The cached manifest of a dataset; None if there is none, or it is damaged."""
        content = _read(self.manifest_path(dataset)) or b""
        head, _, document = content.partition(b"\n")
        try:
            about = json.loads(head)
            is_whole = about["sha256"] == hashlib.sha256(document).hexdigest()
            deprecated = one_line(str(about["deprecated"]), instead="\ufffd").strip()
        except (ValueError, LookupError, TypeError, RecursionError):
            return None
        return Found(document, deprecated, is_fresh=False) if is_whole else None

    def keep(self, dataset: str, document: bytes, deprecated: str = "") -> None:
        """Cache a checked manifest, for when the server cannot be reached.

        The file has a line of JSON, with the sha256 of the rest, and then the manifest.
        """
        path = self.manifest_path(dataset)
        about = {"sha256": hashlib.sha256(document).hexdigest(), "deprecated": deprecated}
        content = json.dumps(about).encode() + b"\n" + document
        if _read(path) == content:
            return
        with contextlib.suppress(OSError):  # no home folder, or a full disk: it is requested again
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
            try:
                part.write_bytes(content)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class RemoteProgram:
    """Returns one program's bytes: a benchmark's ``load``, which may be pickled and copied.

    Attributes:
        source: The server and its cache.
        uri: The benchmark's URI, for messages.
        dataset: Name of its dataset.
        path: The benchmark's path inside it.
        sha256: The expected sha256 of the bytes, hex.
        size_bytes: The expected number of bytes.
    """

    source: Source
    uri: str
    dataset: str
    path: str
    sha256: str
    size_bytes: int

    def __call__(self) -> bytes:
        """The program, downloaded if it is not cached.

        Raises:
            DownloadDamaged: It arrived damaged; nothing was kept.
            ServerUnreachable: It is not cached, and the server cannot be reached.
            ApiProblem: The server refuses to give it.
        """
        return self.source.store.get_or_make(self.sha256, self._downloaded)

    def _downloaded(self) -> bytes:
        from optarena.client import ClientError, DownloadDamaged, ServerUnreachable  # noqa: PLC0415 - a web client

        sink = io.BytesIO()
        path = f"datasets/{quote(self.dataset, safe='')}/benchmarks/{quote(self.path)}/bitcode/"
        try:
            self.source.client.download(path, sink, limit=self.size_bytes)
        except ClientError as error:
            if not is_absence(error):
                raise
            message = f"Offline: the program of {self.uri} was not downloaded before. {error}"
            raise ServerUnreachable(message) from error
        actual = hashlib.sha256(sink.getvalue()).hexdigest()
        if actual != self.sha256:
            message = f"The program of {self.uri} arrived damaged from {self.source.url}: its sha256 is "
            raise DownloadDamaged(f"{message}{actual}, not {self.sha256}. Nothing of it was kept; try again.")
        return sink.getvalue()


def is_absence(error: ClientError) -> bool:
    """Whether a server is unavailable now, rather than refusing the request."""
    from optarena.client import ApiProblem, ServerUnreachable  # noqa: PLC0415 - a web client

    if isinstance(error, ApiProblem):
        is_broken = error.status >= HTTPStatus.INTERNAL_SERVER_ERROR
        return is_broken or error.status == HTTPStatus.TOO_MANY_REQUESTS
    return isinstance(error, ServerUnreachable)


@lru_cache(maxsize=8)
def _client(url: str, timeout: float, process: int) -> Client:  # noqa: ARG001 - sockets belong to one process
    from optarena.client import Client  # noqa: PLC0415 - a web client, which few need

    return Client(url, token="", timeout=timeout)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
