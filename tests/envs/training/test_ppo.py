"""Training: a policy that PyTorch trained is the same one when numpy runs it, and better than chance."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner

from optarena.agents import Objective
from optarena.agents.known_sequences import KnownSequence, Portfolio
from optarena.agents.policies import read_policy
from optarena.agents.reports import read_report
from optarena.cli import main
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.specs import environment_spec
from optarena.training.episodes import Episodes, TrainingPlan
from tests.kit.folders import ROOT
from tests.kit.torch import python_with_torch

if TYPE_CHECKING:
    from pathlib import Path

SPEC = environment_spec("llvm-ic-v0")
NAMES = list(SPEC.action_table.names)
PROGRAM = datasets().benchmark("benchmark://kernels-v0/quicksort")
COMPARED = """
import sys, numpy as np, torch
from optarena.agents.trials import WalkSoFar
from optarena.training.episodes import Episodes
from optarena.training.ppo import frozen, learned
from tests.envs.training.test_ppo import plan
made = plan(steps=1)
model = learned(made)
policy = frozen(made, "t-v0", model)
assert policy.description.endswith(" with seed 0: 2,048 actions in episodes of 10."), policy.description
env = Episodes(made)
observed, _ = env.reset(seed=1)
forbidden = 0
for action in (3, 3, 40, 7):
    with torch.no_grad():
        [odds] = model.policy.get_distribution(torch.as_tensor(observed[None])).distribution.probs.numpy()
    [mine] = policy.probabilities([env.so_far])
    assert np.abs(odds - mine).max() < 1e-5, np.abs(odds - mine).max()
    assert ((odds == 0) == (mine == 0)).all()
    forbidden += (mine == 0).sum()
    observed, *_ = env.step(action)
assert forbidden, "an action without effect is forbidden"
env.close()
"""
"""Compares what PyTorch and numpy make of the same states."""


def plan(**fields: Any) -> TrainingPlan:
    return TrainingPlan(
        environment=SPEC, objective=Objective.of(SPEC), benchmarks=(PROGRAM,), length=10, **fields
    )


@pytest.fixture(scope="module")
def python(pytestconfig: pytest.Config) -> Path:
    return python_with_torch(pytestconfig)


def trained(python: Path, *arguments: Any, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT), **variables}
    words = [str(python), *map(str, arguments)]
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.soak
@pytest.mark.rl
def test_numpy_computes_what_pytorch_computes(python: Path) -> None:
    done = trained(python, "-c", COMPARED)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
@pytest.mark.rl
def test_a_policy_is_trained_and_used(python: Path, tmp_path: Path) -> None:
    path, results = tmp_path / "mine.json", tmp_path / "results.csv"
    words = ["-m", "optarena", "train", "ppo", "--from", "kernels-v0", "--largest", 1400, "--env", SPEC.slug]
    (temporary := tmp_path / "temporary").mkdir()
    done = trained(python, *words, "--steps", 2048, "--output", path, TMPDIR=str(temporary))
    assert done.returncode == 0, done.stdout + done.stderr
    assert not list(temporary.glob("SB3*"))
    assert "an episode gains" in done.stdout
    policy = read_policy(path, SPEC.action_table)
    assert "2,048 actions in episodes of 45, half of them behind the beginning" in policy.description
    assert "benchmark://kernels-v0/quicksort" in policy.trained_on, "the portfolio has learned from it"
    search = ["search", "ppo", "--benchmark", "kernels-v0/quicksort", "--evaluations", "5"]
    found = CliRunner().invoke(main, [*search, "--policy", str(path), "--output", str(results)])
    assert found.exit_code == 0, found.output
    report = read_report(results)
    assert report.run.trained_on == ({"name": "mine-v0", "sha256": policy.sha256},)
    assert report.run.trained_on_test_set


def test_an_episode_has_the_logarithms_of_what_its_actions_gain() -> None:
    env = Episodes(plan())
    observed, _ = env.reset(seed=0)
    assert env.observation_space.contains(observed)
    gained, is_late = 0.0, False
    while not is_late:
        observed, gain, failed, is_late, _ = env.step(np.int64(NAMES.index("sroa")))
        assert not failed
        gained += gain
    useless = observed[-len(NAMES) :]
    assert useless[NAMES.index("sroa")] == 1
    assert useless.sum() == 1
    assert len(env.so_far.actions) == 10
    start = PROGRAM.baseline("ir_instructions", "O0")
    assert start
    assert 0 < gained < np.log(start)
    env.close()


def test_half_of_the_episodes_begin_behind_a_part_of_a_known_sequence() -> None:
    actions = (NAMES.index("sroa"), NAMES.index("instcombine"), NAMES.index("gvn"))
    known = Portfolio(
        name="p-v0",
        kind="portfolio",
        table=SPEC.action_table.name,
        sequences=(KnownSequence(actions=actions),),
    )
    env = Episodes(plan(portfolio=known))
    env.reset(seed=0)
    begun = []
    for _ in range(32):
        env.reset()
        begun.append(env.so_far.actions)
    assert set(begun) == {actions[:length] for length in range(4)}
    assert 16 <= begun.count(()) <= 28
    env.close()


def test_training_says_what_is_missing_before_it_begins(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no programs to learn from"):
        TrainingPlan(environment=SPEC, objective=Objective.of(SPEC), benchmarks=())
    other = environment_spec("loop_tool-v0")
    with pytest.raises(InvalidInput, match="does not observe Autophase"):
        Episodes(TrainingPlan(environment=other, objective=Objective.of(SPEC), benchmarks=(PROGRAM,)))
    words = ["train", "ppo", "--from", "kernels-v0", "--env", SPEC.slug, "--output"]
    (tmp_path / "b.json").write_text(json.dumps({}))
    (tmp_path / "c.npz").write_bytes(b"somebody's arrays")
    for output, said in (
        (tmp_path / "a.npz", "does not end in .json"),
        (tmp_path / "b.json", "b.json exists"),
        (tmp_path / "c.json", "c.npz exists"),
    ):
        done = CliRunner().invoke(main, [*words, str(output)])
        assert done.exit_code == 2
        assert said in done.stderr
