"""The shipped datasets keep what their README promises, and are what their sources give."""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from datasets.builder.build import Workshop, compile_program
from datasets.builder.files import SourceUnavailable
from datasets.builder.output import manifest_digest
from datasets.builder.suite import Suite, read_suite
from optarena.datasets import Dataset, datasets
from optarena.datasets.dataset import MANIFEST_NAME, PACKED
from optarena.datasets.manifest import ManifestBenchmark, content_digest
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module
from tests.kit.tools import in_ci

SUITES = Path(__file__).resolve().parents[3] / "datasets/suites"
LOCKED = sorted(path.parent.name for path in SUITES.glob("*/lock.json"))
SMOKE = "programs-smoke-v0"
PERMISSIVE = {"MIT", "ISC", "Zlib", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "Unlicense"} | {
    "blessing",
    "LicenseRef-RumAVL",  # the text of MIT with the two duties of zlib's licence
}


@lru_cache
def suite_of(name: str) -> Suite:
    return read_suite(SUITES / name)


def shipped(name: str) -> Dataset:
    dataset = datasets()[name]
    assert isinstance(dataset, Dataset)
    return dataset


BENCHMARKS = [str(benchmark.uri) for benchmark in datasets()["kernels-v0"]]
KERNELS = shipped("kernels-v0").manifest.benchmarks
SMOKE_PROGRAMS = [program.name for program in suite_of(SMOKE).built]


def some(names: list[str], *quick: str) -> list[Any]:
    """Parameters of which the default run takes some that are quick."""
    assert set(quick) <= set(names)
    return [name if name in quick else pytest.param(name, marks=pytest.mark.soak) for name in names]


def test_there_are_at_least_ten_programs_from_many_domains(kernels: Dataset) -> None:
    entries = kernels.manifest.benchmarks
    assert len(entries) >= 10
    assert len({entry.domain for entry in entries}) >= 10
    assert any(workload.stdin for entry in entries for workload in entry.workloads)


def test_programs_have_the_promised_size_and_room_to_optimise(kernels: Dataset) -> None:
    for entry in kernels.manifest.benchmarks:
        counts = entry.baselines["ir_instructions"]
        assert 50 <= entry.source["lines"] <= 400, entry.name
        assert counts["O0"] >= 800, entry.name
        for metric in entry.baselines.values():
            assert metric["O0"] > metric["Oz"], entry.name


def test_workloads_differ_and_show_enough_output(kernels: Dataset) -> None:
    for entry in kernels.manifest.benchmarks:
        assert len(entry.workloads) >= 3
        outputs = [workload.expected_stdout for workload in entry.workloads]
        assert len(set(outputs)) == len(outputs), entry.name
        assert max(len(output) for output in outputs) >= 100, entry.name
        assert all(0 < len(output) <= 4096 for output in outputs), entry.name
        assert 0 < entry.run_seconds < 5


def test_the_manifest_names_toolchain_and_licence(kernels: Dataset, suite: Suite) -> None:
    raw = json.loads((kernels.folder / MANIFEST_NAME).read_text())
    assert raw["toolchain"]["clang"] == raw["toolchain"]["llvm"] == "22.1.8"
    assert raw["toolchain"]["flags"] == list(suite.toolchain.flags)
    assert {entry["licence"] for entry in raw["benchmarks"]} == {"MIT"}


@pytest.mark.parametrize("word", ["/home", "/root", "optarena-build", "clang version"])
def test_nothing_of_the_building_machine_is_in_the_programs(kernels: Dataset, word: str) -> None:
    for benchmark in kernels:
        assert word.encode() not in benchmark.program()


def test_sources_carry_the_licence_and_include_nothing(suite: Suite) -> None:
    for program in suite.programs:
        assert program.text.startswith(b"/* SPDX-License-Identifier: MIT")
        assert not re.search(rb"#\s*include", program.text)


def wrong_outputs(uri: str, pipeline: str = "") -> list[str]:
    """The workloads that print something else than what was recorded natively when the dataset was made."""
    benchmark = datasets().benchmark(uri)
    program = benchmark.program()
    if pipeline:
        with Module.parse(program) as module:
            module.run(pipeline)
            assert module.verify() is None
            program = module.bitcode()
    wrong = []
    for workload in benchmark.workloads:
        done = run_program(program, args=workload.args, stdin=workload.stdin, timeout=20.0)
        if (done.stdout, done.exit_code) != (workload.expected_stdout, workload.exit_code):
            wrong.append(workload.name)
    return wrong


@pytest.mark.parametrize("uri", BENCHMARKS)
def test_programs_print_what_was_recorded(uri: str) -> None:
    assert wrong_outputs(uri) == []
    assert wrong_outputs(uri, "default<Oz>") == []


@pytest.mark.parametrize("name", ["bytecode", "json", "minilang"])
def test_a_known_miscompilation_of_switches_shows_in_the_output(name: str) -> None:
    assert wrong_outputs(f"benchmark://kernels-v0/{name}", "function(structurizecfg)")


def assert_rebuilt(entry: ManifestBenchmark, workshop: Workshop) -> None:
    """A program that is compiled here is the shipped one."""
    program = next(program for program in workshop.suite.built if program.name == entry.name)
    rebuilt = compile_program(program, workshop).measured
    assert rebuilt.ir_sha256 == entry.ir_sha256
    assert hashlib.sha256(rebuilt.bitcode).hexdigest() == entry.sha256
    for level, found in rebuilt.baselines.items():
        assert found.ir_instructions == entry.baselines["ir_instructions"][level]
        assert found.text_size_bytes == entry.baselines["text_size_bytes"][level]


@pytest.mark.parametrize("name", some([entry.name for entry in KERNELS], "bytecode"))
def test_a_rebuilt_program_equals_the_shipped_one(name: str, kernels: Dataset, workshop: Workshop) -> None:
    assert_rebuilt(next(entry for entry in kernels.manifest.benchmarks if entry.name == name), workshop)


def test_every_program_of_the_suite_is_shipped_as_it_is_described(suite: Suite, kernels: Dataset) -> None:
    described = {program.name: program for program in suite.programs}
    entries = {entry.name: entry for entry in kernels.manifest.benchmarks}
    assert entries.keys() == described.keys()
    for name, entry in entries.items():
        program = described[name]
        assert hashlib.sha256(program.text).hexdigest() == entry.source["sha256"]
        told = (program.title, program.domain, program.description)
        assert (entry.title, entry.domain, entry.description) == told
        runs = [(run.name, run.args, run.stdin.encode()) for run in program.workloads]
        assert [(found.name, found.args, found.stdin) for found in entry.workloads] == runs


@pytest.mark.parametrize("name", LOCKED)
def test_a_lock_file_is_of_the_suite_as_it_stands(name: str) -> None:
    assert set(LOCKED) >= {"kernels-v0", "kernels-runtime-v0", "programs-v0", SMOKE}
    suite, lock = suite_of(name), json.loads((SUITES / name / "lock.json").read_text())
    assert lock["dataset"] == name
    assert lock["packages"] == {one.purl: one.sha256 for one in suite.used_packages}
    programs = {program.name for program in suite.built}
    assert {path.partition("/")[0] for path in lock["benchmarks"]} <= programs
    assert suite.units or lock["benchmarks"].keys() == programs


@pytest.mark.parametrize("name", [name for name in LOCKED if suite_of(name).shipped])
def test_a_shipped_dataset_is_the_one_of_its_lock_file(name: str) -> None:
    lock = json.loads((SUITES / name / "lock.json").read_text())
    dataset = shipped(name)
    assert dataset.manifest.sha256 == content_digest(dataset.manifest.benchmarks)
    assert dataset.manifest.sha256 == lock["sha256"]
    assert manifest_digest(json.loads((dataset.folder / "manifest.json").read_bytes())) == lock["manifest"]
    assert {one.name for one in dataset} == lock["benchmarks"].keys()
    for entry in dataset.manifest.benchmarks:
        assert lock["benchmarks"][entry.name] == {"ir_sha256": entry.ir_sha256, "sha256": entry.sha256}
        assert len(dataset.benchmark(entry.uri).program()) == entry.size_bytes
    files = {entry.file for entry in dataset.manifest.benchmarks} | {"manifest.json"}
    found = {str(path.relative_to(dataset.folder)) for path in dataset.folder.rglob("*") if path.is_file()}
    assert {path.removesuffix(PACKED) for path in found} == files


def test_the_programs_are_many_and_of_many_kinds() -> None:
    programs = list(shipped("programs-v0"))
    assert len(programs) >= 23
    assert len({one.source["package"] for one in programs}) >= 20
    assert len({one.domain for one in programs}) >= 12
    assert {one.split for one in programs} == {"train", "validation", "test"}
    assert len({one.title for one in programs}) == len(programs)


@pytest.mark.parametrize("name", ["programs-v0", SMOKE])
def test_every_program_says_where_it_is_from_and_what_it_must_print(name: str) -> None:
    for one in shipped(name):
        words = one.licence.replace("(", " ").replace(")", " ").split()
        assert set(words) - {"AND", "OR"} <= PERMISSIVE, one.uri
        assert one.source["upstream"].startswith("https://"), one.uri
        assert one.source["purl"].startswith("pkg:pypi/"), one.uri
        assert len(one.workloads) >= 3, one.uri
        assert len({run.expected_stdout for run in one.workloads}) == len(one.workloads), one.uri
        assert all(0 < len(run.expected_stdout) <= 16_000 for run in one.workloads), one.uri
        assert one.description != one.title


def test_the_smoke_suite_is_five_of_the_programs() -> None:
    whole = {one.name: one for one in shipped("programs-v0")}
    part = list(shipped(SMOKE))
    assert len(part) == len({one.domain for one in part}) == 5
    assert all(one.sha256 == whole[one.name].sha256 for one in part)
    assert all(one.workloads == whole[one.name].workloads for one in part)


@pytest.mark.parametrize("name", some(SMOKE_PROGRAMS, "siphash"))
def test_the_smoke_suite_prints_what_was_recorded(name: str) -> None:
    assert wrong_outputs(f"benchmark://{SMOKE}/{name}") == []
    assert wrong_outputs(f"benchmark://{SMOKE}/{name}", "default<Oz>") == []


@pytest.fixture(scope="module")
def smoke(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    """The smoke suite with everything that it needs from the package index."""
    workshop = Workshop(suite_of(SMOKE), tmp_path_factory.mktemp("build"))
    try:
        workshop.prepare()
    except SourceUnavailable as error:
        if in_ci():
            raise
        pytest.skip(str(error))  # names the index
    return workshop


@pytest.mark.soak
@pytest.mark.parametrize("name", SMOKE_PROGRAMS)
def test_a_program_that_is_built_anew_from_its_package_is_the_shipped_one(name: str, smoke: Workshop) -> None:
    assert_rebuilt(next(entry for entry in shipped(SMOKE).manifest.benchmarks if entry.name == name), smoke)
