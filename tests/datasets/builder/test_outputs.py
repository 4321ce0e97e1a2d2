"""What the programs print just in time is what they printed natively when the dataset was made."""

from __future__ import annotations

import pytest

from optarena.datasets import datasets
from optarena.llvm.execution import run_program
from optarena.llvm.module import Module

BENCHMARKS = [str(benchmark.uri) for benchmark in datasets()["kernels-v0"]]
SECONDS = 20.0


def optimised(program: bytes, pipeline: str) -> bytes:
    with Module.parse(program) as module:
        module.run(pipeline)
        assert module.verify() is None
        return module.bitcode()


def wrong_outputs(uri: str, program: bytes) -> list[str]:
    wrong = []
    for workload in datasets().benchmark(uri).workloads:
        done = run_program(program, args=workload.args, stdin=workload.stdin, timeout=SECONDS)
        if (done.stdout, done.exit_code) != (workload.expected_stdout, workload.exit_code):
            wrong.append(workload.name)
    return wrong


@pytest.mark.parametrize("uri", BENCHMARKS)
def test_unoptimised_programs_print_what_was_recorded(uri: str) -> None:
    assert wrong_outputs(uri, datasets().benchmark(uri).program()) == []


@pytest.mark.parametrize("uri", BENCHMARKS)
def test_programs_at_oz_print_what_was_recorded(uri: str) -> None:
    program = optimised(datasets().benchmark(uri).program(), "default<Oz>")
    assert wrong_outputs(uri, program) == []


@pytest.mark.parametrize("name", ["bytecode", "json", "minilang"])
def test_a_known_miscompilation_of_switches_shows_in_the_output(name: str) -> None:
    uri = f"benchmark://kernels-v0/{name}"
    program = optimised(datasets().benchmark(uri).program(), "function(structurizecfg)")
    assert wrong_outputs(uri, program)
