"""What is left of a run: standings, the queue, processes and files. Each function returns its violations."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Final

from kombu import Connection

from faults import victims
from faults.records import count_waiting
from faults.work import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

    from faults.arena import Arena

_END_SECONDS: Final = 20.0


def standings(arena: Arena) -> list[str]:
    """Every board's rows are those that a rebuild gives."""
    try:
        arena.manage("rebuild_standings", "--check")
    except RuntimeError as error:
        return [f"standings: {error}"]
    return []


def queue(arena: Arena) -> list[str]:
    """Nothing waits, and the broker holds no wake-up that nobody fetches."""
    waiting = count_waiting(arena)
    problems = [f"{waiting} replays still wait"] if waiting else []
    until = time.monotonic() + _END_SECONDS
    with Connection(arena.server.environment["OPTARENA_BROKER_URL"]) as broker:
        client = broker.default_channel.client  # type: ignore[attr-defined] # Valkey's has one
        while (left := client.llen("cpu")) and time.monotonic() < until:
            time.sleep(0.2)
    return problems + ([f"{left} wake-ups are left in the broker"] if left else [])


def orphans(arena: Arena) -> list[str]:
    """Every process that works for the server descends from one that the supervisor knows."""
    found = _wait_for_none(lambda: _strangers(arena))
    return [f"process {one.pid} has outlived its parent: {one.command!r}" for one in found]


def _strangers(arena: Arena) -> list[victims.Seen]:
    own = {one.pid for one in victims.family(os.getpid())}
    return [one for one in victims.belonging(arena.folder) if one.pid not in own]


def leftovers(arena: Arena) -> list[str]:
    """After the end of all processes none is left, and no file in a folder of passing use."""
    found = _wait_for_none(lambda: victims.belonging(arena.stack.folder.path))
    problems = [f"process {one.pid} still runs: {one.command!r}" for one in found]
    _remove_old_folders(arena)
    for folder in (arena.work.folder, arena.folder / "tmp"):
        problems += [
            f"{path} was left behind" for path in folder.rglob("*") if path.is_file() or path.parent != folder
        ]
    return problems


def _remove_old_folders(arena: Arena) -> None:
    """Have the next start of a service remove what killed processes have left, as if a minute had passed."""
    folder = arena.work.folder / "services"
    if not folder.is_dir():
        return
    for one in folder.iterdir():
        os.utime(one, (0, 0))
    code = "from optarena.service.processes import folders as f; f.remove_directory(f.make_directory()[0])"
    subprocess.run([sys.executable, "-c", code], env=arena.server.environment, cwd=ROOT, check=True)  # noqa: S603 - ours


def _wait_for_none(find: Callable[[], list[victims.Seen]]) -> list[victims.Seen]:
    """What is still found after a moment."""
    until = time.monotonic() + _END_SECONDS
    while (found := find()) and time.monotonic() < until:
        time.sleep(0.2)
    return found
