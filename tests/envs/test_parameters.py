"""Parameters of sessions that an environment keeps for its later episodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import gymnasium
import pytest

from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.llvm.env import LlvmEnv

BASELINE = "llvm.apply_baseline_optimizations"


@pytest.mark.parametrize(("key", "value"), [("llvm.set_runtimes", "3"), (BASELINE, "-O9")])
def test_a_kept_parameter_that_is_refused_is_named_and_no_longer_kept(key: str, value: str) -> None:
    with cast("LlvmEnv", gymnasium.make("optarena/llvm-v0").unwrapped) as env:
        env.parameter("llvm.set_warmup_runs_count_per_runtime_observation", "2", keep=True)
        assert env.parameter(key, value, keep=True) == ""
        with pytest.raises(InvalidInput, match=f"kept parameter '{key}'.*no longer kept") as told:
            env.reset()
        assert (told.value.field, told.value.value) == ("key", key)
        env.reset()
        assert env.parameter("llvm.get_warmup_runs_count_per_runtime_observation") == "2"
