"""Wrappers for environments: as in gymnasium, with ``fork()``, ``multistep()`` and the other extensions.

One wrapper per file. They may be nested in any order; gymnasium's own wrappers go outside of them.
"""

from optarena.wrappers.action_wrapper import ActionWrapper
from optarena.wrappers.base import CompilerEnvWrapper
from optarena.wrappers.commandline_with_terminal_action import CommandlineWithTerminalAction
from optarena.wrappers.constrained_commandline import ConstrainedCommandline
from optarena.wrappers.counter import Counter
from optarena.wrappers.cycle_over_benchmarks import CycleOverBenchmarks
from optarena.wrappers.cycle_over_benchmarks_iterator import CycleOverBenchmarksIterator
from optarena.wrappers.fork_on_step import ForkOnStep
from optarena.wrappers.iterate_over_benchmarks import IterateOverBenchmarks
from optarena.wrappers.log_autophase import LogAutophase
from optarena.wrappers.normalised_autophase import NormalisedAutophase
from optarena.wrappers.observation_wrapper import ObservationWrapper
from optarena.wrappers.random_order_benchmarks import RandomOrderBenchmarks
from optarena.wrappers.reward_wrapper import RewardWrapper
from optarena.wrappers.runtime_point_estimate_reward import RuntimePointEstimateReward
from optarena.wrappers.stored_env import StoredEnv
from optarena.wrappers.synchronous_sqlite_logger import SynchronousSqliteLogger
from optarena.wrappers.time_limit import TimeLimit
from optarena.wrappers.validate_benchmark_after_every_step import ValidateBenchmarkAfterEveryStep

__all__ = [
    "ActionWrapper",
    "CommandlineWithTerminalAction",
    "CompilerEnvWrapper",
    "ConstrainedCommandline",
    "Counter",
    "CycleOverBenchmarks",
    "CycleOverBenchmarksIterator",
    "ForkOnStep",
    "IterateOverBenchmarks",
    "LogAutophase",
    "NormalisedAutophase",
    "ObservationWrapper",
    "RandomOrderBenchmarks",
    "RewardWrapper",
    "RuntimePointEstimateReward",
    "StoredEnv",
    "SynchronousSqliteLogger",
    "TimeLimit",
    "ValidateBenchmarkAfterEveryStep",
]
