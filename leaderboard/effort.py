"""Classes of effort, from the number of compilations that a submitter reports. Reported, never checked."""

from __future__ import annotations

from typing import Final

ZERO_SHOT: Final = 1
FEW: Final = 50
MANY: Final = 1000


def effort_class(compilations: int | None) -> str:
    """The class of a number of compilations of one program during the search.

    Args:
        compilations: The reported number; None if there is none.
    """
    if compilations is None:
        return "not reported"
    if compilations <= ZERO_SHOT:
        return "zero-shot"
    if compilations <= FEW:
        return f"≤ {FEW}"
    return f"≤ {MANY}" if compilations <= MANY else "unlimited"
