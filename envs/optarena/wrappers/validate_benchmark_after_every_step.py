"""Checking after each step that the program still behaves as before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.utils import RecordConstructorArgs

from optarena.env.workloads import run_workloads
from optarena.errors import InvalidInput, ServiceError
from optarena.service.protocol.parameters import VERIFY
from optarena.wrappers.arguments import number
from optarena.wrappers.ending_wrapper import EndingWrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gymnasium import Env
    from typing_extensions import Unpack

    from optarena.wrappers.base import SpaceNames, Step


class ValidateBenchmarkAfterEveryStep(EndingWrapper):
    """Verifies the program and runs all workloads of its benchmark after every step.

    If the program is not valid, or a run does not give the expected result, the episode is over:
    ``terminated`` is true, the reward is the penalty, and ``info`` has ``error_type``, a reason id such as
    ``semantics:output-differs``, and ``error_details``. A step without effect is not checked again, nor is
    one in which the compiler failed. A benchmark without workloads is only verified.

    Args:
        env: The environment to wrap.
        reward_penalty: The reward of a step after which the program is wrong.
        sandbox: Confine the program's runs. Without it, a miscompiled program may do anything.

    Raises:
        InvalidInput: The penalty is not a finite number; or, from a step, the service cannot validate
            programs.
        SandboxUnavailable: From a step: the sandbox was requested, and this kernel does not support it.
    """

    def __init__(self, env: Env[Any, Any], reward_penalty: float = -1000.0, *, sandbox: bool = True) -> None:
        RecordConstructorArgs.__init__(self, reward_penalty=reward_penalty, sandbox=sandbox)
        super().__init__(env)
        self._penalty = number("reward_penalty", reward_penalty)
        self._sandbox = sandbox
        self._correction = 0.0

    @property
    def episode_reward(self) -> float | None:
        """The sum of this wrapper's rewards in this episode; None without a reward space."""
        inner = self.env.episode_reward
        return None if inner is None else inner + self._correction

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start an episode; see ``CompilerEnv.reset``."""
        first = super().reset(seed=seed, options=options)
        self._correction = 0.0
        return first

    def multistep(self, actions: Iterable[Any], **spaces: Unpack[SpaceNames]) -> Step:
        """Apply several actions, then validate once; see ``CompilerEnvWrapper``."""
        observation, reward, terminated, truncated, info = super().multistep(actions, **spaces)
        by_itself = terminated and not info.get("terminal_action")
        if by_itself or info["action_had_no_effect"]:
            return observation, reward, terminated, truncated, info
        problem = self._problem()
        if problem is None:
            return observation, reward, terminated, truncated, info
        kind, details = problem
        self._end(details)
        if isinstance(reward, list):
            penalties: Any = [self._penalty] * len(reward)
        else:
            penalties = self._penalty
            self._correction = self._penalty - reward
        return observation, penalties, True, truncated, {**info, "error_type": kind, "error_details": details}

    def _problem(self) -> tuple[str, str] | None:
        """What is wrong with the program: the reason's id, and a sentence for people.

        Raises:
            InvalidInput: The service does not support validation.
            ServiceError: The service failed, but not because of the program.
        """
        env = self.unwrapped
        try:
            return self._verified() or self._ran()
        except NotImplementedError as error:
            message = f"The service of {env.environment.id} cannot run programs: {error}"
            remedy = "Choose benchmarks without workloads, or remove this wrapper."
            raise InvalidInput(message, field="env", value=env.environment.id, remedy=remedy) from error
        except ServiceError as error:
            if env.error is not error:
                raise
            return f"env:{error.error_type}", str(error)

    def _verified(self) -> tuple[str, str] | None:
        problem = self.unwrapped.parameter(VERIFY)
        return ("semantics:verifier", f"The program is not valid: {problem}") if problem else None

    def _ran(self) -> tuple[str, str] | None:
        env = self.unwrapped
        for result in run_workloads(env, env.benchmark.workloads, sandbox=self._sandbox):
            if result.reason:
                return result.reason, f"Workload {result.name}: {result.detail}"
        return None
