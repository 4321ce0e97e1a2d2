"""A whole server under random faults: none of any kind makes a verdict other than one without faults."""

from __future__ import annotations

import re
import subprocess
import sys
import uuid
from dataclasses import replace

import pytest

from optarena.specs.results import ReplayResult, StateTrace
from tests.kit.faults import checks
from tests.kit.faults.checks import Event, Row
from tests.kit.faults.work import BOARD, Piece
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


def test_what_a_fault_could_change_is_found() -> None:
    uri, actions, metrics = "benchmark://kernels-v0/sha256", (1, 2), {"ir_instructions": 800.0}
    piece = Piece(BOARD, "random", uri, actions)
    calm = ReplayResult(
        environment="llvm-ic-v0",
        digest="d" * 64,
        benchmark=uri,
        benchmark_sha256="b" * 64,
        actions=actions,
        ok=True,
        initial=StateTrace(digest="0", cost=900),
        metrics=metrics,
    )
    row = Row(uuid.UUID(int=1), uri, actions, "recorded", "", "", 3, 0, metrics, calm.as_dict())
    lost = replace(row, state="failed", reason="infra:retries-exhausted", metrics={}, result=None)
    assert checks.verdicts([lost, row], {piece: calm}) == []
    assert (checks.missing([lost], {piece: calm}), checks.missing([row], {piece: calm})) == ([piece], [])
    wrong = [
        replace(row, state="failed", reason="env:crash"),
        replace(row, metrics={}),
        replace(row, result=None),
        replace(row, result=replace(calm, initial=StateTrace(digest="1", cost=900)).as_dict()),
    ]
    for rows in ([row, row], *([one] for one in wrong)):
        assert len(checks.verdicts(rows, {piece: calm})) == 1, rows
    log = [Event(1, "", "queued"), Event(2, "queued", "leased"), Event(3, "leased", "recorded")]
    assert checks.ends([row], {row.id: log}) == []
    for broken in (log[:2], log[::2], [*log, Event(4, "recorded", "recorded")]):
        assert checks.ends([row], {row.id: broken}), broken
    claim, verified = replace(piece, kind="claim"), {"one": {uri: ("verified", "")}}
    assert checks.items(verified, {"one": [piece]}, {piece: calm}) == []
    assert checks.items(verified, {"one": [claim]}, {claim: calm}), "a wrong claim is refuted"
    wrong_items: list[checks.Verdicts] = [{}, {"one": {uri: ("pending", "")}}, verified | {"two": {}}]
    for stored in wrong_items:
        assert checks.items(stored, {"one": [piece]}, {piece: calm}), stored
