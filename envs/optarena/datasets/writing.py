"""Writing the manifest of a folder of programs, as the author of a dataset does to publish it.

The programs are existing files; a ``DatasetProgram`` describes each and what it should do.
"""

from __future__ import annotations

import hashlib
import json
import numbers
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from optarena.datasets.manifest import MANIFEST_NAME, SCHEMA, digest_of, parse_manifest
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optarena.datasets.manifest import Change, Manifest
    from optarena.specs.benchmark import Baselines, Workload


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
        InvalidInput: A program cannot be read, or a workload's text is not UTF-8.
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


def _workload(workload: Workload) -> dict[str, Any]:
    try:
        stdin, stdout = workload.stdin.decode(), workload.expected_stdout.decode()
    except UnicodeDecodeError as error:
        message = f"The workload {workload.name} has bytes that are not UTF-8 text: {error}."
        remedy = "Use workloads that read and print text."
        raise InvalidInput(message, field="workloads", value=workload.name, remedy=remedy) from error
    return {
        "name": workload.name,
        "args": list(workload.args),
        "stdin": stdin,
        "expected_stdout": stdout,
        "exit_code": workload.exit_code,
    }
