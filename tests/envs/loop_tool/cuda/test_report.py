"""The report for a machine with a GPU: that it runs, and that nothing emulated passes for a result."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys

import pytest

from optarena.cuda.device import require_device
from optarena.cuda.variables import STAND_IN
from optarena.errors import DeviceUnavailable
from optarena.loop_tool.nest import Loop, Tuning
from tests.kit.folders import ROOT

SCRIPT = ROOT / "benchmarks/loop_tool_cuda.py"


def report(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != STAND_IN}
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(
        command, env=environment | variables, capture_output=True, text=True, timeout=200, check=False
    )


def test_without_a_gpu_it_says_what_is_missing() -> None:
    try:
        require_device()
    except DeviceUnavailable as error:
        missing = str(error)
    else:
        pytest.skip("this machine has a GPU")
    done = report()
    assert (done.returncode, done.stdout, done.stderr.strip()) == (1, "", missing)


def test_the_boards_block_is_of_a_schedule_that_is_worth_one() -> None:
    board = runpy.run_path(str(SCRIPT))
    tuning = Tuning.initial(board["BOARD_ELEMENTS"])
    for action in board["BOARD_ACTIONS"]:
        tuning = tuning.after(action)
    assert tuning.nest.loops == (Loop(262_144, threaded=True), Loop(1), Loop(4))


def test_what_is_emulated_is_no_result() -> None:
    folders = os.pathsep.join([str(ROOT / "tests/plugins"), os.environ.get("PYTHONPATH", "")])
    variables = {STAND_IN: "cuda_on_cpu:device", "PYTHONPATH": folders}
    done = report("--exponents", "10", "--checked", "31", "--board", "1024", **variables)
    assert done.returncode == 1
    assert "correctness: 20 random nests, 0 wrong" in done.stdout
    for row in ("copy, once more", "one thread / best"):
        assert row in done.stdout
    assert "board: job to result" in done.stdout
    assert "EMULATED by OPTARENA_CUDA_DEVICE" in done.stderr
