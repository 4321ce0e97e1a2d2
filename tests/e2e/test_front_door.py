"""The real server under attack, and without its processes, its database, its broker or room on the disk."""

from __future__ import annotations

import os
import signal
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from optarena.client_answers import ApiProblem
from tests.kit.kernels import document
from tests.kit.processes import children
from tests.kit.slow_clients import answers, attack, closed_by_server

if TYPE_CHECKING:
    from leaderboard.embedded.process import Process
    from optarena.client import Client
    from tests.kit.stack import Stack

pytestmark = pytest.mark.stack

SECONDS = 120


def kill(process: Process) -> None:
    """Everything of it at once, and not the way it would end by itself."""
    os.killpg(process.pid, signal.SIGKILL)
    process.popen.wait()


@contextmanager
def without_database(stack: Stack) -> Iterator[None]:
    kill(stack.embedded.postgres.process)
    try:
        yield
    finally:
        stack.embedded.postgres.start()
        until_ready(stack)


@contextmanager
def frozen_database(stack: Stack) -> Iterator[None]:
    """The database and its back ends stop, with all connections open, and go on at the end."""
    main = stack.embedded.postgres.process.pid
    stopped = {main, *children(main)}
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
        until_ready(stack)


def readiness(stack: Stack) -> tuple[int, dict[str, Any]]:
    answer = httpx.get(f"{stack.url}/readyz", timeout=30)
    return answer.status_code, answer.json()["checks"]


def until_ready(stack: Stack) -> None:
    deadline = time.monotonic() + SECONDS
    while readiness(stack)[0] != 200:
        assert time.monotonic() < deadline
        time.sleep(0.2)


def until_missing(stack: Stack, check: str) -> str:
    """What a check says as soon as it is not ``ok``; its last answer is kept for a second."""
    deadline = time.monotonic() + SECONDS
    while True:
        status, checks = readiness(stack)
        if checks[check] != "ok":
            assert status == 503
            return str(checks[check])
        assert time.monotonic() < deadline
        time.sleep(0.2)


@pytest.fixture
def port(stack: Stack) -> int:
    return stack.server.port


@pytest.mark.parametrize(
    "kind",
    [
        "body",
        *(
            pytest.param(kind, marks=pytest.mark.soak)
            for kind in ("stall", "head", "idle", "half-closed", "garbage")
        ),
    ],
)
def test_slow_clients_stop_nobody(port: int, kind: str) -> None:
    with attack(port, kind):
        assert Counter(answers(port, "/api/v1/boards/")) == {200: 20}


@pytest.mark.soak
def test_clients_that_do_not_read_stop_nobody(port: int) -> None:
    with attack(port, "reader", large="/api/v1/datasets/kernels-v0/archive/"):
        assert Counter(answers(port, "/api/v1/boards/")) == {200: 20}


@pytest.mark.soak
def test_clients_that_send_nothing_are_closed(port: int) -> None:
    with attack(port, "stall", 5) as clients:
        assert all(closed_by_server(one) for one in clients.all)


def test_without_a_database_every_request_is_told_to_come_again(stack: Stack, port: int) -> None:
    with stack.user() as user:
        token = user.token
    with without_database(stack):
        head = {"Authorization": f"Bearer {token}"}
        for path in ("/api/v1/boards/", "/api/v1/auth/me/"):
            answer = httpx.get(stack.url + path, headers=head, timeout=30)
            assert (answer.status_code, answer.json()["type"]) == (503, "/problems/#unavailable")
            assert int(answer.headers["Retry-After"]) > 0
        for path in ("/", "/submissions/", "/accounts/login/"):
            page = httpx.get(stack.url + path, cookies={"sessionid": "x" * 32}, timeout=30)
            assert (page.status_code, page.headers["Content-Type"][:9]) == (503, "text/html")
            assert int(page.headers["Retry-After"]) > 0
        form = httpx.post(f"{stack.url}/api/v1/submissions/", json={}, headers=head, timeout=30)
        assert form.status_code == 503
        # What needs no database goes on.
        assert answers(port, "/healthz", 5) == [200] * 5
        assert until_missing(stack, "database") == "no connection"
    assert httpx.get(f"{stack.url}/api/v1/auth/me/", headers=head, timeout=30).status_code == 200


@pytest.mark.soak
def test_a_database_that_is_away_does_not_hold_the_threads(stack: Stack) -> None:
    with without_database(stack):
        statuses: list[int] = []
        threads = [
            threading.Thread(target=lambda: statuses.append(httpx.get(stack.url, timeout=60).status_code))
            for _ in range(40)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Counter(statuses) == {503: 40}


@pytest.mark.soak
def test_a_database_that_stops_holds_no_request_for_ever(stack: Stack, port: int) -> None:
    with frozen_database(stack), ThreadPoolExecutor(8) as pool:
        pages = [pool.submit(httpx.get, stack.url, timeout=60) for _ in range(8)]
        assert answers(port, "/healthz", 5) == [200] * 5
        assert until_missing(stack, "database") == "no connection"
        for page in pages:
            assert page.result().status_code == 503
            assert int(page.result().headers["Retry-After"]) > 0
    assert httpx.get(stack.url, timeout=60).status_code == 200


@pytest.mark.soak
def test_a_database_that_only_reads_takes_nothing_and_is_not_ready(stack: Stack) -> None:
    with stack.user() as user:
        try:
            stack.query("SELECT 1")
            alter(stack, "ALTER SYSTEM SET default_transaction_read_only = on")
            assert "read-only" in until_missing(stack, "database")
            made = httpx.post(
                f"{stack.url}/api/v1/submissions/",
                json=document(["dse"], agent="reader", count=1),
                headers={"Authorization": f"Bearer {user.token}", "Idempotency-Key": "read-only"},
                timeout=30,
            )
            assert (made.status_code, made.json()["type"]) == (503, "/problems/#unavailable")
            assert "accepts no writes" in made.json()["detail"]
            assert list(user.boards())
        finally:
            alter(stack, "ALTER SYSTEM RESET default_transaction_read_only")
        until_ready(stack)
        assert user.submit(document(["dse"], agent="reader", count=1), key="read-only")["id"]


def alter(stack: Stack, statement: str) -> None:
    with stack.embedded.postgres.connect() as connection:
        connection.execute("SET default_transaction_read_only = off")
        connection.execute(statement.encode())
        connection.execute("SELECT pg_reload_conf()")


@pytest.mark.soak
@pytest.mark.parametrize("moment", [0.0, 0.02, 0.05, 0.1, 0.2, 0.4])
def test_a_database_that_dies_during_a_submission_takes_it_once(stack: Stack, moment: float) -> None:
    """The client repeats the request with its key until the database, which is restarted, has it."""
    agent = f"dying-{uuid.uuid4().hex[:8]}"
    ended: list[dict[str, Any]] = []
    with stack.user() as user:
        sending = threading.Thread(
            target=lambda: ended.append(user.submit(document(["dse"], agent=agent, count=6), key=agent))
        )
        sending.start()
        time.sleep(moment)
        kill(stack.embedded.postgres.process)
        stack.embedded.postgres.start()
        sending.join()
        stored = stack.query("SELECT id::text FROM leaderboard_submission WHERE agent = %s", agent)
        assert stored == [(ended[0]["id"],)]
        assert user.submit(document(["dse"], agent=agent, count=6), key=agent)["id"] == ended[0]["id"]


@pytest.mark.soak
def test_a_broker_that_refuses_writes_is_not_ready_and_stops_no_submission(stack: Stack) -> None:
    import redis  # noqa: PLC0415 - only this test speaks to the broker itself

    broker = redis.Redis(unix_socket_path=str(stack.embedded.valkey._socket))
    with stack.user() as user:
        broker.config_set("maxmemory", 1)
        try:
            assert "refuses writes" in until_missing(stack, "broker")
            made = user.submit(document(["dse"], agent="no-broker", count=1), key=str(uuid.uuid4()))
            assert made["id"]
        finally:
            broker.config_set("maxmemory", 0)
            broker.close()
        until_ready(stack)
        assert user.wait(made["id"], timeout=SECONDS)["state"] == "verified"


@pytest.mark.soak
def test_a_worker_outlives_a_broker_that_refuses_what_it_writes(stack: Stack) -> None:
    """It gets its wake-up at the moment when it may not note that it has it."""
    import redis  # noqa: PLC0415 - as above

    broker = redis.Redis(unix_socket_path=str(stack.embedded.valkey._socket))
    worker = stack.server.worker
    with stack.user() as user:
        os.killpg(worker.pid, signal.SIGSTOP)
        try:
            made = user.submit(document(["dse"], agent="no-broker", count=1), key=str(uuid.uuid4()))
            time.sleep(2)  # the broker hands the wake-up over to a worker that waits for one, frozen or not
            broker.config_set("maxmemory", 1)
        finally:
            os.killpg(worker.pid, signal.SIGCONT)
        try:
            time.sleep(3)
            assert worker.running, worker.log_tail()
        finally:
            broker.config_set("maxmemory", 0)
            broker.close()
        until_ready(stack)
        assert user.wait(made["id"], timeout=SECONDS)["state"] == "verified"
        assert worker.running


def test_limits_by_address_ignore_what_a_client_claims_about_its_address(stack: Stack) -> None:
    """And the counts are Valkey's, so that another process or a restarted one continues them."""
    body = {"username": "nobody-at-all", "password": "not the password"}
    statuses = [
        httpx.post(
            f"{stack.url}/api/v1/auth/token/",
            json=body,
            headers={"X-Forwarded-For": f"10.0.0.{number}"},
            timeout=60,
        ).status_code
        for number in range(5)
    ]
    assert statuses[0] == 401
    assert 429 in statuses
    assert 500 not in statuses
    with stack.client() as client, pytest.raises(ApiProblem, match="Too many"):
        client.make_token("nobody-at-all", "not the password")


ITEMS = 6


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
    until = time.monotonic() + 2 * SECONDS
    while not (made["progress"]["done"] >= 1 and running(stack)):
        assert made["state"] == "verifying", made
        assert time.monotonic() < until
        time.sleep(0.05)
        made = user.submission(made["id"])
    interrupt()

    def restart(seen: dict[str, Any]) -> None:
        stack.server.check(restarted.append)

    ended = user.wait(made["id"], on_progress=restart, timeout=2 * SECONDS)
    return ended, restarted


@pytest.fixture(autouse=True)
def _all_run(stack: Stack) -> Iterator[None]:
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
