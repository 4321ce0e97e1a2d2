"""Behaviour cloning on step data: a policy that proposes actions to the agent ``local-ppo``.

    python examples/offline/clone.py --policy offline.json
    optarena search local-ppo --dataset kernels-v0 --evaluations 200 --policy offline.json

The policy learns which action the best sequences of each training program took in each state. Nothing is
explored: the sequences are those of the release ``steps-v0``, replayed once for what the policy observes. It
needs the extra ``data``, scikit-learn, and the dataset units-v0.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from sklearn.neural_network import MLPClassifier

import optarena.data
from optarena.agents.policies import OBSERVATION, Policy, input_size, policy_input, write_policy
from optarena.data.walks import in_environments
from optarena.datasets import datasets
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from optarena.data.tables import StepData
    from optarena.env import CompilerEnv

SPEC: Final = environment_spec("llvm-ic-v0")
FEATURES: Final = 56
LENGTH: Final = 40
HIDDEN: Final = (64, 64)
BEST: Final = 6
"""Sequences of each program that are learned from."""
UNSEEN: Final = -8.0
"""The logit of an action that none of them takes."""


@dataclass(frozen=True)
class Lesson:
    """A sequence of a program: the actions that had an effect, and how much it weighs."""

    program: str
    actions: tuple[int, ...]
    weight: float


def lessons(data: StepData) -> list[Lesson]:
    """The best sequences of each program of the training split."""
    number = {name: index for index, name in enumerate(SPEC.action_table.names)}
    programs = data.programs.to_pylist()
    actions, effects = data.steps["action"].to_pylist(), data.steps["had_effect"].to_pylist()
    found: dict[str, dict[tuple[int, ...], float]] = defaultdict(dict)
    end = 0
    for row in data.entries.to_pylist():
        start, end = end, end + row["actions"]
        program = programs[row["program"]]
        taken = tuple(number[actions[at]] for at in range(start, end) if effects[at])
        if program["split"] == "train" and row["agent"] != "random" and row["ratio"] and taken:
            found[program["uri"]][taken[:LENGTH]] = row["ratio"]
    chosen = []
    for uri, ratios in found.items():
        best = sorted(ratios, key=ratios.__getitem__, reverse=True)[:BEST]
        chosen += [Lesson(uri, one, ratios[one] / ratios[best[0]]) for one in best]
    return chosen


def observed(env: CompilerEnv, lesson: Lesson) -> np.ndarray:
    """What the policy sees before each action: shape (actions, inputs)."""
    env.reset(options={"benchmark": datasets().benchmark(lesson.program)})
    first, *_ = env.multistep((), observation_spaces=[OBSERVATION], reward_spaces=())
    steps = env.steps(lesson.actions, observation_spaces=[OBSERVATION], reward_spaces=())
    states = [first[0], *(step[0][0] for step in steps[:-1])]
    shape = _blank()
    return np.stack([policy_input(shape, state, lesson.actions[:at]) for at, state in enumerate(states)])


def _blank() -> Policy:
    size = len(SPEC.action_table.names)
    layer = np.zeros((input_size(FEATURES, size), size)), np.zeros(size)
    return Policy(
        name="offline",
        table=SPEC.action_table.name,
        environment_digest=SPEC.digest,
        observation=OBSERVATION,
        features=FEATURES,
        length=LENGTH,
        layers=(layer,),
    )


def trained(inputs: np.ndarray, targets: np.ndarray, weights: np.ndarray, programs: set[str]) -> Policy:
    """The policy whose probabilities are those of the actions in the lessons."""
    model = MLPClassifier(
        HIDDEN, activation="tanh", alpha=1e-3, max_iter=60, early_stopping=True, random_state=0
    )
    model.fit(inputs, targets, sample_weight=weights)
    *hidden, (last, bias) = zip(model.coefs_, model.intercepts_, strict=True)
    size = len(SPEC.action_table.names)
    full, full_bias = np.zeros((len(last), size)), np.full(size, UNSEEN)
    full[:, model.classes_], full_bias[model.classes_] = last, bias
    return Policy(
        **{name: getattr(_blank(), name) for name in _SAME},
        layers=(*hidden, (full, full_bias)),
        trained_on=tuple(sorted(programs)),
        description=f"Behaviour cloning of {len(targets)} steps of steps-v0.",
    )


_SAME: Final = ("name", "table", "environment_digest", "observation", "features", "length")


def main() -> None:
    """Train, and write the policy."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--policy", type=Path, required=True, help="the JSON file to write")
    parser.add_argument("--data", default="steps-v0", help="the release (%(default)s)")
    parser.add_argument("--nproc", type=int, default=len(os.sched_getaffinity(0)), help="(%(default)s)")
    given = parser.parse_args()
    started = time.monotonic()
    chosen = lessons(optarena.data.load(given.data))
    inputs = np.concatenate(list(in_environments(SPEC, observed, chosen, nproc=given.nproc)))
    targets = np.array([action for one in chosen for action in one.actions])
    weights = np.array([one.weight for one in chosen for _ in one.actions])
    policy = trained(inputs, targets, weights, {one.program for one in chosen})
    document, arrays = write_policy(policy)
    given.policy.write_text(document)
    given.policy.with_suffix(".npz").write_bytes(arrays)
    seconds = time.monotonic() - started
    print(f"{len(targets)} steps of {len(chosen)} sequences; {given.policy} in {seconds:.0f} s")


if __name__ == "__main__":
    main()
