"""Step data as a Minari dataset: its sequences are replayed, and observed as an agent would see them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import gymnasium
import numpy as np

from optarena.data.walks import in_environments
from optarena.datasets import datasets
from optarena.errors import InvalidInput, ToolMissing
from optarena.specs import EnvironmentSpec, environment_spec
from optarena.suggestions import unknown_name
from optarena.wrappers import NamedObservations

try:
    import minari
    from minari.data_collector import EpisodeBuffer
    from minari.storage.datasets_root_dir import get_dataset_path
except ImportError as missing:
    raise ToolMissing(
        "Minari datasets need the package minari, which is missing.",
        field="minari",
        remedy="Install it: pip install 'optarena[minari]'.",
    ) from missing

if TYPE_CHECKING:
    from optarena.data.tables import StepData
    from optarena.env import CompilerEnv

# Minari's own form, with one namespace.
ID: Final = re.compile(r"([A-Za-z0-9_-]+/)?[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*-v[0-9]+")
_EPISODES_AT_ONCE: Final = 200


class _Episode(NamedTuple):
    benchmark: str
    actions: tuple[int, ...]


def write_minari(  # noqa: PLR0913 # all but two by keyword
    data: StepData,
    dataset_id: str,
    *,
    observations: Sequence[str],
    env: str = "",
    split: str = "",
    most: int | None = None,
    nproc: int = 1,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Any:  # noqa: ANN401 # minari.MinariDataset
    """Replay sequences and write them as a Minari dataset, whose ``recover_environment()`` works.

    Args:
        data: What ``load`` returned.
        dataset_id: Minari's id, such as ``optarena/steps-v0``.
        observations: Names of observations. One is the observation itself; several are a ``Dict``.
        env: The environment of the sequences; the only one if empty.
        split: Only of programs of this split.
        most: At most so many sequences.
        nproc: How many sequences are replayed at a time.
        on_progress: Called with the number of sequences so far, and in all.

    Raises:
        UnknownName: There is no such observation.
        InvalidInput: There are no such sequences, they are of another version of the environment, or the
            dataset exists.
    """
    spec, episodes = _episodes(data, env, split)
    episodes = episodes[:most]
    if not ID.fullmatch(dataset_id):
        message, remedy = (
            f"{dataset_id!r:.100} is not an id of Minari.",
            "Give one such as optarena/steps-v0.",
        )
        raise InvalidInput(message, field="id", value=dataset_id, remedy=remedy)
    if get_dataset_path(dataset_id).exists():
        remedy = f"Choose another id, or remove it: minari delete {dataset_id}"
        raise InvalidInput(f"The dataset {dataset_id} exists.", field="id", value=dataset_id, remedy=remedy)
    names = list(dict.fromkeys(observations))
    with _environment(spec, names) as made:
        replayed = in_environments(spec, partial(_replay, names=names), episodes, nproc=nproc)
        return _written(dataset_id, made, replayed, len(episodes), on_progress)


def _episodes(data: StepData, env: str, split: str) -> tuple[EnvironmentSpec, list[_Episode]]:
    rows = data.entries.to_pylist()
    slugs = sorted({row["environment"] for row in rows})
    slug = environment_spec(env).slug if env else slugs[0] if len(slugs) == 1 else ""
    if slug not in slugs:
        message = f"The sequences are of {', '.join(slugs) or 'no environment'}."
        raise InvalidInput(message, field="env", value=env, remedy="Name one of these by --env.")
    spec = environment_spec(slug)
    programs = data.programs.to_pylist()
    wanted = {number for number, row in enumerate(programs) if split in {"", row["split"]}}
    numbers = {name: number for number, name in enumerate(spec.action_table.names)}
    actions = data.steps["action"].to_pylist()
    found: list[_Episode] = []
    end = 0
    for row in rows:
        start, end = end, end + row["actions"]
        is_wanted = row["environment"] == slug and row["program"] in wanted and not row["action_space"]
        if not is_wanted or start == end:  # an episode has a step
            continue
        if row["environment_digest"] != spec.digest:
            message = f"{row['origin']} is of version {row['environment_digest'][:12]} of {slug}; this is "
            remedy = "Use the version of optarena that made the release, or a later release."
            raise InvalidInput(
                f"{message}{spec.digest[:12]}.",
                field="environment_digest",
                value=row["environment_digest"],
                remedy=remedy,
            )
        sequence = tuple(numbers[one] for one in actions[start:end])
        found.append(_Episode(programs[row["program"]]["uri"], sequence))
    if not found:
        message, remedy = f"There are no sequences of {slug} in the split {split!r}.", "Name another split."
        raise InvalidInput(message, field="split", value=split, remedy=remedy)
    return spec, found


def _environment(spec: EnvironmentSpec, names: Sequence[str]) -> gymnasium.Env[Any, Any]:
    known = gymnasium.make(spec.id)
    unknown = [one for one in names if one not in known.unwrapped.observation.spaces]  # type: ignore[attr-defined] # CompilerEnv
    known.close()
    if unknown or not names:
        raise unknown_name("observation", ", ".join(unknown), sorted(known.unwrapped.observation.spaces))  # type: ignore[attr-defined] # as above
    if len(names) == 1:
        return gymnasium.make(spec.id, observation_space=names[0])
    return NamedObservations(gymnasium.make(spec.id), names)


def _replay(env: CompilerEnv, episode: _Episode, *, names: Sequence[str]) -> EpisodeBuffer:
    spec = env.environment
    env.reset(options={"benchmark": datasets().benchmark(episode.benchmark)})
    first, *_ = env.multistep((), observation_spaces=names, reward_spaces=())
    steps = env.steps(episode.actions, observation_spaces=names, reward_spaces=[spec.reward_space])
    if env.error is not None:
        message = f"Step {len(steps)} of a sequence on {episode.benchmark} failed: {env.error}"
        raise InvalidInput(message, field="actions", value=list(episode.actions), remedy="Leave it out.")
    observed = [np.stack(column) for column in zip(first, *(step[0] for step in steps), strict=True)]
    count = len(steps)
    return EpisodeBuffer(
        observations=observed[0] if len(names) == 1 else dict(zip(names, observed, strict=True)),
        actions=np.array(episode.actions, np.int64),
        rewards=[step[1][0] for step in steps],
        terminations=[False] * count,
        truncations=[False] * (count - 1) + [True],
        options={"benchmark": episode.benchmark},
    )


def _written(
    dataset_id: str,
    env: gymnasium.Env[Any, Any],
    episodes: Iterator[EpisodeBuffer],
    total: int,
    on_progress: Callable[[int, int], None],
) -> Any:  # noqa: ANN401 # as above
    dataset, waiting, done = None, [], 0
    try:
        for done, episode in enumerate(episodes, start=1):
            waiting.append(episode)
            if len(waiting) < _EPISODES_AT_ONCE and done < total:
                continue
            if dataset is None:
                dataset = _created(dataset_id, env, waiting)
            else:
                dataset.update_dataset_from_buffer(waiting)
            waiting = []
            on_progress(done, total)
    except BaseException:  # an interrupt, too: half a dataset would be taken for a whole one
        if get_dataset_path(dataset_id).exists():
            minari.delete_dataset(dataset_id)
        raise
    return dataset


def _created(dataset_id: str, env: gymnasium.Env[Any, Any], episodes: list[EpisodeBuffer]) -> Any:  # noqa: ANN401 # as above
    with warnings.catch_warnings(action="ignore", category=UserWarning):  # it has no author, but an origin
        return minari.create_dataset_from_buffers(
            dataset_id,
            episodes,
            env=env,
            algorithm_name="replay",
            data_format="hdf5",
            description="Sequences of a release of OptArena's step data, replayed.",
        )
