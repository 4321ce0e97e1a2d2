"""The soak of the LLVM environment in small: it finds what fails, shortens it, and can be gone on with."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from optarena.llvm.actions import UNSAFE

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"
CLANG = Path(sys.prefix, "bin", "clang-22")
sys.path.append(str(FOLDER))  # at the end: a script there is called as a package of ours

import generated_programs  # noqa: E402 # of a folder of scripts
from llvm_episodes import Plan, Soaker, shortest  # noqa: E402 # as above


def command(*options: Any) -> list[str]:
    return [sys.executable, str(FOLDER / "llvm_soak.py"), "--generated", "2", *map(str, options)]


def test_a_short_soak_finds_nothing_and_goes_on_where_it_was(tmp_path: Path) -> None:
    log = tmp_path / "log"
    for episodes in (6, 12):
        options = ("--episodes", episodes, "--actions", 4, "--nproc", 1, "--log", log)
        done = subprocess.run(command(*options), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"{episodes} of 4 actions: {episodes * 4} passes" in done.stdout
        assert "6 of 6 episodes" in done.stderr
    assert len({json.loads(line)["number"] for line in log.read_text().splitlines()[1:]}) == 12
    log.write_text("{}\n")
    done = subprocess.run(command("--log", log), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "another soak" in done.stderr


def test_a_soak_that_is_interrupted_reports_what_it_has(tmp_path: Path) -> None:
    with subprocess.Popen(
        command("--episodes", 60, "--nproc", 2, "--actions", 3),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        process.stderr.readline()
        os.killpg(process.pid, signal.SIGINT)
        report, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors
    assert "of 3 actions" in report


def test_a_miscompilation_is_found_and_shortened_to_its_pass() -> None:
    strip, structurise = map(UNSAFE.index, ("strip", "structurizecfg"))
    plan = Plan(
        environment="llvm-unsafe-v0", action_space=None, seed=3, actions=0, generated=1, clang=str(CLANG)
    )
    soaker = Soaker(plan)
    try:
        benchmark = soaker._generated(0)
        actions = [strip, strip, structurise, strip]
        assert soaker.run(benchmark, [strip, strip]) is None
        failure = soaker.run(benchmark, actions)
        assert failure is not None
        failure = soaker.shortened(benchmark, actions, failure)
    finally:
        soaker.close()
    assert (failure.kind, failure.actions) == ("semantics:output-differs", ("structurizecfg",))
    assert failure.full == ("strip", "strip", "structurizecfg", "strip")


@pytest.mark.parametrize("needed", [set(), {7}, {0, 29}, {3, 4, 21}])
def test_the_shortest_sequence_has_what_is_needed_only(needed: set[int]) -> None:
    assert set(shortest(range(30), lambda candidate: needed <= set(candidate))) == needed


def test_generated_programs_are_repeatable_and_different() -> None:
    texts = [generated_programs.source(seed) for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]
