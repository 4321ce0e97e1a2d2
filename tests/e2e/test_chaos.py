"""A whole server under random faults: none of any kind makes a verdict other than one without faults."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import uuid
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from optarena.specs.results import ReplayResult, StateTrace
from tests.kit.faults import checks, kinds
from tests.kit.faults.checks import Event, Row
from tests.kit.faults.work import BOARD, Piece, draw
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

APART = ("unshare", "--mount")
PROBE = "mount -t tmpfs none /mnt && ip link add chaos0 type veth peer name chaos1 && ip netns list"
"""Whether a process apart may mount disks and make networks."""
URI = "benchmark://kernels-v0/sha256"
GOOD = Piece(BOARD, "random", URI, (1, 2))
CALM = ReplayResult(
    environment="llvm-ic-v0",
    digest="d" * 64,
    benchmark=URI,
    benchmark_sha256="b" * 64,
    actions=GOOD.actions,
    ok=True,
    initial=StateTrace(digest="0", cost=900),
    metrics={"ir_instructions": 800, "text_size_bytes": 3000},
)
RECORDED = Row(
    id=uuid.UUID(int=1),
    uri=URI,
    actions=GOOD.actions,
    state="recorded",
    reason="",
    detail="",
    last_seq=3,
    attempt=0,
    metrics={"ir_instructions": 800},
    result=replace(CALM, metrics={"ir_instructions": 800}).as_dict(),
)
LOST = replace(RECORDED, state="failed", reason="infra:retries-exhausted", metrics={}, result=None)
LOG = [Event(1, "", "queued"), Event(2, "queued", "leased"), Event(3, "leased", "recorded")]


def with_result(**changes: object) -> Row:
    return replace(RECORDED, result={**(RECORDED.result or {}), **changes})


@pytest.mark.parametrize(
    "row",
    [
        replace(RECORDED, state="failed", reason="semantics:crash"),
        replace(RECORDED, metrics={}),
        replace(RECORDED, result=None),
        with_result(metrics={"ir_instructions": 801}),
        with_result(initial={"digest": "1", "cost": 900}),
    ],
)
def test_a_verdict_that_differs_is_found(row: Row) -> None:
    assert checks.verdicts([RECORDED], {GOOD: CALM}) == []
    assert len(checks.verdicts([row], {GOOD: CALM})) == 1


def test_a_replay_that_was_done_twice_is_found() -> None:
    assert checks.verdicts([LOST, RECORDED], {GOOD: CALM}) == []
    assert len(checks.verdicts([RECORDED, RECORDED], {GOOD: CALM})) == 1


@pytest.mark.parametrize(
    "log",
    [
        LOG[:2],
        [LOG[0], LOG[2]],
        [LOG[0], Event(2, "leased", "recorded"), LOG[2]],
        [*LOG, Event(4, "recorded", "recorded")],
        [*LOG[:2], Event(3, "leased", "failed")],
    ],
)
def test_an_event_log_that_is_wrong_is_found(log: list[Event]) -> None:
    assert checks.ends([RECORDED], {RECORDED.id: LOG}) == []
    assert checks.ends([RECORDED], {RECORDED.id: log})


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"one": {URI: ("pending", "")}},
        {"one": {URI: ("refuted", "semantics:crash")}},
        {"one": {URI: ("verified", ""), "other": ("verified", "")}},
        {"one": {URI: ("verified", "")}, "two": {URI: ("verified", "")}},
    ],
)
def test_a_submission_that_is_wrong_is_found(stored: dict[str, dict[str, tuple[str, str]]]) -> None:
    right = {"one": {URI: ("verified", "")}}
    assert checks.items(right, {"one": [GOOD]}, {GOOD: CALM}) == []
    assert checks.items(stored, {"one": [GOOD]}, {GOOD: CALM})


def test_the_same_seed_draws_the_same_work_and_no_work_twice() -> None:
    drawn = draw(200, 7)
    assert drawn == draw(200, 7) != draw(200, 8)
    assert len({(piece.uri, piece.actions) for piece in drawn}) == 200
    assert {piece.kind for piece in drawn} >= {"random", "claim", "output", "crash", "hang", "growth"}


def test_a_process_that_took_the_number_of_another_gets_no_signal() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        seen = kinds.look_at(process.pid)
        assert seen is not None
        assert seen in kinds.children(os.getpid())
        assert not replace(seen, started=seen.started - 1).signal(signal.SIGKILL)
        assert process.poll() is None
        assert seen.signal(signal.SIGKILL)
    assert kinds.look_at(process.pid) is None


def test_a_disk_that_was_filled_has_no_byte_left(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("mounting needs root")
    script = (
        "import sys; from pathlib import Path; from tests.kit.faults.servers import Disk\n"
        "disk = Disk(Path(sys.argv[1]) / 'disk', mebibytes=2, mode=0o700, apart=True)\n"
        "more = disk.folder / 'more'\n"
        "disk.fill()\n"
        "try:\n    more.write_bytes(b'x' * 10_000)\n"
        "except OSError as error:\n    print(error.errno)\n"
        "disk.free()\n"
        "more.write_bytes(b'x' * 10_000)\n"
    )
    command = [*APART, "--", sys.executable, "-c", script, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if "Operation not permitted" in done.stderr:
        pytest.skip("mounting is not allowed here")
    assert (done.returncode, done.stdout) == (0, "28\n"), done.stderr
    assert not (tmp_path / "disk" / "more").exists()


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
