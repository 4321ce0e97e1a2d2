"""Measures generated programs, and searches one for a moment: a process of its own.

A compiler that crashes must not take the sweeper with it, and is not given the server's secrets. Run as
``python -P measuring.py``; a JSON list on the standard input has the name of a question and its arguments,
and its answer is printed as JSON. A generated program stays in the cache folder, so that the caller need not
make it again.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from optarena.registry import PLUGINS_VARIABLE
from optarena.service.processes import folders, memory
from optarena.specs.benchmark import Benchmark

# A program is taken that a search of so many evaluations makes so many times better than its par. Of larger
# ones each look at a state would take seconds; there is also less to find.
EVALUATIONS: Final = 300
LEAST_GAIN: Final = 1.03
MOST_BYTES: Final = 7_000
_AGENT: Final = "local"
# The sweeper waits for the process. Generating a program takes half a second, and a search of some hundred
# evaluations a few seconds; a busy machine takes ten times as long.
_START_SECONDS: Final = 60.0
_PROGRAM_SECONDS: Final = 5.0
_SEARCH_SECONDS: Final = 60.0


def level_values(
    *, environment: str, observation: str, level: str, uris: Sequence[str]
) -> list[tuple[float, float]]:
    """Return what programs measure as given and at one of the compiler's own levels, or raise OSError."""
    seconds = _START_SECONDS + _PROGRAM_SECONDS * len(uris)
    # The observation with the level behind its name is the level's.
    names = [observation, f"{observation}{level}"]
    answer = _ask("values", seconds, environment=environment, names=names, uris=list(uris))
    found = [(float(given), float(at_level)) for given, at_level in answer]
    if len(found) != len(uris) or any(value <= 0 for pair in found for value in pair):
        raise folders.AnswerUnreadable(f"The process answered {found}.")
    return found


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
    """Return the program and what the search finds, None if it is too large, or raise OSError."""
    asked = {"environment": environment, "metric": metric, "uri": uri, "evaluations": evaluations}
    answer = _ask("search", _SEARCH_SECONDS, **asked)
    return PuzzleCandidate(**{**answer, "program": base64.b64decode(answer["program"])}) if answer else None


def measure_levels(*, environment: str, metric: str, program: bytes) -> dict[str, float]:
    """Return what levels leave of a program that was made before, or raise OSError."""
    content = base64.b64encode(program).decode()
    levels: dict[str, float] = _ask(
        "levels", _SEARCH_SECONDS, environment=environment, metric=metric, program=content
    )
    return levels


def _ask(question: str, seconds: float, **asked: Any) -> Any:  # noqa: ANN401 # JSON data
    return folders.ask(
        [sys.executable, "-P", str(Path(__file__).resolve())],
        [question, asked],
        seconds=seconds,
        inherited=(PLUGINS_VARIABLE, memory.VARIABLE),
        starts_others=True,
    )


# The following run in the process itself, and only that needs what they import.


def _values(environment: str, names: Sequence[str], uris: Sequence[str]) -> list[list[float]]:
    import gymnasium  # noqa: PLC0415

    found = []
    with gymnasium.make(environment) as env:
        for uri in uris:
            env.reset(options={"benchmark": uri})
            found.append([float(env.unwrapped.observation[name]) for name in names])  # type: ignore[attr-defined] # a CompilerEnv
    return found


def _levels(environment: str, metric: str, program: str | Benchmark) -> dict[str, float]:
    from optarena.env import CompilerEnv  # noqa: PLC0415
    from optarena.specs import environment_spec  # noqa: PLC0415
    from optarena.specs.rewards import UNOPTIMISED  # noqa: PLC0415

    if isinstance(program, str):
        program = Benchmark.from_bytes("benchmark://puzzle-v0/program", base64.b64decode(program))
    spec = environment_spec(environment)
    value = spec.metric(metric).observation
    with CompilerEnv(spec, benchmark=program) as env:
        env.reset(options={"observation_space": None, "reward_space": None})
        names = [name for name in env.observation.spaces if name.startswith(value)]
        found = {name: float(env.observation[name]) for name in names}
    return {name.removeprefix(value) or UNOPTIMISED: one for name, one in found.items()}


def _search(environment: str, metric: str, uri: str, evaluations: int) -> dict[str, Any] | None:
    from optarena.agents import Budget, Evaluator  # noqa: PLC0415
    from optarena.agents.catalogue import agent_named, sources_of  # noqa: PLC0415
    from optarena.agents.searching import generator  # noqa: PLC0415
    from optarena.datasets import datasets  # noqa: PLC0415
    from optarena.specs import environment_spec  # noqa: PLC0415
    from optarena.specs.rewards import UNOPTIMISED  # noqa: PLC0415

    program = datasets().benchmark(uri)
    if program.size_bytes > MOST_BYTES:
        return None
    levels = _levels(environment, metric, program)
    spec = environment_spec(environment)
    agent, budget = agent_named(_AGENT), Budget(evaluations)
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
            "measured": [spec.digest, metric],
        },
        "levels": levels,
        "best": best,
    }


if __name__ == "__main__":
    question, asked = json.load(sys.stdin)
    answers: dict[str, Callable[..., object]] = {"values": _values, "levels": _levels, "search": _search}
    json.dump(answers[question](**asked), sys.stdout)
