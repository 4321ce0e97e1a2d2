"""The run under random faults in small: a fault of each kind, and no verdict differs from one in calm."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.kit.folders import ROOT

pytestmark = pytest.mark.stack

SCRIPT = ROOT / "benchmarks/chaos.py"


@pytest.mark.timeout(900)  # a bound for machines that do much else; the run itself has a shorter one
@pytest.mark.parametrize(
    ("verifications", "kinds", "least"),
    [(12, ["--kinds", "6"], 6), pytest.param(24, [], 15, marks=pytest.mark.soak)],
    ids=["some kinds", "all kinds"],
)
def test_no_fault_changes_a_verdict(verifications: int, kinds: list[str], least: int) -> None:
    command = [sys.executable, str(SCRIPT), "--verifications", str(verifications), "--faults", "0", *kinds]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [(begun)] = re.findall(r"^faults: (\d+)$", done.stdout, re.MULTILINE)
    assert int(begun) >= least, done.stdout
    assert re.search(r"^  recorded +\d+$", done.stdout, re.MULTILINE)
    assert re.search(r"^  semantics:output-differs +\d+$", done.stdout, re.MULTILINE)
