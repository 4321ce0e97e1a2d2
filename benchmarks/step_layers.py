"""Measures where the time of a step goes: the same walk of 200 passes by one layer more each time.

    python benchmarks/step_layers.py [--sizes N ...] [--repeats N]

The layers are: the passes alone; the fingerprint after each, which tells whether it had an effect; Autophase;
the session's own code (checks, limits, frames, its end of the exchange); all of ``env.step()``, whose rest is
the client, the exchange, and that both processes run with colder caches. Of each step the shortest time of
all repeats counts, so that other processes disturb little. The mean over the steps is printed. At last
observations of the program as given are read by themselves: the shortest time, and its ratio to Autophase's.
"""

from __future__ import annotations

import argparse
import os
import random
import socket
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kit import SIZES, milliseconds, sized_programs

from optarena.datasets import Benchmark
from optarena.llvm import features
from optarena.llvm.actions import CURATED
from optarena.llvm.features import Fingerprints
from optarena.llvm.module import Module
from optarena.llvm.session import LlvmSession
from optarena.service.processes.supervision import SharedProgress, progress_file
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol import frames
from optarena.service.protocol.frames import PlainStep
from optarena.service.session import PlainCalls

STEPS = 200
OBSERVED = ("Autophase", "IrInstructionCount")
READ = (OBSERVED[0], "InstCount", "Ir2vec", "Ir2vecFunctions", "FunctionProperties")
READINGS = 100
SESSION = 1


def in_the_engine(data: bytes, actions: Sequence[int]) -> dict[str, list[float]]:
    taken: dict[str, list[float]] = {"passes": [], "fingerprint": [], "features": []}
    fingerprints = Fingerprints()
    with Module.parse(data) as module:
        states = [fingerprints.take(module)]
        for action in actions:
            pipeline = CURATED.action(action).pipeline
            taken["passes"].append(milliseconds(lambda: module.run(pipeline)))  # noqa: B023 # called at once
            taken["fingerprint"].append(milliseconds(lambda: states.append(fingerprints.take(module))))
            computing = milliseconds(lambda: features.numbers(module, "Autophase"))
            taken["features"].append(computing if states[-1] != states[-2] else 0.0)  # as a session does
    fingerprints.close()
    return taken


def in_the_session(data: bytes, actions: Sequence[int], folder: Path) -> list[float]:
    program = pb.Benchmark(uri="benchmark://peer-v0/walked", program=pb.File(contents=data))
    session = LlvmSession(folder, LlvmSession.action_spaces[0], program)
    names = [space.name for space in LlvmSession.observation_spaces]
    observed = [names.index(name) for name in OBSERVED]
    with progress_file() as file:
        progress = SharedProgress(file.fileno())
        taken = [answer_time(session, PlainStep(SESSION, [one], observed), progress) for one in actions]
    session.close()
    return taken


def answer_time(session: LlvmSession, step: PlainStep, progress: SharedProgress) -> float:
    # Until a session has answered a step and seen that no other one follows.
    client, here = socket.socketpair()
    with client, here:
        frames.send(client, step.packed(1, 10_000, 0))
        client.shutdown(socket.SHUT_WR)
        calls = PlainCalls(here.fileno(), SESSION, None, progress.address)
        return milliseconds(lambda: session.answer_steps(calls))


def in_the_environment(env: Any, actions: Sequence[int]) -> list[float]:  # noqa: ANN401 # gymnasium's environments
    env.reset()
    return [milliseconds(lambda: env.step(action)) for action in actions]  # noqa: B023 # called at once


def of_observations(env: Any) -> dict[str, float]:  # noqa: ANN401 # as above
    env.reset()
    return {
        name: 1000 * min(milliseconds(lambda: env.observation[name]) for _ in range(READINGS))  # noqa: B023 # as above
        for name in READ
    }


def measure(data: bytes, repeats: int, actions: Sequence[int]) -> tuple[dict[str, float], dict[str, float]]:
    import gymnasium  # noqa: PLC0415 # as users do, after the package

    least: dict[str, list[float]] = {}
    benchmark = Benchmark.from_bytes("benchmark://peer-v0/walked", data)
    made: Any = gymnasium.make(
        "optarena/llvm-v0", benchmark=benchmark, observation_space=OBSERVED[0], reward_space=OBSERVED[1]
    )
    with tempfile.TemporaryDirectory() as folder, made:
        for _ in range(4):  # the first episodes are slower
            made.unwrapped.reset()
        for _ in range(repeats):
            found = in_the_engine(data, actions)
            found["session"] = in_the_session(data, actions, Path(folder))
            found["env.step()"] = in_the_environment(made.unwrapped, actions)
            for name, taken in found.items():
                least[name] = list(map(min, taken, least.get(name, taken)))
        read = of_observations(made.unwrapped)
    means = {name: statistics.fmean(taken) * 1000 for name, taken in least.items()}
    session, whole = means.pop("session"), means.pop("env.step()")
    rest = {"session's code": session - sum(means.values()), "client, exchange, caches": whole - session}
    return {**means, **rest, "env.step()": whole}, read


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="run only these sizes")
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    LlvmSession.preload()
    LlvmSession.finish_preloading()
    chance = random.Random(1)  # noqa: S311 # the same walk each time
    for instructions, data in sized_programs(tuple(arguments.sizes)).items():
        print(f"{instructions} instructions; load {os.getloadavg()[0]:.1f}", flush=True)
        actions = [chance.randrange(len(CURATED)) for _ in range(STEPS)]
        layers, read = measure(data, arguments.repeats, actions)
        for name, taken in layers.items():
            print(f"    {name:24} {taken:8.1f} us", flush=True)
        for name, taken in read.items():
            print(f"    reads {name:18} {taken:8.1f} us, {taken / read[READ[0]]:.2f} x {READ[0]}", flush=True)


if __name__ == "__main__":
    main()
