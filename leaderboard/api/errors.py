"""The problem types of the services' errors; the common handler knows those of all others."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from leaderboard.common.problems import ProblemError
from leaderboard.services.documents import DocumentTooLarge, MalformedDocument
from leaderboard.services.quotas import QuotaExceeded
from leaderboard.services.submissions import Conflict, KeyReused
from optarena.documents.places import shown
from optarena.errors import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.errors import InvalidInput

_TYPES: Final[dict[type[InvalidInput], str]] = {
    MalformedDocument: "malformed-document",
    DocumentTooLarge: "too-large",
    KeyReused: "idempotency-key-reused",
    Conflict: "conflict",
    QuotaExceeded: "quota-exceeded",
}


@contextmanager
def as_problems() -> Iterator[None]:
    """Turn errors with a problem type of their own into that problem.

    Raises:
        ProblemError: Instead of the service's error.
    """
    try:
        yield
    except tuple(_TYPES) as error:
        problem = Problem.of(error, value=shown(error.value))
        headers = error.headers if isinstance(error, QuotaExceeded) else {}
        raise ProblemError(_TYPES[type(error)], error.message, errors=[problem], headers=headers) from error
