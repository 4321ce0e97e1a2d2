"""The benchmark of loop_tool in small: every part prints what it measured. No time is judged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks/loop_tool.py"


def test_every_part_measures_and_prints() -> None:
    command = [sys.executable, str(SCRIPT), "--turns", "1", "--budget", "0", "--sizes", "1024"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    for part in (
        "C loop",
        "x one thread",
        "at reset: N [thread] x 1 x 1",
        "with tails",
        "buffers included",
        "env.step",
    ):
        assert part in done.stdout
    assert "nan" not in done.stdout
