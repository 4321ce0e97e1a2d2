"""One side of ``peer_llvm.py`` and ``agent_loop.py``: times one environment, ours or CompilerGym's.

It reads an order, a line of JSON, for each measurement and answers with the samples. It runs under the
interpreter that has the package which it measures, so it imports nothing else of this project.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

COUNT = "IrInstructionCount"
MEM2REG = "mem2reg"
_STEPS = 10  # of a short episode
_REST = 3.0  # seconds


class Ours:
    def __init__(self, program: str) -> None:  # noqa: ARG002 # as the other
        import optarena  # noqa: PLC0415 # only this side has it
        from optarena.datasets import Benchmark  # noqa: PLC0415 # as above

        self._benchmark = Benchmark
        self.env: Any = optarena.make("llvm-v0", observation_space="Autophase")
        self.mem2reg: int = self.env.action_table.names.index(MEM2REG)

    def use(self, path: str, reward: str | None) -> Callable[[], object]:
        with open(path, "rb") as file:  # noqa: PTH123 # the same on both sides
            data = file.read()
        options = {
            "benchmark": self._benchmark.from_bytes(f"benchmark://peer-v0/{os.path.basename(path)}", data),  # noqa: PTH119 # as above
            "reward_space": reward,
        }
        return lambda: self.env.reset(options=options)

    def action(self, name: str) -> int | None:
        names = self.env.action_table.names
        return names.index(name) if name in names else None

    def count_after(self, action: int) -> object:
        return self.env.step(action, observation_spaces=[COUNT], reward_spaces=[])

    def look_at(self, actions: list[int]) -> object:
        return self.env.peek(actions)


class CompilerGym:
    def __init__(self, program: str) -> None:
        import compiler_gym  # type: ignore[import-not-found] # noqa: PLC0415 # only this side has it

        # Its default program has to be downloaded.
        first = f"file:///{program}"
        self.env: Any = compiler_gym.make("llvm-v0", observation_space="Autophase", benchmark=first)
        self.mem2reg: int = self.env.action_space.flags.index(f"-{MEM2REG}")

    def use(self, path: str, reward: str | None) -> Callable[[], object]:
        self.env.reward_space = reward

        def reset() -> object:
            return self.env.reset(benchmark=f"file:///{path}")

        return reset

    def action(self, name: str) -> int | None:
        flags = self.env.action_space.flags
        return flags.index(f"-{name}") if f"-{name}" in flags else None

    def count_after(self, action: int) -> object:
        return self.env.step(action, observation_spaces=[COUNT], reward_spaces=[])

    def look_at(self, actions: list[int]) -> object:  # in a copy of the episode for each
        seen = []
        for action in actions:
            copy = self.env.fork()
            seen.append(copy.step(action))
            copy.close()
        return seen


def main() -> None:
    kind: Any = {"ours": Ours, "compiler_gym": CompilerGym}[sys.argv[1]]
    side: Any = None
    for line in sys.stdin:
        order = json.loads(line)
        side = side or kind(order["program"])
        begin = _cpu()
        samples = MEASURES[order["measure"]](side, order)
        answer = {"samples": samples, "cpu": _cpu() - begin}
        print(json.dumps(answer), flush=True)
    side.env.close()


def known(side: Any, order: dict[str, Any]) -> list[str]:  # noqa: ANN401 # either side
    return [name for name in order["walk"] if side.action(name) is not None]


def first(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    reset, taken = side.use(order["program"], None), []
    for _ in range(order["repeats"]):
        reset()
        taken.append(_timed(lambda: side.count_after(side.mem2reg)))
        _play(side)
    return taken


def idle(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # Steps of a pass without effect.
    side.use(order["program"], COUNT)()
    for _ in range(3):
        side.env.step(side.mem2reg)
    return [_timed(lambda: side.env.step(side.mem2reg)) for _ in range(10 * order["repeats"])]


def walk(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # Scaled to 200 steps.
    reset, taken = side.use(order["program"], COUNT), []
    actions = [number for name in order["walk"] if (number := side.action(name)) is not None]
    for _ in range(order["repeats"]):
        reset()
        taken.append(_timed(lambda: [side.env.step(action) for action in actions]) * 200 / len(actions))
    return taken


def seen(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    reset, taken = side.use(order["program"], f"{COUNT}Oz"), []
    for number in range(order["repeats"] + 3):
        time_taken = _timed(reset)
        _play(side)
        if number > 2:  # noqa: PLR2004 # the first ones are not yet of a program that was seen
            taken.append(time_taken)
    return taken


def unseen(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    return [_timed(side.use(path, f"{COUNT}Oz")) for path in order["programs"]]


def fork(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # Copies are ended untimed.
    side.use(order["program"], None)()
    side.env.step(side.mem2reg)
    taken = []
    for _ in range(order["repeats"]):
        copies: list[Any] = []
        taken.append(_timed(lambda: copies.append(side.env.fork())))  # noqa: B023 # called at once
        copies[0].close()
    return taken


def peek(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    side.use(order["program"], COUNT)()
    side.env.step(side.mem2reg)
    actions = [number for name in order["known"] if (number := side.action(name)) is not None]
    return [_timed(lambda: side.look_at(actions)) for _ in range(order["repeats"])]


def episodes(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # Whole episodes, with their resets; all go on with the walk where the one before has stopped.
    reset, taken = side.use(order["program"], f"{COUNT}Oz"), []
    actions = [number for name in order["walk"] if (number := side.action(name)) is not None]
    for episode in range(order["repeats"]):
        first = episode * order["length"]
        chosen = [actions[(first + place) % len(actions)] for place in range(order["length"])]
        taken.append(_timed(lambda: (reset(), [side.env.step(action) for action in chosen])))  # noqa: B023 # called at once
    return taken


def apart(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # The single steps of such episodes; a reset belongs to the step after which it comes.
    reset, taken = side.use(order["program"], f"{COUNT}Oz"), []
    actions = [number for name in order["walk"] if (number := side.action(name)) is not None]
    reset()
    for place in range(order["length"] * order["repeats"]):
        action, is_last = actions[place % len(actions)], (place + 1) % order["length"] == 0
        taken.append(_timed(lambda: (side.env.step(action), is_last and reset())))  # noqa: B023 # called at once
    return taken


def again(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # Resets in a row.
    reset = side.use(order["program"], f"{COUNT}Oz")
    return [_timed(reset) for _ in range(order["repeats"])]


def straight(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # Steps right after a reset that came right after another one.
    reset, taken = side.use(order["program"], f"{COUNT}Oz"), []
    for _ in range(order["repeats"]):
        reset()
        reset()
        taken.append(_timed(lambda: side.env.step(side.mem2reg)))
    return taken


def vector(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # The same episodes in several environments that step at once; none where there is no such thing.
    import functools  # noqa: PLC0415 # only one side needs them

    optarena: Any = sys.modules.get("optarena")
    if not hasattr(optarena, "make_vec"):
        return []
    from optarena.wrappers import TimeLimit  # noqa: PLC0415 # as above

    side.use(order["program"], f"{COUNT}Oz")()
    limit = functools.partial(TimeLimit, max_episode_steps=order["length"])
    kept = {"observation_space": "Autophase", "reward_space": f"{COUNT}Oz", "benchmark": side.env.benchmark}
    envs = optarena.make_vec("llvm-v0", order["members"], wrappers=[limit], autoreset_mode="SameStep", **kept)
    actions = [number for name in order["walk"] if (number := side.action(name)) is not None]
    envs.reset()

    def play() -> None:
        for place in range(order["length"] * order["repeats"]):
            envs.step([actions[place % len(actions)]] * order["members"])

    play()  # the first episodes are slower, and the other environments have had theirs
    taken = _timed(play)
    envs.close()
    return [taken]


def memory(side: Any, order: dict[str, Any]) -> list[float]:  # noqa: ANN401 # either side
    # MiB of each further environment after some episodes and a rest; what processes share, each has in part.
    episodes(side, {**order, "repeats": 3})
    time.sleep(_REST)
    before, further = _proportional(os.getpid()), []
    for _ in range(order["repeats"]):
        further.append(type(side)(order["program"]))
        episodes(further[-1], {**order, "repeats": 3})
    time.sleep(_REST)
    taken = _proportional(os.getpid()) - before
    for one in further:
        one.env.close()
    return [taken / order["repeats"]]


def _proportional(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # noqa: PTH123 # as above
            kibibytes = sum(int(line.split()[1]) for line in file if line.startswith(b"Pss:"))
    except OSError:  # it has ended
        return 0.0
    return kibibytes / 1024 + sum(map(_proportional, _children(pid)))


def _play(side: Any) -> None:  # noqa: ANN401 # either side
    for _ in range(_STEPS):
        side.env.step(side.mem2reg)


def _timed(function: Callable[[], object]) -> float:
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1000


def _cpu() -> float:
    # Of this process and all below it, those that have ended included.
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds, waiting = usage.ru_utime + usage.ru_stime, _children(os.getpid())
    while waiting:
        pid = waiting.pop()
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 # pathlib is slow
                numbers = file.read().rpartition(b")")[2].split()
        except OSError:  # its parent has counted it
            continue
        seconds += sum(map(int, numbers[11:15])) / os.sysconf("SC_CLK_TCK")
        waiting += _children(pid)
    return seconds


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 # as above
            with open(f"/proc/{pid}/task/{task}/children", "rb") as file:  # noqa: PTH123 # as above
                found += map(int, file.read().split())
    except OSError:  # it has ended
        pass
    return found


MEASURES: dict[str, Any] = {
    "known": known,
    "first": first,
    "idle": idle,
    "walk": walk,
    "seen": seen,
    "unseen": unseen,
    "fork": fork,
    "peek": peek,
    "episodes": episodes,
    "apart": apart,
    "again": again,
    "straight": straight,
    "vector": vector,
    "memory": memory,
}

if __name__ == "__main__":
    main()
