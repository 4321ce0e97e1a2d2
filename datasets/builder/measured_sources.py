"""Programs for the pinned GCC: the benchmark is C that includes nothing, the baselines are GCC's levels.

Such a suite builds on one for clang, whose dataset says what each program prints: GCC's builds at several
levels must do the same. A program of packages is preprocessed unit by unit.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from datasets.builder.build import OnProgram, Workshop, fetch, source_bytes
from datasets.builder.files import DatasetRefused, json_digest, store_content, stored_content
from datasets.builder.measuring import refused_as, system_errors_refused, work_on
from datasets.builder.output import locked_manifest, manifest_digest
from datasets.builder.preprocessing import lost_flags, pinned_gcc, staged_program
from datasets.builder.suite import Program, Suite
from optarena import limits, paths
from optarena.datasets.manifest import MANIFEST_NAME, ManifestBenchmark, parse_manifest, read_plain
from optarena.datasets.registry import BUILTIN
from optarena.errors import InvalidInput, ServiceError
from optarena.gcc import pinned
from optarena.gcc.compiling import LEVELS, Compiler
from optarena.gcc.description import LOAD_SIZE, TEXT_SIZE
from optarena.gcc.toolchain import GccToolchain
from optarena.machine_code import elf
from optarena.machine_code.execution import failure_of, run_object
from optarena.specs.benchmark import workloads_digest


def base_programs(suite: Suite) -> dict[str, ManifestBenchmark]:
    # The base's dataset must be the one that its lock file describes.
    if suite.base is None:
        raise DatasetRefused.of(
            suite.name, "a suite for GCC needs a base for clang, whose dataset has the expected outputs"
        )
    name = suite.base.name
    places = [folder / name / MANIFEST_NAME for folder in (BUILTIN, paths.site_data() / "datasets")]
    place = next((one for one in places if one.is_file()), None)
    if place is None:
        raise DatasetRefused.of(
            suite.name, f"its base {name} is not built yet: build it first, without --output"
        )
    document = read_plain(place, limits.MAX_MANIFEST_BYTES)
    manifest = parse_manifest(document)
    if manifest_digest(json.loads(document)) != locked_manifest(suite.base.folder):
        raise DatasetRefused.of(
            suite.name, f"its base {place.parent} is not the dataset of its lock file: build it again"
        )
    entries = {entry.name: entry for entry in manifest.benchmarks}
    if missing := sorted({program.name for program in suite.built} - entries.keys()):
        raise DatasetRefused.of(suite.name, f"its base {name} has no {', '.join(missing)}")
    return entries


RUN_LEVELS: Final = ("O0", "O2", "O3", "Oz")  # Levels at which the workloads are run.
# For one unit: a busy machine must not have a program refused. Its CPU time is limited as in a replay.
_WALL_SECONDS: Final = 3600.0
# Increased when baselines get other values by another way to measure: earlier results no longer count.
SOURCE_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltSource:
    program: Program
    base: ManifestBenchmark  # Its entry in the base's dataset, with the expected outputs.
    source: bytes  # One source, or a container of units.
    baselines: Mapping[str, Mapping[str, int]]  # Value by level by metric.

    @property
    def identity(self) -> str:
        return hashlib.sha256(self.source).hexdigest()


def build_sources(
    workshop: Workshop, *, jobs: int | None = None, on_program: OnProgram = lambda _, __: None
) -> list[BuiltSource]:
    gcc, suite = pinned_gcc(), workshop.suite
    base = base_programs(suite)
    if suite.has_packages:
        _ = workshop.preprocessor  # before threads share the workshop
    fetch(workshop, jobs)

    def build(program: Program) -> BuiltSource:
        source = _source(program, workshop)
        built = BuiltSource(
            program=program,
            base=base[program.name],
            source=source,
            baselines=_baselines(program, source, base[program.name], workshop, gcc),
        )
        if problems := list(_not_smaller(built.baselines)):
            raise DatasetRefused.of(program.name, *problems)
        return built

    return work_on(
        sorted(suite.built, key=lambda program: -source_bytes(program, workshop)),
        system_errors_refused(build, lambda program: program.name),
        processes=workshop.processes,
        jobs=jobs,
        on_done=on_program,
    )


def _source(program: Program, workshop: Workshop) -> bytes:
    if lost := lost_flags([*workshop.suite.toolchain.flags, *program.flags]):
        reason = (
            f"a program for GCC cannot have flags of its own beside -D, -U and -include: {' '.join(lost)}"
        )
        raise DatasetRefused.of(program.name, reason)
    if not program.package:
        return program.text
    with (
        refused_as(program.name, "cannot be preprocessed"),
        staged_program(program, workshop.suite, workshop.sources) as laid_out,
    ):
        source = workshop.preprocessor.container(program, laid_out)
    if len(source) > limits.MAX_BENCHMARK_BYTES:
        reason = f"its units have {len(source)} bytes; a benchmark has at most {limits.MAX_BENCHMARK_BYTES}"
        raise DatasetRefused.of(program.name, reason)
    return source


def _baselines(
    program: Program, source: bytes, base: ManifestBenchmark, workshop: Workshop, gcc: GccToolchain
) -> dict[str, dict[str, int]]:
    # What GCC makes of a program at each level, from an earlier build if nothing has changed since.
    made_of = [
        SOURCE_VERSION,
        pinned.version_spec(),
        hashlib.sha256(source).hexdigest(),
        workloads_digest(base.workloads),
    ]
    place = workshop.folder / "gcc" / f"{json_digest(made_of)}.json"
    known = stored_content(place)
    if known is not None:
        found: dict[str, dict[str, int]] = json.loads(known)
        return found
    try:
        with tempfile.TemporaryDirectory(prefix="optarena-build-") as folder:
            compiler = Compiler(gcc, Path(folder), source, wall_seconds=_WALL_SECONDS)
            compiler.check()
            objects = {}
            for level in LEVELS:
                workshop.processes.check()
                words = [] if level == LEVELS[0] else [f"-{level}"]
                objects[level] = compiler.object_file(compiler.assembly(words))
    except (InvalidInput, ServiceError) as error:
        raise DatasetRefused.of(program.name, f"GCC does not compile it: {error}") from error
    if problems := list(_other_answers(base, objects)):
        raise DatasetRefused.of(program.name, *problems)
    baselines = {
        LOAD_SIZE.name: {level: elf.loaded_bytes(code) for level, code in objects.items()},
        TEXT_SIZE.name: {level: elf.executable_bytes(code) for level, code in objects.items()},
    }
    store_content(place, json.dumps(baselines).encode())
    return baselines


def _not_smaller(baselines: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    for name, values in baselines.items():
        if values["O0"] <= values["Oz"]:
            yield f"-Oz does not reduce {name}: {values['O0']} before, {values['Oz']} after"


def _other_answers(base: ManifestBenchmark, objects: Mapping[str, bytes]) -> Iterator[str]:
    needed = {found for code in objects.values() if (found := elf.needs_loader(code))}
    yield from (f"GCC's build has {found}" for found in sorted(needed))
    for level in () if needed else RUN_LEVELS:
        for run in base.workloads:
            made = run_object(partial(bytes, objects[level]), args=run.args, stdin=run.stdin, files=run.files)
            problem = failure_of(made)
            if problem is not None:
                yield f"GCC's build at -{level} fails workload {run.name}: {problem}"
            elif (made.stdout, made.exit_code) != (run.expected_stdout, run.exit_code):
                yield f"GCC's build at -{level} does something else on workload {run.name} than clang's"
