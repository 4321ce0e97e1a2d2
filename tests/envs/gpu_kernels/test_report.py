"""The GPU check and the demo: what they print on a stand-in, and without a GPU."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CHECK = "benchmarks/gpu_check.py"


def ran(script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", **variables}
    return subprocess.run(
        [sys.executable, script, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=280,
    )


def test_the_check_finds_every_form_right_on_a_stand_in() -> None:
    done = ran(
        CHECK,
        *("--quick", "--kernels", "vector-add", "--search", "1"),
        OPTARENA_CUDA_DEVICE="kernels_on_cpu:device",
        PYTHONPATH=f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}",
    )
    assert "EMULATED" in done.stderr
    assert done.returncode == 1  # so that nobody records it
    assert "0 wrong outputs" in done.stdout, done.stdout + done.stderr
    for form in ("as given", "-O0", "-O1", "-O2", "random 0", "random 2"):
        [line] = [one for one in done.stdout.splitlines() if one.startswith(f"  {form} ")]
        assert line.endswith("right")
    assert re.search(r"best +[\d.]+ of -O3, again +[\d.]+: gpu-passes", done.stdout)
    assert "a block of the board" in done.stdout


@pytest.mark.soak
def test_what_one_machine_compiles_another_checks(tmp_path: Path) -> None:
    kernels = str(tmp_path / "kernels.gz")
    variables = {
        "OPTARENA_CUDA_DEVICE": "kernels_on_cpu:device",
        "PYTHONPATH": f"{ROOT / 'tests/plugins'}:{ROOT / 'envs'}",
    }
    made = ran(CHECK, "--sequences", "1", "--kernels", "scan", "--prepare", kernels, **variables)
    assert (made.returncode, made.stdout) == (0, "")
    done = ran(CHECK, "--prepared", kernels, "--at-once", "2", **variables)
    assert "random 0" in done.stdout
    assert "0 wrong outputs" in done.stdout, done.stdout + done.stderr
    assert "search" not in done.stdout


def test_the_check_says_what_is_missing() -> None:
    done = ran(CHECK, "--quick")
    assert done.returncode == 1
    assert "No CUDA device is usable on this machine. Missing: " in done.stderr
    assert "Traceback" not in done.stderr


def test_the_demo_takes_twenty_steps_and_says_what_it_cannot_see() -> None:
    done = ran("examples/gpu_demo.py")
    assert done.returncode == 0, done.stderr
    assert "on the CPU: benchmark://gpu-kernels-v0/small-inverses: valid" in done.stdout
    assert "timing: not seen. No CUDA device is usable on this machine." in done.stdout
    assert "counters: not seen. Reason no-device." in done.stdout
    steps = done.stdout.partition("\ntotal reward")[0].splitlines()
    assert len(steps) == 2 + 20


@pytest.mark.soak
def test_the_demo_of_levels() -> None:
    done = ran("examples/gpu_demo.py", "--env", "gpu-levels-v0", "--benchmark", "gpu-kernels-v0/scan")
    assert done.returncode == 0, done.stderr
    assert "state: gpu-levels -O" in done.stdout
