"""PPO of Stable-Baselines3 on the episodes of a plan. Imports PyTorch: the extra ``rl``."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any, Final

import torch
from stable_baselines3 import PPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.torch_layers import MlpExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from optarena.agents.policies import FEATURES, OBSERVATION, Policy
from optarena.training.episodes import Episodes, TrainingPlan

_WIDTHS: Final = [64, 64]
_ENVIRONMENTS: Final = 8
# Actions that are taken in each environment before the policy is changed.
_ROLLOUT: Final = 256
# Added to the logit of an action that would have no effect.
_FORBIDDEN: Final = -1e8


class _Threads(DummyVecEnv):
    # Each environment steps in a thread: their compilers are other processes.

    def __init__(self, makers: list[Callable[[], Episodes]]) -> None:
        super().__init__(makers)
        self._threads = ThreadPoolExecutor(self.num_envs)

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        for index, (observed, info) in enumerate(self._threads.map(self._step_one, range(self.num_envs))):
            self._save_obs(index, observed)
            self.buf_infos[index] = info
        return self._obs_from_buf(), self.buf_rews.copy(), self.buf_dones.copy(), list(self.buf_infos)

    def close(self) -> None:
        self._threads.shutdown()
        super().close()

    def _step_one(self, index: int) -> tuple[Any, dict[str, Any]]:
        env = self.envs[index]
        observed, self.buf_rews[index], ended, is_late, info = env.step(self.actions[index])
        self.buf_dones[index] = ended or is_late
        if ended or is_late:
            info = {**info, "terminal_observation": observed, "TimeLimit.truncated": is_late and not ended}
            observed, _ = env.reset()
        return observed, info


class _Halves(torch.nn.Module):
    # What follows the network's inputs, the actions that may not be chosen, passes by it.

    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self._inputs = inputs
        self._network = MlpExtractor(inputs, _WIDTHS, torch.nn.Tanh)
        self.policy_net = self._network.policy_net
        self.latent_dim_pi = _WIDTHS[-1] + actions
        self.latent_dim_vf = _WIDTHS[-1]

    def forward(self, observed: Any) -> tuple[Any, Any]:  # noqa: ANN401 # tensors, which have no types here
        return self.forward_actor(observed), self.forward_critic(observed)

    def forward_actor(self, observed: Any) -> Any:  # noqa: ANN401 # as above
        hidden = self._network.forward_actor(observed[:, : self._inputs])
        return torch.cat([hidden, observed[:, self._inputs :]], dim=1)

    def forward_critic(self, observed: Any) -> Any:  # noqa: ANN401 # as above
        return self._network.forward_critic(observed[:, : self._inputs])


class _Logits(torch.nn.Module):
    def __init__(self, actions: int) -> None:
        super().__init__()
        self.layer = torch.nn.Linear(_WIDTHS[-1], actions)
        torch.nn.init.orthogonal_(self.layer.weight, 0.01)
        torch.nn.init.zeros_(self.layer.bias)

    def forward(self, latent: Any) -> Any:  # noqa: ANN401 # as above
        width = _WIDTHS[-1]
        return self.layer(latent[:, :width]) + _FORBIDDEN * latent[:, width:]


class _MaskedPolicy(ActorCriticPolicy):
    # It does not choose actions without effect.

    def _build_mlp_extractor(self) -> None:
        actions = int(self.action_space.n)
        self.mlp_extractor = _Halves(self.features_dim - actions, actions)

    def _build(self, lr_schedule: Callable[[float], float]) -> None:
        super()._build(lr_schedule)
        self.action_net = _Logits(int(self.action_space.n))
        self.optimizer = self.optimizer_class(self.parameters(), lr=lr_schedule(1), **self.optimizer_kwargs)


class _Progress(BaseCallback):
    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        ended = self.model.ep_info_buffer
        if ended:
            mean = sum(one["r"] for one in ended) / len(ended)
            self._tell(f"{self.num_timesteps:,} actions: an episode gains {mean:.3f}")


def train(plan: TrainingPlan, name: str, tell: Callable[[str], None] = lambda _: None) -> Policy:
    """Train a policy; on one machine the same plan gives the same one."""
    return frozen(plan, name, learned(plan, tell))


def learned(plan: TrainingPlan, tell: Callable[[str], None] = lambda _: None) -> PPO:
    torch.set_num_threads(1)  # the network is so small that more threads are slower
    with closing(VecMonitor(_Threads([partial(Episodes, plan)] * _ENVIRONMENTS))) as vector:
        model = PPO(
            _MaskedPolicy,
            vector,
            n_steps=_ROLLOUT,
            batch_size=256,
            n_epochs=6,
            learning_rate=lambda left: max(1e-5, 1e-3 * left + 5e-5),
            gamma=0.95,
            ent_coef=1e-3,
            seed=plan.seed,
            device="cpu",
        )
        model.set_logger(Logger(None, []))  # the default one leaves a folder in the temporary ones
        return model.learn(plan.steps, callback=_Progress(tell))


def frozen(plan: TrainingPlan, name: str, model: PPO) -> Policy:
    hidden = [one for one in model.policy.mlp_extractor.policy_net if isinstance(one, torch.nn.Linear)]
    layers = tuple(
        (one.weight.detach().numpy().T.astype("float64"), one.bias.detach().numpy().astype("float64"))
        for one in (*hidden, model.policy.action_net.layer)
    )
    known = plan.portfolio
    begun = "" if known is None else ", half of them behind the beginning of a known sequence"
    description = (
        f"PPO for {plan.objective.metric.name} with seed {plan.seed}: {model.num_timesteps:,} actions in "
        f"episodes of {plan.length}{begun}."
    )
    return Policy(
        name=name,
        table=plan.environment.action_table.name,
        environment_digest=plan.environment.digest,
        observation=OBSERVATION,
        features=FEATURES,
        length=plan.length,
        layers=layers,
        description=description,
        trained_on=plan.trained_on,
        known=() if known is None else ({"name": known.name, "sha256": known.sha256},),
    )
