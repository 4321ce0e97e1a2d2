"""GCC's options and portable entries through real processes, from the command line to the board."""

from __future__ import annotations

import math
import os
import re
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from optarena.agents.known_sequences import builtin_portfolio
from optarena.cli import main
from optarena.datasets import datasets
from optarena.replay import replay
from optarena.specs import environment_spec
from tests.kit.gcc import needs_gcc
from tests.kit.processes import descendants, wait_until
from tests.kit.stack import FEWER_PROGRAMS, Stack

pytestmark = pytest.mark.stack

BOARD = "gcc-codesize"
LINE = "gcc -Oz -fno-caller-saves -fno-move-loop-stores -fno-tree-loop-im -c program.c -o program.o"


def body(agent: str, commandline: str, count: int | None = None) -> dict[str, Any]:
    uris = [str(benchmark.uri) for benchmark in datasets()["gcc-kernels-v0"]][:count]
    return {
        "board": BOARD,
        "agent": agent,
        "items": [{"benchmark": uri, "commandline": commandline} for uri in uris],
    }


@needs_gcc
@pytest.mark.timeout(600)
@pytest.mark.parametrize("count", [2, pytest.param(15, marks=pytest.mark.soak)])
def test_command_lines_are_verified_and_ranked_by_loaded_bytes(stack: Stack, count: int) -> None:
    user = stack.user()
    made = user.submit(body(f"found {count}", LINE, count), key=f"gcc found {count}")
    ended = user.wait(made["id"], timeout=280)
    assert ended["state"] == "verified"
    with stack.client() as visitor:
        board = visitor.standings(BOARD)
        items = list(visitor.items(ended["id"]))
    [row] = [row for row in board["results"] if row["submission"] == ended["id"]]
    assert (row["verified"], row["rank"]) == (count, 1 if count == 15 else None)
    assert count < 15 or row["score"] > 1
    assert next(one["score"] for one in board["references"] if one["level"] == "Oz") == 1
    assert all(item["metrics"]["load_size_bytes"] > 0 for item in items)
    tools = stack.query(
        "SELECT DISTINCT jsonb_object_keys(result -> 'sandbox' -> 'tools') FROM runner_verification AS one"
        " JOIN runner_environmentversion AS version ON version.id = one.environment_version_id"
        " WHERE version.env_id = 'gcc-v0'"
    )
    assert {name for (name,) in tools} == {"cc1", "as", "ld"}


def compilers(pids: set[int]) -> set[int]:
    """Those of some processes that are cc1, and have not ended."""
    found = set()
    for pid in pids:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        if "Name:\tcc1\n" in status and "State:\tZ" not in status:
            found.add(pid)
    return found


@needs_gcc
@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_worker_killed_while_cc1_runs_leaves_no_cc1_and_nothing_is_recorded_twice(stack: Stack) -> None:
    worker, user, restarted = stack.server.worker, stack.user(), list[str]()
    made = user.submit(body("killed", "gcc -O3 -fno-tree-vrp -c program.c -o program.o"), key="gcc killed")
    until = time.monotonic() + 240
    while not user.submission(made["id"])["progress"]["done"]:  # a worker's test of itself starts cc1 as well
        assert time.monotonic() < until
        time.sleep(0.05)
    while not (at_work := compilers(descendants(worker.pid))):
        assert time.monotonic() < until
    for pid in at_work:  # it does not end by itself
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    os.killpg(worker.pid, signal.SIGKILL)
    worker.popen.wait()
    wait_until(lambda: not compilers(at_work))
    ended = user.wait(
        made["id"], on_progress=lambda _: stack.server.check(restarted.append), timeout=280, poll=0.2
    )
    assert restarted == ["worker was ended by SIGKILL; it is being restarted"]
    assert ended["verdicts"]["verified"] == len(body("", "")["items"])
    recorded = stack.query(
        "SELECT v.attempt, count(*) FILTER (WHERE e.to_state = 'recorded')"
        " FROM leaderboard_submissionitem i JOIN runner_verification v ON v.id = i.verification_id"
        " JOIN runner_verificationevent e ON e.verification_id = v.id"
        " WHERE i.submission_id = %s GROUP BY v.id",
        made["id"],
    )
    assert {times for _, times in recorded} == {1}
    assert any(attempt for attempt, _ in recorded)


SPEC = environment_spec("llvm-ic-v0")
FILE = """
name = "mine-v0"
kind = "portfolio"
table = "{table}"
[[sequence]]
actions = "sroa early-cse"
[[sequence]]
actions = "{listed}"
"""


@pytest.mark.soak
def test_an_entry_is_drawn_replayed_and_repeated_by_anybody(stack: Stack, tmp_path: Path) -> None:
    stack.manage("shell", "-c", FEWER_PROGRAMS)
    listed = builtin_portfolio(SPEC.action_table, "list")
    names = " ".join(SPEC.action_table.names[one] for one in listed.sequences[0].actions)
    file = tmp_path / "mine.toml"
    file.write_text(FILE.format(table=SPEC.action_table.name, listed=names))
    user = stack.user()

    variables = {"OPTARENA_URL": stack.url, "OPTARENA_TOKEN": user.token, "COLUMNS": "200"}

    def command(*words: str) -> str:
        done = CliRunner().invoke(main, ["portfolio", *words], env=variables)
        assert done.exit_code == 0, done.output
        return str(done.output)

    said = command("submit", str(file), "--board", "portable", "--agent", "e2e", "--wait")
    assert "on 3 programs" in said
    [entry_id] = re.findall(r"/portable/entries/([0-9a-f-]{36})/", said)
    with stack.client() as visitor:
        entry = visitor.portable_entry(entry_id)
        rows = visitor.portable_board("portable", round_ends_at=entry["round_ends_at"])["rows"]
    [row] = (one for one in rows if one["entry"] == entry_id)
    assert (row["state"], row["rank"]) == ("ended", entry["rank"])
    assert row["rank"] >= 1
    ratios = [one["reference"] / one["value"] for one in entry["programs"]]
    assert entry["score"] == pytest.approx(math.prod(ratios) ** (1 / 3))
    one = entry["programs"][0]
    here = replay(
        environment=SPEC,
        benchmark=datasets().benchmark(one["benchmark"]),
        actions=entry["sequences"][one["best"]]["actions"],
        metrics=["ir_instructions"],
    )
    assert here.metrics == {"ir_instructions": one["value"]}
    assert httpx.get(entry["page_url"], timeout=60).status_code == 200

    told = command("status", entry["page_url"])
    assert f"score {entry['score']:.4f}" in told
    assert f"rank {entry['rank']}" in told
    assert "withdrawn" in command("withdraw", "--yes", entry["id"])
    assert "no rank: withdrawn" in command("status", entry["id"])
