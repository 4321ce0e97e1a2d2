"""The manifest of a dataset, schema 1: the JSON text beside its programs, read and checked as a whole.

All problems of a manifest are reported together. The programs themselves are not touched here.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets.deprecated import DEPRECATED_NAME
from optarena.datasets.fields import Fields
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import LEVEL_NAME, METRIC_NAME
from optarena.specs.benchmark import Baselines, Workload
from optarena.specs.rewards import UNOPTIMISED
from optarena.specs.uri import DATASET_NAME, BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCHEMA: Final = 1
KINDS: Final = ("stored", "parametric")
SPLITS: Final = ("train", "validation", "test")
MANIFEST_NAME: Final = "manifest.json"
"""The file of a dataset's folder that the manifest is in."""
_RESERVED: Final = (MANIFEST_NAME, DEPRECATED_NAME)
_SMALLEST: Final = "Oz"
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_FILE: Final = re.compile(r"[A-Za-z0-9_.+-]+(/[A-Za-z0-9_.+-]+)*")
_ADDRESS: Final = re.compile(r"https?://[A-Za-z0-9._~:/?#\[\]@!$&()*+,;=%-]+")
"""Of the characters of RFC 3986; addresses are printed, and written into BibTeX."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of a dataset's changelog.

    Attributes:
        version: The dataset's name with version: ``programs-v0``.
        date: The day, as ISO 8601 writes it.
        text: What is different from the version before.
    """

    version: str
    date: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestBenchmark:
    """One entry of a manifest; see ``Benchmark`` for what the fields mean.

    ``ir_sha256`` is of the program's canonical text, where its compiler has one; else of its bytes.
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

    Attributes:
        dataset: Name with version.
        title: One line for people.
        description: A paragraph for people.
        licence: SPDX identifier of the dataset as a whole.
        toolchain: What made the programs, as JSON data.
        sha256: Digest of the content, hex; see ``content_digest``.
        benchmarks: Its entries, in their order.
        released: The day since when it is frozen, as ISO 8601 writes it; empty for a draft.
        changelog: What was different in each version.
        upstream: Address of its home page; empty if it has none.
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
        InvalidDocument: With every problem found.
    """
    return manifest_of(json_of(document))


def json_of(document: str | bytes) -> Any:  # noqa: ANN401 # JSON data
    """The JSON data of a manifest, or of what a range has in its place.

    Raises:
        InvalidDocument: It is none.
    """
    try:
        return json.loads(document)
    except (ValueError, RecursionError) as error:
        raise InvalidDocument(
            [Problem(field="manifest", message=f"It is no JSON document: {error}.")]
        ) from error


def manifest_of(raw: object) -> Manifest:
    """Check the JSON data of a manifest, which nothing else holds.

    Raises:
        InvalidDocument: With every problem found.
    """
    top = Fields(raw, [], None)
    if top.integer("schema") != SCHEMA:
        top.problem("schema", f"This version reads schema {SCHEMA}.", top.get("schema") if top.valid else raw)
        raise InvalidDocument(top.problems)
    entries = tuple(
        _benchmark(Fields(entry, top.problems, row)) for row, entry in enumerate(top.items("benchmarks"))
    )
    manifest = Manifest(
        dataset=top.matching("dataset", DATASET_NAME, "lower-case words that end in the version"),
        title=top.text("title"),
        description=top.text("description"),
        licence=top.text("licence"),
        toolchain=top.mapping("toolchain"),
        sha256=top.text("sha256"),
        benchmarks=entries,
        released=top.day("released", default=""),
        changelog=_changelog(top),
        upstream=top.matching("upstream", _ADDRESS, "an address that begins with https://", default=""),
    )
    _check_whole(manifest, top)
    if top.problems:
        raise InvalidDocument(top.problems)
    return manifest


def content_digest(entries: tuple[ManifestBenchmark, ...]) -> str:
    """The digest of a dataset's content: of its benchmarks' ``ir_sha256``."""
    return digest_of((entry.uri, entry.ir_sha256) for entry in entries)


def digest_of(contents: Iterable[tuple[str, str]]) -> str:
    """The sha256 of the sorted lines ``uri sha256``."""
    lines = sorted(f"{uri} {sha256}\n" for uri, sha256 in contents)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _benchmark(fields: Fields) -> ManifestBenchmark:
    sha256 = fields.matching("sha256", _SHA256, "64 hexadecimal digits")
    entry = ManifestBenchmark(
        uri=fields.text("uri"),
        name=fields.text("name"),
        title=fields.text("title"),
        description=fields.text("description"),
        domain=fields.text("domain"),
        language=fields.text("language"),
        licence=fields.text("licence"),
        kind=fields.choice("kind", KINDS),
        file=fields.matching("file", _FILE, "a relative path of plain characters"),
        sha256=sha256,
        size_bytes=fields.integer("size_bytes", minimum=1),
        ir_sha256=fields.matching("ir_sha256", _SHA256, "64 hexadecimal digits", default=sha256),
        source=fields.mapping("source"),
        baselines=_baselines(fields),
        run_seconds=fields.number("run_seconds"),
        workloads=_workloads(fields),
        split=fields.choice("split", SPLITS, default=""),
        tags=fields.filled_texts("tags"),
    )
    if ".." in entry.file.split("/"):
        fields.problem("file", "It must stay inside the dataset's folder.", entry.file)
    elif any(part.startswith(".") for part in entry.file.split("/")):
        fields.problem("file", "No part of its path may begin with a dot.", entry.file)
    if entry.file in _RESERVED:
        fields.problem("file", f"It must be another file than {' and '.join(_RESERVED)}.", entry.file)
    return entry


def _changelog(top: Fields) -> tuple[Change, ...]:
    items = top.items("changelog") if "changelog" in top else []
    entries = [top.child(f"changelog[{n}]", entry) for n, entry in enumerate(items)]
    return tuple(
        Change(version=entry.text("version"), date=entry.day("date"), text=entry.text("text"))
        for entry in entries
    )


def _baselines(fields: Fields) -> dict[str, dict[str, float]]:
    metrics = fields.nested("baselines")
    result: dict[str, dict[str, float]] = {}
    for metric in metrics.names(METRIC_NAME, "lower-case letters, digits and underscores"):
        levels = metrics.nested(metric)
        values = {level: levels.positive(level) for level in levels.names(LEVEL_NAME, "letters and digits")}
        result[metric] = values
        if levels.valid and UNOPTIMISED not in values:
            levels.problem(UNOPTIMISED, "It is missing; it must be the program's value as given.", None)
        if not levels.failed and values[UNOPTIMISED] <= values.get(_SMALLEST, 0):
            problem = "The program as given must cost more than at Oz, else doing nothing beats the baseline."
            levels.problem(UNOPTIMISED, problem, values[UNOPTIMISED])
    return result


def _workloads(fields: Fields) -> tuple[Workload, ...]:
    entries = [fields.child(f"workloads[{n}]", entry) for n, entry in enumerate(fields.items("workloads"))]
    workloads = tuple(
        Workload(
            name=entry.text("name"),
            args=entry.texts("args"),
            stdin=entry.text("stdin", empty=True).encode(),
            expected_stdout=entry.text("expected_stdout", empty=True).encode(),
            exit_code=entry.integer("exit_code"),
        )
        for entry in entries
    )
    if len({workload.name for workload in workloads}) < len(workloads):
        fields.problem("workloads", "Two workloads have the same name.", "")
    return workloads


def _check_whole(manifest: Manifest, top: Fields) -> None:
    seen: set[str] = set()
    for row, entry in enumerate(manifest.benchmarks):
        _check_uri(manifest, entry, Fields({}, top.problems, row))
        if entry.uri in seen:
            top.problems.append(Problem(field="uri", row=row, value=entry.uri, message="It appears twice."))
        seen.add(entry.uri)
    _check_files(manifest, top)
    if not manifest.benchmarks:
        top.problem("benchmarks", "A dataset has at least one benchmark.", "")
    if not top.problems and manifest.sha256 != content_digest(manifest.benchmarks):
        expected = content_digest(manifest.benchmarks)
        top.problem(
            "sha256", f"It is not the digest of the benchmarks, which is {expected}.", manifest.sha256
        )


def _check_files(manifest: Manifest, top: Fields) -> None:
    """Several programs may be in one file if they are the same; and no file may be another's folder."""
    programs = dict.fromkeys(_RESERVED, ("", 0))
    for row, entry in enumerate(manifest.benchmarks):
        program = (entry.sha256, entry.size_bytes)
        if programs.setdefault(entry.file, program) != program and entry.file not in _RESERVED:
            message = "Another benchmark has another program in this file."
            top.problems.append(Problem(field="file", row=row, value=entry.file, message=message))
    for row, entry in enumerate(manifest.benchmarks):
        folders = itertools.accumulate(entry.file.split("/")[:-1], "{}/{}".format)
        if any(folder in programs for folder in folders):
            message = "The path leads through another file."
            top.problems.append(Problem(field="file", row=row, value=entry.file, message=message))


def _check_uri(manifest: Manifest, entry: ManifestBenchmark, fields: Fields) -> None:
    if not entry.uri:
        return
    try:
        uri = BenchmarkUri.parse(entry.uri)
    except InvalidInput as error:
        fields.problem("uri", error.message, entry.uri)
        return
    if uri.dataset != manifest.dataset or str(uri) != entry.uri:
        fields.problem("uri", f"It must be a canonical URI of the dataset {manifest.dataset}.", entry.uri)
