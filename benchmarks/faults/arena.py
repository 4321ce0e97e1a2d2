"""A whole server to do harm to: its processes, a second worker behind a network, and who restarts them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from faults.rooms import Disk, Network
from faults.work import MAKE_BOARD, ROOT
from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.orphan_killer import Keeper
from leaderboard.embedded.postgres import DATABASE, USER
from leaderboard.embedded.process import Process
from leaderboard.embedded.server import Server, listen, manage, worker_command

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

LEASE_SECONDS: Final = 6
_SETTINGS: Final = {
    "OPTARENA_LEASE_SECONDS": str(LEASE_SECONDS),
    "OPTARENA_HEARTBEAT_SECONDS": "2",
    "OPTARENA_SWEEP_SECONDS": "1",
    "OPTARENA_THROTTLE_SIGNUP": "1000/min",
    "OPTARENA_BUDGET_SECONDS": "10000000",
}
_DATABASE_MEBIBYTES: Final = 1_024
_WORK_MEBIBYTES: Final = 64
_PORTS: Final = (15432, 16379)
_RESTART_SECONDS: Final = 0.5
"""A process that ended is started again, for ever, but not more often than this."""


class Arena:
    """The servers of one run, in one folder.

    Args:
        folder: An empty folder.
        apart: Whether this process has mounts and networks of its own.
        danger: The folder of the dataset whose programs fail.
    """

    def __init__(self, folder: Path, *, apart: bool, danger: Path) -> None:
        self._danger = danger
        self.folder = folder
        self.apart = apart
        self.state = Disk(folder / "state", mebibytes=_DATABASE_MEBIBYTES, mode=0o711, apart=apart)
        self.work = Disk(folder / "work", mebibytes=_WORK_MEBIBYTES, mode=0o755, apart=apart)
        self.network = Network() if apart else None
        self.stack = EmbeddedStack(self.state.folder)
        environment = {
            **self.stack.environment(),
            **_SETTINGS,
            "OPTARENA_TRANSIENT_CACHE": str(self.work.folder),
            "TMPDIR": str(self._temporary()),
        }
        self.server = Server(self.stack, listener=listen(18100), environment=environment)
        self.relay, self.far_worker = self._relay(), self._far_worker()
        self.restarts: dict[str, int] = {}
        self._keeper = Keeper()
        self._stopped = False
        self._started: dict[Process, float] = {}

    def _temporary(self) -> Path:
        folder = self.folder / "tmp"
        folder.mkdir()
        return folder

    @property
    def workers(self) -> tuple[Process, Process]:
        """Both workers."""
        return self.server.worker, self.far_worker

    @property
    def processes(self) -> tuple[Process, ...]:
        """All that are started again when they end."""
        servers = self.stack.postgres.process, self.stack.valkey.process
        return *servers, self.relay, self.server.web, self.server.sweeper, *self.workers

    def __enter__(self) -> Self:
        try:
            self.stack.start()
            self.server.bootstrap()
            self.manage("load_dataset", str(self._danger))
            self.manage("shell", "-c", MAKE_BOARD)
            self.server.start()
            for process in (self.relay, self.far_worker):
                process.keeper = self._keeper
                process.start()
        except BaseException:  # an interrupt too: nothing may be left behind
            self.stop()
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
        done = subprocess.run(  # noqa: S603 - ours
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
        """Stop every process; the folders stay."""
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
        """Stop what runs, and remove the folders."""
        self.stop()
        if self.network is not None:
            self.network.close()
        for disk in (self.state, self.work):
            disk.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _relay(self) -> Process:
        address = Network.HERE if self.network else "127.0.0.1"
        run = self.stack.folder.sockets()
        sockets = (run / ".s.PGSQL.5432", run / "valkey.sock")
        pairs = [f"{port}={path}" for port, path in zip(_PORTS, sockets, strict=True)]
        script = str(Path(__file__).with_name("relay.py"))
        return self._process("relay", [sys.executable, script, address, *pairs], {})

    def _far_worker(self) -> Process:
        """A worker that reaches the servers by TCP only, from another network where that is possible."""
        address = Network.HERE if self.network else "127.0.0.1"
        password = quote(self.stack.folder.secrets().database_password, safe="")
        database, broker = _PORTS
        reached = {
            "OPTARENA_DATABASE_URL": f"postgres://{USER}:{password}@{address}:{database}/{DATABASE}",
            "OPTARENA_BROKER_URL": f"redis://{address}:{broker}/0",
        }
        before = self.network.inside if self.network else ()
        return self._process("far worker", [*before, *worker_command(), "-n", "far@%h"], reached)

    def _process(self, name: str, argv: list[str], variables: dict[str, str]) -> Process:
        return Process(
            name=name,
            argv=argv,
            environment={**self.server.environment, **variables},
            log=self.stack.folder.logs / f"{name.replace(' ', '-')}.log",
            stop_seconds=10.0,
            options={"cwd": str(ROOT)},
        )
