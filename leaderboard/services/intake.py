"""One entrance for submissions, whichever door they come through: API, web form, JSON or CSV."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from leaderboard.services import documents, submissions, validation
from leaderboard.services.submissions import RequestKey
from optarena.specs import environment_spec, environment_specs

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
        MalformedDocument: It is no document at all.
        DocumentTooLarge: It is over the limit.
    """
    return validation.draft(_read(incoming))


def receive(*, owner: User, incoming: Incoming, key: str | None = None) -> tuple[Submission, bool]:
    """Check and store a submission, once for each Idempotency-Key.

    Returns:
        The submission, and whether this call made it.

    Raises:
        InvalidDocument: With every problem; nothing is stored.
        MalformedDocument: It is no document at all.
        DocumentTooLarge: It is over the limit.
        KeyReused: The key was used with another body.
    """
    documents.check_size(incoming.body)
    about = json.dumps(dict(incoming.about), sort_keys=True).encode()
    request_key = RequestKey.of(key, incoming.format.encode(), about, incoming.body)
    # Before the checks: a repeated request gets the same answer even if the board was frozen meanwhile.
    repeated = submissions.find_repeated(owner=owner, request_key=request_key)
    if repeated is not None:
        return repeated, False
    draft = check(incoming=incoming)
    return submissions.submit(owner=owner, draft=draft, request_key=request_key)


def _read(incoming: Incoming) -> documents.Document:
    if incoming.format == "json":
        return documents.read_json(incoming.body)
    about = documents.about_from_query(incoming.about)
    return documents.read_csv(incoming.body, about=about, metrics=_metrics(incoming.about.get("board", "")))


def _metrics(slug: str) -> frozenset[str]:
    board = validation.find_board(slug) if documents.printable(slug) else None
    specs = environment_specs() if board is None else (environment_spec(board.environment_version.env_id),)
    return frozenset(name for spec in specs for name in spec.metric_names)
