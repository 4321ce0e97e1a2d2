"""TorchRL's GymEnv: its checker, and a network on its default observations."""

import argparse

import torch
from tensordict.nn import TensorDictModule
from torchrl.envs import GymEnv
from torchrl.envs.utils import check_env_specs

import optarena  # noqa: F401 # registers the environments

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
