"""The servers to do harm to: disks, processes, a second worker behind a network; they are started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote

from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.orphan_killer import Keeper
from leaderboard.embedded.process import Process
from leaderboard.embedded.server import Server, listen, manage, worker_command
from leaderboard.embedded.stack import DATABASE, USER
from tests.kit.faults.work import MAKE_BOARD
from tests.kit.folders import ROOT
from tests.kit.namespaces import make_namespace

LEASE_SECONDS: Final = 6
_SETTINGS: Final = {
    "OPTARENA_LEASE_SECONDS": str(LEASE_SECONDS),
    "OPTARENA_HEARTBEAT_SECONDS": "2",
    "OPTARENA_SWEEP_SECONDS": "1",
    "OPTARENA_ROUND_SECONDS": "3",
    "OPTARENA_THROTTLE_SIGNUP": "1000/min",
    "OPTARENA_BUDGET_SECONDS": "10000000",
}
_DATABASE_MEBIBYTES: Final = 1_024
_WORK_MEBIBYTES: Final = 64
_PORTS: Final = (15432, 16379)
_MIB: Final = 1 << 20
_RESTART_SECONDS: Final = 0.5
"""A process that ended is started again, for ever, but not more often than this."""


class Disk:
    """A folder on a small disk of its own, which can be filled; or a plain folder, which cannot."""

    def __init__(self, folder: Path, *, mebibytes: int, mode: int, apart: bool) -> None:
        self.folder = folder
        self.apart = apart
        self._filler = folder / "filler"
        folder.mkdir(parents=True)
        if apart:
            options = f"size={mebibytes}m,mode={mode:o}"
            _run("mount", "-t", "tmpfs", "-o", options, "none", str(folder))
        folder.chmod(mode)

    def fill(self) -> None:
        """Leave no byte free, although others write meanwhile."""
        with self._filler.open("ab") as file:
            step = _MIB
            while step:
                try:
                    os.posix_fallocate(file.fileno(), file.tell(), step)
                    file.seek(0, os.SEEK_END)
                except OSError:  # not so many bytes are left
                    step //= 2

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def close(self) -> None:
        if self.apart:
            with suppress(subprocess.CalledProcessError):  # gone with the namespace in any case
                _run("umount", "--lazy", str(self.folder))


class HarmedServers:
    """The servers of one run, in one folder.

    Args:
        folder: An empty folder.
        apart: Whether this process has mounts of its own, and may mount disks and make networks.
        danger: The folder of the dataset whose programs fail.
    """

    def __init__(self, folder: Path, *, apart: bool, danger: Path) -> None:
        self._danger = danger
        self.folder = folder
        self.apart = apart
        self.state = Disk(folder / "state", mebibytes=_DATABASE_MEBIBYTES, mode=0o711, apart=apart)
        self.work = Disk(folder / "work", mebibytes=_WORK_MEBIBYTES, mode=0o755, apart=apart)
        self.network = make_namespace(0) if apart else None
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.stack = EmbeddedStack(self.state.folder)
        environment = {
            **self.stack.environment(),
            **_SETTINGS,
            "OPTARENA_TRANSIENT_CACHE": str(self.work.folder),
            "TMPDIR": str(self.temporary),
        }
        self.server = Server(self.stack, listener=listen(18100), environment=environment)
        self.relay, self.far_worker = self._relay(), self._far_worker()
        self.restarts: dict[str, int] = {}
        self._keeper = Keeper()
        self._stopped = False
        self._started: dict[Process, float] = {}

    @property
    def workers(self) -> tuple[Process, Process]:
        return self.server.worker, self.far_worker

    @property
    def processes(self) -> tuple[Process, ...]:
        """All that are started again when they end."""
        servers = self.stack.postgres.process, self.stack.valkey.process
        return *servers, self.relay, self.server.web, self.server.sweeper, *self.workers

    def __enter__(self) -> Self:
        try:
            self.stack.start()
            self.server.start()
            self.manage("load_dataset", str(self._danger))
            self.manage("shell", "-c", MAKE_BOARD)
            for process in (self.relay, self.far_worker):
                process.keeper = self._keeper
                process.start()
        except BaseException:  # an interrupt too: nothing may be left behind
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def manage(self, *arguments: str) -> str:
        """Run a management command; what it printed.

        Raises:
            RuntimeError: It failed.
        """
        done = subprocess.run(
            manage(*arguments),
            env=self.server.environment,
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stdout.strip())
        return done.stdout.strip()

    def keep_running(self) -> None:
        """Start again what has ended, as a container engine does; never wait for it."""
        for process in self.processes:
            if process.running or time.monotonic() - self._started.get(process, 0.0) < _RESTART_SECONDS:
                continue
            process.kill()
            process.start()
            self._started[process] = time.monotonic()
            self.restarts[process.name] = self.restarts.get(process.name, 0) + 1

    def stop(self) -> None:
        if self._stopped:
            return
        self._stopped = True
        self.far_worker.ask_to_stop()
        self.server.stop()
        self.far_worker.stop()
        self.relay.stop()
        self._keeper.close()
        self.stack.stop()

    def close(self) -> None:
        self.stop()
        if self.network is not None:
            self.network.remove()
        for disk in (self.state, self.work):
            disk.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def cut_network(self) -> None:
        """Pull the cable: every packet is lost, and neither side is told."""
        self._set_cable("down")

    def mend_network(self) -> None:
        self._set_cable("up")

    def _set_cable(self, state: str) -> None:
        _run("ip", "link", "set", self.network.cable, state)

    def _relay(self) -> Process:
        address = self.network.server if self.network else "127.0.0.1"
        run = self.stack.folder.sockets()
        sockets = (run / ".s.PGSQL.5432", run / "valkey.sock")
        pairs = [f"{port}={path}" for port, path in zip(_PORTS, sockets, strict=True)]
        script = str(Path(__file__).with_name("relay.py"))
        return self._process("relay", [sys.executable, script, address, *pairs], {})

    def _far_worker(self) -> Process:
        """A worker that reaches the servers by TCP only, from another network where that is possible."""
        address = self.network.server if self.network else "127.0.0.1"
        password = quote(self.stack.folder.secrets().database_password, safe="")
        database, broker = _PORTS
        reached = {
            "OPTARENA_DATABASE_URL": f"postgres://{USER}:{password}@{address}:{database}/{DATABASE}",
            "OPTARENA_BROKER_URL": f"redis://{address}:{broker}/0",
        }
        command = [*worker_command(), "-n", "far@%h"]
        return self._process(
            "far worker", self.network.command(command) if self.network else command, reached
        )

    def _process(self, name: str, argv: list[str], variables: dict[str, str]) -> Process:
        return Process(
            name=name,
            argv=argv,
            environment={**self.server.environment, **variables},
            log=self.stack.folder.logs / f"{name.replace(' ', '-')}.log",
            stop_seconds=10.0,
            options={"cwd": str(ROOT)},
        )


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
