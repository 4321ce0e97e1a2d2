"""The environment in the examples on dataset pages."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from datasets import selectors
from optarena.datasets import environments_of
from optarena.datasets.base import format_of
from optarena.specs import board_specs, environment_spec, environment_specs

if TYPE_CHECKING:
    from datasets.models import DatasetVersion
    from optarena.specs import EnvironmentSpec


def example_environment(version: DatasetVersion) -> str:
    """The id of an environment for a version's benchmarks, one with a board if possible.

    Empty if none is installed.
    """
    own = environments_of(version.name)
    found = next((spec for spec in _with_boards() if spec in own), next(iter(own), None))
    found = found or _measuring(version.statistics.get("metrics", {}).keys()) or _reading(version)
    return "" if found is None else found.id


def _measuring(metrics: set[str]) -> EnvironmentSpec | None:
    """An environment for baselines of these metrics: of those that measure them, one with few others."""
    able = (spec for spec in chain(_with_boards(), environment_specs()) if metrics <= set(spec.metric_names))
    return min(able, key=lambda spec: len(spec.metric_names), default=None) if metrics else None


def _reading(version: DatasetVersion) -> EnvironmentSpec | None:
    """An environment of the compiler whose format the first program has."""
    known = format_of(selectors.first_media_type(version))
    if known is None or known.preview is None:
        return None
    shown = environment_spec(known.preview.environment)
    return next((spec for spec in _with_boards() if spec.compiler == shown.compiler), shown)


def _with_boards() -> list[EnvironmentSpec]:
    return [environment_spec(board.environment) for board in board_specs()]
