"""An environment around the fake compiler of ``tests/plugins``, and a program for it."""

from __future__ import annotations

from typing import Final

from optarena.datasets import Benchmark
from optarena.specs import EnvironmentSpec, Metric, NamedActions
from optarena.specs.rewards import cost_rewards
from tests.kit.folders import PLUGINS  # noqa: F401 # the plug-ins can be imported

from fake_compiler import ACTIONS  # isort: skip # found by the line above

FAKE: Final = EnvironmentSpec(
    slug="fake-v0",
    title="A list of numbers",
    service="fake_compiler:FakeSession",
    action_table=NamedActions("fake-v0", ACTIONS, "fake"),
    metrics=(Metric(name="length", title="Length", unit="numbers", observation="length"),),
    rewards=cost_rewards("Length", cost="length", metric="length", levels=("O1",)),
    digest_observation="files",
    dataset="numbers-v0",
    observation_space="length",
    reward_space="length",
)
NUMBERS: Final = Benchmark.from_bytes("benchmark://numbers-v0/three", bytes([5, 6, 7]))
