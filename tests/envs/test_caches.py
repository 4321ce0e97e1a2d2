"""Tests of the cache folders: used, overridable, and deletable when nothing runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

USES = """
import os, shutil, signal, sys
from pathlib import Path
import gymnasium
import optarena

root = Path(os.environ["OPTARENA_TRANSIENT_CACHE"])

def made(**arguments):
    env = gymnasium.make("optarena/llvm-v0", **arguments).unwrapped
    env.reset()
    file = Path(env.observation["BitcodeFile"])
    assert root in file.parents and file.is_file(), file
    return env

for arguments in ({}, {"service": "in-process"}):
    env = made(**arguments)
    env.reset()
    env.fork().close()
    env.close()
    assert not list(root.iterdir()), list(root.rglob("*"))
    shutil.rmtree(root)  # nothing runs
env, other = made(), made(service="in-process")
env.reset()
print("killed", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_transient_files_go_with_their_environments(tmp_path: Path) -> None:
    root = tmp_path / "transient"
    variables = {**os.environ, "OPTARENA_TRANSIENT_CACHE": str(root)}
    ended = subprocess.run(
        [sys.executable, "-c", USES], env=variables, capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.stdout, ended.returncode) == ("killed\n", -9), ended.stderr
    left = root / "services"
    deadline = time.monotonic() + 20
    # The zygote sees the end of its client; what was in the client itself is removed by the next one.
    while len(folders := list(left.iterdir())) > 1:
        assert time.monotonic() < deadline, folders
        time.sleep(0.02)
    for folder in folders:
        os.utime(folder, (0, 0))
    again = USES.partition("for arguments")[0] + "made().close()\n"
    subprocess.run([sys.executable, "-c", again], env=variables, check=True, timeout=120)
    assert not list(root.iterdir())


@pytest.mark.soak
def test_results_of_searches_go_to_the_logs_folder(tmp_path: Path) -> None:
    variables = {**os.environ, "OPTARENA_LOGS": str(tmp_path / "logs")}
    command = [sys.executable, "-m", "optarena", "search", "random", "--evaluations", "1"]
    command += ["--benchmark", "kernels-v0/quicksort"]
    subprocess.run(command, env=variables, check=True, capture_output=True, timeout=120, cwd=tmp_path)
    results, record = sorted((tmp_path / "logs").iterdir())
    assert "benchmark://kernels-v0/quicksort" in results.read_text()
    assert json.loads(record.read_text())["evaluations"] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["logs"]
