"""How long services take from their start as a program until they can be called.

``python benchmarks/service_start.py [--rounds N] [--name llvm]`` prints the median of the service ``optarena
service NAME``, of the same as a script of a few lines, and of the reference: an interpreter that imports grpc
and opens a port. They are started in turns, so that other work on the machine slows down all of them alike;
the ratio to the reference says more than the seconds.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from optarena.specs import environment_spec

ROUNDS: Final = 15
REFERENCE: Final = """
import concurrent.futures, grpc
server = grpc.server(concurrent.futures.ThreadPoolExecutor(8))
server.add_insecure_port("127.0.0.1:0")
server.start()
print("listening", flush=True)
server.wait_for_termination()
"""
SCRIPT: Final = """
from {module} import {name}
from optarena.service.runtime import create_and_run_compiler_gym_service
if __name__ == "__main__":
    create_and_run_compiler_gym_service({name})
"""


def seconds(command: list[str]) -> float:
    """The time until the program has printed its first line; it is then ended."""
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 # our own programs
        line = process.stdout.readline() if process.stdout else ""
        took = time.perf_counter() - started
        process.terminate()
    if not line.startswith("listening"):
        raise SystemExit(f"{command} does not start: {line!r}")
    return took


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--name", default="llvm")
    given = parser.parse_args()
    module, _, name = environment_spec(f"{given.name}-v0").service.partition(":")
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "service.py")
        script.write_text(SCRIPT.format(module=module, name=name))
        commands = {
            "python and grpc, the reference": [sys.executable, "-c", REFERENCE],
            f"optarena service {given.name}": [
                *(sys.executable, "-m", "optarena", "service", given.name, "--port", "0")
            ],
            "a script with this session type": [sys.executable, str(script), "--port", "0"],
        }
        times: dict[str, list[float]] = {label: [] for label in commands}
        for _ in range(given.rounds):
            for label, command in commands.items():
                times[label].append(seconds(command))
    reference = statistics.median(times["python and grpc, the reference"])
    print(f"{'':34}median ms  fastest ms  ratio")
    for label, taken in times.items():
        median = statistics.median(taken)
        print(f"{label:34}{median * 1000:9.0f}  {min(taken) * 1000:10.0f}  {median / reference:5.1f}")


if __name__ == "__main__":
    main()
