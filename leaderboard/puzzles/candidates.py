"""Makes a generated program and searches it for a moment: a process of its own.

A compiler that crashes must not take the sweeper with it, and is not given the server's secrets. Run as
``python -P candidates.py``; a JSON object on the standard input names an environment, a metric, and either
a program to make with a number of evaluations, or the bytes of one. A JSON object is printed.
"""

from __future__ import annotations

import base64
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from optarena.service.processes.folders import importing_environment

# A program is taken that a search of so many evaluations makes so many times better than its par. Of larger
# ones each look at a state would take seconds; there is also less to find.
EVALUATIONS: Final = 300
LEAST_GAIN: Final = 1.03
MOST_BYTES: Final = 7_000
# A search of some hundred evaluations takes a few seconds, and the sweeper waits for it.
_SECONDS: Final = 20.0
_AGENT: Final = "local"
_SAID: Final = 500


class CandidateFailed(Exception):
    """The program could not be made or searched; the message has the end of what the process said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleCandidate:
    # `about` has what a manifest says of the program, as JSON data, and in `measured` the digest of the
    # environment and the metric of `levels`; `best` is the least value that was found.
    program: bytes
    about: dict[str, Any]
    levels: dict[str, float]
    best: float


def try_program(
    *, environment: str, metric: str, uri: str, evaluations: int = EVALUATIONS
) -> PuzzleCandidate | None:
    """What the search finds, and what the program is; None if that is too large."""
    answer = _ask({"environment": environment, "metric": metric, "uri": uri, "evaluations": evaluations})
    return PuzzleCandidate(**{**answer, "program": base64.b64decode(answer["program"])}) if answer else None


def measure_levels(*, environment: str, metric: str, program: bytes) -> dict[str, float]:
    """What levels leave of a program that was made before."""
    asked = {"environment": environment, "metric": metric, "program": base64.b64encode(program).decode()}
    levels: dict[str, float] = _ask(asked)
    return levels


def _ask(asked: dict[str, Any]) -> Any:  # noqa: ANN401 # JSON data
    try:
        done = folders.run(
            [sys.executable, "-P", str(Path(__file__).resolve())],
            seconds=_SECONDS,
            given=json.dumps(asked),
            environment=importing_environment(PLUGINS_VARIABLE, memory.VARIABLE),
            directory="/",
            starts_others=True,
        )
        return json.loads(done.printed)
    except OSError as error:
        raise CandidateFailed(str(error)) from error
    except ValueError as error:  # it printed no answer
        raise CandidateFailed(done.said[-_SAID:] or f"It ended with code {done.code}.") from error


def _answer(asked: dict[str, Any]) -> dict[str, Any] | None:
    # Only the process itself needs them.
    from optarena.agents import Budget, Evaluator  # noqa: PLC0415
    from optarena.agents.catalogue import agent_named, sources_of  # noqa: PLC0415
    from optarena.agents.searching import generator  # noqa: PLC0415
    from optarena.datasets import datasets  # noqa: PLC0415
    from optarena.env import CompilerEnv  # noqa: PLC0415
    from optarena.specs import environment_spec  # noqa: PLC0415
    from optarena.specs.benchmark import Benchmark  # noqa: PLC0415
    from optarena.specs.rewards import UNOPTIMISED  # noqa: PLC0415

    spec = environment_spec(asked["environment"])
    if is_made := "program" in asked:
        program = Benchmark.from_bytes("benchmark://puzzle-v0/program", base64.b64decode(asked["program"]))
    else:
        program = datasets().benchmark(asked["uri"])
        if program.size_bytes > MOST_BYTES:
            return None
    value = spec.metric(asked["metric"]).observation
    with CompilerEnv(spec, benchmark=program) as env:
        env.reset(options={"observation_space": None, "reward_space": None})
        names = {name.removeprefix(value): name for name in env.observation.spaces if name.startswith(value)}
        levels = {level or UNOPTIMISED: float(env.observation[name]) for level, name in names.items()}
    if is_made:
        return levels
    agent, budget = agent_named(_AGENT), Budget(asked["evaluations"])
    search = agent.make(sources_of(agent.known(spec.action_table)), agent.settings({}))
    best = levels[UNOPTIMISED]
    with Evaluator(spec, program, budget) as evaluator:
        for found in search(evaluator, budget, generator(0, program.uri)):
            best = min(best, found.loss)
    [workload] = program.workloads
    return {
        "program": base64.b64encode(program.program()).decode(),
        "about": {
            "title": program.title,
            "source": dict(program.source),
            "domain": program.domain,
            "language": program.language,
            "licence": program.licence,
            "stdout": workload.expected_stdout.decode(),
            "exit_code": workload.exit_code,
            "measured": [spec.digest, asked["metric"]],
        },
        "levels": levels,
        "best": best,
    }


if __name__ == "__main__":
    json.dump(_answer(json.load(sys.stdin)), sys.stdout)
