"""The manifest of a dataset, schema 1: the JSON text next to its programs, read and checked as a whole.

A frozen dataset cannot change: a file beside the manifest says that it should no longer be used. It stays
usable, as results name it; it is just no longer listed.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import json
import numbers
import os
import re
import stat
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any, Final, NamedTuple

from optarena import limits
from optarena.documents import kinds
from optarena.documents.kinds import Table
from optarena.documents.loading import document_error, json_document
from optarena.documents.places import Place
from optarena.errors import InvalidDocument, InvalidInput
from optarena.specs import LEVEL_NAME, METRIC_NAME
from optarena.specs.benchmark import (
    DATASET_NAME,
    VERSIONED_NAME,
    Baselines,
    BenchmarkUri,
    Workload,
    decoded_files,
    encoded_files,
    files_problem,
)
from optarena.specs.rewards import UNOPTIMISED

_PIECE: Final = 1024**2
# Without O_NONBLOCK, opening a pipe waits until somebody writes to it. Some systems lack some of these.
_WANTED: Final = ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY")
_FLAGS: Final = reduce(or_, (getattr(os, name, 0) for name in _WANTED), os.O_RDONLY)


def read_plain(path: Path, limit: int) -> bytes:
    """The content of a regular file, without waiting for pipes; EFBIG if it exceeds the limit."""
    descriptor = os.open(path, _FLAGS)
    with open(descriptor, "rb", buffering=0) as file:  # noqa: PTH123 # a descriptor has no path
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        content = bytearray()
        # In pieces: a limit may come from a document, and be larger than the memory.
        while piece := file.read(min(_PIECE, limit + 1 - len(content))):
            content += piece
            if len(content) > limit:
                raise OSError(errno.EFBIG, f"it has more than {limit} bytes", str(path))
    return bytes(content)


def leads_out(folder: Path, file: str) -> bool:
    """Whether a path inside a folder leads outside of it by links."""
    # Not Path.resolve(), which raises for circular links.
    return not Path(os.path.realpath(folder / file)).is_relative_to(os.path.realpath(folder))


# ``{"reason": "…", "successor": "programs-v1"}``; the successor may be empty, or left out.
DEPRECATED_NAME: Final = "deprecated.json"
_REASON: Final = kinds.text()
_SUCCESSOR: Final = kinds.matching(VERSIONED_NAME, form="a dataset's name, such as programs-v1")
_REMEDY: Final = "Correct this file, or remove it."


class Deprecation(NamedTuple):
    """Why a dataset should no longer be used, and its successor's name or an empty text."""

    reason: str
    successor: str

    def __str__(self) -> str:
        return f"{self.reason} Use {self.successor} instead." if self.successor else self.reason


def deprecation_in(folder: Path) -> Deprecation | None:
    """What the file in a dataset's folder says; None if there is none."""
    try:
        content = read_plain(folder / DEPRECATED_NAME, limits.MAX_DEPRECATED_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise document_error(
            DEPRECATED_NAME, f"The file cannot be read: {error.strerror}.", _REMEDY
        ) from error
    return read_deprecation(json_document(content, field=DEPRECATED_NAME), Place(path=DEPRECATED_NAME))


def read_deprecation(raw: object, place: Place) -> Deprecation:
    """A deprecation, from a file or from a server."""
    fields = Table(raw, place)
    reason = fields.need("reason", _REASON)
    successor = "" if fields.get("successor") == "" else fields.find("successor", _SUCCESSOR)
    if fields.failed:
        raise InvalidDocument(place.problems)
    return Deprecation(reason.strip(), successor or "")


SCHEMA: Final = 1
KINDS: Final = ("stored", "parametric")
SPLITS: Final = ("train", "validation", "test")
MANIFEST_NAME: Final = "manifest.json"  # The manifest's file in a dataset's folder
_RESERVED: Final = (MANIFEST_NAME, DEPRECATED_NAME)
_SMALLEST: Final = "Oz"
_TEXT: Final = kinds.data()
_ANY_TEXT: Final = kinds.data(is_optional=True)
_HASH: Final = kinds.matching(re.compile(r"[0-9a-f]{64}"), form="64 hexadecimal digits")
_FILE: Final = kinds.matching(
    pattern=re.compile(r"[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.+-]+)*"), form="a relative path of plain characters"
)
_NAME: Final = kinds.matching(DATASET_NAME, form="lower-case words that end in the version")
_METRIC: Final = kinds.matching(METRIC_NAME, form="lower-case letters, digits and underscores")
_LEVEL: Final = kinds.matching(LEVEL_NAME, form="letters and digits")
_COUNT: Final = kinds.number(low=0, is_whole=True)
_SIZE: Final = kinds.number(low=1, is_whole=True)
_SECONDS: Final = kinds.number(low=0, high=sys.float_info.max)
_COST: Final = kinds.number(low=0, above=True, high=2**53)  # Up to here every integer is a float exactly


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of a dataset's changelog: the name with version, the day in ISO 8601, the differences."""

    version: str
    date: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestBenchmark:
    """One entry of a manifest; see ``Benchmark`` for what the fields mean.

    ``ir_sha256`` is the hash of the program's canonical text, if its compiler has one; else of its bytes.
    """

    uri: str
    name: str
    title: str
    description: str
    domain: str
    language: str
    licence: str
    kind: str
    file: str
    sha256: str
    size_bytes: int
    ir_sha256: str
    source: Mapping[str, Any] = field(hash=False)
    baselines: Baselines = field(hash=False)
    run_seconds: float
    workloads: tuple[Workload, ...]
    split: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """A dataset as its manifest describes it.

    ``toolchain`` is what made the programs, as JSON data. ``sha256`` is the ``content_digest``. ``released``
    is the day from which the dataset is frozen, in ISO 8601; empty for a draft. ``upstream`` is the address
    of its home page; empty if it has none.
    """

    dataset: str
    title: str
    description: str
    licence: str
    toolchain: Mapping[str, Any] = field(hash=False)
    sha256: str
    benchmarks: tuple[ManifestBenchmark, ...]
    released: str = ""
    changelog: tuple[Change, ...] = ()
    upstream: str = ""


def parse_manifest(document: str | bytes) -> Manifest:
    """Read and check a manifest.

    Raises:
        InvalidDocument: Lists every problem found.
    """
    return manifest_of(json_of(document))


def json_of(document: str | bytes) -> Any:  # noqa: ANN401 # JSON data
    """The JSON data of a manifest, or of a range's definition."""
    return json_document(document, field="manifest")


def manifest_of(raw: object) -> Manifest:
    """Check the JSON data of a manifest, which must not be shared with other code."""
    top = Table(raw, Place())
    problems = top.place.problems
    if top.need("schema", _COUNT) != SCHEMA:
        remedy = f"Write {SCHEMA}, or use a newer version of OptArena."
        top.problem("schema", f"This version reads schema {SCHEMA}.", top.get("schema"), remedy)
        raise InvalidDocument(problems)
    if not top.has("benchmarks"):
        top.problem("benchmarks", "The value is missing.", None, "Add the list of benchmarks.")
    rows = top.tables("benchmarks", are_records=True)
    manifest = Manifest(
        dataset=top.need("dataset", _NAME),
        title=top.need("title", _TEXT),
        description=top.need("description", _TEXT),
        licence=top.need("licence", _TEXT),
        toolchain=top.need("toolchain", kinds.ANY_OBJECT),
        sha256=top.need("sha256", _TEXT),
        benchmarks=tuple(map(_benchmark, rows)),
        released=top.find("released", kinds.DAY) or "",
        changelog=tuple(
            Change(
                version=entry.need("version", _TEXT),
                date=entry.need("date", kinds.DAY),
                text=entry.need("text", _TEXT),
            )
            for entry in top.tables("changelog")
        ),
        upstream=top.find("upstream", kinds.address(is_plain=True)) or "",
    )
    _check_whole(manifest, top)
    if problems:
        raise InvalidDocument(problems)
    return manifest


def content_digest(entries: tuple[ManifestBenchmark, ...]) -> str:
    """The digest of a dataset's content: of its benchmarks' ``ir_sha256``."""
    return digest_of((entry.uri, entry.ir_sha256) for entry in entries)


def digest_of(contents: Iterable[tuple[str, str]]) -> str:
    """The sha256 of the sorted lines ``uri sha256``."""
    lines = sorted(f"{uri} {sha256}\n" for uri, sha256 in contents)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _benchmark(fields: Table) -> ManifestBenchmark:
    sha256, baselines = fields.need("sha256", _HASH), fields.table("baselines")
    entry = ManifestBenchmark(
        uri=fields.need("uri", _TEXT),
        name=fields.need("name", _TEXT),
        title=fields.need("title", _TEXT),
        description=fields.need("description", _TEXT),
        domain=fields.need("domain", _TEXT),
        language=fields.need("language", _TEXT),
        licence=fields.need("licence", _TEXT),
        kind=fields.need("kind", kinds.choice(*KINDS)),
        file=fields.need("file", _FILE),
        sha256=sha256,
        size_bytes=int(fields.need("size_bytes", _SIZE)),
        ir_sha256=fields.need("ir_sha256", _HASH) if fields.has("ir_sha256") else sha256,
        source=fields.need("source", kinds.ANY_OBJECT),
        baselines={name: _levels(baselines.table(name)) for name in baselines.names(_METRIC)},
        run_seconds=float(fields.need("run_seconds", _SECONDS)),
        workloads=_workloads(fields),
        split=fields.find("split", kinds.choice(*SPLITS)) or "",
        tags=fields.find("tags", kinds.list_of(_TEXT)) or (),
    )
    parts = entry.file.split("/")
    message = ""
    if ".." in parts:
        message = "The path must stay inside the dataset's folder."
    elif any(part.startswith(".") for part in parts):
        message = "No part of its path may begin with a dot."
    elif entry.file in _RESERVED:
        message = f"The file must not be named {' or '.join(_RESERVED)}."
    if message:
        fields.problem("file", message, entry.file, "Give the program's file another name.")
    return entry


def _levels(levels: Table) -> dict[str, float]:
    values = {level: levels.need(level, _COST) for level in levels.names(_LEVEL)}
    if levels.is_object and UNOPTIMISED not in values:
        levels.problem(UNOPTIMISED, "The value is missing.", None, "Add the cost of the program as given.")
    if not levels.failed and values[UNOPTIMISED] <= values.get(_SMALLEST, 0):
        message = (
            "The program as given must cost more than at Oz; otherwise doing nothing beats the baseline."
        )
        levels.problem(UNOPTIMISED, message, values[UNOPTIMISED], "Leave the program out of the dataset.")
    return values


def _workloads(fields: Table) -> tuple[Workload, ...]:
    if not fields.has("workloads"):
        remedy = "Add the list of workloads; it may be empty."
        fields.problem("workloads", "The value is missing.", None, remedy)
    workloads = tuple(
        Workload(
            name=entry.need("name", _TEXT),
            args=entry.need("args", kinds.list_of(_ANY_TEXT)),
            stdin=entry.need("stdin", _ANY_TEXT).encode(),
            expected_stdout=entry.need("expected_stdout", _ANY_TEXT).encode(),
            exit_code=int(entry.need("exit_code", _COUNT)),
            files=_files(entry),
        )
        for entry in fields.tables("workloads")
    )
    if len({workload.name for workload in workloads}) < len(workloads):
        fields.problem("workloads", "Two workloads have the same name.", None, "Rename one of them.")
    return workloads


def _files(entry: Table) -> dict[str, bytes]:
    given = entry.find("files", kinds.ANY_OBJECT) or {}
    remedy = 'Give the content of each file in base 64: {"a.txt": "b25lCg=="}.'
    try:
        files = decoded_files(given)
    except (TypeError, ValueError) as error:
        entry.problem("files", f"A file's content cannot be read: {error}.", given, remedy)
        return {}
    if problem := files_problem(files):
        entry.problem("files", f"The files must be {problem}.", list(files), remedy)
        return {}
    return files


def _check_whole(manifest: Manifest, top: Table) -> None:
    seen: set[str] = set()
    for row, entry in enumerate(manifest.benchmarks):
        place = top.place.record(row).at("uri")
        _check_uri(manifest, entry, place)
        if entry.uri in seen:
            place.problem("The benchmark appears twice.", entry.uri, "Remove one of the two.")
        seen.add(entry.uri)
    _check_files(manifest, top.place)
    if not manifest.benchmarks:
        top.problem("benchmarks", "A dataset has at least one benchmark.", None, "Add a benchmark.")
    expected = "" if top.failed else content_digest(manifest.benchmarks)
    if expected and manifest.sha256 != expected:
        message = f"The value is not the digest of the benchmarks, which is {expected}."
        top.problem("sha256", message, manifest.sha256, "Build the dataset again.")


def _check_files(manifest: Manifest, place: Place) -> None:
    # Entries may share a file only if their programs are equal; and no file may be another's folder.
    programs = dict.fromkeys(_RESERVED, ("", 0))
    remedy = "Give each program a file of its own."
    for row, entry in enumerate(manifest.benchmarks):
        program = (entry.sha256, entry.size_bytes)
        if programs.setdefault(entry.file, program) != program and entry.file not in _RESERVED:
            message = "Another benchmark has a different program in this file."
            place.record(row).at("file").problem(message, entry.file, remedy)
    for row, entry in enumerate(manifest.benchmarks):
        folders = itertools.accumulate(entry.file.split("/")[:-1], "{}/{}".format)
        if any(folder in programs for folder in folders):
            message = "The path leads through another file."
            place.record(row).at("file").problem(message, entry.file, remedy)


def _check_uri(manifest: Manifest, entry: ManifestBenchmark, place: Place) -> None:
    if not entry.uri:
        return
    remedy = f"Write benchmark://{manifest.dataset}/ and the benchmark's name."
    try:
        uri = BenchmarkUri.parse(entry.uri)
    except InvalidInput as error:
        place.problem(error.message, entry.uri, error.remedy or remedy)
        return
    if uri.dataset != manifest.dataset or str(uri) != entry.uri:
        message = f"The value must be a canonical URI of the dataset {manifest.dataset}."
        place.problem(message, entry.uri, remedy)


@dataclass(frozen=True, slots=True, kw_only=True)
class DatasetProgram:
    """One program of a dataset to write.

    Attributes:
        file: Path of the program inside the dataset's folder.
        name: Name in its URI; the file's name without its suffix, if empty.
        title: One line for people; the name, if empty.
        description: A paragraph for people; the title, if empty.
        domain: What kind of program it is: ``sorting``.
        language: What it is written in.
        licence: SPDX identifier; the dataset's, if empty.
        baselines: Metric -> level -> value; ``O0`` is the program as given and must be among the levels.
        workloads: Runs that must give the recorded output however the program is optimised.
        run_seconds: Time of all workloads of the program as given.
        source: Where it comes from, as JSON data.
        split: ``train``, ``validation`` or ``test``, if the dataset is split.
        tags: Words that characterise the program.
    """

    file: str
    name: str = ""
    title: str = ""
    description: str = ""
    domain: str = "general"
    language: str = "text"
    licence: str = ""
    baselines: Baselines = field(default_factory=dict, hash=False)
    workloads: tuple[Workload, ...] = ()
    run_seconds: float = 0.0
    source: Mapping[str, Any] = field(default_factory=dict, hash=False)
    split: str = ""
    tags: tuple[str, ...] = ()


def write_manifest(  # noqa: PLR0913 # all but the folder by keyword
    folder: Path | str,
    *,
    title: str,
    description: str,
    licence: str,
    programs: Iterable[DatasetProgram],
    toolchain: Mapping[str, Any] | None = None,
    released: str = "",
    changelog: Iterable[Change] = (),
    upstream: str = "",
) -> Manifest:
    """Write the ``manifest.json`` of a folder of programs; the dataset has the folder's name.

    Equal programs give an equal manifest, byte for byte.

    Args:
        folder: The dataset's folder: ``stack-v0``.
        title: One line for people.
        description: A paragraph for people.
        licence: SPDX identifier of the whole.
        programs: Its programs; they are listed in this order.
        toolchain: What made the programs, as JSON data.
        released: The day from which it is frozen, in ISO 8601: ``2026-11-21``.
        changelog: The differences of each version.
        upstream: Address of its home page.

    Raises:
        InvalidInput: A program cannot be read, or a workload is not text in UTF-8 without NUL.
        InvalidDocument: The manifest would not be valid; all problems are listed, and nothing is written.
    """
    root = Path(folder).absolute()
    about = {
        "title": title,
        "description": description,
        "licence": licence,
        "toolchain": dict(toolchain or {}),
        **_given(released=released, changelog=[asdict(one) for one in changelog], upstream=upstream),
    }
    entries = [_entry(root, program, licence) for program in programs]
    manifest = {
        "schema": SCHEMA,
        "dataset": root.name,
        **about,
        "sha256": digest_of((entry["uri"], entry["sha256"]) for entry in entries),
        "benchmarks": entries,
    }
    text = json.dumps(manifest, indent=1, ensure_ascii=False, default=_plain) + "\n"
    parsed = parse_manifest(text)  # checked as a reader does, before it is written
    (root / MANIFEST_NAME).write_text(text, encoding="utf-8")
    return parsed


def _plain(value: Any) -> Any:  # noqa: ANN401 # whatever an author gave
    # Numbers of numpy, as which one counts, become Python's.
    if isinstance(value, numbers.Number) and hasattr(value, "item"):
        return value.item()
    message = f"{value!r:.100} ({type(value).__name__}) cannot be written to a manifest."
    raise InvalidInput(message, field="programs", value=value, remedy="Give plain numbers, texts and lists.")


def _entry(folder: Path, program: DatasetProgram, licence: str) -> dict[str, Any]:
    try:
        content = (folder / program.file).read_bytes()
    except OSError as error:
        message = f"The program {folder / program.file} cannot be read: {error.strerror}."
        remedy = "Name files inside the dataset's folder."
        raise InvalidInput(message, field="file", value=program.file, remedy=remedy) from error
    name = program.name or Path(program.file).stem
    title = program.title or name
    return {
        "uri": f"benchmark://{folder.name}/{name}",
        "name": name,
        "title": title,
        "description": program.description or title,
        "domain": program.domain,
        "language": program.language,
        "licence": program.licence or licence,
        "kind": "stored",
        "file": program.file,
        "sha256": hashlib.sha256(content).hexdigest(),
        "size_bytes": len(content),
        "source": dict(program.source),
        "baselines": {metric: dict(levels) for metric, levels in program.baselines.items()},
        "run_seconds": program.run_seconds,
        "workloads": [_workload(workload) for workload in program.workloads],
        **_given(split=program.split, tags=list(program.tags)),
    }


def _given(**values: object) -> dict[str, object]:
    # Written only if they are not empty, as older readers do not know them.
    return {name: value for name, value in values.items() if value}


def _not_text(workload: Workload, has: str) -> InvalidInput:
    message, remedy = f"The workload {workload.name} has {has}.", "Use workloads that read and print text."
    return InvalidInput(message, field="workloads", value=workload.name, remedy=remedy)


def _workload(workload: Workload) -> dict[str, Any]:
    try:
        stdin, stdout = workload.stdin.decode(), workload.expected_stdout.decode()
    except UnicodeDecodeError as error:
        raise _not_text(workload, f"bytes that are not UTF-8 text: {error}") from error
    if "\0" in stdin + stdout:
        raise _not_text(workload, "a NUL character, which no server can store")
    return {
        "name": workload.name,
        "args": list(workload.args),
        "stdin": stdin,
        "expected_stdout": stdout,
        "exit_code": workload.exit_code,
        **_given(files=encoded_files(workload.files)),
    }
