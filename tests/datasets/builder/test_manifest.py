"""The shipped dataset keeps what its README promises."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from optarena.datasets.dataset import MANIFEST_NAME
from optarena.datasets.manifest import content_digest, parse_manifest

if TYPE_CHECKING:
    from datasets.builder.suite import Suite
    from optarena.datasets import Dataset


def test_the_manifest_is_valid_and_its_digest_is_that_of_its_programs(kernels: Dataset) -> None:
    manifest = parse_manifest((kernels.folder / MANIFEST_NAME).read_bytes())
    assert manifest.dataset == "kernels-v0"
    assert manifest.sha256 == content_digest(manifest.benchmarks)


def test_every_file_is_the_one_of_its_benchmark_and_nothing_else_lies_there(kernels: Dataset) -> None:
    for benchmark in kernels:
        assert len(benchmark.program()) == benchmark.size_bytes
    files = {entry.file for entry in kernels.manifest.benchmarks} | {MANIFEST_NAME}
    assert {path.name for path in kernels.folder.iterdir()} == files


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
