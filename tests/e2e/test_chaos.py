"""A whole server under random faults: none of any kind makes a verdict other than one without faults."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.kit.folders import ROOT

APART = ("unshare", "--mount")
PROBE = "mount -t tmpfs none /mnt && ip link add chaos0 type veth peer name chaos1 && ip netns list"
"""Whether a process apart may mount disks and make networks."""


@pytest.mark.soak
@pytest.mark.stack
@pytest.mark.timeout(900)  # a bound for machines that do much else; the run itself has a shorter one
def test_no_fault_changes_a_verdict() -> None:
    command = [sys.executable, "-m", "tests.kit.faults", "--verifications", "24"]
    if subprocess.run([*APART, "--net", "--", "sh", "-c", PROBE], check=False).returncode == 0:
        command = [*APART, "--", *command, "--apart"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [begun] = re.findall(r"^faults: (\d+)$", done.stdout, re.MULTILINE)
    assert int(begun) >= 15, done.stdout
    assert re.search(r"^  recorded +\d+$", done.stdout, re.MULTILINE)
    assert re.search(r"^  semantics:output-differs +\d+$", done.stdout, re.MULTILINE)
