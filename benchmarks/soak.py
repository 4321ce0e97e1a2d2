"""Thousands of sessions of one service, from several client processes with several threads each.

    python benchmarks/soak.py [--sessions N] [--clients N] [--threads N] [--seed N]

Sessions step, are copied, crash, get invalid calls and are abandoned, at random. At the end the service must
have the same memory, descriptors, processes and files as after a tenth of the sessions, and none after its
own end. Prints a line for each 5 %. The exit code is 1 if anything is left or any answer was wrong.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import running
from running import HERE

NAME = "soak_session:SoakSession"
IDLE_SECONDS = 10
"""After this time the service ends an abandoned session."""
GROWTH_KIB = 8 * 1024
"""Allowed growth of the service after the first tenth: less than 1 KiB per session, the allocator's noise."""
ZYGOTE_GROWTH_KIB = 1024
DESCRIPTORS = 8
"""Allowed difference in the number of descriptors: gRPC opens and closes some of its own."""
STEPS = 20


@dataclass(frozen=True)
class Sample:
    """The resources of a service and its descendants."""

    service_kib: int
    zygote_kib: int
    descriptors: int
    threads: int
    processes: int
    files: int

    def __str__(self) -> str:
        return (
            f"service {self.service_kib / 1024:6.1f} MiB, zygote {self.zygote_kib / 1024:5.1f} MiB, "
            f"{self.descriptors:4} descriptors, {self.threads:3} threads, {self.processes:3} processes, "
            f"{self.files:3} files"
        )


class Soak:
    """The service under observation."""

    def __init__(self, pid: int, folder: Path) -> None:
        self.pid = pid
        self.folder = folder
        self.zygote = min(running.descendants(pid))

    def sample(self) -> Sample:
        """Its present resources."""
        service, zygote = (running.memory_kib([pid], "Rss") for pid in (self.pid, self.zygote))
        return Sample(
            service_kib=sum(service),
            zygote_kib=sum(zygote),
            descriptors=running.descriptors(self.pid) + running.descriptors(self.zygote),
            threads=running.threads(self.pid),
            processes=len(running.descendants(self.pid)),
            files=running.files_below(self.folder),
        )

    def settled(self, processes: int) -> Sample:
        """Its resources once at most ``processes`` processes are left, or after a time limit."""
        running.wait_until(lambda: len(running.descendants(self.pid)) <= processes, IDLE_SECONDS * 3)
        time.sleep(1)
        return self.sample()


class Clients:
    """The client processes, and their progress."""

    def __init__(self, endpoint: str, arguments: argparse.Namespace, sessions: int, seed: int) -> None:
        share = -(-sessions // arguments.clients)
        self.begun = [0] * arguments.clients
        self.met: Counter[str] = Counter()
        self.problems: list[str] = []
        self._processes = [
            subprocess.Popen(  # noqa: S603 - ours
                [sys.executable, str(HERE / "soak_client.py"), endpoint]
                + [str(number) for number in (share, arguments.threads, seed + index)],
                stdout=subprocess.PIPE,
                text=True,
            )
            for index in range(arguments.clients)
        ]
        self._readers = [
            threading.Thread(target=self._read, args=(index, process.stdout), daemon=True)
            for index, process in enumerate(self._processes)
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, index: int, lines: IO[str]) -> None:
        for line in lines:
            if line.startswith("{"):
                answer = json.loads(line)
                self.met.update(answer["met"])
                self.problems += answer["problems"]
            else:
                self.begun[index] = int(line)

    def running(self) -> bool:
        """Whether one of them still runs."""
        return any(process.poll() is None for process in self._processes)

    def finish(self) -> None:
        """Wait for all of them."""
        for process, reader in zip(self._processes, self._readers, strict=True):
            if process.wait() != 0:
                self.problems.append(f"a client ended with {process.returncode}")
            reader.join()


def soak(clients: Clients, watched: Soak, sessions: int) -> None:
    """Watch the clients, and print a line now and then."""
    begin, shown = time.monotonic(), 0
    while clients.running():
        time.sleep(0.2)
        part = min(sum(clients.begun) * STEPS // sessions, STEPS)
        if part > shown:
            shown = part
            seconds = time.monotonic() - begin
            print(f"{part * 100 // STEPS:4} % {seconds:6.0f} s  {watched.sample()}", flush=True)
    clients.finish()


def problems_of(before: Sample, after: Sample) -> list[str]:
    """The resources of a service that have grown."""
    found = {
        "the service's memory grew by KiB": (after.service_kib - before.service_kib, GROWTH_KIB),
        "the zygote's memory grew by KiB": (after.zygote_kib - before.zygote_kib, ZYGOTE_GROWTH_KIB),
        "descriptors left": (after.descriptors - before.descriptors, DESCRIPTORS),
        "processes left": (after.processes - before.processes, 0),
        "files left": (after.files - before.files, 0),
    }
    return [f"{what}: {value}" for what, (value, most) in found.items() if value > most]


def run(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Run the soak; returns the problems."""
    options = ("--max-sessions", "2000", "--idle-seconds", str(IDLE_SECONDS))
    with running.service(NAME, *options, OPTARENA_TRANSIENT_CACHE=str(folder)) as (endpoint, process):
        watched = Soak(process.pid, folder)
        quiet = len(running.descendants(process.pid))
        problems: list[str] = []
        met: Counter[str] = Counter()
        samples = [watched.sample()]
        tenth = arguments.sessions // 10
        for sessions, seed in ((tenth, arguments.seed), (arguments.sessions - tenth, arguments.seed + 500)):
            print(f"{sessions} sessions", flush=True)
            clients = Clients(endpoint, arguments, sessions, seed)
            soak(clients, watched, sessions)
            samples.append(watched.settled(quiet))
            problems += clients.problems
            met += clients.met
        left = running.descendants(process.pid)
    for name, sample in zip(("at the start", "after 10 %", "at the end"), samples, strict=True):
        print(f"{name:13} {sample}")
    print(", ".join(f"{number} {what}" for what, number in sorted(met.items())))
    problems += problems_of(samples[1], samples[2])
    if not running.wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in left)):
        problems.append("the service has ended, but some of its processes still run")
    files = [str(path) for path in folder.rglob("*") if path.is_file() and path.stat().st_size]
    return problems + [f"left behind: {path}" for path in files]


def main() -> None:
    """Soak, and print whether the service passed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--clients", type=int, default=4, help="client processes")
    parser.add_argument("--threads", type=int, default=8, help="threads of each client")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="optarena-soak-") as folder:
        problems = run(arguments, Path(folder))
    for problem in problems[:20]:
        print(f"PROBLEM: {problem}")
    print(f"{'failed' if problems else 'passed'} after {time.monotonic() - begin:.0f} s")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
