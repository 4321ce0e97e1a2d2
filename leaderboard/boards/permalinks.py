"""Addresses that show the standings of one moment for ever, and their BibTeX entry."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from optarena.datasets.citing import bibtex_entry, escape_bibtex

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from leaderboard.boards.standings import BoardChoice
    from leaderboard.models import Board


@dataclass(frozen=True, slots=True, kw_only=True)
class Permalink:
    # The one that is asked for, or when the rows were read.
    moment: datetime
    address: str
    bibtex: str


def permalink(request: HttpRequest, board: Board, choice: BoardChoice, moment: datetime) -> Permalink:
    """What to cite of the standings that a request shows: those of a moment by the database's clock."""
    moment = moment.astimezone(UTC)
    query = {name: text for name, text in choice.given.items() if name != "as_of"}
    query["as_of"] = moment.isoformat().replace("+00:00", "Z")
    address = request.build_absolute_uri(f"{board.get_absolute_url()}?{urlencode(query)}")
    environment, dataset = board.environment_version, board.dataset_version
    note = (
        f"Standings of {moment:%Y-%m-%d %H:%M:%S} UTC. Environment {environment.env_id}, version "
        f"{environment.digest}. Dataset {dataset.name}, manifest sha256 {dataset.manifest_sha256}"
    )
    fields = {
        "key": board.slug,
        "title": f"{{{escape_bibtex(f'OptArena leaderboard: {board.title}')}}}",
        "howpublished": f"\\url{{{address}}}",
        "year": f"{moment:%Y}",
        "month": f"{moment.month}",
        "note": escape_bibtex(note),
    }
    bibtex = bibtex_entry(f"optarena-{board.slug}-{moment:%Y-%m-%d}", fields)
    return Permalink(moment=moment, address=address, bibtex=bibtex)
