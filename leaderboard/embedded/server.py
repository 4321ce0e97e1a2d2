"""The server's processes, and the supervisor that restarts them."""

from __future__ import annotations

import errno
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from leaderboard.embedded.orphan_killer import Keeper
from leaderboard.embedded.process import Process, death_signal_hook
from leaderboard.embedded.stack import ROOT, EmbeddedStack
from leaderboard.embedded.state import EmbeddedError

RESTARTS: Final = 5  # Deaths of one process within the window, after which it is given up.
WINDOW_SECONDS: Final = 120.0
_FIRST_PAUSE_SECONDS: Final = 1.0
_REMEDY: Final = "Everything else goes on. Find the cause in its log, then stop and start the whole server."


@dataclass(eq=False)
class Supervised:
    process: Process
    start: Callable[[], None]  # For a server, also waits until it answers.
    deaths: list[float] = field(default_factory=list)  # Moments within the window.
    due: float | None = None  # When it is started again; None while it runs.
    given_up: bool = False


class Supervisor:
    # One process is started before those that follow it. The file `given_up` names those that are not started
    # any more, for the readiness check.

    def __init__(self, watched: Sequence[Supervised], given_up: Path) -> None:
        self._watched = tuple(watched)
        self._file = given_up
        self._file.unlink(missing_ok=True)

    def check(self, report: Callable[[str], None]) -> None:
        for one in self._watched:
            one.process.limit_log()
            if one.given_up or one.process.running:
                continue
            if one.due is None:
                self._count_death(one, report)
            if one.due is not None and time.monotonic() >= one.due:
                one.due = None
                one.process.kill()
                try:
                    one.start()
                except (EmbeddedError, OSError) as error:
                    # It has ended again, or hangs, or there is no room for its log; the next check counts it.
                    report(str(error))
                    one.process.kill()

    def _count_death(self, one: Supervised, report: Callable[[str], None]) -> None:
        now = time.monotonic()
        one.deaths = [*(death for death in one.deaths if now - death < WINDOW_SECONDS), now]
        name, ending = one.process.name, one.process.ending()
        if len(one.deaths) > RESTARTS:
            one.given_up = True
            one.process.kill()
            report(f"{name} {ending}; it ends again and again and is given up. {_REMEDY}")
            report(one.process.log_tail())
            names = [each.process.name for each in self._watched if each.given_up]
            try:
                self._file.write_text("".join(f"{each}\n" for each in names), encoding="utf-8")
            except OSError as error:  # the readiness check does not know it then; the rest goes on
                report(f"{self._file} could not be written: {error.strerror}")
            return
        # The first death is answered at once: most have a cause that has passed.
        pause = 0.0 if len(one.deaths) == 1 else _FIRST_PAUSE_SECONDS * 2 ** (len(one.deaths) - 2)
        one.due = now + pause
        report(f"{name} {ending}; it is being restarted" + (f" in {pause:.0f} s" if pause else ""))


HOST: Final = "127.0.0.1"
START_SECONDS: Final = 120
_PORTS_TRIED: Final = 100
_BACKLOG: Final = 128
# A proxy of the network, which `$http_proxy` may name, does not reach this machine's servers.
_DIRECTLY: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_WATCH_SECONDS: Final = 0.5


def listen(wanted: int, *, or_after: bool = True) -> socket.socket:
    # The web server inherits the socket: nobody can take the port, and requests wait while it restarts.
    tried = _PORTS_TRIED if or_after else 1
    for port in range(wanted, min(wanted + tried, 65536)):
        candidate = socket.socket()
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((HOST, port))
            candidate.listen(_BACKLOG)
        except OSError as error:
            candidate.close()
            if error.errno != errno.EADDRINUSE:
                raise EmbeddedError(
                    f"Port {port} cannot be used: {error.strerror}. Give another one with --port."
                ) from error
            continue
        return candidate
    taken = f"Port {wanted} and the ports after it are" if or_after else f"Port {wanted} is"
    raise EmbeddedError(f"{taken} taken; give another one with --port.")


class Server:
    def __init__(
        self,
        stack: EmbeddedStack,
        *,
        listener: socket.socket,
        environment: Mapping[str, str] | None = None,
        replays: int = 1,
    ) -> None:
        # `replays`: how many run at a time.
        self._stack = stack
        self._listener = listener
        self.port = int(listener.getsockname()[1])
        self.url = f"http://{HOST}:{self.port}"
        self.environment = dict(stack.environment() if environment is None else environment)
        given_up = stack.folder.logs / "given-up"
        self.environment["OPTARENA_GIVEN_UP"] = str(given_up)
        if not self.environment.get("OPTARENA_CSRF_TRUSTED_ORIGINS"):  # these name the public address, too
            self.environment.setdefault("OPTARENA_PUBLIC_URL", self.url)
        descriptor = listener.fileno()
        self.web = self._process("web", web_command(descriptor), stop_seconds=5.0, pass_fds=(descriptor,))
        self.worker = self._process("worker", worker_command(replays), stop_seconds=10.0)
        self.sweeper = self._process("sweeper", manage("sweeper"), stop_seconds=5.0)
        self._supervisor = Supervisor(
            [
                Supervised(stack.postgres.process, stack.postgres.start),
                Supervised(stack.valkey.process, stack.valkey.start),
                *(Supervised(one, one.start) for one in (self.web, self.worker, self.sweeper)),
            ],
            given_up,
        )
        self._keeper: Keeper | None = None

    def start(self, *datasets: str) -> None:
        # With these datasets beside those of its boards. The web server starts during the migrations, and the
        # other processes while the datasets are loaded.
        self._keeper = Keeper()
        with self._bootstrapping(datasets) as bootstrap:
            self._begin(self.web)
            self.web.wait_until(lambda: bool(bootstrap.poll()) or self.ready(), seconds=START_SECONDS)
            self._begin(self.worker)
            self._begin(self.sweeper)

    def _begin(self, process: Process) -> None:
        process.keeper = self._keeper
        process.start()

    @contextmanager
    def _bootstrapping(self, datasets: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
        running = subprocess.Popen(  # noqa: S603 - the project's own command
            manage("bootstrap", *datasets),
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=death_signal_hook(signal.SIGTERM),  # noqa: PLW1509 - one call of libc
        )
        with running:
            try:
                yield running
                printed, _ = running.communicate()
            except BaseException:  # an interrupt too: nothing may be left behind
                running.kill()
                raise
        if running.returncode:
            raise EmbeddedError(f"The server could not be prepared:\n{printed[-4000:]}")

    def stop(self) -> None:
        processes = (self.web, self.worker, self.sweeper)
        try:
            for process in processes:
                process.ask_to_stop()
            for process in processes:
                process.stop()
        finally:  # an impatient interrupt too: nothing may be left running
            for process in processes:
                process.kill()
            if self._keeper is not None:
                self._keeper.close()
            self._listener.close()

    def ready(self) -> bool:
        try:
            with _DIRECTLY.open(f"{self.url}/readyz", timeout=10) as answer:
                return bool(answer.status == 200)  # noqa: PLR2004 - OK
        except (urllib.error.URLError, OSError):
            return False

    def check(self, report: Callable[[str], None]) -> None:
        self._supervisor.check(report)

    def watch(self, report: Callable[[str], None]) -> None:
        while True:
            self.check(report)
            time.sleep(_WATCH_SECONDS)

    def _process(
        self, name: str, argv: list[str], *, stop_seconds: float, pass_fds: tuple[int, ...] = ()
    ) -> Process:
        return Process(
            name=name,
            argv=argv,
            environment=self.environment,
            log=self._stack.folder.logs / f"{name}.log",
            stop_seconds=stop_seconds,
            options={"cwd": str(ROOT), "pass_fds": pass_fds},
        )


def manage(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), *arguments]


def web_command(descriptor: int) -> list[str]:
    # The Dockerfile's command binds an address instead.
    return [sys.executable, "-m", "leaderboard.web_server", "--fd", str(descriptor)]


def worker_command(replays: int = 1) -> list[str]:
    # docker-compose.yml starts the same one.
    celery = [sys.executable, "-m", "celery", "-A", "leaderboard", "worker", "-Q", "cpu", "-c", str(replays)]
    return [*celery, "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
