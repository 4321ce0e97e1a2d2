"""Tianshou: environments in this process, in others and in shared memory; a collector drives them."""

from typing import Any

import gymnasium
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, ShmemVectorEnv, SubprocVectorEnv
from tianshou.utils.net.common import Net


def make() -> Any:  # an environment
    return gymnasium.make("optarena:optarena/llvm-ic-v0", max_episode_steps=5)


if __name__ == "__main__":
    alone = make()
    network = Net(
        state_shape=alone.observation_space.shape, action_shape=alone.action_space.n, hidden_sizes=[8]
    )
    policy = DiscreteQLearningPolicy(model=network, action_space=alone.action_space, eps_training=0.5)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3))
    for kind in (DummyVectorEnv, SubprocVectorEnv, ShmemVectorEnv):
        members = kind([make, make])
        buffer = VectorReplayBuffer(100, 2)
        collector = Collector(algorithm, members, buffer, exploration_noise=True)
        collector.reset()
        collected = collector.collect(n_step=20)
        if (collected.n_collected_steps, collected.n_collected_episodes) != (20, 4):
            raise SystemExit(str(collected))
        members.close()
    alone.close()
