"""Calls of tools, in Python and over MCP, beside the calls of the environment beneath them.

    python benchmarks/tools.py [--rounds N]

The same actions are applied, and all looked at, by ``env.step`` and ``env.peek``, by ``CompilerTools``, and
by the official client of MCP from a server on standard input and output, in turns whose order changes. Each
figure is the least time of a call over the rounds, on average over the calls of a round, since others may use
the machine; medians stand beside them, and the load above.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Final

import anyio
from kit import ROOT, aim, show
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

import optarena
from optarena.tools import CompilerTools

ENVIRONMENT: Final = "llvm-ic-v0"
PROGRAMS: Final = ("kernels-v0/sha256", "programs-v0/qoi")
ACTIONS: Final = (
    "sroa",
    "early-cse",
    "instcombine",
    "simplifycfg",
    "gvn",
    "licm",
    "dse",
    "adce",
    "sccp",
    "dce",
)
TIMES: Final = 1.3
MORE: Final = 2.0
EQUAL: Final = 1.05
WALKS: Final = 5  # Walks for each look at all actions
Times = defaultdict[tuple[str, str], list[float]]
WAYS: Final = ("environment", "tools in Python", "tools over MCP")


async def measured(program: str, rounds: int, folder: Path) -> Times:
    uri = f"benchmark://{program}"
    times: Times = defaultdict(list)
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "optarena", "mcp", "--env", ENVIRONMENT, "--benchmark", uri],
        env={"PYTHONPATH": str(ROOT / "envs")},
        cwd=folder,
    )
    with optarena.make(ENVIRONMENT, benchmark=uri) as env, CompilerTools.make(ENVIRONMENT, uri) as tools:
        cost, names = env.environment.cost, list(env.action_table.names)

        async def call(way: str, name: str, action: str) -> None:
            start = time.perf_counter()
            if way == WAYS[2]:
                await agent.call_tool(name, {"actions": action})
            elif way == WAYS[1]:
                getattr(tools, name)(action)
            elif name == "peek":
                env.peek(range(len(names)), observation_spaces=[cost])
            else:
                env.step(names.index(action), observation_spaces=[cost])
            times[way, f"{name} {action}"].append(1000 * (time.perf_counter() - start))

        async with Client(server) as agent:
            for turn in range(rounds * WALKS):
                env.reset()
                tools.start()
                await agent.call_tool("start", {})
                first = turn % len(WAYS)
                looked = [("peek", "all")] if turn % WALKS == 0 else []
                for name, action in (*(("apply", one) for one in ACTIONS), *looked):
                    for way in (*WAYS[first:], *WAYS[:first]):
                        await call(way, name, action)
    return times


def show_times(times: Times) -> None:
    for name in ("apply", "peek"):
        of_calls = {
            way: [values for (one, call), values in times.items() if one == way and call.startswith(name)]
            for way in WAYS
        }
        least = {way: statistics.fmean(map(min, calls)) for way, calls in of_calls.items()}
        usual = {way: statistics.fmean(map(statistics.median, calls)) for way, calls in of_calls.items()}
        beneath = least["environment"]
        most = {"tools over MCP": TIMES * beneath + MORE, "tools in Python": EQUAL * beneath}
        for way in WAYS:
            wanted = name == "peek" or way != "tools in Python"
            told = aim(least[way], round(most[way], 3)) if way in most and wanted else ""
            show(f"{name}: {way}", least[way], f"median {usual[way]:.3f}; {told}".rstrip("; "))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.2f}, {rounds} rounds")
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            print(program)
            show_times(anyio.run(measured, program, rounds, Path(folder)))


if __name__ == "__main__":
    main()
