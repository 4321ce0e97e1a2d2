"""Releases of step data: their names, files and descriptions, here and on servers; without pyarrow."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import logging
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from optarena import limits, paths
from optarena.client_answers import ClientError, DownloadDamaged, ServerUnreachable
from optarena.datasets.citing import Citation, bibtex_entry, escape_bibtex
from optarena.datasets.remote import is_unavailable
from optarena.datasets.store import write_whole
from optarena.documents import kinds
from optarena.documents.kinds import Field
from optarena.documents.loading import json_document
from optarena.errors import InvalidInput
from optarena.isolation.tool_files import sha256_of
from optarena.suggestions import unknown_name

if TYPE_CHECKING:
    from optarena.client import Client

SCHEMA: Final = 1
METADATA: Final = "metadata.json"
BUILTIN: Final = Path(__file__).parent / "releases"
LICENCE: Final = "MIT"
NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MOST_METADATA_BYTES: Final = 1_000_000
MOST_FILE_BYTES: Final = 4 << 30
PARQUET: Final = "application/x-parquet"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DataColumn:
    """A column of a table; ``refers`` is the table whose number it holds."""

    name: str
    kind: str
    description: str
    refers: str = ""


# The schema. A table's own number counts its rows from 0, in the order of the file.
TABLES: Final[Mapping[str, tuple[DataColumn, ...]]] = {
    "programs": (
        DataColumn("program", "int", "Number of the program."),
        DataColumn("uri", "text", "URI of the benchmark."),
        DataColumn("sha256", "text", "SHA-256 of the program's bytes."),
        DataColumn("split", "text", "Split of its dataset: train, validation, test, or empty."),
        DataColumn("licence", "text", "Licence of the program's sources, as an SPDX expression."),
    ),
    "entries": (
        DataColumn("entry", "int", "Number of the entry: one sequence of actions on one program."),
        DataColumn("program", "int", "The program.", "programs"),
        DataColumn("environment", "text", "Slug of the environment."),
        DataColumn("environment_digest", "text", "Digest of the environment's version."),
        DataColumn("action_space", "text", "Name of the action space; empty for the environment's first."),
        DataColumn("agent", "text", "Name of the agent that made the sequence."),
        DataColumn(
            "origin", "text", "Where it is from: BOARD/SUBMISSION/ITEM, a committed result, or a walk."
        ),
        DataColumn("initial", "int", "State before the first action.", "states"),
        DataColumn("actions", "int", "Number of its steps."),
        DataColumn("metric", "text", "The metric that was measured at the end; empty where there is none."),
        DataColumn("value", "number", "Its value."),
        DataColumn("ratio", "number", "How it compares with the board's reference; more than 1 is better."),
    ),
    "states": (
        DataColumn("state", "int", "Number of the state: what a program has become."),
        DataColumn("program", "int", "The program.", "programs"),
        DataColumn("digest", "text", "Digest of the state: equal states of a program have equal digests."),
        DataColumn("cost", "number", "The environment's cost: its first exact metric."),
    ),
    "steps": (
        DataColumn("entry", "int", "The entry.", "entries"),
        DataColumn("index", "int", "Place of the action in the sequence, from 0."),
        DataColumn("action", "text", "The action, as its action table names it."),
        DataColumn("before", "int", "State before the action.", "states"),
        DataColumn("after", "int", "State after the action.", "states"),
        DataColumn("had_effect", "flag", "Whether the action changed the program."),
    ),
}
_CROISSANT_TYPES: Final = {"int": "sc:Integer", "number": "sc:Float", "text": "sc:Text", "flag": "sc:Boolean"}
# The context of Croissant 1.0, and a place for what it has no words for.
_CONTEXT: Final = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "optarena": {"@id": "https://pypi.org/project/optarena/#release", "@type": "@json"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_SHA256: Final = kinds.matching(re.compile("[0-9a-f]{64}"), "64 hexadecimal digits")
_NAMED: Final = kinds.matching(
    NAME, "lower-case words and numbers joined by hyphens", longest=limits.RELEASE_NAME_LENGTH
)
_COUNT: Final = kinds.number(low=0, high=2**53, is_whole=True)
_TEXT: Final = kinds.text(longest=2_000, is_optional=True)
_FILE: Final = kinds.record(
    {
        name: Field(kind, needed=True)
        for name, kind in (("rows", _COUNT), ("bytes", _COUNT), ("sha256", _SHA256))
    }
)
_OWN: Final = kinds.record(
    {
        "name": Field(_NAMED, needed=True),
        "title": Field(_TEXT, needed=True),
        "description": Field(_TEXT, needed=True),
        "released": Field(kinds.DAY, needed=True),
        "follows": Field(_NAMED),
        "until": Field(_TEXT),
        "tables": Field(kinds.record({name: Field(_FILE, needed=True) for name in TABLES}), needed=True),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFile:
    """The file of a table of a release."""

    rows: int
    bytes: int
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Release:
    """A release of step data.

    Attributes:
        name: Its name, such as ``steps-v0``: the version that ``load`` takes.
        released: The day on which it was made.
        follows: The release of the same server before it, whose rows are not repeated here; empty if none.
        until: When a server looked for what everybody may read, in ISO 8601; empty for other releases.
        tables: The files by the name of their table.
        sha256: Hash of its description, which has those of the files: the one to cite.
        metadata_bytes: Size of its description.
        folder: Where the files are; None if they are on a server.
    """

    name: str
    title: str
    description: str
    released: str
    tables: Mapping[str, TableFile] = field(repr=False)
    sha256: str = ""
    metadata_bytes: int = 0
    follows: str = ""
    until: str = ""
    folder: Path | None = None

    @property
    def rows(self) -> int:
        """The number of steps."""
        return self.tables["steps"].rows

    @property
    def size_bytes(self) -> int:
        """The size of all files."""
        return sum(one.bytes for one in self.tables.values())

    def cite(self, address: str = "") -> Citation:
        """How to cite it; ``address`` is its page on a server."""
        title = f"{self.title} ({self.name})"
        note = f"{self.rows} steps. sha256 {self.sha256}"
        fields = {
            "key": self.name,
            "title": f"{{{escape_bibtex(title)}}}",
            "howpublished": f"\\url{{{address}}}" if address else "",
            "year": self.released[:4],
            "note": escape_bibtex(f"Released {self.released}. {note}"),
        }
        parts = [title, f"Released {self.released}", note, address]
        text = ". ".join(part for part in parts if part)
        return Citation(text=f"{text}.", bibtex=bibtex_entry(self.name, fields))

    def metadata(self, cited: str = "") -> bytes:
        """Its description in the Croissant format, with the sha256 of each file."""
        own: dict[str, Any] = {
            "schema": SCHEMA,
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "released": self.released,
            "follows": self.follows,
            "until": self.until,
            "tables": {
                name: {"rows": one.rows, "bytes": one.bytes, "sha256": one.sha256}
                for name, one in self.tables.items()
            },
        }
        document = {
            "@context": _CONTEXT,
            "@type": "sc:Dataset",
            "name": self.name,
            "description": self.description,
            "conformsTo": "http://mlcommons.org/croissant/1.0",
            "license": f"https://spdx.org/licenses/{LICENCE}.html",
            "url": cited or "https://pypi.org/project/optarena/",
            "version": f"{SCHEMA}.0.0",
            "datePublished": self.released,
            "citeAs": f"{self.title} ({self.name}). Released {self.released}.",
            "distribution": [_distributed(name, one) for name, one in self.tables.items()],
            "recordSet": [_record_set(name) for name in self.tables],
            "optarena": own,
        }
        return json.dumps(document, indent=1, ensure_ascii=False).encode() + b"\n"


def _distributed(name: str, file: TableFile) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file_name(name),
        "name": file_name(name),
        "contentUrl": file_name(name),
        "contentSize": f"{file.bytes} B",
        "encodingFormat": PARQUET,
        "sha256": file.sha256,
    }


def _record_set(name: str) -> dict[str, Any]:
    columns = TABLES[name]
    is_numbered = any(column.refers == name for others in TABLES.values() for column in others)
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        **({"key": {"@id": f"{name}/{columns[0].name}"}} if is_numbered else {}),
        "field": [_field(name, column) for column in columns],
    }


def _field(table: str, column: DataColumn) -> dict[str, Any]:
    # Without Croissant's `references`: mlcroissant joins tables for them, and fails where one has several.
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column.name}",
        "name": column.name,
        "description": column.description,
        "dataType": _CROISSANT_TYPES[column.kind],
        "source": {"fileObject": {"@id": file_name(table)}, "extract": {"column": column.name}},
    }


def file_name(table: str) -> str:
    """The name of a table's file."""
    return f"{table}.parquet"


def read_metadata(document: bytes, *, name: str, folder: Path | None = None) -> Release:
    """A release by its description.

    Raises:
        InvalidInput: It is none, of another release, or of a later version of the schema.
    """
    raw = json_document(document, field=METADATA)
    own = raw.get("optarena") if isinstance(raw, dict) else None
    schema = own.get("schema") if isinstance(own, dict) else None
    if isinstance(schema, int) and schema > SCHEMA:
        message = f"The release {name} has version {schema} of the schema; this version reads {SCHEMA}."
        remedy = "Install a later version of optarena."
        raise InvalidInput(message, field="schema", value=schema, remedy=remedy)
    if isinstance(own, dict):
        own = {one: own[one] for one in own if one != "schema" and (one, own[one]) != ("follows", "")}
    values = _OWN.require(own, path="optarena")
    if values["name"] != name:
        message = f"The description of {name} is that of {values['name']}."
        raise InvalidInput(message, field="name", value=values["name"], remedy="Give the folder its name.")
    if values.get("follows", "") >= name:  # a loop has no end
        message = f"The release {name} cannot follow {values['follows']}, whose name comes after its own."
        raise InvalidInput(message, field="follows", value=values["follows"], remedy="Download it again.")
    tables = {table: TableFile(**one) for table, one in values.pop("tables").items()}
    digest = hashlib.sha256(document).hexdigest()
    return Release(**values, tables=tables, sha256=digest, metadata_bytes=len(document), folder=folder)


def read_release(folder: Path) -> Release:
    """The release of a folder.

    Raises:
        InvalidInput: Its description is malformed, or of a later version of the schema.
        FileNotFoundError: There is none.
    """
    return read_metadata((folder / METADATA).read_bytes(), name=folder.name, folder=folder)


def releases_in(*folders: Path) -> dict[str, Release]:
    """The whole releases in folders, by name; of two with one name that of the first folder.

    One that cannot be read is logged and left out, so that the others can be used.
    """
    found: dict[str, Release] = {}
    for folder in folders:
        for path in sorted(folder.glob(f"*/{METADATA}")):
            name = path.parent.name
            if NAME.fullmatch(name) and name not in found:
                try:
                    found[name] = read_release(path.parent)
                except FileNotFoundError:  # it was replaced meanwhile
                    continue
                except (InvalidInput, OSError) as error:
                    _log.warning("%s is not a release: %s", path.parent, error)
    return found


def installed_folders() -> tuple[Path, ...]:
    """Where releases of this installation are: in the package, and among the user's data."""
    return BUILTIN, paths.site_data() / "steps"


def installed_releases() -> dict[str, Release]:
    """The releases of this installation, by name."""
    return releases_in(*installed_folders())


def find_releases(name: str, url: str | None = None) -> list[Release]:
    """A release and before it those that it follows, the oldest first.

    They are of this installation, else of a server, from which they are downloaded and kept.

    Raises:
        UnknownName: Neither has it.
        InvalidInput: A description is malformed, or of a later version of the schema.
        DownloadDamaged: A file arrived damaged. Nothing of it is kept.
        ServerUnreachable: The server does not answer, and the release was not downloaded before.
    """
    if not NAME.fullmatch(name) or len(name) > limits.RELEASE_NAME_LENGTH:
        raise unknown_name("release", name, sorted(installed_releases()))
    if any((folder / name / METADATA).is_file() for folder in installed_folders()):
        return _chain(name, _installed)
    from optarena.client import Client, server_url  # noqa: PLC0415 - a web client

    server = server_url(url)
    folder = paths.cache() / "steps" / hashlib.sha256(server.encode()).hexdigest()[:16]
    with Client(server, token="") as client:
        return _chain(name, _Downloads(client, server, folder).release)


def _chain(name: str, find: Callable[[str], Release]) -> list[Release]:
    found = [find(name)]
    while found[-1].follows:
        found.append(find(found[-1].follows))
    return found[::-1]


def _installed(name: str) -> Release:
    for folder in installed_folders():
        with contextlib.suppress(FileNotFoundError):
            return read_release(folder / name)
    message, remedy = f"The release {name}, which others follow, is missing.", "Put it beside them."
    raise InvalidInput(message, field="follows", value=name, remedy=remedy)


@dataclass(frozen=True)
class _Downloads:
    client: Client
    url: str
    folder: Path

    def release(self, name: str) -> Release:
        place = self.folder / name
        document = self._description(name, place / METADATA)
        release = read_metadata(document, name=name, folder=place)
        for table, file in release.tables.items():
            self._fetch(name, place / file_name(table), file)
        write_whole(place / METADATA, document)
        return release

    @cached_property
    def _hashes(self) -> dict[str, str] | ClientError:
        # Of all descriptions, asked for once: there may be hundreds. Or why the server does not answer.
        try:
            return {str(one["name"]): str(one["sha256"]) for one in self.client.releases()}
        except ClientError as error:
            if not is_unavailable(error):
                raise
            return error

    def _description(self, name: str, kept: Path) -> bytes:
        document = b""
        with contextlib.suppress(OSError):
            document = kept.read_bytes()
        if isinstance(self._hashes, ClientError):
            if document:
                return document
            message = f"Offline: the release {name} was not downloaded before. {self._hashes}"
            raise ServerUnreachable(message) from self._hashes
        if name not in self._hashes:
            raise unknown_name("release", name, sorted({*installed_releases(), *self._hashes}))
        if hashlib.sha256(document).hexdigest() == self._hashes[name]:
            return document
        sink = io.BytesIO()  # the server may have taken rows out since
        self.client.download(f"data/{name}/{METADATA}", sink, limit=MOST_METADATA_BYTES)
        return sink.getvalue()

    def _fetch(self, name: str, target: Path, file: TableFile) -> None:
        if target.is_file() and sha256_of(target) == file.sha256:
            return
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        part = target.with_name(f"{target.name}.{secrets.token_hex(8)}.part")
        try:
            with part.open("wb") as sink:
                address = f"data/{quote(name)}/{target.name}"
                self.client.download(address, sink, limit=min(file.bytes, MOST_FILE_BYTES))
            if sha256_of(part) != file.sha256:
                message = f"{target.name} of {name} arrived damaged from {self.url}. Nothing of it was kept; "
                raise DownloadDamaged(f"{message}try again.")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)
