"""What environments, boards, benchmarks and results *are*, as plain data.

Loads no compiler and starts no process. Each compiler's room describes itself with the classes here.
"""

from optarena.actions import Action, ActionTable, NamedActions, check_action
from optarena.specs.benchmark import actions_digest, canonical_actions, canonical_json
from optarena.specs.board import BoardSpec, PortableBoardSpec
from optarena.specs.environment import (
    LEVEL_NAME,
    METRIC_NAME,
    CalibrationSpec,
    DeviceSpec,
    EnvironmentSpec,
    Metric,
    PreparedMeasure,
    PreviewSpec,
    Probe,
    ProgramFormat,
    board_specs,
    calibration_specs,
    calibration_version,
    device_spec,
    device_specs,
    environment_spec,
    environment_specs,
    portable_board_specs,
    program_formats,
    recorded_packages,
    timed_metrics,
    withdrawn_board_specs,
)
from optarena.specs.rewards import RewardSpec, Scale, cost_rewards
from optarena.suggestions import unknown_name

__all__ = [
    "LEVEL_NAME", "METRIC_NAME", "Action", "ActionTable", "BoardSpec", "CalibrationSpec", "DeviceSpec",
    "EnvironmentSpec", "Metric", "NamedActions", "PortableBoardSpec", "PreparedMeasure", "PreviewSpec",
    "Probe", "ProgramFormat", "RewardSpec", "Scale", "actions_digest", "board_specs", "calibration_specs",
    "calibration_version", "canonical_actions", "canonical_json", "check_action", "cost_rewards",
    "device_spec", "device_specs", "environment_spec", "environment_specs", "portable_board_specs",
    "program_formats", "recorded_packages", "timed_metrics", "unknown_name",
    "withdrawn_board_specs",
]  # fmt: skip
