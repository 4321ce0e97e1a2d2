"""Classes of effort, from the number of compilations that a submitter reports. Reported, never checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NOT_REPORTED: Final = "not reported"
"""What is shown in place of a class where no number is reported."""
UNREPORTED: Final = "unreported"
"""The filter that finds those."""


@dataclass(frozen=True, slots=True)
class EffortClass:
    """A range of numbers of compilations of one program during the search.

    Attributes:
        slug: Its name in filters.
        label: Its name for people.
        least: The least number.
        most: The greatest number; None if there is none.
    """

    slug: str
    label: str
    least: int
    most: int | None


EFFORT_CLASSES: Final = (
    EffortClass("zero-shot", "zero-shot", 0, 1),
    EffortClass("few", "≤ 50", 2, 50),
    EffortClass("many", "≤ 1000", 51, 1000),
    EffortClass("unlimited", "unlimited", 1001, None),
)


def effort_class(compilations: int | None) -> str:
    """The class of a number of compilations, as people read it.

    Args:
        compilations: The reported number; None if there is none.
    """
    if compilations is None:
        return NOT_REPORTED
    fitting = (one for one in EFFORT_CLASSES if one.most is None or compilations <= one.most)
    return next(fitting).label
