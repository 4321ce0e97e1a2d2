"""Builds the dataset scheduling-v0: random instances, each worse in the given order than by LPT.

Run as ``python -m job_scheduling.build_dataset [FOLDER]``; the same seed gives the same bytes.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import Any

from job_scheduling.problem import Schedule, longest_first, parse
from job_scheduling.session import SchedulingSession
from optarena.datasets import DatasetProgram, Workload, write_manifest

FOLDER = Path(__file__).parent / "datasets/scheduling-v0"
SEED = 9
# Name: title, machines, jobs, latest release, most predecessors.
SHAPES: dict[str, tuple[str, int, int, int, int]] = {
    "batch-small": ("Independent jobs on two machines", 2, 12, 0, 0),
    "batch-large": ("Independent jobs on five machines", 5, 32, 0, 0),
    "arrivals-small": ("Jobs that arrive over time", 2, 14, 40, 0),
    "arrivals-large": ("Many jobs that arrive over time", 4, 30, 60, 0),
    "chains": ("Jobs that mostly wait for one other", 3, 20, 0, 1),
    "build-small": ("A build: jobs that wait for up to two others", 3, 18, 0, 2),
    "build-large": ("A large build: jobs that wait for up to three others", 4, 32, 0, 3),
    "factory": ("Jobs that arrive over time and wait for each other", 4, 28, 40, 2),
}


def drawn(rng: random.Random, machines: int, jobs: int, release: int, predecessors: int) -> dict[str, Any]:
    """A random instance; it uses only ``random()``, whose numbers Python keeps across versions."""

    def below(bound: int) -> int:
        return int(rng.random() * bound)

    def job(number: int) -> dict[str, Any]:
        drawn: dict[str, Any] = {"duration": 1 + below(10) * (1 + below(4))}
        if release:
            drawn["release"] = below(release)
        if number and predecessors:
            drawn["predecessors"] = sorted({below(number) for _ in range(below(predecessors + 1))})
        return drawn

    return {"machines": machines, "jobs": [job(number) for number in range(jobs)]}


def baselines(text: str) -> dict[str, int]:
    """The makespans of the given order and of the rule LPT."""
    instance = parse(text)
    order, longest = min, longest_first(instance)
    return {
        level: Schedule(instance).completed(rule).makespan()
        for level, rule in (("O0", order), ("LPT", longest))
    }


def instance_text(name: str) -> str:
    """An instance that is worse in the given order than by LPT."""
    rng = random.Random(f"{SEED} {name}")  # noqa: S311 # nothing secret
    while True:
        text = json.dumps(drawn(rng, *SHAPES[name][1:]), indent=1) + "\n"
        found = baselines(text)
        if found["O0"] > found["LPT"]:
            return text


def described(name: str, text: str) -> DatasetProgram:
    """The manifest's entry for an instance."""
    instance = parse(text)
    jobs = len(instance.jobs)
    work = sum(job.duration for job in instance.jobs)
    return DatasetProgram(
        file=f"{name}.json",
        title=SHAPES[name][0],
        description=f"{SHAPES[name][0]}: {jobs} jobs on {instance.machines} machines.",
        domain="scheduling",
        language="JSON",
        baselines={"makespan": baselines(text)},
        workloads=(
            Workload(name="carry-out", expected_stdout=f"{jobs} jobs, {work} units of work\n".encode()),
        ),
    )


def build(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    programs = []
    for name in SHAPES:
        text = instance_text(name)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
        programs.append(described(name, text))
    write_manifest(
        folder,
        title="Scheduling problems",
        description="Jobs on identical machines, some with releases and predecessors.",
        licence="MIT",
        programs=programs,
        toolchain={"compiler": SchedulingSession.compiler_version, "seed": SEED},
    )


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
