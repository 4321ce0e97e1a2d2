"""Loading what a description names as ``module:name``, only when it is needed."""

from __future__ import annotations

import importlib
from typing import Any


def load(path: str) -> Any:  # noqa: ANN401 # any object of the module
    """The object that ``module:name`` stands for."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
