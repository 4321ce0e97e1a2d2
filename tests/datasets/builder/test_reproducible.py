"""The shipped programs are what their sources give, on this machine as on the one that made them."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

from datasets.builder.build import compile_program
from optarena.datasets import Dataset, datasets

if TYPE_CHECKING:
    from datasets.builder.build import Workshop
    from datasets.builder.suite import Suite

NAMES = [entry.name for entry in datasets()["kernels-v0"].manifest.benchmarks]


@pytest.mark.parametrize("name", NAMES)
def test_a_rebuilt_program_equals_the_shipped_one(
    name: str, suite: Suite, kernels: Dataset, workshop: Workshop
) -> None:
    program = next(program for program in suite.programs if program.name == name)
    shipped = next(entry for entry in kernels.manifest.benchmarks if entry.name == name)
    rebuilt = compile_program(program, workshop).measured
    assert hashlib.sha256(program.text).hexdigest() == shipped.source["sha256"]
    assert rebuilt.ir_sha256 == shipped.ir_sha256
    assert hashlib.sha256(rebuilt.bitcode).hexdigest() == shipped.sha256
    for level, found in rebuilt.baselines.items():
        assert found.ir_instructions == shipped.baselines["ir_instructions"][level]
        assert found.text_size_bytes == shipped.baselines["text_size_bytes"][level]


def test_every_program_of_the_suite_is_shipped_as_it_is_described(suite: Suite, kernels: Dataset) -> None:
    described = {program.name: program for program in suite.programs}
    shipped = {entry.name: entry for entry in kernels.manifest.benchmarks}
    assert shipped.keys() == described.keys()
    for name, entry in shipped.items():
        program = described[name]
        assert (entry.title, entry.domain, entry.description) == (
            program.title,
            program.domain,
            program.description,
        )
        runs = [(run.name, run.args, run.stdin.encode()) for run in program.workloads]
        assert [(found.name, found.args, found.stdin) for found in entry.workloads] == runs
