"""Files of suites as documents, and the kinds of values that suites have."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from datasets.builder.suite import COLUMNS, SPLITS
from optarena import limits
from optarena.datasets.manifest import read_plain
from optarena.documents import kinds
from optarena.documents.loading import refused, toml_document

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.documents.kinds import Kind, Table

_MAX_FILE_BYTES: Final = 64 * 1024**2
_NAMES: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")

TEXT: Final = kinds.text()
LINES: Final = kinds.text(lines=True)
TEXTS: Final = kinds.list_of(TEXT)
DATA: Final = kinds.data(is_optional=True, has_nul=False)
ARGUMENTS: Final = kinds.list_of(DATA)
VALUES: Final = kinds.map_of(DATA)
DAY: Final = kinds.DAY
SWITCH: Final = kinds.FLAG
SCHEMA_NUMBER: Final = kinds.number(low=1, is_whole=True)
ARCHIVE_BYTES: Final = kinds.number(low=1, high=1 << 40, is_whole=True)
SPLIT: Final = kinds.choice(*SPLITS)
UPSTREAM: Final = kinds.address(schemes=("https",), is_plain=True)  # as manifests may have them
SUITE_NAME: Final = kinds.matching(_NAMES, form="the name of another suite")
PROGRAM_NAME: Final = kinds.matching(
    pattern=_NAMES, form="lower-case letters, digits, - and _", longest=COLUMNS["name"]
)
RUN_NAME: Final = kinds.matching(
    pattern=re.compile(r"(?!\.+$)[^/\\\s](?:[^/\\]*[^/\\\s])?"),
    form="a name without / and \\, and no space at its ends",
    longest=limits.WORKLOAD_NAME_LENGTH,
)
PACKAGE_NAME: Final = kinds.matching(
    pattern=re.compile(rf"[A-Za-z0-9](?:[A-Za-z0-9._-]{{0,{limits.PACKAGE_NAME_LENGTH - 2}}}[A-Za-z0-9])?"),
    form="letters, digits, ., - and _",
)
PACKAGE_VERSION: Final = kinds.matching(
    pattern=re.compile(rf"[A-Za-z0-9][A-Za-z0-9.!+_-]{{0,{limits.PACKAGE_VERSION_LENGTH - 1}}}"),
    form="a version, such as 1.2.3",
)
ARCHIVE_NAME: Final = kinds.matching(
    pattern=re.compile(rf"[A-Za-z0-9_+-][A-Za-z0-9_.+-]{{0,{limits.ARCHIVE_NAME_LENGTH - 1}}}"),
    form="the archive's file name",
)
HASH: Final = kinds.matching(re.compile(r"[0-9a-f]{64}"), form="64 hexadecimal digits")
COMPILER: Final = kinds.choice("clang", "gcc")
LEVEL: Final = kinds.choice("O0", "O1", "O2", "O3", "Os", "Oz")


def column(name: str) -> Kind[str]:
    """A text that fits into a column of the server's database."""
    return kinds.text(longest=COLUMNS[name])


def toml_of(file: Path) -> dict[str, Any]:
    """The document in a file.

    Raises:
        InvalidDocument: It cannot be read, or is not TOML.
    """
    try:
        content = plain_file(file)
    except OSError as error:
        raise refused(
            file.name, f"The file cannot be read: {error}.", "Name the folder of a suite."
        ) from error
    return toml_document(content, field=file.name)


def plain_file(file: Path) -> bytes:
    """Content of a file of a suite.

    Raises:
        OSError: It cannot be read, is not a regular file, or is too large for a source.
    """
    return read_plain(file, _MAX_FILE_BYTES)


def inside(table: Table, field: str, path: str, what: str = "the package") -> str:
    """The path, if it is inside ``what``; else None, and a problem of the field."""
    parts = PurePosixPath(path)
    if parts.is_absolute() or ".." in parts.parts:
        table.problem(field, f"The path must be inside {what}.", path, "Give a relative path without '..'.")
        return ""
    return path


def some_tables(table: Table, name: str, *, needed: bool) -> list[Table]:
    """The tables at ``name``; at least one if they are needed."""
    value = table.get(name)
    if table.has(name) and value and isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return table.tables(name, by_name=not table.place.path)
    if needed or table.has(name):
        table.problem(name, f"At least one [[{name}]] table is needed.", value, "Add one.")
    return []
