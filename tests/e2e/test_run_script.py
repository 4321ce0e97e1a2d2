"""``./run`` in a fresh clone: below a closed folder, with a space in its path, called from elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from leaderboard.embedded.demo import OTHERS, WAVES
from optarena.client import Client
from tests.kit.folders import ROOT, short_folder
from tests.kit.kernels import document
from tests.kit.processes import processes_of

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.stack, pytest.mark.timeout(1400)]

SECONDS = 1100
VARIABLES = {
    "OPTARENA_LEASE_SECONDS": "6",
    "OPTARENA_HEARTBEAT_SECONDS": "2",
    "OPTARENA_SWEEP_SECONDS": "3",
    "OPTARENA_IDLE_PRESSURE": "100",  # a measurement would wait for a machine that does nothing else
}
"""Short leases, and nothing that a busy machine holds up."""
DEMO = ("demo", "--budget", "4")
MEASURED = {"llvm-runtime", "loop_tool-cpu"}
UNRANKED = {
    "copied search": "15/15",
    "half a search": "8/15",
    "boastful search": "14/15",
    "live search": "5/15",
}


@pytest.fixture(scope="module")
def whole_clone() -> Iterator[Path]:
    """A copy of what git knows, which nobody else can reach."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(listed, cwd=ROOT, check=False, capture_output=True)
    if done.returncode:
        pytest.skip("this is no git checkout")
    closed = short_folder(0o700)
    copy = closed / "a clone"
    for name in filter(None, map(os.fsdecode, done.stdout.split(b"\0"))):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    assert closed.stat().st_mode & 0o077 == 0
    yield copy
    shutil.rmtree(closed)


@pytest.fixture
def clone(whole_clone: Path) -> Iterator[Path]:
    """The clone, without what a failed test left running: the next one could not start the same servers."""
    yield whole_clone
    for pid in processes_of(whole_clone):
        with suppress(ProcessLookupError):  # it died with another one
            os.kill(pid, signal.SIGKILL)


class Run:
    """A command that goes on while a test looks on."""

    def __init__(self, clone: Path, *command: str | Path, **variables: str) -> None:
        self.log = clone.parent / "output"
        environment = {name: value for name, value in os.environ.items() if not name.startswith("OPTARENA_")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                list(map(str, command)),
                cwd="/",
                env={**environment, **VARIABLES, **variables, "COLUMNS": "120"},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self.log.read_text()

    def until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + SECONDS
        while not condition():
            assert self.process.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.1)

    def end(self) -> int:
        try:
            return self.process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            pytest.fail(f"It has not ended after {SECONDS} s. Its output:\n{self.output}")


def gone(clone: Path) -> None:
    deadline = time.monotonic() + 120
    while left := processes_of(clone):
        assert time.monotonic() < deadline, left
        time.sleep(0.1)


def serving(run: Run) -> str:
    run.until(lambda: "Serving until Ctrl-C." in run.output)
    [url] = re.findall(r"^Board after \d+ s: (\S+)/boards/", run.output, re.MULTILINE)
    return url


@pytest.mark.soak
def test_a_fresh_clone_ends_with_a_ranked_board(clone: Path) -> None:
    """On a port that is taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        run = Run(clone, clone / "run", *DEMO, "--once", "--admin", "--port", str(port))
        assert run.end() == 0, run.output
    assert f"Port {port} is taken; using " in run.output
    board = run.output.partition("Board llvm-ic on")[2]
    assert all(agent in board for agent in (*(name for name, _, _ in WAVES), "-Oz"))
    assert dict(re.findall(r"│ +- │ (\S.*?) +│.* (\d+/15) │", board)) == UNRANKED
    leaders = {slug: float(score) for slug, score in re.findall(r"/boards/(\S+)/ .*?│ +(\d\.\d+) │", board)}
    assert leaders.keys() == {"llvm-ic", *OTHERS}
    assert all(score > 1 for slug, score in leaders.items() if slug not in MEASURED), leaders
    assert re.search(r"Reviewer reviewer-\w+, password \S+: \S+/admin/", board)
    assert "Time of each step" in board
    assert "All processes were stopped." in board
    assert processes_of(clone) == {}


@pytest.mark.soak
def test_a_killed_demo_leaves_nothing_and_the_next_one_finishes_its_work(clone: Path) -> None:
    results = {path: path.stat().st_mtime_ns for path in (clone / ".optarena/demo").glob("*.run.json")}
    first = Run(clone, clone / "run", *DEMO, "--port", "18800")
    url = serving(first)
    assert "Installing" not in first.output
    assert results == {path: path.stat().st_mtime_ns for path in results}
    account = json.loads((clone / ".optarena/demo/ada.json").read_text())
    with Client(url, account["token"]) as client:
        entries = [entry for entry in client.submissions() if entry["board"] == "llvm-ic"]
        names = [name for name, _, _ in WAVES]
        agents = sorted(entry["agent"] for entry in entries)
        assert agents == sorted([*names, *UNRANKED]), "none is submitted twice"
        made = {entry["agent"]: datetime.fromisoformat(entry["created"]) for entry in entries}
        assert [(datetime.now(UTC) - made[name]).days for name in names] == [27, 18, 9]
        assert "programs-smoke-v0" in {found["name"] for found in client.datasets()}
        sent = client.submit(document(["dce", "gvn"], agent="interrupted"), key="interrupted")
        first.until(lambda: client.submission(sent["id"])["progress"]["done"] >= 1)
    first.process.kill()
    first.end()
    gone(clone)

    # What the demo compares by itself, as an operator may write it.
    small = "gcc-programs-v0=gcc-kernels-v0, programs-v0=kernels-v0"
    second = Run(clone, clone / "run", *DEMO, "--port", "18800", OPTARENA_BOARD_DATASETS=small)
    with Client(serving(second), account["token"]) as client:
        ended = client.wait(sent["id"], timeout=300)
    assert ended["state"] == "verified", ended

    os.killpg(second.process.pid, signal.SIGINT)
    second.end()
    assert second.output.endswith("All processes were stopped.\n")
    assert processes_of(clone) == {}


@pytest.mark.soak
def test_a_demo_whose_worker_cannot_work_says_why(clone: Path) -> None:
    unfit = {"OPTARENA_STATE": str(clone.parent / "unfit"), "OPTARENA_MEMORY_GROUPS": "/nowhere"}
    run = Run(clone, clone / "run", *DEMO, "--port", "18802", **unfit)
    run.until(lambda: "The worker takes no work until it passes its test of itself." in run.output)
    run.until(lambda: "/nowhere" in run.output)
    os.killpg(run.process.pid, signal.SIGINT)
    run.end()
    gone(clone)


@pytest.mark.soak
def test_clean_removes_what_runs_made(clone: Path) -> None:
    assert (clone / ".venv").exists()
    run = Run(clone, clone / "run", "clean")
    assert run.end() == 0, run.output
    assert not {".venv", ".optarena", "staticfiles"} & {path.name for path in clone.iterdir()}
    assert not list(clone.rglob("__pycache__"))


@pytest.mark.parametrize(
    ("arguments", "code"), [([], 0), (["help"], 0), (["dance"], 2), (["demo", "--help"], 0)]
)
def test_what_it_does_not_know_is_answered_by_its_usage(arguments: list[str], code: int) -> None:
    done = subprocess.run([ROOT / "run", *arguments], cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert "./run demo" in done.stdout + done.stderr
    assert ("unknown command 'dance'" in done.stderr) == bool(code)
