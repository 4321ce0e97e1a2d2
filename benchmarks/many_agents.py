"""Measures how many steps agents take together: 1, 2, 4 and 8 of them, with CPU time and memory.

    python benchmarks/many_agents.py [--against CHECKOUT] [--seconds N] [--agents N ...] [--size N]

Each agent is a process with one environment, which walks on the same program, with Autophase and a reward,
and starts a new episode every 100 steps. With another checkout of the project, both take turns. CPU time is
in seconds per 1,000 steps; memory is the share (PSS) of a session's process in megabytes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

AGENT: Final = "--agent"
EPISODE: Final = 100
TURNS: Final = 3


def agent(program: str, seconds: float) -> None:
    """Walk until the time is up; print the numbers."""
    import gymnasium  # noqa: PLC0415 - the other checkout's process imports its own package

    import optarena  # noqa: F401, PLC0415 # registers the environments
    from optarena.datasets import Benchmark  # noqa: PLC0415 - as above
    from optarena.service.client.zygote import close_all  # noqa: PLC0415 - as above

    benchmark = Benchmark.from_bytes("benchmark://peer-v0/walked", Path(program).read_bytes())
    made: Any = gymnasium.make("optarena/llvm-v0", observation_space="Autophase", benchmark=benchmark)
    env = made.unwrapped
    options = {"reward_space": "IrInstructionCount"}
    chance = random.Random(os.getpid())  # noqa: S311 # no secret
    number = len(env.action_table.names)
    for _ in range(4):  # the first episodes are slower
        env.reset(options=options)
    print("ready", flush=True)
    sys.stdin.readline()
    before = _cpu_below()
    begin, steps, client = time.perf_counter(), 0, time.process_time()
    while time.perf_counter() < begin + seconds:
        env.reset(options=options)
        for _ in range(EPISODE):
            env.step(chance.randrange(number))
            steps += 1
    taken, client = time.perf_counter() - begin, time.process_time() - client
    memory = _share(env)
    env.close()
    close_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # the zygote and all its workers
    sessions = used.ru_utime + used.ru_stime - before
    print(json.dumps([steps / taken, steps, client, sessions, memory]), flush=True)


def _cpu_below() -> float:
    """CPU time of the zygote and its workers so far, in seconds."""
    total, todo = 0, [os.getpid()]
    while todo:
        pid = todo.pop()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        todo += map(int, children)
        for child in children:
            fields = Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def _share(env: Any) -> float:  # noqa: ANN401 # of either checkout
    pid = env._episode.session._connection.worker.pid  # noqa: SLF001 # only for this benchmark
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def measured(path: str, program: str, agents: int, seconds: float) -> list[float]:
    """Steps per second of all agents, CPU time of client and sessions, memory of a session."""
    command = [sys.executable, __file__, AGENT, program, str(seconds)]
    processes = [
        subprocess.Popen(  # noqa: S603 # this script
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        for _ in range(agents)
    ]
    streams: list[Any] = [(process.stdin, process.stdout) for process in processes]
    for _, output in streams:
        output.readline()
    for begin, _ in streams:
        begin.write("go\n")
        begin.flush()
    found = [json.loads(output.readline()) for _, output in streams]
    for process in processes:
        process.communicate()
    steps = sum(one[1] for one in found)
    cpu = [1000 * sum(one[index] for one in found) / steps for index in (2, 3)]
    return [sum(one[0] for one in found), *cpu, sum(one[4] for one in found) / agents]


def main() -> None:
    """Measure and print."""
    if sys.argv[1:2] == [AGENT]:
        agent(sys.argv[2], float(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--against", type=Path, help="another checkout of this project")
    parser.add_argument("--seconds", type=float, default=3.0, help="of each turn")
    parser.add_argument("--agents", type=int, nargs="+", default=[1, 2, 4, 8], help="numbers of agents")
    parser.add_argument("--size", type=int, default=242, help="instructions of the program")
    arguments = parser.parse_args()
    from sized_programs import sized_programs  # noqa: PLC0415 - agents do not need it

    checkouts = {"here": str(Path(__file__).parents[1] / "envs")}
    if arguments.against:
        checkouts["there"] = str(arguments.against.absolute() / "envs")
    with tempfile.NamedTemporaryFile(suffix=".bc") as file:
        file.write(next(iter(sized_programs((arguments.size,)).values())))
        file.flush()
        print(f"{os.cpu_count()} cores; load {os.getloadavg()[0]:.1f}")
        for agents in arguments.agents:
            rows: dict[str, list[list[float]]] = {name: [] for name in checkouts}
            for _ in range(TURNS):
                for name, path in checkouts.items():
                    rows[name].append(measured(path, file.name, agents, arguments.seconds))
            for name, turns in rows.items():
                show(agents, name, turns)


def show(agents: int, name: str, turns: list[list[float]]) -> None:
    """Print the medians of some turns."""
    rate, client, sessions, memory = (sorted(column)[len(turns) // 2] for column in zip(*turns, strict=True))
    print(
        f"  {agents} agents {name:6} {rate:8.0f} steps/s; CPU per 1,000 steps: client {client:.2f} s, "
        f"sessions {sessions:.2f} s; {memory:.1f} MB a session",
        flush=True,
    )


if __name__ == "__main__":
    main()
