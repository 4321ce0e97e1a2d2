"""Registers the scheduling problem with OptArena at import: environment, dataset and board."""

from __future__ import annotations

from pathlib import Path

import optarena
from job_scheduling.session import JOBS, SchedulingSession
from optarena.specs import BoardSpec, EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import cost_rewards

ENVIRONMENT = EnvironmentSpec(
    slug="scheduling-v0",
    title="Job scheduling",
    description="Start jobs one after the other, each on the machine that is free first; end early.",
    service="job_scheduling.session:SchedulingSession",
    compiler=SchedulingSession.compiler_version,
    action_table=NamedActions("scheduling-jobs-v0", JOBS, program="schedule"),
    metrics=(Metric(name="makespan", title="Makespan", unit="time units", observation="makespan"),),
    digest_observation="digest",
    rewards=cost_rewards("Makespan", cost="makespan", metric="makespan", levels=["LPT"]),
    observation_space="ready",
    reward_space="MakespanLPT",
    dataset="scheduling-v0",
)
BOARD = BoardSpec(
    slug="scheduling",
    title="Job scheduling",
    description="Have all jobs end early; starting the longest job first (LPT) scores 1.",
    dataset="scheduling-v0",
    environment="scheduling-v0",
    metric="makespan",
    baseline_level="LPT",
)

optarena.register([ENVIRONMENT], dataset_folders=[Path(__file__).parent / "datasets"], boards=[BOARD])
