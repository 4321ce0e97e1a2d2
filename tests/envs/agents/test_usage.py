"""The CPU time that reports name."""

from __future__ import annotations

import subprocess
import sys

from optarena.agents.searching import cpu_seconds


def test_the_time_of_a_child_that_has_ended_counts() -> None:
    code = "import time\nwhile time.process_time() < 0.5: pass"
    before = cpu_seconds()
    subprocess.run([sys.executable, "-c", code], check=True)
    assert cpu_seconds() - before >= 0.4  # the kernel counts in hundredths of a second
