"""One entrance for all submissions, from API or web form, as JSON or CSV."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from leaderboard.services import documents, quotas, submissions, validation
from leaderboard.services.submissions import RequestKey
from optarena.documents.texts import is_printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.contrib.auth.models import User

    from leaderboard.models import Submission
    from leaderboard.services.validation import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A submission as it arrived.

    Attributes:
        body: The document's bytes.
        format: ``json`` or ``csv``.
        about: For CSV: the fields it has no place for, as texts.
    """

    body: bytes
    format: Literal["json", "csv"]
    about: Mapping[str, str] = field(default_factory=dict)


def check(*, incoming: Incoming) -> Draft:
    """Check a submission completely, storing nothing.

    Raises:
        InvalidDocument: With every problem.
        MalformedDocument: The body is not a document.
        DocumentTooLarge: The body is over the limit.
    """
    return validation.draft(_read(incoming))


def receive(*, owner: User, incoming: Incoming, key: str | None = None) -> tuple[Submission, bool]:
    """Check and store a submission, once for each Idempotency-Key.

    Returns:
        The submission, and whether this call made it.

    Raises:
        InvalidDocument: With every problem; nothing is stored.
        MalformedDocument: The body is not a document.
        DocumentTooLarge: It is over the limit.
        KeyReused: The key was used with another body.
        Conflict: The board was frozen or changed during the check.
        QuotaExceeded: The owner sends too much, or asks for more work than the quota allows.
    """
    documents.check_size(incoming.body)
    about = json.dumps(dict(incoming.about), sort_keys=True).encode()
    request_key = RequestKey.of(key, incoming.format.encode(), about, incoming.body)
    # Before the checks: a repeated request gets the same answer even if the board was frozen meanwhile.
    repeated = submissions.find_repeated(owner=owner, request_key=request_key)
    if repeated is not None:
        return repeated, False
    quotas.count_upload(owner=owner, size=len(incoming.body))
    draft = check(incoming=incoming)
    return submissions.submit(owner=owner, draft=draft, request_key=request_key)


def _read(incoming: Incoming) -> documents.Document:
    if incoming.format == "json":
        return documents.read_json(incoming.body)
    about = documents.about_from_query(incoming.about)
    return documents.read_csv(
        incoming.body, about=about, metrics=_metrics(incoming.about.get("board", "").strip())
    )


def _metrics(slug: str) -> frozenset[str] | None:
    """The metrics that items may claim; None for an unknown board, which another problem reports."""
    board = validation.find_board(slug) if is_printable(slug) else None
    return None if board is None else validation.claimable(board)
