"""Datasets that should no longer be used. A frozen one cannot change: a file next to the manifest says so.

They stay usable forever, as results name them; they are just no longer listed.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Final, NamedTuple

from optarena import limits
from optarena.datasets.plain import read_plain
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.documents import kinds
from optarena.documents.kinds import Table
from optarena.documents.loading import json_document, refused
from optarena.documents.places import Place
from optarena.errors import InvalidDocument
from optarena.specs.uri import VERSIONED_NAME

if TYPE_CHECKING:
    from pathlib import Path

DEPRECATED_NAME: Final = "deprecated.json"
"""``{"reason": "…", "successor": "programs-v1"}``; the successor may be empty, or left out."""


_REASON: Final = kinds.text()
_SUCCESSOR: Final = kinds.matching(VERSIONED_NAME, form="a dataset's name, such as programs-v1")
_REMEDY: Final = "Correct this file, or remove it."


class Deprecation(NamedTuple):
    """Why a dataset should no longer be used, and its successor's name or an empty text."""

    reason: str
    successor: str

    def __str__(self) -> str:
        return f"{self.reason} Use {self.successor} instead." if self.successor else self.reason


def deprecation_of(folder: Path) -> str:
    """Why the dataset in a folder should no longer be used; empty if it is not deprecated.

    Raises:
        InvalidDocument: The file that says so is malformed, or cannot be read.
    """
    return str(deprecation_in(folder) or "")


def deprecation_in(folder: Path) -> Deprecation | None:
    """What the file in a dataset's folder says; None if there is none.

    Raises:
        InvalidDocument: Lists every problem of the file.
    """
    try:
        content = read_plain(folder / DEPRECATED_NAME, limits.MAX_DEPRECATED_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise refused(DEPRECATED_NAME, f"The file cannot be read: {error.strerror}.", _REMEDY) from error
    return read_deprecation(json_document(content, field=DEPRECATED_NAME), Place(path=DEPRECATED_NAME))


def read_deprecation(raw: object, place: Place) -> Deprecation:
    """A deprecation, from a file or from a server.

    Args:
        raw: An object with ``reason`` and, if there is one, ``successor``.
        place: Where it is.

    Raises:
        InvalidDocument: Lists every problem of it.
    """
    fields = Table(raw, place)
    reason = fields.need("reason", _REASON)
    successor = "" if fields.get("successor") == "" else fields.find("successor", _SUCCESSOR)
    if fields.failed:
        raise InvalidDocument(place.problems)
    return Deprecation(reason.strip(), successor or "")


def warn_of(name: str, deprecated: str, *, stacklevel: int) -> None:
    """Warn the caller that a dataset should no longer be used, although it is found.

    Args:
        name: The dataset.
        deprecated: Why, and what to use instead.
        stacklevel: 1 for the caller of the function that calls this one.
    """
    message = f"The dataset {name} is deprecated: {deprecated}"
    warnings.warn(message, OptArenaDeprecationWarning, stacklevel=stacklevel + 2)
