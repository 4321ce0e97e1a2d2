"""Names of agents that are known, and look like another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Func, IntegerField, Q
from django.db.models.functions import Length

from leaderboard.agent_names import in_latin
from leaderboard.models import PortableEntry, Submission

if TYPE_CHECKING:
    from collections.abc import Iterator


def look_alike(agent: str) -> str:
    """A known name that a new one looks like, although it is written in other letters; empty without one.

    A name that is known itself may be anybody's, even if it looks like another one.
    """
    latin = in_latin(agent)
    known = list(_similar(agent, latin))
    if agent.casefold() in map(str.casefold, known):
        return ""
    return next((one for one in known if in_latin(one) == latin), "")


def _similar(agent: str, latin: str) -> Iterator[str]:
    """The known names of the same length that have other letters than Latin ones, or are the Latin name."""
    size = Func("agent", function="OCTET_LENGTH", output_field=IntegerField())
    is_foreign = Q(size__gt=F("length"))
    submitted, sealed = (
        kind.objects.alias(length=Length("agent"), size=size)
        .filter(is_foreign | Q(agent__iexact=latin), length=len(agent))
        .order_by()
        .values_list("agent", flat=True)
        for kind in (Submission, PortableEntry)
    )
    yield from submitted.union(sealed)
