"""Services in processes of their own, and the resources of these: for ``service.py`` and ``soak.py``."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from optarena.datasets import datasets
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).resolve().parent
EMPTY = "empty_session:EmptySession"
LLVM = "llvm"
_END_SECONDS = 30.0


def program(uri: str = "benchmark://kernels-v0/sha256") -> pb.Benchmark:
    """A program of kernels-v0."""
    benchmark = datasets().benchmark(uri)
    return pb.Benchmark(uri=uri, program=pb.File(contents=benchmark.program()))


NOTHING = pb.Benchmark(uri="benchmark://none-v0/none", program=pb.File(contents=b"none"))
"""The program of empty sessions."""


@contextmanager
def service(name: str, *options: str, **variables: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """``optarena service NAME`` on a Unix socket: its endpoint and its process; ended by SIGTERM.

    Args:
        name: An environment or a session type.
        options: Further options.
        variables: Further environment variables.
    """
    folder = Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    command = [str(Path(sys.executable).with_name("optarena")), "service", name]
    errors = folder / "errors.txt"
    with errors.open("w") as stderr:
        process = subprocess.Popen(  # noqa: S603 - ours
            [*command, "--unix", str(folder / "socket"), *options],
            stdout=subprocess.PIPE,
            stderr=stderr,  # crashes are logged there
            text=True,
            env={**os.environ, "PYTHONPATH": str(HERE), **variables},
        )
    try:
        assert process.stdout is not None  # noqa: S101 - for the type checker
        line = process.stdout.readline()
        if not line.startswith("listening on "):
            raise SystemExit(f"The service {name} did not start: {errors.read_text()}")
        yield line.split()[-1], process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def descendants(pid: int) -> dict[int, str]:
    """The descendants of a process, by id: the first words of their command lines."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            stat = _read(entry / "stat")
            if stat:
                parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found = {pid}
    while True:
        more = {child for child, parent in parents.items() if parent in found} - found
        if not more:
            return {child: _read(Path(f"/proc/{child}/comm")).strip() for child in found - {pid}}
        found |= more


def _tasks(pid: int) -> list[Path]:
    try:
        return list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def memory_kib(pids: Sequence[int], kind: str = "Pss") -> list[int]:
    """The memory of processes: ``Pss`` counts 1/n of a page that n processes share."""
    rolled = [_read(Path(f"/proc/{pid}/smaps_rollup")).splitlines() for pid in pids]
    return [int(line.split()[1]) for lines in rolled for line in lines if line.startswith(f"{kind}:")]


def descriptors(pid: int) -> int:
    """How many open descriptors a process has."""
    try:
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:
        return 0


def threads(pid: int) -> int:
    """How many threads a process has."""
    return len(_tasks(pid))


def files_below(folder: Path) -> int:
    """How many files and folders there are; this may change meanwhile."""
    return sum(len(folders) + len(files) for _, folders, files in os.walk(folder))


def wait_until(condition: object, seconds: float = 10.0) -> bool:
    """Wait until a callable returns true."""
    assert callable(condition)  # noqa: S101 - for the type checker
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
