"""What processes of workers leave to others."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.kit.folders import ROOT
from tests.kit.processes import NO_SLICES, slice_of

SHOW = "from tests.kit.processes import slice_of; print(slice_of(0))"
GIVE_WAY = f"""
import os, sys
from optarena.isolation import syscalls
syscalls.give_way()
os.nice(1)
syscalls.give_way()
print(os.nice(0), flush=True)
os.execv(sys.executable, [sys.executable, "-c", {SHOW!r}])
"""


@pytest.mark.skipif(not slice_of(0), reason=NO_SLICES)
def test_what_gives_way_keeps_its_priority_and_hands_on_its_long_slice() -> None:
    done = subprocess.run(
        [sys.executable, "-c", GIVE_WAY], cwd=ROOT, capture_output=True, check=True, text=True
    )
    nice, its = map(int, done.stdout.split())
    assert nice == 1
    assert its > 2 * slice_of(0)
