"""Checks that replays can work on this machine, for real: a confined process, the folders, a tiny episode.

``python -m optarena.self_test`` reads an order from its standard input and prints what it found, as JSON. A
worker starts it in a process of its own, since the checks start processes and load compilers. It takes about
two seconds of CPU time.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final

from optarena import paths
from optarena.errors import OptArenaError, SandboxUnavailable
from optarena.isolation import syscalls
from optarena.isolation.sandbox import confine
from optarena.service.processes import memory
from optarena.service.processes.folders import make_directory, remove_directory
from optarena.specs import EnvironmentSpec, PreparedMeasure, Probe, board_specs, environment_specs

MEMORY_BYTES: Final = 256 << 20  # Free memory below which a replay would fail for lack of it
DISK_BYTES: Final = 32 << 20  # Free space below which a folder counts as full
_MEBIBYTE: Final = 1 << 20
_DETAIL: Final = 500
_AT_ONCE: Final = 2  # Each waits for processes half of its time.
_MEMORY: Final = Path("/proc/meminfo")


class UnhealthyError(OptArenaError):
    """This machine cannot replay as it is; the message says what is wrong."""


def run_checks(*, readable: Iterable[str] = (), device: str = "") -> list[dict[str, Any]]:
    # Environments are tried where the machine is fit: only those that a board ranks on `device`, or those of
    # the CPU if it is empty.
    found: list[dict[str, Any]] = []
    for name, check in (
        ("sandbox", check_sandbox),
        ("folders", lambda: check_folders(readable)),
        ("disk", check_disk),
        ("memory", check_memory),
        ("memory group", check_memory_group),
    ):
        found.append(_checked(name, check))
        if not found[-1]["ok"]:
            return found
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return found + list(pool.map(_environment_checked, _probed(device)))


def _environment_checked(probed: tuple[EnvironmentSpec, Probe]) -> dict[str, Any]:
    return _checked(f"environment {probed[0].slug}", partial(check_environment, *probed))


def _checked(name: str, check: Callable[[], str]) -> dict[str, Any]:
    began, ok = time.monotonic(), True
    try:
        detail = check()
    except Exception as error:  # noqa: BLE001 # whatever it is, replays would meet it too
        ok, detail = False, f"{type(error).__name__}: {error}"
    seconds = round(time.monotonic() - began, 3)
    return {"name": name, "ok": ok, "detail": detail[:_DETAIL], "seconds": seconds}


def check_sandbox() -> str:
    reader, writer = os.pipe()
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        try:
            confine(parent=parent)
        except BaseException as error:  # noqa: BLE001 # the child must not go on as its parent
            os.write(writer, f"{error}".encode()[:_DETAIL])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        said = answer.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if said or status:
        raise SandboxUnavailable(said or f"The confined process ended with status {status}.")
    return "A process was confined."


def check_folders(readable: Iterable[str]) -> str:
    directory, lock = make_directory()
    os.close(lock)
    _write_in(Path(directory))
    remove_directory(directory)
    cache = paths.cache()
    cache.mkdir(parents=True, exist_ok=True)
    for folder in (cache, Path(tempfile.gettempdir()), *(one for one in (paths.logs(),) if one.exists())):
        _write_in(folder)
    for name in readable:
        with os.scandir(name) as entries:
            next(entries, None)
    return "The folders can be used."


def _write_in(folder: Path) -> None:
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(bytes(_MEBIBYTE))


def check_disk() -> str:
    folders = {paths.cache(), Path(tempfile.gettempdir()), paths.transient_cache().parent}
    free = {str(folder): shutil.disk_usage(folder).free for folder in folders}
    full = [name for name, left in free.items() if left < DISK_BYTES]
    if full:
        raise UnhealthyError(f"Less than {DISK_BYTES // _MEBIBYTE} MiB are free in {', '.join(full)}.")
    return f"At least {min(free.values()) // _MEBIBYTE} MiB are free."


def check_memory(meminfo: Path = _MEMORY) -> str:
    lines = (line.partition(":") for line in meminfo.read_text(encoding="ascii").splitlines())
    free = next(int(value.split()[0]) * 1024 for name, _, value in lines if name == "MemAvailable")
    if free < MEMORY_BYTES:
        raise UnhealthyError(
            f"{free // _MEBIBYTE} MiB of memory are free, less than {MEMORY_BYTES // _MEBIBYTE}."
        )
    return f"{free // _MEBIBYTE} MiB are free."


def check_memory_group() -> str:
    where = memory.find_group_folder()
    return f"Groups are made in {where}." if where else "No group can be made: only each process is limited."


def _probed(device: str) -> list[tuple[EnvironmentSpec, Probe]]:
    # Once each version: equal versions share everything.
    found = {
        spec.digest: (spec, spec.probe)
        for spec in reversed(environment_specs())
        if spec.probe and not spec.why_unavailable()  # a worker takes none of its work then
    }
    if device:
        ranked = {board.environment for board in board_specs() if board.device == device}
        # What other machines prepare needs no compiler here.
        found = {
            digest: one
            for digest, one in found.items()
            if one[0].slug in ranked and not isinstance(one[0].measure, PreparedMeasure)
        }
    return list(reversed(found.values()))


def check_environment(spec: EnvironmentSpec, probe: Probe) -> str:
    # Imported late: the child of `check_sandbox` is to be forked from a process with one thread.
    from optarena.env import CompilerEnv  # noqa: PLC0415 # as above
    from optarena.env.confined import run_workloads  # noqa: PLC0415 # as above

    with CompilerEnv(spec, benchmark=probe.benchmark, sandbox=True) as env:
        env.reset(options={"observation_space": None, "reward_space": None})
        env.multistep(spec.probe_actions)
        if env.error is not None:
            raise env.error
        for name, recorded in probe.observed.items():
            value = env.observation[name]
            if value != recorded:
                raise UnhealthyError(f"{name} of {probe.benchmark} is {value}; {recorded} is recorded.")
        for result in run_workloads(env, env.benchmark.workloads[:1], sandbox=True):
            if not result.ok:
                raise UnhealthyError(f"{probe.benchmark}, workload {result.name}: {result.detail}")
    return f"{probe.benchmark} gives what is recorded."


def main() -> None:
    order = json.load(sys.stdin)
    syscalls.die_with_parent(order.pop("parent"))
    print(json.dumps(run_checks(**order)))  # noqa: T201 # its answer


if __name__ == "__main__":
    main()
