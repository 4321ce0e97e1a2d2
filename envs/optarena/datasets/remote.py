"""Datasets of a server: a manifest, and programs that are downloaded when they are needed, and kept.

The server is not trusted: before anything is kept, programs are checked by the manifest's sha256, manifests
by the ETag and as a whole. No token is sent: datasets are public.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import hashlib
import io
import itertools
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from http import HTTPStatus
from typing import IO, TYPE_CHECKING, Any, Final
from urllib.parse import quote

from optarena import limits, paths
from optarena.client_answers import (
    ApiProblem,
    ClientError,
    DownloadDamaged,
    ServerUnreachable,
    UnknownWithoutServer,
)
from optarena.datasets import dataset
from optarena.datasets.dataset import BaseDataset, Dataset, named_folder, read_program
from optarena.datasets.manifest import DEPRECATED_NAME, MANIFEST_NAME, ManifestBenchmark, json_of, manifest_of
from optarena.datasets.parametric import ParametricDataset
from optarena.datasets.store import ProgramStore, write_whole
from optarena.documents.texts import one_line
from optarena.errors import InvalidDocument, InvalidInput, OptArenaError, UnknownName
from optarena.limits import MAX_DATASET_BYTES
from optarena.specs import unknown_name
from optarena.specs.benchmark import VERSIONED_NAME, BenchmarkUri

if TYPE_CHECKING:
    import tarfile
    from pathlib import Path

    from optarena.client import Client

    Progress = Callable[[int, int], None]

KEPT_SECONDS: Final = 3.0  # Seconds to wait for a server, which is asked once, if its last answer is cached
MAX_LISTED: Final = 10_000  # How many of a server's datasets are searched for near matches
_ETAG: Final = re.compile(r'(?:W/)?"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Found:
    """What is known of a dataset; ``is_fresh`` if the server has just sent or confirmed the document."""

    document: bytes
    deprecated: str = ""
    is_fresh: bool = True


@dataclass(frozen=True, slots=True)
class Source:
    """A server, and the folder where its answers are kept. Plain data: it may be pickled and forked."""

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
        """A dataset's manifest; the cached one if the server cannot be reached."""
        kept, sink = self.kept(dataset), io.BytesIO()
        options: dict[str, Any] = {}
        if kept is not None:  # then the server is asked once, and not for long
            headers = {"If-None-Match": f'"{hashlib.sha256(kept.document).hexdigest()}"'}
            options = {"headers": headers, "timeout": min(self.timeout, KEPT_SECONDS), "retries": 0}
        address = f"datasets/{quote(dataset, safe='')}/manifest/"
        try:
            etag = self.client.download(address, sink, limit=limits.MAX_MANIFEST_BYTES, **options)
        except (ApiProblem, ServerUnreachable) as error:
            if isinstance(error, ApiProblem) and error.status == HTTPStatus.NOT_FOUND:
                raise self._missing(dataset, known) from None
            if not is_unavailable(error):
                raise
            if kept is None:
                message = f"Offline: the dataset {dataset} was not downloaded before. {error}"
                raise ServerUnreachable(message) from error
            return kept
        if etag is None and kept is not None:
            return replace(kept, is_fresh=True)
        content = sink.getvalue()
        match, actual = _ETAG.fullmatch(etag or ""), hashlib.sha256(content).hexdigest()
        if match and match[1] != actual:
            message = f"The manifest of {dataset} arrived damaged from {self.url}: its sha256 is {actual}, "
            raise DownloadDamaged(f"{message}not {match[1]}. Nothing of it was kept; try again.")
        return Found(content, "" if kept is None else kept.deprecated)

    def deprecation(self, dataset: str, found: Found) -> str:
        """Why a dataset should no longer be used; the cached reason if the server cannot be reached."""
        if not found.is_fresh:
            return found.deprecated
        try:
            told = self.client.dataset(dataset).get("deprecated")
        except ClientError as error:
            if not is_unavailable(error):
                raise
            return found.deprecated
        return one_line(told).strip() if isinstance(told, str) else ""

    def _missing(self, dataset: str, known: Sequence[str]) -> OptArenaError:
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

    def kept(self, dataset: str) -> Found | None:
        """The cached manifest of a dataset; None if there is none, or it is damaged."""
        content = _read(self.manifest_path(dataset)) or b""
        head, _, document = content.partition(b"\n")
        try:
            about = json.loads(head)
            is_whole = about["sha256"] == hashlib.sha256(document).hexdigest()
            deprecated = one_line(str(about["deprecated"])).strip()
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
            write_whole(path, content)


@dataclass(frozen=True, slots=True)
class RemoteProgram:
    """Returns one program's bytes: a benchmark's ``load``, which may be pickled and copied."""

    source: Source
    uri: str
    dataset: str
    path: str
    sha256: str
    size_bytes: int

    def __call__(self) -> bytes:
        """The program, downloaded if it is not cached."""
        return self.source.store.get_or_make(self.sha256, self._downloaded)

    def _downloaded(self) -> bytes:
        sink = io.BytesIO()
        path = f"datasets/{quote(self.dataset, safe='')}/benchmarks/{quote(self.path)}/bitcode/"
        try:
            self.source.client.download(path, sink, limit=self.size_bytes)
        except ClientError as error:
            if not is_unavailable(error):
                raise
            message = f"Offline: the program of {self.uri} was not downloaded before. {error}"
            raise ServerUnreachable(message) from error
        actual = hashlib.sha256(sink.getvalue()).hexdigest()
        if actual != self.sha256:
            message = f"The program of {self.uri} arrived damaged from {self.source.url}: its sha256 is "
            raise DownloadDamaged(f"{message}{actual}, not {self.sha256}. Nothing of it was kept; try again.")
        return sink.getvalue()


def is_unavailable(error: ClientError) -> bool:
    """Whether a server is unavailable now, rather than refusing the request."""
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


TIMEOUT_SECONDS: Final = 30.0
_MOST_SECONDS: Final = 86_400
# The fields of a definition that determine a range's members.
_IDENTITY: Final = ("schema", "dataset", "kind", "sha256", "parameter", "scheme", "revision", "language")
_AGAIN_SECONDS: Final = 60.0  # Seconds after which a server that could not be reached is asked again


class RemoteDataset(Dataset):
    """A dataset of a server, used like an installed one.

    Its manifest is requested now. A program is downloaded when it is first needed, checked by its sha256, and
    cached with those of other datasets: the last used ones, at most ``$OPTARENA_DATASET_CACHE_BYTES``, by
    default 2 GiB. Threads and processes share them. Without the server, the cached ones are used.

    Args:
        name: Name with version: ``programs-v0``.
        url: The server; ``$OPTARENA_URL`` or the local demo's address if None.
        cache: The folder of the cache; ``remote`` in the folder of ``$OPTARENA_CACHE`` if None.
        timeout: Seconds to wait for an answer of the server; fewer, and only once, if the manifest is cached.

    Attributes:
        url: The server.
        folder: Where downloads are kept; the files have other names than in the manifest.
        is_offline: Whether the server could not be reached, so that the manifest is the cached one.
        document: The manifest's bytes.

    Raises:
        UnknownName: The server has no such dataset; the message names near matches.
        InvalidInput: It is a range (see ``remote_dataset``), or its manifest or an argument is malformed.
        ServerUnreachable: The server does not answer, and the manifest is not cached.
        DownloadDamaged: The manifest arrived damaged.
    """

    def __init__(
        self,
        name: str,
        url: str | None = None,
        *,
        cache: Path | str | None = None,
        timeout: float = TIMEOUT_SECONDS,
    ) -> None:
        source = _source(name, url, cache, timeout)
        found = source.manifest(name)
        raw = _json(source, name, found)
        if _is_range(raw):
            message, remedy = f"{name} is a range of computed benchmarks.", "Use remote_dataset(name, url)."
            raise InvalidInput(message, field="name", value=name, remedy=remedy)
        self._fill(source, name, found, raw)

    @classmethod
    def _of(cls, source: Source, name: str, found: Found, raw: object) -> RemoteDataset:
        made = cls.__new__(cls)
        made._fill(source, name, found, raw)  # noqa: SLF001 - of this class
        return made

    def _fill(self, source: Source, name: str, found: Found, raw: object) -> None:
        try:
            manifest = manifest_of(raw)
        except InvalidDocument as error:
            raise _unusable(source, name, error.message) from error
        _check_name(source, name, manifest.dataset)
        for entry in manifest.benchmarks:  # a manifest decides how much is downloaded
            if entry.size_bytes > limits.MAX_BENCHMARK_BYTES:
                told, most = f"size_bytes of {entry.uri} is {entry.size_bytes}", limits.MAX_BENCHMARK_BYTES
                raise _unusable(source, name, f"{told}, more than {most}.")
        total = sum({entry.file: entry.size_bytes for entry in manifest.benchmarks}.values())
        if total > MAX_DATASET_BYTES:
            raise _unusable(source, name, f"Its programs have {total} bytes, more than {MAX_DATASET_BYTES}.")
        deprecated = source.deprecation(name, found)
        source.keep(name, found.document, deprecated)
        super().__init__(manifest, source.folder, deprecated)
        self.source = source
        self.url = source.url
        self.document = found.document
        self.is_offline = not found.is_fresh

    def install(
        self, to: Path | str | None = None, *, progress: Callable[[int, int], None] = lambda _done, _all: None
    ) -> Path:
        """Download all of it into a folder, which appears whole or not at all, and return the folder.

        If the folder has it already, only damaged programs are downloaded.

        Args:
            to: The folder; if None ``$OPTARENA_SITE_DATA/datasets/NAME``, where ``datasets()`` finds it.
            progress: Called with the number of bytes so far, and in all.

        Raises:
            InvalidInput: The folder holds something else, or cannot be written.
            DownloadDamaged: Something arrived damaged; the message names it. Nothing is left behind.
            ServerUnreachable: The server does not answer, and not all programs are cached.
        """
        folder = default_folder(self.name) if to is None else named_folder(to, "folder", "to")
        try:
            if (folder / MANIFEST_NAME).exists():
                _repair(self, folder)
            else:
                _install(self, folder, progress)
        except OSError as error:
            message = f"The dataset {self.name} cannot be written to {folder}: {error.strerror or error}."
            needed = sum(entry.size_bytes for entry in self.manifest.benchmarks)
            remedy = f"Name a folder that does not exist yet, with room for {needed} bytes."
            raise InvalidInput(message, field="to", value=str(folder), remedy=remedy) from error
        return folder

    def _loader(self, entry: ManifestBenchmark) -> RemoteProgram:
        return self.remote_program(entry)

    def remote_program(self, entry: ManifestBenchmark) -> RemoteProgram:
        """The function that downloads the program of a manifest's entry."""
        path = BenchmarkUri.parse(entry.uri).path
        return RemoteProgram(self.source, entry.uri, self.name, path, entry.sha256, entry.size_bytes)


# An installed folder appears complete and checked, or not at all. The server's archive is read as if its
# author were hostile: only regular files that the manifest names, each once and of the size and sha256 that
# it says, are written, under the manifest's names. No owner, mode, link or path of a member is used.
PARALLEL: Final = 4
_PIECE: Final = 1024**2
# The most that a member adds: its header, one for a long name, and the padding of its last block.
_HEADERS_BYTES: Final = 8_192
_NO_ARCHIVE: Final = {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED, HTTPStatus.NOT_IMPLEMENTED}
_ABANDONED_SECONDS: Final = 86_400


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
        if not is_refused and not is_unavailable(error):
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
    import tarfile  # noqa: PLC0415 - few need it, and every session's process imports this module

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
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - as above

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


def remote_dataset(
    name: str, url: str | None = None, *, cache: Path | str | None = None, timeout: float = TIMEOUT_SECONDS
) -> BaseDataset:
    """A dataset of a server, of any kind: a ``RemoteDataset``, or a range of computed benchmarks.

    Of a range only the definition is downloaded. If this installation has the range, that one is returned.

    Arguments and errors are those of ``RemoteDataset``; ``InvalidInput`` also for a range that needs code
    which is not installed here.
    """
    return _fetch(_source(name, url, cache, timeout), name)


def _fetch(source: Source, name: str, known: Sequence[str] = ()) -> BaseDataset:
    found = source.manifest(name, known)
    raw = _json(source, name, found)
    if not _is_range(raw):
        return RemoteDataset._of(source, name, found, raw)  # noqa: SLF001 - the same module
    _check_name(source, name, raw.get("dataset"))
    made = _range(source, name, raw)
    source.keep(name, found.document)
    return made


def _range(source: Source, name: str, definition: dict[str, Any]) -> ParametricDataset:
    here = next((one for one in dataset.computed if one.name == name), None)
    if isinstance(here, ParametricDataset) and _are_same(here.definition(), definition):
        return here
    try:
        made = ParametricDataset(
            name=name,
            low=definition["parameter"]["min"],
            high=definition["parameter"]["max"],
            **{key: definition[key] for key in ("title", "description", "licence", "domain", "language")},
        )
    except (KeyError, TypeError, InvalidInput):
        made = None
    if made is not None and _are_same(made.definition(), definition):
        return made
    message = f"The range {name!r} of {source.url} needs code that this installation does not have"
    what = ", or has in another version." if here is not None else "."
    remedy = "Install the server's version of OptArena, or the plug-in that has the range."
    raise InvalidInput(message + what, field="name", value=name, remedy=remedy)


def _are_same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    # The other texts may have been reworded since.
    return all(one.get(key) == other.get(key) for key in _IDENTITY)


def _json(source: Source, name: str, found: Found) -> Any:  # noqa: ANN401 - JSON data
    try:
        return json_of(found.document)
    except InvalidDocument as error:
        raise _unusable(source, name, error.message) from error


def _is_range(raw: object) -> bool:
    return isinstance(raw, dict) and raw.get("kind") == ParametricDataset.kind


def _unusable(source: Source, name: str, problem: str) -> InvalidInput:
    message = f"The dataset {name!r} of {source.url} cannot be used: {problem}"
    remedy = "Report this to the server's operators, or use a newer OptArena."
    return InvalidInput(message, field="name", value=name, remedy=remedy)


def _check_name(source: Source, name: str, actual: object) -> None:
    if actual != name:
        message = f"{source.url} sends the dataset {actual!r:.100} for {name!r}."
        raise InvalidInput(message, field="name", value=name, remedy="Report this to the server's operators.")


def _source(name: str, url: str | None, cache: Path | str | None, timeout: float) -> Source:
    from optarena.client import server_url  # noqa: PLC0415 - a web client, which few need

    try:
        is_name = BenchmarkUri.parse(name).dataset == name
    except (InvalidInput, TypeError, AttributeError):
        is_name = False
    if not is_name:
        message, remedy = f"{name!r:.200} is not a dataset's name.", "Give one like 'programs-v0'."
        raise InvalidInput(message, field="name", value=name, remedy=remedy)
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not is_number or not 0 < timeout <= _MOST_SECONDS:
        remedy = f"Give a number of seconds above 0, at most {_MOST_SECONDS}."
        raise InvalidInput(f"The timeout is {timeout!r:.100}.", field="timeout", value=timeout, remedy=remedy)
    folder = paths.cache() / "remote" if cache is None else named_folder(cache, "cache", "cache")
    return Source(server_url(url), folder, float(timeout))


_answers: Final[dict[tuple[str, str], BaseDataset | tuple[float, OptArenaError]]] = {}


def elsewhere(name: str, known: Sequence[str]) -> BaseDataset:
    """The dataset of this name on the server of ``$OPTARENA_URL``, which is asked once per process.

    A server that could not be reached is asked again after a minute.
    """
    from optarena.client import URL_VARIABLE  # noqa: PLC0415 - a web client

    missing = unknown_name("dataset", name, known)
    if not VERSIONED_NAME.fullmatch(name):
        raise missing
    url = os.environ.get(URL_VARIABLE, "").strip()
    if not url:
        remedy = f"{missing.remedy} If a server has it: optarena datasets download {name} --url http://host."
        raise UnknownName(missing.message, field="dataset", value=name, remedy=remedy)
    answer = _answers.get((url, name))
    if answer is None or (isinstance(answer, tuple) and answer[0] < time.monotonic()):
        try:
            answer = _fetch(_source(name, url, None, TIMEOUT_SECONDS), name, known)
        except UnknownName as error:
            answer = (float("inf"), error)
        except ServerUnreachable as error:
            message = f"The dataset {name!r} is not installed on this machine."
            told = UnknownWithoutServer(
                message, field="dataset", value=name, remedy=f"{missing.remedy} {error}"
            )
            answer = (time.monotonic() + _AGAIN_SECONDS, told)
        _answers[url, name] = answer
    if isinstance(answer, tuple):
        raise answer[1].with_traceback(None)
    return answer
