"""The embedded PostgreSQL: initialised once, on a Unix socket, with a password."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

import psycopg
from psycopg import sql

from leaderboard.embedded.errors import EmbeddedError
from leaderboard.embedded.process import Process

if TYPE_CHECKING:
    from leaderboard.embedded.placement import Placement

START_SECONDS: Final = 120
"""Time for initdb, and for a start with recovery after a crash; busy machines need a minute."""

USER: Final = "optarena"
DATABASE: Final = "optarena"
# The same collation on every machine, with neither ICU nor the C library's: as in docker-compose.yml.
LOCALE: Final = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
_SETTINGS: Final = ("listen_addresses=", "unix_socket_permissions=0700", "timezone=UTC", "log_timezone=UTC")
_THROWAWAY: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Postgres:
    """One cluster.

    Args:
        placement: Its files' place and the user that it runs as.
        sockets: Folder of its socket.
        password: The password of the superuser ``optarena``.
        log: The server's log file.
        durable: False for tests, whose data need not survive a crash of the machine.
    """

    def __init__(
        self, placement: Placement, *, sockets: Path, password: str, log: Path, durable: bool = True
    ) -> None:
        self._placement = placement
        self._sockets = sockets
        self._password = password
        self._home = Path(placement.home) / "postgres"
        self._data = self._home / "data"
        settings = (*_SETTINGS, f"unix_socket_directories={sockets}", *(() if durable else _THROWAWAY))
        argv = [str(placement.binaries.tool("postgres")), "-D", str(self._data)]
        for setting in settings:
            argv += ["-c", setting]
        self.process = Process(
            name="PostgreSQL",
            argv=placement.command(argv),
            environment=_environment(),
            log=log,
            stop_signal=signal.SIGINT,
            death_signal=signal.SIGINT,
            options={"cwd": "/", **placement.popen_options()},
        )

    def start(self) -> None:
        """Initialise if needed, start, and wait until it answers.

        Raises:
            EmbeddedError: The server does not start; the message has the end of its log.
        """
        self._placement.give(self._sockets)
        self._placement.folder(self._home)
        if not self._data.exists():
            self._initialise()
        self._wait_for_the_last_one()
        self.process.start()
        self.process.wait_until(self._answers, seconds=START_SECONDS)

    def url(self, database: str = DATABASE) -> str:
        """The address of a database, in the form of ``OPTARENA_DATABASE_URL``."""
        password, host = quote(self._password, safe=""), quote(str(self._sockets), safe="")
        return f"postgres://{USER}:{password}@{host}/{database}"

    def django_settings(self, database: str = DATABASE) -> dict[str, str]:
        """The entries of Django's ``DATABASES`` for this server."""
        return {
            "HOST": str(self._sockets),
            "USER": USER,
            "PASSWORD": self._password,
            "NAME": database,
            "PORT": "",
        }

    def client_environment(self, database: str = DATABASE) -> dict[str, str]:
        """The environment variables with which ``psql``, ``pg_dump`` and ``pg_restore`` reach a database."""
        programs = str(self._placement.binaries.tool("psql").parent)
        return {
            "PATH": os.pathsep.join([programs, os.environ.get("PATH", os.defpath)]),
            "PGHOST": str(self._sockets),
            "PGUSER": USER,
            "PGPASSWORD": self._password,
            "PGDATABASE": database,
        }

    def connect(self, database: str = DATABASE) -> psycopg.Connection:
        """A connection that commits each statement."""
        return psycopg.connect(
            host=str(self._sockets),
            user=USER,
            password=self._password,
            dbname=database,
            autocommit=True,
            connect_timeout=10,
        )

    def ensure_database(self, name: str = DATABASE) -> None:
        """Create a database if it does not exist."""
        with self.connect("postgres") as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))

    def _initialise(self) -> None:
        # Under another name until complete: the folder of a killed initdb would look complete.
        fresh = self._home / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        password_file = self._home / "password"
        descriptor = os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(self._password + "\n")
        self._placement.give(password_file)
        initdb = [str(self._placement.binaries.tool("initdb")), "-D", str(fresh), "-U", USER]
        initdb += [
            "--no-sync",
            "--no-instructions",
            *LOCALE,
            "-A",
            "scram-sha-256",
            f"--pwfile={password_file}",
        ]
        try:
            done = subprocess.run(  # noqa: S603 - our own binary
                self._placement.command(initdb),
                cwd="/",
                env=_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=START_SECONDS,
                check=False,
                **self._placement.popen_options(),
            )
        except subprocess.TimeoutExpired as error:
            raise EmbeddedError(f"initdb did not end within {START_SECONDS} s.") from error
        finally:
            password_file.unlink()
        if done.returncode:
            raise EmbeddedError(f"initdb failed with exit code {done.returncode}:\n{done.stderr.strip()}")
        fresh.rename(self._data)

    def _wait_for_the_last_one(self) -> None:
        """Wait for a server whose supervisor was killed, which may still be shutting down."""
        deadline = time.monotonic() + START_SECONDS
        while self._runs_already():
            if time.monotonic() > deadline:
                raise EmbeddedError(f"Another PostgreSQL still runs on {self._data}; stop it first.")
            time.sleep(0.05)

    def _runs_already(self) -> bool:
        try:
            holder = int((self._data / "postmaster.pid").read_text().splitlines()[0])
            arguments = Path(f"/proc/{holder}/cmdline").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError, ValueError, IndexError):
            return False
        return os.fsencode(self._data) in arguments

    def _answers(self) -> bool:
        try:
            self.connect("postgres").close()
        except psycopg.OperationalError as error:
            if "password authentication failed" in str(error):
                raise EmbeddedError(
                    f"PostgreSQL in {self._home} has a password that differs from the state folder's. "
                    "Delete both with: ./run clean"
                ) from error
            return False
        return True


def _environment() -> dict[str, str]:
    return {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", "TZ": "UTC"}
