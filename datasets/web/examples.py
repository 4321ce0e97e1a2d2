"""The environment that pages show in their example of how to use a benchmark."""

from __future__ import annotations

from typing import Final

from optarena.datasets import environments_of

_PREFERRED: Final = "optarena/llvm-ic-v0"
EXAMPLE_ENVIRONMENT: Final = _PREFERRED
"""Shown with stored datasets that no environment has as its own."""


def example_environment(dataset: str) -> str:
    """The id of an environment that the dataset's benchmarks are for; empty if none is installed."""
    own = [spec.id for spec in environments_of(dataset)]
    return _PREFERRED if _PREFERRED in own else next(iter(own), "")
