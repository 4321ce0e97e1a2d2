"""PostgreSQL and Valkey of an embedded stack."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Final, Self
from urllib.parse import quote

import psycopg
from psycopg import sql

from leaderboard.embedded.process import Process
from leaderboard.embedded.state import (
    EmbeddedError,
    Placement,
    StateFolder,
    Strategy,
    find_binaries,
    placement,
)
from optarena.datasets import datasets
from optarena.specs import board_specs, environment_spec
from optarena.specs.environment import CPU

# For initdb, and for a start with recovery after a crash; busy machines need a minute.
POSTGRES_START_SECONDS: Final = 120

USER: Final = "optarena"
DATABASE: Final = "optarena"
# The same collation on every machine, with neither ICU nor the C library's: as in docker-compose.yml.
LOCALE: Final = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
_SETTINGS: Final = ("listen_addresses=", "unix_socket_permissions=0700", "timezone=UTC", "log_timezone=UTC")
_THROWAWAY: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Postgres:
    # Tests, whose data need not survive a crash of the machine, are not `durable`.

    def __init__(
        self, placement: Placement, *, sockets: Path, password: str, log: Path, durable: bool = True
    ) -> None:
        self._placement = placement
        self._sockets = sockets
        self._password = password
        self._home = Path(placement.home) / "postgres"
        self._data = self._home / "data"
        settings = (*_SETTINGS, f"unix_socket_directories={sockets}", *(() if durable else _THROWAWAY))
        argv = [str(find_binaries().tool("postgres")), "-D", str(self._data)]
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
        self._placement.give(self._sockets)
        self._placement.folder(self._home)
        if not self._data.exists():
            self._initialise()
        # A server whose supervisor was killed may still be shutting down.
        deadline = time.monotonic() + POSTGRES_START_SECONDS
        while self._runs_already():
            if time.monotonic() > deadline:
                raise EmbeddedError(f"Another PostgreSQL still runs on {self._data}; stop it first.")
            time.sleep(0.05)
        self.process.start()
        self.process.wait_until(self._answers, seconds=POSTGRES_START_SECONDS)

    def url(self, database: str = DATABASE) -> str:
        # In the form of `OPTARENA_DATABASE_URL`.
        password, host = quote(self._password, safe=""), quote(str(self._sockets), safe="")
        return f"postgres://{USER}:{password}@{host}/{database}"

    def client_environment(self) -> dict[str, str]:
        # With it `psql`, `pg_dump` and `pg_restore` reach the database.
        programs = str(find_binaries().tool("psql").parent)
        return {
            "PATH": os.pathsep.join([programs, os.environ.get("PATH", os.defpath)]),
            "PGHOST": str(self._sockets),
            "PGUSER": USER,
            "PGPASSWORD": self._password,
            "PGDATABASE": DATABASE,
        }

    def connect(self, database: str = DATABASE) -> psycopg.Connection:
        # Each statement is committed.
        host, password = str(self._sockets), self._password
        return psycopg.connect(
            host=host, user=USER, password=password, dbname=database, autocommit=True, connect_timeout=10
        )

    def ensure_database(self) -> None:
        with self.connect("postgres") as connection:
            if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

    def _initialise(self) -> None:
        # Under another name until complete: the folder of a killed initdb would look complete.
        fresh = self._home / "data.new"
        shutil.rmtree(fresh, ignore_errors=True)
        password_file = self._home / "password"
        descriptor = os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w") as stream:
            stream.write(self._password + "\n")
        self._placement.give(password_file)
        initdb = [str(find_binaries().tool("initdb")), "-D", str(fresh), "-U", USER, "--no-sync"]
        initdb += ["--no-instructions", *LOCALE, "-A", "scram-sha-256", f"--pwfile={password_file}"]
        try:
            done = subprocess.run(  # noqa: S603 - our own binary
                self._placement.command(initdb),
                cwd="/",
                env=_environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=POSTGRES_START_SECONDS,
                check=False,
                **self._placement.popen_options(),
            )
        except subprocess.TimeoutExpired as error:
            raise EmbeddedError(f"initdb did not end within {POSTGRES_START_SECONDS} s.") from error
        finally:
            password_file.unlink()
        if done.returncode:
            raise EmbeddedError(f"initdb failed with exit code {done.returncode}:\n{done.stderr.strip()}")
        fresh.rename(self._data)

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


VALKEY_START_SECONDS: Final = 60
_PONG: Final = b"+PONG"


class Valkey:
    def __init__(self, placement: Placement, *, sockets: Path, log: Path) -> None:
        self._placement = placement
        self._socket = sockets / "valkey.sock"
        self._home = Path(placement.home) / "valkey"
        argv = [str(find_binaries().valkey), "--port", "0", "--unixsocket", str(self._socket)]
        argv += ["--unixsocketperm", "700", "--dir", ".", "--save", "", "--maxmemory-policy", "noeviction"]
        argv += ["--appendonly", "yes", "--appendfsync", "everysec"]
        self.process = Process(
            name="Valkey",
            argv=placement.command(argv),
            environment={"LC_ALL": "C", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
            log=log,
            options={"cwd": str(self._home), **placement.popen_options()},
        )

    @property
    def url(self) -> str:
        # In the form of `OPTARENA_BROKER_URL`.
        return f"redis+socket://{self._socket}?virtual_host=0"

    def start(self) -> None:
        self._placement.folder(self._home)
        self.process.start()
        self.process.wait_until(self._answers, seconds=VALKEY_START_SECONDS)

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(5)
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                # While Valkey loads its file it answers with an error.
                return client.recv(64).startswith(_PONG)
        except OSError:
            return False


_MEASURED: Final = 3  # programs of a board
ROOT: Final = Path(__file__).resolve().parents[2]  # The repository, from which the Django apps run.


class EmbeddedStack:
    """Both servers on one state folder; a context manager that starts and stops them."""

    def __init__(self, state: Path, *, durable: bool = True, strategy: Strategy | None = None) -> None:
        self.folder = StateFolder(state)
        try:
            self.placement = placement(self.folder.path, forced=strategy)
            sockets, secrets = self.folder.sockets(), self.folder.secrets()
            self.postgres = Postgres(
                self.placement,
                sockets=sockets,
                password=secrets.database_password,
                log=self.folder.logs / "postgres.log",
                durable=durable,
            )
            self.valkey = Valkey(self.placement, sockets=sockets, log=self.folder.logs / "valkey.log")
        except BaseException:  # an interrupt too: nothing may be left behind
            self.folder.release()
            raise

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:  # an interrupt too: nothing may be left behind
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self.postgres.start()
        self.postgres.ensure_database()
        self.valkey.start()

    def stop(self) -> None:
        try:
            self.valkey.process.stop()
        finally:
            try:
                self.postgres.process.stop()
            finally:
                self.folder.release()

    def environment(self, database: str = DATABASE) -> dict[str, str]:
        search = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(search),
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "OPTARENA_DATABASE_URL": self.postgres.url(database),
            "OPTARENA_BROKER_URL": self.valkey.url,
            "OPTARENA_SECRET_KEY": self.folder.secrets().secret_key,
            "OPTARENA_BLOB_ROOT": str(self.folder.blobs),
            "OPTARENA_DATA_ROOT": str(self.folder.data),
            "OPTARENA_BOARD_DATASETS": os.environ.get("OPTARENA_BOARD_DATASETS", _small_programs()),
            "OPTARENA_BOARD_PROGRAMS": os.environ.get("OPTARENA_BOARD_PROGRAMS", _few_to_measure()),
            # Whoever tries portable entries sees their ranks soon.
            "OPTARENA_ROUND_SECONDS": os.environ.get("OPTARENA_ROUND_SECONDS", "60"),
        }


def _few_to_measure() -> str:
    # To measure a program takes seconds, and these boards should be filled soon.
    measured = (
        one for one in board_specs() if environment_spec(one.environment).measure and one.device == CPU
    )
    return ",".join(f"{one.slug}={_MEASURED}" for one in measured)


def _small_programs() -> str:
    # The demo's boards compare the small suites, which are optimised in seconds: kernels for programs.
    whole = sorted({board.dataset for board in board_specs()})
    small = {name: name.replace("programs", "kernels") for name in whole if "programs" in name}
    return ",".join(f"{name}={other}" for name, other in small.items() if other in datasets())
