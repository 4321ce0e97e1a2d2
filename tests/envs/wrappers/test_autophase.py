"""Autophase features scaled for learning."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np
import pytest

from optarena.errors import InvalidInput
from optarena.llvm.actions import CURATED
from optarena.wrappers import LogAutophase, NormalisedAutophase, TimeLimit

if TYPE_CHECKING:
    from collections.abc import Callable

    from optarena.env import CompilerEnv

MEM2REG = CURATED.index("mem2reg")


def test_shares_of_the_program_are_from_0_to_1(env: CompilerEnv) -> None:
    scaled = NormalisedAutophase(env)
    assert scaled.observation_space == gymnasium.spaces.Box(0, 1, (56,), np.float32)
    for call in (scaled.reset, lambda: scaled.step(MEM2REG)):
        observation = call()[0]
        counts = scaled.observation["Autophase"]
        assert observation.dtype == np.float32
        assert observation in scaled.observation_space
        assert observation[51] == 1
        assert observation == pytest.approx(np.minimum(counts / counts[51], 1))
    raw = scaled.step(MEM2REG, observation_spaces=["Autophase"])[0]
    assert raw[0].dtype == np.int64


def test_logarithms_keep_the_size(env: CompilerEnv) -> None:
    scaled = LogAutophase(TimeLimit(env, 9))
    for call in (scaled.reset, lambda: scaled.multistep([MEM2REG])):
        observation = call()[0]
        assert observation in scaled.observation_space
        assert np.expm1(observation) == pytest.approx(scaled.observation["Autophase"], rel=1e-5)
    largest = np.full(56, 2**63 - 1, np.int64)
    assert scaled.convert_observation(largest) in scaled.observation_space


@pytest.mark.parametrize("kind", [NormalisedAutophase, LogAutophase])
def test_a_failed_step_observes_nothing(kind: Callable[[CompilerEnv], Any], env: CompilerEnv) -> None:
    scaled = kind(env)
    scaled.reset()
    env._episode.session.close()
    observation, _, terminated, _, _ = scaled.step(MEM2REG)
    assert terminated
    assert observation in scaled.observation_space
    assert not observation.any()


@pytest.mark.parametrize("kind", [NormalisedAutophase, LogAutophase])
def test_other_observations_are_refused(
    kind: Callable[[CompilerEnv], Any], make: Callable[..., CompilerEnv]
) -> None:
    with pytest.raises(InvalidInput, match="observation_space='Autophase'"):
        kind(make(observation_space="IrInstructionCount"))
    env = make()
    with pytest.raises(InvalidInput, match="Autophase"):
        kind(kind(env))
    scaled = kind(env)
    scaled.reset()
    with pytest.raises(InvalidInput, match="cannot change"):
        scaled.reset(options={"observation_space": "Ir"})
    scaled.step(MEM2REG)


def test_another_observation_is_refused_in_whatever_mapping(env: CompilerEnv) -> None:
    with pytest.raises(InvalidInput, match="observation_space"):
        LogAutophase(env).reset(options=cast("Any", MappingProxyType({"observation_space": "InstCount"})))
