"""Registers the stack compiler with OptArena at import: its environment, dataset and board."""

from __future__ import annotations

from pathlib import Path

import optarena
from optarena.specs import BoardSpec, EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import cost_rewards
from stack_compiler.session import REWRITES, StackSession

ENVIRONMENT = EnvironmentSpec(
    slug="stack-v0",
    title="Stack language",
    description="Choose and order rewrites so that a program for a stack machine has few instructions.",
    service="stack_compiler.session:StackSession",
    compiler=StackSession.compiler_version,
    action_table=NamedActions("stack-rewrites-v0", tuple(REWRITES), program="stack"),
    metrics=(
        Metric(name="instructions", title="Instructions", unit="instructions", observation="instructions"),
    ),
    digest_observation="digest",
    state_text="code",
    rewards=cost_rewards("Instructions", cost="instructions", metric="instructions", levels=["O1"]),
    observation_space="histogram",
    reward_space="InstructionsO1",
    dataset="stack-v0",
)
BOARD = BoardSpec(
    slug="stack",
    title="Stack language",
    description="Leave the fewest instructions of each program; a fixed pipeline of five rewrites scores 1.",
    dataset="stack-v0",
    environment="stack-v0",
    metric="instructions",
    baseline_level="O1",
    plausible_ratio=20.0,  # the pipeline is weak: search results are often many times better
)

optarena.register([ENVIRONMENT], dataset_folders=[Path(__file__).parent / "datasets"], boards=[BOARD])
