"""The element types of tensors, ranges, boxes and sequences, with their numpy types and widest ranges."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

DTYPES: Final[dict[str, type[Any]]] = {
    "boolean": np.bool_,
    "byte": np.uint8,
    "int64": np.int64,
    "float": np.float32,
    "double": np.float64,
    "string": np.object_,
}
"""The numpy type of each element type in a tensor."""

RANGES: Final[dict[str, tuple[Any, Any]]] = {
    "boolean": (False, True),
    "byte": (0, 255),
    "int64": (np.iinfo(np.int64).min, np.iinfo(np.int64).max),
    "float": (-np.inf, np.inf),
    "double": (-np.inf, np.inf),
}
"""The smallest and the largest value of each number type."""


def member_dtype(element: str) -> type[Any]:
    """The numpy type in a gymnasium space: as in a tensor, but a Box of ``bool`` cannot be made."""
    return np.int8 if element == "boolean" else DTYPES[element]
