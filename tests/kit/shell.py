"""A user at the command line, and a worker that does what is queued."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from click.testing import CliRunner, Result
from django.db import connection

from optarena.cli import main
from runner.work.driver import drive
from tests.factories import PASSWORD

if TYPE_CHECKING:
    from pathlib import Path


class Shell:
    """A user's shell: the variables stay from command to command."""

    def __init__(self, url: str) -> None:
        self.env = {"OPTARENA_URL": url, "OPTARENA_PASSWORD": PASSWORD}

    def run(self, *args: object) -> Result:
        return CliRunner().invoke(main, [str(arg) for arg in args], env=self.env)

    def submit(self, path: Path, *more: object) -> Result:
        """What submitting a file to the board of LLVM ends with."""
        return self.run("submit", path, "--board", "llvm-ic", "--agent", "cli agent", *more)


def replay_everything() -> None:
    """Play the worker: do all that is queued."""
    while drive(worker="test"):
        pass


@contextmanager
def worker_beside() -> Iterator[None]:
    """A worker that looks for work in a thread of its own until the block ends."""
    stopped = threading.Event()

    def work() -> None:
        while not stopped.wait(0.2):
            replay_everything()
        connection.close()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        stopped.set()
        worker.join()
