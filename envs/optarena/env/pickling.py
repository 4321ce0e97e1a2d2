"""Pickles of environments: how one was made and its actions, never a process or a connection."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from optarena.datasets import Benchmark, datasets
from optarena.datasets.registry import USER_DATASET
from optarena.env.backends import Backend
from optarena.errors import OptArenaError
from optarena.service.protocol.messages import READINGS
from optarena.specs import environment_specs
from optarena.specs.benchmark import BenchmarkUri

if TYPE_CHECKING:
    from optarena.env.compiler_env import CompilerEnv


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedEpisode:
    # What was done in a pickled episode; `measured` is what the copy must not measure anew, `walltime`
    # seconds since its begin, `meters` the episode's rewards and end.

    benchmark: str | Benchmark
    actions: list[Any]
    parameters: list[tuple[int, str, str]]
    measured: str
    walltime: float
    meters: dict[str, Any]


def reduce_env(env: CompilerEnv) -> tuple[Any, ...]:
    # What `__reduce__` returns; a PicklingError if another environment's backend, which no pickle can name,
    # is in use.
    given = dict(env._given)  # noqa: SLF001 # part of the environment
    if isinstance(given["service"], Backend):
        raise pickle.PicklingError(
            "An environment whose service is another environment's backend cannot be pickled. Make it with "
            "the name of a service."
        )
    given.update(
        observation_space=env.observation_space_name,
        reward_space=env.reward_space_name,
        action_space=env.action_space_name,
    )
    selected = env._selection.benchmark  # noqa: SLF001 # part of the environment
    given["benchmark"] = None if selected is None else _portable(selected)
    spec = env.environment
    named = any(one is spec for one in environment_specs())
    arguments = {"environment": spec.id if named else spec, "render_mode": env.render_mode, **given}
    episode = env._episode  # noqa: SLF001 # part of the environment
    played = None
    if episode is not None and episode.error is None:
        played = PlayedEpisode(
            benchmark=_portable(episode.benchmark),
            actions=list(episode.actions),
            parameters=list(episode.parameters),
            measured=episode.session.readings(),
            walltime=episode.walltime,
            meters={name: getattr(episode, name) for name in ("meter", "missing", "readings", "terminated")},
        )
    kept = ("_np_random", "_np_random_seed", "spec", "action_space", "observation_space", "_kept")
    return restore_env, (type(env), arguments, played, {name: getattr(env, name) for name in kept})


def restore_env(
    kind: Callable[..., Any],
    arguments: dict[str, Any],
    played: PlayedEpisode | None,
    attributes: dict[str, Any],
) -> Any:  # noqa: ANN401 # of the class that was pickled
    env = kind(**arguments)
    try:
        none = {name: None for name in ("observation_space", "reward_space") if arguments[name] is None}
        env._selection = selected = env._updated(none)  # noqa: SLF001 # part of the environment
        env._apply_selection()  # noqa: SLF001 # part of the environment
        if played is not None:
            env.reset(options={"benchmark": played.benchmark})
            env._selection = selected  # noqa: SLF001 # part of the environment
            done = 0
            for before, key, value in [*played.parameters, (len(played.actions), READINGS, played.measured)]:
                if before > done:
                    env.multistep(played.actions[done:before], observation_spaces=(), reward_spaces=())
                    done = before
                if value or key != READINGS:
                    env.parameter(key, value)
                    done = len(env.actions)  # a parameter may stand for actions
            episode = env._alive()  # noqa: SLF001 # part of the environment
            started = time.monotonic() - played.walltime
            env._episode = replace(episode, started=started, **played.meters)  # noqa: SLF001 # part of the environment
        env.__dict__.update(attributes)
    except BaseException:  # KeyboardInterrupt too: leave nothing behind
        env.close()
        raise
    return env


def _portable(benchmark: Benchmark) -> str | Benchmark:
    # Another process can use the URI if a dataset has the program; else it needs the bytes.
    try:
        if BenchmarkUri.parse(benchmark.uri).dataset == USER_DATASET:
            return replace(benchmark, load=partial(bytes, benchmark.program()))  # only this process has it
        # No server is asked: it would learn of a user's own programs, and might be slow.
        here = datasets().benchmark(benchmark.uri, files=False, elsewhere=False)
        if here.sha256 == benchmark.sha256:
            return benchmark.uri
    except OptArenaError:
        pass  # it is not in any dataset on this machine
    return replace(benchmark, load=partial(bytes, benchmark.program()))
