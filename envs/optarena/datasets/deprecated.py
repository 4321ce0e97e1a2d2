"""Datasets that should not be used any more. A frozen one cannot change: a file beside the manifest says so.

They stay usable for ever, as results name them; they are only listed no more.
"""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Final

from optarena import limits
from optarena.datasets.fields import Fields
from optarena.datasets.plain import read_plain
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.errors import InvalidDocument, Problem
from optarena.specs.uri import VERSIONED_NAME

if TYPE_CHECKING:
    from pathlib import Path

DEPRECATED_NAME: Final = "deprecated.json"
"""``{"reason": "…", "successor": "programs-v1"}``; the successor may be empty, or left out."""


def deprecation_of(folder: Path) -> str:
    """Why the dataset in a folder should not be used any more; empty if nothing speaks against it.

    Raises:
        InvalidDocument: The file that says so is malformed, or cannot be read.
    """
    try:
        content = read_plain(folder / DEPRECATED_NAME, limits.MAX_DEPRECATED_BYTES)
        raw = json.loads(content)
    except FileNotFoundError:
        return ""
    except OSError as error:
        problem = Problem(field=DEPRECATED_NAME, message=f"It cannot be read: {error.strerror}.")
        raise InvalidDocument([problem]) from error
    except (ValueError, RecursionError) as error:
        problem = Problem(field=DEPRECATED_NAME, message=f"It is no JSON document: {error}.")
        raise InvalidDocument([problem]) from error
    fields = Fields(raw, [], None, DEPRECATED_NAME)
    reason = fields.text("reason")
    if not reason.isprintable() or (reason and not reason.strip()):
        fields.problem("reason", "It must be one line of printable text.", reason)
    successor = fields.text("successor", empty=True) if "successor" in fields else ""
    if successor and not VERSIONED_NAME.fullmatch(successor):
        fields.problem("successor", "It must be a dataset's name, like 'programs-v1'.", successor)
    if fields.problems:
        raise InvalidDocument(fields.problems)
    return f"{reason} Use {successor} instead." if successor else reason


def printable(told: str) -> str:
    """What a server says of a deprecation, as one line that can be kept and printed.

    White space becomes a space; what is no character, or is none to be seen, becomes U+FFFD.
    """
    seen = (one if one.isprintable() else " " if one.isspace() else "\ufffd" for one in told)
    return "".join(seen).strip()


def warn_of(name: str, deprecated: str, *, stacklevel: int) -> None:
    """Warn the caller that a dataset should not be used any more; it goes on being found.

    Args:
        name: The dataset.
        deprecated: Why, and what instead.
        stacklevel: 1 for the caller of the function that calls this one.
    """
    message = f"The dataset {name} is deprecated: {deprecated}"
    warnings.warn(message, OptArenaDeprecationWarning, stacklevel=stacklevel + 2)
