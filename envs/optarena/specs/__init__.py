"""What environments and boards *are*, as plain data. Loads no compiler and starts no process."""

from optarena.actions import Action, ActionTable, NamedActions, check_action
from optarena.specs.environment import (
    LEVEL_NAME,
    METRIC_NAME,
    BoardSpec,
    EnvironmentSpec,
    Metric,
    actions_digest,
    add_board,
    add_environment,
    board_specs,
    canonical_actions,
    canonical_json,
    environment_spec,
    environment_specs,
    unknown_name,
)
