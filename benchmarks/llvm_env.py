"""Measures the LLVM environment beside the bare engine, in one run.

    python benchmarks/llvm_env.py [--repeats N] [--walk N] [--only PART] [--sizes N ...]

The bare engine runs the same passes on the same program in the same state, in this process, in turns with
the environment. Medians are in milliseconds; on a busy machine, only figures taken in turns can be compared.
``peer_llvm.py`` compares with another checkout and with CompilerGym.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import socket
import statistics
import struct
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import gymnasium
from measuring import aim, medians, milliseconds, show
from sized_programs import SIZES, sized_programs

import optarena  # noqa: F401 # registers the environments
from optarena.datasets import Benchmark
from optarena.llvm.actions import CURATED
from optarena.llvm.module import Module
from optarena.llvm.session import LlvmSession
from optarena.machine_code.libllvm import library
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TYPE: Final = "optarena.llvm.session:LlvmSession"
SPACES: Final = {space.name: index for index, space in enumerate(LlvmSession.observation_spaces)}
COUNT: Final = "IrInstructionCount"
OVERHEAD_MS: Final = 0.15
RESET_MS: Final = 30.0
FORK_MS: Final = 6.0
FEATURES_MS: Final = 0.6
WALK: Final = 200
"""Steps to which the time of a random walk is scaled."""
LONG_MS: Final = 400.0
"""Actions that take longer are left out of the walks: their time is LLVM's, not the environment's."""

_fresh: Final = itertools.count()


class Program:
    """A program of one of the sizes.

    Attributes:
        data: The program's bitcode.
        instructions: The number of instructions.
    """

    def __init__(self, data: bytes, instructions: int) -> None:
        self.data = data
        self.instructions = instructions

    def benchmark(self) -> Benchmark:
        """The program under a new name, with other bytes, and without a recorded result of -Oz."""
        name = f"{self.instructions}-{os.getpid()}-{next(_fresh)}"
        with Module.parse(self.data) as module:
            library().SetSourceFileName(module.handle, name.encode(), len(name))
            return Benchmark.from_bytes(f"benchmark://speed-v0/{name}", module.bitcode())

    def recorded(self, oz: int) -> Benchmark:
        """The program with a recorded result of -Oz, like the programs of datasets."""
        baselines = {"ir_instructions": {"O0": self.instructions, "Oz": oz}}
        return Benchmark.from_bytes(self.benchmark().uri, self.data, baselines=baselines)

    def message(self) -> pb.Benchmark:
        """The program as a message for a connection."""
        return pb.Benchmark(uri=self.benchmark().uri, program=pb.File(contents=self.data))


class Session:
    """A session over the local transport."""

    def __init__(self, program: Program) -> None:
        self.connection = ManagedConnection.open(TYPE)
        start = pb.StartSessionRequest(benchmark=program.message())
        self.identifier = self.connection.start_session(start).session_id

    def step(self, *actions: int, observe: str | None = COUNT) -> pb.StepReply:
        """One call of Step."""
        request = pb.StepRequest(
            session_id=self.identifier,
            action=[pb.Event(int64_value=action) for action in actions],
            observation_space=[SPACES[observe]] if observe else [],
        )
        return self.connection.step(request)


@contextmanager
def session(program: Program) -> Iterator[Session]:
    """A session, ended afterwards."""
    made = Session(program)
    try:
        yield made
    finally:
        made.connection.close()


@contextmanager
def environment(program: Program, reward: str | None = None) -> Iterator[Any]:
    """An environment of the program, reset."""
    env = gymnasium.make("optarena/llvm-v0", reward_space=reward).unwrapped
    try:
        env.reset(options={"benchmark": program.benchmark()})
        yield env
    finally:
        env.close()


def walk_of(program: Program, length: int) -> list[int]:
    """Random actions, without those that are very slow in LLVM on this program."""
    actions: list[int] = []
    chance = random.Random(1)  # noqa: S311 # the same walk each time
    with Module.parse(program.data) as module:
        while len(actions) < length:
            action = chance.randrange(len(CURATED))
            if milliseconds(lambda: module.run(CURATED.action(action).pipeline)) < LONG_MS:  # noqa: B023 # called at once
                actions.append(action)
    return actions


@contextmanager
def bare_engine(program: Program) -> Iterator[Callable[[int], float]]:
    """The passes alone, in a process as fresh as a session's: a call runs one pass and returns its time."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        with Module.parse(program.data) as module:
            while data := theirs.recv(8):
                pipeline = CURATED.action(int.from_bytes(data)).pipeline
                taken = milliseconds(lambda: module.run(pipeline))  # noqa: B023 # called at once
                theirs.sendall(struct.pack("d", taken))
        os._exit(0)
    theirs.close()

    def run(action: int) -> float:
        ours.sendall(action.to_bytes(8))
        return float(struct.unpack("d", ours.recv(8))[0])

    yield run
    ours.close()
    os.waitpid(pid, 0)


def overhead(program: Program, repeats: int, walk: int) -> None:
    """The time of a step beyond that of its pass, in every state of a random walk."""
    del repeats
    differences, passes = [], []
    with bare_engine(program) as bare, session(program) as carried:
        for action in walk_of(program, walk):
            passes.append(bare(action))
            differences.append(milliseconds(lambda: carried.step(action)) - passes[-1])  # noqa: B023 # called at once
    show("bare pass, random walk", statistics.median(passes))
    quarter = statistics.quantiles(differences, n=4)[0]
    median = statistics.median(differences)
    show("  step beyond it: median", median, f"lower quarter {quarter:.3f} ms; {aim(median, OVERHEAD_MS)}")


def steps(program: Program, repeats: int, walk: int) -> None:
    """Single passes on the original program, in a fresh session each time."""
    del walk
    for name in ("mem2reg", "instcombine", "gvn"):
        action, times, bare = CURATED.index(name), [], []
        for _ in range(repeats):
            with session(program) as fresh, Module.parse(program.data) as module:
                bare.append(milliseconds(lambda: module.run(CURATED.action(action).pipeline)))  # noqa: B023 # called at once
                times.append(milliseconds(lambda: fresh.step(action)))  # noqa: B023 # called at once
        show(
            f"Step {name}, instruction count",
            statistics.median(times),
            f"bare {statistics.median(bare):.3f} ms",
        )
    with session(program) as live:
        show("Step, no action, instruction count", medians({"": live.step}, 20 * repeats)[""])


def observations(program: Program, repeats: int, walk: int) -> None:
    """Observations of the original program, the cheap ones each beside a step without one."""
    del walk
    with session(program) as live:
        for name in ("Autophase", "InstCount"):
            calls = {"": lambda: live.step(observe=name), "nothing": lambda: live.step(observe=None)}  # noqa: B023 # called at once
            found = medians(calls, 10 * repeats)
            alone = found[""] - found["nothing"]
            remark = f"alone {alone:.3f} ms, {aim(alone, FEATURES_MS)}"
            show(f"Step, no action, {name}", found[""], remark)
        name = "ObjectTextSizeBytes"
        median = statistics.median(milliseconds(lambda: live.step(observe=name)) for _ in range(3))
        show(f"Step, no action, {name}", median)


def resets(program: Program, repeats: int, walk: int) -> None:
    """A new program, with and without the reward that needs -Oz."""
    del walk
    parse = medians({"": lambda: Module.parse(program.data).close()}, repeats)[""]
    with environment(program) as env:
        for title, reward in (("no reward", None), ("reward in instructions", COUNT)):
            options = {"reward_space": reward}

            unseen = iter([program.benchmark() for _ in range(2 * repeats)])

            def reset(options: dict[str, Any] = options, unseen: Iterator[Benchmark] = unseen) -> None:
                env.reset(options={**options, "benchmark": next(unseen)})

            median = medians({"": reset}, repeats)[""]
            remark = f"parse {parse:.2f} ms; {aim(median - parse, RESET_MS, 'beyond it, ')}"
            show(f"env.reset, unseen program, {title}", median, remark)
        env.reset(options={"reward_space": f"{COUNT}Oz", "benchmark": program.benchmark()})
        unseen_too = program.benchmark()
        taken = milliseconds(lambda: env.reset(options={"benchmark": unseen_too}))
        show("  with a reward for which -Oz is run", taken)
        for _ in range(3):
            env.reset()
        show("env.reset, program seen before, the same reward", medians({"": env.reset}, repeats)[""])


def forks(program: Program, repeats: int, walk: int) -> None:
    """A copy of a running episode; ended untimed."""
    del walk
    with environment(program) as env:
        env.step(CURATED.index("mem2reg"))

        def fork() -> float:
            copies: list[Any] = []
            taken = milliseconds(lambda: copies.append(env.fork()))
            copies[0].close()
            return taken

        fork()
        median = statistics.median(fork() for _ in range(repeats))
    show("env.fork", median, aim(median, FORK_MS))


def environments(program: Program, repeats: int, walk: int) -> None:
    """Steps of the environment itself, with Autophase and the reward relative to a recorded -Oz."""
    mem2reg, times = CURATED.index("mem2reg"), []
    with environment(program, f"{COUNT}Oz") as env:
        recorded = program.recorded(env.observation[f"{COUNT}Oz"])
        for _ in range(repeats):
            env.reset(options={"benchmark": recorded})
            times.append(milliseconds(lambda: env.step(mem2reg)))
        show("env.step mem2reg, Autophase, Oz reward", statistics.median(times))
        actions = walk_of(program, walk)
        env.reset(options={"benchmark": recorded})
        with bare_engine(program) as bare:
            alone = sum(bare(action) for action in actions) * WALK / walk
        total = milliseconds(lambda: [env.step(action) for action in actions]) * WALK / walk
    show("random walk of 200 env.steps", total, f"bare passes {alone:.0f} ms")


PARTS: Final[dict[str, Callable[[Program, int, int], None]]] = {
    "overhead": overhead,
    "steps": steps,
    "observations": observations,
    "resets": resets,
    "forks": forks,
    "environments": environments,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=11, help="repeats of each measurement")
    parser.add_argument("--walk", type=int, default=200, help="actions of a random walk")
    parser.add_argument("--only", choices=list(PARTS), help="run only this part")
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="run only these sizes")
    arguments = parser.parse_args()
    chosen = tuple(size for size in SIZES if size in arguments.sizes)
    LlvmSession.preload()
    LlvmSession.finish_preloading()
    begin = milliseconds(lambda: gymnasium.make("optarena/llvm-v0").close())
    show("first make() of a process, which starts the zygote", begin)
    for instructions, data in sized_programs(chosen).items():
        print(f"{instructions} instructions")
        for name, part in PARTS.items():
            if arguments.only in (None, name):
                part(Program(data, instructions), arguments.repeats, arguments.walk)


if __name__ == "__main__":
    main()
