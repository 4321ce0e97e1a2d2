"""The manifest (schema 1) and the folder of a dataset: written whole or not at all, and compared."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets.dataset import MANIFEST_NAME
from optarena.datasets.manifest import SCHEMA, parse_manifest
from optarena.llvm.environments import METRICS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from datasets.builder.build import BuiltProgram, CompiledProgram
    from datasets.builder.suite import Suite

# Facts of the day a dataset was built on; another build may find other ones.
_VARYING: Final = frozenset({"run_seconds"})


def manifest_of(suite: Suite, programs: Sequence[BuiltProgram]) -> dict[str, Any]:
    """The manifest of a suite's programs, as JSON values, programs sorted by name.

    Raises:
        InvalidDocument: It would not be a valid manifest.
    """
    entries = sorted((_entry(suite, program) for program in programs), key=lambda entry: entry["uri"])
    lines = "".join(sorted(f"{entry['uri']} {entry['ir_sha256']}\n" for entry in entries))
    toolchain = asdict(suite.toolchain) | {"flags": list(suite.toolchain.flags)}
    manifest = {
        "schema": SCHEMA,
        "dataset": suite.name,
        "title": suite.title,
        "description": suite.description,
        "licence": suite.licence,
        "toolchain": toolchain,
        "sha256": hashlib.sha256(lines.encode()).hexdigest(),
        "benchmarks": entries,
    }
    parse_manifest(json.dumps(manifest))
    return manifest


def write_dataset(folder: Path, manifest: Mapping[str, Any], programs: Sequence[BuiltProgram]) -> None:
    """Puts the dataset in ``folder``, replacing what is there only once everything is written."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as name:
        fresh, old = Path(name) / "fresh", Path(name) / "old"
        fresh.mkdir()
        for program in programs:
            (fresh / _file_name(program.compiled)).write_bytes(program.compiled.bitcode)
        (fresh / MANIFEST_NAME).write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
        shutil.rmtree(old, ignore_errors=True)


def differences(folder: Path, manifest: Mapping[str, Any], programs: Sequence[BuiltProgram]) -> list[str]:
    """What in ``folder`` is not as a fresh build made it; empty if all is equal.

    What differs from one build to the next by its nature (the measured time) is not compared.
    """
    try:
        stored = json.loads((folder / MANIFEST_NAME).read_text())
    except (OSError, ValueError) as error:
        return [f"{folder / MANIFEST_NAME} cannot be read: {error}"]
    found = [f"{key} differs" for key in _differing(stored, manifest) if key != "benchmarks"]
    old = {entry["name"]: entry for entry in stored["benchmarks"]}
    new = {entry["name"]: entry for entry in manifest["benchmarks"]}
    found += [f"{name} is not in the suite" for name in sorted(old.keys() - new.keys())]
    found += [f"{name} is missing" for name in sorted(new.keys() - old.keys())]
    for name in sorted(old.keys() & new.keys()):
        found += [f"{name}: {key} differs" for key in _differing(old[name], new[name])]
    for program in programs:
        file = folder / _file_name(program.compiled)
        if not file.exists() or file.read_bytes() != program.compiled.bitcode:
            found.append(f"{file.name} is not the program that was built")
    return found


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    keys = sorted((old.keys() | new.keys()) - _VARYING)
    return [key for key in keys if old.get(key) != new.get(key)]


def _entry(suite: Suite, built: BuiltProgram) -> dict[str, Any]:
    compiled = built.compiled
    program = compiled.program
    return {
        "uri": f"benchmark://{suite.name}/{program.name}",
        "name": program.name,
        "title": program.title,
        "description": program.description,
        "domain": program.domain,
        "language": program.language,
        "licence": program.licence,
        "kind": "stored",
        "file": _file_name(compiled),
        "sha256": hashlib.sha256(compiled.bitcode).hexdigest(),
        "size_bytes": len(compiled.bitcode),
        "ir_sha256": compiled.ir_sha256,
        "source": {
            "path": program.source,
            "sha256": hashlib.sha256(program.text).hexdigest(),
            "lines": program.text.count(b"\n"),
        },
        "baselines": {
            metric.name: {level: getattr(found, metric.name) for level, found in compiled.baselines.items()}
            for metric in METRICS
        },
        "run_seconds": built.evidence.seconds,
        "workloads": [
            {
                "name": run.name,
                "args": list(run.args),
                "stdin": run.stdin,
                "expected_stdout": built.evidence.answers[run.name].stdout.decode(),
                "exit_code": built.evidence.answers[run.name].exit_code,
            }
            for run in program.workloads
        ],
    }


def _file_name(compiled: CompiledProgram) -> str:
    return f"{compiled.program.name}.bc"
