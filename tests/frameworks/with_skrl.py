"""skrl: PPO on one environment, and on several that step at once."""

from typing import Any

import gymnasium
import torch
from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.models.torch import CategoricalMixin, DeterministicMixin, Model
from skrl.trainers.torch import SequentialTrainer

import optarena


class Policy(CategoricalMixin, Model):
    def __init__(self, env: Any) -> None:
        Model.__init__(
            self, observation_space=env.observation_space, action_space=env.action_space, device="cpu"
        )
        CategoricalMixin.__init__(self)
        self.net = torch.nn.Linear(self.num_observations, self.num_actions)

    def compute(self, inputs: Any, role: str) -> Any:
        return self.net(inputs["observations"]), {}


class Value(DeterministicMixin, Model):
    def __init__(self, env: Any) -> None:
        Model.__init__(
            self, observation_space=env.observation_space, action_space=env.action_space, device="cpu"
        )
        DeterministicMixin.__init__(self)
        self.net = torch.nn.Linear(self.num_observations, 1)

    def compute(self, inputs: Any, role: str) -> Any:
        return self.net(inputs["observations"]), {}


if __name__ == "__main__":
    for made in (
        gymnasium.make("optarena/llvm-ic-v0", max_episode_steps=5),
        optarena.make_vec("llvm-ic-v0", num_envs=3, max_episode_steps=5),
    ):
        env = wrap_env(made)
        agent = PPO(
            models={"policy": Policy(env), "value": Value(env)},
            memory=RandomMemory(memory_size=8, num_envs=env.num_envs, device="cpu"),
            cfg=PPO_CFG(rollouts=8, learning_epochs=1, mini_batches=2),
            observation_space=env.observation_space,
            action_space=env.action_space,
            device="cpu",
        )
        SequentialTrainer(env=env, agents=agent, cfg={"timesteps": 16, "headless": True}).train()
        env.close()
