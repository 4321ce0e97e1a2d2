"""Takes 20 random steps with a CUDA kernel, and prints what it sees: ``python examples/gpu_demo.py``.

Without a GPU, everything but times and counters is seen; the demo says what is missing.
"""

from __future__ import annotations

import argparse
import json

import optarena
from optarena.errors import CountersUnavailable, DeviceUnavailable, ToolMissing

STEPS = 20
SHOWN = ("registers", "stack_bytes", "spill_bytes", "shared_bytes", "sass_instructions", "occupancy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--env", default="gpu-kernels-v0", help="gpu-kernels-v0 or gpu-levels-v0")
    parser.add_argument("--benchmark", default="gpu-kernels-v1/small-inverses")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with optarena.make(options.env, benchmark=options.benchmark) as env:
        try:
            env.reset(seed=options.seed)
        except ToolMissing as error:
            raise SystemExit(str(error)) from error
        env.action_space.seed(options.seed)
        print(f"{'action':32}{'reward':>8}", *(f"{name:>18}" for name in SHOWN))
        print(f"{'':40}", *(f"{env.observation[name]:18.4g}" for name in SHOWN))
        total = 0.0
        for _ in range(STEPS):
            action = env.action_space.sample()
            _, reward, terminated, truncated, info = env.step(action)
            if terminated or truncated:
                print(f"the episode has ended: {info.get('error_details')}")
                return
            total += reward
            name = env.action_table.names[action]
            print(f"{name:32}{reward:8g}", *(f"{env.observation[one]:18.4g}" for one in SHOWN))
        print(f"\ntotal reward {total:g}; -O3 has {env.observation['thread_bytesO3']} bytes of thread state")
        print(f"state: {env.state.commandline}")
        print(f"on the CPU: {env.validate()}")
        for name in ("timing", "counters"):
            try:
                print(f"{name}: {json.dumps(json.loads(env.observation[name]), indent=1)}")
            except CountersUnavailable as error:
                print(f"{name}: not seen. Reason {error.reason}. {error}")
            except DeviceUnavailable as error:
                print(f"{name}: not seen. {error}")


if __name__ == "__main__":
    main()
