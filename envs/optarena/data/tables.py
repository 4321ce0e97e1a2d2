"""Releases as tables of Parquet: written row by row in bounded memory, and read as a whole."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from optarena.data.releases import METADATA, SCHEMA, TABLES, Release, TableFile, file_name
from optarena.errors import InvalidInput, ToolMissing
from optarena.file_locks import FileLock
from optarena.isolation.tool_files import sha256_of

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq
except ImportError as missing:
    raise ToolMissing(
        "Step data need the package pyarrow, which is missing.",
        field="pyarrow",
        remedy="Install it: pip install 'optarena[data]'.",
    ) from missing

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

_TYPES: Final = {"int": pa.int32(), "number": pa.float64(), "text": pa.string(), "flag": pa.bool_()}
_NUMBERED: Final = ("program", "entry", "state", "before", "after", "initial", "index", "actions")
# Texts of which a table has few different ones.
_REPEATED: Final = (
    "split",
    "licence",
    "environment",
    "environment_digest",
    "action_space",
    "agent",
    "metric",
    "action",
)
_BUFFERED: Final = 32_768
_SCHEMA_KEY: Final = b"optarena.schema"


def table_schema(name: str) -> pa.Schema:
    """The schema of a table."""
    fields = [pa.field(one.name, _TYPES[one.kind]) for one in TABLES[name]]
    return pa.schema(fields, metadata={_SCHEMA_KEY: str(SCHEMA)})


@dataclass(frozen=True, slots=True, kw_only=True)
class DataProgram:
    """A program of a release."""

    uri: str
    sha256: str
    split: str
    licence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DataEntry:
    """A sequence of a release, without its steps; the fields are the columns of the table ``entries``."""

    environment: str
    environment_digest: str
    agent: str
    origin: str
    action_space: str = ""
    metric: str = ""
    value: float | None = None
    ratio: float | None = None


_PROGRAM: Final = tuple(one.name for one in fields(DataProgram))
_ENTRY: Final = tuple(one.name for one in fields(DataEntry))


class _TableWriter:
    # Rows wait as lists of columns, and become row groups.

    def __init__(self, path: Path, name: str) -> None:
        self.rows = 0
        self._path = path
        self._schema = table_schema(name)
        self._waiting: list[list[Any]] = [[] for _ in self._schema]
        names = self._schema.names
        self._file = pq.ParquetWriter(
            path,
            self._schema,
            compression="zstd",
            compression_level=9,
            use_dictionary=[one for one in names if one in _REPEATED or one in {"cost", "value", "ratio"}],
            column_encoding={one: "DELTA_BINARY_PACKED" for one in names if one in _NUMBERED},
            write_statistics=False,
        )

    def extend(self, *columns: Sequence[Any]) -> None:
        for waiting, column in zip(self._waiting, columns, strict=True):
            waiting.extend(column)
        self.rows += len(columns[0])
        if len(self._waiting[0]) >= _BUFFERED:
            self._flush()

    def _flush(self) -> None:
        if self._waiting[0]:
            arrays = [
                pa.array(one, type_) for one, type_ in zip(self._waiting, self._schema.types, strict=True)
            ]
            self._file.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
            self._waiting = [[] for _ in self._schema]

    def close(self) -> TableFile:
        self._flush()
        self._file.close()
        return TableFile(rows=self.rows, bytes=self._path.stat().st_size, sha256=sha256_of(self._path))

    def abandon(self) -> None:
        self._file.close()


class ReleaseWriter:
    """Writes a release: a folder that appears whole, or not at all.

    Entries of one program and one environment follow each other, so that memory does not grow with the
    number of states. Use it as a context manager, and call ``finish`` at the end of the block.

    Args:
        parent: The folder in which the release's own appears.
        release: Its name, texts, and what it follows; the tables are still empty.
        replaces: Take the place of a release of this name.
    """

    def __init__(self, parent: Path, release: Release, *, replaces: bool = False) -> None:
        self._release = release
        self._target = parent / release.name
        self._replaces = replaces
        self._refuse_another()
        parent.mkdir(parents=True, exist_ok=True)
        for left in parent.glob(".*.part"):  # nobody has locked those of processes that died
            if (owned := _locked(left)) is not None:
                shutil.rmtree(left, ignore_errors=True)
                owned.close()
        self._part = parent / f".{release.name}.{secrets.token_hex(8)}.part"
        self._part.mkdir()
        self._lock = _locked(self._part)
        self._tables = {name: _TableWriter(self._part / file_name(name), name) for name in TABLES}
        self._programs: dict[DataProgram, int] = {}
        self._group: tuple[DataProgram, str] | None = None
        self._states: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._part.exists():
            for one in self._tables.values():
                with contextlib.suppress(OSError):  # it writes the end of the file: the disk may be full
                    one.abandon()
            shutil.rmtree(self._part, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()

    def _refuse_another(self) -> None:
        if self._target.exists() and not self._replaces:
            message, remedy = f"{self._target} exists.", "A release never changes: choose another name."
            raise InvalidInput(message, field="name", value=self._release.name, remedy=remedy)

    @property
    def steps(self) -> int:
        """How many steps it has so far."""
        return self._tables["steps"].rows

    def add(self, program: DataProgram, entry: DataEntry, trace: Mapping[str, Any]) -> None:
        """Add a sequence by its trace: ``initial`` and ``steps`` as ``ReplayResult.as_dict`` has them."""
        number = self._program(program, entry.environment)
        digests = [(trace["initial"]["digest"], trace["initial"]["cost"])]
        digests += [(step["digest"], step["cost"]) for step in trace["steps"]]
        places = [self._state(number, *one) for one in digests]
        key, steps = self._tables["entries"].rows, trace["steps"]
        count = len(steps)
        about = (key, number, entry.environment, entry.environment_digest, entry.action_space, entry.agent)
        found = (entry.origin, places[0], count, entry.metric, entry.value, entry.ratio)
        self._tables["entries"].extend(*([one] for one in (*about, *found)))
        self._tables["steps"].extend(
            [key] * count,
            range(count),
            [step["name"] for step in steps],
            places[:-1],
            places[1:],
            [not step["had_no_effect"] for step in steps],
        )

    def _program(self, program: DataProgram, environment: str) -> int:
        known = self._programs.get(program)
        if known is None:
            known = self._programs[program] = len(self._programs)
            row = (known, program.uri, program.sha256, program.split, program.licence)
            self._tables["programs"].extend(*([one] for one in row))
        if self._group != (program, environment):
            self._group = program, environment
            self._states = {}
        return known

    def _state(self, program: int, digest: str, cost: float | None) -> int:
        known = self._states.get(digest)
        if known is None:
            table = self._tables["states"]
            known = self._states[digest] = table.rows
            table.extend([known], [program], [digest], [cost])
        return known

    def finish(self, *, until: str = "") -> Release:
        """Write what is left, and give the release its folder.

        ``until`` is the moment up to which it has all that it could have.
        """
        tables = {name: one.close() for name, one in self._tables.items()}
        release = replace(self._release, tables=tables, folder=self._target, until=until)
        document = release.metadata()
        (self._part / METADATA).write_bytes(document)
        for path in (*self._part.iterdir(), self._part):  # after a crash, too, it is whole or not there
            _write_through(path)
        self._refuse_another()  # another process may have been faster
        if self._target.exists():
            former = self._target.with_name(f".{self._target.name}.old")
            self._target.rename(former)
            self._part.rename(self._target)
            shutil.rmtree(former)
        else:
            self._part.rename(self._target)
        _write_through(self._target.parent)
        return replace(release, sha256=hashlib.sha256(document).hexdigest(), metadata_bytes=len(document))


def _locked(folder: Path) -> FileLock | None:
    with contextlib.suppress(FileNotFoundError):  # its writer has ended
        return FileLock.take(os.open(folder, os.O_RDONLY), folder)
    return None


def _write_through(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@dataclass(frozen=True, eq=False)
class StepData:
    """The tables of some releases together, whose numbers refer to each other.

    Attributes:
        programs: One row for each program.
        entries: One row for each sequence.
        states: One row for each state of a program.
        steps: One row for each action of each sequence.
    """

    programs: pa.Table
    entries: pa.Table
    states: pa.Table
    steps: pa.Table

    def __repr__(self) -> str:
        # What a prompt or a notebook shows; the tables themselves would fill screens.
        sizes = ", ".join(f"{one.name}: {getattr(self, one.name).num_rows:,} rows" for one in fields(self))
        return f"<{type(self).__name__} {sizes}>"

    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The steps as arrays of equal lengths.

        ``entry``, ``program``, ``before`` and ``after`` are numbers of rows, and ``action`` is one in
        ``actions()``. ``cost_before`` and ``cost_after`` are NaN where there are none.
        """
        cost = self.states["cost"].to_numpy()
        names = ("entry", "index", "before", "after", "had_effect")
        found = {name: self.steps[name].to_numpy() for name in names}
        return {
            **found,
            "program": self.entries["program"].to_numpy()[found["entry"]],
            "action": self._actions.indices.to_numpy(),
            "cost_before": cost[found["before"]],
            "cost_after": cost[found["after"]],
        }

    @property
    def _actions(self) -> pa.DictionaryArray:
        column = self.steps["action"].unify_dictionaries().combine_chunks()
        return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column

    def actions(self) -> list[str]:
        """The names of the actions."""
        names: list[str] = self._actions.dictionary.to_pylist()
        return names

    def frame(self) -> pd.DataFrame:
        """The steps as a data frame of pandas, with program, split, digests and costs."""
        try:
            import pandas as pd  # noqa: PLC0415 - optional
        except ImportError as error:
            message, remedy = (
                "A data frame needs pandas, which is missing.",
                "Install it: pip install pandas.",
            )
            raise ToolMissing(message, field="pandas", remedy=remedy) from error
        found, actions, digests = self.arrays(), self.actions(), _texts(self.states, "digest")
        uris, splits = _texts(self.programs, "uri"), _texts(self.programs, "split")
        return pd.DataFrame(
            {
                "program": pd.Categorical(uris).take(found["program"]),  # a URI may have had other bytes
                "split": splits[found["program"]],
                "entry": found["entry"],
                "index": found["index"],
                "action": pd.Categorical.from_codes(found["action"], pd.Index(actions)),
                "had_effect": found["had_effect"],
                "cost_before": found["cost_before"],
                "cost_after": found["cost_after"],
                "digest_before": digests[found["before"]],
                "digest_after": digests[found["after"]],
            }
        )


def _texts(table: pa.Table, name: str) -> np.ndarray[Any, Any]:
    return np.array(table[name].to_pylist(), dtype=object)


def read_releases(releases: Sequence[Release]) -> StepData:
    """The tables of releases, one after the other, checked by their hashes.

    Raises:
        InvalidInput: A file is missing or damaged, or of a later version of the schema.
    """
    read = [_read_checked(one) for one in releases]
    first: dict[str, int] = {}
    programs: dict[tuple[str, str], int] = {}
    joined: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
    for tables in read:
        # Programs of several releases are one; the others are counted on.
        keys = list(zip(*(tables["programs"][name].to_pylist() for name in ("uri", "sha256")), strict=True))
        is_new = [key not in programs for key in keys]
        numbers = np.array([programs.setdefault(key, len(programs)) for key in keys], np.int32)
        renumber = partial(_renumbered, programs=numbers, first=dict(first))
        joined["programs"].append(
            renumber(tables["programs"], "programs").filter(pa.array(is_new, pa.bool_()))
        )
        for name in ("entries", "states", "steps"):
            joined[name].append(renumber(tables[name], name))
            first[name] = first.get(name, 0) + tables[name].num_rows
    return StepData(**{name: pa.concat_tables(parts) for name, parts in joined.items()})


def _renumbered(
    table: pa.Table, name: str, programs: np.ndarray[Any, np.dtype[np.int32]], first: Mapping[str, int]
) -> pa.Table:
    for place, column in enumerate(TABLES[name]):
        refers = column.refers or (name if place == 0 else "")
        if refers == "programs":
            changed = pa.array(programs[table[column.name].to_numpy()])
        elif offset := first.get(refers, 0):
            changed = pc.add(table[column.name], pa.scalar(offset, pa.int32()))
        else:
            continue
        table = table.set_column(place, column.name, changed)
    return table


def _read_checked(release: Release) -> dict[str, pa.Table]:
    tables = {name: _read(release, name) for name in TABLES}
    for name, columns in TABLES.items():
        for column in columns:
            found = tables[name][column.name]
            if column.kind != "number" and found.null_count:
                raise _unusable(release, name, f"{column.name} lacks values")
            if column.refers:
                numbers, most = found.to_numpy(), tables[column.refers].num_rows
                if len(numbers) and not 0 <= numbers.min() <= numbers.max() < most:
                    raise _unusable(release, name, f"{column.name} names rows that {column.refers} lacks")
    counts = tables["entries"]["actions"].to_numpy()
    if (len(counts) and counts.min() < 0) or counts.sum() != tables["steps"].num_rows:
        raise _unusable(release, "entries", "actions does not add up to the number of steps")
    ends = np.cumsum(counts)
    expected = {
        ("programs", "program"): np.arange(tables["programs"].num_rows),
        ("entries", "entry"): np.arange(len(counts)),
        ("states", "state"): np.arange(tables["states"].num_rows),
        ("steps", "entry"): np.repeat(np.arange(len(counts)), counts),
        ("steps", "index"): np.arange(tables["steps"].num_rows) - np.repeat(ends - counts, counts),
    }
    for (name, counted), numbers in expected.items():
        if not np.array_equal(tables[name][counted].to_numpy(), numbers):
            raise _unusable(release, name, f"{counted} does not count as it should")
    return tables


def _unusable(release: Release, name: str, reason: str) -> InvalidInput:
    message = f"The table {name} of {release.name} cannot be used: {reason}."
    remedy = f"Tell whoever made it, and remove the folder {release.folder}."
    return InvalidInput(message, field=name, value=release.name, remedy=remedy)


def _read(release: Release, name: str) -> pa.Table:
    if release.folder is None:
        raise ValueError("The release has no folder.")
    path = release.folder / file_name(name)
    remedy = f"Remove the folder {release.folder} and get the release again."
    data = b""
    with contextlib.suppress(OSError):
        data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != release.tables[name].sha256:
        state = "is damaged" if data else "is missing, or cannot be read"
        raise InvalidInput(f"{path} {state}.", field=name, value=str(path), remedy=remedy)
    texts = [column.name for column in TABLES[name] if column.name in _REPEATED]
    try:
        schema = pq.read_schema(pa.BufferReader(data))
        version = (schema.metadata or {}).get(_SCHEMA_KEY, b"").decode(errors="replace")
        if version != str(SCHEMA):
            message = f"{path} has version {version:.20} of the schema; this version reads {SCHEMA}."
            raise InvalidInput(message, field=name, value=version, remedy="Install a later optarena.")
        if not schema.equals(table_schema(name)):
            raise _unusable(release, name, "its columns are others")
        table = pq.read_table(pa.BufferReader(data), read_dictionary=texts, use_threads=False)
    except pa.ArrowException as error:
        raise _unusable(release, name, str(error)) from error
    if table.num_rows != release.tables[name].rows:
        raise _unusable(release, name, f"it has {table.num_rows} rows")
    return table.replace_schema_metadata(None)


def copy_entries(release: Release, writer: ReleaseWriter, *, only: Collection[str]) -> None:
    """Write the entries of a release again that are from these origins."""
    data = read_releases([release])
    programs = [DataProgram(**{one: row[one] for one in _PROGRAM}) for row in data.programs.to_pylist()]
    states = data.states.combine_chunks()
    start = 0
    for row in data.entries.to_pylist():
        steps = data.steps.slice(start, row["actions"])
        start += row["actions"]
        if row["origin"] in only:  # each alone, since a release as lists is large
            places = [row["initial"], *steps["after"].to_pylist()]
            initial, *after = states.select(["digest", "cost"]).take(places).to_pylist()
            names = zip(steps["action"].to_pylist(), steps["had_effect"].to_pylist(), after, strict=True)
            done = [{"name": name, "had_no_effect": not effect, **state} for name, effect, state in names]
            entry = DataEntry(**{one: row[one] for one in _ENTRY})
            writer.add(programs[row["program"]], entry, {"initial": initial, "steps": done})
