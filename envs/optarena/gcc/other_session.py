"""The session types of other GCCs: ``optarena.gcc.other_session:Gcc_CODE``, with the code of a place.

A session process knows its type by name alone, so the name says which GCC it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from optarena.gcc.actions import ChoiceTable
from optarena.gcc.options import safe_table, whole_table
from optarena.gcc.other import GccPlace, OtherGcc, ask
from optarena.gcc.relative import NAME, RelativeTable
from optarena.gcc.session import GccSession, action_space, observed_by

if TYPE_CHECKING:
    from optarena.gcc.session import GccActions
    from optarena.isolation.tools import ToolAccess

_PREFIX: Final = "Gcc_"


class OtherGccSession(GccSession):
    """A session of another GCC; its subclasses have the actions and observations of one each.

    Attributes:
        other: The GCC.
    """

    other: ClassVar[OtherGcc]
    known: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def preload(cls) -> None:
        """Nothing: the GCC was asked when the type was made."""

    @classmethod
    def tools(cls) -> ToolAccess | None:
        """cc1 and as; None for those of an image."""
        return cls.toolchain.access


def name_of(place: GccPlace) -> str:
    """The name of the session type of a GCC."""
    return f"{__name__}:{_PREFIX}{place.code}"


def tables_of(other: OtherGcc) -> tuple[ChoiceTable, RelativeTable]:
    """The actions on a GCC's options: those that boards would take if it were the pinned one."""
    safe = safe_table(other.version, other.options)
    return ChoiceTable(safe), RelativeTable(whole_table(safe, NAME))


def __getattr__(name: str) -> type[OtherGccSession]:
    """The session type of this name; see PEP 562.

    Raises:
        AttributeError: It is not the name of one.
        ToolMissing: The GCC is not there any more, or does not answer.
    """
    try:
        place = GccPlace.of_code(name.removeprefix(_PREFIX)) if name.startswith(_PREFIX) else None
    except ValueError:
        place = None
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    other = ask(place)
    tables: tuple[GccActions, ...] = tables_of(other)
    observed = observed_by(tables, other.levels)
    members = {
        "__module__": __name__,
        "compiler_version": f"GCC {other.version}",
        "other": other,
        "toolchain": other.toolchain,
        "identity": other.identity,
        "front_end": other.front_end,
        "tables": tables,
        "observed": observed,
        "action_spaces": [action_space(table) for table in tables],
        "observation_spaces": [one.message for one in observed.values()],
    }
    return type(name, (OtherGccSession,), members)
