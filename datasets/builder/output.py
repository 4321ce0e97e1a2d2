"""Write a built dataset, and the lock file of its suite.

The lock has the hashes of the dataset, with which any machine can check its own build. It is beside
``suite.toml`` and part of the repository, even if the dataset itself is too large for it.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from datasets.builder.build import BuiltProgram, BuiltUnit
from datasets.builder.files import DatasetRefused, Refusal, replace_folder, whole_file, write_new
from datasets.builder.measuring import CLANG_LEVEL, MeasuredModule
from datasets.builder.preprocessing import HEADERS_SHA256
from datasets.builder.suite import Header, Program, RunSpec, Suite
from optarena.datasets import Workload
from optarena.datasets.dataset import MANIFEST_NAME, PACKED, pack, read_program
from optarena.datasets.manifest import SCHEMA, digest_of, parse_manifest
from optarena.gcc.pinned import COMPILER as GCC
from optarena.gcc.pinned import PROGRAMS
from optarena.gcc.units import SUFFIX, is_container
from optarena.llvm.description import METRICS
from optarena.specs.benchmark import encoded_files

if TYPE_CHECKING:
    from datasets.builder.measured_sources import BuiltSource

# Facts that may differ from one build to the next.
_VARYING: Final = frozenset({"run_seconds"})
# The note about a deprecated dataset is beside its manifest, and is kept by a build.
_DEPRECATED: Final = "deprecated.json"
_SAME: Final = ("title", "description", "domain", "language", "licence")


@dataclass(frozen=True, slots=True)
class BuiltDataset:
    manifest: dict[str, Any]
    files: Mapping[str, bytes]  # The programs by the path that the manifest gives them.


def dataset_of_programs(suite: Suite, programs: Sequence[BuiltProgram]) -> BuiltDataset:
    entries = []
    for built in programs:
        program, answers = built.compiled.program, built.evidence.answers
        entry, data = _entry(suite, program, _bitcode(built.compiled.measured), name=program.name)
        entry["source"] = _program_source(suite, built)
        entry["run_seconds"] = built.evidence.run_seconds
        entry["workloads"] = [
            _workload(run, run.stdin, answers[run.name].stdout, answers[run.name].exit_code)
            for run in program.workloads
        ]
        entries.append((entry, data))
    return _dataset(suite, entries)


def dataset_of_sources(suite: Suite, sources: Sequence[BuiltSource]) -> BuiltDataset:
    # Origins and outputs are those of the base.
    entries = []
    for built in sources:
        payload = _Payload(
            data=built.source,
            suffix=SUFFIX if is_container(built.source) else ".c",
            identity=built.identity,
            baselines=built.baselines,
        )
        entry, data = _entry(suite, built.program, payload, name=built.program.name)
        entry["source"] = dict(built.base.source)
        entry["run_seconds"] = built.base.run_seconds
        entry["workloads"] = [
            _workload(run, run.stdin.decode(), run.expected_stdout, run.exit_code)
            for run in built.base.workloads
        ]
        entries.append((entry, data))
    return _dataset(suite, entries)


def dataset_of_units(suite: Suite, units: Sequence[BuiltUnit]) -> BuiltDataset:
    entries = []
    for unit in units:
        program = unit.program
        entry, data = _entry(suite, program, _bitcode(unit.measured), name=unit.name)
        entry["title"] = f"{program.title}: {unit.name.rpartition('/')[2]}"
        file = unit.file.seen_from(program.package)
        entry["description"] = f"The translation unit {file} of {program.package} by itself."
        entry["source"] = {**_package_source(suite, program), "file": file, "lines": unit.lines}
        entry["run_seconds"] = 0.0
        entry["workloads"] = []
        entries.append((entry, data))
    return _dataset(suite, entries)


def _workload(run: RunSpec | Workload, stdin: str, stdout: bytes, exit_code: int) -> dict[str, Any]:
    return {
        "name": run.name,
        "args": list(run.args),
        "stdin": stdin,
        "expected_stdout": stdout.decode(),
        "exit_code": exit_code,
        **({"files": encoded_files(run.files)} if run.files else {}),
    }


def _dataset(suite: Suite, entries: Sequence[tuple[dict[str, Any], bytes]]) -> BuiltDataset:
    listed = sorted((entry for entry, _ in entries), key=lambda entry: entry["uri"])
    manifest: dict[str, Any] = {
        "schema": SCHEMA,
        "dataset": suite.name,
        "title": suite.title,
        "description": suite.description,
        "licence": suite.licence,
        "toolchain": _toolchain(suite),
        "sha256": digest_of((entry["uri"], entry["ir_sha256"]) for entry in listed),
    }
    about = {"released": suite.released, "upstream": suite.upstream}
    manifest |= {name: value for name, value in about.items() if value}
    if suite.changelog:
        changes = [{"version": one.version, "date": one.date, "text": one.text} for one in suite.changelog]
        manifest["changelog"] = changes
    manifest["benchmarks"] = listed
    parse_manifest(json.dumps(manifest))
    return BuiltDataset(manifest, {entry["file"]: bitcode for entry, bitcode in entries})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Payload:
    data: bytes
    suffix: str
    identity: str
    baselines: Mapping[str, Mapping[str, int]]


def _bitcode(measured: MeasuredModule) -> _Payload:
    return _Payload(
        data=measured.bitcode,
        suffix=".bc",
        identity=measured.ir_sha256,
        baselines={
            metric.name: {level: getattr(found, metric.name) for level, found in measured.baselines.items()}
            for metric in METRICS
        },
    )


def _toolchain(suite: Suite) -> dict[str, Any]:
    spec = suite.toolchain
    tools: dict[str, Any] = {
        "clang": spec.clang,
        "llvm": spec.llvm,
        "target": spec.target,
        "cpu": spec.cpu,
        "flags": list(spec.flags),
    }
    if spec.compiler == "gcc":
        own = {"headers": HEADERS_SHA256} if suite.has_packages else {}
        tools["compiler"] = {"name": GCC, "programs": dict(PROGRAMS), **own}
    if spec.headers:
        package = suite.package(spec.headers)
        tools["headers"] = {
            "purl": package.purl,
            "sha256": package.sha256,
            "folders": list(spec.header_folders),
        }
    return tools


def _entry(suite: Suite, program: Program, payload: _Payload, *, name: str) -> tuple[dict[str, Any], bytes]:
    sha256 = hashlib.sha256(payload.data).hexdigest()
    entry = {
        "uri": f"benchmark://{suite.name}/{name}",
        "name": name,
        **{field: getattr(program, field) for field in _SAME},
        "kind": "stored",
        # Programs of packages are many, and their files are named by content; a suite's own keep their names.
        "file": f"{f'blobs/{sha256}' if program.package else name}{payload.suffix}",
        "sha256": sha256,
        "size_bytes": len(payload.data),
        "ir_sha256": payload.identity,
        "source": {},
        "baselines": {metric: dict(levels) for metric, levels in payload.baselines.items()},
    }
    return entry | _unless_empty(split=program.split, tags=list(program.tags)), payload.data


def _program_source(suite: Suite, built: BuiltProgram) -> dict[str, Any]:
    program = built.compiled.program
    sha256 = hashlib.sha256(program.text).hexdigest()
    if not program.package:
        return {"path": program.source, "sha256": sha256, "lines": program.text.count(b"\n")}
    return {
        **_package_source(suite, program),
        "files": [file.seen_from(program.package) for file in program.files],
        "driver": program.source,
        "driver_sha256": sha256,
        **_unless_empty(
            support={
                name: hashlib.sha256(text).hexdigest() for name, text in sorted(program.support.items())
            },
            unsanitized=list(program.unsanitized),
        ),
        "translation_units": len(program.files) + 1,
        "lines": built.compiled.lines,
    }


def _package_source(suite: Suite, program: Program) -> dict[str, Any]:
    package = suite.package(program.package)
    further = [suite.package(name) for name in sorted(program.packages - {program.package})]
    return {
        "package": package.name,
        "version": package.version,
        "archive": package.archive,
        "archive_sha256": package.sha256,
        "archive_bytes": package.size_bytes,
        "purl": package.purl,
        "upstream": program.upstream,
        "licence_files": list(program.licence_files),
        "flags": list(program.flags),
        "include": [place.seen_from(program.package) for place in program.include],
        **_unless_empty(
            packages={one.purl: one.sha256 for one in further},
            headers=[_header_source(header, program.package) for header in program.headers],
        ),
    }


def _header_source(header: Header, package: str) -> dict[str, Any]:
    if header.template is None:
        return {"path": header.path, "sha256": hashlib.sha256(header.text.encode()).hexdigest()}
    return {
        "path": header.path,
        "template": header.template.seen_from(package),
        "values": dict(header.values),
    }


def _unless_empty(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _of_opt(entry: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    # Lock files are older than clang's own level.
    return {
        metric: {level: value for level, value in levels.items() if level != CLANG_LEVEL}
        for metric, levels in entry["baselines"].items()
    }


def manifest_digest(manifest: Mapping[str, Any]) -> str:
    # Without the values that differ from one build to the next.
    benchmarks = [
        {**{key: value for key, value in entry.items() if key not in _VARYING}, "baselines": _of_opt(entry)}
        for entry in manifest["benchmarks"]
    ]
    text = json.dumps({**manifest, "benchmarks": benchmarks}, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def check_replaceable(folder: Path, name: str) -> None:
    # A dataset's folder may be replaced if it is an earlier build, or does not exist.
    if not folder.exists() and not folder.is_symlink():
        return
    if folder.is_dir() and not any(folder.iterdir()):
        return
    known = None
    manifest = folder / MANIFEST_NAME
    with suppress(ValueError, RecursionError):
        known = json.loads(manifest.read_text(encoding="utf-8")) if manifest.is_file() else None
    if not isinstance(known, dict) or known.get("dataset") != name:
        reason = f"{folder} exists and does not have the dataset's {MANIFEST_NAME}: move it away"
        raise DatasetRefused.of(name, reason)


def write_dataset(folder: Path, built: BuiltDataset) -> None:
    # An earlier build is replaced only once everything is on the disk.
    check_replaceable(folder, built.manifest["dataset"])
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as name:
        fresh = Path(name) / "fresh"
        fresh.mkdir()
        for path, bitcode in built.files.items():
            (fresh / path).parent.mkdir(parents=True, exist_ok=True)
            if path.endswith(SUFFIX):
                write_new(fresh / f"{path}{PACKED}", pack(bitcode), sync=True)
            else:
                write_new(fresh / path, bitcode, sync=True)
        manifest = json.dumps(built.manifest, indent=1, ensure_ascii=False) + "\n"
        write_new(fresh / MANIFEST_NAME, manifest.encode(), sync=True)
        if (folder / _DEPRECATED).is_file():
            write_new(fresh / _DEPRECATED, (folder / _DEPRECATED).read_bytes())
        replace_folder(fresh, folder)


def differences(folder: Path, built: BuiltDataset) -> list[str]:
    # Values that differ from one build to the next (the measured time) are not compared.
    try:
        stored = json.loads((folder / MANIFEST_NAME).read_text(encoding="utf-8"))
        old = {entry["name"]: dict(entry) for entry in stored["benchmarks"]}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        what = "has no benchmarks with names" if isinstance(error, KeyError | TypeError) else f"{error}"
        return [f"{folder / MANIFEST_NAME} cannot be read: {what}"]
    manifest = built.manifest
    found = [f"{key} differs" for key in _differing(stored, manifest) if key != "benchmarks"]
    new = {entry["name"]: entry for entry in manifest["benchmarks"]}
    found += [f"{name} is not in the suite" for name in sorted(old.keys() - new.keys())]
    found += [f"{name} is missing" for name in sorted(new.keys() - old.keys())]
    for name in sorted(old.keys() & new.keys()):
        found += [f"{name}: {key} differs" for key in _differing(old[name], new[name])]
    for path, program in built.files.items():
        is_same = False
        with suppress(OSError):
            is_same = read_program(folder / path, len(program)) == program
        if not is_same:
            found.append(f"{path} is not the program that was built")
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    known = built.files.keys() | {f"{path}{PACKED}" for path in built.files}
    stray = there - known - {MANIFEST_NAME, _DEPRECATED}
    return found + [f"{path} does not belong to the dataset" for path in sorted(stray)]


def _differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    keys = sorted((old.keys() | new.keys()) - _VARYING)
    return [key for key in keys if old.get(key) != new.get(key)]


LOCK_FILE: Final = "lock.json"


def lock_content(suite: Suite, built: BuiltDataset) -> dict[str, Any]:
    return {
        "dataset": suite.name,
        "sha256": built.manifest["sha256"],
        "manifest": manifest_digest(built.manifest),
        "packages": {one.purl: one.sha256 for one in suite.used_packages},
        "benchmarks": {
            entry["name"]: {"ir_sha256": entry["ir_sha256"], "sha256": entry["sha256"]}
            for entry in built.manifest["benchmarks"]
        },
    }


def lock_differences(folder: Path, suite: Suite, built: BuiltDataset) -> list[str]:
    known, fresh = _known(folder), lock_content(suite, built)
    if known is None:
        return [f"{LOCK_FILE} is missing"]
    old, new = known.get("benchmarks"), fresh["benchmarks"]
    old = old if isinstance(old, dict) else {}
    names = sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
    found = [f"{name}: it differs from the lock file" for name in names]
    return found + [
        f"{LOCK_FILE}: {field} differs"
        for field in sorted((known.keys() | fresh.keys()) - {"benchmarks"})
        if known.get(field) != fresh.get(field)
    ]


def check_known(folder: Path, suite: Suite, *, update: bool = False) -> None:
    # Refuse a released suite without its lock file, before anything is built.
    if _known(folder) is None and suite.released and not update:
        remedy = (
            f"{suite.name} is released: take the file from the repository, or create it with --update-lock"
        )
        raise DatasetRefused.of(LOCK_FILE, f"it is missing, and {remedy}")


def check_lock(folder: Path, suite: Suite, built: BuiltDataset, *, update: bool = False) -> None:
    # A dataset may be written if it matches the lock file, or may replace it.
    check_known(folder, suite, update=update)
    found = lock_differences(folder, suite, built)
    if not found or _known(folder) is None or (update and not suite.released):
        return
    remedy = "use --update-lock to write the new values"
    if suite.released:
        remedy = f"{suite.name} was released on {suite.released} and never changes: publish a new version"
    raise DatasetRefused([Refusal(suite.name, one) for one in found] + [Refusal(LOCK_FILE, remedy)])


def locked_manifest(folder: Path) -> str:
    # The digest of the manifest that the lock file in a suite's folder describes; empty if there is none.
    return str((_known(folder) or {}).get("manifest", ""))


@contextmanager
def writing_lock(folder: Path, suite: Suite, built: BuiltDataset) -> Iterator[None]:
    # The file gets its name at the end of the block, which writes the dataset.
    fresh = lock_content(suite, built)
    if _known(folder) == fresh:
        yield
        return
    with whole_file(folder / LOCK_FILE, (json.dumps(fresh, indent=1) + "\n").encode(), sync=True):
        yield


def _known(folder: Path) -> dict[str, Any] | None:
    try:
        known = json.loads((folder / LOCK_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        reason = f"it cannot be read: {error}. Take it from the repository, or remove it"
        raise DatasetRefused.of(str(folder / LOCK_FILE), reason) from error
    if not isinstance(known, dict):
        raise DatasetRefused.of(str(folder / LOCK_FILE), "it is not a JSON object: remove it")
    return known
