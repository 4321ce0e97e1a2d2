"""The query parameters of API requests: which a view knows, and what is refused.

A view names its own in ``query_parameters``, and those that may be repeated in ``repeated_parameters`` too.
Those of its filters and of its pages are known without that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rest_framework.mixins import ListModelMixin

from optarena.errors import InvalidInput, Problem
from optarena.specs import unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import QueryDict

_PAGING: Final = ("cursor", "page_size")
_FLAGS: Final = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}
_SHOWN: Final = 100


def known_parameters(view: type[object]) -> tuple[str, ...]:
    """The query parameters that a class of views reads."""
    filters = getattr(getattr(view, "filterset_class", None), "base_filters", {})
    paging = _PAGING if issubclass(view, ListModelMixin) else ()
    return (*getattr(view, "query_parameters", ()), *filters, *paging)


def refused(given: QueryDict, known: tuple[str, ...], repeated: tuple[str, ...] = ()) -> list[Problem]:
    """A problem for each parameter that is unknown, or given more than once: it would have no effect.

    Args:
        given: The parameters.
        known: Those that are read.
        repeated: Those of them that may be given more than once.
    """
    return list(_refused(given, known, repeated))


def _refused(given: QueryDict, known: tuple[str, ...], repeated: tuple[str, ...]) -> Iterator[Problem]:
    for name, values in given.lists():
        value = values[-1][:_SHOWN]
        if name not in known:
            error = unknown_name("parameter", name, known)
            remedy = error.remedy if known else "Leave it out: this request takes none."
            yield Problem(field=name[:_SHOWN], value=value, message=error.message, remedy=remedy)
        elif len(values) > 1 and name not in repeated:
            message = f"The parameter is given {len(values)} times."
            yield Problem(field=name, value=value, message=message, remedy="Give it once.")


def flag(name: str, text: str | None) -> bool:
    """A parameter that is ``true`` or ``false``, also written ``1``, ``0``, ``yes`` or ``no``.

    Raises:
        InvalidInput: It is something else.
    """
    if text is None:
        return False
    if text.lower() not in _FLAGS:
        raise InvalidInput(
            f"The parameter {name} is neither true nor false.",
            field=name,
            value=text[:_SHOWN],
            remedy="Give `true` or `false`, or leave it out.",
        )
    return _FLAGS[text.lower()]
