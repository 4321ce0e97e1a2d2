"""Wrappers for environments: as in gymnasium, with ``fork()``, ``multistep()`` and the other extensions.

They may be nested in any order; gymnasium's own wrappers go outside of them.
"""

from optarena.wrappers.base import ActionWrapper, CompilerEnvWrapper, ObservationWrapper, RewardWrapper
from optarena.wrappers.benchmarks import (
    CycleOverBenchmarks,
    CycleOverBenchmarksIterator,
    IterateOverBenchmarks,
    RandomOrderBenchmarks,
)
from optarena.wrappers.common import (
    Counter,
    ForkOnStep,
    RuntimePointEstimateReward,
    StoredEnv,
    TimeLimit,
    ValidateBenchmarkAfterEveryStep,
)
from optarena.wrappers.logging import SynchronousSqliteLogger
from optarena.wrappers.spaces import (
    CommandlineWithTerminalAction,
    ConstrainedCommandline,
    LogAutophase,
    NamedObservations,
    NormalisedAutophase,
)

__all__ = [
    "ActionWrapper", "CommandlineWithTerminalAction", "CompilerEnvWrapper", "ConstrainedCommandline",
    "Counter", "CycleOverBenchmarks", "CycleOverBenchmarksIterator", "ForkOnStep", "IterateOverBenchmarks",
    "LogAutophase", "NamedObservations", "NormalisedAutophase", "ObservationWrapper", "RandomOrderBenchmarks",
    "RewardWrapper", "RuntimePointEstimateReward", "StoredEnv", "SynchronousSqliteLogger", "TimeLimit",
    "ValidateBenchmarkAfterEveryStep",
]  # fmt: skip
