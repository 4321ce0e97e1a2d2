"""TorchRL's GymEnv: its checker, and a network on its default observations; and a vector by GymWrapper."""

import argparse

import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import GymEnv, GymWrapper
from torchrl.envs.utils import check_env_specs

import optarena

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    env = GymEnv(parser.parse_args().name)
    check_env_specs(env)
    network = torch.nn.Linear(env.observation_spec["observation"].shape[-1], 1)
    valued = TensorDictModule(network, in_keys=["observation"], out_keys=["value"])(env.rollout(5))
    if valued["value"].shape != (5, 1):
        raise SystemExit(f"the network gave {valued['value'].shape}")
    env.close()
    several = GymWrapper(
        optarena.make_vec("llvm-ic-v0", num_envs=2, max_episode_steps=5, autoreset_mode="Disabled")
    )
    walked = several.rollout(10, break_when_any_done=False)
    if walked["next", "done"].sum() != 4:
        raise SystemExit(f"{walked['next', 'done']}")
    several.close()
