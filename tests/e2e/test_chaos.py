"""The run under random faults in small: each kind of fault once, and no verdict differs from one in calm."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.kit.folders import ROOT

pytestmark = pytest.mark.stack

SCRIPT = ROOT / "benchmarks/chaos.py"
VERIFICATIONS = 24


@pytest.mark.timeout(900)  # a bound for machines that do much else; the run itself has a shorter one
def test_no_fault_changes_a_verdict() -> None:
    command = [sys.executable, str(SCRIPT), "--verifications", str(VERIFICATIONS), "--faults", "0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [(begun)] = re.findall(r"^faults: (\d+)$", done.stdout, re.MULTILINE)
    assert int(begun) >= 15, done.stdout
    assert re.search(r"^  recorded +\d+$", done.stdout, re.MULTILINE)
    assert re.search(r"^  semantics:output-differs +\d+$", done.stdout, re.MULTILINE)
