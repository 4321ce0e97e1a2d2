"""Workers on other machines: without the server's files, and with a database role of their own."""

from __future__ import annotations

import secrets
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.process import Process
from leaderboard.embedded.server import Server, manage, worker_command
from leaderboard.embedded.state import find_binaries, remove_state
from optarena.client import Client
from tests.kit.folders import ROOT
from tests.kit.kernels import document
from tests.kit.namespaces import Namespace, make_namespace
from tests.kit.tools import in_ci

SECONDS: Final = 240
ITEMS: Final = 8
READY: Final = "SELECT count(*) FROM runner_runner WHERE paused_at IS NULL"
PASSWORD: Final = secrets.token_urlsafe(24)
BROKER_PORT: Final = 6390
"""Of the machines' own addresses, on which nothing else listens."""


@pytest.fixture
def machines() -> Iterator[list[Namespace]]:
    """Two machines with nothing but a cable to this one."""
    made: list[Namespace] = []
    try:
        try:
            made.extend(make_namespace(number) for number in (1, 2))
        except OSError as error:
            if in_ci():
                raise
            pytest.skip(f"This machine does not allow network namespaces: {error}")
        yield made
    finally:
        for machine in made:
            machine.remove()


@pytest.fixture
def stack(tmp_path_factory: pytest.TempPathFactory, machines: list[Namespace]) -> Iterator[EmbeddedStack]:
    """PostgreSQL and Valkey that listen to the machines, with passwords."""
    folder = tmp_path_factory.mktemp("machines")
    folder.chmod(0o711)
    try:
        with EmbeddedStack(folder / "state", durable=False) as made:
            made.postgres.process.stop()
            home = Path(made.placement.home) / "postgres/data"
            with (home / "pg_hba.conf").open("a") as rules:
                rules.writelines(f"host all all {one.own}/32 scram-sha-256\n" for one in machines)
            addresses = ",".join(one.server for one in machines)
            made.postgres.process.argv += ["-c", f"listen_addresses={addresses}"]
            made.postgres.start()
            yield made
    finally:
        remove_state(folder / "state")


@pytest.fixture
def broker(stack: EmbeddedStack, machines: list[Namespace], tmp_path: Path) -> Iterator[None]:
    addresses = [one.server for one in machines]
    options = ["--port", f"{BROKER_PORT}", "--requirepass", PASSWORD, "--save", "", "--dir", str(tmp_path)]
    process = Process(
        name="Valkey",
        argv=[str(find_binaries().valkey), *options, "--bind", *addresses],
        environment={"PATH": "/usr/bin:/bin"},
        log=tmp_path / "valkey.log",
    )
    process.start()
    yield
    process.stop()


def broker_url(machine: Namespace) -> str:
    return f"redis://:{PASSWORD}@{machine.server}:{BROKER_PORT}/0"


@pytest.fixture
def server(stack: EmbeddedStack, broker: None, machines: list[Namespace]) -> Iterator[Server]:
    """The web server, which the machines reach, and the sweeper; no worker."""
    listener = socket.socket()
    listener.bind(("0.0.0.0", 0))  # noqa: S104 - the machines have to reach it
    listener.listen()
    hosts = ",".join(["127.0.0.1", *(one.server for one in machines)])
    environment = stack.environment() | {
        "OPTARENA_BROKER_URL": broker_url(machines[0]),
        "OPTARENA_ALLOWED_HOSTS": hosts,
    }
    made = Server(stack, listener=listener, environment=environment)
    subprocess.run(manage("bootstrap"), cwd=ROOT, env=made.environment, check=True)
    made.web.start()
    made.web.wait_until(made.ready, seconds=SECONDS)
    made.sweeper.start()
    yield made
    made.stop()


@dataclass
class Remote:
    """A worker on another machine."""

    machine: Namespace
    role: str
    process: Process


def remote_worker(
    stack: EmbeddedStack, server: Server, machine: Namespace, folder: Path, environment: Mapping[str, str]
) -> Remote:
    """Start a worker on a machine, as an operator would."""
    role = f"worker_{machine.name.rpartition('-')[2]}"
    secret = folder / f"{role}.password"
    secret.write_text(PASSWORD)
    made = manage("worker_role", role, "--password-file", str(secret))
    subprocess.run(made, cwd=ROOT, env=server.environment, check=True)
    variables = {name: value for name, value in environment.items() if not name.startswith("OPTARENA_")} | {
        "OPTARENA_DATABASE_URL": f"postgres://{role}:{PASSWORD}@{machine.server}/optarena",
        "OPTARENA_BROKER_URL": broker_url(machine),
        "OPTARENA_WORKER_SETTLES": "false",
        "OPTARENA_BLOB_URL": f"http://{machine.server}:{server.port}",
        "OPTARENA_BLOB_ROOT": str(folder / f"{role}-programs"),
        "OPTARENA_TRANSIENT_CACHE": str(folder / f"{role}-transient"),
    }
    process = Process(
        name=role,
        argv=machine.command([*worker_command(), "-n", f"{role}@%h"]),
        environment=variables,
        log=folder / f"{role}.log",
        options={"cwd": str(ROOT)},
    )
    process.start()
    return Remote(machine, role, process)


def wait_until_ready(stack: EmbeddedStack, workers: list[Remote]) -> None:
    """Wait until every worker has passed its test of itself."""
    until = time.monotonic() + SECONDS
    with stack.postgres.connect() as connection:
        while connection.execute(READY).fetchall() != [(len(workers),)]:
            assert all(one.process.running for one in workers), [one.process.log_tail() for one in workers]
            assert time.monotonic() < until, [one.process.log_tail() for one in workers]
            time.sleep(0.2)


@pytest.mark.soak
def test_workers_on_other_machines_verify_a_submission(
    stack: EmbeddedStack, server: Server, machines: list[Namespace], tmp_path: Path
) -> None:
    workers = [remote_worker(stack, server, machine, tmp_path, server.environment) for machine in machines]
    try:
        wait_until_ready(stack, workers)
        with Client(server.url) as stranger:
            token = stranger.signup("ada", "correct horse battery staple")["token"]
        with Client(server.url, token) as ada:
            sent = [
                ada.submit(document(names, agent="far", count=ITEMS), key=names[0])["id"]
                for names in (["mem2reg"], ["sroa", "dse"])
            ]
            ended = [ada.wait(one, timeout=SECONDS) for one in sent]
    finally:
        for worker in workers:
            worker.process.stop()
    logs = "\n".join(worker.process.log_tail() for worker in workers)
    assert [one["verdicts"]["verified"] for one in ended] == [ITEMS, ITEMS], logs
    with stack.postgres.connect() as connection:
        roles = connection.execute(
            "SELECT DISTINCT r.role FROM runner_verification v JOIN runner_runner r ON r.id = v.runner_id"
        ).fetchall()
        [left] = connection.execute("SELECT count(*) FROM runner_unannouncedend").fetchall()
    assert sorted(role for (role,) in roles) == [worker.role for worker in workers], logs
    assert left == (0,)
    assert all(any((tmp_path / f"{worker.role}-programs").rglob("*")) for worker in workers)
