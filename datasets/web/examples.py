"""The environment in the examples on dataset pages."""

from __future__ import annotations

from optarena.datasets import environments_of
from optarena.specs import board_specs, environment_spec


def example_environment(dataset: str) -> str:
    """The id of an environment for the dataset's benchmarks, one with a board if possible.

    Empty if none is installed.
    """
    own = [spec.id for spec in environments_of(dataset)]
    return next((one for one in _with_boards() if one in own), next(iter(own), ""))


def usual_environment() -> str:
    """The id of the first environment with a board, for datasets that do not belong to an environment."""
    return next(iter(_with_boards()), "")


def _with_boards() -> list[str]:
    return [environment_spec(board.environment).id for board in board_specs()]
