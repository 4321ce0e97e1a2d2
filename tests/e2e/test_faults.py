"""Processes are killed in the middle of a submission, and it still ends verified, each replay once."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.kit.kernels import document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from leaderboard.embedded.process import Process
    from optarena.client import Client
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

SECONDS = 240
ITEMS = 6


def kill(process: Process) -> None:
    """Everything of it at once, and not the way it would end by itself."""
    os.killpg(process.pid, signal.SIGKILL)
    assert process.popen is not None
    process.popen.wait()


def submit_and_interrupt(
    stack: Stack, user: Client, names: list[str], interrupt: Callable[[], None]
) -> tuple[dict[str, Any], list[str]]:
    """Submit, wait until a replay runs that is not the first, interrupt, and wait for the end.

    Meanwhile what has ended is started again, as the supervisor or the container engine does.

    Returns:
        The submission, and what was started again.
    """
    restarted: list[str] = []
    made = user.submit(document(names, agent="victim", count=ITEMS), key="-".join(names))
    until = time.monotonic() + SECONDS
    while not (made["progress"]["done"] >= 1 and running(stack)):
        assert made["state"] == "verifying", made
        assert time.monotonic() < until
        time.sleep(0.05)
        made = user.submission(made["id"])
    interrupt()

    def restart(seen: dict[str, Any]) -> None:
        stack.server.check(restarted.append)

    ended = user.wait(made["id"], on_progress=restart, timeout=SECONDS, poll=0.2)
    return ended, restarted


@pytest.fixture(autouse=True)
def _all_run(stack: Stack) -> Iterator[None]:
    """The next test begins with every process."""
    yield
    stack.server.check(print)


def running(stack: Stack) -> bool:
    states = ["leased", "replaying", "checking", "measuring"]
    return bool(stack.query("SELECT 1 FROM runner_verification WHERE state = ANY(%s)", states))


def check_once(stack: Stack, submission: dict[str, Any]) -> int:
    """Every replay of the submission was recorded exactly once; how many were tried again."""
    assert submission["verdicts"]["verified"] == ITEMS, submission
    ends = stack.query(
        "SELECT v.id, v.state, v.attempt, count(*) FILTER (WHERE e.to_state = 'recorded')"
        " FROM leaderboard_submissionitem i JOIN runner_verification v ON v.id = i.verification_id"
        " JOIN runner_verificationevent e ON e.verification_id = v.id"
        " WHERE i.submission_id = %s GROUP BY v.id",
        submission["id"],
    )
    assert len(ends) == ITEMS
    assert all((state, recorded) == ("recorded", 1) for _, state, _, recorded in ends), ends
    return sum(1 for _, _, attempt, _ in ends if attempt)


def test_a_worker_killed_in_the_middle_of_a_replay(stack: Stack) -> None:
    with stack.user() as user:
        interrupt = partial(kill, stack.server.worker)
        ended, restarted = submit_and_interrupt(stack, user, ["dse", "instcombine"], interrupt)
    assert restarted == ["worker was ended by SIGKILL; it is being restarted"]
    assert check_once(stack, ended) == 1


@pytest.mark.soak
def test_a_broker_killed_in_the_middle(stack: Stack) -> None:
    broker = stack.embedded.valkey.process
    with stack.user() as user:
        ended, restarted = submit_and_interrupt(stack, user, ["dse", "simplifycfg"], partial(kill, broker))
    assert restarted[0] == "Valkey was ended by SIGKILL; it is being restarted"
    check_once(stack, ended)


@pytest.mark.soak
def test_a_broker_that_lost_everything(stack: Stack) -> None:
    broker = stack.embedded.valkey.process

    def wipe() -> None:
        kill(broker)
        home = Path(str(broker.options["cwd"]))
        files = [path for path in home.rglob("*") if path.is_file()]
        assert files
        for path in files:
            path.unlink()

    with stack.user() as user:
        ended, _ = submit_and_interrupt(stack, user, ["dse", "early-cse"], wipe)
    check_once(stack, ended)


@pytest.mark.soak
def test_a_database_killed_in_the_middle(stack: Stack) -> None:
    database = stack.embedded.postgres.process

    def stop() -> None:
        kill(database)
        # The client that polls must find a database again: this one is restarted before it asks.
        stack.embedded.postgres.start()

    with stack.user() as user:
        made = user.submit(document(["dse", "gvn"], agent="victim", count=ITEMS), key="database")
        until = time.monotonic() + SECONDS
        while not running(stack):
            assert time.monotonic() < until
            time.sleep(0.05)
        stop()
        ended = user.wait(made["id"], timeout=SECONDS)
    check_once(stack, ended)
