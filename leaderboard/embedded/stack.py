"""PostgreSQL and Valkey together, with the environment variables for their clients."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from leaderboard.embedded.placement import placement
from leaderboard.embedded.postgres import DATABASE, Postgres
from leaderboard.embedded.state import StateFolder
from leaderboard.embedded.valkey import Valkey
from optarena.datasets import datasets
from optarena.specs import board_specs

if TYPE_CHECKING:
    from types import TracebackType

    from leaderboard.embedded.placement import Strategy

ROOT: Final = Path(__file__).resolve().parents[2]
"""The repository, from which the Django apps run."""


class EmbeddedStack:
    """Both servers on one state folder; a context manager that starts and stops them.

    Args:
        state: The state folder.
        durable: False for tests, whose data need not survive a crash of the machine.
        strategy: The one of ``placement.STRATEGIES`` for the first start as root; None probes them.

    Raises:
        StateBusy: Another supervisor uses the folder.
        EmbeddedError: A server cannot be placed or started.
    """

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

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start both servers and make the database."""
        self.postgres.start()
        self.postgres.ensure_database()
        self.valkey.start()

    def stop(self) -> None:
        """Stop both servers and release the state folder."""
        try:
            self.valkey.process.stop()
        finally:
            try:
                self.postgres.process.stop()
            finally:
                self.folder.release()

    def environment(self, database: str = DATABASE) -> dict[str, str]:
        """The caller's environment variables with those for clients of this stack."""
        search = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(search),
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
            "OPTARENA_DATABASE_URL": self.postgres.url(database),
            "OPTARENA_BROKER_URL": self.valkey.url,
            "OPTARENA_SECRET_KEY": self.folder.secrets().secret_key,
            "OPTARENA_BLOB_ROOT": str(self.folder.blobs),
            "OPTARENA_STATIC_ROOT": str(self.folder.static),
            "OPTARENA_BOARD_DATASETS": os.environ.get("OPTARENA_BOARD_DATASETS", _small_programs()),
        }


def _small_programs() -> str:
    """The demo's boards compare the small suites, which are optimised in seconds: kernels for programs."""
    whole = sorted({board.dataset for board in board_specs()})
    small = {name: name.replace("programs", "kernels") for name in whole if "programs" in name}
    return ",".join(f"{name}={other}" for name, other in small.items() if other in datasets())
