"""Reads the separate parts of a suite: packages, headers, workloads, entries of the changelog."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from datasets.builder.suite import (
    ARGUMENT_OVERHEAD_BYTES,
    Header,
    Package,
    PackagePath,
    RunSpec,
)
from datasets.builder.tables import (
    ARCHIVE_BYTES,
    ARCHIVE_NAME,
    ARGUMENTS,
    DATA,
    DAY,
    HASH,
    LINES,
    PACKAGE_NAME,
    PACKAGE_VERSION,
    RUN_NAME,
    TEXT,
    VALUES,
    inside,
    some_tables,
)
from optarena import limits
from optarena.datasets.manifest import Change

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.documents.kinds import Table

MIN_WORKLOADS: Final = 3


def headers_of(table: Table, path_in: Callable[[str, str], PackagePath]) -> tuple[Header, ...]:
    """The headers to generate of a program; ``path_in`` reads a path in a package."""
    headers: list[Header] = []
    for one in some_tables(table, "header", needed=False):
        taken = [other.path for other in headers if other.path]
        template = one.find("template", TEXT)
        header = Header(
            path=inside(one, "path", one.need("path", TEXT)),
            text=one.find("text", DATA) or "",
            template=path_in("header", template) if template else None,
            values=one.find("values", VALUES) or {},
        )
        path = PurePosixPath(header.path)
        longest = max((len(part.encode()) for part in path.parts), default=0)
        if len(header.path.encode()) > limits.HEADER_PATH_BYTES or longest > limits.HEADER_PART_BYTES:
            sizes = f"{limits.HEADER_PATH_BYTES} bytes, each part of it {limits.HEADER_PART_BYTES}"
            one.problem("path", f"The path may have at most {sizes}.", header.path, "Shorten it.")
        if header.path and (str(path) != header.path or not path.name):
            message = "The value must be the path of a file, without '.' and '//'."
            one.problem("path", message, header.path, "Write it as the sources include it.")
        elif any(path.is_relative_to(other) or PurePosixPath(other).is_relative_to(path) for other in taken):
            message = "Another header has this path, or one is inside the other."
            one.problem("path", message, header.path, "Give it another path.")
        for field in ("text", "values"):
            if one.has(field) and one.has("template") == (field == "text"):
                message = "A header has a text, or a template with values."
                one.problem(field, message, None, "Keep one of the two.")
        headers.append(header)
        one.finish()
    return tuple(headers)


def package_of(table: Table) -> Package:
    """A pinned package."""
    package = Package(
        name=table.need("name", PACKAGE_NAME),
        version=table.need("version", PACKAGE_VERSION),
        archive=table.need("archive", ARCHIVE_NAME),
        sha256=table.need("sha256", HASH),
        size_bytes=int(table.need("size_bytes", ARCHIVE_BYTES)),
    )
    table.finish()
    return package


def change_of(table: Table) -> Change:
    """An entry of the changelog."""
    change = Change(
        version=table.need("version", TEXT),
        date=table.need("date", DAY),
        text=table.need("text", LINES),
    )
    table.finish()
    return change


def workloads_of(table: Table, *, needed: bool) -> tuple[RunSpec, ...]:
    """The runs of a program, checked for their number where workloads are needed."""
    tables = some_tables(table, "workload", needed=needed)
    runs = []
    for one in tables:
        name, stdin = one.need("name", RUN_NAME), one.find("stdin", DATA) or ""
        runs.append(RunSpec(name=name, args=_args(one), stdin=stdin))
        one.finish()
    table.unique("workload", [run.name for run in runs])
    if needed and len(runs) < MIN_WORKLOADS:
        table.problem(
            "workload", f"At least {MIN_WORKLOADS} workloads are needed.", len(runs), "Add more workloads."
        )
    return tuple(runs)


def _args(table: Table) -> tuple[str, ...]:
    """The arguments of a run, within the system's limits."""
    args = table.need("args", ARGUMENTS)
    sizes = [len(arg.encode()) for arg in args]
    for arg, size in zip(args, sizes, strict=True):
        if size > limits.ARGUMENT_BYTES:
            message = f"An argument has {size} bytes; it may have at most {limits.ARGUMENT_BYTES}."
            table.problem("args", message, arg, "Shorten it.")
    total = sum(size + ARGUMENT_OVERHEAD_BYTES for size in sizes)
    if total > limits.ARGUMENTS_BYTES:
        table.problem(
            "args",
            f"The arguments take {total} bytes, {ARGUMENT_OVERHEAD_BYTES} for each beside its text; "
            f"at most {limits.ARGUMENTS_BYTES} bytes are allowed.",
            f"{len(args)} arguments",
            "Give fewer or shorter ones.",
        )
    return args
